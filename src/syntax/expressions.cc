// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <array>

#include "syntax/parser.h"

namespace tilewright::syntax {

// TW016
constexpr Message<> unpacking_in_comprehension("TW016", "unpacking has no meaning in a comprehension");

namespace {

// How tightly operators bind; 0 for what is none. One row of the reference's table each.
constexpr int no_level = 0, or_level = 1, and_level = 2, not_level = 3, compare_level = 4, bit_or_level = 5, bit_xor_level = 6,
              bit_and_level = 7, shift_level = 8, sum_level = 9, term_level = 10;

constexpr std::array<uint8_t, 128> levels = [] {
  std::array<uint8_t, 128> table{};
  const auto set = [&](int level, std::initializer_list<TokenKind> kinds) {
    for (const TokenKind kind : kinds) table[static_cast<size_t>(kind)] = static_cast<uint8_t>(level);
  };
  using enum TokenKind;
  set(or_level, {KwOr});
  set(and_level, {KwAnd});
  set(compare_level, {EqualEqual, NotEqual, Less, LessEqual, Greater, GreaterEqual, KwIs, KwIn, KwNot});
  set(bit_or_level, {Bar});
  set(bit_xor_level, {Caret});
  set(bit_and_level, {Ampersand});
  set(shift_level, {LeftShift, RightShift});
  set(sum_level, {Plus, Minus});
  set(term_level, {Star, Slash, DoubleSlash, Percent, At});
  return table;
}();

constexpr std::array<Operator, 128> binary_operators = [] {
  std::array<Operator, 128> table{};
  const auto set = [&](TokenKind kind, Operator op) { table[static_cast<size_t>(kind)] = op; };
  set(TokenKind::Bar, Operator::BitOr);
  set(TokenKind::Caret, Operator::BitXor);
  set(TokenKind::Ampersand, Operator::BitAnd);
  set(TokenKind::LeftShift, Operator::LShift);
  set(TokenKind::RightShift, Operator::RShift);
  set(TokenKind::Plus, Operator::Add);
  set(TokenKind::Minus, Operator::Sub);
  set(TokenKind::Star, Operator::Mult);
  set(TokenKind::Slash, Operator::Div);
  set(TokenKind::DoubleSlash, Operator::FloorDiv);
  set(TokenKind::Percent, Operator::Mod);
  set(TokenKind::At, Operator::MatMult);
  return table;
}();

// CPython's parser has a stack of 6000 calls; a sign takes one of them, a power two. Lambdas within lambdas recurse here, so
// fewer of them are allowed than the 2984 that it would take.
constexpr size_t max_pending = 5968;
constexpr int max_lambdas = 1000;

}  // namespace

NodeId Parser::yield_or_star_expressions() { return at(TokenKind::KwYield) ? yield() : star_expressions(); }

NodeId Parser::yield() {
  const uint32_t begin = now().begin;
  advance();
  if (accept(TokenKind::KwFrom)) return add(YieldFrom{.value = expression()}, begin);
  NodeId value;
  if (at(expression_starts) || at(TokenKind::Star)) value = star_expressions();
  return add(Yield{.value = value}, begin);
}

// After the first element of a tuple without parentheses, at its comma.
NodeId Parser::tuple_of(NodeId first, uint32_t begin) {
  const size_t elements = mark();
  keep(first);
  while (accept(TokenKind::Comma)) {
    if (!at(expression_starts) && !at(TokenKind::Star)) break;
    keep(star_expression());
  }
  const NodeId tuple = add(Tuple{.elts = since(elements)}, begin);
  stack_.resize(elements);
  bare_tuple_ = tuple;
  return tuple;
}

// Before Python 3.9 a star needed parentheses in some places.
void Parser::need_no_bare_star(NodeId node, std::string_view what) {
  if (version_ >= Version::Py39 || failed_) return;
  bool starred = kind(node) == NodeKind::Starred;
  if (node == bare_tuple_) {
    for (const NodeId element : tree_.as<Tuple>(node).elts) starred = starred || kind(element) == NodeKind::Starred;
  }
  if (starred) need(Version::Py39, tree_.span(node), what);
}

NodeId Parser::star_expressions() {
  const uint32_t begin = now().begin;
  const NodeId first = star_expression();
  return at(TokenKind::Comma) ? tuple_of(first, begin) : first;
}

NodeId Parser::expression_list() {
  const uint32_t begin = now().begin;
  const NodeId first = expression();
  if (!at(TokenKind::Comma)) return first;
  const size_t elements = mark();
  keep(first);
  while (accept(TokenKind::Comma) && at(expression_starts)) keep(expression());
  const NodeId tuple = add(Tuple{.elts = since(elements)}, begin);
  stack_.resize(elements);
  return tuple;
}

NodeId Parser::star_expression() {
  if (!at(TokenKind::Star)) return expression();
  const uint32_t begin = now().begin;
  advance();
  const NodeId value = binary(bit_or_level);
  return add(Starred{.value = value}, begin);
}

NodeId Parser::star_named_expression() { return at(TokenKind::Star) ? star_expression() : named_expression(); }

NodeId Parser::named_expression() {
  if (!at(TokenKind::Name) || ahead().kind != TokenKind::ColonEqual) return expression();
  const Token& name = now();
  read_name(name);
  advance();
  const NodeId target = add(Name{.id_span = span(name), .ctx = Context::Store}, name.begin);
  advance();
  const NodeId value = expression();
  return add(NamedExpr{.target = target, .value = value}, name.begin);
}

NodeId Parser::expression() {
  if (at(TokenKind::KwLambda)) return lambda();
  uint32_t begin = now().begin;
  NodeId body = binary(or_level);
  if (!at(TokenKind::KwIf)) return body;

  const size_t base = pending_.size();
  while (accept(TokenKind::KwIf)) {
    const NodeId test = binary(or_level);
    if (!expect(TokenKind::KwElse)) break;
    pending_.push_back({.begin = begin, .left = body, .right = test});
    begin = now().begin;
    body = at(TokenKind::KwLambda) ? lambda() : binary(or_level);
    if (kind(body) == NodeKind::Lambda && begin == begin_of(body)) break;
  }
  if (pending_.size() - base > max_pending) fail(span(begin, begin), too_deep);
  for (; pending_.size() > base; pending_.pop_back()) {
    const Pending& p = pending_.back();
    body = add(IfExp{.test = p.right, .body = p.left, .orelse = body}, p.begin);
  }
  return body;
}

NodeId Parser::binary(int least) {
  const uint32_t begin = now().begin;
  NodeId left = operand(least);
  while (true) {
    const TokenKind op = now().kind;
    const int level = levels[static_cast<size_t>(op)];
    if (level == no_level || level < least) return left;
    if (level > compare_level) {
      advance();
      const NodeId right = binary(level + 1);
      left = add(BinOp{.left = left, .op = binary_operators[static_cast<size_t>(op)], .right = right}, begin);
    } else if (level == compare_level) {
      if (op == TokenKind::KwNot && ahead().kind != TokenKind::KwIn) return left;
      left = comparison(left, begin);
    } else {
      left = bool_operation(left, begin, op, level);
    }
    if (failed_) return left;
  }
}

NodeId Parser::bool_operation(NodeId left, uint32_t begin, TokenKind op, int level) {
  const size_t values = mark();
  keep(left);
  while (accept(op)) keep(binary(level + 1));
  const auto op_ = op == TokenKind::KwOr ? BoolOperator::Or : BoolOperator::And;
  const NodeId node = add(BoolOp{.op = op_, .values = since(values)}, begin);
  stack_.resize(values);
  return node;
}

NodeId Parser::comparison(NodeId left, uint32_t begin) {
  const size_t operands = mark(), ops = comparisons_.size();
  while (true) {
    CmpOperator op;
    switch (now().kind) {
      case TokenKind::EqualEqual: op = CmpOperator::Eq; break;
      case TokenKind::NotEqual: op = CmpOperator::NotEq; break;
      case TokenKind::Less: op = CmpOperator::Lt; break;
      case TokenKind::LessEqual: op = CmpOperator::LtE; break;
      case TokenKind::Greater: op = CmpOperator::Gt; break;
      case TokenKind::GreaterEqual: op = CmpOperator::GtE; break;
      case TokenKind::KwIn: op = CmpOperator::In; break;
      case TokenKind::KwIs: op = ahead().kind == TokenKind::KwNot ? CmpOperator::IsNot : CmpOperator::Is; break;
      default: op = CmpOperator::NotIn; break;
    }
    if (at(TokenKind::NotEqual) && (text(now()) == "<>") != unequal_is_diamond_) expected("an operator");
    advance();
    if (op == CmpOperator::IsNot || op == CmpOperator::NotIn) advance();
    comparisons_.push_back(op);
    keep(binary(bit_or_level));
    if (failed_ || levels[static_cast<size_t>(now().kind)] != compare_level) break;
    if (at(TokenKind::KwNot) && ahead().kind != TokenKind::KwIn) break;
  }
  const CmpOperators view(comparisons_.data() + ops, comparisons_.size() - ops);
  const NodeId node = add(Compare{.left = left, .ops = view, .comparators = since(operands)}, begin);
  stack_.resize(operands);
  comparisons_.resize(ops);
  return node;
}

static UnaryOperator unary_operator(TokenKind kind) {
  return kind == TokenKind::Plus ? UnaryOperator::UAdd : kind == TokenKind::Minus ? UnaryOperator::USub : UnaryOperator::Invert;
}

// Signs, `not`, `**`: whatever binds to what is on its right.
NodeId Parser::operand(int least) {
  const size_t base = pending_.size();
  if (at(TokenKind::KwNot)) {
    if (least > not_level) return expected("an operand");
    for (; at(TokenKind::KwNot); advance()) pending_.push_back({.begin = now().begin});
    if (pending_.size() - base > max_pending) fail(span(now()), too_deep);
    NodeId node = binary(compare_level);
    for (; pending_.size() > base; pending_.pop_back()) {
      node = add(UnaryOp{.op = UnaryOperator::Not, .operand = node}, pending_.back().begin);
    }
    return node;
  }
  NodeId node;
  constexpr uint8_t power = 0xFF;
  size_t weight = 0;
  while (true) {
    const Token& token = now();
    ++weight;
    if (at(TokenKind::Plus) || at(TokenKind::Minus) || at(TokenKind::Tilde)) {
      pending_.push_back({.begin = token.begin, .op = static_cast<uint8_t>(unary_operator(token.kind))});
      advance();
      continue;
    }
    node = primary();
    if (!accept(TokenKind::DoubleStar)) break;
    pending_.push_back({.begin = token.begin, .op = power, .left = node});
    ++weight;
  }
  if (weight > max_pending + 1) fail(span(now()), too_deep);
  for (; pending_.size() > base; pending_.pop_back()) {
    const Pending& p = pending_.back();
    if (p.op == power) {
      node = add(BinOp{.left = p.left, .op = Operator::Pow, .right = node}, p.begin);
    } else {
      node = add(UnaryOp{.op = static_cast<UnaryOperator>(p.op), .operand = node}, p.begin);
    }
  }
  return node;
}

NodeId Parser::primary() {
  const uint32_t begin = now().begin;
  if (!at(TokenKind::KwAwait)) return trailers(atom(), begin);
  advance();
  const uint32_t value_begin = now().begin;
  const NodeId value = trailers(atom(), value_begin);
  return add(Await{.value = value}, begin);
}

NodeId Parser::trailers(NodeId node, uint32_t begin) {
  while (true) {
    switch (now().kind) {
      case TokenKind::Dot: {
        advance();
        const source::Span name = identifier();
        node = add(Attribute{.value = node, .attr_span = name}, begin);
        break;
      }
      case TokenKind::LeftParen: {
        const size_t args = mark(), keywords = second_.size();
        arguments(Generators::Allowed);
        const NodeList keyword_list(second_.data() + keywords, second_.size() - keywords);
        node = add(Call{.func = node, .args = since(args), .keywords = keyword_list}, begin);
        stack_.resize(args);
        second_.resize(keywords);
        break;
      }
      case TokenKind::LeftBracket: {
        advance();
        const NodeId index = subscript_index();
        expect(TokenKind::RightBracket);
        node = add(Subscript{.value = node, .slice = index}, begin);
        break;
      }
      default: return node;
    }
  }
}

NodeId Parser::number(ConstantKind constant) {
  const Token& token = now();
  advance();
  return build_.add_constant(constant, token.begin, token.end);
}

NodeId Parser::atom() {
  const Token& token = now();
  switch (token.kind) {
    case TokenKind::Name: {
      read_name(token);
      advance();
      return build_.add(Name{.id_span = span(token)}, token.begin, token.end);
    }
    case TokenKind::Int: return number(ConstantKind::Int);
    case TokenKind::Float: return number(ConstantKind::Float);
    case TokenKind::Imaginary: return number(ConstantKind::Complex);
    case TokenKind::KwNone: return number(ConstantKind::None);
    case TokenKind::KwTrue: return number(ConstantKind::True);
    case TokenKind::KwFalse: return number(ConstantKind::False);
    case TokenKind::Ellipsis: return number(ConstantKind::Ellipsis);
    case TokenKind::String:
    case TokenKind::FStringStart: return strings();
    case TokenKind::LeftParen: return parenthesized();
    case TokenKind::LeftBracket: return list();
    case TokenKind::LeftBrace: return dict_or_set();
    default: return expected("an expression");
  }
}

NodeId Parser::parenthesized() {
  const uint32_t begin = now().begin;
  advance();
  if (accept(TokenKind::RightParen)) return add(Tuple{}, begin);
  if (at(TokenKind::KwYield)) {
    const NodeId node = yield();
    expect(TokenKind::RightParen);
    return node;
  }
  const source::Span first_at = span(now());
  const NodeId first = star_named_expression();
  const bool starred = text_[first_at.begin] == '*';
  if (at_comprehension()) {
    if (starred) return fail(first_at, unpacking_in_comprehension);
    const size_t clauses = mark();
    comprehension_clauses();
    expect(TokenKind::RightParen);
    const NodeId node = add(GeneratorExp{.elt = first, .generators = since(clauses)}, begin);
    stack_.resize(clauses);
    return node;
  }
  if (!at(TokenKind::Comma)) {
    if (starred && at(TokenKind::RightParen)) return fail(first_at, misplaced_star);
    if (!accept(TokenKind::RightParen)) expected("`)` or `,`");
    return first;
  }
  const size_t elements = mark();
  keep(first);
  while (accept(TokenKind::Comma) && !at(TokenKind::RightParen)) keep(star_named_expression());
  if (!accept(TokenKind::RightParen)) expected("`)` or `,`");
  const NodeId node = add(Tuple{.elts = since(elements)}, begin);
  stack_.resize(elements);
  return node;
}

NodeId Parser::list() {
  const uint32_t begin = now().begin;
  advance();
  const size_t elements = mark();
  NodeId node;
  if (!at(TokenKind::RightBracket)) {
    const source::Span first_at = span(now());
    keep(star_named_expression());
    if (at_comprehension()) {
      if (text_[first_at.begin] == '*') return fail(first_at, unpacking_in_comprehension);
      comprehension_clauses();
      expect(TokenKind::RightBracket);
      node = add(ListComp{.elt = stack_[elements], .generators = since(elements + 1)}, begin);
      stack_.resize(elements);
      return node;
    }
    while (accept(TokenKind::Comma) && !at(TokenKind::RightBracket)) keep(star_named_expression());
  }
  if (!accept(TokenKind::RightBracket)) expected("`]` or `,`");
  node = add(List{.elts = since(elements)}, begin);
  stack_.resize(elements);
  return node;
}

NodeId Parser::dict_or_set() {
  const uint32_t begin = now().begin;
  advance();
  const size_t keys = mark(), values = second_.size();
  const auto finish = [&](NodeId node) {
    stack_.resize(keys);
    second_.resize(values);
    return node;
  };
  if (accept(TokenKind::RightBrace)) return add(Dict{}, begin);

  const source::Span first_at = span(now());
  bool is_dict = at(TokenKind::DoubleStar);
  if (!is_dict) {
    const bool walrus = at(TokenKind::Name) && ahead().kind == TokenKind::ColonEqual;
    if (walrus) need(Version::Py39, first_at, "`:=` without parentheses in a set");
    keep(star_named_expression());
    is_dict = at(TokenKind::Colon);
    if (is_dict && (walrus || text_[first_at.begin] == '*')) return expected("`}` or `,`");
  }
  if (!is_dict) {
    if (at_comprehension()) {
      if (text_[first_at.begin] == '*') return fail(first_at, unpacking_in_comprehension);
      comprehension_clauses();
      expect(TokenKind::RightBrace);
      return finish(add(SetComp{.elt = stack_[keys], .generators = since(keys + 1)}, begin));
    }
    while (accept(TokenKind::Comma) && !at(TokenKind::RightBrace)) {
      if (at(TokenKind::Name) && ahead().kind == TokenKind::ColonEqual)
        need(Version::Py39, span(now()), "`:=` without parentheses in a set");
      keep(star_named_expression());
    }
    if (!accept(TokenKind::RightBrace)) expected("`}` or `,`");
    return finish(add(Set{.elts = since(keys)}, begin));
  }

  bool first = true;
  do {
    if (at(TokenKind::RightBrace)) break;
    if (first && !at(TokenKind::DoubleStar)) {
      advance();  // the colon after the first key
      second_.push_back(expression());
    } else if (accept(TokenKind::DoubleStar)) {
      keep(NodeId::none());
      second_.push_back(binary(bit_or_level));
    } else {
      keep(expression());
      expect(TokenKind::Colon);
      second_.push_back(expression());
    }
    if (first && at_comprehension()) {
      if (!stack_[keys].valid()) return fail(first_at, unpacking_in_comprehension);
      comprehension_clauses();
      expect(TokenKind::RightBrace);
      return finish(add(DictComp{.key = stack_[keys], .value = second_[values], .generators = since(keys + 1)}, begin));
    }
    first = false;
  } while (accept(TokenKind::Comma));
  if (!accept(TokenKind::RightBrace)) expected("`}` or `,`");
  const NodeList value_list(second_.data() + values, second_.size() - values);
  return finish(add(Dict{.keys = since(keys), .values = value_list}, begin));
}

NodeId Parser::subscript_index() {
  const uint32_t begin = now().begin;
  const Token& first_at = now();
  const NodeId first = slice();
  if (!at(TokenKind::Comma) && first_at.kind != TokenKind::Star) return first;
  const size_t elements = mark();
  keep(first);
  while (accept(TokenKind::Comma) && !at(TokenKind::RightBracket)) keep(slice());
  const NodeId tuple = add(Tuple{.elts = since(elements)}, begin);
  stack_.resize(elements);
  return tuple;
}

NodeId Parser::slice() {
  const uint32_t begin = now().begin;
  if (at(TokenKind::Star)) {
    need(Version::Py311, span(now()), "`*` in an index");
    advance();
    const NodeId value = expression();
    return add(Starred{.value = value}, begin);
  }
  NodeId lower, upper, step;
  if (!at(TokenKind::Colon)) {
    const bool walrus = at(TokenKind::Name) && ahead().kind == TokenKind::ColonEqual;
    if (walrus) need(Version::Py310, span(now()), "`:=` without parentheses in an index");
    lower = named_expression();
    if (walrus || !at(TokenKind::Colon)) return lower;
  }
  expect(TokenKind::Colon);
  const auto bound = [&] {
    return at(TokenKind::Colon) || at(TokenKind::Comma) || at(TokenKind::RightBracket) ? NodeId() : expression();
  };
  upper = bound();
  if (accept(TokenKind::Colon)) step = bound();
  return add(Slice{.lower = lower, .upper = upper, .step = step}, begin);
}

NodeId Parser::lambda() {
  const uint32_t begin = now().begin;
  if (++depth_ > max_lambdas) fail(span(now()), too_deep);
  advance_unless_failed();
  const NodeId args = parameters(Params::Lambda, TokenKind::Colon);
  expect(TokenKind::Colon);
  const NodeId body = failed_ ? invalid_ : expression();
  --depth_;
  return add(Lambda{.args = args, .body = body}, begin);
}

// Keeps a Comprehension for each `for`.
void Parser::comprehension_clauses() {
  while (at_comprehension() && !failed_) {
    const uint32_t begin = now().begin;
    const bool is_async = accept(TokenKind::KwAsync);
    advance();
    const NodeId target = star_targets();
    expect(TokenKind::KwIn);
    const NodeId iter = binary(or_level);
    const size_t ifs = mark();
    while (accept(TokenKind::KwIf)) keep(version_ == Version::Py38 && at(TokenKind::KwLambda) ? lambda() : binary(or_level));
    const NodeId node = add(Comprehension{.target = target, .iter = iter, .ifs = since(ifs), .is_async = is_async}, begin);
    stack_.resize(ifs);
    keep(node);
  }
}

// What stands between `for` and `in`.
NodeId Parser::star_targets() {
  const uint32_t begin = now().begin;
  const auto target = [&] {
    if (!at(TokenKind::Star)) return binary(bit_or_level);
    const uint32_t star = now().begin;
    advance();
    const NodeId value = binary(bit_or_level);
    return add(Starred{.value = value}, star);
  };
  NodeId node = target();
  if (at(TokenKind::Comma)) {
    const size_t elements = mark();
    keep(node);
    while (accept(TokenKind::Comma) && !at(TokenKind::KwIn)) keep(target());
    node = add(Tuple{.elts = since(elements)}, begin);
    stack_.resize(elements);
  }
  store(node, Store::For);
  return node;
}

}  // namespace tilewright::syntax
