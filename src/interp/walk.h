// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Walks over boxes of elements, row by row, so that what is done to a row is a plain loop.

#pragma once

#include <cstdint>
#include <span>

#include "interp/tile.h"

namespace tilewright::interp {

// The strides of elements that lie one behind the other.
inline Extents row_major(std::span<const int64_t> extents) {
  Extents out(extents.size(), 1);
  for (size_t axis = extents.size(); axis-- > 1;) out[axis - 1] = out[axis] * extents[axis];
  return out;
}

// Calls visit(offset, count, step) for each run of elements along the last axis, in row-major order: `offset` is that of its
// first element, `step` the distance of two. An axis that goes on where the one behind it ends is walked as one with it.
template <class Visit>
void each_row(std::span<const int64_t> extents, std::span<const int64_t> strides, Visit&& visit) {
  if (count_of(extents) == 0) return;
  size_t outer = extents.size();
  int64_t count = 1;
  int64_t step = 1;
  while (outer > 0) {
    const size_t axis = outer - 1;
    if (extents[axis] != 1) {
      if (count == 1) {
        step = strides[axis];
      } else if (strides[axis] != step * count) {
        break;
      }
      count *= extents[axis];
    }
    --outer;
  }
  Extents at(outer, 0);
  int64_t offset = 0;
  while (true) {
    visit(offset, count, step);
    size_t axis = outer;
    while (axis > 0) {
      --axis;
      offset += strides[axis];
      if (++at[axis] < extents[axis]) break;
      offset -= strides[axis] * extents[axis];
      at[axis] = 0;
      if (axis == 0) return;
    }
    if (outer == 0) return;
  }
}

}  // namespace tilewright::interp
