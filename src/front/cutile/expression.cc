// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <vector>

#include "front/cutile/builtins.h"
#include "front/cutile/reader.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::TypeKind;
using syntax::NodeList;

namespace {

constexpr uint32_t depth_limit = 200;  // of nested expressions; chains of operators do not count
constexpr size_t chain_limit = 250;    // of operators in a chain: Triton descends three Python frames for each, of 1000

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

std::optional<OpKind> op_of(syntax::CmpOperator op) {
  switch (op) {
    case syntax::CmpOperator::Eq: return OpKind::CmpEq;
    case syntax::CmpOperator::NotEq: return OpKind::CmpNe;
    case syntax::CmpOperator::Lt: return OpKind::CmpLt;
    case syntax::CmpOperator::LtE: return OpKind::CmpLe;
    case syntax::CmpOperator::Gt: return OpKind::CmpGt;
    case syntax::CmpOperator::GtE: return OpKind::CmpGe;
    case syntax::CmpOperator::Is:
    case syntax::CmpOperator::IsNot:
    case syntax::CmpOperator::In:
    case syntax::CmpOperator::NotIn: return std::nullopt;
  }
  return std::nullopt;
}

Val bool_literal(Reader& reader, NodeId node, bool value) { return ir_val(literal(reader, node, sym::Value{value})); }

Val read_constant(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  switch (tree.constant_kind(node)) {
    case syntax::ConstantKind::None: return none_val();
    case syntax::ConstantKind::True: return bool_literal(reader, node, true);
    case syntax::ConstantKind::False: return bool_literal(reader, node, false);
    case syntax::ConstantKind::Ellipsis: return {.kind = ValKind::Ellipsis};
    case syntax::ConstantKind::Int: {
      if (const auto value = tree.int_value(node)) return ir_val(literal(reader, node, sym::Value{*value}));
      return error(reader, node, messages::out_of_range, tree.text(node), "every integer dtype");
    }
    case syntax::ConstantKind::Float: return ir_val(literal(reader, node, sym::Value{tree.float_value(node)}));
    case syntax::ConstantKind::Str: return string_val(std::string(tree.string_value(node)));
    case syntax::ConstantKind::Complex: return error(reader, node, messages::unsupported_syntax, "a complex number");
    case syntax::ConstantKind::Bytes: return error(reader, node, messages::unsupported_syntax, "a bytes literal");
  }
  return {};
}

Val tuple_equality(Reader& reader, NodeId node, const Val& a, const Val& b) {
  if (a.items->size() != b.items->size()) return bool_literal(reader, node, false);
  Val all = bool_literal(reader, node, true);
  for (size_t i = 0; i < a.items->size(); ++i) {
    const Val equal = compare(reader, node, OpKind::CmpEq, (*a.items)[i], (*b.items)[i]);
    if (equal.poison()) return {};
    const auto known = truth(reader, all);
    if (known == false) return all;
    all = known ? equal : binary(reader, node, OpKind::BitAnd, all, equal);
  }
  return all;
}

// a == b, a < b …, for everything that can be compared.
Val compare_two(Reader& reader, NodeId node, syntax::CmpOperator op, Val a, Val b) {
  using Cmp = syntax::CmpOperator;
  if (a.poison() || b.poison()) return {};
  const std::string spelling(syntax::spelling(op));
  if (op == Cmp::Is || op == Cmp::IsNot) {
    if (!a.is(ValKind::None) && !b.is(ValKind::None)) {
      return error_with(reader, node, "compare with `==`", messages::none_comparison, "`" + spelling + "` is only for None");
    }
    const Val& other = a.is(ValKind::None) ? b : a;
    return bool_literal(reader, node, other.is(ValKind::None) == (op == Cmp::Is));
  }
  if (op == Cmp::In || op == Cmp::NotIn) {
    if (!b.is(ValKind::Tuple))
      return error(reader, node, messages::bad_operands, spelling, describe(reader, a), describe(reader, b));
    Val any = bool_literal(reader, node, false);
    bool first = true;
    for (const Val& item : *b.items) {
      const Val equal = compare_two(reader, node, Cmp::Eq, a, item);
      if (equal.poison()) return {};
      any = first ? equal : binary(reader, node, OpKind::BitOr, any, equal);
      first = false;
    }
    return op == Cmp::In ? any : logical_not(reader, node, any);
  }
  if (a.is(ValKind::None) || b.is(ValKind::None)) {
    return error_with(reader, node, "use `is None`", messages::none_comparison, "`" + spelling + "` is not defined for None");
  }
  const bool equality = op == Cmp::Eq || op == Cmp::NotEq;
  if (a.is(ValKind::Tuple) && b.is(ValKind::Tuple) && equality) {
    const Val equal = tuple_equality(reader, node, a, b);
    return op == Cmp::Eq ? equal : logical_not(reader, node, equal);
  }
  if (a.is(ValKind::String) && b.is(ValKind::String)) {
    const int order = a.text.compare(b.text);
    switch (op) {
      case Cmp::Eq: return bool_literal(reader, node, order == 0);
      case Cmp::NotEq: return bool_literal(reader, node, order != 0);
      case Cmp::Lt: return bool_literal(reader, node, order < 0);
      case Cmp::LtE: return bool_literal(reader, node, order <= 0);
      case Cmp::Gt: return bool_literal(reader, node, order > 0);
      case Cmp::GtE: return bool_literal(reader, node, order >= 0);
      case Cmp::Is:
      case Cmp::IsNot:
      case Cmp::In:
      case Cmp::NotIn: break;
    }
  }
  if (a.is(ValKind::Enum) && b.is(ValKind::Enum) && equality) return bool_literal(reader, node, same(a, b) == (op == Cmp::Eq));
  const auto dtype_a = dtype_value(reader, node, a);
  const auto dtype_b = dtype_value(reader, node, b);
  if (dtype_a && dtype_b && equality) {
    const ir::DtypeId x = type_of(reader, *dtype_a).dtype;
    const ir::DtypeId y = type_of(reader, *dtype_b).dtype;
    sym::ExprId value;
    if (x == y) {
      value = reader.arena().literal(true);
    } else if (reader.types().scalar_of(x) && reader.types().scalar_of(y)) {
      value = reader.arena().literal(false);
    } else {
      // One order for both, so that `x == y` and `y == x` are one condition; known dtypes stand last.
      std::string left = reader.types().text(x);
      std::string right = reader.types().text(y);
      if (reader.types().scalar_of(x) || (!reader.types().scalar_of(y) && right < left)) std::swap(left, right);
      value = reader.arena().atom(left + " == " + right);
    }
    if (op == Cmp::NotEq) value = reader.arena().make(sym::ExprKind::Not, {value});
    const ir::TypeId type = reader.types().constant(ir::LooseKind::Bool, value);
    return ir_val(emit(reader, node, op == Cmp::Eq ? OpKind::CmpEq : OpKind::CmpNe, {*dtype_a, *dtype_b}, type));
  }
  if (dtype_a || dtype_b) return error(reader, node, messages::bad_operands, spelling, describe(reader, a), describe(reader, b));
  return compare(reader, node, *op_of(op), a, b);
}

Val read_unary(Reader& reader, NodeId node) {
  const auto operation = reader.tree().as<syntax::UnaryOp>(node);
  const Val operand = read_expression(reader, operation.operand);
  if (operand.poison()) return {};
  switch (operation.op) {
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

// Chains such as a + b + c lean to the left.
Val read_binary(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  std::vector<NodeId> chain;
  NodeId at = node;
  while (tree.is(at, NodeKind::BinOp)) {
    chain.push_back(at);
    at = tree.as<syntax::BinOp>(at).left;
  }
  if (chain.size() > chain_limit) return error(reader, node, messages::too_deep);
  Val left = read_expression(reader, at);
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    const auto operation = tree.as<syntax::BinOp>(*link);
    const Val right = read_expression(reader, operation.right);
    left = apply_operator(reader, *link, operation.op, left, right);
  }
  return left;
}

Val read_slice(Reader& reader, NodeId node) {
  const auto slice = reader.tree().as<syntax::Slice>(node);
  std::vector<Val> parts;
  for (const NodeId part : {slice.lower, slice.upper, slice.step})
    parts.push_back(part ? read_expression(reader, part) : none_val());
  return {.kind = ValKind::Slice, .items = std::make_shared<const std::vector<Val>>(std::move(parts))};
}

Val unsupported(Reader& reader, NodeId node, NodeKind kind) {
  const auto refused = [&](std::string_view what) { return error(reader, node, messages::unsupported_syntax, what); };
  if (kind == NodeKind::List) return error_with(reader, node, "write a tuple: `(a, b)`", messages::unsupported_syntax, "a list");
  if (kind == NodeKind::Dict) return refused("a dict");
  if (kind == NodeKind::Set) return refused("a set");
  if (kind == NodeKind::ListComp || kind == NodeKind::SetComp || kind == NodeKind::DictComp) return refused("a comprehension");
  if (kind == NodeKind::NamedExpr) return refused("an assignment inside of an expression");
  if (kind == NodeKind::Await || kind == NodeKind::Yield || kind == NodeKind::YieldFrom)
    return refused("a coroutine or generator");
  if (kind == NodeKind::Starred) return refused("a starred expression");
  if (kind == NodeKind::Lambda) return error(reader, node, messages::unconverted_syntax, "a lambda in device code");
  if (kind == NodeKind::GeneratorExp)
    return error(reader, node, messages::unconverted_syntax, "a generator over `ct.static_iter`");
  if (kind == NodeKind::JoinedStr) return error(reader, node, messages::unconverted_syntax, "a formatted string in device code");
  return refused("this expression");
}

Val dispatch(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  const NodeKind kind = tree.kind(node);
  if (kind == NodeKind::Name) return read_name(reader, node, tree.as<syntax::Name>(node).id);
  if (kind == NodeKind::Constant) return read_constant(reader, node);
  if (kind == NodeKind::Attribute) return read_attribute(reader, node);
  if (kind == NodeKind::Call) return read_call(reader, node);
  if (kind == NodeKind::BinOp) return read_binary(reader, node);
  if (kind == NodeKind::UnaryOp) return read_unary(reader, node);
  if (kind == NodeKind::Compare) return read_compare(reader, node);
  if (kind == NodeKind::BoolOp) return read_bool_op(reader, node);
  if (kind == NodeKind::IfExp) return read_ternary(reader, node);
  if (kind == NodeKind::Subscript) return read_subscript(reader, node);
  if (kind == NodeKind::Slice) return read_slice(reader, node);
  if (kind == NodeKind::Tuple) {
    std::vector<Val> items;
    bool poison = false;
    for (const NodeId element : tree.as<syntax::Tuple>(node).elts) {
      items.push_back(read_expression(reader, element));
      poison |= items.back().poison();
    }
    return poison ? Val{} : tuple_val(std::move(items));
  }
  return unsupported(reader, node, kind);
}

}  // namespace

Val apply_operator(Reader& reader, NodeId node, syntax::Operator op, const Val& left, const Val& right) {
  if (left.poison() || right.poison()) return {};
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Operator;
  if (op == syntax::Operator::MatMult) return matmul(reader, node, left, right, std::move(attrs));
  if (op == syntax::Operator::Add && left.is(ValKind::Tuple) && right.is(ValKind::Tuple)) {
    std::vector<Val> items = *left.items;
    items.insert(items.end(), right.items->begin(), right.items->end());
    return tuple_val(std::move(items));
  }
  if (op == syntax::Operator::Add && left.is(ValKind::String) && right.is(ValKind::String))
    return string_val(left.text + right.text);
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

Val read_expression(Reader& reader, NodeId node) {
  Frame& frame = *reader.frame;
  if (frame.depth >= depth_limit) return error(reader, node, messages::too_deep);
  ++frame.depth;
  Val val = dispatch(reader, node);
  --frame.depth;
  return val;
}

// `a < b < c` evaluates b once and c only if a < b.
Val read_compare(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  const auto comparison = tree.as<syntax::Compare>(node);
  Val left = read_expression(reader, comparison.left);
  Val right = read_expression(reader, comparison.comparators[0]);
  if (comparison.ops.size() == 1) return compare_two(reader, node, comparison.ops[0], left, right);

  Frame& frame = *reader.frame;
  std::vector<ir::BlockId> outer;  // blocks that wait for the regions inside of them
  std::vector<ir::ValueId> firsts;
  std::optional<Val> decided;
  for (size_t i = 0;; ++i) {
    const Val link = compare_two(reader, node, comparison.ops[i], left, right);
    const auto value = link.poison() ? std::nullopt : as_scalar(reader, node, link, "a part of a chained comparison");
    if (!value) {
      for (; !outer.empty(); outer.pop_back()) frame.block = outer.back();
      return {};
    }
    decided = ir_val(*value);
    if (i + 1 == comparison.ops.size()) break;
    const auto known = truth(reader, *decided);
    if (known && !*known) break;
    if (!known) {
      firsts.push_back(*value);
      outer.push_back(frame.block);
      frame.block = new_block(reader);
    }
    left = right;
    right = read_expression(reader, comparison.comparators[i + 1]);
  }
  while (!outer.empty()) {
    emit_op(reader, node, OpKind::Yield, {to_bool(reader, node, decided->value)}, {});
    const ir::BlockId region = frame.block;
    frame.block = outer.back();
    outer.pop_back();
    const ir::OpId op = emit_op(reader, node, OpKind::AndThen, {firsts.back()}, {bool_type(reader)}, {}, {region});
    firsts.pop_back();
    decided = ir_val(reader.program.ops[op].results[0]);
  }
  return *decided;
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
