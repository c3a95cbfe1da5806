// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the ops of a program stand and who uses their results. Functions share no ids, so one table of each kind serves all.

#pragma once

#include <span>
#include <vector>

#include "ir/program.h"

namespace tilewright::back::triton {

struct Where {
  ir::BlockId block;
  uint32_t order = 0;  // in the function, an op before the ops inside of it
  uint32_t last = 0;   // the greatest order inside of it
};

struct Uses {
  std::vector<Where> where;                // by op
  std::vector<ir::OpId> owner;             // by block: the op whose region it is; none() for the body
  std::vector<std::vector<ir::OpId>> ops;  // by function, in order
  std::vector<ir::OpId> all_users;         // of one value after another
  std::vector<uint32_t> first_user;        // by value, and one more

  // Ops that have a value as an operand, in order, twice if they use it twice.
  std::span<const ir::OpId> users(ir::ValueId value) const {
    return std::span(all_users).subspan(first_user[value.index], count(value));
  }
  size_t count(ir::ValueId value) const { return first_user[value.index + 1] - first_user[value.index]; }
  // The op in `block` that is `op` or has it inside; none() if there is no such op.
  ir::OpId ancestor_in(ir::BlockId block, ir::OpId op) const;
  // Whether what stands at one of these orders, which rise, runs between `from` and `to`: after the one and before the other.
  // In a loop that holds only `to`, what stands behind it runs before it too.
  bool any_between(const ir::Program& program, std::span<const uint32_t> orders, ir::OpId from, ir::OpId to) const;
  // Whether `inner` is `outer` or lies inside of it.
  bool contains(ir::BlockId outer, ir::BlockId inner) const;
};

Uses uses_of(const ir::Program& program);

}  // namespace tilewright::back::triton
