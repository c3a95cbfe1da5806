// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/use.h"

#include "ir/attrs.h"
#include "ir/walk.h"

namespace tilewright::ir {
namespace {

class Marker {
 public:
  explicit Marker(const Program& program)
      : program_(program), structure_(program), used_(program.ops.size(), false), read_(program.vars.size(), false) {}

  std::vector<bool> run() {
    std::vector<std::vector<OpId>> writes(program_.vars.size());
    for (const Function& function : program_.functions) {
      if (!function.body) continue;
      each_op(program_, function.body, [&](OpId id) {
        const Op& op = program_.ops[id];
        if (op.kind == OpKind::Set) {
          for (const VarId var : written_vars(op)) writes[var.index].push_back(id);
          return;
        }
        const Effect effect = info(op.kind).effect;
        if (effect == Effect::Writes || effect == Effect::Call || (effect == Effect::Jump && op.kind != OpKind::Yield)) need(id);
      });
    }
    while (!pending_.empty()) {
      const OpId id = pending_.back();
      pending_.pop_back();
      const Op& op = program_.ops[id];
      for (const ValueId operand : op.operands) need(operand);
      each_value(op.attrs, [&](ValueId value) { need(value); });
      // What stands in a region happens or not by the op around it, and comes out of it by the yield at its end.
      if (const OpId owner = structure_.owner_of(structure_.block_of(id))) need(owner);
      for (const BlockId region : op.regions) {
        const std::vector<OpId>& ops = program_.blocks[region].ops;
        if (!ops.empty() && program_.ops[ops.back()].kind == OpKind::Yield) need(ops.back());
      }
      if (op.kind == OpKind::Get && !read_[op.attrs.var.index]) {
        read_[op.attrs.var.index] = true;
        for (const OpId set : writes[op.attrs.var.index]) need(set);
      }
    }
    return std::move(used_);
  }

 private:
  void need(OpId id) {
    if (used_[id.index]) return;
    used_[id.index] = true;
    pending_.push_back(id);
  }

  void need(ValueId value) {
    if (const OpId definition = program_.values[value].definition) need(definition);
  }

  const Program& program_;
  Structure structure_;
  std::vector<bool> used_;
  std::vector<bool> read_;
  std::vector<OpId> pending_;
};

}  // namespace

std::vector<bool> used_ops(const Program& program) { return Marker(program).run(); }

}  // namespace tilewright::ir
