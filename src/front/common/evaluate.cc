// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Module-level expressions, evaluated without running anything: numbers and arithmetic of them, dtypes, enum members, tuples.

#include <algorithm>
#include <cmath>
#include <limits>

#include "front/common/dialect.h"
#include "front/common/reader.h"

namespace tilewright::front {

using syntax::Tree;

namespace {

std::optional<double> as_double(const Val& val) {
  if (!val.is(ValKind::Number) || !val.number) return std::nullopt;
  return std::visit([](auto v) { return static_cast<double>(v); }, *val.number);
}

std::optional<sym::ExprKind> expression_kind(syntax::Operator op) {
  switch (op) {
    case syntax::Operator::Add: return sym::ExprKind::Add;
    case syntax::Operator::Sub: return sym::ExprKind::Sub;
    case syntax::Operator::Mult: return sym::ExprKind::Mul;
    case syntax::Operator::MatMult: return std::nullopt;
    case syntax::Operator::Div: return sym::ExprKind::TrueDiv;
    case syntax::Operator::Mod: return sym::ExprKind::Mod;
    case syntax::Operator::Pow: return sym::ExprKind::Pow;
    case syntax::Operator::LShift: return sym::ExprKind::Shl;
    case syntax::Operator::RShift: return sym::ExprKind::Shr;
    case syntax::Operator::BitOr: return sym::ExprKind::BitOr;
    case syntax::Operator::BitXor: return sym::ExprKind::BitXor;
    case syntax::Operator::BitAnd: return sym::ExprKind::BitAnd;
    case syntax::Operator::FloorDiv: return sym::ExprKind::FloorDiv;
  }
  return std::nullopt;
}

Val folded(Reader& reader, sym::ExprKind kind, const std::vector<Val>& operands) {
  std::vector<sym::ExprId> ids;
  for (const Val& operand : operands) {
    if (!operand.is(ValKind::Number) || !operand.number) return calculated_val();
    ids.push_back(reader.arena().literal(*operand.number));
  }
  if (const auto value = reader.arena().literal_of(reader.arena().make(kind, ids))) return number_val(*value);
  return calculated_val();
}

// Calls of functions without side effects on known numbers: `math.log(2)`, `float("inf")`, `int(4.0)`.
Val evaluated_call(const std::string& function, const std::vector<Val>& arguments) {
  const Val unknown = calculated_val();
  if (arguments.size() == 1 && arguments[0].is(ValKind::String) && function == "float") {
    std::string text = arguments[0].text;
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const double infinity = std::numeric_limits<double>::infinity();
    if (text == "inf" || text == "+inf" || text == "infinity") return number_val(infinity);
    if (text == "-inf" || text == "-infinity") return number_val(-infinity);
    if (text == "nan") return number_val(std::numeric_limits<double>::quiet_NaN());
    return unknown;
  }
  std::vector<double> x;
  for (const Val& argument : arguments) {
    const auto value = as_double(argument);
    if (!value) return unknown;
    x.push_back(*value);
  }
  const auto integer = [&](double value) {
    return std::isfinite(value) && std::abs(value) < 0x1p62 ? number_val(static_cast<int64_t>(value)) : unknown;
  };
  if (x.size() == 1) {
    if (function == "math.log") return x[0] > 0 ? number_val(std::log(x[0])) : unknown;
    if (function == "math.log2") return x[0] > 0 ? number_val(std::log2(x[0])) : unknown;
    if (function == "math.log10") return x[0] > 0 ? number_val(std::log10(x[0])) : unknown;
    if (function == "math.sqrt") return x[0] >= 0 ? number_val(std::sqrt(x[0])) : unknown;
    if (function == "math.exp") return number_val(std::exp(x[0]));
    if (function == "math.floor") return integer(std::floor(x[0]));
    if (function == "math.ceil") return integer(std::ceil(x[0]));
    if (function == "float") return number_val(x[0]);
    if (function == "int") {
      return std::holds_alternative<double>(*arguments[0].number) ? integer(std::trunc(x[0]))
             : std::holds_alternative<bool>(*arguments[0].number) ? integer(x[0])
                                                                  : arguments[0];
    }
    if (function == "bool") return number_val(x[0] != 0);
    if (function == "abs" && std::holds_alternative<double>(*arguments[0].number)) return number_val(std::abs(x[0]));
  }
  if (x.size() == 2) {
    if (function == "math.pow") return number_val(std::pow(x[0], x[1]));
    if (function == "math.log" && x[0] > 0 && x[1] > 0) return number_val(std::log(x[0]) / std::log(x[1]));
    if (function == "min") return x[1] < x[0] ? arguments[1] : arguments[0];
    if (function == "max") return x[1] > x[0] ? arguments[1] : arguments[0];
  }
  return unknown;
}

}  // namespace

Val unknown_number(Module& module, NodeId node) {
  const Tree& tree = *module.tree;
  if (const auto call = tree.get_if<syntax::Call>(node)) {
    if (const auto name = tree.get_if<syntax::Name>(call->func)) {
      Val val{.kind = ValKind::Number};
      if (name->id == "int" || name->id == "len")
        val.index = static_cast<uint32_t>(ir::LooseKind::Int);
      else if (name->id == "float")
        val.index = static_cast<uint32_t>(ir::LooseKind::Float);
      else if (name->id == "bool")
        val.index = static_cast<uint32_t>(ir::LooseKind::Bool);
      else
        return calculated_val();
      return val;
    }
  }
  if (const auto compare = tree.get_if<syntax::Compare>(node); compare && compare->ops.size() == 1) {
    Val val{.kind = ValKind::Number};
    val.index = static_cast<uint32_t>(ir::LooseKind::Bool);
    return val;
  }
  return calculated_val();
}

Val evaluate(Reader& reader, Module& module, NodeId node, uint32_t depth) {
  const Tree& tree = *module.tree;
  const Val host = calculated_val();
  if (depth > evaluation_limit) return host;
  const NodeKind kind = tree.kind(node);
  if (kind == NodeKind::Constant) {
    switch (tree.constant_kind(node)) {
      case syntax::ConstantKind::None: return none_val();
      case syntax::ConstantKind::True: return number_val(true);
      case syntax::ConstantKind::False: return number_val(false);
      case syntax::ConstantKind::Ellipsis: return {.kind = ValKind::Ellipsis};
      case syntax::ConstantKind::Int: {
        const auto value = tree.int_value(node);
        return value ? number_val(*value) : host;
      }
      case syntax::ConstantKind::Float: return number_val(tree.float_value(node));
      case syntax::ConstantKind::Str: return string_val(std::string(tree.string_value(node)));
      case syntax::ConstantKind::Complex:
      case syntax::ConstantKind::Bytes: return host;
    }
  }
  if (kind == NodeKind::Name) {
    const auto name = tree.as<syntax::Name>(node);
    if (auto val = global_value(reader, module, name.id)) return *val;
    if (auto val = reader.dialect.python_name(name.id)) return *val;
    return host;
  }
  if (kind == NodeKind::Attribute) {
    const auto attribute = tree.as<syntax::Attribute>(node);
    const Val from = evaluate(reader, module, attribute.value, depth + 1);
    std::optional<Val> val;
    if (from.is(ValKind::Namespace)) val = reader.dialect.namespace_attribute(reader, from.text, attribute.attr);
    if (from.is(ValKind::File)) val = file_attribute(reader, *from.module, attribute.attr);
    return val ? *val : host;
  }
  if (kind == NodeKind::UnaryOp) {
    const auto unary_op = tree.as<syntax::UnaryOp>(node);
    const Val operand = evaluate(reader, module, unary_op.operand, depth + 1);
    switch (unary_op.op) {
      case syntax::UnaryOperator::USub: return folded(reader, sym::ExprKind::Neg, {operand});
      case syntax::UnaryOperator::UAdd: return operand.is(ValKind::Number) ? operand : host;
      case syntax::UnaryOperator::Not: return folded(reader, sym::ExprKind::Not, {operand});
      case syntax::UnaryOperator::Invert: return folded(reader, sym::ExprKind::Invert, {operand});
    }
  }
  if (kind == NodeKind::BinOp) {
    const auto operation = tree.as<syntax::BinOp>(node);
    const auto op = expression_kind(operation.op);
    if (!op) return host;
    return folded(reader, *op,
                  {evaluate(reader, module, operation.left, depth + 1), evaluate(reader, module, operation.right, depth + 1)});
  }
  if (kind == NodeKind::Tuple) {
    std::vector<Val> items;
    for (const NodeId element : tree.as<syntax::Tuple>(node).elts) items.push_back(evaluate(reader, module, element, depth + 1));
    return tuple_val(std::move(items));
  }
  if (kind == NodeKind::Subscript) {
    const auto subscript = tree.as<syntax::Subscript>(node);
    const Val from = evaluate(reader, module, subscript.value, depth + 1);
    if (from.is(ValKind::Annotation)) return {.kind = ValKind::Annotation, .text = from.text};
    if (from.is(ValKind::Tuple)) {
      const Val index = evaluate(reader, module, subscript.slice, depth + 1);
      if (index.is(ValKind::Number) && index.number && std::holds_alternative<int64_t>(*index.number)) {
        const auto size = static_cast<int64_t>(from.items->size());
        int64_t i = std::get<int64_t>(*index.number);
        if (i < 0) i += size;
        if (i >= 0 && i < size) return (*from.items)[static_cast<size_t>(i)];
      }
    }
    return host;
  }
  if (kind == NodeKind::Call) {
    const auto call = tree.as<syntax::Call>(node);
    if (!call.keywords.empty()) return host;
    const Val callee = evaluate(reader, module, call.func, depth + 1);
    std::vector<Val> arguments;
    for (const NodeId argument : call.args) arguments.push_back(evaluate(reader, module, argument, depth + 1));
    if (const auto read = reader.dialect.module_call(reader, callee, arguments)) return *read;
    if (callee.is(ValKind::Foreign)) return evaluated_call(callee.text, arguments);
    if (callee.is(ValKind::Builtin) && callee.builtin->set == BuiltinSet::Python) {
      return evaluated_call(std::string(callee.builtin->name), arguments);
    }
    return host;
  }
  return host;
}

}  // namespace tilewright::front
