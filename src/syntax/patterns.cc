// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands after `case`.

#include "syntax/parser.h"

namespace tilewright::syntax {

// TW013
constexpr Message<> wildcard_target("TW013", "`_` is the wildcard and names nothing");
constexpr Message<> keyword_pattern_first("TW013", "a positional pattern follows a keyword pattern");
constexpr Message<> rest_not_last("TW013", "`**` must stand last in a mapping pattern");
constexpr Message<> not_imaginary("TW013", "a complex number ends with its imaginary part");
constexpr Message<> not_real("TW013", "a complex number starts with its real part");

NodeId Parser::patterns() {
  const uint32_t begin = now().begin;
  const bool starred = at(TokenKind::Star);
  const NodeId first = maybe_star_pattern();
  if (!at(TokenKind::Comma)) return starred ? expected("`,`") : first;
  const size_t elements = mark();
  keep(first);
  while (accept(TokenKind::Comma) && !at(TokenKind::Colon) && !at(TokenKind::KwIf)) keep(maybe_star_pattern());
  const NodeId node = add(MatchSequence{.patterns = since(elements)}, begin);
  stack_.resize(elements);
  return node;
}

NodeId Parser::maybe_star_pattern() { return at(TokenKind::Star) ? star_pattern() : pattern(); }

NodeId Parser::star_pattern() {
  const uint32_t begin = now().begin;
  advance();
  const bool wildcard = at_word("_");
  source::Span name = identifier();
  if (wildcard) name = span(0, 0);
  return add(MatchStar{.name_span = name}, begin);
}

NodeId Parser::pattern() {
  const uint32_t begin = now().begin;
  const NodeId inner = or_pattern();
  if (!accept(TokenKind::KwAs)) return inner;
  if (at_word("_")) return fail(span(now()), wildcard_target);
  const source::Span name = identifier();
  return add(MatchAs{.pattern = inner, .name_span = name}, begin);
}

NodeId Parser::or_pattern() {
  const uint32_t begin = now().begin;
  const NodeId first = closed_pattern();
  if (!at(TokenKind::Bar)) return first;
  const size_t choices = mark();
  keep(first);
  while (accept(TokenKind::Bar)) keep(closed_pattern());
  const NodeId node = add(MatchOr{.patterns = since(choices)}, begin);
  stack_.resize(choices);
  return node;
}

NodeId Parser::closed_pattern() {
  const Token& token = now();
  switch (token.kind) {
    case TokenKind::KwNone:
    case TokenKind::KwTrue:
    case TokenKind::KwFalse: {
      advance();
      const ConstantKind constant = token.kind == TokenKind::KwNone   ? ConstantKind::None
                                    : token.kind == TokenKind::KwTrue ? ConstantKind::True
                                                                      : ConstantKind::False;
      return add(MatchSingleton{.value = {.kind = constant, .string = {}}}, token.begin);
    }
    case TokenKind::Int:
    case TokenKind::Float:
    case TokenKind::Imaginary:
    case TokenKind::Minus:
    case TokenKind::String:
    case TokenKind::FStringStart: {
      const NodeId value = literal_expression();
      return add(MatchValue{.value = value}, token.begin);
    }
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket: return sequence_pattern();
    case TokenKind::LeftBrace: return mapping_pattern();
    case TokenKind::Name: break;
    default: return expected("a pattern");
  }
  if (at_word("_")) {
    advance();
    return add(MatchAs{.name_span = span(0, 0)}, token.begin);
  }
  const TokenKind after = ahead().kind;
  if (after != TokenKind::Dot && after != TokenKind::LeftParen) {
    const source::Span name = identifier();
    return add(MatchAs{.name_span = name}, token.begin);
  }
  const NodeId value = name_or_attribute();
  if (at(TokenKind::LeftParen)) return class_pattern(value);
  return add(MatchValue{.value = value}, token.begin);
}

NodeId Parser::name_or_attribute() {
  const Token& token = now();
  identifier();
  NodeId node = add(Name{.id_span = span(token)}, token.begin);
  while (accept(TokenKind::Dot)) {
    const source::Span name = identifier();
    node = add(Attribute{.value = node, .attr_span = name}, token.begin);
  }
  return node;
}

// A string, a number with its sign, a complex number, a singleton.
NodeId Parser::literal_expression() {
  const Token& token = now();
  switch (token.kind) {
    case TokenKind::String:
    case TokenKind::FStringStart: return strings();
    case TokenKind::KwNone: return number(ConstantKind::None);
    case TokenKind::KwTrue: return number(ConstantKind::True);
    case TokenKind::KwFalse: return number(ConstantKind::False);
    default: break;
  }
  const bool minus = accept(TokenKind::Minus);
  const auto unsigned_number = [&] {
    switch (now().kind) {
      case TokenKind::Int: return number(ConstantKind::Int);
      case TokenKind::Float: return number(ConstantKind::Float);
      case TokenKind::Imaginary: return number(ConstantKind::Complex);
      default: return expected("a number");
    }
  };
  NodeId node = unsigned_number();
  const bool real = !failed_ && tree_.constant_kind(node) != ConstantKind::Complex;
  if (minus) node = add(UnaryOp{.op = UnaryOperator::USub, .operand = node}, token.begin);
  if (!at(TokenKind::Plus) && !at(TokenKind::Minus)) return node;
  if (!real) return fail(span(token), not_real);
  const Operator op = at(TokenKind::Plus) ? Operator::Add : Operator::Sub;
  advance();
  if (!at(TokenKind::Imaginary)) return fail(span(now()), not_imaginary);
  const NodeId imaginary = number(ConstantKind::Complex);
  return add(BinOp{.left = node, .op = op, .right = imaginary}, token.begin);
}

// `[…]`, `(…, …)`, or a pattern in parentheses.
NodeId Parser::sequence_pattern() {
  const Token& open = now();
  const TokenKind close = open.kind == TokenKind::LeftParen ? TokenKind::RightParen : TokenKind::RightBracket;
  advance();
  const size_t elements = mark();
  bool comma = close == TokenKind::RightBracket || at(close), starred = false;
  while (!failed_ && !at(close)) {
    starred = at(TokenKind::Star);
    keep(maybe_star_pattern());
    if (!accept(TokenKind::Comma)) break;
    comma = true;
  }
  if (!comma && starred) return expected("`,`");
  if (!accept(close)) expected(close == TokenKind::RightParen ? "`)` or `,`" : "`]` or `,`");
  const NodeId node = failed_ ? invalid_ : comma ? add(MatchSequence{.patterns = since(elements)}, open.begin) : stack_.back();
  stack_.resize(elements);
  return node;
}

NodeId Parser::mapping_pattern() {
  const uint32_t begin = now().begin;
  advance();
  const size_t keys = mark(), values = second_.size();
  source::Span rest = span(0, 0);
  while (!failed_ && !at(TokenKind::RightBrace)) {
    if (accept(TokenKind::DoubleStar)) {
      if (at_word("_")) return fail(span(now()), wildcard_target);
      rest = identifier();
      accept(TokenKind::Comma);
      if (!failed_ && !at(TokenKind::RightBrace)) return fail(rest, rest_not_last);
      break;
    }
    if (at(TokenKind::Name)) {
      if (ahead().kind != TokenKind::Dot) return expected("a literal or a dotted name");
      keep(name_or_attribute());
    } else {
      keep(literal_expression());
    }
    expect(TokenKind::Colon);
    second_.push_back(pattern());
    if (!accept(TokenKind::Comma)) break;
  }
  if (!accept(TokenKind::RightBrace)) expected("`}` or `,`");
  const NodeList pattern_list(second_.data() + values, second_.size() - values);
  const NodeId node = add(MatchMapping{.keys = since(keys), .patterns = pattern_list, .rest_span = rest}, begin);
  stack_.resize(keys);
  second_.resize(values);
  return node;
}

NodeId Parser::class_pattern(NodeId cls) {
  const uint32_t begin = begin_of(cls);
  advance();
  const size_t positional = mark(), named = second_.size();
  std::vector<NodeId> names;
  while (!failed_ && !at(TokenKind::RightParen)) {
    if (at(TokenKind::Name) && ahead().kind == TokenKind::Equal) {
      const source::Span name = identifier();
      names.push_back(NodeId{name.begin});
      names.push_back(NodeId{name.end});
      advance();
      second_.push_back(pattern());
    } else {
      if (!names.empty()) return fail(span(now()), keyword_pattern_first);
      keep(pattern());
    }
    if (!accept(TokenKind::Comma)) break;
  }
  if (!accept(TokenKind::RightParen)) expected("`)` or `,`");
  const NodeId node = add(MatchClass{.cls = cls,
                                     .patterns = since(positional),
                                     .kwd_attrs = Identifiers(&tree_, names.data(), static_cast<uint32_t>(names.size() / 2)),
                                     .kwd_patterns = NodeList(second_.data() + named, second_.size() - named)},
                          begin);
  stack_.resize(positional);
  second_.resize(named);
  return node;
}

}  // namespace tilewright::syntax
