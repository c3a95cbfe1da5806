// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/uses.h"

#include "ir/walk.h"

#include <algorithm>
#include <numeric>

namespace tilewright::back::triton {
namespace {

void walk(const ir::Program& program, ir::BlockId block, std::vector<ir::OpId>& in_order, Uses& uses) {
  const std::vector<ir::OpId>& ops = program.blocks[block].ops;
  for (const ir::OpId id : ops) {
    uses.where[id.index] = {block, static_cast<uint32_t>(in_order.size()), 0};
    in_order.push_back(id);
    for (const ir::BlockId region : program.ops[id].regions) {
      uses.owner[region.index] = id;
      walk(program, region, in_order, uses);
    }
    uses.where[id.index].last = static_cast<uint32_t>(in_order.size() - 1);
  }
}

}  // namespace

Uses uses_of(const ir::Program& program) {
  Uses uses;
  uses.where.resize(program.ops.size());
  uses.owner.resize(program.blocks.size());
  uses.ops.resize(program.functions.size());
  for (uint32_t i = 0; i < program.functions.size(); ++i)
    walk(program, program.functions[ir::FunctionId{i}].body, uses.ops[i], uses);

  std::vector<uint32_t> next(program.values.size() + 1);  // by value: how many users, then where the next one goes
  for (const std::vector<ir::OpId>& ops : uses.ops) {
    for (const ir::OpId id : ops) {
      for (const ir::ValueId operand : program.ops[id].operands) ++next[operand.index + 1];
    }
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  uses.first_user = next;
  uses.all_users.resize(next.back());
  for (const std::vector<ir::OpId>& ops : uses.ops) {
    for (const ir::OpId id : ops) {
      for (const ir::ValueId operand : program.ops[id].operands) uses.all_users[next[operand.index]++] = id;
    }
  }
  return uses;
}

ir::OpId Uses::ancestor_in(ir::BlockId block, ir::OpId op) const {
  while (op) {
    const ir::BlockId at = where[op.index].block;
    if (at == block) return op;
    op = owner[at.index];
  }
  return {};
}

bool Uses::any_between(const ir::Program& program, std::span<const uint32_t> orders, ir::OpId from, ir::OpId to) const {
  const auto any_in = [&](uint32_t first, uint32_t behind) {
    const auto found = std::lower_bound(orders.begin(), orders.end(), first);
    return found != orders.end() && *found < behind;
  };
  const uint32_t begin = where[from.index].order;
  if (any_in(begin + 1, where[to.index].order)) return true;
  const auto around = [&](ir::OpId op) { return owner[where[op.index].block.index]; };
  for (ir::OpId op = around(to); op && where[op.index].order > begin; op = around(op)) {
    const bool loop = ir::is_loop(program.ops[op].kind);
    if (loop && any_in(where[op.index].order, where[op.index].last + 1)) return true;
  }
  return false;
}

bool Uses::contains(ir::BlockId outer, ir::BlockId inner) const {
  for (;;) {
    if (inner == outer) return true;
    const ir::OpId op = owner[inner.index];
    if (!op) return false;
    inner = where[op.index].block;
  }
}

}  // namespace tilewright::back::triton
