// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/addresses.h"

#include <algorithm>

#include "interp/lanes.h"

namespace tilewright::interp {
namespace {

// The lanes of an array are those of all its indices, broadcast.
Extents lanes_of(Machine& machine, const Access& access) {
  Extents out;
  for (const ir::ValueId index : access.index) {
    if (machine.plan().type_of(index).kind == ir::TypeKind::Tile) widen(out, machine.plan().tile_type(index).extents);
  }
  return out;
}

std::optional<Addresses> array_addresses(Machine& machine, const ir::Op& op, const Access& access, std::string_view does) {
  const Array& array = machine.array(access.array);
  Addresses out = all_lanes(machine, lanes_of(machine, access), array);
  const int64_t count = out.lanes.count;
  auto* offsets = out.offsets.as<int64_t>();
  auto* active = out.active.as<uint8_t>();
  if (access.mask && !apply_mask(machine, op, access.mask, out)) return std::nullopt;
  for (size_t number = 0; number < access.index.size(); ++number) {
    const Tile given = machine.tile(access.index[number], ir::Scalar::I64);
    if (machine.stopped()) return std::nullopt;
    const TileType wide{.dtype = ir::Scalar::I64, .extents = given.extents(), .count = given.count()};
    const Tile index =
        broadcast_to(machine, given.dtype() == ir::Scalar::I64 ? given : converted(machine, given, wide, {}), out.lanes);
    if (stops_at_undefined(machine, op, index, out)) return std::nullopt;
    const auto* at = index.data.as<const int64_t>();
    const auto extent = static_cast<uint64_t>(array.extents[number]);
    const int64_t stride = array.strides[number];
    for (int64_t lane = 0; lane < count; ++lane) {
      const bool inside = static_cast<uint64_t>(at[lane]) < extent;
      if (inside) {
        offsets[lane] += at[lane] * stride;
        continue;
      }
      const bool is_tested =
          op.attrs.rare->bounds == ir::Bounds::Both || (op.attrs.rare->bounds == ir::Bounds::UpperOnly && at[lane] >= 0);
      if (active[lane] && !is_tested) {
        machine.fail(op, lane, out.lanes.extents, messages::outside, does, machine.name_of(access.array), at[lane],
                     static_cast<int64_t>(number), array.extents[number]);
        return std::nullopt;
      }
      active[lane] = 0;
    }
  }
  for (int64_t lane = 0; lane < count; ++lane) {
    if (!active[lane] || (offsets[lane] >= array.first && offsets[lane] <= array.last)) continue;
    machine.fail(op, lane, out.lanes.extents, messages::outside_of_memory, does, machine.name_of(access.array));
    return std::nullopt;
  }
  return out;
}

}  // namespace

Addresses all_lanes(Machine& machine, Extents extents, const Array& array) {
  Addresses out{.lanes = {.dtype = ir::Scalar::I64, .extents = std::move(extents)},
                .array = {.base = array.base, .dtype = array.dtype, .kept = array.kept, .unwritten = array.unwritten},
                .offsets = {},
                .active = {}};
  out.lanes.count = count_of(out.lanes.extents);
  out.offsets = machine.bytes(static_cast<size_t>(out.lanes.count) * sizeof(int64_t));
  out.active = machine.bytes(static_cast<size_t>(out.lanes.count));
  std::fill_n(out.offsets.as<int64_t>(), out.lanes.count, 0);
  std::fill_n(out.active.as<uint8_t>(), out.lanes.count, uint8_t{1});
  return out;
}

void widen(Extents& extents, const Extents& other) {
  if (other.size() > extents.size()) extents.insert(extents.begin(), other.size() - extents.size(), 1);
  const size_t added = extents.size() - other.size();
  for (size_t axis = 0; axis < other.size(); ++axis) extents[added + axis] = std::max(extents[added + axis], other[axis]);
}

bool stops_at_undefined(Machine& machine, const ir::Op& op, const Tile& tile, const Addresses& addresses) {
  if (!tile.undefined) return false;
  const auto* marks = tile.undefined.as<const Mark>();
  for (int64_t lane = 0; lane < addresses.lanes.count; ++lane) {
    if (!addresses.is_active(lane) || !marks[lane]) continue;
    machine.fail_undefined(op, marks[lane], "becomes an address", lane, addresses.lanes.extents);
    return true;
  }
  return false;
}

bool apply_mask(Machine& machine, const ir::Op& op, ir::ValueId value, Addresses& addresses) {
  const int64_t count = addresses.lanes.count;
  const TileType bools{.dtype = ir::Scalar::Bool, .extents = addresses.lanes.extents, .count = count};
  const Tile mask = broadcast_to(machine, machine.tile(value, ir::Scalar::Bool), bools);
  if (machine.stopped() || stops_at_undefined(machine, op, mask, addresses)) return false;
  Reader<Bool> reader(mask);
  auto* active = addresses.active.as<uint8_t>();
  each_chunk(count, [&](int64_t begin, size_t size) { std::copy_n(reader.at(begin, size), size, active + begin); });
  return true;
}

std::optional<Addresses> addresses_of(Machine& machine, const ir::Op& op, const Access& access, std::string_view does) {
  const ir::Type& type = machine.plan().type_of(access.array);
  if (type.kind == ir::TypeKind::Tile) return pointer_addresses(machine, op, access, does);
  if (type.kind != ir::TypeKind::Window) return array_addresses(machine, op, access, does);
  const bool by_rows = op.kind == ir::OpKind::WindowGather || op.kind == ir::OpKind::WindowScatter;
  return by_rows ? row_addresses(machine, op, does) : window_addresses(machine, op, does);
}

LaneValues values_of(Machine& machine, const ir::Op& op, ir::ValueId value, ir::Scalar dtype, const Addresses& addresses) {
  const TileType by_lane{
      .dtype = dtype, .extents = addresses.lanes.extents, .count = addresses.lanes.count, .kept = machine.plan().kept(dtype)};
  const Tile given = machine.tile(value, dtype);
  const bool is_one = given.count() == 1;
  const Tile spread = is_one ? given : broadcast_to(machine, given, by_lane);
  if (spread.undefined && !machine.stopped()) {
    const auto* marks = spread.undefined.as<const Mark>();
    for (int64_t lane = 0; lane < addresses.lanes.count; ++lane) {
      const Mark mark = marks[is_one ? 0 : lane];
      if (!addresses.is_active(lane) || !mark) continue;
      machine.fail_undefined(op, mark, "is stored", lane, addresses.lanes.extents);
      break;
    }
  }
  return {.data = spread.data, .step = is_one ? 0 : 1};
}

}  // namespace tilewright::interp
