// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/compact.h"

#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "ir/attrs.h"
#include "ir/walk.h"

namespace tilewright::ir {
namespace {

// Which rows of one store stay, from `first` on, and under which ids.
template <class IdType>
class Kept {
 public:
  Kept(size_t first, size_t end) : first_(static_cast<uint32_t>(first)), to_(end - first) {}

  void keep(IdType id) {
    if (!id) return;
    TW_CHECK(id.index >= first_, "a function uses what was made before it");
    to_[id.index - first_].index = 0;
  }
  template <class Rows>
  void move_rows(Rows& store) {
    IdType next{first_};
    for (uint32_t i = 0; i < to_.size(); ++i) {
      if (!to_[i]) continue;
      const IdType from{first_ + i};
      if (next != from) store[next] = std::move(store[from]);
      to_[i] = next;
      ++next.index;
    }
    store.truncate(next.index);
  }
  void rename(IdType& id) const {
    if (id) id = to_[id.index - first_];
  }
  void rename(std::span<IdType> ids) const {
    for (IdType& id : ids) rename(id);
  }

 private:
  uint32_t first_;
  std::vector<IdType> to_;
};

template <class IdType, class T, class Rows, class Visit>
void each_from(size_t first, Store<IdType, T, Rows>& store, Visit visit) {
  for (size_t i = first; i < store.size(); ++i) visit(store[IdType{static_cast<uint32_t>(i)}]);
}

}  // namespace

Mark mark(const Program& program) {
  return {program.ops.size(), program.values.size(), program.blocks.size(), program.vars.size(), program.functions.size()};
}

void forget(Program& program, const Mark& since) {
  program.ops.truncate(since.ops);
  program.values.truncate(since.values);
  program.blocks.truncate(since.blocks);
  program.vars.truncate(since.vars);
  program.functions.truncate(since.functions);
}

void compact(Program& program, const Mark& since) {
  Kept<OpId> ops(since.ops, program.ops.size());
  Kept<ValueId> values(since.values, program.values.size());
  Kept<BlockId> blocks(since.blocks, program.blocks.size());
  Kept<VarId> vars(since.vars, program.vars.size());
  const auto keep_block = [&](BlockId block) {
    blocks.keep(block);
    for (const ValueId argument : program.blocks[block].arguments) values.keep(argument);
  };
  each_from(since.functions, program.functions, [&](const Function& function) {
    for (const Param& param : function.params) values.keep(param.value);
    if (!function.body) return;
    keep_block(function.body);
    each_op(program, function.body, [&](OpId id) {
      const Op& op = program.ops[id];
      ops.keep(id);
      for (const ValueId result : op.results) values.keep(result);
      for (const BlockId region : op.regions) keep_block(region);
      if (op.kind == OpKind::Get) vars.keep(op.attrs.var);
      for (const VarId var : written_vars(op)) vars.keep(var);
    });
  });

  ops.move_rows(program.ops);
  values.move_rows(program.values);
  blocks.move_rows(program.blocks);
  vars.move_rows(program.vars);
  each_from(since.functions, program.functions, [&](Function& function) {
    for (Param& param : function.params) values.rename(param.value);
    blocks.rename(function.body);
  });
  each_from(since.blocks, program.blocks, [&](Block& block) {
    values.rename(block.arguments);
    ops.rename(block.ops);
  });
  each_from(since.values, program.values, [&](Value& value) { ops.rename(value.definition); });
  each_from(since.ops, program.ops, [&](Op& op) {
    values.rename(op.operands);
    values.rename(op.results);
    blocks.rename(op.regions);
    each_value(op.attrs, [&](ValueId& value) { values.rename(value); });
    if (op.kind == OpKind::Get) vars.rename(op.attrs.var);
    vars.rename(written_vars(op));
  });
}

}  // namespace tilewright::ir
