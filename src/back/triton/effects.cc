// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/effects.h"

#include <algorithm>

#include "ir/walk.h"

namespace tilewright::back::triton {

using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;

bool is_load(OpKind kind) { return kind == OpKind::LoadTile || kind == OpKind::Gather; }
bool is_store(OpKind kind) { return kind == OpKind::StoreTile || kind == OpKind::Scatter; }
bool is_atomic(OpKind kind) { return kind == OpKind::AtomicRmw || kind == OpKind::AtomicCas; }

bool releases(const ir::Program& program, const Op& op) {
  if (!is_atomic(op.kind)) return false;
  if (op.attrs.rare->order_of_memory == ir::MemoryOrder::Relaxed || op.attrs.rare->order_of_memory == ir::MemoryOrder::Acquire)
    return false;
  for (uint32_t axis = 0; axis < op.attrs.rank; ++axis) {
    const std::vector<sym::ExprId>& shape = program.types[program.values[op.operands[1 + axis]].type].shape;
    if (std::any_of(shape.begin(), shape.end(), [&](sym::ExprId extent) { return extent != program.arena.one(); })) return false;
  }
  return true;
}

AllEffects::AllEffects(const ir::Program& program) : program_(program) {
  for (const Op& op : program.ops) {
    if (op.kind != OpKind::Set) continue;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (program.types[program.values[op.operands[i]].type].kind == ir::TypeKind::Array)
        set_[ir::written_vars(op)[i]].push_back(op.operands[i]);
    }
  }
  for (uint32_t i = 0; i < program.functions.size(); ++i) {  // callees come first
    const ir::Function& function = program.functions[ir::FunctionId{i}];
    Effects& mine = effects_[ir::FunctionId{i}];
    if (!function.body) continue;
    ir::each_op(program, function.body, [&](OpId id) {
      const Op& op = program.ops[id];
      if (is_load(op.kind) || is_store(op.kind) || is_atomic(op.kind)) {
        mine.touched.merge(parameters_of(op.operands[0]));
        if (!is_load(op.kind)) mine.written.merge(parameters_of(op.operands[0]));
        mine.releases = mine.releases || triton::releases(program, op);
      }
      if (op.kind != OpKind::Call) return;
      const Effects& callee = effects_.at(op.attrs.rare->function);
      mine.releases = mine.releases || callee.releases;
      size_t operand = 0;
      for (const ir::Param& param : program.functions[op.attrs.rare->function].params) {
        if (!param.value) continue;
        const ValueId passed = op.operands[operand++];
        if (callee.touched.contains(param.value)) mine.touched.merge(parameters_of(passed));
        if (callee.written.contains(param.value)) mine.written.merge(parameters_of(passed));
      }
    });
  }
}

std::set<ValueId> AllEffects::parameters_of(ValueId array) const {
  std::set<ValueId> out;
  std::set<ValueId> seen{array};
  std::vector<ValueId> work{array};
  const auto go_on = [&](ValueId value) {
    if (seen.insert(value).second) work.push_back(value);
  };
  while (!work.empty()) {
    const ValueId value = work.back();
    work.pop_back();
    const OpId made = program_.values[value].definition;
    if (!made) {
      out.insert(value);
    } else if (program_.ops[made].kind == OpKind::Get) {
      if (const auto found = set_.find(program_.ops[made].attrs.var); found != set_.end()) {
        for (const ValueId set : found->second) go_on(set);
      }
    } else if (!program_.ops[made].operands.empty()) {
      go_on(program_.ops[made].operands[0]);
    }
  }
  return out;
}

}  // namespace tilewright::back::triton
