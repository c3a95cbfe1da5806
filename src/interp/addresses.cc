// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/addresses.h"

#include <algorithm>

#include "interp/lanes.h"

namespace tilewright::interp {
namespace {

// The lanes are those of all operands that say where, broadcast.
TileType lanes_of(Machine& machine, const Access& access) {
  TileType out{.dtype = ir::Scalar::I64, .extents = {}, .count = 1};
  const auto widen = [&](ir::ValueId value) {
    if (!value || machine.plan().type_of(value).kind != ir::TypeKind::Tile) return;
    const Extents& extents = machine.plan().tile_type(value).extents;
    if (extents.size() > out.extents.size()) out.extents.insert(out.extents.begin(), extents.size() - out.extents.size(), 1);
    const size_t added = out.extents.size() - extents.size();
    for (size_t axis = 0; axis < extents.size(); ++axis) {
      out.extents[added + axis] = std::max(out.extents[added + axis], extents[axis]);
    }
  };
  for (const ir::ValueId index : access.index) widen(index);
  out.count = count_of(out.extents);
  return out;
}

}  // namespace

std::optional<Addresses> addresses_of(Machine& machine, const ir::Op& op, const Access& access, std::string_view does) {
  const Array& array = machine.array(access.array);
  Addresses out{.lanes = lanes_of(machine, access), .offsets = {}, .active = {}};
  const int64_t count = out.lanes.count;
  out.offsets = machine.bytes(static_cast<size_t>(count) * sizeof(int64_t));
  out.active = machine.bytes(static_cast<size_t>(count));
  auto* offsets = out.offsets.as<int64_t>();
  auto* active = out.active.as<uint8_t>();
  std::fill_n(offsets, count, 0);
  std::fill_n(active, count, uint8_t{1});

  const auto stop_if_undefined = [&](const Tile& tile) {
    if (!tile.undefined) return false;
    const auto* marks = tile.undefined.as<const Mark>();
    for (int64_t lane = 0; lane < count; ++lane) {
      if (!active[lane] || !marks[lane]) continue;
      machine.fail_undefined(op, marks[lane], "becomes an address", lane, out.lanes.extents);
      return true;
    }
    return false;
  };

  if (access.mask) {
    const TileType bools{.dtype = ir::Scalar::Bool, .extents = out.lanes.extents, .count = count};
    const Tile mask = broadcast_to(machine, machine.tile(access.mask, ir::Scalar::Bool), bools);
    if (machine.stopped() || stop_if_undefined(mask)) return std::nullopt;
    Reader<Bool> reader(mask);
    each_chunk(count, [&](int64_t begin, size_t size) { std::copy_n(reader.at(begin, size), size, active + begin); });
  }
  for (size_t number = 0; number < access.index.size(); ++number) {
    const Tile given = machine.tile(access.index[number], ir::Scalar::I64);
    if (machine.stopped()) return std::nullopt;
    const TileType wide{.dtype = ir::Scalar::I64, .extents = given.extents(), .count = given.count()};
    const Tile index =
        broadcast_to(machine, given.dtype() == ir::Scalar::I64 ? given : converted(machine, given, wide, {}), out.lanes);
    if (stop_if_undefined(index)) return std::nullopt;
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
