// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ir/program.h"

namespace tilewright::ir {

// Drops the rows that no function has any more: ops that stand in no block, and their results, blocks and variables. What is left
// keeps its order and gets new ids, so that tables by id cost what the program is and not what was tried on the way to it.
void compact(Program& program);

}  // namespace tilewright::ir
