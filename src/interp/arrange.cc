// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements that change their places: joined, split, mirrored, taken by index.

#include <algorithm>

#include "interp/machine.h"
#include "interp/walk.h"

namespace tilewright::interp {
namespace {

// out[lane] = from[place(lane)], and so for the marks of the number system `poison`.
template <class Place>
void copy_from(Machine& machine, const Tile& from, Tile& out, Place&& place) {
  with_width(bytes_of(out.dtype()), [&](auto bits) {
    using T = decltype(bits);
    for (int64_t lane = 0; lane < out.count(); ++lane) out.data.as<T>()[lane] = from.data.as<const T>()[place(lane)];
  });
  if (!from.undefined) return;
  if (!out.undefined) out.undefined = machine.no_marks(out.count());
  for (int64_t lane = 0; lane < out.count(); ++lane)
    out.undefined.as<Mark>()[lane] = from.undefined.as<const Mark>()[place(lane)];
}

}  // namespace

void join(Machine& machine, const ir::Op& op) {
  Tile out = machine.make(op.results[0]);
  TileType half = *out.type;
  half.extents.pop_back();
  half.count = count_of(half.extents);
  const Tile a = broadcast_to(machine, machine.tile(op.operands[0], half.dtype), half);
  const Tile b = broadcast_to(machine, machine.tile(op.operands[1], half.dtype), half);
  if (machine.stopped()) return;
  with_width(bytes_of(out.dtype()), [&](auto bits) {
    using T = decltype(bits);
    for (int64_t lane = 0; lane < half.count; ++lane) {
      out.data.as<T>()[2 * lane] = a.data.as<const T>()[lane];
      out.data.as<T>()[2 * lane + 1] = b.data.as<const T>()[lane];
    }
  });
  if (a.undefined || b.undefined) {
    out.undefined = machine.no_marks(out.count());
    for (int64_t lane = 0; lane < half.count; ++lane) {
      if (a.undefined) out.undefined.as<Mark>()[2 * lane] = a.undefined.as<const Mark>()[lane];
      if (b.undefined) out.undefined.as<Mark>()[2 * lane + 1] = b.undefined.as<const Mark>()[lane];
    }
  }
  machine.set(op.results[0], std::move(out));
}

void split(Machine& machine, const ir::Op& op) {
  const Tile x = machine.tile(op.operands[0]);
  for (size_t which = 0; which < 2; ++which) {
    Tile out = machine.make(op.results[which]);
    copy_from(machine, x, out, [&](int64_t lane) { return 2 * lane + static_cast<int64_t>(which); });
    machine.set(op.results[which], std::move(out));
  }
}

void flip(Machine& machine, const ir::Op& op) {
  const Tile x = machine.tile(op.operands[0]);
  Tile out = machine.make(op.results[0]);
  const int64_t length = x.extents()[op.attrs.axis];
  const int64_t inner = row_major(x.extents())[op.attrs.axis];
  copy_from(machine, x, out, [&](int64_t lane) {
    const int64_t at = lane / inner % length;
    return lane + (length - 1 - 2 * at) * inner;
  });
  machine.set(op.results[0], std::move(out));
}

void take(Machine& machine, const ir::Op& op) {
  const Tile x = machine.tile(op.operands[0]);
  const Tile given = machine.tile(op.operands[1]);
  const TileType wide{.dtype = ir::Scalar::I64, .extents = given.extents(), .count = given.count()};
  const Tile index = given.dtype() == ir::Scalar::I64 ? given : converted(machine, given, wide, {});
  Tile out = machine.make(op.results[0]);
  const size_t axis = op.attrs.axis;
  const Extents own = row_major(x.extents());
  const Extents strides = row_major(out.extents());
  const auto* at = index.data.as<const int64_t>();
  for (int64_t lane = 0; lane < out.count(); ++lane) {
    if (const Mark mark = index.undefined ? index.undefined.as<const Mark>()[lane] : no_mark)
      return machine.fail_undefined(op, mark, "says which part of a tile is meant", lane, out.extents());
    if (at[lane] >= 0 && at[lane] < x.extents()[axis]) continue;
    return machine.fail(op, lane, out.extents(), messages::outside, "an element is taken", machine.name_of(op.operands[0]),
                        at[lane], static_cast<int64_t>(axis), x.extents()[axis]);
  }
  copy_from(machine, x, out, [&](int64_t lane) {
    int64_t place = at[lane] * own[axis];
    for (size_t other = 0; other < own.size(); ++other) {
      if (other != axis) place += lane / strides[other] % out.extents()[other] * own[other];
    }
    return place;
  });
  machine.set(op.results[0], std::move(out));
}

}  // namespace tilewright::interp
