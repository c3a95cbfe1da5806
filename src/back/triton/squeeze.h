// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tiles are printed without their unit axes.
//
// cuTile loads have the rank of their array, so authors load (1, TM, TK) and reshape to (TM, TK), or reshape to (1, TM, TN) for a
// store. In Triton the pointers say it: the axes of extent 1 are never there. A tile is squeezed together with everything that it
// is calculated with, and only if that makes a reshape go away.

#pragma once

#include <vector>

#include "back/triton/uses.h"
#include "ir/program.h"

namespace tilewright::back::triton {

struct Squeezed {
  std::vector<bool> values;  // by value
  std::vector<bool> vars;    // by variable

  bool operator()(ir::ValueId value) const { return value.index < values.size() && values[value.index]; }
};

Squeezed squeezed(const ir::Program& program, const Uses& uses);

// Whether the extent is the number 1.
bool is_unit(const ir::Program& program, sym::ExprId extent);
// The axes of a tile type that are not.
std::vector<uint32_t> kept_axes(const ir::Program& program, ir::TypeId type);

}  // namespace tilewright::back::triton
