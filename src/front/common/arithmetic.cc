// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Calculation with constants, as Python does it.

#include "front/common/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "front/common/dialect.h"
#include "ir/constants.h"

namespace tilewright::front {

using ir::OpKind;
using ir::ScalarClass;
using ir::TypeKind;
using ir::ValueId;

namespace {

struct Spelled {
  OpKind kind;
  std::string_view symbol;
  sym::ExprKind folded;
};

constexpr Spelled operators[] = {
    {OpKind::Add, "+", sym::ExprKind::Add},
    {OpKind::Sub, "-", sym::ExprKind::Sub},
    {OpKind::Mul, "*", sym::ExprKind::Mul},
    {OpKind::TrueDiv, "/", sym::ExprKind::TrueDiv},
    {OpKind::FloorDiv, "//", sym::ExprKind::FloorDiv},
    {OpKind::FloorMod, "%", sym::ExprKind::Mod},
    {OpKind::CeilDiv, "cdiv", sym::ExprKind::CeilDiv},
    {OpKind::Pow, "**", sym::ExprKind::Pow},
    {OpKind::Min, "min", sym::ExprKind::Min},
    {OpKind::Max, "max", sym::ExprKind::Max},
    {OpKind::BitAnd, "&", sym::ExprKind::BitAnd},
    {OpKind::BitOr, "|", sym::ExprKind::BitOr},
    {OpKind::BitXor, "^", sym::ExprKind::BitXor},
    {OpKind::Shl, "<<", sym::ExprKind::Shl},
    {OpKind::Shr, ">>", sym::ExprKind::Shr},
    {OpKind::CmpEq, "==", sym::ExprKind::Eq},
    {OpKind::CmpNe, "!=", sym::ExprKind::Ne},
    {OpKind::CmpLt, "<", sym::ExprKind::Lt},
    {OpKind::CmpLe, "<=", sym::ExprKind::Le},
    {OpKind::CmpGt, ">", sym::ExprKind::Gt},
    {OpKind::CmpGe, ">=", sym::ExprKind::Ge},
};

const Spelled* spelled(OpKind kind) {
  const auto at = std::find_if(std::begin(operators), std::end(operators), [&](const Spelled& row) { return row.kind == kind; });
  return at == std::end(operators) ? nullptr : at;
}

}  // namespace

std::string_view symbol_of(OpKind kind) {
  const Spelled* row = spelled(kind);
  return row ? row->symbol : ir::info(kind).text;
}

bool is_comparison(OpKind kind) { return kind >= OpKind::CmpEq && kind <= OpKind::CmpGe; }
bool is_bitwise(OpKind kind) { return kind == OpKind::BitAnd || kind == OpKind::BitOr || kind == OpKind::BitXor; }
bool is_shift(OpKind kind) { return kind == OpKind::Shl || kind == OpKind::Shr; }

ir::LooseKind loose_of(ScalarClass kind) {
  switch (kind) {
    case ScalarClass::Bool: return ir::LooseKind::Bool;
    case ScalarClass::Unsigned:
    case ScalarClass::Signed: return ir::LooseKind::Int;
    case ScalarClass::Float:
    case ScalarClass::Restricted: return ir::LooseKind::Float;
  }
  return ir::LooseKind::Int;
}

bool check_range(Reader& reader, NodeId node, ValueId value, ir::DtypeId dtype) {
  const ir::Type& type = type_of(reader, value);
  const auto scalar = reader.types().scalar_of(dtype);
  if (type.kind != TypeKind::Const || !scalar) return true;
  const auto known = reader.arena().integer_of(type.value);
  if (!known || ir::holds(*scalar, *known)) return true;
  error_with(reader, node, std::string(reader.dialect.on_wide_constants), messages::out_of_range, std::to_string(*known),
             ir::name_of(*scalar));
  return false;
}

std::optional<sym::Value> value_in(Reader& reader, NodeId node, const ir::Type& constant, ir::Scalar scalar) {
  auto value = reader.arena().literal_of(constant.value);
  if (!value) return std::nullopt;
  if (!constant.strict && std::holds_alternative<double>(*value)) value = ir::constant_of(ir::Scalar::F32, *value);
  const auto converted = ir::constant_of(scalar, *value);
  if (!converted) {
    error(reader, node, messages::unconverted_argument,
          "the constant " + reader.arena().text(constant.value) + " as " + ir::name_of(scalar));
  }
  return converted;
}

namespace {

// A constant of a dtype, after each operation: the value that the dtype holds.
sym::ExprId held(Reader& reader, sym::ExprId value, ir::DtypeId dtype) {
  const auto known = reader.arena().literal_of(value);
  const auto scalar = reader.types().scalar_of(dtype);
  if (!known || !scalar) return value;
  const auto kept = ir::constant_of(*scalar, *known);
  return kept ? reader.arena().literal(*kept) : value;
}

}  // namespace

Val fold(Reader& reader, NodeId node, OpKind kind, ValueId a, ValueId b, ir::Attrs attrs) {
  const ir::Type x = type_of(reader, a);
  const ir::Type y = type_of(reader, b);
  const Spelled* expression = spelled(kind);
  if (!expression)
    return error(reader, node, messages::unconverted_argument, "`" + std::string(symbol_of(kind)) + "` of two constants");
  const bool bits = is_bitwise(kind) || is_shift(kind);
  const auto is_float = [](const ir::Type& type) { return type.loose == ir::LooseKind::Float; };
  if (bits && (is_float(x) || is_float(y)))
    return error(reader, node, messages::bit_operands, symbol_of(kind), "integers or bools");
  const bool strict = x.strict || y.strict;
  sym::ExprId left_value = x.value;
  sym::ExprId right_value = y.value;
  if (strict) {
    const auto dtype = reader.dialect.common_dtype(reader, node, a, b);
    if (!dtype) return {};
    attrs.dtype = kind == OpKind::TrueDiv ? reader.types().float_of(*dtype) : *dtype;
    for (const auto& [type, value] : {std::pair{&x, &left_value}, std::pair{&y, &right_value}}) {
      const auto scalar = reader.types().scalar_of(attrs.dtype);
      if (!scalar || !reader.arena().literal_of(type->value)) continue;
      const auto converted = value_in(reader, node, *type, *scalar);
      if (!converted) return {};
      *value = reader.arena().literal(*converted);
    }
  }
  // `&` and `|` of bools are `and` and `or`.
  const bool logical =
      x.loose == ir::LooseKind::Bool && y.loose == ir::LooseKind::Bool && (kind == OpKind::BitAnd || kind == OpKind::BitOr);
  const sym::ExprKind folded = !logical ? expression->folded : kind == OpKind::BitAnd ? sym::ExprKind::And : sym::ExprKind::Or;
  sym::ExprId value = reader.arena().make(folded, {left_value, right_value});
  const auto left = reader.arena().literal_of(left_value);
  const auto right = reader.arena().literal_of(right_value);
  if (left && right && !reader.arena().literal_of(value)) {
    const bool division =
        kind == OpKind::TrueDiv || kind == OpKind::FloorDiv || kind == OpKind::FloorMod || kind == OpKind::CeilDiv;
    const bool zero = std::visit([](auto v) { return v == decltype(v){}; }, *right);
    return error(reader, node, messages::bad_folding,
                 division && zero ? "division by zero"
                                  : "`" + std::string(reader.tree().text(node)) + "` cannot be calculated in 64 bits");
  }
  if (strict && !is_comparison(kind)) value = held(reader, value, attrs.dtype);
  ir::LooseKind loose = ir::LooseKind::Int;
  if (is_comparison(kind)) {
    loose = ir::LooseKind::Bool;
  } else if (const auto known = reader.arena().literal_of(value)) {
    loose = std::holds_alternative<bool>(*known)      ? ir::LooseKind::Bool
            : std::holds_alternative<int64_t>(*known) ? ir::LooseKind::Int
                                                      : ir::LooseKind::Float;
  } else if (is_float(x) || is_float(y) || kind == OpKind::TrueDiv) {
    loose = ir::LooseKind::Float;
  } else if (is_bitwise(kind) && x.loose == ir::LooseKind::Bool && y.loose == ir::LooseKind::Bool) {
    loose = ir::LooseKind::Bool;
  } else if ((kind == OpKind::Min || kind == OpKind::Max) && x.loose == y.loose) {
    loose = x.loose;
  }
  const bool typed = strict && !is_comparison(kind);
  const ir::TypeId type =
      typed ? reader.types().strict_constant(attrs.dtype, loose, value) : reader.types().constant(loose, value);
  return ir_val(emit(reader, node, kind, {a, b}, type, std::move(attrs)));
}

namespace {

std::optional<double> fold_unary(OpKind kind, double x) {
  double y = 0;
  if (kind == OpKind::Exp)
    y = std::exp(x);
  else if (kind == OpKind::Exp2)
    y = std::exp2(x);
  else if (kind == OpKind::Log)
    y = std::log(x);
  else if (kind == OpKind::Log2)
    y = std::log2(x);
  else if (kind == OpKind::Sqrt)
    y = std::sqrt(x);
  else if (kind == OpKind::Rsqrt)
    y = 1 / std::sqrt(x);
  else if (kind == OpKind::Sin)
    y = std::sin(x);
  else if (kind == OpKind::Cos)
    y = std::cos(x);
  else if (kind == OpKind::Tan)
    y = std::tan(x);
  else if (kind == OpKind::Sinh)
    y = std::sinh(x);
  else if (kind == OpKind::Cosh)
    y = std::cosh(x);
  else if (kind == OpKind::Tanh)
    y = std::tanh(x);
  else
    return std::nullopt;
  if (std::isnan(y) && !std::isnan(x)) return std::nullopt;
  const bool pole = (kind == OpKind::Log || kind == OpKind::Log2 || kind == OpKind::Rsqrt) && x == 0;
  return pole ? std::nullopt : std::optional(y);
}

}  // namespace

Val fold(Reader& reader, NodeId node, OpKind kind, ValueId value, ir::Attrs attrs) {
  const ir::Type type = type_of(reader, value);
  sym::Arena& arena = reader.arena();
  const std::string_view name = ir::info(kind).text;
  const auto made = [&](ir::LooseKind loose, sym::ExprId result) {
    ir::TypeId made_type = reader.types().constant(loose, result);
    if (type.strict && kind != OpKind::IsNan) {
      const ir::DtypeId dtype = loose == ir::LooseKind::Float ? reader.types().float_of(type.dtype) : type.dtype;
      made_type = reader.types().strict_constant(dtype, loose, held(reader, result, dtype));
    }
    return ir_val(emit(reader, node, kind, {value}, made_type, std::move(attrs)));
  };
  const ir::LooseKind number = type.loose == ir::LooseKind::Bool ? ir::LooseKind::Int : type.loose;
  if (kind == OpKind::Neg) return made(number, arena.make(sym::ExprKind::Neg, {type.value}));
  if (kind == OpKind::Abs) {
    if (const auto known = arena.literal_of(type.value)) {
      const bool negative = std::visit([](auto v) { return v < decltype(v){}; }, *known);
      return made(number, negative ? arena.make(sym::ExprKind::Neg, {type.value}) : type.value);
    }
    return made(number, arena.make(sym::ExprKind::Max, {type.value, arena.make(sym::ExprKind::Neg, {type.value})}));
  }
  if (kind == OpKind::BitNot) {
    if (type.loose == ir::LooseKind::Float) return error(reader, node, messages::bit_operands, "~", "an integer or a bool");
    if (type.loose == ir::LooseKind::Bool) return made(ir::LooseKind::Bool, arena.make(sym::ExprKind::Not, {type.value}));
    return made(ir::LooseKind::Int, arena.make(sym::ExprKind::Invert, {type.value}));
  }
  const auto known = arena.literal_of(type.value);
  if (!known) {
    return error_with(reader, node, "calculate it on the host and pass it, or use it with a tile", messages::unconverted_argument,
                      "`" + std::string(name) + "` of a constant of the launch");
  }
  const double x = std::visit([](auto v) { return static_cast<double>(v); }, *known);
  if (kind == OpKind::Floor || kind == OpKind::Ceil) {
    const double y = kind == OpKind::Floor ? std::floor(x) : std::ceil(x);
    if (!(std::abs(y) < 0x1p62))
      return error(reader, node, messages::bad_folding, "`" + std::string(name) + "` of this constant is no integer");
    if (type.strict) return made(ir::LooseKind::Float, arena.literal(y));
    return made(ir::LooseKind::Int, arena.integer(static_cast<int64_t>(y)));
  }
  if (kind == OpKind::IsNan) return made(ir::LooseKind::Bool, arena.literal(std::isnan(x)));
  const auto y = fold_unary(kind, x);
  if (!y)
    return error(reader, node, messages::bad_folding, "`" + std::string(name) + "` is not defined for " + arena.text(type.value));
  return made(ir::LooseKind::Float, arena.literal(*y));
}

}  // namespace tilewright::front
