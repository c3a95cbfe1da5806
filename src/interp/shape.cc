// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Making and shaping tiles. What only moves elements moves their marks of the number system `poison` by the same loops.

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/check.h"
#include "interp/algebra.h"
#include "interp/lanes.h"
#include "interp/machine.h"
#include "interp/walk.h"

namespace tilewright::interp {
namespace {

// Copies into `out`, in its order, the elements that lie `strides` apart in `from`.
void move_elements(size_t width, const std::byte* from, std::span<const int64_t> extents, std::span<const int64_t> strides,
                   std::byte* out) {
  with_width(width, [&](auto bits) {
    using T = decltype(bits);
    const auto* source = reinterpret_cast<const T*>(from);
    auto* target = reinterpret_cast<T*>(out);
    each_row(extents, strides, [&](int64_t offset, int64_t count, int64_t step) {
      if (step == 1) {
        std::copy_n(source + offset, count, target);
      } else if (step == 0) {
        std::fill_n(target, count, source[offset]);
      } else {
        for (int64_t i = 0; i < count; ++i) target[i] = source[offset + i * step];
      }
      target += count;
    });
  });
}

// The tile whose elements are those of `from`, `first` behind its first and `strides` apart.
Tile moved(Machine& machine, const Tile& from, const TileType& type, std::span<const int64_t> strides, int64_t first = 0) {
  Tile out = machine.make(type);
  const size_t width = type.width();
  move_elements(width, from.data.data() + static_cast<size_t>(first) * width, type.extents, strides, out.data.data());
  if (from.undefined) {
    out.undefined = machine.bytes(static_cast<size_t>(type.count));
    move_elements(1, from.undefined.data() + first, type.extents, strides, out.undefined.data());
  }
  return out;
}

}  // namespace

Tile broadcast_to(Machine& machine, const Tile& tile, const TileType& type) {
  TW_CHECK(tile.dtype() == type.dtype, "a broadcast to another dtype");
  if (tile.count() == type.count) return Tile{.type = &type, .data = tile.data, .undefined = tile.undefined};
  Extents strides(type.extents.size(), 0);
  const Extents own = row_major(tile.extents());
  const size_t added = type.extents.size() - own.size();
  for (size_t axis = 0; axis < own.size(); ++axis) {
    if (tile.extents()[axis] != 1) strides[added + axis] = own[axis];
  }
  return moved(machine, tile, type, strides);
}

void iota(Machine& machine, const ir::Op& op) {
  Tile out = machine.make(op.results[0]);
  if (out.type->kept == Kept::Real) return machine.set(op.results[0], algebra::iota(machine, *out.type));
  with_element(out.dtype(), [&](auto element) {
    using Element = decltype(element);
    auto* to = out.data.as<typename Element::Stored>();
    for (int64_t i = 0; i < out.count(); ++i) to[i] = Element::encode(static_cast<typename Element::Computed>(i));
  });
  machine.set(op.results[0], std::move(out));
}

void full(Machine& machine, const ir::Op& op) {
  const TileType& type = machine.plan().tile_type(op.results[0]);
  const Tile value = machine.tile(ir::operand_named(op, "value"), type.dtype);
  if (machine.stopped()) return;
  const TileType& scalar = machine.plan().scalar(type.dtype);
  const Tile same = value.dtype() == type.dtype ? value : converted(machine, value, scalar, op.attrs.rounding);
  machine.set(op.results[0], broadcast_to(machine, same, type));
}

void reshape(Machine& machine, const ir::Op& op) {
  const TileType& type = machine.plan().tile_type(op.results[0]);
  const Tile& x = machine.tile(op.operands[0]);
  machine.set(op.results[0], Tile{.type = &type, .data = x.data, .undefined = x.undefined});
}

void permute(Machine& machine, const ir::Op& op) {
  const Tile& x = machine.tile(op.operands[0]);
  const Extents own = row_major(x.extents());
  Extents strides;
  for (const uint32_t axis : op.attrs.rare->axes) strides.push_back(own[axis]);
  machine.set(op.results[0], moved(machine, x, machine.plan().tile_type(op.results[0]), strides));
}

void broadcast(Machine& machine, const ir::Op& op) {
  const TileType& type = machine.plan().tile_type(op.results[0]);
  const Tile x = machine.tile(op.operands[0], type.dtype);
  if (machine.stopped()) return;
  machine.set(op.results[0], broadcast_to(machine, x, type));
}

void cat(Machine& machine, const ir::Op& op) {
  Tile out = machine.make(op.results[0]);
  const Tile& a = machine.tile(op.operands[0]);
  const Tile& b = machine.tile(op.operands[1]);
  const int64_t outer = count_of(std::span(out.extents()).first(op.attrs.axis));
  const auto append = [&](size_t width, const Buffer& from, const Buffer& to, int64_t before, int64_t run, int64_t whole) {
    for (int64_t i = 0; i < outer; ++i) {
      std::memcpy(to.data() + static_cast<size_t>(i * whole + before) * width, from.data() + static_cast<size_t>(i * run) * width,
                  static_cast<size_t>(run) * width);
    }
  };
  const int64_t run_a = a.count() / outer;
  const int64_t run_b = b.count() / outer;
  const size_t width = out.type->width();
  append(width, a.data, out.data, 0, run_a, run_a + run_b);
  append(width, b.data, out.data, run_a, run_b, run_a + run_b);
  if (a.undefined || b.undefined) {
    out.undefined = machine.no_marks(out.count());
    if (a.undefined) append(1, a.undefined, out.undefined, 0, run_a, run_a + run_b);
    if (b.undefined) append(1, b.undefined, out.undefined, run_a, run_b, run_a + run_b);
  }
  machine.set(op.results[0], std::move(out));
}

void extract(Machine& machine, const ir::Op& op) {
  const Tile& x = machine.tile(op.operands[0]);
  const TileType& type = machine.plan().tile_type(op.results[0]);
  const Extents own = row_major(x.extents());
  const std::span<const ir::ValueId> index = ir::operands_named(op, "index");
  TileType part = type;
  part.extents.resize(own.size(), 1);  // one element is a scalar
  int64_t first = 0;
  for (size_t axis = 0; axis < own.size(); ++axis) {
    if (!machine.is_defined(op, index[axis], "says which part of a tile is meant")) return;
    const int64_t begin = machine.integer(index[axis]) * part.extents[axis];
    if (machine.stopped()) return;
    if (begin < 0 || begin + part.extents[axis] > x.extents()[axis]) {
      return machine.fail(op, messages::outside, "a part of a tile", machine.name_of(op.operands[0]), begin,
                          static_cast<int64_t>(axis), x.extents()[axis]);
    }
    first += begin * own[axis];
  }
  Tile out = moved(machine, x, part, own, first);
  out.type = &type;
  machine.set(op.results[0], std::move(out));
}

}  // namespace tilewright::interp
