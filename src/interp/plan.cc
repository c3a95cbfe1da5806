// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/check.h"
#include "interp/machine.h"

namespace tilewright::interp {

static TileType tile_type_of(const ir::Program& program, const ir::Type& type) {
  TileType out;
  const bool is_pointer = program.types.is_pointer(type.dtype);
  const std::optional<ir::Scalar> dtype = is_pointer ? ir::Scalar::I64 : program.types.scalar_of(type.dtype);
  if (!dtype) return out;  // of an open program, whose types this one shares
  out.dtype = *dtype;
  for (const sym::ExprId extent : type.shape) {
    const std::optional<int64_t> known = program.arena.integer_of(extent);
    if (!known) return {};
    out.extents.push_back(*known);
  }
  out.count = count_of(out.extents);
  return out;
}

static Access access_of(const ir::Op& op) {
  ir::ValueId array;
  for (const std::string_view name : {"array", "pointer", "window"}) {
    if (const ir::ValueId found = ir::operand_named(op, name)) array = found;
  }
  return {.array = array,
          .index = ir::operands_named(op, "index"),
          .extent = ir::operands_named(op, "extent"),
          .value = ir::operand_named(op, "value"),
          .padding = ir::operand_named(op, "padding"),
          .mask = ir::operand_named(op, "mask"),
          .expected = ir::operand_named(op, "expected"),
          .desired = ir::operand_named(op, "desired")};
}

Plan::Plan(const ir::Program& of, ir::FunctionId entry, Numbers numbers)
    : program(of), kernel(entry), roots(pointer_roots(of, entry)) {
  for (size_t i = 0; i < scalars.size(); ++i) {
    const auto dtype = static_cast<ir::Scalar>(i);
    scalars[i] = {.dtype = dtype, .extents = {}, .count = 1, .kept = kept_in(numbers, dtype)};
  }
  for (const ir::Value& value : program.values) {
    if (value.type.index >= types.size()) types.resize(value.type.index + 1);
    const ir::Type& type = program.types[value.type];
    if (type.kind == ir::TypeKind::Tile) {
      TileType& known = types[value.type.index];
      known = tile_type_of(program, type);
      known.kept = kept(known.dtype);
    }
  }
  for (const ir::Op& op : program.ops) {
    accesses.push_back(ir::info(op.kind).family == ir::Family::Memory ? access_of(op) : Access{});
  }
}

ir::Scalar Plan::dtype(ir::DtypeId id) const {
  if (program.types.is_pointer(id)) return ir::Scalar::I64;
  const std::optional<ir::Scalar> known = program.types.scalar_of(id);
  TW_CHECK(known.has_value(), "a program with open dtypes is run");
  return *known;
}

ir::Scalar Plan::pointee(ir::ValueId pointer) const { return dtype(program.types[type_of(pointer).dtype].a); }

Extents Plan::window_extents(ir::ValueId window) const {
  Extents out;
  for (const sym::ExprId extent : type_of(window).shape) {
    const std::optional<int64_t> known = program.arena.integer_of(extent);
    TW_CHECK(known.has_value(), "a program with open extents is run");
    out.push_back(*known);
  }
  return out;
}

}  // namespace tilewright::interp
