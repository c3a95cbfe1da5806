// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which arrays may hold floats of 8 bits. Element dtypes are open, but cuTile only loads, converts and multiplies such floats: an
// array whose elements are calculated with holds none.

#pragma once

#include <cstdint>
#include <set>

#include "ir/program.h"

namespace tilewright::back::triton {

// Array parameters of the kernel that a dtype speaks of.
void add_elements(const ir::Types& types, ir::DtypeId dtype, std::set<uint32_t>& out);

// Array parameters of the kernel whose elements a function, or a helper that it calls, calculates with.
std::set<uint32_t> calculated_elements(const ir::Program& program, ir::FunctionId function);

// Whether a dtype may be a float of 8 bits, given what is calculated with.
bool may_be_float8(const ir::Types& types, ir::DtypeId dtype, const std::set<uint32_t>& calculated);

}  // namespace tilewright::back::triton
