// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Windows: arrays that the program makes of an address, extents and strides, and those that a launch passes as descriptors. They
// are read and written a tile at a time, each element of which is inside or outside by itself.

#include <algorithm>

#include "base/check.h"
#include "interp/addresses.h"

namespace tilewright::interp {
namespace {

// The integers that operands are; nullopt if the program stops here.
std::optional<Extents> integers(Machine& machine, const ir::Op& op, std::string_view name) {
  Extents out;
  for (const ir::ValueId value : ir::operands_named(op, name)) {
    if (!machine.is_defined(op, value, "becomes an address")) return std::nullopt;
    out.push_back(machine.integer(value));
    if (machine.stopped()) return std::nullopt;
  }
  return out;
}

const View& window_of(Machine& machine, ir::ValueId value) { return std::get<View>(machine.slot(value)); }

bool is_tested(const ir::Op& op, uint32_t axis) {
  const auto& axes = op.attrs.rare->axes;
  return op.attrs.all_axes || std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// Where the element at `index` of a window lies; the lane is made inactive if that is outside. False if the program stops here.
bool place(Machine& machine, const ir::Op& op, const View& window, std::span<const int64_t> index, bool tests_all,
           std::string_view does, int64_t lane, Addresses& out) {
  const Array& array = window.array;
  int64_t offset = 0;
  for (size_t axis = 0; axis < index.size(); ++axis) {
    const bool inside = index[axis] >= 0 && index[axis] < array.extents[axis];
    offset += index[axis] * array.strides[axis];
    if (inside) continue;
    if (tests_all || is_tested(op, static_cast<uint32_t>(axis))) {
      out.active.as<uint8_t>()[lane] = 0;
      return true;
    }
    machine.fail(op, lane, out.lanes.extents, messages::outside, does, machine.name_of(op.operands[0]), index[axis],
                 static_cast<int64_t>(axis), array.extents[axis]);
    return false;
  }
  out.offsets.as<int64_t>()[lane] = offset;
  const auto width = static_cast<int64_t>(bytes_of(array.dtype));
  return machine.holds(op, op.operands[0], reinterpret_cast<int64_t>(array.base) + offset * width, width, lane, out.lanes.extents,
                       does);
}

}  // namespace

void make_window(Machine& machine, const ir::Op& op) {
  const ir::ValueId base = op.operands[0];
  if (!machine.is_defined(op, base, "becomes an address")) return;
  const auto dims = integers(machine, op, "dim");
  const auto strides = integers(machine, op, "stride");
  const auto starts = integers(machine, op, "start");
  if (!dims || !strides || !starts) return;
  View out{
      .array = array_over(reinterpret_cast<std::byte*>(machine.integer(base)), machine.plan().pointee(base), *dims, *strides),
      .origin = *starts,
      .extents = machine.plan().window_extents(op.results[0]),
      .padding = op.attrs.padding};
  machine.set(op.results[0], std::move(out));
}

void move_window(Machine& machine, const ir::Op& op) {
  const auto offsets = integers(machine, op, "offset");
  if (!offsets) return;
  View out = window_of(machine, op.operands[0]);
  for (size_t axis = 0; axis < offsets->size(); ++axis) out.origin[axis] += (*offsets)[axis];
  machine.set(op.results[0], std::move(out));
}

void window_property(Machine& machine, const ir::Op& op) {
  const Array& array = window_of(machine, op.operands[0]).array;
  machine.set_integer(op.results[0],
                      op.kind == ir::OpKind::WindowDim ? array.extents[op.attrs.axis] : array.strides[op.attrs.axis]);
}

ir::Padding window_padding(Machine& machine, const ir::Op& op) {
  const bool is_its_own = op.attrs.all_axes || op.kind == ir::OpKind::WindowGather;
  return is_its_own ? window_of(machine, op.operands[0]).padding : op.attrs.padding;
}

std::optional<Addresses> window_addresses(Machine& machine, const ir::Op& op, std::string_view does) {
  const View& window = window_of(machine, op.operands[0]);
  const auto offsets = integers(machine, op, "offset");
  if (!offsets) return std::nullopt;
  Addresses out = all_lanes(machine, window.extents, window.array);
  const size_t rank = window.extents.size();
  Extents start = window.origin;
  for (size_t axis = 0; axis < offsets->size(); ++axis) start[axis] += (*offsets)[axis];
  Extents index = start;
  for (int64_t lane = 0; lane < out.lanes.count; ++lane) {
    int64_t rest = lane;
    for (size_t axis = rank; axis-- > 0; rest /= window.extents[axis]) index[axis] = start[axis] + rest % window.extents[axis];
    if (!place(machine, op, window, index, false, does, lane, out)) return std::nullopt;
  }
  return out;
}

// The rows of a tile, each at its own index.
std::optional<Addresses> row_addresses(Machine& machine, const ir::Op& op, std::string_view does) {
  const View& window = window_of(machine, op.operands[0]);
  const Tile& given = machine.tile(op.operands[1]);
  const TileType wide{.dtype = ir::Scalar::I64, .extents = given.extents(), .count = given.count()};
  const Tile rows = given.dtype() == ir::Scalar::I64 ? given : converted(machine, given, wide, {});
  if (!machine.is_defined(op, op.operands[2], "becomes an address")) return std::nullopt;
  const int64_t column = machine.integer(op.operands[2]);
  if (machine.stopped()) return std::nullopt;
  const int64_t width = window.extents[1];
  Addresses out = all_lanes(machine, {rows.count(), width}, window.array);
  for (int64_t lane = 0; lane < out.lanes.count; ++lane) {
    if (const Mark mark = rows.undefined ? rows.undefined.as<const Mark>()[lane / width] : no_mark) {
      machine.fail_undefined(op, mark, "becomes an address", lane, out.lanes.extents);
      return std::nullopt;
    }
    const int64_t index[] = {rows.data.as<const int64_t>()[lane / width], column + lane % width};
    if (!place(machine, op, window, index, true, does, lane, out)) return std::nullopt;
  }
  return out;
}

}  // namespace tilewright::interp
