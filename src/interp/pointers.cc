// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses that are values of the program: tiles of int64, in bytes. What they reach must be memory that the launch passed.

#include <algorithm>

#include "interp/addresses.h"
#include "interp/lanes.h"

namespace tilewright::interp {

void add_to_pointer(Machine& machine, const ir::Op& op) {
  const TileType& type = machine.plan().tile_type(op.results[0]);
  const Tile pointer = broadcast_to(machine, machine.tile(op.operands[0]), type);
  const Tile given = machine.tile(op.operands[1], ir::Scalar::I64);
  if (machine.stopped()) return;
  const TileType wide{.dtype = ir::Scalar::I64, .extents = given.extents(), .count = given.count()};
  const Tile offset = broadcast_to(machine, given.dtype() == ir::Scalar::I64 ? given : converted(machine, given, wide, {}), type);
  const auto width = static_cast<uint64_t>(bytes_of(machine.plan().pointee(op.operands[0])));
  Tile out = machine.make(type);
  const auto* from = pointer.data.as<const uint64_t>();
  const auto* by = offset.data.as<const uint64_t>();
  auto* to = out.data.as<uint64_t>();
  for (int64_t lane = 0; lane < type.count; ++lane) to[lane] = from[lane] + by[lane] * width;
  for (const Tile* part : {&pointer, &offset}) {
    if (!part->undefined) continue;
    if (!out.undefined) out.undefined = machine.no_marks(type.count);
    for (int64_t lane = 0; lane < type.count; ++lane) {
      Mark& mark = out.undefined.as<Mark>()[lane];
      if (!mark) mark = part->undefined.as<const Mark>()[lane];
    }
  }
  machine.set(op.results[0], std::move(out));
}

std::optional<Addresses> pointer_addresses(Machine& machine, const ir::Op& op, const Access& access, std::string_view does) {
  const Tile given = machine.tile(access.array);
  Extents lanes = given.extents();
  if (access.mask && machine.plan().type_of(access.mask).kind == ir::TypeKind::Tile)
    widen(lanes, machine.plan().tile_type(access.mask).extents);
  Addresses out = all_lanes(machine, std::move(lanes), {.base = nullptr, .dtype = machine.plan().pointee(access.array)});
  if (access.mask && !apply_mask(machine, op, access.mask, out)) return std::nullopt;
  const Tile pointer = broadcast_to(machine, given, out.lanes);
  if (stops_at_undefined(machine, op, pointer, out)) return std::nullopt;
  const auto* at = pointer.data.as<const int64_t>();
  const auto width = static_cast<int64_t>(bytes_of(out.array.dtype));
  auto* offsets = out.offsets.as<int64_t>();
  std::optional<int64_t> first;
  for (int64_t lane = 0; lane < out.lanes.count; ++lane) {
    if (!out.is_active(lane)) continue;
    if (at[lane] % width != 0) {
      machine.fail(op, lane, out.lanes.extents, messages::misaligned, does, width);
      return std::nullopt;
    }
    if (!machine.holds(op, access.array, at[lane], width, lane, out.lanes.extents, does)) return std::nullopt;
    if (!first) first = at[lane];
    offsets[lane] = (at[lane] - *first) / width;
  }
  out.array.base = reinterpret_cast<std::byte*>(first.value_or(0));
  return out;
}

}  // namespace tilewright::interp
