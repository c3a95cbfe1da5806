// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a value is at run time. A tile's elements lie one behind the other, the last axis fastest. An array is a view of the
// caller's memory and never copies it.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "interp/buffer.h"
#include "interp/element.h"
#include "ir/program.h"
#include "ir/types.h"
#include "sym/expr.h"

namespace tilewright::interp {

using Extents = std::vector<int64_t>;

int64_t count_of(std::span<const int64_t> extents);

// How elements lie in memory: as the bits of their dtype, or in the number system `algebra`, where that is a float, as a Real.
enum class Kept : uint8_t { Bits, Real };

inline size_t width_of(ir::Scalar dtype, Kept kept) { return kept == Kept::Real ? sizeof(Real) : bytes_of(dtype); }

struct TileType {
  ir::Scalar dtype = ir::Scalar::F32;
  Extents extents = {};
  int64_t count = 1;
  Kept kept = Kept::Bits;

  size_t width() const { return width_of(dtype, kept); }
  size_t bytes() const { return static_cast<size_t>(count) * width(); }
};

// Of a product of matrices: rows × inner by inner × columns.
struct ProductSizes {
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t inner = 1;
};

struct Tile {
  const TileType* type = nullptr;
  Buffer data = {};
  Buffer undefined = {};  // in `poison`: a Mark per element, none where it has a meaning; no buffer if all have one

  ir::Scalar dtype() const { return type->dtype; }
  const Extents& extents() const { return type->extents; }
  int64_t count() const { return type->count; }
};

struct Array {
  std::byte* base = nullptr;
  ir::Scalar dtype = ir::Scalar::F32;
  Extents extents = {};
  Extents strides = {};  // in elements
  // The memory that the view may touch, in elements from `base`: what the caller's array has, also after slicing.
  int64_t first = 0;
  int64_t last = -1;
  Kept kept = Kept::Bits;
  uint8_t* unwritten = nullptr;  // beside `base` (unwritten.h); none where all is written, or nobody asks

  size_t width() const { return width_of(dtype, kept); }
};

// A view of all that its extents and strides reach.
Array array_over(void* base, ir::Scalar dtype, Extents extents, Extents strides);

using ArrayList = std::vector<Array>;

// An array seen from an origin, a tile of these extents at a time.
struct View {
  Array array;
  Extents origin = {};
  Extents extents = {};
  ir::Padding padding = ir::Padding::Undetermined;
};

struct Nothing {};

// Constants are compile-time numbers of Python; an op that takes one converts it.
using Value = std::variant<Nothing, Tile, sym::Value, Array, const ArrayList*, View>;

}  // namespace tilewright::interp
