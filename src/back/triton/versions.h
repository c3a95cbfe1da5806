// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which reads of a variable see the same value: those with the same version, as long as no loop comes round in between.

#pragma once

#include <cstdint>
#include <map>

#include "ir/program.h"

namespace tilewright::back::triton {

struct Version {
  uint32_t number = 0;  // of the last write that may have come before the read
  ir::BlockId made_in;  // where that write is, or the region or the block where several of them meet; none() if there is none
};

// By the `get` op of a function.
std::map<ir::OpId, Version> versions_of(const ir::Program& program, ir::FunctionId function);

}  // namespace tilewright::back::triton
