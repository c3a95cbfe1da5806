// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/insert.h"

#include <algorithm>

namespace tilewright::ir {
namespace {

OpId add(Program& program, const Op& like, Op made) {
  made.span = like.span;
  made.statement = like.statement;
  made.node = like.node;
  return program.ops.add(std::move(made));
}

ValueId give_result(Program& program, OpId op, TypeId result) {
  const ValueId value = program.values.add({.type = result, .definition = op, .name = {}});
  program.ops[op].results = {value};
  return value;
}

}  // namespace

OpId append(Program& program, BlockId block, const Op& like, Op made) {
  const OpId id = add(program, like, std::move(made));
  program.blocks[block].ops.push_back(id);
  return id;
}

ValueId append(Program& program, BlockId block, const Op& like, Op made, TypeId result) {
  return give_result(program, append(program, block, like, std::move(made)), result);
}

ValueId insert(Program& program, BlockId block, OpId before, Op made, TypeId result) {
  const OpId id = add(program, program.ops[before], std::move(made));
  std::vector<OpId>& ops = program.blocks[block].ops;
  ops.insert(std::find(ops.begin(), ops.end(), before), id);
  return give_result(program, id, result);
}

}  // namespace tilewright::ir
