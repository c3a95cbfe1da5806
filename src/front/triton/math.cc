// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise functions.

#include "front/triton/builtins.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::ScalarClass;
using ir::ValueId;

std::optional<ValueId> tensor_argument(Reader& reader, const Call& call, std::string_view name) {
  const auto value = as_number(reader, call.at(name), call.value(name), "`" + std::string(name) + "`");
  if (!value) return std::nullopt;
  if (is_pointer(reader, *value)) return value;
  if (!is_const(reader, *value)) learn_number(reader, dtype_of(reader, *value));
  return as_tensor(reader, call.at(name), *value);
}

namespace {

Val refuse_dtype(Reader& reader, const Call& call, std::string_view wants, ValueId value) {
  return error_with(reader, call.node, "convert it first: `.to(tl.float32)`", messages::wrong_dtype, call.builtin->name, wants,
                    describe(reader, ir_val(value)));
}

// Operands of one dtype and shape, as ops of several operands take them.
std::optional<std::vector<ValueId>> alike(Reader& reader, NodeId node, std::vector<ValueId> values, ir::DtypeId& dtype,
                                          Shape& shape) {
  dtype = dtype_of(reader, values[0]);
  shape = shape_of(reader, values[0]);
  for (size_t i = 1; i < values.size(); ++i) {
    const ir::DtypeId other = dtype_of(reader, values[i]);
    const auto a = reader.types().scalar_of(dtype);
    const auto b = reader.types().scalar_of(other);
    if (a && b && !ir::common_of(*a, *b)) {
      error(reader, node, messages::no_common_dtype, ir::name_of(*a), ir::name_of(*b));
      return std::nullopt;
    }
    dtype = reader.types().common(dtype, other);
    const auto both = broadcast(reader, node, shape, shape_of(reader, values[i]));
    if (!both) return std::nullopt;
    shape = *both;
  }
  for (ValueId& value : values) value = converted(reader, node, value, dtype);
  return values;
}

// How a function of float32 is calculated by the hardware, where it is known to be one.
ir::Attrs accuracy(Reader& reader, OpKind kind, ir::Rounding rounding, ir::DtypeId dtype) {
  ir::Attrs attrs;
  if (reader.types().scalar_of(dtype) != ir::Scalar::F32) return attrs;
  attrs.rounding = rounding;
  const bool flushes =
      kind == OpKind::Exp2 || kind == OpKind::Rsqrt || (kind == OpKind::Sqrt && rounding == ir::Rounding::Default);
  if (flushes) attrs.flush = ir::Flush::ToZero;
  if (kind == OpKind::Sqrt && rounding == ir::Rounding::Default) attrs.rounding = ir::Rounding::Approx;
  return attrs;
}

}  // namespace

ValueId float_function(Reader& reader, NodeId node, OpKind kind, ValueId x, ir::Rounding rounding) {
  return elementwise(reader, node, kind, x, accuracy(reader, kind, rounding, dtype_of(reader, x)));
}

Val read_unary_function(Reader& reader, const Call& call) {
  const auto x = tensor_argument(reader, call, "x");
  if (!x) return {};
  const auto kind = class_of(reader, *x);
  const auto scalar = reader.types().scalar_of(dtype_of(reader, *x));
  const bool wide = !scalar || *scalar == ir::Scalar::F32 || *scalar == ir::Scalar::F64;
  if ((kind && *kind != ScalarClass::Float) || !wide) return refuse_dtype(reader, call, "float32 or float64", *x);
  return ir_val(float_function(reader, call.node, call.builtin->op, *x, static_cast<ir::Rounding>(call.builtin->variant)));
}

Val read_any_unary(Reader& reader, const Call& call) {
  const auto x = tensor_argument(reader, call, "x");
  if (!x) return {};
  return ir_val(elementwise(reader, call.node, call.builtin->op, *x));
}

namespace {

// PropagateNan.ALL or NONE.
std::optional<ir::NanRule> nan_rule(Reader& reader, const Call& call) {
  if (call.builtin->set == BuiltinSet::Python || !call.given("propagate_nan")) return ir::NanRule::Ignore;
  const Val& val = call.value("propagate_nan");
  if (val.is(ValKind::Enum)) return static_cast<ir::NanRule>(val.index);
  error(reader, call.at("propagate_nan"), messages::wrong_kind, "`propagate_nan`", "a PropagateNan", describe(reader, val));
  return std::nullopt;
}

// Numbers are tensors first, and bfloat16 is compared as float32.
std::optional<std::vector<ValueId>> compared(Reader& reader, const Call& call, std::initializer_list<std::string_view> names,
                                             ir::DtypeId& dtype, Shape& shape) {
  std::vector<ValueId> values;
  for (const std::string_view name : names) {
    const auto value = tensor_argument(reader, call, name);
    if (!value) return std::nullopt;
    if (is_pointer(reader, *value)) {
      error(reader, call.at(name), messages::pointer_operand, call.builtin->name);
      return std::nullopt;
    }
    values.push_back(
        converted(reader, call.at(name), *value, reader.types().widened(dtype_of(reader, *value), ir::Widening::Bfloats)));
  }
  return alike(reader, call.node, std::move(values), dtype, shape);
}

}  // namespace

Val read_min_max(Reader& reader, const Call& call) {
  const auto a = as_number(reader, call.at("x"), call.value("x"), "an operand");
  const auto b = as_number(reader, call.at("y"), call.value("y"), "an operand");
  if (!a || !b) return {};
  ir::Attrs attrs;
  if (call.builtin->set == BuiltinSet::Python) attrs.spelling = ir::Spelling::Builtin;
  if (is_const(reader, *a) && is_const(reader, *b)) return fold(reader, call.node, call.builtin->op, *a, *b, std::move(attrs));
  const auto rule = nan_rule(reader, call);
  Shape shape;
  const auto values = compared(reader, call, {"x", "y"}, attrs.dtype, shape);
  if (!rule || !values) return {};
  attrs.nan = *rule;
  const ir::TypeId type = reader.types().tile(attrs.dtype, shape);
  return ir_val(emit(reader, call.node, call.builtin->op, *values, type, std::move(attrs)));
}

// clamp is max and then min: of a NaN the lower bound, unless NaN is propagated.
Val read_clamp(Reader& reader, const Call& call) {
  const auto rule = nan_rule(reader, call);
  ir::Attrs attrs;
  Shape shape;
  const auto values = compared(reader, call, {"x", "min", "max"}, attrs.dtype, shape);
  if (!rule || !values) return {};
  const auto kind = reader.types().class_of(attrs.dtype);
  if (kind && *kind != ScalarClass::Float) return refuse_dtype(reader, call, "floats", (*values)[0]);
  attrs.nan = *rule;
  attrs.spelling = ir::Spelling::Library;
  const ir::TypeId type = reader.types().tile(attrs.dtype, shape);
  const ValueId low = emit(reader, call.node, OpKind::Max, {(*values)[0], (*values)[1]}, type, attrs);
  return ir_val(emit(reader, call.node, OpKind::Min, {low, (*values)[2]}, type, std::move(attrs)));
}

Val read_arithmetic_function(Reader& reader, const Call& call) {
  return binary(reader, call.node, call.builtin->op, call.value("x"), call.value("y"), {});
}

Val read_float_division(Reader& reader, const Call& call) {
  const auto x = tensor_argument(reader, call, "x");
  const auto y = tensor_argument(reader, call, "y");
  if (!x || !y) return {};
  ir::Attrs attrs;
  Shape shape;
  const auto values = alike(reader, call.node, {*x, *y}, attrs.dtype, shape);
  if (!values) return {};
  const auto kind = reader.types().class_of(attrs.dtype);
  if (kind && *kind != ScalarClass::Float) return refuse_dtype(reader, call, "floats", *x);
  const bool is_float32 = reader.types().scalar_of(attrs.dtype) == ir::Scalar::F32;
  const auto rounding = static_cast<ir::Rounding>(call.builtin->variant);
  if (rounding == ir::Rounding::Nearest || is_float32)
    attrs.rounding = rounding == ir::Rounding::Default ? ir::Rounding::Full : rounding;
  const ir::TypeId type = reader.types().tile(attrs.dtype, shape);
  return ir_val(emit(reader, call.node, OpKind::TrueDiv, *values, type, std::move(attrs)));
}

// Functions of two floats in libdevice.
Val read_float_function(Reader& reader, const Call& call) {
  const auto x = tensor_argument(reader, call, "x");
  const auto y = tensor_argument(reader, call, "y");
  if (!x || !y) return {};
  ir::Attrs attrs;
  Shape shape;
  const auto values = alike(reader, call.node, {*x, *y}, attrs.dtype, shape);
  if (!values) return {};
  const auto kind = reader.types().class_of(attrs.dtype);
  if (kind && *kind != ScalarClass::Float) return refuse_dtype(reader, call, "float32 or float64", *x);
  const ir::TypeId type = reader.types().tile(attrs.dtype, shape);
  return ir_val(emit(reader, call.node, call.builtin->op, *values, type, std::move(attrs)));
}

Val read_fma(Reader& reader, const Call& call) {
  std::vector<ValueId> given;
  for (const std::string_view name : {"x", "y", "z"}) {
    const auto value = tensor_argument(reader, call, name);
    if (!value) return {};
    given.push_back(*value);
  }
  ir::Attrs attrs;
  Shape shape;
  const auto values = alike(reader, call.node, given, attrs.dtype, shape);
  if (!values) return {};
  return ir_val(emit(reader, call.node, OpKind::Fma, *values, reader.types().tile(attrs.dtype, shape), std::move(attrs)));
}

Val read_mul_high(Reader& reader, const Call& call) {
  const auto x = tensor_argument(reader, call, "x");
  const auto y = tensor_argument(reader, call, "y");
  if (!x || !y) return {};
  ir::Attrs attrs;
  Shape shape;
  const auto values = alike(reader, call.node, {*x, *y}, attrs.dtype, shape);
  if (!values) return {};
  if (reader.types().class_of(attrs.dtype) == ScalarClass::Float) return refuse_dtype(reader, call, "integers", *x);
  return ir_val(emit(reader, call.node, OpKind::MulHigh, *values, reader.types().tile(attrs.dtype, shape), std::move(attrs)));
}

Val read_where(Reader& reader, const Call& call) {
  const auto given = as_number(reader, call.at("condition"), call.value("condition"), "the condition");
  const auto x = as_number(reader, call.at("x"), call.value("x"), "a value");
  const auto y = as_number(reader, call.at("y"), call.value("y"), "a value");
  if (!given || !x || !y) return {};
  const ir::DtypeId boolean = reader.types().known(ir::Scalar::Bool);
  const ValueId condition = is_const(reader, *given) ? as_tensor(reader, call.at("condition"), *given, boolean)
                                                     : converted(reader, call.at("condition"), *given, boolean);
  ir::Attrs attrs;
  if (is_pointer(reader, *x) && is_pointer(reader, *y)) {
    attrs.dtype = type_of(reader, *x).dtype;
  } else if (is_pointer(reader, *x) || is_pointer(reader, *y)) {
    // The other one is a pointer too, if a parameter.
    const ValueId other = is_pointer(reader, *x) ? *y : *x;
    as_pointer(reader, call.node, ir_val(other), "a value beside a pointer");
    return {};
  } else {
    const auto dtype = is_const(reader, *x) && is_const(reader, *y)
                           ? std::optional(reader.types().common(dtype_of(reader, *x), dtype_of(reader, *y)))
                           : adapting_dtype(reader, call.node, *x, *y);
    if (!dtype) return {};
    attrs.dtype = *dtype;
  }
  const ValueId a = converted(reader, call.at("x"), *x, attrs.dtype);
  const ValueId b = converted(reader, call.at("y"), *y, attrs.dtype);
  const auto values_shape = broadcast(reader, call.node, shape_of(reader, a), shape_of(reader, b));
  const auto shape = values_shape ? broadcast(reader, call.node, shape_of(reader, condition), *values_shape) : std::nullopt;
  if (!shape) return {};
  return ir_val(
      emit(reader, call.node, OpKind::Where, {condition, a, b}, reader.types().tile(attrs.dtype, *shape), std::move(attrs)));
}

Val read_cast(Reader& reader, const Call& call) {
  const auto x = as_number(reader, call.at("input"), call.value("input"), "what is converted");
  if (!x) return {};
  const auto dtype = dtype_argument(reader, call.at("dtype"), call.value("dtype"), "the dtype");
  const auto rounding = as_string(reader, call, "fp_downcast_rounding");
  const auto bits = as_flag(reader, call, "bitcast", false);
  if (!dtype || !rounding || !bits) return {};
  ir::Attrs attrs;
  attrs.dtype = *dtype;
  if (call.builtin->set == BuiltinSet::TileMethod) attrs.spelling = ir::Spelling::Method;
  if (*rounding == "rtz") {
    attrs.rounding = ir::Rounding::Zero;
  } else if (!rounding->empty() && *rounding != "rtne") {
    return error(reader, call.at("fp_downcast_rounding"), messages::bad_option, "fp_downcast_rounding", "`rtne` or `rtz`",
                 "\"" + *rounding + "\"");
  }
  if (is_const(reader, *x)) return ir_val(as_tensor(reader, call.node, *x, *dtype));
  const bool to_pointer = reader.types().is_pointer(*dtype);
  if (to_pointer && !is_pointer(reader, *x)) {
    // An address that is a number, or a parameter that is a pointer.
    if (const auto parameter = kernel_parameter(reader, ir_val(*x))) {
      if (reader.types()[type_of(reader, *x).dtype].kind == ir::DtypeKind::Argument) {
        reader.knowledge[*parameter].kind = Knowledge::Kind::Pointer;
        reader.learned = true;
        return {};
      }
    }
  }
  const ir::Type from = type_of(reader, *x);
  if (from.dtype == *dtype) return ir_val(*x);
  const auto a = reader.types().scalar_of(from.dtype);
  const auto b = reader.types().scalar_of(*dtype);
  if (*bits && a && b && ir::bits_of(*a) != ir::bits_of(*b))
    return error(reader, call.node, messages::bad_bitcast,
                 std::string("the widths of ") + ir::name_of(*a) + " and " + ir::name_of(*b) + " differ");
  const OpKind kind = *bits && !to_pointer && !is_pointer(reader, *x) ? OpKind::Bitcast : OpKind::Cast;
  return ir_val(emit(reader, call.node, kind, {*x}, reader.types().tile(*dtype, from.shape), std::move(attrs)));
}

// (x + (div - 1)) // div, whatever the signs.
Val read_cdiv(Reader& reader, const Call& call) {
  const auto x = as_number(reader, call.at("x"), call.value("x"), "an operand of `cdiv`");
  const auto d = as_number(reader, call.at("div"), call.value("div"), "an operand of `cdiv`");
  if (!x || !d) return {};
  if (is_const(reader, *x) && is_const(reader, *d)) return fold(reader, call.node, OpKind::CeilDiv, *x, *d, {});
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Library;
  const Val less = binary(reader, call.node, OpKind::Sub, ir_val(*d), ir_val(integer(reader, call.node, 1)), attrs);
  if (less.poison()) return {};
  const Val sum = binary(reader, call.node, OpKind::Add, ir_val(*x), less, attrs);
  return sum.poison() ? Val{} : binary(reader, call.node, OpKind::FloorDiv, sum, ir_val(*d), attrs);
}

namespace {

// 1 / (1 + exp(-x)) and the like are read as Triton's library writes them.
Val exponential(Reader& reader, const Call& call, ValueId x) {
  const auto scalar = reader.types().scalar_of(dtype_of(reader, x));
  if (scalar && *scalar != ir::Scalar::F32 && *scalar != ir::Scalar::F64)
    return refuse_dtype(reader, call, "float32 or float64", x);
  return ir_val(elementwise(reader, call.node, OpKind::Exp, x));
}

}  // namespace

Val read_sigmoid(Reader& reader, const Call& call) {
  const auto x = tensor_argument(reader, call, "x");
  if (!x) return {};
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Library;
  const Val one = ir_val(integer(reader, call.node, 1));
  const Val minus = binary(reader, call.node, OpKind::Sub, ir_val(integer(reader, call.node, 0)), ir_val(*x), attrs);
  const Val power = minus.poison() ? Val{} : exponential(reader, call, minus.value);
  const Val sum = power.poison() ? Val{} : binary(reader, call.node, OpKind::Add, one, power, attrs);
  return sum.poison() ? Val{} : binary(reader, call.node, OpKind::TrueDiv, one, sum, attrs);
}

Val read_softmax(Reader& reader, const Call& call) {
  const auto x = tensor_argument(reader, call, "x");
  if (!x) return {};
  const auto rank = static_cast<uint32_t>(shape_of(reader, *x).size());
  uint32_t axis = 0;
  if (call.given("dim")) {
    const auto given = as_axis(reader, call.at("dim"), call.value("dim"), rank);
    if (!given) return {};
    axis = *given;
  }
  // Triton takes the row's maximum and sum without keeping the axis, unless it is told to: the shapes must fit all the same.
  const auto keep = as_flag(reader, call, "keep_dims", false);
  if (!keep) return {};
  const ir::DtypeId wide = reader.types().widened(dtype_of(reader, *x), ir::Widening::Extreme);
  const ValueId most = reduced(reader, call.node, converted(reader, call.node, *x, wide), ir::Reduction::Max, axis, *keep);
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Library;
  const Val z = binary(reader, call.node, OpKind::Sub, ir_val(*x), ir_val(most), attrs);
  const Val power = z.poison() ? Val{} : exponential(reader, call, z.value);
  if (power.poison()) return {};
  const ValueId sum = reduced(reader, call.node, power.value, ir::Reduction::Sum, axis, *keep);
  return binary(reader, call.node, OpKind::TrueDiv, power, ir_val(sum), attrs);
}

Val read_swizzle2d(Reader& reader, const Call& call) {
  const auto calculate = [&](OpKind kind, const Val& a, const Val& b) {
    ir::Attrs attrs;
    attrs.spelling = ir::Spelling::Library;
    return a.poison() || b.poison() ? Val{} : binary(reader, call.node, kind, a, b, std::move(attrs));
  };
  const Val& size_j = call.value("size_j");
  const Val ij = calculate(OpKind::Add, calculate(OpKind::Mul, call.value("i"), size_j), call.value("j"));
  const Val group = calculate(OpKind::Mul, call.value("size_g"), size_j);
  const Val first = calculate(OpKind::Mul, calculate(OpKind::FloorDiv, ij, group), call.value("size_g"));
  const Val left = calculate(OpKind::Sub, call.value("size_i"), first);
  if (first.poison() || left.poison()) return {};
  const auto x = as_number(reader, call.node, left, "the rows that are left");
  const auto y = as_number(reader, call.at("size_g"), call.value("size_g"), "the size of a group");
  if (!x || !y) return {};
  const auto dtype = common_dtype(reader, call.node, *x, *y, Numbers::AreTensors);
  if (!dtype) return {};
  ir::Attrs attrs;
  attrs.dtype = *dtype;
  attrs.spelling = ir::Spelling::Library;
  const ValueId rows = emit(reader, call.node, OpKind::Min,
                            {converted(reader, call.node, as_tensor(reader, call.node, *x), *dtype),
                             converted(reader, call.node, as_tensor(reader, call.node, *y), *dtype)},
                            reader.types().tile(*dtype, {}), attrs);
  const Val within = calculate(OpKind::FloorMod, ij, group);
  const Val new_i = calculate(OpKind::Add, first, calculate(OpKind::FloorMod, within, ir_val(rows)));
  const Val new_j = calculate(OpKind::FloorDiv, within, ir_val(rows));
  return new_i.poison() || new_j.poison() ? Val{} : tuple_val({new_i, new_j});
}

}  // namespace tilewright::front::triton
