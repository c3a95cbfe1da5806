// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operators: common dtypes and conversions (cutile.md, 3.9 and 4).

#include <algorithm>

#include "front/common/arithmetic.h"
#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::ScalarClass;
using ir::TypeKind;
using ir::ValueId;
using Shape = std::vector<sym::ExprId>;

namespace {

bool is_loose(const Reader& reader, ValueId value) {
  const ir::Type& type = type_of(reader, value);
  return (type.kind == TypeKind::Const && !type.strict) || reader.frame->loose.contains(value);
}

bool restricted(Reader& reader, ValueId value) { return class_of(reader, value) == ScalarClass::Restricted; }

}  // namespace

std::optional<ValueId> store_cast(Reader& reader, NodeId node, NodeId value_node, ValueId value, ir::DtypeId dtype,
                                  std::string_view what) {
  const ir::Type type = type_of(reader, value);
  const auto refuse = [&](std::string_view from) {
    error_with(reader, value_node, "convert it: `.astype(…)`", messages::narrowing, what, from, dtype_text(reader, dtype));
    return std::nullopt;
  };
  const auto to = reader.types().class_of(dtype);
  if (type.kind == TypeKind::Const && !type.strict) {
    if (to) {
      const auto known = reader.arena().literal_of(type.value);
      const bool fits_bool = known && std::visit([](auto v) { return v == 0 || v == 1; }, *known);
      const bool allowed = *to == ScalarClass::Float || *to == ScalarClass::Restricted ||
                           (*to == ScalarClass::Bool ? type.loose != ir::LooseKind::Float && (!known || fits_bool)
                                                     : type.loose != ir::LooseKind::Float);
      if (!allowed) return refuse("a constant " + std::string(type.loose == ir::LooseKind::Float ? "float" : "int"));
      if (*to != ScalarClass::Bool && !check_range(reader, value_node, value, dtype)) return std::nullopt;
    }
    return value;
  }
  const ir::DtypeId from = own_dtype(reader, value);
  if (from == dtype) return value;
  const auto source = reader.types().scalar_of(from);
  const auto target = reader.types().scalar_of(dtype);
  if (source && target) {
    if (ir::promoted(*source, *target) != target) return refuse(ir::name_of(*source));
  } else {
    const auto kind = reader.types().class_of(from);
    const auto category = [](ScalarClass c) { return static_cast<int>(loose_of(c)); };
    if (kind && to && category(*kind) > category(*to)) return refuse(dtype_text(reader, from));
  }
  return type.kind == TypeKind::Const ? value : implicit_cast(reader, node, value, dtype);
}

ir::DtypeId number_dtype(Reader& reader, const ir::Type& type) {
  switch (type.loose) {
    case ir::LooseKind::Bool: return reader.types().known(ir::Scalar::Bool);
    case ir::LooseKind::Int: {
      const auto known = reader.arena().integer_of(type.value);
      const bool wide = known && (*known > INT32_MAX || *known < INT32_MIN);
      return reader.types().known(wide ? ir::Scalar::I64 : ir::Scalar::I32);
    }
    case ir::LooseKind::Float: return reader.types().known(ir::Scalar::F32);
  }
  return type.dtype;
}

std::optional<ir::DtypeId> common_dtype(Reader& reader, NodeId node, ValueId a, ValueId b) {
  ir::Types& types = reader.types();
  const ir::Type x = type_of(reader, a);
  const ir::Type y = type_of(reader, b);
  const bool loose_a = x.kind == TypeKind::Const && !x.strict;
  const bool loose_b = y.kind == TypeKind::Const && !y.strict;
  if (loose_a && loose_b) {
    const ir::DtypeId da = own_dtype(reader, a);
    const ir::DtypeId db = own_dtype(reader, b);
    return types.promote(da, db);
  }
  if (loose_a || loose_b) {
    const ValueId constant = loose_a ? a : b;
    const ValueId typed = loose_a ? b : a;
    const ir::DtypeId dtype = own_dtype(reader, typed);
    ir::DtypeId result = types.adapt(dtype, type_of(reader, constant).loose);
    // An int that meets a bool is as wide as it must be.
    if (types.class_of(dtype) == ScalarClass::Bool && type_of(reader, constant).loose == ir::LooseKind::Int)
      result = own_dtype(reader, constant);
    if (!check_range(reader, node, constant, result)) return std::nullopt;
    return result;
  }
  const ir::DtypeId da = own_dtype(reader, a);
  const ir::DtypeId db = own_dtype(reader, b);
  const auto scalar_a = types.scalar_of(da);
  const auto scalar_b = types.scalar_of(db);
  if (scalar_a && scalar_b && !ir::promoted(*scalar_a, *scalar_b)) {
    error_with(reader, node, "convert one of them: `.astype(…)`", messages::no_common_dtype, ir::name_of(*scalar_a),
               ir::name_of(*scalar_b));
    return std::nullopt;
  }
  const auto class_a = types.class_of(da);
  const auto class_b = types.class_of(db);
  const auto integer_mix = [](auto p, auto q) { return p == ScalarClass::Signed && q == ScalarClass::Unsigned; };
  if (class_a && class_b && (integer_mix(*class_a, *class_b) || integer_mix(*class_b, *class_a))) {
    error_with(reader, node, "convert one of them: `.astype(…)`", messages::no_common_dtype, dtype_text(reader, da),
               dtype_text(reader, db));
    return std::nullopt;
  }
  // A value that is a plain number in some launches: the dtype must come out the same.
  for (const auto& [maybe, other] : {std::pair{a, b}, std::pair{b, a}}) {
    if (!reader.frame->loose.contains(maybe)) continue;
    const auto kind = types.class_of(own_dtype(reader, maybe));
    const ir::DtypeId other_dtype = own_dtype(reader, other);
    const bool both = reader.frame->loose.contains(other);
    if (both || !kind) continue;
    if (types.adapt(other_dtype, loose_of(*kind)) == types.promote(da, db)) continue;
    error_with(reader, node, "give it a dtype where it is a constant: `ct.float32(…)`", messages::unsettled_loose,
               reader.tree().text(node));
    return std::nullopt;
  }
  return types.promote(da, db);
}

Val binary(Reader& reader, NodeId node, OpKind kind, const Val& left, const Val& right, ir::Attrs attrs) {
  const auto a = as_number(reader, node, left, "an operand of `" + std::string(symbol_of(kind)) + "`");
  const auto b = as_number(reader, node, right, "an operand of `" + std::string(symbol_of(kind)) + "`");
  if (!a || !b) return {};
  if (is_const(reader, *a) && is_const(reader, *b)) return fold(reader, node, kind, *a, *b, std::move(attrs));

  const std::string_view symbol = symbol_of(kind);
  for (const ValueId operand : {*a, *b}) {
    if (!restricted(reader, operand)) continue;
    return error_with(reader, node, "convert it first: `.astype(ct.float32)`", messages::restricted_arithmetic, symbol,
                      dtype_text(reader, own_dtype(reader, operand)));
  }
  if (is_bitwise(kind) || is_shift(kind)) {
    for (const ValueId operand : {*a, *b}) {
      learn_integer(reader, operand);
      const auto operand_class = class_of(reader, operand);
      if (operand_class == ScalarClass::Float)
        return error(reader, node, messages::bit_operands, symbol, is_shift(kind) ? "integers" : "integers or bools");
      if (is_shift(kind) && operand_class == ScalarClass::Bool)
        return error(reader, node, messages::bit_operands, symbol, "integers, a bool is none");
    }
  }
  const auto dtype = common_dtype(reader, node, *a, *b);
  if (!dtype) return {};
  ir::DtypeId computed = *dtype;
  const auto computed_class = reader.types().class_of(computed);
  if (is_bitwise(kind)) {
    for (const ValueId operand : {*a, *b}) {
      if (is_loose(reader, operand)) continue;
      const ir::DtypeId own = own_dtype(reader, operand);
      const bool certain = reader.types().scalar_of(own) && reader.types().scalar_of(computed);
      if (certain && own != computed) {
        return error(reader, node, messages::bit_operands, symbol,
                     "two values of one dtype, not " + dtype_text(reader, own_dtype(reader, *a)) + " and " +
                         dtype_text(reader, own_dtype(reader, *b)));
      }
    }
  } else if (computed_class == ScalarClass::Bool) {
    return error_with(reader, node, "use `&`, `|` or `^`, or convert to int", messages::bool_arithmetic, symbol);
  }
  if (kind == OpKind::TrueDiv) computed = reader.types().float_of(computed);
  if (kind == OpKind::Pow && reader.types().class_of(computed) && reader.types().class_of(computed) != ScalarClass::Float) {
    return error_with(reader, node, "cuTile cannot compile it either: multiply, or convert to a float", messages::wrong_dtype,
                      "**", "a float base or exponent", dtype_text(reader, computed));
  }
  const auto shape = broadcast(reader, node, shape_of(reader, *a), shape_of(reader, *b));
  if (!shape) return {};
  const bool loose = (is_loose(reader, *a) && is_loose(reader, *b));
  const ValueId x = implicit_cast(reader, node, *a, computed);
  const ValueId y = implicit_cast(reader, node, *b, computed);
  attrs.dtype = computed;
  const ValueId result = emit(reader, node, kind, {x, y}, reader.types().tile(computed, *shape), std::move(attrs));
  if (loose) reader.frame->loose.insert(result);
  return ir_val(result);
}

Val compare(Reader& reader, NodeId node, OpKind kind, const Val& left, const Val& right) {
  const std::string what = "an operand of `" + std::string(symbol_of(kind)) + "`";
  const auto a = as_number(reader, node, left, what);
  const auto b = as_number(reader, node, right, what);
  if (!a || !b) return {};
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Operator;
  if (is_const(reader, *a) && is_const(reader, *b)) return fold(reader, node, kind, *a, *b, std::move(attrs));
  const auto dtype = common_dtype(reader, node, *a, *b);
  if (!dtype) return {};
  const auto shape = broadcast(reader, node, shape_of(reader, *a), shape_of(reader, *b));
  if (!shape) return {};
  const ValueId x = implicit_cast(reader, node, *a, *dtype);
  const ValueId y = implicit_cast(reader, node, *b, *dtype);
  attrs.dtype = *dtype;
  return ir_val(emit(reader, node, kind, {x, y}, bool_type(reader, *shape), std::move(attrs)));
}

Val unary(Reader& reader, NodeId node, OpKind kind, const Val& operand, ir::Attrs attrs) {
  const std::string_view name = kind == OpKind::Neg ? "-" : kind == OpKind::BitNot ? "~" : ir::info(kind).text;
  const auto value = as_number(reader, node, operand, "the operand of `" + std::string(name) + "`");
  if (!value) return {};
  if (is_const(reader, *value)) return fold(reader, node, kind, *value, std::move(attrs));
  const ir::Type type = type_of(reader, *value);
  const auto kind_of = reader.types().class_of(type.dtype);
  ir::DtypeId dtype = type.dtype;
  if (kind == OpKind::Abs) {
    // keeps its dtype
  } else if (kind == OpKind::Neg) {
    dtype = reader.types().count_of(dtype);
  } else if (kind == OpKind::BitNot) {
    if (kind_of == ScalarClass::Float || kind_of == ScalarClass::Restricted)
      return error(reader, node, messages::bit_operands, "~", "an integer or a bool");
    learn_integer(reader, *value);
  } else if (kind == OpKind::Floor || kind == OpKind::Ceil || kind == OpKind::IsNan) {
    if (kind_of && *kind_of != ScalarClass::Float && *kind_of != ScalarClass::Restricted) {
      return error(reader, node, messages::wrong_dtype, name, "a float", dtype_text(reader, dtype));
    }
  } else {
    dtype = reader.types().float_of(dtype);
  }
  const bool loose = reader.frame->loose.contains(*value);
  const ValueId x = implicit_cast(reader, node, *value, dtype);
  attrs.dtype = dtype;
  const ir::TypeId result_type = kind == OpKind::IsNan ? bool_type(reader, type.shape) : reader.types().tile(dtype, type.shape);
  const ValueId result = emit(reader, node, kind, {x}, result_type, std::move(attrs));
  if (loose) reader.frame->loose.insert(result);
  return ir_val(result);
}

}  // namespace tilewright::front::cutile
