// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that nothing has written yet. Its caller keeps a byte for each byte of it, 1 until it is written (Array::unwritten);
// what programs write is taken off there, so that the next launch knows of it. Elements are counted from the base of the array.

#pragma once

#include <algorithm>

#include "interp/tile.h"

namespace tilewright::interp {

inline uint8_t* marks_of(const Array& array, int64_t element) {
  return array.unwritten + element * static_cast<int64_t>(bytes_of(array.dtype));
}

inline bool is_unwritten(const Array& array, int64_t element) {
  if (!array.unwritten) return false;
  const uint8_t* marks = marks_of(array, element);
  return std::any_of(marks, marks + bytes_of(array.dtype), [](uint8_t mark) { return mark != 0; });
}

inline void set_written(const Array& array, int64_t element) {
  if (array.unwritten) std::fill_n(marks_of(array, element), bytes_of(array.dtype), uint8_t{0});
}

}  // namespace tilewright::interp
