// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/tile.h"

#include <algorithm>

namespace tilewright::interp {

int64_t count_of(std::span<const int64_t> extents) {
  int64_t out = 1;
  for (const int64_t extent : extents) out *= extent;
  return out;
}

Array array_over(void* base, ir::Scalar dtype, Extents extents, Extents strides) {
  Array out{.base = static_cast<std::byte*>(base), .dtype = dtype, .extents = std::move(extents), .strides = std::move(strides)};
  if (std::find(out.extents.begin(), out.extents.end(), 0) != out.extents.end()) return out;
  out.last = 0;
  for (size_t axis = 0; axis < out.extents.size(); ++axis) {
    const int64_t reach = (out.extents[axis] - 1) * out.strides[axis];
    (reach < 0 ? out.first : out.last) += reach;
  }
  return out;
}

}  // namespace tilewright::interp
