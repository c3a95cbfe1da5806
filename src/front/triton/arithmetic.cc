// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operators of tiles: C's conversions, where a plain number adapts to the tile that it meets (triton.md, 2.3 and 2.4).

#include <cmath>
#include <limits>

#include "front/triton/dialect.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::ScalarClass;
using ir::TypeKind;
using ir::ValueId;

namespace {

// Whether a constant is a float: a literal bool, or a condition on what the launch passes.
sym::ExprId is_float(Reader& reader, const ir::Type& constant) {
  sym::Arena& arena = reader.arena();
  if (constant.loose == ir::LooseKind::Float) return arena.literal(true);
  if (constant.loose == ir::LooseKind::Bool || reader.stack.empty()) return arena.literal(false);
  sym::ExprId any;
  const std::vector<ir::Param>& params = reader.stack.front()->made->params;
  for (const sym::ExprId atom : arena.atoms_in(constant.value)) {
    const std::string key = arena.atom_of(atom).key;
    for (size_t i = 0; i < params.size(); ++i) {
      const Knowledge& known = reader.knowledge[i];
      if (params[i].name != key || known.kind != Knowledge::Kind::Constant) continue;
      if (known.loose == ir::LooseKind::Float) return arena.literal(true);
      if (!known.loose) {
        const sym::ExprId asked = arena.atom(key + " is float");
        any = any ? arena.make(sym::ExprKind::Or, {any, asked}) : asked;
      }
    }
  }
  return any ? any : arena.literal(false);
}

bool is_normal_float32(double value) {
  const double size = std::abs(value);
  return std::isnan(value) || std::isinf(value) || size == 0 ||
         (size >= 0x1p-126 && size <= static_cast<double>(std::numeric_limits<float>::max()));
}

// A number that meets a dtype of which it is known that it is an integer: an int, in all launches that Triton compiles.
void expect_integer(Reader& reader, sym::ExprId value) {
  const std::vector<ir::Param>& params = reader.stack.front()->made->params;
  for (const sym::ExprId atom : reader.arena().atoms_in(value)) {
    const std::string key = reader.arena().atom_of(atom).key;
    for (size_t i = 0; i < params.size(); ++i) {
      Knowledge& known = reader.knowledge[i];
      if (params[i].name != key || known.kind != Knowledge::Kind::Constant || known.loose) continue;
      known.loose = ir::LooseKind::Int;
      known.guessed = true;
      reader.learned = true;
    }
  }
}

// What a dtype becomes that meets a constant.
std::optional<ir::DtypeId> adapted(Reader& reader, NodeId node, ir::DtypeId dtype, ValueId value) {
  ir::Types& types = reader.types();
  const ir::Type constant = type_of(reader, value);
  const sym::ExprId floats = is_float(reader, constant);
  const std::optional<ScalarClass> kind = types.class_of(dtype);
  const bool restricted = kind == ScalarClass::Restricted;
  if (reader.arena().truth_of(floats) == true) {
    if (kind == ScalarClass::Float || restricted) return dtype;
    return types.adapt(dtype, ir::LooseKind::Float);
  }
  if (kind == ScalarClass::Float || restricted) return dtype;
  if (reader.arena().truth_of(floats) == false) {
    if (kind == ScalarClass::Bool && constant.loose == ir::LooseKind::Int) return number_dtype(reader, constant);
    const ir::DtypeId result = types.adapt(dtype, constant.loose);
    if (!check_range(reader, node, value, result)) return std::nullopt;
    return result;
  }
  if (kind) {
    expect_integer(reader, constant.value);
    return types.adapt(dtype, ir::LooseKind::Int);
  }
  return types.select(floats, types.adapt(dtype, ir::LooseKind::Float), types.adapt(dtype, ir::LooseKind::Int));
}

// Two dtypes that are known not to be integers of one sign.
bool signs_differ(Reader& reader, ir::DtypeId a, ir::DtypeId b) {
  const auto x = reader.types().class_of(a);
  const auto y = reader.types().class_of(b);
  const auto unsigned_ = [](auto kind) { return kind == ScalarClass::Unsigned || kind == ScalarClass::Bool; };
  return x && y && ((x == ScalarClass::Signed && unsigned_(y)) || (y == ScalarClass::Signed && unsigned_(x)));
}

bool is_division(OpKind kind) { return kind == OpKind::TrueDiv || kind == OpKind::TruncDiv || kind == OpKind::TruncMod; }

std::string_view sign_of(OpKind kind) {
  if (kind == OpKind::TruncDiv) return "//";
  if (kind == OpKind::TruncMod) return "%";
  return symbol_of(kind);
}

// pointer + offset, offset + pointer, pointer - offset
Val moved(Reader& reader, NodeId node, OpKind kind, ValueId a, ValueId b, ir::Attrs attrs) {
  const bool swapped = !is_pointer(reader, a);
  const ValueId pointer = swapped ? b : a;
  ValueId offset = swapped ? a : b;
  const bool allowed = kind == OpKind::Add || (kind == OpKind::Sub && !swapped);
  if (!allowed || is_pointer(reader, offset)) return error(reader, node, messages::pointer_operand, sign_of(kind));
  learn_number(reader, dtype_of(reader, offset));
  const auto offset_kind = class_of(reader, offset);
  if (offset_kind == ScalarClass::Float) {
    return error(reader, node, messages::bad_dtypes, sign_of(kind), describe(reader, ir_val(pointer)),
                 describe(reader, ir_val(offset)));
  }
  if (is_const(reader, offset)) expect_integer(reader, type_of(reader, offset).value);
  if (kind == OpKind::Sub) {
    if (is_const(reader, offset)) {
      const Val negated = fold(reader, node, OpKind::Neg, offset, {});
      if (!negated.is(ValKind::Ir)) return {};
      offset = negated.value;
    } else {
      offset = elementwise(reader, node, OpKind::Neg, offset);
    }
  }
  bool fits = true;
  const Shape shape = shape_of_both(reader, node, pointer, offset, fits);
  if (!fits) return {};
  if (swapped) attrs.spelling = ir::Spelling::Operator;
  if (kind == OpKind::Sub) attrs.spelling = ir::Spelling::Operator;
  const ir::TypeId type = reader.types().tile(type_of(reader, pointer).dtype, shape);
  return ir_val(emit(reader, node, OpKind::PtrAdd, {pointer, offset}, type, std::move(attrs)));
}

}  // namespace

bool is_pointer(Reader& reader, ValueId value) {
  const ir::Type& type = type_of(reader, value);
  return type.kind == TypeKind::Tile && reader.types().is_pointer(type.dtype);
}

ir::DtypeId number_dtype(Reader& reader, const ir::Type& given) {
  const ir::Type type = given;
  ir::Types& types = reader.types();
  if (type.loose == ir::LooseKind::Bool) return types.known(ir::Scalar::Bool);
  if (const auto known = reader.arena().literal_of(type.value)) {
    if (const auto* real = std::get_if<double>(&*known))
      return types.known(is_normal_float32(*real) ? ir::Scalar::F32 : ir::Scalar::F64);
    if (const auto* whole = std::get_if<int64_t>(&*known)) {
      const bool fits = *whole >= INT32_MIN && *whole <= INT32_MAX;
      return types.known(fits                                           ? ir::Scalar::I32
                         : *whole >= 0 && *whole <= int64_t{UINT32_MAX} ? ir::Scalar::U32
                                                                        : ir::Scalar::I64);
    }
  }
  return types.select(is_float(reader, type), types.known(ir::Scalar::F32), types.known(ir::Scalar::I32));
}

ir::DtypeId dtype_of(Reader& reader, ValueId value) { return own_dtype(reader, value); }

std::optional<ir::DtypeId> common_dtype(Reader& reader, NodeId node, ValueId a, ValueId b, Numbers numbers) {
  ir::Types& types = reader.types();
  const bool plain_a = is_const(reader, a);
  const bool plain_b = is_const(reader, b);
  if (plain_a != plain_b && numbers == Numbers::Adapt)
    return adapted(reader, node, dtype_of(reader, plain_a ? b : a), plain_a ? a : b);
  // A number that is a tensor first, and meets an integer.
  if (plain_a != plain_b) {
    const auto kind = class_of(reader, plain_a ? b : a);
    if (kind == ScalarClass::Signed || kind == ScalarClass::Unsigned) {
      const ir::Type constant = type_of(reader, plain_a ? a : b);
      if (!reader.arena().truth_of(is_float(reader, constant))) expect_integer(reader, constant.value);
    }
  }
  const ir::DtypeId x = dtype_of(reader, a);
  const ir::DtypeId y = dtype_of(reader, b);
  const auto known_x = types.scalar_of(x);
  const auto known_y = types.scalar_of(y);
  if (known_x && known_y && !ir::common_of(*known_x, *known_y)) {
    error_with(reader, node, "convert one of them: `.to(…)`", messages::no_common_dtype, ir::name_of(*known_x),
               ir::name_of(*known_y));
    return std::nullopt;
  }
  return types.common(x, y);
}

std::optional<ir::DtypeId> adapting_dtype(Reader& reader, NodeId node, ValueId a, ValueId b) {
  return common_dtype(reader, node, a, b, Numbers::Adapt);
}

ValueId as_tensor(Reader& reader, NodeId node, ValueId value, ir::DtypeId dtype) {
  if (!is_const(reader, value)) return value;
  ir::Attrs attrs;
  attrs.dtype = dtype ? dtype : dtype_of(reader, value);
  attrs.implicit = true;
  const ir::TypeId scalar = reader.types().tile(attrs.dtype, {});
  return emit(reader, node, OpKind::Full, {value}, scalar, std::move(attrs));
}

ValueId converted(Reader& reader, NodeId node, ValueId value, ir::DtypeId dtype) {
  return implicit_cast(reader, node, value, dtype);
}

Shape shape_of_both(Reader& reader, NodeId node, ValueId a, ValueId b, bool& fits) {
  const auto shape = broadcast(reader, node, shape_of(reader, a), shape_of(reader, b));
  fits = shape.has_value();
  return shape.value_or(Shape{});
}

ValueId elementwise(Reader& reader, NodeId node, OpKind kind, ValueId value, ir::Attrs attrs) {
  const ir::Type type = type_of(reader, value);
  attrs.dtype = type.dtype;
  const bool predicate = kind == OpKind::IsNan || kind == OpKind::IsInf;
  const ir::TypeId result = predicate ? bool_type(reader, type.shape) : reader.types().tile(type.dtype, type.shape);
  return emit(reader, node, kind, {value}, result, std::move(attrs));
}

Val binary(Reader& reader, NodeId node, OpKind kind, const Val& left, const Val& right, ir::Attrs attrs) {
  const std::string what = "an operand of `" + std::string(sign_of(kind)) + "`";
  const auto a = as_number(reader, node, left, what);
  const auto b = as_number(reader, node, right, what);
  if (!a || !b) return {};
  if (is_const(reader, *a) && is_const(reader, *b)) return fold(reader, node, kind, *a, *b, std::move(attrs));
  if (is_pointer(reader, *a) || is_pointer(reader, *b)) return moved(reader, node, kind, *a, *b, std::move(attrs));
  // Of tiles `//` and `%` are C's.
  if (kind == OpKind::FloorDiv) kind = OpKind::TruncDiv;
  if (kind == OpKind::FloorMod) kind = OpKind::TruncMod;
  ir::Types& types = reader.types();
  const bool may_move = kind == OpKind::Add || kind == OpKind::Sub;
  if (!may_move) learn_number(reader, dtype_of(reader, *a));
  if (kind != OpKind::Add) learn_number(reader, dtype_of(reader, *b));
  auto dtype = adapting_dtype(reader, node, *a, *b);
  if (!dtype) return {};
  const auto refuse = [&] {
    return error(reader, node, messages::bad_dtypes, sign_of(kind), describe(reader, ir_val(*a)), describe(reader, ir_val(*b)));
  };
  const auto computed_class = types.class_of(*dtype);
  const bool floats = computed_class == ScalarClass::Float || computed_class == ScalarClass::Restricted;
  if ((is_bitwise(kind) || is_shift(kind) || kind == OpKind::TruncDiv) && floats) return refuse();
  if (is_division(kind) && !is_const(reader, *a) && !is_const(reader, *b) &&
      signs_differ(reader, dtype_of(reader, *a), dtype_of(reader, *b))) {
    return error_with(reader, node, "convert one of them: `.to(…)`", messages::bad_dtypes, sign_of(kind),
                      describe(reader, ir_val(*a)), describe(reader, ir_val(*b)));
  }
  if (is_division(kind)) *dtype = types.widened(*dtype, ir::Widening::Halves);
  if (kind == OpKind::TrueDiv) {
    *dtype = types.float_of(*dtype);
    if (types.scalar_of(*dtype) == ir::Scalar::F32 && attrs.rounding == ir::Rounding::Default)
      attrs.rounding = ir::Rounding::Full;
  }
  // Bools are integers of one bit.
  if (types.class_of(*dtype) == ScalarClass::Bool) {
    if (kind == OpKind::Add || kind == OpKind::Sub) kind = OpKind::BitXor;
    if (kind == OpKind::Mul) kind = OpKind::BitAnd;
    if (is_division(kind) || is_shift(kind)) return refuse();
  }
  if (kind == OpKind::Pow) {
    return error_with(reader, node, "use `libdevice.pow`", messages::bad_dtypes, "**", describe(reader, ir_val(*a)),
                      describe(reader, ir_val(*b)));
  }
  bool fits = true;
  const Shape shape = shape_of_both(reader, node, *a, *b, fits);
  if (!fits) return {};
  const ValueId x = converted(reader, node, *a, *dtype);
  const ValueId y = converted(reader, node, *b, *dtype);
  attrs.dtype = *dtype;
  return ir_val(emit(reader, node, kind, {x, y}, types.tile(*dtype, shape), std::move(attrs)));
}

Val compare(Reader& reader, NodeId node, OpKind kind, const Val& left, const Val& right) {
  const std::string what = "an operand of `" + std::string(symbol_of(kind)) + "`";
  const auto a = as_number(reader, node, left, what);
  const auto b = as_number(reader, node, right, what);
  if (!a || !b) return {};
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Operator;
  if (is_const(reader, *a) && is_const(reader, *b)) return fold(reader, node, kind, *a, *b, std::move(attrs));
  if (is_pointer(reader, *a) || is_pointer(reader, *b)) return error(reader, node, messages::pointer_operand, symbol_of(kind));
  learn_number(reader, dtype_of(reader, *a));
  learn_number(reader, dtype_of(reader, *b));
  const auto dtype = common_dtype(reader, node, *a, *b, Numbers::AreTensors);
  if (!dtype) return {};
  bool fits = true;
  const Shape shape = shape_of_both(reader, node, *a, *b, fits);
  if (!fits) return {};
  const ValueId x = converted(reader, node, *a, *dtype);
  const ValueId y = converted(reader, node, *b, *dtype);
  attrs.dtype = *dtype;
  return ir_val(emit(reader, node, kind, {x, y}, bool_type(reader, shape), std::move(attrs)));
}

std::optional<ValueId> as_mask(Reader& reader, NodeId node, const Val& val) {
  const auto value = as_number(reader, node, val, "the mask");
  if (!value) return std::nullopt;
  if (is_const(reader, *value)) return as_tensor(reader, node, *value, reader.types().known(ir::Scalar::Bool));
  const auto kind = class_of(reader, *value);
  if (kind && kind != ScalarClass::Bool) {
    error_with(reader, node, "compare it: `mask != 0`", messages::bad_mask, "a mask",
               "of bools, but this is " + describe(reader, ir_val(*value)));
    return std::nullopt;
  }
  return converted(reader, node, *value, reader.types().known(ir::Scalar::Bool));
}

}  // namespace tilewright::front::triton
