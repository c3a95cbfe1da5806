// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/tree.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "syntax/number.h"
#include "syntax/walk.h"

namespace tilewright::syntax {

void Tree::let_go() {
  tokens_ = Tokens();
  nodes_ = std::vector<Node>();  // `= {}` would keep the memory
  words_ = std::vector<NodeId>();
  operators_ = std::vector<CmpOperator>();
}

void Tree::take_back(Tree&& again) {
  tokens_ = std::move(again.tokens_);
  nodes_ = std::move(again.nodes_);
  words_ = std::move(again.words_);
  operators_ = std::move(again.operators_);
}

std::string_view Tree::own_name(uint32_t begin) const {
  const auto& [offset, size] = own_names_.at(begin);
  return stored(offset, size);
}

ConstantValue Tree::constant_value(const Node& node, const NodeId* words) const {
  const auto kind_ = static_cast<ConstantKind>(node.small);
  const bool is_string = node.kind == NodeKind::Constant && (kind_ == ConstantKind::Str || kind_ == ConstantKind::Bytes);
  if (!is_string) return {.kind = kind_, .string = text_.substr(node.begin, node.end - node.begin)};
  const std::string_view value =
      node.flags & own_text ? stored(words[0].index, words[1].index) : text_.substr(words[0].index, words[1].index);
  return {.kind = kind_, .string = value, .u_prefix = (node.flags & u_prefix) != 0};
}

std::vector<NodeId> Tree::children(NodeId node) const {
  std::vector<NodeId> out;
  add_children(node, out);
  return out;
}

void Tree::add_children(NodeId node, std::vector<NodeId>& out) const {
  const auto old = static_cast<std::ptrdiff_t>(out.size());
  for_each_child(*this, node, [&](NodeId child) { out.push_back(child); });
  const auto before = [&](NodeId a, NodeId b) { return nodes_[a.index].begin < nodes_[b.index].begin; };
  if (!std::is_sorted(out.begin() + old, out.end(), before)) std::stable_sort(out.begin() + old, out.end(), before);
}

NodeId Tree::statement_of(NodeId node) const {
  while (node.valid()) {
    const NodeKind k = kind(node);
    if (syntax::family(k) == NodeFamily::Statement || k == NodeKind::Module || k == NodeKind::ExceptHandler ||
        k == NodeKind::MatchCase)
      break;
    node = parent(node);
  }
  return node;
}

static NodeList decorators(const Tree& tree, NodeId node) {
  if (tree.is(node, NodeKind::FunctionDef)) return tree.as<FunctionDef>(node).decorator_list;
  if (tree.is(node, NodeKind::AsyncFunctionDef)) return tree.as<AsyncFunctionDef>(node).decorator_list;
  if (tree.is(node, NodeKind::ClassDef)) return tree.as<ClassDef>(node).decorator_list;
  return {};
}

source::Span Tree::decorated_span(NodeId node) const {
  source::Span whole = span(node);
  const NodeList list = decorators(*this, node);
  if (list.empty()) return whole;
  uint32_t i = token_from(parenthesized_span(list.front()).begin).index;
  while (tokens_.kind(i) != TokenKind::At) --i;
  whole.begin = tokens_.begin(i);
  return whole;
}

source::Span Tree::parenthesized_span(NodeId node) const {
  source::Span whole = span(node);
  NodeId owner = parent(node);
  while (owner.valid() && (kind(owner) == NodeKind::MatchValue || kind(owner) == NodeKind::WithItem) && span(owner) == whole) {
    owner = parent(owner);  // wraps one thing and has no words of its own
  }
  if (!owner.valid() || whole.size() == 0) return whole;
  const NodeKind owner_kind = kind(owner);
  const bool owns_parentheses = owner_kind == NodeKind::Call || owner_kind == NodeKind::ClassDef ||
                                owner_kind == NodeKind::MatchClass || owner_kind == NodeKind::FunctionDef ||
                                owner_kind == NodeKind::AsyncFunctionDef;
  uint32_t left = token_from(whole.begin).index;
  uint32_t right = last_token(node).index;
  while (true) {
    while (left > 0 && tokens_.kind(--left) == TokenKind::Comment) {
    }
    while (right + 1 < tokens_.size() && tokens_.kind(++right) == TokenKind::Comment) {
    }
    const Token open = tokens_[left], close = tokens_[right];
    if (open.kind != TokenKind::LeftParen || close.kind != TokenKind::RightParen) return whole;
    if (owns_parentheses && left > 0) {
      // A call's own pair ends the call, a class's follows its name: never redundant.
      const bool ends_owner = owner_kind != NodeKind::ClassDef && close.end == nodes_[owner.index].end;
      const TokenKind before = tokens_.kind(left - 1);
      if (ends_owner && whole.begin > nodes_[owner.index].begin) return whole;
      if (owner_kind == NodeKind::ClassDef && (before == TokenKind::Name || before == TokenKind::RightBracket)) return whole;
    }
    whole.begin = open.begin;
    whole.end = close.end;
  }
}

TokenId Tree::token_from(uint32_t offset) const {
  size_t i = tokens_.from(offset);
  while (i < tokens_.size() && tokens_.is_empty(i) && tokens_.kind(i) != TokenKind::EndOfFile) ++i;
  return TokenId{static_cast<uint32_t>(i)};
}

TokenId Tree::first_token(NodeId node) const { return token_from(span(node).begin); }

TokenId Tree::last_token(NodeId node) const {
  auto i = static_cast<uint32_t>(tokens_.from(span(node).end));
  while (i > 0 && tokens_.is_empty(i - 1)) --i;
  return TokenId{i > 0 ? i - 1 : 0};
}

std::string_view Tree::string_value(NodeId node) const { return as<Constant>(node).value.string; }

std::string Tree::int_text(NodeId node) const {
  std::string out;
  for (const char c : text(node)) {
    if (c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return out;
}

std::string Tree::int_decimal(NodeId node) const { return to_decimal(int_text(node)); }

std::optional<int64_t> Tree::int_value(NodeId node) const {
  const std::string digits = int_text(node);
  const bool prefixed = digits.size() > 2 && digits[0] == '0' && digits[1] > '9';
  const int base = !prefixed ? 10 : digits[1] == 'x' ? 16 : digits[1] == 'o' ? 8 : 2;
  const char* const begin = digits.data() + (prefixed ? 2 : 0);
  int64_t value = 0;
  if (std::from_chars(begin, digits.data() + digits.size(), value, base).ec != std::errc()) return std::nullopt;
  return value;
}

double Tree::float_value(NodeId node) const {
  std::string digits = int_text(node);
  if (!digits.empty() && digits.back() == 'j') digits.pop_back();
  double value = 0;
  // Out of range is not an error in Python: infinity or zero, which strtod gives.
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc())
    value = std::strtod(digits.c_str(), nullptr);
  return value;
}

// The lists of statements among a view's fields: others have a `body` too, but it is one expression.
template <class View>
static NodeList block_of(const View& view, Block which) {
  if constexpr (requires { requires std::is_same_v<decltype(view.body), NodeList>; }) {
    if (which == Block::Body) return view.body;
  }
  if constexpr (requires { requires std::is_same_v<decltype(view.orelse), NodeList>; }) {
    if (which == Block::OrElse) return view.orelse;
  }
  if constexpr (requires { view.finalbody; }) {
    if (which == Block::FinalBody) return view.finalbody;
  }
  return {};
}

NodeList Tree::block(NodeId owner, Block which) const {
  switch (kind(owner)) {
#define TW_NODE(kind_, family, fields) \
  case NodeKind::kind_: return block_of(as<kind_>(owner), which);
#include "syntax/nodes.def"
#undef TW_NODE
  }
  return {};
}

}  // namespace tilewright::syntax
