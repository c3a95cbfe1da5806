// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Single elements, one per lane.

#include <algorithm>

#include "interp/addresses.h"
#include "interp/unwritten.h"

namespace tilewright::interp {

static void mark_unwritten(Machine& machine, const ir::Op& op, const Array& array, const Addresses& addresses, Tile& out) {
  for (int64_t lane = 0; lane < out.count(); ++lane) {
    if (!addresses.is_active(lane) || !is_unwritten(array, addresses.offset(lane))) continue;
    if (!out.undefined) out.undefined = machine.no_marks(out.count());
    out.undefined.as<Mark>()[lane] = machine.mark(op, Reason::Unwritten);
  }
}

// Of elements that are not read, where no operand says what they are.
static ir::Padding padding_of(Machine& machine, const ir::Op& op, const Access& access) {
  const ir::TypeKind kind = machine.plan().type_of(access.array).kind;
  if (kind == ir::TypeKind::Tile) return ir::Padding::Undetermined;
  return kind == ir::TypeKind::Window ? window_padding(machine, op) : ir::Padding::Zero;
}

static void mark_unread(Machine& machine, const ir::Op& op, const Addresses& addresses, Tile& out) {
  out.undefined = machine.no_marks(out.count());
  for (int64_t lane = 0; lane < out.count(); ++lane) {
    if (!addresses.is_active(lane)) out.undefined.as<Mark>()[lane] = machine.mark(op, Reason::Padding);
  }
}

void gather(Machine& machine, const ir::Op& op, const Access& access) {
  const std::optional<Addresses> addresses = addresses_of(machine, op, access, "a lane reads");
  if (!addresses) return;
  Tile out = machine.make(op.results[0]);
  const TileType& type = *out.type;
  if (access.padding) {
    const Tile padding = machine.tile(access.padding, addresses->array.dtype);
    if (machine.stopped()) return;
    const Tile spread = padding.count() == type.count ? padding : broadcast_to(machine, padding, type);
    std::copy_n(spread.data.data(), type.bytes(), out.data.data());
    if (spread.undefined) {
      out.undefined = machine.no_marks(type.count);
      for (int64_t lane = 0; lane < type.count; ++lane) {
        if (!addresses->is_active(lane)) out.undefined.as<Mark>()[lane] = spread.undefined.as<const Mark>()[lane];
      }
    }
  } else {
    const ir::Padding padding = padding_of(machine, op, access);
    fill_padding(machine, type, padding, out.data.data());
    if (padding == ir::Padding::Undetermined && machine.follows_undefined()) mark_unread(machine, op, *addresses, out);
  }
  with_width(type.width(), [&](auto bits) {
    using T = decltype(bits);
    const auto* from = reinterpret_cast<const T*>(addresses->array.base);
    auto* to = out.data.as<T>();
    for (int64_t lane = 0; lane < type.count; ++lane) {
      if (!addresses->is_active(lane)) continue;
      const T* element = from + addresses->offset(lane);
      if (machine.looks_for_races()) touch(machine, op, access, *addresses, lane, element, Touch::Read);
      to[lane] = *element;
    }
  });
  if (addresses->array.unwritten && machine.follows_undefined()) mark_unwritten(machine, op, addresses->array, *addresses, out);
  machine.set(op.results[0], std::move(out));
}

// Of lanes that write one element the last wins here.
void scatter(Machine& machine, const ir::Op& op, const Access& access) {
  const std::optional<Addresses> addresses = addresses_of(machine, op, access, "a lane writes");
  if (!addresses) return;
  const LaneValues values = values_of(machine, op, access.value, addresses->array.dtype, *addresses);
  if (machine.stopped()) return;
  with_width(addresses->array.width(), [&](auto bits) {
    using T = decltype(bits);
    auto* to = reinterpret_cast<T*>(addresses->array.base);
    for (int64_t lane = 0; lane < addresses->lanes.count; ++lane) {
      if (!addresses->is_active(lane)) continue;
      T* element = to + addresses->offset(lane);
      const T value = values.at<T>(lane);
      if (machine.looks_for_races())
        touch(machine, op, access, *addresses, lane, element, *element == value ? Touch::Keep : Touch::Change);
      *element = value;
    }
  });
  if (!addresses->array.unwritten) return;
  for (int64_t lane = 0; lane < addresses->lanes.count; ++lane) {
    if (addresses->is_active(lane)) set_written(addresses->array, addresses->offset(lane));
  }
}

}  // namespace tilewright::interp
