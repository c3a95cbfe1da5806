// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Integers of which only what is above zero counts: wherever they are read, a negative number does what 0 does.
//
// So are a number of iterations, and the iteration from which on a mask is needed (`j >= first` where j counts from 0): rounding
// them down or towards zero gives the same program.

#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "analysis/range.h"
#include "ir/program.h"

namespace tilewright::analysis {

class AboveZero {
 public:
  // `range` says what is certain of a value.
  AboveZero(const ir::Program& program, std::function<Range(ir::ValueId)> range)
      : program_(program), range_(std::move(range)), values_(program.values.size(), true), vars_(program.vars.size(), true) {}

  // Looks for readers in a function, which are all that its values have.
  void read(ir::FunctionId function);
  // Of a value of a function that has been read.
  bool contains(ir::ValueId value) const { return values_[value.index]; }

 private:
  void block(ir::BlockId id, const ir::Op* owner);
  bool indifferent(const ir::Op& op, size_t operand, const ir::Op* owner) const;
  void clear(std::vector<bool>& set, uint32_t index);

  const ir::Program& program_;
  std::function<Range(ir::ValueId)> range_;
  std::vector<bool> values_;
  std::vector<bool> vars_;
  bool changed_ = false;
};

}  // namespace tilewright::analysis
