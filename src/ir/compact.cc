// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/compact.h"

#include <span>
#include <utility>

#include "ir/walk.h"

namespace tilewright::ir {
namespace {

// Which rows of one store stay, and under which ids.
template <class IdType>
class Kept {
 public:
  explicit Kept(size_t size) : to_(size) {}

  void keep(IdType id) {
    if (id) to_[id.index].index = 0;
  }
  template <class Rows>
  void move_rows(Rows& store) {
    IdType next{0};
    for (uint32_t i = 0; i < to_.size(); ++i) {
      if (!to_[i]) continue;
      if (next.index != i) store[next] = std::move(store[IdType{i}]);
      to_[i] = next;
      ++next.index;
    }
    store.truncate(next.index);
  }
  void rename(IdType& id) const {
    if (id) id = to_[id.index];
  }
  void rename(std::span<IdType> ids) const {
    for (IdType& id : ids) rename(id);
  }

 private:
  std::vector<IdType> to_;
};

}  // namespace

void compact(Program& program) {
  Kept<OpId> ops(program.ops.size());
  Kept<ValueId> values(program.values.size());
  Kept<BlockId> blocks(program.blocks.size());
  Kept<VarId> vars(program.vars.size());
  const auto keep_block = [&](BlockId block) {
    blocks.keep(block);
    for (const ValueId argument : program.blocks[block].arguments) values.keep(argument);
  };
  for (const Function& function : program.functions) {
    for (const Param& param : function.params) values.keep(param.value);
    if (!function.body) continue;
    keep_block(function.body);
    each_op(program, function.body, [&](OpId id) {
      const Op& op = program.ops[id];
      ops.keep(id);
      for (const ValueId result : op.results) values.keep(result);
      for (const BlockId region : op.regions) keep_block(region);
      vars.keep(op.attrs.var);
      for (const VarId var : op.attrs.vars) vars.keep(var);
    });
  }

  ops.move_rows(program.ops);
  values.move_rows(program.values);
  blocks.move_rows(program.blocks);
  vars.move_rows(program.vars);
  for (Function& function : program.functions) {
    for (Param& param : function.params) values.rename(param.value);
    blocks.rename(function.body);
  }
  for (Block& block : program.blocks) {
    values.rename(block.arguments);
    ops.rename(block.ops);
  }
  for (Value& value : program.values) ops.rename(value.definition);
  for (Op& op : program.ops) {
    values.rename(op.operands);
    values.rename(op.results);
    blocks.rename(op.regions);
    for (ValueId* extra : {&op.attrs.bounds_if, &op.attrs.latency, &op.attrs.allow_tma}) values.rename(*extra);
    vars.rename(op.attrs.var);
    vars.rename(op.attrs.vars);
  }
}

}  // namespace tilewright::ir
