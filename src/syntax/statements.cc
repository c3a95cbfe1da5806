// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/parser.h"

namespace tilewright::syntax {

// TW001
constexpr Message<> trailing_comma("TW001", "a trailing comma needs parentheses around the imported names");

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
  if (single && what != NodeKind::Name && what != NodeKind::Attribute && what != NodeKind::Subscript)
    return bad_store(target, how), false;
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
  static constexpr std::pair<TokenKind, Operator> augmented[] = {{TokenKind::PlusEqual, Operator::Add},
                                                                 {TokenKind::MinusEqual, Operator::Sub},
                                                                 {TokenKind::StarEqual, Operator::Mult},
                                                                 {TokenKind::SlashEqual, Operator::Div},
                                                                 {TokenKind::DoubleSlashEqual, Operator::FloorDiv},
                                                                 {TokenKind::PercentEqual, Operator::Mod},
                                                                 {TokenKind::AtEqual, Operator::MatMult},
                                                                 {TokenKind::AmpersandEqual, Operator::BitAnd},
                                                                 {TokenKind::BarEqual, Operator::BitOr},
                                                                 {TokenKind::CaretEqual, Operator::BitXor},
                                                                 {TokenKind::LeftShiftEqual, Operator::LShift},
                                                                 {TokenKind::RightShiftEqual, Operator::RShift},
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

}  // namespace tilewright::syntax
