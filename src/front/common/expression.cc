// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <vector>

#include "front/common/dialect.h"
#include "front/common/reader.h"

namespace tilewright::front {

using ir::OpKind;
using ir::TypeKind;
using syntax::NodeList;

namespace {

constexpr uint32_t depth_limit = 200;  // of nested expressions; chains of operators do not count
constexpr size_t chain_limit = 250;    // of operators in a chain: Triton descends three Python frames for each, of 1000

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
    const Val equal = reader.dialect.compare(reader, node, OpKind::CmpEq, (*a.items)[i], (*b.items)[i]);
    if (equal.poison()) return {};
    const auto known = truth(reader, all);
    if (known == false) return all;
    all = known ? equal : reader.dialect.binary(reader, node, OpKind::BitAnd, all, equal, {});
  }
  return all;
}

// a == b, a < b …, for everything that can be compared.
Val compare_two(Reader& reader, NodeId node, syntax::CmpOperator op, Val a, Val b) {
  using Cmp = syntax::CmpOperator;
  if (a.poison() || b.poison()) return {};
  if (const auto own = reader.dialect.own_comparison(reader, node, op, a, b)) return *own;
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
      any = first ? equal : reader.dialect.binary(reader, node, OpKind::BitOr, any, equal, {});
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
  return reader.dialect.compare(reader, node, *op_of(op), a, b);
}

Val read_unary(Reader& reader, NodeId node) {
  const auto operation = reader.tree().as<syntax::UnaryOp>(node);
  const Val operand = read_expression(reader, operation.operand);
  return operand.poison() ? Val{} : reader.dialect.unary_operation(reader, node, operation.op, operand);
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
  if (kind == NodeKind::GeneratorExp) return error(reader, node, messages::unconverted_syntax, "a generator");
  if (kind == NodeKind::JoinedStr) return error(reader, node, messages::unconverted_syntax, "a formatted string in device code");
  return refused("this expression");
}

Val dispatch(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  const NodeKind kind = tree.kind(node);
  if (kind == NodeKind::Name) return read_name(reader, node, tree.as<syntax::Name>(node).id);
  if (kind == NodeKind::Constant) return read_constant(reader, node);
  if (kind == NodeKind::Attribute) return reader.dialect.attribute(reader, node);
  if (kind == NodeKind::Call) return read_call(reader, node);
  if (kind == NodeKind::BinOp) return read_binary(reader, node);
  if (kind == NodeKind::UnaryOp) return read_unary(reader, node);
  if (kind == NodeKind::Compare) return read_compare(reader, node);
  if (kind == NodeKind::BoolOp) return reader.dialect.bool_operation(reader, node);
  if (kind == NodeKind::IfExp) return read_ternary(reader, node);
  if (kind == NodeKind::Subscript) return reader.dialect.subscript(reader, node);
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
  if (const auto own = reader.dialect.own_expression(reader, node)) return *own;
  return unsupported(reader, node, kind);
}

}  // namespace

Val apply_operator(Reader& reader, NodeId node, syntax::Operator op, const Val& left, const Val& right) {
  if (left.poison() || right.poison()) return {};
  if (op == syntax::Operator::Add && left.is(ValKind::Tuple) && right.is(ValKind::Tuple)) {
    std::vector<Val> items = *left.items;
    items.insert(items.end(), right.items->begin(), right.items->end());
    return tuple_val(std::move(items));
  }
  if (op == syntax::Operator::Add && left.is(ValKind::String) && right.is(ValKind::String))
    return string_val(left.text + right.text);
  return reader.dialect.operation(reader, node, op, left, right);
}

Val read_expression(Reader& reader, NodeId node) {
  Frame& frame = *reader.frame;
  if (frame.depth >= depth_limit) return error(reader, node, messages::too_deep);
  ++frame.depth;
  Val val = dispatch(reader, node);
  --frame.depth;
  return val;
}

Val read_compare(Reader& reader, NodeId node) {
  const auto comparison = reader.tree().as<syntax::Compare>(node);
  if (comparison.ops.size() > 1) return reader.dialect.chained_comparison(reader, node);
  const Val left = read_expression(reader, comparison.left);
  return compare_two(reader, node, comparison.ops[0], left, read_expression(reader, comparison.comparators[0]));
}

// `a < b < c` evaluates b once and c only if a < b.
Val read_chained_comparison(Reader& reader, NodeId node) {
  const auto comparison = reader.tree().as<syntax::Compare>(node);
  Val left = read_expression(reader, comparison.left);
  Val right = read_expression(reader, comparison.comparators[0]);
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

}  // namespace tilewright::front
