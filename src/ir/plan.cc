// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/plan.h"

#include <algorithm>

namespace tilewright::ir {
namespace {

void edit(Program& program, const SetKind& change) { program.ops[change.op].kind = change.kind; }

void edit(Program& program, const SetBounds& change) {
  Attrs& attrs = program.ops[change.op].attrs;
  attrs.rare.edit().bounds = change.bounds;
  if (change.bounds == Bounds::Never && attrs.rare) attrs.rare.edit().bounds_if = {};
}

void edit(Program& program, const Assume& change) {
  RareList<sym::ExprId>& assumes = program.functions[change.kernel].assumes;
  if (std::find(assumes.begin(), assumes.end(), change.condition) == assumes.end()) assumes.push_back(change.condition);
}

}  // namespace

void apply(Program& program, const Plan& plan) {
  for (const PlanEdit& change : plan.edits) {
    std::visit([&](const auto& one) { edit(program, one); }, change);
  }
}

}  // namespace tilewright::ir
