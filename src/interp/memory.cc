// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles at tile indices. Bounds are those of each axis by itself, so what lies inside of the array is a box.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "interp/machine.h"
#include "interp/unwritten.h"
#include "interp/walk.h"

namespace tilewright::interp {
namespace {

// The part of a tile that lies inside of its array, by tile axes.
struct Window {
  Extents extents;  // of the tile, all axes of the array
  Extents begin;    // the part inside: [begin, end)
  Extents end;
  Extents strides;       // in the array, in elements
  int64_t first = 0;     // where the part begins in the array, in elements
  bool is_whole = true;  // all of the tile
  bool is_empty = false;
  bool is_far = false;  // outside altogether, or at a negative index: that has no meaning

  Extents inside() const {
    Extents out;
    for (size_t axis = 0; axis < begin.size(); ++axis) out.push_back(end[axis] - begin[axis]);
    return out;
  }
};

bool stays_inside(const Array& array, const Window& window) {
  int64_t least = window.first;
  int64_t most = window.first;
  for (size_t axis = 0; axis < window.begin.size(); ++axis) {
    const int64_t reach = (window.end[axis] - window.begin[axis] - 1) * window.strides[axis];
    (reach < 0 ? least : most) += reach;
  }
  return least >= array.first && most <= array.last;
}

// nullopt if the program stops here.
std::optional<Window> window_of(Machine& machine, const ir::Op& op, const Access& access, Extents extents,
                                std::string_view does) {
  const Array& array = machine.array(access.array);
  Window out{.extents = std::move(extents), .begin = {}, .end = {}, .strides = {}};
  out.extents.resize(access.index.size(), 1);  // one element is a scalar
  for (size_t axis = 0; axis < access.index.size(); ++axis) {
    if (!machine.is_defined(op, access.index[axis], "becomes an address")) return std::nullopt;
    const size_t of_array = op.attrs.rare->order.empty() ? axis : op.attrs.rare->order[axis];
    const int64_t extent = array.extents[of_array];
    const int64_t start = machine.integer(access.index[axis]) * out.extents[axis];
    if (machine.stopped()) return std::nullopt;
    const int64_t begin = std::min(std::max<int64_t>(0, -start), out.extents[axis]);
    const int64_t end = std::max(std::min(out.extents[axis], extent - start), begin);
    out.begin.push_back(begin);
    out.end.push_back(end);
    out.strides.push_back(array.strides[of_array]);
    out.first += (start + begin) * array.strides[of_array];
    out.is_whole &= begin == 0 && end == out.extents[axis];
    out.is_empty |= begin == end;
    out.is_far |= begin == end || start < 0;
    const bool is_tested =
        op.attrs.rare->bounds == ir::Bounds::Both || (op.attrs.rare->bounds == ir::Bounds::UpperOnly && start >= 0);
    if (!is_tested && (begin > 0 || end < out.extents[axis])) {
      const int64_t index = begin > 0 ? start : start + end;
      machine.fail(op, messages::outside, does, machine.name_of(access.array), index, static_cast<int64_t>(of_array), extent);
      return std::nullopt;
    }
  }
  if (!out.is_empty && !stays_inside(array, out)) {
    machine.fail(op, messages::outside_of_memory, does, machine.name_of(access.array));
    return std::nullopt;
  }
  return out;
}

sym::Value padding_of(ir::Padding padding) {
  switch (padding) {
    case ir::Padding::Undetermined:  // anything, so zero
    case ir::Padding::Zero: return int64_t{0};
    case ir::Padding::NegZero: return -0.0;
    case ir::Padding::Nan: return std::nan("");
    case ir::Padding::PosInf: return HUGE_VAL;
    case ir::Padding::NegInf: return -HUGE_VAL;
  }
  return int64_t{0};
}

}  // namespace

void fill_padding(const Machine& machine, const TileType& type, ir::Padding padding, std::byte* out) {
  std::byte element[sizeof(Real)];
  machine.write(padding_of(padding), type, element);
  // Such numbers are rounded to the largest one of their dtype; padding is an infinity.
  if (type.dtype == ir::Scalar::F8E5M2 && type.kept == Kept::Bits) {
    if (padding == ir::Padding::PosInf) element[0] = std::byte{0x7c};
    if (padding == ir::Padding::NegInf) element[0] = std::byte{0xfc};
  }
  with_width(type.width(), [&](auto bits) {
    std::memcpy(&bits, element, sizeof bits);
    std::fill_n(reinterpret_cast<decltype(bits)*>(out), type.count, bits);
  });
}

namespace {

// The same box of elements, walked in the tile's order: visit(offset in the tile, offset in the array, count, step in the array).
template <class Visit>
void each_run(const Window& window, Visit&& visit) {
  const Extents inside = window.inside();
  const Extents own = row_major(window.extents);
  const size_t rank = inside.size();
  if (rank == 0) return visit(int64_t{0}, window.first, int64_t{1}, int64_t{1});
  int64_t in_tile = 0;
  for (size_t axis = 0; axis < rank; ++axis) in_tile += window.begin[axis] * own[axis];
  Extents outer = inside;
  outer.back() = 1;
  Extents at(rank, 0);
  int64_t in_array = window.first;
  while (true) {
    visit(in_tile, in_array, inside.back(), window.strides.back());
    size_t axis = rank - 1;
    while (true) {
      if (axis == 0) return;
      --axis;
      in_tile += own[axis];
      in_array += window.strides[axis];
      if (++at[axis] < inside[axis]) break;
      in_tile -= own[axis] * inside[axis];
      in_array -= window.strides[axis] * inside[axis];
      at[axis] = 0;
    }
  }
}

void mark_outside(Machine& machine, const ir::Op& op, const Window& window, Tile& out) {
  if (window.is_whole) return;
  if (op.attrs.padding != ir::Padding::Undetermined && !window.is_far) return;
  out.undefined = machine.bytes(static_cast<size_t>(out.count()));
  auto* marks = out.undefined.as<Mark>();
  std::fill_n(marks, out.count(), machine.mark(op, window.is_far ? Reason::Outside : Reason::Padding));
  if (window.is_far) return;
  each_run(window, [&](int64_t in_tile, int64_t, int64_t count, int64_t) { std::fill_n(marks + in_tile, count, no_mark); });
}

void mark_unwritten(Machine& machine, const ir::Op& op, const Array& array, const Window& window, Tile& out) {
  if (!array.unwritten || window.is_empty) return;
  each_run(window, [&](int64_t in_tile, int64_t in_array, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i) {
      if (!is_unwritten(array, in_array + i * step)) continue;
      if (!out.undefined) out.undefined = machine.no_marks(out.count());
      Mark& mark = out.undefined.as<Mark>()[in_tile + i];
      if (!mark) mark = machine.mark(op, Reason::Unwritten);
    }
  });
}

// Tells of every element inside that it is read, or written with the element of `values`.
template <class T>
void touch_all(Machine& machine, const ir::Op& op, const Access& access, const Window& window, const T* values) {
  const Array& array = machine.array(access.array);
  const auto width = static_cast<int64_t>(array.width());
  each_run(window, [&](int64_t in_tile, int64_t in_array, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i) {
      const std::byte* address = array.base + (in_array + i * step) * width;
      const bool is_kept = values && *reinterpret_cast<const T*>(address) == values[in_tile + i];
      const Touch touch = !values ? Touch::Read : is_kept ? Touch::Keep : Touch::Change;
      machine.touch(op, access.array, address, touch, in_tile + i, window.extents);
    }
  });
}

// A tile without an element inside of its array. The first tile of an axis that is empty stores nothing, and may.
void check_wholly_outside(Machine& machine, const ir::Op& op, const Access& access, const Window& window) {
  for (size_t axis = 0; axis < access.index.size(); ++axis) {
    const size_t of_array = op.attrs.rare->order.empty() ? axis : op.attrs.rare->order[axis];
    const int64_t index = machine.integer(access.index[axis]);
    const int64_t extent = machine.array(access.array).extents[of_array];
    if (window.begin[axis] != window.end[axis] || (index == 0 && extent == 0)) continue;
    return machine.fail(op, messages::stored_wholly_outside, machine.name_of(access.array), index, static_cast<int64_t>(of_array),
                        extent);
  }
}

}  // namespace

void load_tile(Machine& machine, const ir::Op& op, const Access& access) {
  Tile out = machine.make(op.results[0]);
  const Array& array = machine.array(access.array);
  const std::optional<Window> window = window_of(machine, op, access, out.extents(), "a tile is loaded from");
  if (!window) return;
  if (!window->is_whole) fill_padding(machine, *out.type, op.attrs.padding, out.data.data());
  if (!window->is_empty) {
    with_width(out.type->width(), [&](auto bits) {
      using T = decltype(bits);
      each_run(*window, [&](int64_t in_tile, int64_t in_array, int64_t count, int64_t step) {
        const T* from = reinterpret_cast<const T*>(array.base) + in_array;
        T* to = out.data.as<T>() + in_tile;
        if (step == 1) {
          std::copy_n(from, count, to);
        } else {
          for (int64_t i = 0; i < count; ++i) to[i] = from[i * step];
        }
      });
    });
  }
  if (machine.looks_for_races() && !window->is_empty) touch_all<uint8_t>(machine, op, access, *window, nullptr);
  if (machine.follows_undefined()) {
    mark_outside(machine, op, *window, out);
    mark_unwritten(machine, op, array, *window, out);
  }
  machine.set(op.results[0], std::move(out));
}

void store_tile(Machine& machine, const ir::Op& op, const Access& access) {
  const Array& array = machine.array(access.array);
  const Tile value = machine.tile(access.value, array.dtype);
  if (machine.stopped()) return;
  const std::optional<Window> window = window_of(machine, op, access, value.extents(), "a tile is stored");
  if (!window) return;
  if (window->is_empty) return check_wholly_outside(machine, op, access, *window);
  if (value.undefined) {
    each_run(*window, [&](int64_t in_tile, int64_t, int64_t count, int64_t) {
      const auto* marks = value.undefined.as<const Mark>() + in_tile;
      const auto* found = std::find_if(marks, marks + count, [](Mark mark) { return mark != no_mark; });
      if (found != marks + count) machine.fail_undefined(op, *found, "is stored", in_tile + (found - marks), value.extents());
    });
    if (machine.stopped()) return;
  }
  with_width(array.width(), [&](auto bits) {
    using T = decltype(bits);
    if (machine.looks_for_races()) touch_all<T>(machine, op, access, *window, value.data.as<const T>());
    each_run(*window, [&](int64_t in_tile, int64_t in_array, int64_t count, int64_t step) {
      const T* from = value.data.as<const T>() + in_tile;
      T* to = reinterpret_cast<T*>(array.base) + in_array;
      if (step == 1) {
        std::copy_n(from, count, to);
      } else {
        for (int64_t i = 0; i < count; ++i) to[i * step] = from[i];
      }
    });
  });
  if (!array.unwritten) return;
  each_run(*window, [&](int64_t, int64_t in_array, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i) set_written(array, in_array + i * step);
  });
}

}  // namespace tilewright::interp
