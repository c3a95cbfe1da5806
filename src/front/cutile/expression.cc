// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Attributes, subscripts and operators of cuTile's values.

#include <algorithm>
#include <vector>

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::TypeKind;

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

}  // namespace

Val operation(Reader& reader, NodeId node, syntax::Operator op, const Val& left, const Val& right) {
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Operator;
  if (op == syntax::Operator::MatMult) return matmul(reader, node, left, right, std::move(attrs));
  const auto numeric = [&](const Val& val) {
    if (val.is(ValKind::Parameter) || val.is(ValKind::Number) || val.is(ValKind::Conditional)) return true;
    if (!val.is(ValKind::Ir)) return false;
    const TypeKind kind = type_of(reader, val.value).kind;
    return kind == TypeKind::Tile || kind == TypeKind::Const || kind == TypeKind::Array;  // as_number() speaks of arrays
  };
  if (!numeric(left) || !numeric(right)) {
    return error(reader, node, messages::bad_operands, syntax::spelling(op), describe(reader, left), describe(reader, right));
  }
  return binary(reader, node, *op_of(op), left, right, std::move(attrs));
}

Val unary_operation(Reader& reader, NodeId node, syntax::UnaryOperator op, const Val& operand) {
  switch (op) {
    case syntax::UnaryOperator::Not: {
      if (operand.is(ValKind::None)) return error(reader, node, messages::none_comparison, "`not` is not defined for None");
      return logical_not(reader, node, operand);
    }
    case syntax::UnaryOperator::USub: return unary(reader, node, OpKind::Neg, operand);
    case syntax::UnaryOperator::Invert: {
      const Val val = materialise(reader, node, operand);
      if (val.is(ValKind::Ir) && is_const(reader, val.value) && type_of(reader, val.value).loose == ir::LooseKind::Bool) {
        return error_with(reader, node, "use `not` or `ct.bitwise_not`", messages::bit_operands, "~",
                          "an integer; a constant bool is none");
      }
      return unary(reader, node, OpKind::BitNot, operand);
    }
    case syntax::UnaryOperator::UAdd: {
      const auto value = as_number(reader, node, operand, "the operand of `+`");
      if (!value) return {};
      if (is_const(reader, *value)) return ir_val(*value);
      return ir_val(implicit_cast(reader, node, *value, reader.types().count_of(own_dtype(reader, *value))));
    }
  }
  return {};
}

Val read_attribute(Reader& reader, NodeId node) {
  const auto attribute = reader.tree().as<syntax::Attribute>(node);
  const Val from = read_expression(reader, attribute.value);
  const std::string_view name = attribute.attr;
  if (from.poison()) return {};
  if (from.is(ValKind::Namespace)) {
    const auto val = namespace_attribute(reader, from.text, name);
    if (!val) {
      if (from.text != "cuda.tile") return error(reader, node, messages::no_attribute, "`" + from.text + "`", name);
      const std::string_view close = closest_builtin(name);
      if (close.empty()) return error(reader, node, messages::unknown_cutile_name, name);
      return error_with(reader, node, "did you mean `" + std::string(close) + "`?", messages::unknown_cutile_name, name);
    }
    return materialise(reader, node, *val);
  }
  if (from.is(ValKind::File)) {
    const auto val = file_attribute(reader, *from.module, name);
    if (!val) return error(reader, node, messages::no_attribute, "the module", name);
    return materialise(reader, node, read_global(reader, node, *from.module, reader.tree().text(node), *val));
  }
  if (from.is(ValKind::Foreign)) {
    return error(reader, node, messages::host_in_device, "`" + std::string(reader.tree().text(node)) + "`");
  }
  if (from.is(ValKind::Parameter)) {
    Knowledge& known = reader.knowledge[from.index];
    // Numbers have a dtype and a shape too, but nobody asks for them.
    if (name == "dtype" || name == "ndim") {
      known.kind = Knowledge::Kind::Array;
      known.guessed = true;
      reader.learned = true;
    } else if (name == "shape" || name == "strides" || name == "slice" || name == "tiled_view" || name == "get_raw_memory") {
      known.kind = Knowledge::Kind::Array;
      reader.learned = true;
    } else if (find_builtin(BuiltinSet::TileMethod, name)) {
      const auto number = as_number(reader, node, from, "a scalar");
      if (!number) return {};
    } else {
      return error(reader, node, messages::no_attribute, "a parameter", name);
    }
  }
  const Val val = materialise(reader, node, from);
  if (val.is(ValKind::Ir)) {
    const ir::Type type = type_of(reader, val.value);
    if (type.kind == TypeKind::Array) {
      if (name == "dtype") {
        const ir::TypeId dtype = reader.types().dtype_constant(type.dtype);
        return ir_val(emit(reader, node, OpKind::DtypeOf, {val.value}, dtype));
      }
      if (name == "ndim") {
        if (type.rank == ir::unknown_rank)
          return rank_unsaid(reader, node, val.value, "the rank of an array that is used nowhere else");
        return ir_val(integer(reader, node, type.rank));
      }
      if (name == "shape" || name == "strides") {
        confirm_array(reader, val.value);
        // The tuple of extents; as long as the rank is not known it is asked for by index (read_subscript) or by unpacking.
        std::vector<Val> items;
        const uint32_t rank = type.rank == ir::unknown_rank ? 0 : type.rank;
        for (uint32_t axis = 0; axis < rank; ++axis) {
          ir::Attrs attrs;
          attrs.axis = axis;
          const OpKind op = name == "shape" ? OpKind::ArrayDim : OpKind::ArrayStride;
          items.push_back(ir_val(emit(reader, node, op, {val.value}, dim_type(reader, val.value), std::move(attrs))));
        }
        Val tuple = tuple_val(std::move(items));
        tuple.value = val.value;
        tuple.text = std::string(name);
        return tuple;
      }
      if (const Builtin* builtin = find_builtin(BuiltinSet::ArrayMethod, name)) {
        return {.kind = ValKind::Method,
                .builtin = builtin,
                .items = std::make_shared<const std::vector<Val>>(std::vector<Val>{val})};
      }
      if (const auto reason = unconverted_method(name))
        return error_with(reader, node, std::string(*reason), messages::not_converted, name);
      return error(reader, node, messages::no_attribute, "an array", name);
    }
    if (type.kind == TypeKind::Tile || type.kind == TypeKind::Const) {
      if (name == "dtype") {
        const ir::TypeId dtype = reader.types().dtype_constant(own_dtype(reader, val.value));
        return ir_val(emit(reader, node, OpKind::DtypeOf, {val.value}, dtype));
      }
      if (name == "ndim") return ir_val(integer(reader, node, static_cast<int64_t>(type.shape.size())));
      if (name == "shape") {
        std::vector<Val> items;
        for (uint32_t axis = 0; axis < type.shape.size(); ++axis)
          items.push_back(ir_val(tile_dim(reader, node, val.value, axis)));
        return tuple_val(std::move(items));
      }
      if (const Builtin* builtin = find_builtin(BuiltinSet::TileMethod, name)) {
        return {.kind = ValKind::Method,
                .builtin = builtin,
                .items = std::make_shared<const std::vector<Val>>(std::vector<Val>{val})};
      }
      if (const auto reason = unconverted_method(name))
        return error_with(reader, node, std::string(*reason), messages::not_converted, name);
      return error(reader, node, messages::no_attribute, "a tile", name);
    }
  }
  if (val.is(ValKind::View)) {
    if (name == "dtype")
      return ir_val(
          emit(reader, node, OpKind::DtypeOf, {val.value}, reader.types().dtype_constant(type_of(reader, val.value).dtype)));
    if (name == "tile_shape") return tuple_val(*val.items);
    if (const Builtin* builtin = find_builtin(BuiltinSet::ViewMethod, name)) {
      return {
          .kind = ValKind::Method, .builtin = builtin, .items = std::make_shared<const std::vector<Val>>(std::vector<Val>{val})};
    }
    return error(reader, node, messages::no_attribute, "a tiled view", name);
  }
  if (val.is(ValKind::Conditional))
    return error(reader, node, messages::depends_on_launch, "`" + std::string(reader.tree().text(attribute.value)) + "`");
  return error(reader, node, messages::no_attribute, describe(reader, val), name);
}

Val read_subscript(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  const auto subscript = tree.as<syntax::Subscript>(node);
  const Val from = read_expression(reader, subscript.value);
  if (from.poison()) return {};
  // The key of a tile, read without making numbers of it.
  if (from.is(ValKind::Tuple)) {
    const Val index = materialise(reader, subscript.slice, read_expression(reader, subscript.slice));
    if (index.poison()) return {};
    const bool of_array = from.value.valid();
    const auto size = static_cast<int64_t>(from.items->size());
    if (index.is(ValKind::Slice)) {
      int64_t bounds[3] = {0, size, 1};
      for (int i = 0; i < 3; ++i) {
        const Val& part = (*index.items)[static_cast<size_t>(i)];
        if (part.is(ValKind::None)) continue;
        const auto known = as_known_int(reader, subscript.slice, part, "a slice of a tuple");
        if (!known) return {};
        bounds[i] = i < 2 && *known < 0 ? *known + size : *known;
      }
      if (bounds[2] != 1) return error(reader, node, messages::unconverted_syntax, "a slice with a step");
      if (of_array && type_of(reader, from.value).rank == ir::unknown_rank) {
        return rank_unsaid(reader, subscript.value, from.value, "the shape of an array whose rank nothing else says");
      }
      const int64_t begin = std::clamp<int64_t>(bounds[0], 0, size);
      const int64_t end = std::clamp<int64_t>(bounds[1], begin, size);
      return tuple_val({from.items->begin() + begin, from.items->begin() + end});
    }
    if (index.is(ValKind::Ir) && !is_const(reader, index.value))
      return error(reader, node, messages::bad_tuple_index, "the index of a tuple must be a constant");
    const auto known = as_known_int(reader, subscript.slice, index, "the index of a tuple");
    if (!known) return {};
    if (of_array && type_of(reader, from.value).rank == ir::unknown_rank && *known >= 0) {
      if (!has_few_axes(reader, node, static_cast<size_t>(*known) + 1)) return {};
      ir::Attrs attrs;
      attrs.axis = static_cast<uint8_t>(*known);
      const OpKind op = from.text == "shape" ? OpKind::ArrayDim : OpKind::ArrayStride;
      return ir_val(emit(reader, node, op, {from.value}, dim_type(reader, from.value), std::move(attrs)));
    }
    const int64_t i = *known < 0 ? *known + size : *known;
    if (of_array && type_of(reader, from.value).rank == ir::unknown_rank) {
      return rank_unsaid(reader, subscript.value, from.value, "the shape of an array whose rank nothing else says");
    }
    if (i < 0 || i >= size) {
      return error(reader, node, messages::bad_tuple_index,
                   "index " + std::to_string(*known) + " is out of range for a tuple of " + std::to_string(size));
    }
    Val item = (*from.items)[static_cast<size_t>(i)];
    // `x.shape[0]` is one expression to the author.
    if (of_array && item.is(ValKind::Ir)) {
      const ir::Op op = reader.program.ops[reader.program.values[item.value].definition];
      return ir_val(emit(reader, node, op.kind, op.operands, type_id(reader, item.value), op.attrs));
    }
    return item;
  }
  const Val index = read_expression(reader, subscript.slice);
  if (index.poison()) return {};
  if (from.is(ValKind::Parameter) && !index.is(ValKind::Tuple) && !index.is(ValKind::None)) {
    const auto list = as_array_list(reader, node, from);
    if (!list) return {};
    return read_list_item(reader, node, *list, index, subscript.slice);
  }
  const Val val = materialise(reader, node, from);
  if (val.is(ValKind::Ir)) {
    const ir::Type type = type_of(reader, val.value);
    if (type.kind == TypeKind::ArrayList) return read_list_item(reader, node, val.value, index, subscript.slice);
    if (type.kind == TypeKind::Array) {
      return error_with(reader, node, "use `ct.load` or `ct.gather`", messages::bad_subscript, "an array has no subscripts");
    }
    if (type.kind == TypeKind::Tile || type.kind == TypeKind::Const) return read_new_axes(reader, node, val.value, index);
  }
  return error(reader, node, messages::bad_subscript, describe(reader, val) + " has no subscripts");
}

}  // namespace tilewright::front::cutile
