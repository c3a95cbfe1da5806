// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/plan.h"

#include <algorithm>

#include "ir/walk.h"

namespace tilewright::ir {
namespace {

// The kernels from which a function is reached; itself if it is one.
std::vector<FunctionId> kernels_of(const Program& program, FunctionId wanted) {
  std::vector<bool> reaches(program.functions.size(), false);
  reaches[wanted.index] = true;
  std::vector<FunctionId> out;
  for (uint32_t i = 0; i < program.functions.size(); ++i) {  // callees come before callers
    const Function& function = program.functions[FunctionId{i}];
    if (function.body) {
      each_op(program, function.body, [&](OpId op) {
        if (program.ops[op].kind == OpKind::Call && reaches[program.ops[op].attrs.function.index]) reaches[i] = true;
      });
    }
    if (reaches[i] && function.kind == FunctionKind::Kernel) out.push_back(FunctionId{i});
  }
  return out;
}

void edit(Program& program, const SetKind& change) { program.ops[change.op].kind = change.kind; }

void edit(Program& program, const SetBounds& change) {
  program.ops[change.op].attrs.bounds = change.bounds;
  if (change.bounds == Bounds::Never) program.ops[change.op].attrs.bounds_if = {};
}

void edit(Program& program, const Assume& change) {
  const FunctionId function = Structure(program).function_of(change.op);
  for (const FunctionId kernel : kernels_of(program, function)) {
    std::vector<sym::ExprId>& assumes = program.functions[kernel].assumes;
    if (std::find(assumes.begin(), assumes.end(), change.condition) == assumes.end()) assumes.push_back(change.condition);
  }
}

}  // namespace

void apply(Program& program, const Plan& plan) {
  for (const PlanEdit& change : plan.edits) {
    std::visit([&](const auto& one) { edit(program, one); }, change);
  }
}

}  // namespace tilewright::ir
