// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Ops that are added to a program that is there: each stands at the author's place of another one, `like`.

#pragma once

#include "ir/program.h"

namespace tilewright::ir {

// At the end of a block; `like` may be an op of the program. The second form has a result of that type, and returns it.
OpId append(Program& program, BlockId block, const Op& like, Op made);
ValueId append(Program& program, BlockId block, const Op& like, Op made, TypeId result);
// Before an op of the block, at its place.
ValueId insert(Program& program, BlockId block, OpId before, Op made, TypeId result);

}  // namespace tilewright::ir
