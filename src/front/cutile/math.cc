// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The function forms of arithmetic, with their options, and conversions.

#include <cmath>
#include <limits>

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"
#include "ir/rounding.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::TypeKind;
using ir::ValueId;

namespace {

const char* name_of(ir::Rounding rounding) {
  switch (rounding) {
    case ir::Rounding::Default: return "the default rounding";
    case ir::Rounding::Nearest: return "RoundingMode.RN";
    case ir::Rounding::Zero: return "RoundingMode.RZ";
    case ir::Rounding::MinusInf: return "RoundingMode.RM";
    case ir::Rounding::PlusInf: return "RoundingMode.RP";
    case ir::Rounding::Full: return "RoundingMode.FULL";
    case ir::Rounding::Approx: return "RoundingMode.APPROX";
  }
  return "";
}

bool supports(OpKind kind, ir::Rounding rounding) {
  const bool ieee = rounding == ir::Rounding::Nearest || ir::is_directed(rounding);
  const bool approximate = rounding == ir::Rounding::Approx;
  const bool full = rounding == ir::Rounding::Full;
  if (kind == OpKind::Exp || kind == OpKind::Tanh) return full || approximate;
  if (kind == OpKind::TrueDiv) return ieee || full || approximate;
  if (kind == OpKind::Sqrt) return ieee || approximate;
  return ieee;
}

bool read_flag(Reader& reader, const Call& call, std::string_view name, bool& value) {
  if (!call.has(name)) return true;
  const auto known = as_known_bool(reader, call.at(name), call.value(name), "`" + std::string(name) + "`");
  if (known) value = *known;
  return known.has_value();
}

bool has_parameter(const Call& call, std::string_view name) {
  for (const BoundArgument& argument : call.arguments) {
    if (argument.name == name) return true;
  }
  return false;
}

}  // namespace

bool read_float_options(Reader& reader, const Call& call, OpKind kind, ir::Attrs& attrs) {
  if (has_parameter(call, "rounding_mode") && call.given("rounding_mode")) {
    const NodeId at = call.at("rounding_mode");
    const auto rounding = as_enum(reader, at, call.value("rounding_mode"), Enumeration::Rounding, "the rounding mode");
    if (!rounding) return false;
    attrs.rounding = static_cast<ir::Rounding>(*rounding);
    if (!supports(kind, attrs.rounding)) {
      error(reader, at, messages::bad_rounding, call.builtin->name, name_of(attrs.rounding));
      return false;
    }
  }
  bool flag = false;
  if (has_parameter(call, "flush_to_zero")) {
    if (!read_flag(reader, call, "flush_to_zero", flag)) return false;
    if (flag) attrs.flush = ir::Flush::ToZero;
  }
  flag = false;
  if (has_parameter(call, "propagate_nan")) {
    if (!read_flag(reader, call, "propagate_nan", flag)) return false;
    if (flag) attrs.nan = ir::NanRule::Propagate;
  }
  return true;
}

bool check_float_options(Reader& reader, const Call& call, ir::DtypeId dtype, const ir::Attrs& attrs) {
  const auto scalar = reader.types().scalar_of(dtype);
  if (!scalar) return true;
  const bool only_f32 =
      attrs.flush == ir::Flush::ToZero || attrs.rounding == ir::Rounding::Approx || attrs.rounding == ir::Rounding::Full;
  const std::string_view option = attrs.flush == ir::Flush::ToZero ? "flush_to_zero" : name_of(attrs.rounding);
  if (only_f32 && *scalar != ir::Scalar::F32) {
    const NodeId at = attrs.flush == ir::Flush::ToZero ? call.at("flush_to_zero") : call.at("rounding_mode");
    error_with(reader, at, "it is only for float32", messages::bad_rounding, option, ir::name_of(*scalar));
    return false;
  }
  if (attrs.rounding != ir::Rounding::Default && ir::class_of(*scalar) != ir::ScalarClass::Float) {
    error(reader, call.at("rounding_mode"), messages::bad_rounding, option, ir::name_of(*scalar));
    return false;
  }
  return true;
}

namespace {

// Options are checked against the dtype that came out.
Val checked(Reader& reader, const Call& call, Val result, const ir::Attrs& attrs) {
  if (!result.is(ValKind::Ir) || is_const(reader, result.value)) return result;
  const ir::DtypeId dtype = type_of(reader, result.value).dtype;
  return check_float_options(reader, call, dtype, attrs) ? result : Val{};
}

}  // namespace

Val read_binary_function(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  if (!read_float_options(reader, call, call.builtin->op, attrs)) return {};
  const bool atan2 = call.builtin->op == OpKind::Atan2;
  const Val& x = call.value(atan2 ? "x1" : "x");
  const Val& y = call.value(atan2 ? "x2" : "y");
  if (call.builtin->op == OpKind::BitAnd || call.builtin->op == OpKind::BitOr || call.builtin->op == OpKind::BitXor)
    attrs.spelling = ir::Spelling::Function;
  const Val result = binary(reader, call.node, call.builtin->op, x, y, attrs);
  if (call.builtin->op == OpKind::CeilDiv && result.is(ValKind::Ir) && !is_const(reader, result.value)) {
    learn_integer(reader, result.value);
    if (class_of(reader, result.value) == ir::ScalarClass::Float) {
      return error_with(reader, call.node, "cuTile cannot compile it either", messages::wrong_dtype, "cdiv", "integers",
                        "a float");
    }
  }
  if (atan2 && result.is(ValKind::Ir)) {
    const auto kind = class_of(reader, result.value);
    if (kind && *kind != ir::ScalarClass::Float)
      return error(reader, call.node, messages::wrong_dtype, "atan2", "floats",
                   dtype_text(reader, type_of(reader, result.value).dtype));
  }
  return checked(reader, call, result, attrs);
}

Val read_compare_function(Reader& reader, const Call& call) {
  return compare(reader, call.node, call.builtin->op, call.value("x"), call.value("y"));
}

Val read_unary_function(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  if (!read_float_options(reader, call, call.builtin->op, attrs)) return {};
  return checked(reader, call, unary(reader, call.node, call.builtin->op, call.value("x"), attrs), attrs);
}

Val read_min_max_builtin(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Builtin;
  return binary(reader, call.node, call.builtin->op, call.value("x"), call.value("y"), std::move(attrs));
}

Val read_divmod(Reader& reader, const Call& call) {
  const Val quotient = binary(reader, call.node, OpKind::FloorDiv, call.value("x"), call.value("y"));
  const Val remainder = binary(reader, call.node, OpKind::FloorMod, call.value("x"), call.value("y"));
  if (quotient.poison() || remainder.poison()) return {};
  if (class_of(reader, quotient.value) == ir::ScalarClass::Float)
    return error(reader, call.node, messages::wrong_dtype, "divmod", "integers", "a float");
  return tuple_val({quotient, remainder});
}

Val read_where(Reader& reader, const Call& call) {
  const auto condition = as_number(reader, call.at("cond"), call.value("cond"), "the condition of `where`");
  const auto x = as_number(reader, call.at("x"), call.value("x"), "a value of `where`");
  const auto y = as_number(reader, call.at("y"), call.value("y"), "a value of `where`");
  if (!condition || !x || !y) return {};
  const auto dtype = common_dtype(reader, call.node, *x, *y);
  if (!dtype) return {};
  const auto values = broadcast(reader, call.node, shape_of(reader, *x), shape_of(reader, *y));
  const auto shape = values ? broadcast(reader, call.node, shape_of(reader, *condition), *values) : std::nullopt;
  if (!shape) return {};
  const ValueId test = to_bool(reader, call.node, *condition);
  const ValueId first = implicit_cast(reader, call.node, *x, *dtype);
  const ValueId second = implicit_cast(reader, call.node, *y, *dtype);
  ir::Attrs attrs;
  attrs.dtype = *dtype;
  return ir_val(
      emit(reader, call.node, OpKind::Where, {test, first, second}, reader.types().tile(*dtype, *shape), std::move(attrs)));
}

Val read_astype(Reader& reader, const Call& call) {
  const auto x = as_number(reader, call.at("x"), call.value("x"), "the converted value");
  const auto dtype = as_dtype(reader, call.at("dtype"), call.value("dtype"), "the argument `dtype`");
  if (!x || !dtype) return {};
  ir::Attrs attrs;
  attrs.spelling = call.builtin->set == BuiltinSet::TileMethod ? ir::Spelling::Method : ir::Spelling::Usual;
  if (call.given("rounding_mode")) {
    const NodeId at = call.at("rounding_mode");
    const auto rounding = as_enum(reader, at, call.value("rounding_mode"), Enumeration::Rounding, "the rounding mode");
    if (!rounding) return {};
    attrs.rounding = static_cast<ir::Rounding>(*rounding);
    const auto from = class_of(reader, *x);
    const auto to = reader.types().class_of(*dtype);
    const auto real = [](std::optional<ir::ScalarClass> kind) {
      return !kind || *kind == ir::ScalarClass::Float || *kind == ir::ScalarClass::Restricted;
    };
    if (!real(from) || !real(to)) {
      return error_with(reader, at, "it is only for conversions between floats", messages::bad_rounding, "rounding_mode",
                        dtype_text(reader, *dtype));
    }
    if (attrs.rounding != ir::Rounding::Nearest) {
      return error(reader, at, messages::unconverted_argument,
                   "a conversion with " + std::string(name_of(attrs.rounding)) + " has no equivalent in Triton");
    }
  }
  return ir_val(explicit_cast(reader, call.node, *x, *dtype, std::move(attrs)));
}

Val read_bitcast(Reader& reader, const Call& call) {
  const auto x = as_tile(reader, call.at("x"), call.value("x"), "the value of `bitcast`");
  const auto dtype = as_dtype(reader, call.at("dtype"), call.value("dtype"), "the argument `dtype`");
  if (!x || !dtype) return {};
  const ir::DtypeId from = own_dtype(reader, *x);
  const auto source = reader.types().scalar_of(from);
  const auto target = reader.types().scalar_of(*dtype);
  for (const auto& scalar : {source, target}) {
    if (scalar == ir::Scalar::Bool) return error(reader, call.node, messages::bad_bitcast, "a bool has no bits to cast");
  }
  if (source && target && ir::bits_of(*source) != ir::bits_of(*target)) {
    return error(reader, call.node, messages::bad_bitcast,
                 std::string(ir::name_of(*source)) + " has " + std::to_string(ir::bits_of(*source)) + " bits, " +
                     ir::name_of(*target) + " has " + std::to_string(ir::bits_of(*target)));
  }
  ir::Attrs attrs;
  attrs.dtype = *dtype;
  return ir_val(
      emit(reader, call.node, OpKind::Bitcast, {*x}, reader.types().tile(*dtype, shape_of(reader, *x)), std::move(attrs)));
}

// int(), float() and bool() of constants.
Val read_constant_function(Reader& reader, const Call& call) {
  const auto loose = static_cast<ir::LooseKind>(call.builtin->variant);
  const NodeId at = call.at("x");
  const Val given = materialise(reader, at, call.value("x"));
  if (given.is(ValKind::String) && loose == ir::LooseKind::Float) {
    const std::string& text = given.text;
    const double infinity = std::numeric_limits<double>::infinity();
    if (text == "inf" || text == "+inf" || text == "infinity") return ir_val(literal(reader, call.node, sym::Value{infinity}));
    if (text == "-inf" || text == "-infinity") return ir_val(literal(reader, call.node, sym::Value{-infinity}));
    if (text == "nan") return ir_val(literal(reader, call.node, sym::Value{std::numeric_limits<double>::quiet_NaN()}));
    return error(reader, at, messages::bad_folding,
                 "`" + std::string(reader.tree().text(call.node)) + "` is no number that is known here");
  }
  if (given.is(ValKind::String) && loose == ir::LooseKind::Int && !given.text.empty() && given.text.size() < 18 &&
      given.text.find_first_not_of("0123456789") == std::string::npos) {
    return ir_val(literal(reader, call.node, sym::Value{static_cast<int64_t>(std::stoll(given.text))}));
  }
  const bool runtime =
      given.is(ValKind::Parameter) || (given.is(ValKind::Ir) && type_of(reader, given.value).kind == TypeKind::Tile);
  if (runtime && loose == ir::LooseKind::Bool) {
    const auto x = as_scalar(reader, at, given, "the argument of `bool`");
    if (!x) return {};
    ir::Attrs attrs;
    attrs.spelling = ir::Spelling::Bool;
    return ir_val(explicit_cast(reader, call.node, *x, reader.types().known(ir::Scalar::Bool), std::move(attrs)));
  }
  if (runtime) {
    return error_with(reader, call.node, "use `.astype(…)`", messages::not_constant,
                      "the argument of `" + std::string(call.builtin->name) + "`", "a constant");
  }
  const auto x = as_number(reader, at, given, "the argument of `" + std::string(call.builtin->name) + "`");
  if (!x) return {};
  const ir::Type type = type_of(reader, *x);
  if (type.loose == loose && !type.strict) return ir_val(*x);
  if (loose == ir::LooseKind::Bool) {
    ir::Attrs attrs;
    const sym::ExprId value = reader.arena().make(sym::ExprKind::Ne, {type.value, reader.arena().integer(0)});
    attrs.dtype = reader.types().known(ir::Scalar::Bool);
    attrs.spelling = ir::Spelling::Bool;
    return ir_val(emit(reader, call.node, OpKind::Cast, {*x}, reader.types().constant(loose, value), std::move(attrs)));
  }
  const auto known = reader.arena().literal_of(type.value);
  if (!known)
    return error(reader, call.node, messages::unconverted_argument,
                 "`" + std::string(call.builtin->name) + "()` of a constant of the launch");
  const double real = std::visit([](auto v) { return static_cast<double>(v); }, *known);
  if (loose == ir::LooseKind::Float) return ir_val(literal(reader, call.node, sym::Value{real}));
  if (!(std::abs(real) < 0x1p62)) return error(reader, call.node, messages::bad_folding, "`int()` of a number that is too large");
  return ir_val(literal(reader, call.node, sym::Value{static_cast<int64_t>(real)}));
}

Val read_ensure_constant(Reader& reader, const Call& call) {
  const Val x = materialise(reader, call.at("x"), call.value("x"));
  const bool variable = x.is(ValKind::Parameter) || (x.is(ValKind::Ir) && type_of(reader, x.value).kind == TypeKind::Tile);
  if (variable) return error(reader, call.at("x"), messages::not_constant, "the argument of `ensure_constant`", "a constant");
  return x;
}

Val construct_dtype(Reader& reader, NodeId node, ir::DtypeId dtype, const std::vector<Argument>& arguments) {
  if (arguments.size() > 1 || (!arguments.empty() && !arguments[0].name.empty())) {
    return error(reader, node, messages::bad_argument, dtype_text(reader, dtype), "more than one positional argument");
  }
  const ValueId zero = arguments.empty() ? integer(reader, node, 0) : ValueId{};
  const auto x = arguments.empty() ? std::optional(zero)
                                   : as_scalar(reader, arguments[0].node, arguments[0].value, "the argument of a dtype");
  if (!x) return {};
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Constructor;
  return ir_val(explicit_cast(reader, node, *x, dtype, std::move(attrs)));
}

}  // namespace tilewright::front::cutile
