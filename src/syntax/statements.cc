// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/parser.h"

namespace tilewright::syntax {

// TW001
constexpr Message<> no_handler("TW001", "expected `except` or `finally` after the block of `try`");
constexpr Message<> no_case("TW001", "expected `case` in the block of `match`");
constexpr Message<> trailing_comma("TW001", "a trailing comma needs parentheses around the imported names");
constexpr Message<> mixed_handlers("TW001", "`except` and `except*` in the same `try`");
constexpr Message<> bare_star_handler("TW001", "`except*` needs the exceptions that it handles");

static std::string_view what_is(NodeKind kind) {
  switch (kind) {
    case NodeKind::Call: return "a call";
    case NodeKind::Constant: return "a constant";
    case NodeKind::BinOp:
    case NodeKind::UnaryOp:
    case NodeKind::BoolOp: return "an expression";
    case NodeKind::Compare: return "a comparison";
    case NodeKind::Lambda: return "a lambda";
    case NodeKind::IfExp: return "a conditional expression";
    case NodeKind::Dict: return "a dict";
    case NodeKind::Set: return "a set";
    case NodeKind::List: return "a list";
    case NodeKind::Tuple: return "a tuple";
    case NodeKind::ListComp:
    case NodeKind::SetComp:
    case NodeKind::DictComp: return "a comprehension";
    case NodeKind::GeneratorExp: return "a generator";
    case NodeKind::Await: return "an `await`";
    case NodeKind::Yield:
    case NodeKind::YieldFrom: return "a `yield`";
    case NodeKind::JoinedStr:
    case NodeKind::TemplateStr: return "an f-string";
    case NodeKind::NamedExpr: return "an assignment expression";
    case NodeKind::Starred: return "a starred expression";
    default: return "this";
  }
}

static std::string_view verb(int how) {
  static constexpr std::string_view verbs[] = {"assign to", "annotate", "assign to", "assign to", "assign to", "delete"};
  return verbs[how];
}

NodeId Parser::bad_store(NodeId target, Store how) {
  return fail(tree_.span(target), bad_target, verb(static_cast<int>(how)), what_is(kind(target)));
}

bool Parser::set_targets(NodeId target, Store how, Context context) {
  switch (kind(target)) {
    case NodeKind::Name:
    case NodeKind::Attribute:
    case NodeKind::Subscript: break;
    case NodeKind::Starred: {
      if (how == Store::Delete) return bad_store(target, how), false;
      const NodeId value = tree_.as<Starred>(target).value;
      if (kind(value) == NodeKind::Starred || !set_targets(value, how, context)) return false;
      break;
    }
    case NodeKind::List:
    case NodeKind::Tuple: {
      const NodeList elements = kind(target) == NodeKind::List ? tree_.as<List>(target).elts : tree_.as<Tuple>(target).elts;
      for (const NodeId element : elements) {
        if (!set_targets(element, how, context)) return false;
      }
      break;
    }
    default: return bad_store(target, how), false;
  }
  build_.set_context(target, context);
  return true;
}

bool Parser::store(NodeId target, Store how) {
  if (failed_) return false;
  const bool single = how == Store::Annotate || how == Store::Augment;
  const NodeKind what = kind(target);
  if (single && what != NodeKind::Name && what != NodeKind::Attribute && what != NodeKind::Subscript) return bad_store(target, how), false;
  return set_targets(target, how, how == Store::Delete ? Context::Del : Context::Store);
}

void Parser::statements_until(TokenKind end) {
  while (!at(end) && !at(TokenKind::EndOfFile)) {
    if (at(TokenKind::Dedent)) {
      advance();  // of a block that was not opened
      continue;
    }
    statement();
  }
}

void Parser::statement() {
  const Token* const start = statement_begin_ = at_;
  const size_t statements = mark(), second = second_.size();
  switch (now().kind) {
    case TokenKind::Indent:
      complain(span(now()), unexpected_indent);
      advance();
      statements_until(TokenKind::Dedent);
      accept(TokenKind::Dedent);
      return;
    case TokenKind::KwIf: keep(if_statement()); break;
    case TokenKind::KwWhile: keep(while_statement()); break;
    case TokenKind::KwFor: keep(for_statement(now().begin, Async::No)); break;
    case TokenKind::KwWith: keep(with_statement(now().begin, Async::No)); break;
    case TokenKind::KwTry: keep(try_statement()); break;
    case TokenKind::KwDef: keep(function(now().begin, Async::No, mark())); break;
    case TokenKind::KwClass: keep(class_(mark())); break;
    case TokenKind::KwAsync: keep(async_statement(mark())); break;
    case TokenKind::At: keep(decorated()); break;
    case TokenKind::Name:
      if (is_match_statement()) {
        keep(match_statement());
        break;
      }
      simple_statements();
      break;
    default: simple_statements(); break;
  }
  if (failed_) recover(start, statements, second);
}

// Drops what was read of the statement and goes on behind its line; a block after it is read for its own mistakes.
void Parser::recover(const Token* start, size_t statements, size_t second) {
  failed_ = false;
  stack_.resize(statements);
  second_.resize(second);
  pending_.clear();
  comparisons_.clear();
  depth_ = 0;
  at_ = failed_at_;
  while (!at(TokenKind::Newline) && !at(TokenKind::Indent) && !at(TokenKind::Dedent) && !at(TokenKind::EndOfFile)) advance();
  if (at_ == start && at(TokenKind::Newline)) advance();
  keep(build_.add(Invalid{}, start->begin, std::max(start->begin, last_end_)));
  accept(TokenKind::Newline);
  if (!at(TokenKind::Indent)) return;
  advance();
  statements_until(TokenKind::Dedent);
  accept(TokenKind::Dedent);
}

void Parser::colon() {
  if (accept(TokenKind::Colon)) return;
  const bool forgotten = at(TokenKind::Newline) && ahead().kind == TokenKind::Indent;
  forgotten ? complain(span(now().begin, now().begin), expected_found, "`:`", "the end of the line") : void(expected("`:`"));
}

// Keeps the statements of a block.
void Parser::block(std::string_view owner) {
  if (!at(TokenKind::Newline)) return simple_statements();
  advance();
  if (!at(TokenKind::Indent)) return complain(span(now()), missing_indent, owner);
  advance();
  statements_until(TokenKind::Dedent);
  accept(TokenKind::Dedent);
}

void Parser::simple_statements() {
  do {
    const NodeId node = simple_statement();
    if (failed_) return;
    keep(node);
  } while (accept(TokenKind::Semicolon) && !at(TokenKind::Newline));
  expect(TokenKind::Newline);
}

NodeId Parser::simple_statement() {
  const Token& token = now();
  const auto word = [&](const auto& view) {
    advance();
    return add(view, token.begin);
  };
  switch (token.kind) {
    case TokenKind::KwReturn: return return_();
    case TokenKind::KwImport: return import();
    case TokenKind::KwFrom: return import_from();
    case TokenKind::KwRaise: return raise();
    case TokenKind::KwPass: return word(Pass{});
    case TokenKind::KwBreak: return word(Break{});
    case TokenKind::KwContinue: return word(Continue{});
    case TokenKind::KwDel: return delete_();
    case TokenKind::KwAssert: return assert_();
    case TokenKind::KwGlobal: {
      advance();
      return name_list(NodeKind::Global, token.begin);
    }
    case TokenKind::KwNonlocal: {
      advance();
      return name_list(NodeKind::Nonlocal, token.begin);
    }
    case TokenKind::Name:
      if (at_word("type") && ahead().kind == TokenKind::Name) {
        const TokenKind after = ahead(2).kind;
        if (after == TokenKind::Equal || after == TokenKind::LeftBracket) return type_alias();
      }
      return expression_statement();
    default: return expression_statement();
  }
}

NodeId Parser::expression_statement() {
  const uint32_t begin = now().begin;
  const bool parenthesized = at(TokenKind::LeftParen);
  const NodeId first = yield_or_star_expressions();
  static constexpr std::pair<TokenKind, Operator> augmented[] = {
      {TokenKind::PlusEqual, Operator::Add},           {TokenKind::MinusEqual, Operator::Sub},
      {TokenKind::StarEqual, Operator::Mult},          {TokenKind::SlashEqual, Operator::Div},
      {TokenKind::DoubleSlashEqual, Operator::FloorDiv}, {TokenKind::PercentEqual, Operator::Mod},
      {TokenKind::AtEqual, Operator::MatMult},         {TokenKind::AmpersandEqual, Operator::BitAnd},
      {TokenKind::BarEqual, Operator::BitOr},          {TokenKind::CaretEqual, Operator::BitXor},
      {TokenKind::LeftShiftEqual, Operator::LShift},   {TokenKind::RightShiftEqual, Operator::RShift},
      {TokenKind::DoubleStarEqual, Operator::Pow}};
  if (at(TokenKind::Newline)) return add(Expr{.value = first}, begin);
  if (at(TokenKind::Equal)) return assignment(begin, first);
  if (at(TokenKind::Colon)) return annotated_assignment(begin, first, parenthesized);
  for (const auto& [token, op] : augmented) {
    if (!at(token)) continue;
    store(first, Store::Augment);
    advance_unless_failed();
    const NodeId value = yield_or_star_expressions();
    need_no_bare_star(value, "unpacking in such an assignment");
    return add(AugAssign{.target = first, .op = op, .value = value}, begin);
  }
  return add(Expr{.value = first}, begin);
}

NodeId Parser::assignment(uint32_t begin, NodeId first) {
  const size_t targets = mark();
  NodeId value = first;
  while (at(TokenKind::Equal)) {
    if (!store(value, Store::Assign)) return invalid_;
    keep(value);
    advance();
    value = yield_or_star_expressions();
  }
  const NodeId node = add(Assign{.targets = since(targets), .value = value}, begin);
  stack_.resize(targets);
  return node;
}

NodeId Parser::annotated_assignment(uint32_t begin, NodeId target, bool parenthesized) {
  if (!store(target, Store::Annotate)) return invalid_;
  advance();
  const NodeId annotation = expression();
  NodeId value;
  if (accept(TokenKind::Equal)) value = yield_or_star_expressions();
  const int32_t simple = kind(target) == NodeKind::Name && !parenthesized;
  return add(AnnAssign{.target = target, .annotation = annotation, .value = value, .simple = simple}, begin);
}

NodeId Parser::type_alias() {
  const Token& keyword = now();
  need(Version::Py312, span(keyword), "a `type` statement");
  advance();
  const Token& name = now();
  identifier();
  const NodeId target = add(Name{.id_span = span(name), .ctx = Context::Store}, name.begin);
  const size_t params = mark();
  type_parameters();
  expect(TokenKind::Equal);
  const NodeId value = expression();
  const NodeId node = add(TypeAlias{.name = target, .type_params = since(params), .value = value}, keyword.begin);
  stack_.resize(params);
  return node;
}

NodeId Parser::return_() {
  const uint32_t begin = now().begin;
  advance();
  NodeId value;
  if (!at(TokenKind::Newline) && !at(TokenKind::Semicolon)) value = star_expressions();
  return add(Return{.value = value}, begin);
}

NodeId Parser::raise() {
  const uint32_t begin = now().begin;
  advance();
  NodeId what, cause;
  if (!at(TokenKind::Newline) && !at(TokenKind::Semicolon)) {
    what = expression();
    if (accept(TokenKind::KwFrom)) cause = expression();
  }
  return add(Raise{.exc = what, .cause = cause}, begin);
}

NodeId Parser::delete_() {
  const uint32_t begin = now().begin;
  advance();
  const size_t targets = mark();
  do {
    const NodeId target = primary();
    store(target, Store::Delete);
    keep(target);
  } while (accept(TokenKind::Comma) && !at(TokenKind::Newline) && !at(TokenKind::Semicolon));
  const NodeId node = add(Delete{.targets = since(targets)}, begin);
  stack_.resize(targets);
  return node;
}

NodeId Parser::assert_() {
  const uint32_t begin = now().begin;
  advance();
  const NodeId test = expression();
  NodeId message;
  if (accept(TokenKind::Comma)) message = expression();
  return add(Assert{.test = test, .msg = message}, begin);
}

NodeId Parser::alias(Dotted dotted) {
  const uint32_t begin = now().begin;
  const source::Span name = dotted == Dotted::Yes ? dotted_name() : identifier();
  source::Span as_name = span(0, 0);
  if (accept(TokenKind::KwAs)) as_name = identifier();
  return add(Alias{.name_span = name, .asname_span = as_name}, begin);
}

NodeId Parser::import() {
  const uint32_t begin = now().begin;
  advance();
  const size_t names = mark();
  do keep(alias(Dotted::Yes));
  while (accept(TokenKind::Comma));
  const NodeId node = add(Import{.names = since(names)}, begin);
  stack_.resize(names);
  return node;
}

NodeId Parser::import_from() {
  const uint32_t begin = now().begin;
  advance();
  int32_t level = 0;
  for (; at(TokenKind::Dot) || at(TokenKind::Ellipsis); advance()) level += at(TokenKind::Dot) ? 1 : 3;
  source::Span module = span(0, 0);
  if (level == 0 || !at(TokenKind::KwImport)) module = dotted_name();
  expect(TokenKind::KwImport);
  const size_t names = mark();
  const Token& first = now();
  if (accept(TokenKind::Star)) {
    keep(add(Alias{.name_span = span(first), .asname_span = span(0, 0)}, first.begin));
  } else if (accept(TokenKind::LeftParen)) {
    do keep(alias(Dotted::No));
    while (accept(TokenKind::Comma) && !at(TokenKind::RightParen));
    if (!accept(TokenKind::RightParen)) expected("`)` or `,`");
  } else {
    do {
      keep(alias(Dotted::No));
      if (at(TokenKind::Comma) && ahead().kind == TokenKind::Newline) fail(span(now()), trailing_comma);
    } while (accept(TokenKind::Comma));
  }
  if (version_ >= Version::Py314 && build_.name_at(module) == "__future__") {
    for (const NodeId name : since(names)) unequal_is_diamond_ |= !failed_ && tree_.as<Alias>(name).name == "barry_as_FLUFL";
  }
  const NodeId node = add(ImportFrom{.module_span = module, .names = since(names), .level = level}, begin);
  stack_.resize(names);
  return node;
}

NodeId Parser::name_list(NodeKind which, uint32_t begin) {
  const size_t names = mark();
  do {
    const source::Span name = identifier();
    keep(NodeId{name.begin});
    keep(NodeId{name.end});
  } while (accept(TokenKind::Comma));
  const Identifiers view(&tree_, stack_.data() + names, static_cast<uint32_t>((mark() - names) / 2));
  const NodeId node = which == NodeKind::Global ? add(Global{.names = view}, begin) : add(Nonlocal{.names = view}, begin);
  stack_.resize(names);
  return node;
}

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
  switch (ahead().kind) {
    case TokenKind::Name: case TokenKind::Int: case TokenKind::Float: case TokenKind::Imaginary: case TokenKind::String:
    case TokenKind::FStringStart: case TokenKind::KwFalse: case TokenKind::KwNone: case TokenKind::KwTrue: case TokenKind::KwAwait:
    case TokenKind::KwLambda: case TokenKind::LeftBrace: case TokenKind::Ellipsis: case TokenKind::Tilde:
      return true;
    case TokenKind::KwNot: return ahead(2).kind != TokenKind::KwIn;
    case TokenKind::LeftParen: case TokenKind::LeftBracket: case TokenKind::Star: case TokenKind::Plus: case TokenKind::Minus: {
      const Token* last = at_;
      for (const Token* t = at_; t->kind != TokenKind::Newline && t->kind != TokenKind::EndOfFile; ++t) {
        if (t->kind != TokenKind::Comment) last = t;
      }
      return last->kind == TokenKind::Colon;
    }
    default: return false;
  }
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
