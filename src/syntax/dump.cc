// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree in the words of `ast.dump` (Python 3.13 and newer: what is None or an empty list is left out), so that CPython can
// judge it by comparing strings.

#include <algorithm>
#include <charconv>
#include <cmath>

#include "syntax/parse.h"
#include "syntax/unicode.h"

namespace tilewright::syntax {

namespace {

std::string hexadecimal(uint32_t value, int digits) {
  std::string out(static_cast<size_t>(digits), '0');
  for (size_t i = out.size(); i-- > 0; value >>= 4) out[i] = "0123456789abcdef"[value & 15];
  return out;
}

void append_escaped(std::string& out, char32_t c, char quote) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\\': out += "\\\\"; return;
    default: break;
  }
  if (c == static_cast<unsigned char>(quote)) {
    out += '\\';
    out += quote;
  } else if (c < 0x20 || c == 0x7F) {
    out += "\\x" + hexadecimal(c, 2);
  } else if (c < 0x7F) {
    out += static_cast<char>(c);
  } else if (is_printable(c)) {
    append_utf8(out, c);
  } else if (c < 0x100) {
    out += "\\x" + hexadecimal(c, 2);
  } else if (c < 0x10000) {
    out += "\\u" + hexadecimal(c, 4);
  } else {
    out += "\\U" + hexadecimal(c, 8);
  }
}

char quote_for(std::string_view value) {
  return value.find('\'') != std::string_view::npos && value.find('"') == std::string_view::npos ? '"' : '\'';
}

void append_repr(std::string& out, std::string_view value) {
  const char quote = quote_for(value);
  out += quote;
  for (size_t at = 0; at < value.size();) append_escaped(out, next_code_point(value, at), quote);
  out += quote;
}

void append_bytes_repr(std::string& out, std::string_view value) {
  const char quote = quote_for(value);
  out += 'b';
  out += quote;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      append_escaped(out, byte, quote);
    } else {
      out += "\\x" + hexadecimal(byte, 2);
    }
  }
  out += quote;
}

enum class Point : uint8_t { Always, IfNeeded };

// Python's repr: the shortest digits that read back, with an exponent outside of 1e-4 … 1e16.
std::string float_repr(double value, Point point) {
  if (std::isinf(value)) return "inf";
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific).ptr;
  const std::string_view text(digits, static_cast<size_t>(end - digits));
  const size_t e = text.find('e');
  int exponent = 0;
  const char* const exponent_text = digits + e + 1 + (digits[e + 1] == '+');
  std::from_chars(exponent_text, end, exponent);
  std::string mantissa;
  for (const char c : text.substr(0, e)) {
    if (c != '.') mantissa += c;
  }
  if (exponent < -4 || exponent >= 16) {
    std::string out = mantissa.substr(0, 1);
    if (mantissa.size() > 1) out += "." + mantissa.substr(1);
    const std::string shown = std::to_string(std::abs(exponent));
    return out + (exponent < 0 ? "e-" : "e+") + (shown.size() < 2 ? "0" : "") + shown;
  }
  if (exponent < 0) return "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + mantissa;
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (mantissa.size() > whole) return mantissa.substr(0, whole) + "." + mantissa.substr(whole);
  mantissa.append(whole - mantissa.size(), '0');
  return point == Point::Always ? mantissa + ".0" : mantissa;
}

class Dumper {
 public:
  Dumper(const Tree& tree, Attributes attributes) : tree_(tree), attributes_(attributes) {
    if (attributes == Attributes::Omit) return;
    const std::string_view text = tree.source();
    lines_.push_back(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
        lines_.push_back(static_cast<uint32_t>(i + 1));
      }
    }
  }

  // A stack of what is still to be printed, the next on top.
  std::string run(NodeId root) {
    work_.push_back({root, {}});
    while (!work_.empty()) {
      const Item item = std::move(work_.back());
      work_.pop_back();
      out_ += item.text;
      if (item.node.valid()) node(item.node);
    }
    return std::move(out_);
  }

 private:
  struct Item {
    NodeId node;
    std::string text;
  };

  void field(std::string_view name) {
    if (!first_) pending_ += ", ";
    first_ = false;
    pending_ += name;
    pending_ += '=';
  }
  void child(NodeId node) {
    items_.push_back({NodeId(), std::move(pending_)});
    pending_.clear();
    items_.push_back({node, {}});
  }
  void list(std::string_view name, NodeList nodes) {
    if (nodes.empty()) return;
    field(name);
    pending_ += '[';
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (i) pending_ += ", ";
      if (nodes[i].valid()) {
        child(nodes[i]);
      } else {
        pending_ += "None";
      }
    }
    pending_ += ']';
  }
  void constant(NodeId node, const ConstantValue& value) {
    switch (value.kind) {
      case ConstantKind::None: pending_ += "None"; return;
      case ConstantKind::True: pending_ += "True"; return;
      case ConstantKind::False: pending_ += "False"; return;
      case ConstantKind::Ellipsis: pending_ += "Ellipsis"; return;
      case ConstantKind::Int: pending_ += tree_.int_decimal(node); return;
      case ConstantKind::Float: pending_ += float_repr(tree_.float_value(node), Point::Always); return;
      case ConstantKind::Complex: pending_ += float_repr(tree_.float_value(node), Point::IfNeeded) + "j"; return;
      case ConstantKind::Str: append_repr(pending_, value.string); break;
      case ConstantKind::Bytes: append_bytes_repr(pending_, value.string); break;
    }
    if (value.u_prefix) pending_ += ", kind='u'";
  }

  std::pair<uint32_t, uint32_t> place(uint32_t offset) const {
    const auto line = static_cast<size_t>(std::upper_bound(lines_.begin() + 1, lines_.end(), offset) - lines_.begin());
    const uint32_t begin = lines_[line - 1];
    uint32_t column = offset > begin ? offset - begin : 0;
    if (tree_.encoding() == Encoding::Latin1) {  // columns are those of the text in UTF-8
      for (uint32_t i = begin; i < offset; ++i) column += static_cast<signed char>(tree_.source()[i]) < 0;
    }
    return {static_cast<uint32_t>(line), column};
  }
  void places(NodeId node) {
    const source::Span span = tree_.span(node);
    const auto [line, column] = place(span.begin);
    const auto [end_line, end_column] = place(span.end);
    const auto number = [&](std::string_view name, uint32_t value) {
      field(name);
      pending_ += std::to_string(value);
    };
    number("lineno", line);
    number("col_offset", column);
    number("end_lineno", end_line);
    number("end_col_offset", end_column);
  }
  static bool has_place(NodeKind kind) {
    return family(kind) != NodeFamily::Root && kind != NodeKind::Arguments && kind != NodeKind::Comprehension &&
           kind != NodeKind::WithItem && kind != NodeKind::MatchCase;
  }

  void node(NodeId id) {
    items_.clear();
    pending_ = name(tree_.kind(id));
    pending_ += '(';
    first_ = true;
    fields(id);
    if (attributes_ == Attributes::Include && has_place(tree_.kind(id))) places(id);
    pending_ += ')';
    work_.push_back({NodeId(), std::move(pending_)});
    for (size_t i = items_.size(); i-- > 0;) work_.push_back(std::move(items_[i]));
  }
  void fields(NodeId id);

  const Tree& tree_;
  Attributes attributes_;
  std::vector<uint32_t> lines_;
  std::string out_;
  std::vector<Item> work_;
  std::vector<Item> items_;  // of the node at hand
  std::string pending_;
  bool first_ = true;
};

void Dumper::fields(NodeId id) {
  switch (tree_.kind(id)) {
#define TW_ID(f) TW_NAME(f)
#define TW_NAME(f) \
  field(#f);       \
  append_repr(pending_, view.f);
#define TW_NAME_OPT(f)   \
  if (!view.f.empty()) { \
    TW_NAME(f)           \
  }
#define TW_NAMES(f)                              \
  if (!view.f.empty()) {                         \
    field(#f);                                   \
    for (size_t i = 0; i < view.f.size(); ++i) { \
      pending_ += i ? ", " : "[";                \
      append_repr(pending_, view.f[i].text);     \
    }                                            \
    pending_ += ']';                             \
  }
#define TW_CHILD(f) \
  field(#f);        \
  child(view.f);
#define TW_OPTIONAL(f)  \
  if (view.f.valid()) { \
    TW_CHILD(f)         \
  }
#define TW_LIST(f) list(#f, view.f);
#define TW_ENUM(type, f)    \
  field(#f);                \
  pending_ += name(view.f); \
  pending_ += "()";
#define TW_NUMBER(f) \
  field(#f);         \
  pending_ += std::to_string(view.f);
#define TW_OPERATORS(f)                        \
  field(#f);                                   \
  for (size_t i = 0; i < view.f.size(); ++i) { \
    pending_ += i ? ", " : "[";                \
    pending_ += name(view.f[i]);               \
    pending_ += "()";                          \
  }                                            \
  pending_ += ']';
#define TW_TEXT(f) TW_NAME(f)
#define TW_VALUE(f) \
  field(#f);        \
  constant(id, view.f);
#define TW_NODE(kind_, family_, fields_)                    \
  case NodeKind::kind_: {                                   \
    [[maybe_unused]] const auto view = tree_.as<kind_>(id); \
    fields_ break;                                          \
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
  }
}

}  // namespace

std::string dump(const Tree& tree, NodeId node, Attributes attributes) { return Dumper(tree, attributes).run(node); }

}  // namespace tilewright::syntax
