// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A program in parts: the kernels and helpers that call each other, directly or not. Whatever is found of the values of a part
// depends on nothing outside of it.

#pragma once

#include <vector>

#include "base/stretch.h"
#include "ir/program.h"

namespace tilewright::analysis {

struct PartTag;
using PartId = Id<PartTag>;

class Parts {
 public:
  explicit Parts(const ir::Program& program);

  size_t size() const { return functions_.size(); }
  const std::vector<ir::FunctionId>& functions(PartId part) const { return functions_[part.index]; }  // in the order of ids
  // none() of what stands nowhere.
  ir::FunctionId function_of(ir::OpId op) const { return of_op_[op.index]; }
  ir::FunctionId function_of(ir::ValueId value) const { return of_value_[value.index]; }
  PartId part_of(ir::FunctionId function) const { return part_of_[function.index]; }
  // From the first to the last of a part's.
  Stretch<ir::OpId> ops(PartId part) const { return ops_[part.index]; }
  Stretch<ir::ValueId> values(PartId part) const { return values_[part.index]; }

 private:
  std::vector<std::vector<ir::FunctionId>> functions_;
  std::vector<PartId> part_of_;
  std::vector<ir::FunctionId> of_op_;
  std::vector<ir::FunctionId> of_value_;
  std::vector<Stretch<ir::OpId>> ops_;
  std::vector<Stretch<ir::ValueId>> values_;
};

}  // namespace tilewright::analysis
