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

// Inserts the array parameters of the kernel that a dtype speaks of.
template <class Set>
void add_elements(const ir::Types& types, ir::DtypeId id, Set& out) {
  if (!id) return;
  const ir::Dtype& dtype = types[id];
  if (dtype.kind == ir::DtypeKind::Element) out.insert(dtype.index);
  add_elements(types, dtype.a, out);
  add_elements(types, dtype.b, out);
}

// Array parameters of the kernel whose elements a function, or a helper that it calls, calculates with.
std::set<uint32_t> calculated_elements(const ir::Program& program, ir::FunctionId function);

// Whether a dtype may be a float of 8 bits, given what is calculated with.
bool may_be_float8(const ir::Types& types, ir::DtypeId dtype, const std::set<uint32_t>& calculated);

}  // namespace tilewright::back::triton
