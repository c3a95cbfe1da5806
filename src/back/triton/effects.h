// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which of its array parameters a function, or a helper that it calls, reads and writes.

#pragma once

#include <map>
#include <set>
#include <vector>

#include "ir/program.h"

namespace tilewright::back::triton {

bool is_load(ir::OpKind kind);
bool is_store(ir::OpKind kind);
bool is_atomic(ir::OpKind kind);

// An atomic of one element that other programs may take as a sign that memory is as they need it.
bool releases(const ir::Program& program, const ir::Op& op);

struct Effects {
  std::set<ir::ValueId> touched;  // array parameters
  std::set<ir::ValueId> written;
  bool releases = false;
};

class AllEffects {
 public:
  explicit AllEffects(const ir::Program& program);

  const Effects& operator[](ir::FunctionId function) const { return effects_.at(function); }
  // The array parameters of its function that an array is, is a part of, or may be.
  std::set<ir::ValueId> parameters_of(ir::ValueId array) const;

 private:
  const ir::Program& program_;
  std::map<ir::VarId, std::vector<ir::ValueId>> set_;  // arrays that a variable may be
  std::map<ir::FunctionId, Effects> effects_;
};

}  // namespace tilewright::back::triton
