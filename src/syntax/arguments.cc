// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands in the parentheses of a call, of a class, and of a definition.

#include "syntax/parser.h"

namespace tilewright::syntax {

// TW011: arguments and parameters
constexpr Message<> positional_after_keyword("TW011", "a positional argument follows a keyword argument");
constexpr Message<> positional_after_unpacking("TW011", "an argument follows `**`: only keyword arguments may");
constexpr Message<> bare_generator("TW011", "a generator among other arguments needs parentheses");
constexpr Message<std::string_view> not_a_keyword("TW011", "`{}` is no name for a keyword argument");
constexpr Message<> default_before("TW011", "a parameter without a default follows one with a default");
constexpr Message<> slash_twice("TW011", "`/` stands twice in the parameters");
constexpr Message<> slash_after_star("TW011", "`/` must stand before `*` in the parameters");
constexpr Message<> slash_first("TW011", "`/` must follow a parameter");
constexpr Message<> star_twice("TW011", "`*` stands twice in the parameters");
constexpr Message<> star_alone("TW011", "parameters must follow a bare `*`");
constexpr Message<> starred_default("TW011", "a starred parameter has no default");
constexpr Message<> after_double_star("TW011", "a parameter follows `**`");

// `(…)` of a call or a class: positional ones onto the first stack, keywords onto the second.
void Parser::arguments(Generators generators) {
  const uint32_t open = now().begin;
  advance();
  bool keywords = false, unpacked = false;
  for (bool first = true; !at(TokenKind::RightParen) && !failed_; first = false) {
    const Token& token = now();
    if (accept(TokenKind::Star)) {
      if (unpacked) {
        fail(span(token), positional_after_unpacking);
        return;
      }
      const NodeId value = expression();
      keep(add(Starred{.value = value}, token.begin));
    } else if (accept(TokenKind::DoubleStar)) {
      unpacked = true;
      const NodeId value = expression();
      second_.push_back(add(Keyword{.arg_span = span(0, 0), .value = value}, token.begin));
    } else if (at(TokenKind::Name) && ahead().kind == TokenKind::Equal) {
      keywords = true;
      read_name(token);
      advance();
      advance();
      const NodeId value = expression();
      second_.push_back(add(Keyword{.arg_span = span(token), .value = value}, token.begin));
    } else {
      const NodeId value = named_expression();
      if (at_comprehension()) {
        if (!first || generators == Generators::Refused) {
          fail(span(token.begin, end_of(value)), bare_generator);
          return;
        }
        const size_t clauses = mark();
        comprehension_clauses();
        if (at(TokenKind::Comma)) {
          fail(span(token.begin, last_end_), bare_generator);
          return;
        }
        const uint32_t end = now().end;
        const NodeId node = build_.add(GeneratorExp{.elt = value, .generators = since(clauses)}, open, end);
        stack_.resize(clauses);
        keep(node);
        break;
      }
      if (at(TokenKind::Equal)) {
        fail(span(token.begin, last_end_), not_a_keyword, text_.substr(token.begin, last_end_ - token.begin));
        return;
      }
      if (unpacked || keywords) {
        const source::Span where = span(token.begin, last_end_);
        unpacked ? fail(where, positional_after_unpacking) : fail(where, positional_after_keyword);
        return;
      }
      keep(value);
    }
    if (!accept(TokenKind::Comma)) break;
  }
  if (!accept(TokenKind::RightParen)) expected("`)` or `,`");
}

NodeId Parser::parameter(Params params, StarAnnotation star_annotation) {
  const uint32_t begin = now().begin;
  const source::Span name = identifier();
  NodeId annotation;
  if (params == Params::Function && accept(TokenKind::Colon)) {
    if (star_annotation == StarAnnotation::Allowed && at(TokenKind::Star)) {
      need(Version::Py311, span(now()), "a starred annotation");
      annotation = star_expression();
    } else {
      annotation = expression();
    }
  }
  return add(Arg{.arg_span = name, .annotation = annotation}, begin);
}

NodeId Parser::parameters(Params params, TokenKind end) {
  const uint32_t begin = now().begin;
  const size_t base = mark(), defaults = second_.size();
  size_t positional_only_end = base, positional_end = base;  // ends of the first two stretches of parameters
  size_t defaults_end = defaults;
  NodeId vararg, kwarg;
  bool slash = false, star = false;
  while (!at(end) && !failed_) {
    const Token& token = now();
    if (kwarg.valid()) {
      fail(span(token), after_double_star);
      break;
    }
    if (accept(TokenKind::Slash)) {
      if (slash)
        fail(span(token), slash_twice);
      else if (star)
        fail(span(token), slash_after_star);
      else if (mark() == base)
        fail(span(token), slash_first);
      slash = true;
      positional_only_end = mark();
    } else if (accept(TokenKind::Star)) {
      if (star) fail(span(token), star_twice);
      star = true;
      positional_end = mark();
      defaults_end = second_.size();
      if (at(TokenKind::Name)) {
        vararg = parameter(params, StarAnnotation::Allowed);
        if (at(TokenKind::Equal)) fail(span(now()), starred_default);
      } else if (!at(TokenKind::Comma) || ahead().kind != TokenKind::Name) {
        at(TokenKind::Comma) || at(end) ? fail(span(token), star_alone) : expected("a name");
      }
    } else if (accept(TokenKind::DoubleStar)) {
      kwarg = parameter(params, StarAnnotation::Refused);
      if (at(TokenKind::Equal)) fail(span(now()), starred_default);
    } else {
      keep(parameter(params, StarAnnotation::Refused));
      if (accept(TokenKind::Equal)) {
        second_.push_back(expression());
      } else if (star) {
        second_.push_back(NodeId::none());
      } else if (second_.size() > defaults) {
        fail(span(token), default_before);
      }
    }
    if (!accept(TokenKind::Comma)) break;
  }
  if (!at(end)) expected(end == TokenKind::Colon ? "`:` or `,`" : "`)` or `,`");
  if (failed_) {  // the stretches may overlap
    stack_.resize(base);
    second_.resize(defaults);
    return invalid_;
  }
  if (!star) {
    positional_end = mark();
    defaults_end = second_.size();
  }
  const auto second_between = [&](size_t from, size_t to) { return NodeList(second_.data() + from, to - from); };
  const NodeId node = build_.add(Arguments{.posonlyargs = between(base, positional_only_end),
                                           .args = between(positional_only_end, positional_end),
                                           .vararg = vararg,
                                           .kwonlyargs = since(positional_end),
                                           .kw_defaults = second_between(defaults_end, second_.size()),
                                           .kwarg = kwarg,
                                           .defaults = second_between(defaults, defaults_end)},
                                 begin, std::max(begin, last_end_));
  stack_.resize(base);
  second_.resize(defaults);
  return node;
}

}  // namespace tilewright::syntax
