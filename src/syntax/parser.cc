// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/parser.h"

#include <algorithm>

#include "syntax/encoding.h"
#include "syntax/unicode.h"

namespace tilewright::syntax {

Parser::Parser(Tree& tree, Options options, const std::vector<Token>& tokens, const diag::Diagnostics& lexer_errors)
    : tree_(tree),
      build_(tree),
      text_(tree.source()),
      version_(options.grammar),
      tokens_(tokens),
      lexer_errors_(lexer_errors),
      errors_(build_.errors()),
      at_(tokens.data()),
      statement_begin_(at_) {
  for (Token& token : nowhere_) token.kind = TokenKind::Invalid;
  invalid_ = build_.add(Invalid{}, 0, 0);
  if (at_->kind == TokenKind::Comment) advance();
  last_end_ = 0;
}

NodeId Parser::module() {
  statements_until(TokenKind::EndOfFile);
  return build_.add(Module{.body = since(0)}, 0, static_cast<uint32_t>(text_.size()));
}

NodeId Parser::only_expression() {
  const uint32_t begin = now().begin;
  const NodeId body = expression_list();
  while (accept(TokenKind::Newline)) {
  }
  if (!at(TokenKind::EndOfFile)) expected("the end of the expression");
  return build_.add(Expression{.body = body}, begin, last_end_);
}

std::string Parser::found(const Token& token) const {
  const bool spelled = token.kind == TokenKind::Name || token.kind == TokenKind::Int || token.kind == TokenKind::Float ||
                       token.kind == TokenKind::Imaginary;
  return spelled ? "`" + std::string(text(token)) + "`" : std::string(describe(token.kind));
}

// The lexer's complaint about this stretch stands for ours.
bool Parser::lexer_saw(uint32_t begin, uint32_t end) const {
  const auto first = std::lower_bound(lexer_errors_.begin(), lexer_errors_.end(), begin,
                                      [](const diag::Diagnostic& d, uint32_t offset) { return d.span.begin < offset; });
  return first != lexer_errors_.end() && first->span.begin <= end;
}

void Parser::report(diag::Diagnostic problem) {
  const bool known = at(TokenKind::Invalid) || lexer_saw(statement_begin_->begin, at_->end);
  if (!known) errors_.push_back(std::move(problem));
}

void Parser::fail_with(diag::Diagnostic problem) {
  report(std::move(problem));
  failed_ = true;
  failed_at_ = at_;
  at_ = nowhere_;
}

void Parser::need(Version version, source::Span where, std::string_view what) {
  if (version_ >= version) return;
  complain(where, needs_newer, what, static_cast<int64_t>(version), static_cast<int64_t>(version_));
}

void Parser::go_back(const Place& place) {
  failed_ = false;
  at_ = place.at;
  last_end_ = place.last_end;
  build_.rewind(place.nodes);
  stack_.resize(place.stack);
  second_.resize(place.second);
  errors_.resize(place.errors);
}

void Parser::read_name(const Token& token) {
  if (!(token.flags & token_flag::non_ascii)) return;
  std::string utf8(text(token));
  if (tree_.encoding() == Encoding::Latin1) utf8 = from_latin1(utf8);
  const std::string normal = nfkc(utf8);
  if (normal != text(token)) build_.name_reads_as(token.begin, normal);
}

source::Span Parser::identifier() {
  const Token& token = now();
  if (!at(TokenKind::Name)) {
    expected("a name");
    return span(token.begin, token.begin);
  }
  read_name(token);
  advance();
  return span(token);
}

source::Span Parser::dotted_name() {
  const Token& first = now();
  source::Span whole = identifier();
  if (!at(TokenKind::Dot)) return whole;
  std::string joined(build_.name_at(whole));
  while (accept(TokenKind::Dot)) {
    const source::Span part = identifier();
    joined += '.';
    joined += build_.name_at(part);
    whole.end = part.end;
  }
  if (!failed_ && joined != text_.substr(whole.begin, whole.size())) build_.name_reads_as(first.begin, joined);
  return whole;
}

}  // namespace tilewright::syntax
