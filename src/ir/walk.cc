// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/walk.h"

namespace tilewright::ir {

Structure::Structure(const Program& program)
    : block_of_(program.ops.size()), owner_of_(program.blocks.size()), function_of_(program.blocks.size()) {
  std::vector<BlockId> pending;
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    if (!program.functions[FunctionId{i}].body) continue;
    pending.push_back(program.functions[FunctionId{i}].body);
    while (!pending.empty()) {
      const BlockId block = pending.back();
      pending.pop_back();
      function_of_[block.index] = FunctionId{i};
      for (const OpId op : program.blocks[block].ops) {
        block_of_[op.index] = block;
        for (const BlockId region : program.ops[op].regions) {
          owner_of_[region.index] = op;
          pending.push_back(region);
        }
      }
    }
  }
}

OpId Structure::loop_of(const Program& program, OpId op) const {
  for (OpId owner = owner_of(block_of(op)); owner; owner = owner_of(block_of(owner))) {
    const OpKind kind = program.ops[owner].kind;
    if (is_loop(kind)) return owner;
  }
  return OpId::none();
}

}  // namespace tilewright::ir
