// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes nodes into a tree: the counterpart of Tree::as, from the same nodes.def. Lists under construction live on a stack of
// ids; a view that is added holds spans into it.

#pragma once

#include <string>
#include <vector>

#include "syntax/tree.h"

namespace tilewright::syntax {

class Builder {
 public:
  explicit Builder(Tree& tree) : tree_(tree) {}

  static Tree start_tree(source::FileId file, std::string_view text, Version version) {
    Tree tree;
    tree.file_ = file, tree.text_ = text, tree.version_ = version;
    return tree;
  }
  void set_encoding(Encoding encoding) { tree_.encoding_ = encoding; }
  // For what is made of so many tokens.
  void reserve(size_t tokens) {
    tree_.nodes_.reserve(tokens);
    tree_.words_.reserve(2 * tokens);
  }
  void set_tokens(Tokens tokens) { tree_.tokens_ = std::move(tokens); }
  void set_root(NodeId root) { tree_.root_ = root; }
  diag::Diagnostics& errors() { return tree_.errors_; }

  template <class View>
  NodeId add(const View& view, uint32_t begin, uint32_t end);
  // A string or bytes whose value is the source's [begin, end), or not spelled so in the source.
  NodeId add_verbatim(ConstantKind kind, uint32_t value_begin, uint32_t value_end, uint32_t begin, uint32_t end) {
    const NodeId id = add_constant(kind, begin, end);
    word(value_begin), word(value_end - value_begin);
    return id;
  }
  NodeId add_decoded(ConstantKind kind, std::string_view value, uint32_t begin, uint32_t end) {
    const uint32_t at = store(value);
    const NodeId id = add_constant(kind, begin, end);
    row(id).flags |= Tree::own_text;
    word(at), word(static_cast<uint32_t>(value.size()));
    return id;
  }
  NodeId add_constant(ConstantKind kind, uint32_t begin, uint32_t end) {
    const NodeId id = start(NodeKind::Constant, begin, end);
    row(id).small = static_cast<uint8_t>(kind);
    return id;
  }

  void set_u_prefix(NodeId node) { row(node).flags |= Tree::u_prefix; }
  void set_kind(NodeId node, NodeKind kind) { row(node).kind = kind; }
  void set_context(NodeId node, Context context) { row(node).small = static_cast<uint8_t>(context); }
  void set_end(NodeId node, uint32_t end) { row(node).end = end; }
  void set_span(NodeId node, uint32_t begin, uint32_t end) { row(node).begin = begin, row(node).end = end; }
  // Says that the identifier at this place reads as `text`.
  void name_reads_as(uint32_t begin, std::string_view text) {
    tree_.own_names_[begin] = {store(text), static_cast<uint32_t>(text.size())};
  }

  std::string_view name_at(source::Span span) const {
    return tree_.identifier(span.begin, has_own_text(span.begin) ? span.end | Tree::own_text_bit : span.end).text;
  }

  // For readings that are given up.
  size_t mark() const { return tree_.nodes_.size(); }
  void rewind(size_t nodes) {
    if (nodes < tree_.nodes_.size()) tree_.words_.resize(tree_.nodes_[nodes].fields);
    tree_.nodes_.resize(nodes);
  }

 private:
  Tree::Node& row(NodeId node) { return tree_.nodes_[node.index]; }
  uint32_t store(std::string_view text) {
    const auto at = static_cast<uint32_t>(tree_.texts_.size());
    tree_.texts_.insert(tree_.texts_.end(), text.begin(), text.end());
    return at;
  }
  bool has_own_text(uint32_t begin) const { return !tree_.own_names_.empty() && tree_.own_names_.count(begin) != 0; }
  NodeId start(NodeKind kind, uint32_t begin, uint32_t end) {
    const NodeId id{static_cast<uint32_t>(tree_.nodes_.size())};
    tree_.nodes_.push_back(
        {.kind = kind, .begin = begin, .end = end, .parent = {}, .fields = static_cast<uint32_t>(tree_.words_.size())});
    return id;
  }
  void word(uint32_t value) { tree_.words_.push_back(NodeId{value}); }
  void child(NodeId parent, NodeId node) {
    if (node.valid()) row(node).parent = parent;
    tree_.words_.push_back(node);
  }
  void list(NodeId parent, NodeList nodes) {
    word(static_cast<uint32_t>(nodes.size()));
    for (const NodeId node : nodes) child(parent, node);
  }
  void name(source::Span span) {
    word(span.begin);
    word(span.end > span.begin && has_own_text(span.begin) ? span.end | Tree::own_text_bit : span.end);
  }
  void names(const Identifiers& identifiers) {
    word(identifiers.size());
    for (uint32_t i = 0; i < identifiers.size(); ++i) {
      name({tree_.file_, identifiers.words_[2 * i].index, identifiers.words_[2 * i + 1].index});
    }
  }

  template <class View>
  void write(NodeId id, const View& view);

  Tree& tree_;
};

#define TW_ID(f) \
  if (has_own_text(row(id).begin)) row(id).flags |= Tree::own_text;
#define TW_NAME(f) name(view.f##_span);
#define TW_NAME_OPT(f) name(view.f##_span);
#define TW_NAMES(f) names(view.f);
#define TW_CHILD(f) child(id, view.f);
#define TW_OPTIONAL(f) child(id, view.f);
#define TW_LIST(f) list(id, view.f);
#define TW_ENUM(type, f) row(id).small = static_cast<uint8_t>(view.f);
#define TW_NUMBER(f) word(static_cast<uint32_t>(view.f));
#define TW_OPERATORS(f)                                 \
  word(static_cast<uint32_t>(tree_.operators_.size())); \
  word(static_cast<uint32_t>(view.f.size()));           \
  tree_.operators_.insert(tree_.operators_.end(), view.f.begin(), view.f.end());
#define TW_TEXT(f)                                        \
  {                                                       \
    const uint32_t at = store(view.f);                    \
    word(at), word(static_cast<uint32_t>(view.f.size())); \
  }
#define TW_VALUE(f) row(id).small = static_cast<uint8_t>(view.f.kind);
#define TW_NODE(kind, family, fields)                                                               \
  template <>                                                                                       \
  inline void Builder::write<kind>([[maybe_unused]] NodeId id, [[maybe_unused]] const kind& view) { \
    fields                                                                                          \
  }
#include "syntax/nodes.def"
#undef TW_NODE
#undef TW_ID
#undef TW_NAME
#undef TW_NAME_OPT
#undef TW_NAMES
#undef TW_CHILD
#undef TW_OPTIONAL
#undef TW_LIST
#undef TW_ENUM
#undef TW_NUMBER
#undef TW_OPERATORS
#undef TW_TEXT
#undef TW_VALUE

template <class View>
NodeId Builder::add(const View& view, uint32_t begin, uint32_t end) {
  const NodeId id = start(View::node_kind, begin, end);
  write(id, view);
  return id;
}

}  // namespace tilewright::syntax
