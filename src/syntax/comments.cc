// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which comment is about what. The lexer has put each own-line comment on the right side of the Indents and Dedents (token.h), so
// the neighbours of a run of comments tell: before a statement it leads, before a Dedent it closes a block, before `else` it is
// the clause's, on a line with code it trails, inside a statement it is inner. Nothing is stored.

#include <algorithm>

#include "syntax/characters.h"
#include "syntax/tree.h"

namespace tilewright::syntax {

namespace {

bool is_blank(char c) { return is_class(c, char_class::blank); }
bool is_line_end(char c) { return is_class(c, char_class::line_end); }

// Empty lines directly above the line that holds `offset`; none if something else stands before `offset` on its line.
uint32_t blank_lines_above(std::string_view text, uint32_t offset) {
  uint32_t at = offset;
  while (at > 0 && is_blank(text[at - 1])) --at;
  uint32_t count = 0;
  for (bool own_line = true; at > 0 && is_line_end(text[at - 1]); own_line = false) {
    if (!own_line) ++count;
    at -= at > 1 && text[at - 1] == '\n' && text[at - 2] == '\r' ? 2 : 1;
    while (at > 0 && is_blank(text[at - 1])) --at;
  }
  // Above the first line of all there is no line end to count by.
  if (at == 0 && offset > 0 && text.substr(0, offset).find_first_of("\r\n") != std::string_view::npos) ++count;
  return count;
}

class Reader {
 public:
  explicit Reader(const Tree& tree) : tree_(tree), tokens_(tree.tokens()) {}

  TokenKind kind(uint32_t i) const { return tokens_.kind(i); }
  bool is(uint32_t i, TokenKind k) const { return i < tokens_.size() && tokens_.kind(i) == k; }
  Comment comment(uint32_t i) const {
    const Token token = tokens_[i];
    return {tree_.span(token), tree_.text(token), blank_lines_above(tree_.source(), token.begin)};
  }
  // The run of own-line comments directly before token `i`.
  Comments run_before(uint32_t i) const {
    Comments out;
    uint32_t first = i;
    while (first > 0 && is(first - 1, TokenKind::Comment)) --first;
    for (; first < i; ++first) out.push_back(comment(first));
    return out;
  }
  // The index of a statement's first token, decorators included.
  uint32_t first(NodeId statement) const { return tree_.token_from(tree_.decorated_span(statement).begin).index; }
  // The index after a statement's last token.
  uint32_t after(NodeId statement) const { return tree_.last_token(statement).index + 1; }
  // The colon before a block, whose first statement is given.
  uint32_t colon_before(NodeId first_statement) const {
    uint32_t i = first(first_statement);
    while (kind(i) != TokenKind::Colon) --i;
    return i;
  }
  bool is_indented(NodeList block) const {
    uint32_t i = first(block.front());
    while (i > 0 && is(i - 1, TokenKind::Comment)) --i;
    return i > 0 && is(i - 1, TokenKind::Indent);
  }

 private:
  const Tree& tree_;
  const Tokens& tokens_;
};

// What directly follows a header's colon; the cases of a match stand for its body.
NodeList header_block(const Tree& tree, NodeId owner) {
  if (tree.is(owner, NodeKind::Match)) return tree.as<Match>(owner).cases;
  if (tree.is(owner, NodeKind::Module)) return {};
  return tree.block(owner, Block::Body);
}

NodeList last_block(const Tree& tree, NodeId owner) {
  if (tree.is(owner, NodeKind::Match)) return tree.as<Match>(owner).cases;
  if (const NodeList block = tree.block(owner, Block::FinalBody); !block.empty()) return block;
  if (const NodeList block = tree.block(owner, Block::OrElse); !block.empty()) return block;
  if (tree.is(owner, NodeKind::Try) || tree.is(owner, NodeKind::TryStar)) {
    const NodeList handlers = tree.is(owner, NodeKind::Try) ? tree.as<Try>(owner).handlers : tree.as<TryStar>(owner).handlers;
    if (!handlers.empty()) return tree.block(handlers.back(), Block::Body);
  }
  return tree.block(owner, Block::Body);
}

bool is_elif(const Tree& tree, NodeId owner, NodeList orelse) {
  return tree.is(owner, NodeKind::If) && orelse.size() == 1 && tree.is(orelse.front(), NodeKind::If) &&
         tree.token(tree.first_token(orelse.front())).kind == TokenKind::KwElif;
}

}  // namespace

Comments Tree::leading_comments(NodeId statement) const {
  const Reader read(*this);
  return read.run_before(read.first(statement));
}

std::optional<Comment> Tree::trailing_comment(NodeId statement) const {
  const Reader read(*this);
  if (const NodeList block = header_block(*this, statement); !block.empty()) {
    const uint32_t i = read.colon_before(block.front()) + 1;
    return read.is(i, TokenKind::Comment) ? std::optional(read.comment(i)) : std::nullopt;
  }
  uint32_t i = read.after(statement);
  if (read.is(i, TokenKind::Semicolon)) ++i;
  return read.is(i, TokenKind::Comment) ? std::optional(read.comment(i)) : std::nullopt;
}

Comments Tree::inner_comments(NodeId statement) const {
  const Reader read(*this);
  Comments out;
  const NodeList block = header_block(*this, statement);
  const uint32_t end = block.empty() ? read.after(statement) : read.colon_before(block.front());
  for (uint32_t i = read.first(statement); i < end; ++i) {
    if (read.is(i, TokenKind::Comment)) out.push_back(read.comment(i));
  }
  return out;
}

Comments Tree::closing_comments(NodeId owner, Block which) const {
  const Reader read(*this);
  const bool module = is(owner, NodeKind::Module);
  const NodeList statements = is(owner, NodeKind::Match) && which == Block::Body ? as<Match>(owner).cases : block(owner, which);
  uint32_t i = 0;
  uint32_t inner = 0;  // blocks that end before this one does
  if (!statements.empty()) {
    if (!module && !read.is_indented(statements)) return {};
    NodeId last = statements.back();
    for (NodeList nested = last_block(*this, last); !nested.empty(); nested = last_block(*this, last)) {
      inner += read.is_indented(nested);
      last = nested.back();
    }
    i = read.after(last);
    while (!read.is(i, TokenKind::Newline) && !read.is(i, TokenKind::EndOfFile)) ++i;
    if (read.is(i, TokenKind::Newline)) ++i;
  } else if (!module) {
    return {};
  }
  Comments out;
  for (;; ++i) {
    if (read.is(i, TokenKind::Comment)) {
      if (inner == 0) out.push_back(read.comment(i));
    } else if (read.is(i, TokenKind::Dedent) && inner > 0) {
      --inner;
    } else {
      const bool ends = inner == 0 && read.is(i, module ? TokenKind::EndOfFile : TokenKind::Dedent);
      return ends ? out : Comments();
    }
  }
}

source::Span Tree::clause_span(NodeId owner, Block which) const {
  const NodeList statements = block(owner, which);
  if (which == Block::Body || statements.empty() || is_elif(*this, owner, statements)) return {file_, 0, 0};
  const Reader read(*this);
  return span(tokens_[read.colon_before(statements.front()) - 1]);
}

Comments Tree::clause_comments(NodeId owner, Block which) const {
  const source::Span keyword = clause_span(owner, which);
  if (keyword.size() == 0) return {};
  return Reader(*this).run_before(token_from(keyword.begin).index);
}

std::optional<Comment> Tree::clause_trailing_comment(NodeId owner, Block which) const {
  const source::Span keyword = clause_span(owner, which);
  if (keyword.size() == 0) return std::nullopt;
  const Reader read(*this);
  const uint32_t i = token_from(keyword.begin).index + 2;  // past the colon
  return read.is(i, TokenKind::Comment) ? std::optional(read.comment(i)) : std::nullopt;
}

Comments Tree::comments_in(source::Span where) const {
  const Reader read(*this);
  Comments out;
  for (uint32_t i = token_from(where.begin).index; i < tokens_.size() && tokens_.begin(i) < where.end; ++i) {
    if (read.is(i, TokenKind::Comment)) out.push_back(read.comment(i));
  }
  return out;
}

uint32_t Tree::blank_lines_before(NodeId statement) const { return blank_lines_above(text_, decorated_span(statement).begin); }

uint32_t Tree::blank_lines_before_comments(NodeId statement) const {
  const Comments above = leading_comments(statement);
  return above.empty() ? blank_lines_before(statement) : above.front().blank_lines_before;
}

}  // namespace tilewright::syntax
