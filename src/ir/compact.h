// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

#include "ir/program.h"

namespace tilewright::ir {

// How much there was of a program at some time. What was made since, its functions have for themselves.
struct Mark {
  size_t ops = 0, values = 0, blocks = 0, vars = 0, functions = 0;
};
Mark mark(const Program& program);

// Drops all rows that were made since.
void forget(Program& program, const Mark& since);

// Drops the rows made since that no function has any more: ops that stand in no block, and their results, blocks and variables.
// What is left keeps its order and gets new ids, so that tables by id cost what the program is and not what was tried on the way
// to it.
void compact(Program& program, const Mark& since);

}  // namespace tilewright::ir
