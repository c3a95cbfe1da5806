// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operators: common dtypes, broadcasting, folding, conversions (cutile.md, 3.9 and 4).

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "front/cutile/builtins.h"
#include "front/cutile/reader.h"
#include "ir/constants.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::ScalarClass;
using ir::TypeKind;
using ir::ValueId;
using Shape = std::vector<sym::ExprId>;

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

// A constant that adapts to an integer dtype must fit.
bool check_range(Reader& reader, NodeId node, ValueId value, ir::DtypeId dtype) {
  const ir::Type& type = type_of(reader, value);
  const auto scalar = reader.types().scalar_of(dtype);
  if (type.kind != TypeKind::Const || !scalar) return true;
  const auto known = reader.arena().integer_of(type.value);
  if (!known || ir::holds(*scalar, *known)) return true;
  error_with(reader, node, "make it of another dtype: `ct.int64(…)`", messages::out_of_range, std::to_string(*known),
             ir::name_of(*scalar));
  return false;
}

// What a constant is where it meets a dtype: nullopt if only a launch says it, or after an error. A plain float is a float32
// first.
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

// A constant of a dtype, after each operation: the value that the dtype holds.
sym::ExprId held(Reader& reader, sym::ExprId value, ir::DtypeId dtype) {
  const auto known = reader.arena().literal_of(value);
  const auto scalar = reader.types().scalar_of(dtype);
  if (!known || !scalar) return value;
  const auto kept = ir::constant_of(*scalar, *known);
  return kept ? reader.arena().literal(*kept) : value;
}

// Two constants: Python calculates.
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
    const auto dtype = common_dtype(reader, node, a, b);
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

bool is_loose(const Reader& reader, ValueId value) {
  const ir::Type& type = type_of(reader, value);
  return (type.kind == TypeKind::Const && !type.strict) || reader.frame->loose.contains(value);
}

bool restricted(Reader& reader, ValueId value) { return class_of(reader, value) == ScalarClass::Restricted; }

}  // namespace

bool same_extent(Reader& reader, sym::ExprId a, sym::ExprId b) {
  if (a == b) return true;
  const auto x = reader.arena().integer_of(a);
  const auto y = reader.arena().integer_of(b);
  if (x && y) return *x == *y;
  const sym::ExprId equal = reader.arena().make(sym::ExprKind::Eq, {a, b});
  const auto known = truth(reader, equal);
  if (known) return *known;
  assume_of_launch(reader, equal);
  return true;
}

void assume_of_launch(Reader& reader, sym::ExprId condition) {
  // Under constant conditions it is only needed where they hold. A conjunction was entered together with its parts.
  sym::ExprId needed = condition;
  for (const Frame* frame : reader.stack) {
    for (const auto& [given, holds] : frame->assumptions) {
      const sym::ExprKind kind = reader.arena()[given].kind;
      if (kind == sym::ExprKind::Not || kind == (holds ? sym::ExprKind::And : sym::ExprKind::Or)) continue;
      const sym::ExprId missed = holds ? reader.arena().make(sym::ExprKind::Not, {given}) : given;
      needed = reader.arena().make(sym::ExprKind::Or, {missed, needed});
    }
  }
  reader.kernel->assumes.push_back(needed);
}

namespace {

std::optional<sym::ExprId> broadcast_extent(Reader& reader, sym::ExprId x, sym::ExprId y) {
  const sym::ExprId one = reader.arena().integer(1);
  const auto is_one = [&](sym::ExprId extent) {
    return extent == one ||
           (!reader.frame->assumptions.empty() && truth(reader, reader.arena().make(sym::ExprKind::Eq, {extent, one})) == true);
  };
  if (x == y || is_one(y)) return x;
  if (is_one(x)) return y;
  // A row in some launches only: each side for itself.
  for (const auto& [split, other] : {std::pair{x, y}, std::pair{y, x}}) {
    const sym::Expr expr = reader.arena()[split];
    if (expr.kind != sym::ExprKind::Select) continue;
    if (const auto known = truth(reader, expr.operands[0])) return broadcast_extent(reader, expr.operands[*known ? 1 : 2], other);
    const auto first = broadcast_extent(reader, expr.operands[1], other);
    const auto second = broadcast_extent(reader, expr.operands[2], other);
    if (!first || !second) return std::nullopt;
    return reader.arena().make(sym::ExprKind::Select, {expr.operands[0], *first, *second});
  }
  return same_extent(reader, x, y) ? std::optional(x) : std::nullopt;
}

}  // namespace

std::optional<Shape> broadcast(Reader& reader, NodeId node, const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()));
  const sym::ExprId one = reader.arena().integer(1);
  for (size_t i = 0; i < result.size(); ++i) {
    const sym::ExprId x = i < a.size() ? a[a.size() - 1 - i] : one;
    const sym::ExprId y = i < b.size() ? b[b.size() - 1 - i] : one;
    const auto extent = broadcast_extent(reader, x, y);
    if (!extent) {
      error(reader, node, messages::not_broadcastable, shape_text(reader, a), shape_text(reader, b));
      return std::nullopt;
    }
    result[result.size() - 1 - i] = *extent;
  }
  return result;
}

ValueId implicit_cast(Reader& reader, NodeId node, ValueId value, ir::DtypeId dtype) {
  const ir::Type type = type_of(reader, value);
  if (type.kind != TypeKind::Tile || type.dtype == dtype) return value;
  ir::Attrs attrs;
  attrs.dtype = dtype;
  attrs.implicit = true;
  return emit(reader, node, OpKind::Cast, {value}, reader.types().tile(dtype, type.shape), std::move(attrs));
}

ValueId explicit_cast(Reader& reader, NodeId node, ValueId value, ir::DtypeId dtype, ir::Attrs attrs) {
  const ir::Type type = type_of(reader, value);
  attrs.dtype = dtype;
  const auto scalar = reader.types().scalar_of(dtype);
  if (type.kind == TypeKind::Const && scalar) {
    const ir::LooseKind loose = loose_of(ir::class_of(*scalar));
    const bool known = reader.arena().literal_of(type.value).has_value();
    // A constant of the launch, where the conversion keeps its value.
    const bool kept = !known && type.loose == loose &&
                      (*scalar == ir::Scalar::Bool || *scalar == ir::Scalar::I32 || *scalar == ir::Scalar::I64 ||
                       *scalar == ir::Scalar::F32 || *scalar == ir::Scalar::F64);
    if (known || kept) {
      sym::ExprId converted = type.value;
      if (known) {
        const auto literal = value_in(reader, node, type, *scalar);
        if (!literal) return value;
        converted = reader.arena().literal(*literal);
      }
      return emit(reader, node, OpKind::Cast, {value}, reader.types().strict_constant(dtype, loose, converted), std::move(attrs));
    }
  }
  return emit(reader, node, OpKind::Cast, {value}, reader.types().tile(dtype, type.shape), std::move(attrs));
}

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

ValueId to_bool(Reader& reader, NodeId node, ValueId value) {
  const ir::Type type = type_of(reader, value);
  if (type.kind == TypeKind::Const) {
    if (type.loose == ir::LooseKind::Bool) return value;
    ir::Attrs attrs;
    attrs.dtype = reader.types().known(ir::Scalar::Bool);
    attrs.implicit = true;
    const sym::ExprId truth_value = reader.arena().make(sym::ExprKind::Ne, {type.value, reader.arena().integer(0)});
    return emit(reader, node, OpKind::Cast, {value}, reader.types().constant(ir::LooseKind::Bool, truth_value), std::move(attrs));
  }
  return implicit_cast(reader, node, value, reader.types().known(ir::Scalar::Bool));
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

Val fold_unary_op(Reader& reader, NodeId node, OpKind kind, ValueId value, ir::Attrs attrs) {
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

}  // namespace

Val unary(Reader& reader, NodeId node, OpKind kind, const Val& operand, ir::Attrs attrs) {
  const std::string_view name = kind == OpKind::Neg ? "-" : kind == OpKind::BitNot ? "~" : ir::info(kind).text;
  const auto value = as_number(reader, node, operand, "the operand of `" + std::string(name) + "`");
  if (!value) return {};
  if (is_const(reader, *value)) return fold_unary_op(reader, node, kind, *value, std::move(attrs));
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
