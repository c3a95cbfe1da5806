// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Edits of a program as data. A rule proposes a plan and never makes text: from the plan come the program that is printed and
// what is said about it.

#pragma once

#include <variant>
#include <vector>

#include "ir/program.h"

namespace tilewright::ir {

// The op is another one with the same operands: a floor division is a truncating one.
struct SetKind {
  OpId op;
  OpKind kind = OpKind::Mark;
  friend bool operator==(const SetKind&, const SetKind&) = default;
};

struct SetBounds {
  OpId op;
  Bounds bounds = Bounds::Both;
  friend bool operator==(const SetBounds&, const SetBounds&) = default;
};

// A condition that launches of a kernel must keep to (Function::assumes).
struct Assume {
  FunctionId kernel;
  sym::ExprId condition;
  friend bool operator==(const Assume&, const Assume&) = default;
};

using PlanEdit = std::variant<SetKind, SetBounds, Assume>;

struct Plan {
  std::vector<PlanEdit> edits;
};

void apply(Program& program, const Plan& plan);

}  // namespace tilewright::ir
