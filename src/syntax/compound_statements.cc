// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/parser.h"

namespace tilewright::syntax {

// TW001
constexpr Message<> no_handler("TW001", "expected `except` or `finally` after the block of `try`");
constexpr Message<> no_case("TW001", "expected `case` in the block of `match`");
constexpr Message<> mixed_handlers("TW001", "`except` and `except*` in the same `try`");
constexpr Message<> bare_star_handler("TW001", "`except*` needs the exceptions that it handles");

// An `elif` is an If that is all of the `else` before it: read as a row of clauses, built from the last one.
NodeId Parser::if_statement() {
  const size_t base = pending_.size(), bodies = mark();
  do {
    const std::string_view keyword = at(TokenKind::KwIf) ? "`if`" : "`elif`";
    const uint32_t begin = now().begin;
    advance();
    const NodeId test = named_expression();
    colon();
    const size_t body = mark();
    block(keyword);
    pending_.push_back({.begin = begin, .left = test, .body = body, .body_end = mark()});
  } while (at(TokenKind::KwElif));
  if (failed_) return invalid_;
  const size_t orelse = mark();
  if (at(TokenKind::KwElse)) else_block();
  NodeId node;
  for (NodeList rest = since(orelse); pending_.size() > base; rest = NodeList(&node, 1)) {
    const Pending clause = pending_.back();
    pending_.pop_back();
    node = add(If{.test = clause.left, .body = between(clause.body, clause.body_end), .orelse = rest}, clause.begin);
  }
  stack_.resize(bodies);
  return node;
}

void Parser::else_block() {
  advance();
  colon();
  block("`else`");
}

NodeId Parser::while_statement() {
  const uint32_t begin = now().begin;
  advance();
  const NodeId test = named_expression();
  colon();
  const size_t body = mark();
  block("`while`");
  const size_t orelse = mark();
  if (at(TokenKind::KwElse)) else_block();
  const NodeId node = add(While{.test = test, .body = between(body, orelse), .orelse = since(orelse)}, begin);
  stack_.resize(body);
  return node;
}

NodeId Parser::for_statement(uint32_t begin, Async async) {
  advance();
  const NodeId target = star_targets();
  expect(TokenKind::KwIn);
  const NodeId iter = star_expressions();
  need_no_bare_star(iter, "unpacking after `in`");
  colon();
  const size_t body = mark();
  block("`for`");
  const size_t orelse = mark();
  if (at(TokenKind::KwElse)) else_block();
  const NodeList body_list = between(body, orelse), orelse_list = since(orelse);
  const NodeId node = async == Async::Yes
                          ? add(AsyncFor{.target = target, .iter = iter, .body = body_list, .orelse = orelse_list}, begin)
                          : add(For{.target = target, .iter = iter, .body = body_list, .orelse = orelse_list}, begin);
  stack_.resize(body);
  return node;
}

void Parser::with_item() {
  const uint32_t begin = now().begin;
  const NodeId value = expression();
  NodeId target;
  if (accept(TokenKind::KwAs)) {
    const uint32_t target_begin = now().begin;
    if (accept(TokenKind::Star)) {
      const NodeId starred = primary();
      target = add(Starred{.value = starred}, target_begin);
    } else {
      target = primary();
    }
    store(target, Store::With);
  }
  keep(add(WithItem{.context_expr = value, .optional_vars = target}, begin));
}

// `(a as b, c)` before the colon. The same text may start an expression: then nothing is read.
bool Parser::parenthesized_items() {
  if (!at(TokenKind::LeftParen)) return false;
  const Place before = place();
  advance();
  bool any_name = false;
  do {
    const size_t item = mark();
    with_item();
    any_name = any_name || (!failed_ && tree_.as<WithItem>(stack_[item]).optional_vars.valid());
  } while (!failed_ && accept(TokenKind::Comma) && !at(TokenKind::RightParen));
  const source::Span open = span(*before.at);
  if (!failed_ && accept(TokenKind::RightParen) && at(TokenKind::Colon)) {
    if (version_ >= Version::Py39) return true;
    if (any_name) {
      need(Version::Py39, open, "parentheses around the items of `with`");
      return true;
    }
  }
  go_back(before);
  return false;
}

NodeId Parser::with_statement(uint32_t begin, Async async) {
  advance();
  const size_t items = mark();
  if (!parenthesized_items()) {
    do with_item();
    while (accept(TokenKind::Comma));
  }
  colon();
  const size_t body = mark();
  block("`with`");
  const NodeList item_list = between(items, body), body_list = since(body);
  const NodeId node = async == Async::Yes ? add(AsyncWith{.items = item_list, .body = body_list}, begin)
                                          : add(With{.items = item_list, .body = body_list}, begin);
  stack_.resize(items);
  return node;
}

void Parser::except_handler() {
  const uint32_t begin = now().begin;
  advance();
  accept(TokenKind::Star);
  NodeId type;
  source::Span name = span(0, 0);
  if (!at(TokenKind::Colon)) {
    const uint32_t type_begin = now().begin;
    type = expression();
    if (at(TokenKind::Comma)) {
      need(Version::Py314, span(now()), "`except` with several exceptions and no parentheses");
      const size_t elements = mark();
      keep(type);
      while (accept(TokenKind::Comma) && !at(TokenKind::Colon)) keep(expression());
      type = add(Tuple{.elts = since(elements)}, type_begin);
      stack_.resize(elements);
    } else if (accept(TokenKind::KwAs)) {
      name = identifier();
    }
  }
  colon();
  const size_t body = mark();
  block("`except`");
  const NodeId node = add(ExceptHandler{.type = type, .name_span = name, .body = since(body)}, begin);
  stack_.resize(body);
  keep(node);
}

NodeId Parser::try_statement() {
  const uint32_t begin = now().begin;
  advance();
  colon();
  const size_t body = mark();
  block("`try`");
  const size_t handlers = mark();
  bool star = false, first = true;
  for (; at(TokenKind::KwExcept); first = false) {
    const bool this_star = ahead().kind == TokenKind::Star;
    if (this_star) need(Version::Py311, span(ahead()), "`except*`");
    if (this_star && ahead(2).kind == TokenKind::Colon) fail(span(ahead()), bare_star_handler);
    if (!first && this_star != star) fail(span(now()), mixed_handlers);
    if (failed_) return invalid_;
    star = this_star;
    except_handler();
  }
  const size_t orelse = mark();
  if (!first && at(TokenKind::KwElse)) else_block();
  const size_t finalbody = mark();
  if (at(TokenKind::KwFinally)) {
    advance();
    colon();
    block("`finally`");
  } else if (first) {
    complain(span(now()), no_handler);
  }
  const NodeList body_list = between(body, handlers), handler_list = between(handlers, orelse);
  const NodeList orelse_list = between(orelse, finalbody), final_list = since(finalbody);
  const NodeId node =
      star ? add(TryStar{.body = body_list, .handlers = handler_list, .orelse = orelse_list, .finalbody = final_list}, begin)
           : add(Try{.body = body_list, .handlers = handler_list, .orelse = orelse_list, .finalbody = final_list}, begin);
  stack_.resize(body);
  return node;
}

NodeId Parser::async_statement(size_t decorators) {
  const uint32_t begin = now().begin;
  advance();
  switch (now().kind) {
    case TokenKind::KwDef: return function(begin, Async::Yes, decorators);
    case TokenKind::KwFor:
      if (mark() == decorators) return for_statement(begin, Async::Yes);
      break;
    case TokenKind::KwWith:
      if (mark() == decorators) return with_statement(begin, Async::Yes);
      break;
    default: break;
  }
  return expected(mark() == decorators ? "`def`, `for` or `with`" : "`def`");
}

// Before Python 3.9 a decorator was a dotted name, perhaps with one call.
bool Parser::is_old_decorator(NodeId node) const {
  if (kind(node) == NodeKind::Call) node = tree_.as<Call>(node).func;
  while (kind(node) == NodeKind::Attribute) node = tree_.as<Attribute>(node).value;
  return kind(node) == NodeKind::Name;
}

NodeId Parser::decorated() {
  const size_t decorators = mark();
  while (at(TokenKind::At)) {
    advance();
    const Token& first = now();
    const NodeId node = named_expression();
    if (version_ < Version::Py39 && !failed_ && (first.kind == TokenKind::LeftParen || !is_old_decorator(node))) {
      need(Version::Py39, tree_.span(node), "a decorator that is no dotted name or call of one");
    }
    keep(node);
    expect(TokenKind::Newline);
  }
  switch (now().kind) {
    case TokenKind::KwDef: return function(now().begin, Async::No, decorators);
    case TokenKind::KwClass: return class_(decorators);
    case TokenKind::KwAsync: return async_statement(decorators);
    default: return expected("`def` or `class`");
  }
}

NodeId Parser::function(uint32_t begin, Async async, size_t decorators) {
  advance();
  const source::Span name = identifier();
  const size_t type_params = mark();
  type_parameters();
  expect(TokenKind::LeftParen);
  const NodeId args = parameters(Params::Function, TokenKind::RightParen);
  expect(TokenKind::RightParen);
  NodeId returns;
  if (accept(TokenKind::Arrow)) returns = expression();
  colon();
  const size_t body = mark();
  block("`def`");
  const auto fill = [&](auto view) {
    view.name_span = name;
    view.args = args;
    view.body = since(body);
    view.decorator_list = between(decorators, type_params);
    view.returns = returns;
    view.type_params = between(type_params, body);
    return add(view, begin);
  };
  const NodeId node = async == Async::Yes ? fill(AsyncFunctionDef{}) : fill(FunctionDef{});
  stack_.resize(decorators);
  return node;
}

NodeId Parser::class_(size_t decorators) {
  const uint32_t begin = now().begin;
  advance();
  const source::Span name = identifier();
  const size_t type_params = mark();
  type_parameters();
  const size_t bases = mark(), keywords = second_.size();
  if (at(TokenKind::LeftParen)) arguments(Generators::Refused);
  colon();
  const size_t body = mark();
  block("`class`");
  const NodeId node = add(ClassDef{.name_span = name,
                                   .bases = between(bases, body),
                                   .keywords = NodeList(second_.data() + keywords, second_.size() - keywords),
                                   .body = since(body),
                                   .decorator_list = between(decorators, type_params),
                                   .type_params = between(type_params, bases)},
                          begin);
  stack_.resize(decorators);
  second_.resize(keywords);
  return node;
}

// Keeps a node for each of `[T: bound = default, *Ts, **P]`, if there are any.
void Parser::type_parameters() {
  if (!at(TokenKind::LeftBracket)) return;
  need(Version::Py312, span(now()), "a list of type parameters");
  advance();
  do keep(type_parameter());
  while (accept(TokenKind::Comma) && !at(TokenKind::RightBracket));
  if (!accept(TokenKind::RightBracket)) expected("`]` or `,`");
}

NodeId Parser::type_parameter() {
  const Token& first = now();
  const bool star = accept(TokenKind::Star), double_star = !star && accept(TokenKind::DoubleStar);
  const source::Span name = identifier();
  NodeId bound, default_value;
  if (!star && !double_star && accept(TokenKind::Colon)) bound = expression();
  if (at(TokenKind::Equal)) {
    need(Version::Py313, span(now()), "a default of a type parameter");
    advance();
    default_value = star ? star_expression() : expression();
  }
  if (star) return add(TypeVarTuple{.name_span = name, .default_value = default_value}, first.begin);
  if (double_star) return add(ParamSpec{.name_span = name, .default_value = default_value}, first.begin);
  return add(TypeVar{.name_span = name, .bound = bound, .default_value = default_value}, first.begin);
}

// `match` is a name like any other unless its line reads as the head of a match statement.
bool Parser::is_match_statement() const {
  if (!at_word("match")) return false;
  constexpr TokenSet operators_too = {TokenKind::LeftParen, TokenKind::LeftBracket, TokenKind::Star, TokenKind::Plus,
                                      TokenKind::Minus};
  const TokenKind next = ahead().kind;
  if (next == TokenKind::KwNot) return ahead(2).kind != TokenKind::KwIn;
  if (!operators_too.has(next)) return expression_starts.has(next);
  const Token* last = at_;
  for (const Token* t = at_; t->kind != TokenKind::Newline && t->kind != TokenKind::EndOfFile; ++t) {
    if (t->kind != TokenKind::Comment) last = t;
  }
  return last->kind == TokenKind::Colon;
}

NodeId Parser::match_statement() {
  const Token& keyword = now();
  need(Version::Py310, span(keyword), "a `match` statement");
  advance();
  const uint32_t subject_begin = now().begin;
  const bool starred = at(TokenKind::Star);
  NodeId subject = star_named_expression();
  if (at(TokenKind::Comma)) {
    const size_t elements = mark();
    keep(subject);
    while (accept(TokenKind::Comma) && !at(TokenKind::Colon)) keep(star_named_expression());
    subject = add(Tuple{.elts = since(elements)}, subject_begin);
    stack_.resize(elements);
  } else if (starred && !failed_) {
    fail(tree_.span(subject), misplaced_star);
  }
  expect(TokenKind::Colon);
  expect(TokenKind::Newline);
  if (!failed_ && !at(TokenKind::Indent)) fail(span(now()), missing_indent, "`match`");
  advance_unless_failed();
  const size_t cases = mark();
  while (!failed_ && !at(TokenKind::Dedent) && !at(TokenKind::EndOfFile)) {
    const Token* const start = statement_begin_ = at_;
    const size_t statements = mark(), second = second_.size();
    if (at_word("case")) {
      case_block();
    } else {
      fail(span(now()), no_case);
    }
    if (failed_) recover(start, statements, second);
  }
  accept(TokenKind::Dedent);
  const NodeId node = add(Match{.subject = subject, .cases = since(cases)}, keyword.begin);
  stack_.resize(cases);
  return node;
}

void Parser::case_block() {
  const uint32_t begin = now().begin;
  advance();
  const NodeId pattern = patterns();
  NodeId guard;
  if (accept(TokenKind::KwIf)) guard = named_expression();
  colon();
  const size_t body = mark();
  block("`case`");
  const NodeId node = add(MatchCase{.pattern = pattern, .guard = guard, .body = since(body)}, begin);
  stack_.resize(body);
  keep(node);
}

}  // namespace tilewright::syntax
