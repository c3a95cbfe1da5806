// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The grid, what a program waits for and promises, and what is gone when it is compiled.

#include <cmath>
#include <limits>

#include "front/triton/builtins.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::ValueId;

Val read_program_id(Reader& reader, const Call& call) {
  const auto axis = as_known_int(reader, call.at("axis"), call.value("axis"), "the axis");
  if (!axis) return {};
  if (*axis < 0 || *axis > 2) {
    return error(reader, call.at("axis"), messages::bad_axis,
                 "the axis of the grid must be 0, 1 or 2, but is " + std::to_string(*axis));
  }
  ir::Attrs attrs;
  attrs.axis = static_cast<uint32_t>(*axis);
  return ir_val(emit(reader, call.node, call.builtin->op, {}, int32_type(reader), std::move(attrs)));
}

Val read_barrier(Reader& reader, const Call& call) {
  emit_op(reader, call.node, OpKind::Barrier, {}, {});
  return none_val();
}

Val read_assume(Reader& reader, const Call& call) {
  const Val val = materialise(reader, call.at("cond"), call.value("cond"));
  if (val.is(ValKind::Ir) && is_const(reader, val.value)) return none_val();
  const auto value = as_mask(reader, call.at("cond"), val);
  if (!value) return {};
  emit_op(reader, call.node, OpKind::Assume, {*value}, {});
  return none_val();
}

Val read_device_assert(Reader& reader, const Call& call) {
  const auto value = as_mask(reader, call.at("cond"), call.value("cond"));
  if (!value) return {};
  std::vector<ValueId> operands{*value};
  ir::Attrs attrs;
  if (call.given("msg")) attrs.rare.edit().text = std::string(reader.tree().text(call.at("msg")));
  if (call.given("mask")) {
    const auto mask = as_mask(reader, call.at("mask"), call.value("mask"));
    if (!mask) return {};
    operands.push_back(*mask);
    attrs.has_mask = true;
  }
  emit_op(reader, call.node, OpKind::DeviceAssert, std::move(operands), {}, std::move(attrs));
  return none_val();
}

// What the author knows of a value: the value itself, with the hint beside it.
Val read_hint(Reader& reader, const Call& call) {
  const auto value = as_number(reader, call.at("input"), call.value("input"), "a value");
  if (!value) return {};
  if (is_const(reader, *value)) return ir_val(*value);
  ir::Attrs attrs;
  attrs.rare.edit().hint = std::string(call.builtin->name) + " " + std::string(reader.tree().text(call.at("values")));
  return ir_val(emit(reader, call.node, OpKind::Copy, {*value}, type_id(reader, *value), std::move(attrs)));
}

Val read_nothing(Reader&, const Call&) { return none_val(); }
Val read_identity(Reader&, const Call& call) { return call.arguments[0].value ? *call.arguments[0].value : Val{}; }

Val read_range_value(Reader& reader, const Call& call) {
  return error(reader, call.node, messages::bad_range, "a range can only be looped over");
}

Val read_len(Reader& reader, const Call& call) {
  const Val val = materialise(reader, call.at("x"), call.value("x"));
  if (val.is(ValKind::Tuple)) return ir_val(integer(reader, call.node, static_cast<int64_t>(val.items->size())));
  if (val.is(ValKind::Ir) && !shape_of(reader, val.value).empty())
    return ir_val(extents_of(reader, call.node, val.value).values[0]);
  return error(reader, call.at("x"), messages::wrong_kind, "the argument of `len`", "a tuple", describe(reader, val));
}

// float("inf"), int(x) of constants
Val read_python_number(Reader& reader, const Call& call) {
  const auto wanted = static_cast<ir::LooseKind>(call.builtin->variant);
  const Val val = materialise(reader, call.at("x"), call.value("x"));
  if (val.is(ValKind::String) && wanted == ir::LooseKind::Float) {
    std::string text = val.text;
    const double infinity = std::numeric_limits<double>::infinity();
    if (text == "inf" || text == "+inf") return ir_val(literal(reader, call.node, sym::Value{infinity}));
    if (text == "-inf") return ir_val(literal(reader, call.node, sym::Value{-infinity}));
    if (text == "nan") return ir_val(literal(reader, call.node, sym::Value{std::numeric_limits<double>::quiet_NaN()}));
    return error(reader, call.at("x"), messages::bad_option, "float", "a number", "\"" + text + "\"");
  }
  if (!val.is(ValKind::Ir) || !is_const(reader, val.value))
    return error_with(reader, call.node, "use `.to(…)`", messages::not_constant, "the argument", "a constant");
  const ir::Type type = type_of(reader, val.value);
  if (type.loose == wanted) return val;
  const auto known = reader.arena().literal_of(type.value);
  if (!known) return error(reader, call.node, messages::depends_on_launch, "the argument");
  const double number = std::visit([](auto v) { return static_cast<double>(v); }, *known);
  switch (wanted) {
    case ir::LooseKind::Bool: return ir_val(literal(reader, call.node, sym::Value{number != 0}));
    case ir::LooseKind::Int: return ir_val(integer(reader, call.node, static_cast<int64_t>(number)));
    case ir::LooseKind::Float: return ir_val(literal(reader, call.node, sym::Value{number}));
  }
  return {};
}

Val read_next_power_of_2(Reader& reader, const Call& call) {
  const auto n = as_known_int(reader, call.at("n"), call.value("n"), "the argument of `next_power_of_2`");
  if (!n) return {};
  int64_t power = 1;
  while (power < *n && power < (int64_t{1} << 40)) power *= 2;
  return ir_val(integer(reader, call.node, power));
}

}  // namespace tilewright::front::triton
