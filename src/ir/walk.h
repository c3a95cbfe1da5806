// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "ir/program.h"

namespace tilewright::ir {

inline bool is_loop(OpKind kind) { return kind == OpKind::For || kind == OpKind::While; }

// Calls visit(op) for each op of a block and of the regions in it, in the order of the text: an op comes before its regions.
template <class Visit>
void each_op(const Program& program, BlockId block, Visit&& visit) {
  for (const OpId op : program.blocks[block].ops) {
    visit(op);
    for (const BlockId region : program.ops[op].regions) each_op(program, region, visit);
  }
}

// Where things stand: the block of an op, the op of a region, the function of both.
class Structure {
 public:
  explicit Structure(const Program& program);

  BlockId block_of(OpId op) const { return block_of_[op.index]; }        // none() if it stands nowhere
  OpId owner_of(BlockId block) const { return owner_of_[block.index]; }  // none() for the body of a function
  FunctionId function_of(OpId op) const { return function_of_[block_of(op).index]; }
  FunctionId function_of(BlockId block) const { return function_of_[block.index]; }
  // The innermost loop around an op, none() if there is none. An op of a while's condition is inside the loop.
  OpId loop_of(const Program& program, OpId op) const;

 private:
  std::vector<BlockId> block_of_;
  std::vector<OpId> owner_of_;
  std::vector<FunctionId> function_of_;
};

}  // namespace tilewright::ir
