// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds for every text whatever: checked by the tests on small ones and by the fuzzer on all others. Each function answers
// with what is wrong, or with nothing.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "syntax/tree.h"
#include "syntax/walk.h"

namespace tilewright::syntax::properties {

// Tokens are in order and do not overlap, and between them is nothing but blanks, line ends and backslashes.
inline std::string tokens_tile_the_text(const Tree& tree) {
  if (!tree.ok() && tree.tokens().size() == 1) return {};  // bytes that are no text have no tokens
  const std::string_view text = tree.source();
  uint32_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (const Token token : tree.tokens()) {
    if (token.begin < at || token.end < token.begin || token.end > text.size())
      return "a token out of order at " + std::to_string(token.begin);
    if (text.substr(at, token.begin - at).find_first_not_of(" \t\f\r\n\\") != std::string_view::npos && tree.ok()) {
      return "text without a token at " + std::to_string(at);
    }
    at = token.end;
  }
  if (at != text.size() && tree.ok() && text.substr(at).find_first_not_of(" \t\f\r\n\\") != std::string_view::npos)
    return "text after the last token";
  return tree.tokens().back().kind == TokenKind::EndOfFile ? "" : "no end of the file";
}

inline std::string errors_lie_in_the_text(const Tree& tree) {
  for (const diag::Diagnostic& error : tree.errors()) {
    if (error.span.begin > error.span.end || error.span.end > tree.source().size())
      return "an error out of place: " + error.message;
    if (error.message.empty() || error.code.empty()) return "an error without words";
  }
  return {};
}

// Every node lies in its parent, in its own words (a decorator stands before its definition), and names it.
inline std::string nodes_nest(const Tree& tree) {
  if (!tree.ok()) return {};
  std::vector<NodeId> work = {tree.root()};
  while (!work.empty()) {
    const NodeId node = work.back();
    work.pop_back();
    const source::Span outer = tree.decorated_span(node);
    std::string wrong;
    for_each_child(tree, node, [&](NodeId child) {
      work.push_back(child);
      if (tree.parent(child) != node) wrong = "a child of another parent at " + std::to_string(tree.span(child).begin);
      // Some nodes have no words of their own, so that parentheses stand around them as much as around what they hold.
      const NodeKind kind = tree.kind(node);
      const bool bare = kind == NodeKind::Arguments || kind == NodeKind::MatchValue || kind == NodeKind::WithItem;
      if (!bare && !outer.contains(tree.span(child)))
        wrong = "a child out of its parent at " + std::to_string(tree.span(child).begin);
      const source::Span wide = tree.parenthesized_span(child);
      if (!wide.contains(tree.span(child))) wrong = "parentheses inside of what they hold at " + std::to_string(wide.begin);
      if (!bare && !outer.contains(wide)) wrong = "parentheses out of the parent at " + std::to_string(wide.begin);
    });
    if (!wrong.empty()) return wrong;
  }
  return {};
}

// Each comment is handed out by exactly one of the functions that say what a comment is about.
inline std::string comments_are_each_found_once(const Tree& tree) {
  if (!tree.ok() || !tree.is(tree.root(), NodeKind::Module)) return {};
  std::vector<uint32_t> found;
  const auto add = [&](const Comments& comments) {
    for (const Comment& comment : comments) found.push_back(comment.span.begin);
  };
  const auto add_one = [&](const std::optional<Comment>& comment) {
    if (comment) found.push_back(comment->span.begin);
  };
  std::vector<NodeId> work = {tree.root()};
  while (!work.empty()) {
    const NodeId node = work.back();
    work.pop_back();
    const NodeKind kind = tree.kind(node);
    if (kind == NodeKind::Module) {
      add(tree.closing_comments(node));
    } else {
      add(tree.leading_comments(node));
      add_one(tree.trailing_comment(node));
      add(tree.inner_comments(node));
      for (const Block block : {Block::Body, Block::OrElse, Block::FinalBody}) {
        add(tree.closing_comments(node, block));
        if (block == Block::Body) continue;
        add(tree.clause_comments(node, block));
        add_one(tree.clause_trailing_comment(node, block));
      }
    }
    for_each_child(tree, node, [&](NodeId child) {
      const NodeKind k = tree.kind(child);
      if (family(k) == NodeFamily::Statement || k == NodeKind::ExceptHandler || k == NodeKind::MatchCase) work.push_back(child);
    });
  }
  std::sort(found.begin(), found.end());
  std::vector<uint32_t> all;
  for (const Token token : tree.tokens()) {
    if (token.kind == TokenKind::Comment) all.push_back(token.begin);
  }
  for (size_t i = 0; i < std::max(all.size(), found.size()); ++i) {
    if (i >= found.size() || (i < all.size() && all[i] < found[i]))
      return "a comment that nobody hands out at " + std::to_string(all[i]);
    if (i >= all.size() || found[i] < all[i]) return "a comment that is handed out twice at " + std::to_string(found[i]);
  }
  return {};
}

inline std::string all(const Tree& tree) {
  for (const auto property : {tokens_tile_the_text, errors_lie_in_the_text, nodes_nest, comments_are_each_found_once}) {
    if (std::string wrong = property(tree); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace tilewright::syntax::properties
