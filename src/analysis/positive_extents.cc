// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/positive_extents.h"

#include "ir/operands.h"
#include "ir/walk.h"

namespace tilewright::analysis {

using ir::OpKind;
using ir::TypeKind;
using ir::ValueId;
using sym::ExprId;
using sym::ExprKind;

static void add_extent(const sym::Arena& arena, ExprId extent, Atoms& out) {
  const sym::Expr& expr = arena[extent];
  if (expr.kind == ExprKind::Atom) out.insert(extent);
  const bool scaled =
      expr.kind == ExprKind::Mul && expr.operands.size() == 2 && arena.integer_of(expr.operands[0]).value_or(0) > 0;
  if (scaled && arena[expr.operands[1]].kind == ExprKind::Atom) out.insert(expr.operands[1]);
}

const Atoms& PositiveExtents::of(ir::BlockId block) {
  const auto [found, is_new] = found_.try_emplace(block);
  if (is_new) {
    Atoms atoms;
    add(block, atoms);
    found->second = std::move(atoms);
  }
  return found->second;
}

// Says whether what comes behind the block is certain to be compiled as well.
bool PositiveExtents::add(ir::BlockId block, Atoms& out) {
  for (const ir::OpId id : program_.blocks[block].ops) {
    const ir::Op& op = program_.ops[id];
    if (op.kind == OpKind::Return || op.kind == OpKind::Break || op.kind == OpKind::Continue || op.kind == OpKind::Unsupported)
      return false;
    for (const ValueId result : op.results) {
      for (const ExprId extent : program_.types[program_.values[result].type].shape) add_extent(program_.arena, extent, out);
    }
    for (const ValueId extent : ir::operands_named(op, "extent")) {
      const ir::Type& type = program_.types[program_.values[extent].type];
      if (type.kind == TypeKind::Const) add_extent(program_.arena, type.value, out);
    }
    if (op.kind == OpKind::Call) {
      const Atoms& atoms = of(program_.functions[op.attrs.rare->function].body);
      out.insert(atoms.begin(), atoms.end());
    }
    const bool decided_at_launch = !op.operands.empty() && !op.regions.empty() && op.kind != OpKind::For &&
                                   program_.types[program_.values[op.operands[0]].type].kind == TypeKind::Const;
    for (const ir::BlockId region : op.regions) {
      if (!decided_at_launch) {
        add(region, out);
        continue;
      }
      bool jumps = false;
      ir::each_op(program_, region, [&](ir::OpId inner) {
        const OpKind kind = program_.ops[inner].kind;
        jumps |= kind == OpKind::Return || kind == OpKind::Break || kind == OpKind::Continue;
      });
      if (jumps) return false;
    }
  }
  return true;
}

}  // namespace tilewright::analysis
