// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// String literals, one after the other. Neighbours join into one constant; with an f-string among them the whole becomes a row of
// constants and replacement fields, in which neighbouring constants join again, whichever literal they came from.

#include "syntax/literals.h"
#include "syntax/parser.h"

namespace tilewright::syntax {

// TW005
constexpr Message<> mixed_bytes("TW005", "bytes and text literals stand side by side");
constexpr Message<> mixed_templates("TW005", "template strings and other literals stand side by side");
constexpr Message<> bytes_not_ascii("TW005", "a character in a bytes literal is not ASCII");
constexpr Message<std::string_view> bad_escape("TW005", "`{}` is no complete escape sequence");
constexpr Message<std::string_view> escape_too_large("TW005", "`{}` is past the last character");
constexpr Message<std::string_view> unknown_name("TW005", "`{}` names no character");
// TW012
constexpr Message<> empty_field("TW012", "a replacement field holds no expression");
constexpr Message<> bad_conversion("TW012", "a conversion is one of `!s`, `!r`, `!a`");

// The values of a joined string so far (on the parser's stack) and the text that is not yet one of them.
struct Parser::Joined {
  bool has_text = false;
  bool u_prefix = false;
  uint32_t begin = 0, end = 0;  // of the text in the source
  std::string text;
};

static bool starts_string(TokenKind kind) { return kind == TokenKind::String || kind == TokenKind::FStringStart; }

static bool has_u_prefix(std::string_view token) { return token[0] == 'u' || token[0] == 'U'; }

void Parser::report_escape(const EscapeProblem& problem) {
  const source::Span where = span(problem.begin, std::max(problem.begin + 1, problem.end));
  const std::string_view what = text_.substr(where.begin, where.size());
  switch (problem.what) {
    case EscapeProblem::What::Truncated: return complain(where, bad_escape, what);
    case EscapeProblem::What::TooLarge: return complain(where, escape_too_large, what);
    case EscapeProblem::What::UnknownName: return complain(where, unknown_name, what);
    case EscapeProblem::What::NotAscii: return complain(where, bytes_not_ascii);
  }
}

NodeId Parser::strings() {
  const Token& first = now();
  if (first.kind == TokenKind::String && !starts_string(ahead().kind)) return single_string();

  const size_t values = mark();
  Joined joined;
  bool bytes = false, text_literal = false, f_string_seen = false, template_seen = false;
  while (starts_string(now().kind)) {
    const Token& token = now();
    if (token.kind == TokenKind::String) {
      (token.flags & token_flag::bytes ? bytes : text_literal) = true;
      add_text(joined, string_part(text_, token), token.begin, token.end, has_u_prefix(text(token)), Empty::Counts);
      advance();
    } else {
      (token.flags & token_flag::t_string ? template_seen : f_string_seen) = true;
      f_string(joined);
    }
  }
  if (bytes && (text_literal || f_string_seen || template_seen)) return fail(span(first.begin, last_end_), mixed_bytes);
  if (template_seen && (text_literal || f_string_seen)) return fail(span(first.begin, last_end_), mixed_templates);
  NodeId node;
  if (f_string_seen || template_seen) {
    flush_text(joined);
    node = template_seen ? add(TemplateStr{.values = since(values)}, first.begin)
                         : add(JoinedStr{.values = since(values)}, first.begin);
  } else {
    node = build_.add_decoded(bytes ? ConstantKind::Bytes : ConstantKind::Str, joined.text, first.begin, last_end_);
    if (joined.u_prefix) build_.set_u_prefix(node);
  }
  stack_.resize(values);
  return node;
}

NodeId Parser::single_string() {
  const Token& token = now();
  const StringPart part = string_part(text_, token);
  const ConstantKind constant = token.flags & token_flag::bytes ? ConstantKind::Bytes : ConstantKind::Str;
  NodeId node;
  if (is_verbatim(part, tree_.encoding())) {
    node = build_.add_verbatim(constant, part.begin, part.end, token.begin, token.end);
  } else {
    std::string value;
    if (const auto problem = decode(text_, part, tree_.encoding(), value)) report_escape(*problem);
    node = build_.add_decoded(constant, value, token.begin, token.end);
  }
  if (has_u_prefix(text(token))) build_.set_u_prefix(node);
  advance();
  return node;
}

void Parser::add_text(Joined& joined, const StringPart& part, uint32_t begin, uint32_t end, bool u_prefix, Empty empty) {
  const size_t before = joined.text.size();
  if (const auto problem = decode(text_, part, tree_.encoding(), joined.text)) report_escape(*problem);
  if (empty == Empty::Dropped && joined.text.size() == before) return;
  if (!joined.has_text) {
    joined.has_text = true;
    joined.begin = begin;
    joined.u_prefix = u_prefix;
  }
  joined.end = end;
}

void Parser::flush_text(Joined& joined) {
  if (!joined.text.empty()) {
    const NodeId node = build_.add_decoded(ConstantKind::Str, joined.text, joined.begin, joined.end);
    if (joined.u_prefix) build_.set_u_prefix(node);
    keep(node);
  }
  joined = {};
}

void Parser::f_string(Joined& joined) {
  const Token& start = now();
  advance();
  while (!failed_ && !at(TokenKind::FStringEnd)) {
    const Token& token = now();
    if (accept(TokenKind::FStringMiddle)) {
      add_text(joined, {token.begin, token.end, token.flags}, token.begin, token.end, false, Empty::Dropped);
    } else if (at(TokenKind::LeftBrace)) {
      replacement_field(joined, start.flags & token_flag::t_string ? Field::Interpolated : Field::Formatted);
    } else {
      expected("the end of the f-string");
    }
  }
  advance_unless_failed();
}

void Parser::replacement_field(Joined& joined, Field field) {
  const Token& brace = now();
  advance();
  if (at(TokenKind::RightBrace) || at(TokenKind::Colon) || at(TokenKind::Exclamation) || at(TokenKind::Equal)) {
    fail(span(brace.begin, now().end), empty_field);
    return;
  }
  const NodeId value = yield_or_star_expressions();
  const uint32_t value_end = last_end_;
  const bool debug = accept(TokenKind::Equal);
  const uint32_t debug_end = now().begin;  // of what `=` shows: everything before `!`, `:` or the brace
  int32_t conversion = -1;
  if (at(TokenKind::Exclamation)) {
    const Token& mark_at = now();
    advance();
    const Token& letter = now();
    const std::string_view word = text(letter);
    if (!at(TokenKind::Name) || letter.begin != mark_at.end || (word != "s" && word != "r" && word != "a")) {
      fail(span(mark_at.begin, letter.end), bad_conversion);
      return;
    }
    advance();
    if (version_ < Version::Py312 && now().begin != letter.end) expected("`}` or `:`");
    conversion = word[0];
  }
  NodeId spec;
  if (at(TokenKind::Colon)) spec = format_spec();
  if (debug && conversion < 0 && !spec.valid()) conversion = 'r';
  if (!accept(TokenKind::RightBrace)) {
    expected(spec.valid() ? "`}`" : "`}`, `!` or `:`");
    return;
  }
  if (debug) add_debug_text(joined, brace.end, debug_end);
  flush_text(joined);
  if (field == Field::Interpolated) {
    const std::string_view expression = text_.substr(brace.end, value_end - brace.end);
    keep(add(Interpolation{.value = value, .str = expression, .conversion = conversion, .format_spec = spec}, brace.begin));
  } else {
    keep(add(FormattedValue{.value = value, .conversion = conversion, .format_spec = spec}, brace.begin));
  }
}

// `{x = }` shows its own source; comments are left out.
void Parser::add_debug_text(Joined& joined, uint32_t begin, uint32_t end) {
  const StringPart whole{begin, end, token_flag::raw | token_flag::carriage | token_flag::non_ascii};
  uint32_t from = begin;
  const source::Span field = span(begin, end);
  for (const Comment& comment : tree_.comments_in(field)) {
    add_text(joined, {from, comment.span.begin, whole.flags}, begin, end, false, Empty::Counts);
    from = comment.span.end;
  }
  add_text(joined, {from, end, whole.flags}, begin, end, false, Empty::Counts);
}

NodeId Parser::format_spec() {
  const uint32_t begin = now().begin;
  advance();
  const size_t values = mark();
  Joined joined;
  while (!failed_) {
    const Token& token = now();
    if (accept(TokenKind::FStringMiddle)) {
      add_text(joined, {token.begin, token.end, token.flags}, token.begin, token.end, false, Empty::Dropped);
    } else if (at(TokenKind::LeftBrace)) {
      replacement_field(joined, Field::Formatted);
    } else {
      break;
    }
  }
  flush_text(joined);
  const NodeId node = add(JoinedStr{.values = since(values)}, begin);
  stack_.resize(values);
  return node;
}

}  // namespace tilewright::syntax
