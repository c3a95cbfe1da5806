// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program knows of its grid and of its arrays.

#include "base/check.h"
#include "interp/machine.h"
#include "interp/unwritten.h"

namespace tilewright::interp {

void grid_property(Machine& machine, const ir::Op& op) {
  const Grid& of = op.kind == ir::OpKind::ProgramId ? machine.index() : machine.grid();
  machine.set_integer(op.results[0], of[op.attrs.axis]);
}

void array_property(Machine& machine, const ir::Op& op, const Access& access) {
  const Array& array = machine.array(access.array);
  const uint32_t axis = op.attrs.axis;
  if (op.kind == ir::OpKind::ArrayDim) return machine.set_integer(op.results[0], array.extents[axis]);
  if (op.kind == ir::OpKind::ArrayStride) return machine.set_integer(op.results[0], array.strides[axis]);
  const int64_t extent = array.extents[op.attrs.rare->order.empty() ? axis : op.attrs.rare->order[axis]];
  const int64_t of_tile = machine.integer(access.extent[axis]);
  if (machine.stopped()) return;
  TW_CHECK(of_tile > 0, "an array is divided into tiles without extent");
  machine.set_integer(op.results[0], (extent + of_tile - 1) / of_tile);
}

// What lies outside of the array's memory is noticed where it is touched.
void array_slice(Machine& machine, const ir::Op& op) {
  const ir::ValueId start = ir::operand_named(op, "start");
  const ir::ValueId stop = ir::operand_named(op, "stop");
  for (const ir::ValueId bound : {start, stop}) {
    if (!machine.is_defined(op, bound, "becomes an address")) return;
  }
  Array out = machine.array(op.operands[0]);
  const int64_t begin = machine.integer(start);
  const int64_t length = machine.integer(stop) - begin;
  if (machine.stopped()) return;
  const int64_t moved = begin * out.strides[op.attrs.axis];
  out.base += moved * static_cast<int64_t>(out.width());
  if (out.unwritten) out.unwritten = marks_of(out, moved);
  out.first -= moved;
  out.last -= moved;
  out.extents[op.attrs.axis] = length < 0 ? 0 : length;
  machine.set(op.results[0], std::move(out));
}

void list_length(Machine& machine, const ir::Op& op) {
  machine.set_integer(op.results[0], static_cast<int64_t>(std::get<const ArrayList*>(machine.slot(op.operands[0]))->size()));
}

void list_item(Machine& machine, const ir::Op& op) {
  const ArrayList& list = *std::get<const ArrayList*>(machine.slot(op.operands[0]));
  const ir::ValueId index = ir::operand_named(op, "index");
  if (!machine.is_defined(op, index, "becomes an address")) return;
  const int64_t at = machine.integer(index);
  if (machine.stopped()) return;
  const auto size = static_cast<int64_t>(list.size());
  if (at < 0 || at >= size)
    return machine.fail(op, messages::outside, "an array is taken", machine.name_of(op.operands[0]), at, int64_t{0}, size);
  machine.set(op.results[0], list[static_cast<size_t>(at)]);
}

}  // namespace tilewright::interp
