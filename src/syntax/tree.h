// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Python text as a lossless tree.
//
// The shape is Python's own `ast`: same kinds, same fields, same positions, so that what is written about the language applies
// word for word and CPython itself can judge us. What `ast` throws away stays at hand by position: tokens, comments, redundant
// parentheses, blank lines.
//
// A node is a row; its fields are words in one vector. `tree.as<Call>(node)` reads them into a small struct by value; lists are
// spans into the tree and live as long as it does. Nothing here recurses, and neither should a reader of deep chains: a sum of
// 100,000 terms is a left-leaning tree of that depth.

#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "diag/diagnostic.h"
#include "source/span.h"
#include "syntax/kinds.h"
#include "syntax/token.h"

namespace tilewright::syntax {

struct NodeTag;
using NodeId = Id<NodeTag>;
using NodeList = std::span<const NodeId>;
using CmpOperators = std::span<const CmpOperator>;

struct Identifier {
  std::string_view text;  // NFKC, as Python compares them
  source::Span span;
};

class Tree;

// Several identifiers, read one by one.
class Identifiers {
 public:
  Identifiers() = default;
  Identifiers(const Tree* tree, const NodeId* words, uint32_t size) : tree_(tree), words_(words), size_(size) {}
  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Identifier operator[](size_t i) const;

  struct Iterator {
    const Identifiers* of;
    size_t i;
    Identifier operator*() const { return (*of)[i]; }
    Iterator& operator++() { return ++i, *this; }
    bool operator!=(const Iterator& other) const { return i != other.i; }
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

 private:
  friend class Builder;
  const Tree* tree_ = nullptr;
  const NodeId* words_ = nullptr;
  uint32_t size_ = 0;
};

// A constant's value as far as a view can hold it: numbers are read by Tree::int_text and its kin.
struct ConstantValue {
  ConstantKind kind = ConstantKind::None;
  std::string_view string =
      {};                 // Str: decoded UTF-8 (a lone surrogate as its three bytes); Bytes: the bytes; else the source text
  bool u_prefix = false;  // u"…"
};

// The typed views: a struct per kind, named as the kind, with `ast`'s field names.
#define TW_ID(f) TW_NAME(f)
#define TW_NAME(f)         \
  std::string_view f = {}; \
  source::Span f##_span = {};
#define TW_NAME_OPT(f) TW_NAME(f)
#define TW_NAMES(f) Identifiers f = {};
#define TW_CHILD(f) NodeId f = {};
#define TW_OPTIONAL(f) NodeId f = {};
#define TW_LIST(f) NodeList f = {};
#define TW_ENUM(type, f) type f = {};
#define TW_NUMBER(f) int32_t f = 0;
#define TW_OPERATORS(f) CmpOperators f = {};
#define TW_TEXT(f) std::string_view f = {};
#define TW_VALUE(f) ConstantValue f = {};
#define TW_NODE(kind, family, fields)                     \
  struct kind {                                           \
    static constexpr NodeKind node_kind = NodeKind::kind; \
    fields                                                \
  };
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

// One of the blocks that a compound statement (or handler, or case) owns. `else` of if/for/while/try is OrElse.
enum class Block : uint8_t { Body, OrElse, FinalBody };

struct Comment {
  source::Span span;                // from `#` to the end of the line
  std::string_view text;            // with the `#`
  uint32_t blank_lines_before = 0;  // directly above an own-line comment
};
using Comments = std::vector<Comment>;

enum class Encoding : uint8_t { Utf8, Ascii, Latin1 };

class Tree {
 public:
  source::FileId file() const { return file_; }
  std::string_view source() const { return text_; }
  Version version() const { return version_; }
  Encoding encoding() const { return encoding_; }
  NodeId root() const { return root_; }  // a Module or an Expression
  const diag::Diagnostics& errors() const { return errors_; }
  bool ok() const { return errors_.empty(); }

  // Frees nodes and tokens, which are nine times as long as a text; names and strings that were given out stay where they are.
  void let_go();
  // Takes them back from a tree of the same text: they have the same numbers.
  void take_back(Tree&& again);

  // Nodes. Some rows belong to no tree (readings that were given up); walk from root().
  size_t node_count() const { return nodes_.size(); }
  NodeKind kind(NodeId node) const { return nodes_[node.index].kind; }
  NodeId parent(NodeId node) const { return nodes_[node.index].parent; }
  bool is(NodeId node, NodeKind kind_) const { return node.valid() && kind(node) == kind_; }
  // CPython's lineno/col_offset to end_lineno/end_col_offset: a def or class starts at its keyword.
  source::Span span(NodeId node) const { return {file_, nodes_[node.index].begin, nodes_[node.index].end}; }
  source::Span decorated_span(NodeId node) const;      // from the first `@`
  source::Span parenthesized_span(NodeId node) const;  // with redundant parentheses around it, all of them
  std::string_view text(NodeId node) const { return text(span(node)); }
  std::string_view text(source::Span span_) const { return text_.substr(span_.begin, span_.size()); }
  std::vector<NodeId> children(NodeId node) const;                 // in source order
  void add_children(NodeId node, std::vector<NodeId>& out) const;  // the same, at the end of a list
  // The nearest statement (or handler, case, module) that holds the node, itself included.
  NodeId statement_of(NodeId node) const;

  template <class T>
  T as(NodeId node) const;
  template <class T>
  std::optional<T> get_if(NodeId node) const {
    if (!is(node, T::node_kind)) return std::nullopt;
    return as<T>(node);
  }

  // Constants
  ConstantKind constant_kind(NodeId node) const { return static_cast<ConstantKind>(nodes_[node.index].small); }
  bool is_constant(NodeId node, ConstantKind kind_) const { return is(node, NodeKind::Constant) && constant_kind(node) == kind_; }
  std::string_view string_value(NodeId node) const;     // Str and Bytes
  std::string int_text(NodeId node) const;              // lower case, no underscores, base prefix kept: "0xff"
  std::string int_decimal(NodeId node) const;           // as Python prints it
  std::optional<int64_t> int_value(NodeId node) const;  // nothing past 64 bits
  double float_value(NodeId node) const;                // Float, and the imaginary part of a Complex

  // Tokens, comments included, in the order of token.h
  const Tokens& tokens() const { return tokens_; }
  Token token(TokenId id) const { return tokens_[id.index]; }
  std::string_view text(const Token& token_) const { return text_.substr(token_.begin, token_.size()); }
  source::Span span(const Token& token_) const { return {file_, token_.begin, token_.end}; }
  TokenId first_token(NodeId node) const;     // the token at span(node).begin
  TokenId last_token(NodeId node) const;      // the token at span(node).end
  TokenId token_from(uint32_t offset) const;  // the first one with text that begins at or after `offset`

  // Comments: each is in exactly one of these.
  Comments leading_comments(NodeId statement) const;  // own lines directly before a statement, handler or case (its decorators)
  std::optional<Comment> trailing_comment(NodeId statement) const;  // after a simple statement, or after a header's colon
  Comments inner_comments(NodeId statement) const;  // inside brackets of the statement or header, or between decorators
  Comments closing_comments(NodeId owner,
                            Block block = Block::Body) const;  // at the end of a block, before it ends; of the module too
  Comments clause_comments(NodeId owner, Block block) const;   // own lines directly before `else:` or `finally:`
  std::optional<Comment> clause_trailing_comment(NodeId owner, Block block) const;  // on the line of `else:` or `finally:`
  Comments comments_in(source::Span span) const;                                    // all inside, whatever they belong to
  uint32_t blank_lines_before(NodeId statement) const;           // directly above its first line (below its leading comments)
  uint32_t blank_lines_before_comments(NodeId statement) const;  // above its leading comments; the same if there are none
  NodeList block(NodeId owner, Block block) const;               // its statements; handlers and cases are not a block
  source::Span clause_span(NodeId owner, Block block) const;     // the `else` or `finally` keyword; empty if absent or an `elif`

 private:
  friend class Builder;
  friend class Identifiers;

  struct Node {
    NodeKind kind;
    uint8_t small = 0;
    uint16_t flags = 0;
    uint32_t begin = 0;
    uint32_t end = 0;
    NodeId parent;
    uint32_t fields = 0;
  };
  static constexpr uint16_t own_text = 1;  // the name or string is in texts_, not in the source
  static constexpr uint16_t u_prefix = 2;
  static constexpr uint32_t own_text_bit = uint32_t{1} << 31;  // the same for a name among the fields, in its end

  const Node& checked(NodeId node, NodeKind kind_) const {
    TW_CHECK(node.valid() && nodes_[node.index].kind == kind_, "a node is not of the kind that it is read as");
    return nodes_[node.index];
  }
  Identifier identifier(uint32_t begin, uint32_t end_and_bit) const {
    const uint32_t end = end_and_bit & ~own_text_bit;
    return {end == end_and_bit ? text_.substr(begin, end - begin) : own_name(begin), {file_, begin, end}};
  }
  std::string_view own_name(uint32_t begin) const;
  std::string_view stored(uint32_t offset, uint32_t size) const { return {texts_.data() + offset, size}; }
  ConstantValue constant_value(const Node& node, const NodeId* words) const;
  TokenId block_indent(NodeId owner, Block block) const;

  source::FileId file_;
  std::string_view text_;
  Version version_ = Version::Py314;
  Encoding encoding_ = Encoding::Utf8;
  NodeId root_;
  Tokens tokens_;
  std::vector<Node> nodes_;
  std::vector<NodeId> words_;  // the fields of all nodes
  std::vector<CmpOperator> operators_;
  std::vector<char> texts_;                                      // strings that are not spelled so in the source
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> own_names_;  // by place in the source: identifiers that NFKC changes
  diag::Diagnostics errors_;
};

inline Identifier Identifiers::operator[](size_t i) const {
  return tree_->identifier(words_[2 * i].index, words_[2 * i + 1].index);
}

#define TW_ID(f)                                                                                             \
  {                                                                                                          \
    const Identifier name_ = identifier(row.begin, row.flags & own_text ? row.end | own_text_bit : row.end); \
    out.f = name_.text;                                                                                      \
    out.f##_span = name_.span;                                                                               \
  }
#define TW_NAME(f)                                                 \
  {                                                                \
    const Identifier name_ = identifier(at[0].index, at[1].index); \
    out.f = name_.text;                                            \
    out.f##_span = name_.span;                                     \
    at += 2;                                                       \
  }
#define TW_NAME_OPT(f) TW_NAME(f)
#define TW_NAMES(f)                             \
  out.f = Identifiers(this, at + 1, at->index); \
  at += 1 + 2 * at->index;
#define TW_CHILD(f) out.f = *at++;
#define TW_OPTIONAL(f) out.f = *at++;
#define TW_LIST(f)                     \
  out.f = NodeList(at + 1, at->index); \
  at += 1 + at->index;
#define TW_ENUM(type, f) out.f = static_cast<type>(row.small);
#define TW_NUMBER(f) out.f = static_cast<int32_t>((at++)->index);
#define TW_OPERATORS(f)                                               \
  out.f = CmpOperators(operators_.data() + at[0].index, at[1].index); \
  at += 2;
#define TW_TEXT(f)                          \
  out.f = stored(at[0].index, at[1].index); \
  at += 2;
#define TW_VALUE(f) out.f = constant_value(row, at);
#define TW_NODE(kind_, family, fields_)                                \
  template <>                                                          \
  inline kind_ Tree::as<kind_>(NodeId node) const {                    \
    [[maybe_unused]] const Node& row = checked(node, NodeKind::kind_); \
    [[maybe_unused]] const NodeId* at = words_.data() + row.fields;    \
    kind_ out;                                                         \
    fields_ return out;                                                \
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

}  // namespace tilewright::syntax
