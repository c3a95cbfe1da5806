// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which arrays and scalars must hold integers. Element dtypes are open, but what is used as an index, as a loop's bound or bit by
// bit can be nothing else: cuTile would refuse it. What follows is printed for integers, of other parameters for floats.

#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "ir/program.h"

namespace tilewright::back::triton {

// By function: parameters of its kernel. In a helper, what holds for every kernel that calls it.
std::vector<std::set<uint32_t>> integer_parameters(const ir::Program& program);

}  // namespace tilewright::back::triton
