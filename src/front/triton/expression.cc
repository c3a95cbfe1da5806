// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Triton's expressions and assignments, where they differ from those that all dialects read alike.

#include <algorithm>

#include "front/common/control.h"
#include "front/triton/builtins.h"
#include "front/triton/dialect.h"
#include "front/triton/windows.h"
#include "sym/parse.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::TypeKind;
using ir::ValueId;

namespace {

std::optional<OpKind> op_of(syntax::Operator op) {
  switch (op) {
    case syntax::Operator::Add: return OpKind::Add;
    case syntax::Operator::Sub: return OpKind::Sub;
    case syntax::Operator::Mult: return OpKind::Mul;
    case syntax::Operator::MatMult: return std::nullopt;
    case syntax::Operator::Div: return OpKind::TrueDiv;
    case syntax::Operator::Mod: return OpKind::FloorMod;
    case syntax::Operator::Pow: return OpKind::Pow;
    case syntax::Operator::LShift: return OpKind::Shl;
    case syntax::Operator::RShift: return OpKind::Shr;
    case syntax::Operator::BitOr: return OpKind::BitOr;
    case syntax::Operator::BitXor: return OpKind::BitXor;
    case syntax::Operator::BitAnd: return OpKind::BitAnd;
    case syntax::Operator::FloorDiv: return OpKind::FloorDiv;
  }
  return std::nullopt;
}

Val bool_val(Reader& reader, NodeId node, bool value) { return ir_val(literal(reader, node, sym::Value{value})); }

Val negated(Reader& reader, NodeId node, const Val& condition, bool negate) {
  return negate && !condition.poison() ? logical_not(reader, node, condition) : condition;
}

Val method(const Builtin* builtin, const Val& of) {
  return {.kind = ValKind::Method, .builtin = builtin, .items = std::make_shared<const std::vector<Val>>(std::vector<Val>{of})};
}

Val dtype_val(Reader& reader, NodeId node, ir::DtypeId dtype) {
  Val val{.kind = ValKind::Dtype};
  val.dtype = dtype;
  return materialise(reader, node, val);
}

int64_t width_of(ir::Scalar scalar, std::string_view property) {
  const bool is_bool = scalar == ir::Scalar::Bool;
  if (property == "itemsize") return is_bool ? 1 : ir::bits_of(scalar) / 8;
  return is_bool ? 1 : ir::bits_of(scalar);
}

// Of a dtype that a launch decides: which of those that Triton has it is.
sym::ExprId open_width(Reader& reader, ir::DtypeId dtype, std::string_view property) {
  static constexpr ir::Scalar others[] = {ir::Scalar::F32, ir::Scalar::I32,    ir::Scalar::U32,    ir::Scalar::I8,
                                          ir::Scalar::U8,  ir::Scalar::F8E4M3, ir::Scalar::F8E5M2, ir::Scalar::Bool,
                                          ir::Scalar::F64, ir::Scalar::I64,    ir::Scalar::U64};
  sym::Arena& arena = reader.arena();
  const std::string text = reader.types().text(dtype, sym::quoted);
  sym::ExprId width = arena.integer(width_of(ir::Scalar::F16, property));
  for (const ir::Scalar other : others) {
    const sym::ExprId is_it = arena.atom(text + " == " + ir::name_of(other));
    width = arena.make(sym::ExprKind::Select, {is_it, arena.integer(width_of(other, property)), width});
  }
  return width;
}

// A property of a dtype that is asked for at compile time.
Val dtype_property(Reader& reader, NodeId node, ir::DtypeId dtype, std::string_view name) {
  ir::Types& types = reader.types();
  if (name == "element_ty") {
    if (types.is_pointer(dtype)) return dtype_val(reader, node, types[dtype].a);
    const ir::Dtype& row = types[dtype];
    if (row.kind == ir::DtypeKind::Argument) {
      reader.knowledge[row.index].kind = Knowledge::Kind::Pointer;
      reader.learned = true;
      return {};
    }
  }
  if (name == "scalar" || name == "element_ty" || name == "dtype" || name == "value" || name == "block_type")
    return dtype_val(reader, node, dtype);
  if (name == "primitive_bitwidth" || name == "int_bitwidth" || name == "itemsize") {
    const auto scalar = types.scalar_of(dtype);
    if (scalar) return ir_val(integer(reader, node, width_of(*scalar, name)));
    const sym::ExprId width = open_width(reader, dtype, name);
    ir::Attrs attrs;
    attrs.rare.edit().name = types.text(dtype, sym::quoted) + "." + std::string(name);
    return ir_val(emit(reader, node, OpKind::Symbol, {}, types.constant(ir::LooseKind::Int, width), std::move(attrs)));
  }
  if (const Builtin* question = find_builtin(BuiltinSet::ArrayMethod, name))
    return method(question, dtype_val(reader, node, dtype));
  return error(reader, node, messages::no_attribute, "a dtype", name);
}

Val shape_tuple(Reader& reader, NodeId node, ValueId value) {
  std::vector<Val> items;
  const Extents extents = extents_of(reader, node, value);
  for (const ValueId extent : extents.values) items.push_back(ir_val(extent));
  return tuple_val(std::move(items));
}

Val tile_attribute(Reader& reader, NodeId node, const Val& val, std::string_view name) {
  const ir::Type type = type_of(reader, val.value);
  if (name == "dtype" || name == "type") {
    const ir::TypeId dtype = reader.types().dtype_constant(dtype_of(reader, val.value));
    return ir_val(emit(reader, node, OpKind::DtypeOf, {val.value}, dtype));
  }
  if (name == "value" && type.kind == TypeKind::Const) return val;
  if (name == "shape") return shape_tuple(reader, node, val.value);
  if (name == "ndim") return ir_val(integer(reader, node, static_cast<int64_t>(type.shape.size())));
  if (name == "numel") {
    Val all = ir_val(integer(reader, node, 1));
    const Val extents = shape_tuple(reader, node, val.value);
    for (size_t i = 0; i < extents.items->size() && !all.poison(); ++i)
      all = i ? binary(reader, node, OpKind::Mul, all, (*extents.items)[i], {}) : (*extents.items)[0];
    return all;
  }
  if (name == "T") return call_builtin(reader, node, *find_builtin(BuiltinSet::Library, "trans"), {{{}, val, node}});
  if (name == "load" || name == "store" || name == "scatter") {
    // No tile has these: a name of a descriptor of which it is not known yet that it is one.
    const auto parameter = undecided_parameter(reader, val.value);
    if (!parameter) return error(reader, node, messages::no_attribute, describe(reader, val), name);
    return method(find_builtin(BuiltinSet::ViewMethod, name), {.kind = ValKind::Parameter, .index = *parameter});
  }
  if (const Builtin* builtin = find_builtin(BuiltinSet::TileMethod, name)) return method(builtin, val);
  if (const Builtin* builtin = find_builtin(BuiltinSet::Library, name)) return method(builtin, val);
  if (const auto reason = unread_reason(name)) return error(reader, node, messages::not_read, name, *reason);
  return error(reader, node, messages::no_attribute, describe(reader, val), name);
}

}  // namespace

// x.dtype.is_fp16(): the question that a launch answers, or its answer.
Val read_dtype_question(Reader& reader, const Call& call) {
  const NodeId node = call.node;
  const std::string_view question = call.builtin->name;
  const auto asked = dtype_argument(reader, node, call.value("dtype"), "what is asked for its kind");
  if (!asked) return {};
  const ir::DtypeId dtype = *asked;
  ir::Types& types = reader.types();
  const auto scalar = types.scalar_of(dtype);
  const auto kind = types.class_of(dtype);
  using ir::ScalarClass;
  if (question == "is_ptr") return bool_val(reader, node, types.is_pointer(dtype));
  if (question == "is_block") return bool_val(reader, node, false);
  if (kind || scalar) {
    const ScalarClass c = scalar ? ir::class_of(*scalar) : *kind;
    const bool floats = c == ScalarClass::Float || c == ScalarClass::Restricted;
    if (question == "is_floating") return bool_val(reader, node, floats);
    if (question == "is_int") return bool_val(reader, node, !floats);
    if (question == "is_int_signed") return bool_val(reader, node, c == ScalarClass::Signed);
    if (question == "is_int_unsigned") return bool_val(reader, node, c == ScalarClass::Unsigned || c == ScalarClass::Bool);
    if (question == "is_bool") return bool_val(reader, node, c == ScalarClass::Bool);
  }
  // The dtypes for which the answer is yes.
  static const std::pair<std::string_view, std::vector<ir::Scalar>> exact[] = {
      {"is_fp16", {ir::Scalar::F16}},
      {"is_bf16", {ir::Scalar::BF16}},
      {"is_fp32", {ir::Scalar::F32}},
      {"is_fp64", {ir::Scalar::F64}},
      {"is_int8", {ir::Scalar::I8}},
      {"is_int16", {ir::Scalar::I16}},
      {"is_int32", {ir::Scalar::I32}},
      {"is_int64", {ir::Scalar::I64}},
      {"is_uint8", {ir::Scalar::U8}},
      {"is_uint32", {ir::Scalar::U32}},
      {"is_fp8e4nv", {ir::Scalar::F8E4M3}},
      {"is_fp8e5", {ir::Scalar::F8E5M2}},
      {"is_fp8", {ir::Scalar::F8E4M3, ir::Scalar::F8E5M2}},
      {"is_bool", {ir::Scalar::Bool}},
      {"is_int1", {ir::Scalar::Bool}},
      {"is_floating",
       {ir::Scalar::F16, ir::Scalar::BF16, ir::Scalar::F32, ir::Scalar::F64, ir::Scalar::F8E4M3, ir::Scalar::F8E5M2}},
      {"is_int",
       {ir::Scalar::Bool, ir::Scalar::I8, ir::Scalar::I16, ir::Scalar::I32, ir::Scalar::I64, ir::Scalar::U8, ir::Scalar::U16,
        ir::Scalar::U32, ir::Scalar::U64}},
      {"is_int_signed", {ir::Scalar::I8, ir::Scalar::I16, ir::Scalar::I32, ir::Scalar::I64}},
      {"is_int_unsigned", {ir::Scalar::Bool, ir::Scalar::U8, ir::Scalar::U16, ir::Scalar::U32, ir::Scalar::U64}},
  };
  for (const auto& [name, wanted] : exact) {
    if (name != question) continue;
    if (scalar) return bool_val(reader, node, std::find(wanted.begin(), wanted.end(), *scalar) != wanted.end());
    sym::ExprId any;
    const std::string text = types.text(dtype, sym::quoted);
    for (const ir::Scalar one : wanted) {
      const sym::ExprId equal = reader.arena().atom(text + " == " + ir::name_of(one));
      any = any ? reader.arena().make(sym::ExprKind::Or, {any, equal}) : equal;
    }
    return asked_of_launch(reader, node, text + "." + std::string(question) + "()", any);
  }
  return error(reader, node, messages::of_open_dtype, question, dtype_text(reader, dtype));
}

Val operation(Reader& reader, NodeId node, syntax::Operator op, const Val& left, const Val& right) {
  if (op == syntax::Operator::MatMult) return error(reader, node, messages::not_in_triton, "`@`");
  // [2] * n, (1,) * n
  if (op == syntax::Operator::Mult && (left.is(ValKind::Tuple) || right.is(ValKind::Tuple))) {
    const Val& items = left.is(ValKind::Tuple) ? left : right;
    const auto count = as_known_int(reader, node, left.is(ValKind::Tuple) ? right : left, "the number of repetitions");
    constexpr int64_t most = 64;
    if (!count || *count > most) return {};
    std::vector<Val> all;
    for (int64_t i = 0; i < *count; ++i) all.insert(all.end(), items.items->begin(), items.items->end());
    return tuple_val(std::move(all));
  }
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Operator;
  const auto numeric = [&](const Val& val) {
    if (val.is(ValKind::Parameter) || val.is(ValKind::Number) || val.is(ValKind::Conditional)) return true;
    if (!val.is(ValKind::Ir)) return false;
    const TypeKind kind = type_of(reader, val.value).kind;
    return kind == TypeKind::Tile || kind == TypeKind::Const;
  };
  if (!numeric(left) || !numeric(right))
    return error(reader, node, messages::bad_operands, syntax::spelling(op), describe(reader, left), describe(reader, right));
  return binary(reader, node, *op_of(op), left, right, std::move(attrs));
}

Val unary_operation(Reader& reader, NodeId node, syntax::UnaryOperator op, const Val& operand) {
  if (op == syntax::UnaryOperator::Not) {
    // `not None`, `not ""`
    return logical_not(reader, node, operand.is(ValKind::Parameter) ? materialise(reader, node, operand) : operand);
  }
  const auto value = as_number(reader, node, operand, "the operand of `" + std::string(syntax::spelling(op)) + "`");
  if (!value) return {};
  if (is_pointer(reader, *value)) return error(reader, node, messages::pointer_operand, syntax::spelling(op));
  const bool is_constant = is_const(reader, *value);
  if (!is_constant) learn_number(reader, dtype_of(reader, *value));
  const auto kind = class_of(reader, *value);
  switch (op) {
    case syntax::UnaryOperator::Not: break;
    case syntax::UnaryOperator::UAdd:
      return is_constant ? ir_val(*value) : error(reader, node, messages::not_in_triton, "a unary `+`");
    case syntax::UnaryOperator::USub: {
      if (is_constant) return fold(reader, node, OpKind::Neg, *value, {});
      if (kind == ir::ScalarClass::Bool || kind == ir::ScalarClass::Signed || kind == ir::ScalarClass::Unsigned)
        return ir_val(kind == ir::ScalarClass::Bool ? *value : elementwise(reader, node, OpKind::Neg, *value));
      // -x is 0 - x: the negative of +0 is +0.
      ir::Attrs attrs;
      attrs.spelling = ir::Spelling::Operator;
      return binary(reader, node, OpKind::Sub, ir_val(integer(reader, node, 0)), ir_val(*value), std::move(attrs));
    }
    case syntax::UnaryOperator::Invert:
      if (is_constant) return fold(reader, node, OpKind::BitNot, *value, {});
      if (kind == ir::ScalarClass::Float || kind == ir::ScalarClass::Restricted)
        return error(reader, node, messages::wrong_dtype, "~", "an integer or a bool", describe(reader, ir_val(*value)));
      return ir_val(elementwise(reader, node, OpKind::BitNot, *value));
  }
  return {};
}

std::optional<Val> own_comparison(Reader& reader, NodeId node, syntax::CmpOperator op, const Val& left, const Val& right) {
  using Cmp = syntax::CmpOperator;
  const bool identity = op == Cmp::Is || op == Cmp::IsNot;
  const bool equality = op == Cmp::Eq || op == Cmp::NotEq;
  if (!identity && !equality) return std::nullopt;
  const bool negate = op == Cmp::IsNot || op == Cmp::NotEq;
  for (const auto& [none, other] : {std::pair{&right, &left}, std::pair{&left, &right}}) {
    if (!none->is(ValKind::None)) continue;
    if (other->is(ValKind::None)) return bool_val(reader, node, !negate);
    const auto parameter = kernel_parameter(reader, *other);
    if (!parameter) return bool_val(reader, node, negate);
    ir::Param& param = reader.stack.front()->made->params[*parameter];
    if (!reader.knowledge[*parameter].may_be_none) {
      reader.knowledge[*parameter].may_be_none = true;
      reader.learned = true;  // instances of helpers differ by it
    }
    param.may_be_none = true;
    return negated(reader, node, asked_of_launch(reader, node, param.name.string() + " is None"), negate);
  }
  for (const auto& [string, other] : {std::pair{&right, &left}, std::pair{&left, &right}}) {
    if (!string->is(ValKind::String)) continue;
    const auto parameter = kernel_parameter(reader, *other);
    if (!parameter || reader.knowledge[*parameter].kind != Knowledge::Kind::Constant) continue;
    Knowledge& known = reader.knowledge[*parameter];
    if (known.passes != Knowledge::Passes::String) {
      known.passes = Knowledge::Passes::String;
      reader.learned = true;
    }
    const std::string question = reader.stack.front()->made->params[*parameter].name.string() + " == \"" + string->text + "\"";
    return negated(reader, node, asked_of_launch(reader, node, question), negate);
  }
  // A constant that is compared with a dtype is one.
  const auto dtype_of_val = [&](const Val& val) {
    return val.is(ValKind::Dtype) || (val.is(ValKind::Ir) && type_of(reader, val.value).kind == TypeKind::DtypeConst);
  };
  for (const auto& [dtype, other] : {std::pair{&right, &left}, std::pair{&left, &right}}) {
    if (!dtype_of_val(*dtype) || dtype_of_val(*other)) continue;
    const auto parameter = kernel_parameter(reader, *other);
    if (!parameter || reader.knowledge[*parameter].kind != Knowledge::Kind::Constant) continue;
    reader.knowledge[*parameter].passes = Knowledge::Passes::Dtype;
    reader.learned = true;
    return Val{};
  }
  const auto plain = [&](const Val& val) { return val.is(ValKind::String) || val.is(ValKind::Enum) || dtype_of_val(val); };
  if (equality && plain(left) && plain(right) && left.kind != right.kind && !(dtype_of_val(left) && dtype_of_val(right)))
    return bool_val(reader, node, negate);
  if (identity) return std::nullopt;
  return std::nullopt;
}

Val chained_comparison(Reader& reader, NodeId node) {
  return error_with(reader, node, "write `(a < b) & (b < c)`", messages::not_in_triton, "a chained comparison");
}

namespace {

// A part of `and` and `or` as a bool.
Val as_bool(Reader& reader, NodeId node, const Val& val, sym::ExprId condition) {
  if (condition) {
    if (const auto known = truth(reader, condition)) return bool_val(reader, node, *known);
    if (!val.is(ValKind::Ir)) return {};
    if (type_of(reader, val.value).loose == ir::LooseKind::Bool) return val;
    const ir::TypeId type = reader.types().constant(ir::LooseKind::Bool, condition);
    return ir_val(emit(reader, node, OpKind::CmpNe, {val.value, integer(reader, node, 0)}, type));
  }
  const auto number = as_number(reader, node, val, "an operand of `and` or `or`");
  return number ? ir_val(to_bool(reader, node, *number)) : Val{};
}

// Values from the i-th on. A constant chooses whether the rest is read; everything else is evaluated and joined bit by bit.
Val joined(Reader& reader, NodeId node, syntax::BoolOperator op, syntax::NodeList values, size_t i) {
  const bool is_and = op == syntax::BoolOperator::And;
  const NodeId at = values[i];
  const bool last = i + 1 == values.size();
  const Val val = materialise(reader, at, read_expression(reader, at));
  if (val.poison()) return {};
  const sym::ExprId condition = constant_condition(reader, val);
  const auto known = condition ? truth(reader, condition) : std::nullopt;
  if (known && (last || *known != is_and)) return bool_val(reader, at, *known);
  if (known) return joined(reader, node, op, values, i + 1);
  const Val first = as_bool(reader, at, val, condition);
  if (first.poison() || last) return first;
  const auto rest = [&] { return joined(reader, node, op, values, i + 1); };
  if (!condition) {
    const Val second = rest();
    return second.poison() ? Val{} : binary(reader, node, is_and ? OpKind::BitAnd : OpKind::BitOr, first, second, {});
  }
  const Region region = read_assuming(reader, node, condition, is_and, rest);
  if (region.failed) return error(reader, node, messages::type_differs, "this expression", region.reason);
  if (region.value.poison()) return {};
  const ir::BlockId outer = reader.frame->block;
  reader.frame->block = region.block;
  emit_op(reader, node, OpKind::Yield, {region.value.value}, {});
  reader.frame->block = outer;
  const sym::ExprId second = constant_condition(reader, region.value);
  ir::TypeId type = bool_type(reader, shape_of(reader, region.value.value));
  if (second) {
    const sym::ExprKind kind = is_and ? sym::ExprKind::And : sym::ExprKind::Or;
    type = reader.types().constant(ir::LooseKind::Bool, reader.arena().make(kind, {condition, second}));
  }
  const ir::OpId made =
      emit_op(reader, node, is_and ? OpKind::AndThen : OpKind::OrElse, {first.value}, {type}, {}, {region.block});
  return ir_val(reader.program.ops[made].results[0]);
}

}  // namespace

Val bool_operation(Reader& reader, NodeId node) {
  const auto operation_ = reader.tree().as<syntax::BoolOp>(node);
  constexpr size_t operand_limit = 200;
  if (operation_.values.size() > operand_limit) return error(reader, node, messages::too_deep);
  return joined(reader, node, operation_.op, operation_.values, 0);
}

Val read_attribute(Reader& reader, NodeId node) {
  const auto attribute = reader.tree().as<syntax::Attribute>(node);
  const Val from = read_expression(reader, attribute.value);
  const std::string_view name = attribute.attr;
  if (from.poison()) return {};
  if (from.is(ValKind::Namespace)) {
    const auto val = namespace_attribute(reader, from.text, name);
    if (!val) return error(reader, node, messages::no_such_name, from.text, name);
    return materialise(reader, node, *val);
  }
  if (from.is(ValKind::File)) {
    const auto val = file_attribute(reader, *from.module, name);
    if (!val) return error(reader, node, messages::no_attribute, "the module", name);
    return materialise(reader, node, read_global(reader, node, *from.module, reader.tree().text(node), *val));
  }
  if (from.is(ValKind::Foreign))
    return error(reader, node, messages::host_in_device, "`" + std::string(reader.tree().text(node)) + "`");
  Val val = from;
  if (from.is(ValKind::Parameter)) {
    const Knowledge& known = reader.knowledge[from.index];
    if (known.kind == Knowledge::Kind::Constant) return error(reader, node, messages::no_attribute, "a string", name);
    const bool of_window = find_builtin(BuiltinSet::ViewMethod, name) || name == "block_shape" || name == "strides";
    if (known.kind == Knowledge::Kind::Unknown && of_window) {
      if (const Builtin* builtin = find_builtin(BuiltinSet::ViewMethod, name)) return method(builtin, from);
      reader.knowledge[from.index].kind = Knowledge::Kind::Window;
      reader.learned = true;
      return {};
    }
    val = materialise(reader, node, from);
    if (val.is(ValKind::Parameter)) {
      const auto number = as_number(reader, node, from, "a value");
      if (!number) return {};
      val = ir_val(*number);
    }
  }
  val = materialise(reader, node, val);
  if (val.is(ValKind::Ir)) {
    switch (type_of(reader, val.value).kind) {
      case TypeKind::Tile:
      case TypeKind::Const: return tile_attribute(reader, node, val, name);
      case TypeKind::DtypeConst: return dtype_property(reader, node, type_of(reader, val.value).dtype, name);
      case TypeKind::Window: return window_attribute(reader, node, val.value, name);
      case TypeKind::Array:
      case TypeKind::ArrayList:
      case TypeKind::None: break;
    }
  }
  if (val.is(ValKind::String) && name == "value") return val;
  return error(reader, node, messages::no_attribute, describe(reader, val), name);
}

namespace {

Val new_axes(Reader& reader, NodeId node, ValueId tile, const Val& key) {
  const std::vector<Val> parts = items_of(key);
  std::vector<uint32_t> inserted;
  size_t kept = 0;
  for (const Val& part : parts) {
    const bool whole = part.is(ValKind::Slice) && std::all_of(part.items->begin(), part.items->end(),
                                                              [](const Val& item) { return item.is(ValKind::None); });
    if (part.is(ValKind::None)) {
      inserted.push_back(static_cast<uint32_t>(inserted.size() + kept));
    } else if (whole) {
      ++kept;
    } else {
      return error_with(reader, node, "only `None` and `:` may stand there", messages::bad_shape, "an index of a tile");
    }
  }
  const ir::Type type = type_of(reader, tile);
  if (kept > type.shape.size()) {
    return error(reader, node, messages::bad_shape,
                 "a tile of rank " + std::to_string(type.shape.size()) + " has no " + std::to_string(kept) + " axes");
  }
  if (!has_few_axes(reader, node, inserted.size() + type.shape.size())) return {};
  Shape shape;
  size_t next = 0;
  for (uint32_t axis = 0; axis < inserted.size() + type.shape.size(); ++axis) {
    const bool is_new = std::find(inserted.begin(), inserted.end(), axis) != inserted.end();
    shape.push_back(is_new ? reader.arena().integer(1) : type.shape[next++]);
  }
  ir::Attrs attrs;
  attrs.rare.edit().axes = inserted;
  attrs.spelling = ir::Spelling::Newaxis;
  if (inserted.empty()) return ir_val(tile);
  return ir_val(emit(reader, node, OpKind::ExpandDims, {tile}, reader.types().tile(type.dtype, shape), std::move(attrs)));
}

Val item_of(Reader& reader, NodeId node, const Val& tuple, const Val& index) {
  const auto size = static_cast<int64_t>(tuple.items->size());
  if (index.is(ValKind::Slice)) {
    int64_t bounds[2] = {0, size};
    for (size_t i = 0; i < 2; ++i) {
      const Val& part = (*index.items)[i];
      if (part.is(ValKind::None)) continue;
      const auto known = as_known_int(reader, node, part, "a slice of a tuple");
      if (!known) return {};
      bounds[i] = std::clamp<int64_t>(*known < 0 ? *known + size : *known, 0, size);
    }
    if (bounds[1] < bounds[0]) bounds[1] = bounds[0];
    return tuple_val({tuple.items->begin() + bounds[0], tuple.items->begin() + bounds[1]});
  }
  const auto known = as_known_int(reader, node, index, "the index of a tuple");
  if (!known) return {};
  const int64_t i = *known < 0 ? *known + size : *known;
  if (i >= 0 && i < size) return (*tuple.items)[static_cast<size_t>(i)];
  return error(reader, node, messages::bad_shape,
               "index " + std::to_string(*known) + " is out of range for a tuple of " + std::to_string(size));
}

}  // namespace

Val read_subscript(Reader& reader, NodeId node) {
  const auto subscript = reader.tree().as<syntax::Subscript>(node);
  const Val from = read_expression(reader, subscript.value);
  const Val index = from.poison() ? Val{} : read_expression(reader, subscript.slice);
  if (from.poison() || index.poison()) return {};
  if (from.is(ValKind::Tuple)) return item_of(reader, subscript.slice, from, materialise(reader, subscript.slice, index));
  const auto value = as_number(reader, node, from, "what has a subscript");
  if (!value) return {};
  return new_axes(reader, node, as_tensor(reader, node, *value), index);
}

std::optional<Val> own_expression(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  if (const auto list = tree.get_if<syntax::List>(node)) {
    std::vector<Val> items;
    for (const NodeId element : list->elts) {
      if (tree.is(element, NodeKind::Starred)) return error(reader, element, messages::not_in_triton, "a starred item");
      items.push_back(read_expression(reader, element));
      if (items.back().poison()) return Val{};
    }
    return tuple_val(std::move(items));
  }
  if (tree.is(node, NodeKind::JoinedStr)) return string_val(std::string(tree.text(node)));
  return std::nullopt;
}

Val assigned(Reader& reader, NodeId node, NodeId target, const Val& value) {
  const syntax::Tree& tree = reader.tree();
  if (const auto annotated = tree.get_if<syntax::AnnAssign>(node)) {
    if (tree.text(annotated->annotation).find("constexpr") != std::string_view::npos) return value;
  }
  if (value.is(ValKind::Tuple)) {
    std::vector<Val> items;
    for (const Val& item : *value.items) items.push_back(assigned(reader, node, target, item));
    return tuple_val(std::move(items));
  }
  // A number that a name holds is a tensor.
  if (value.is(ValKind::Ir) && is_const(reader, value.value)) return ir_val(as_tensor(reader, node, value.value));
  if (value.is(ValKind::Number)) return assigned(reader, node, target, materialise(reader, node, value));
  // A parameter that nothing was learned of is a number, or a pointer: a value in any case.
  if (value.is(ValKind::Parameter) && reader.knowledge[value.index].kind == Knowledge::Kind::Unknown) {
    const auto number = as_number(reader, node, value, "a value");
    return number ? ir_val(*number) : Val{};
  }
  return value;
}

bool own_statement(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  const auto statement = tree.get_if<syntax::Assert>(node);
  if (!statement) return false;
  const Val test = materialise(reader, statement->test, read_expression(reader, statement->test));
  if (test.poison()) return true;
  const sym::ExprId condition = constant_condition(reader, test);
  if (condition && truth(reader, condition)) {
    emit_mark(reader, node);
    return true;
  }
  const auto value = as_mask(reader, statement->test, test);
  if (!value) return true;
  ir::Attrs attrs;
  if (statement->msg) attrs.rare.edit().text = std::string(tree.text(statement->msg));
  emit_op(reader, node, OpKind::DeviceAssert, {*value}, {}, std::move(attrs));
  return true;
}

}  // namespace tilewright::front::triton
