// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/kinds.h"

#include <iterator>

namespace tilewright::syntax {

NodeFamily family(NodeKind kind) {
  static constexpr NodeFamily families[] = {
#define TW_NODE(kind, family, fields) NodeFamily::family,
#include "syntax/nodes.def"
#undef TW_NODE
  };
  return families[static_cast<uint8_t>(kind)];
}

// Where Python's class is in lower case, or ours would clash.
static std::string_view python_name(NodeKind kind, std::string_view ours) {
  if (kind == NodeKind::Comprehension) return "comprehension";
  if (kind == NodeKind::Arguments) return "arguments";
  if (kind == NodeKind::Arg) return "arg";
  if (kind == NodeKind::Keyword) return "keyword";
  if (kind == NodeKind::Alias) return "alias";
  if (kind == NodeKind::WithItem) return "withitem";
  if (kind == NodeKind::MatchCase) return "match_case";
  return ours;
}

std::string_view name(NodeKind kind) {
  static constexpr std::string_view names[] = {
#define TW_NODE(kind, family, fields) #kind,
#include "syntax/nodes.def"
#undef TW_NODE
  };
  return python_name(kind, names[static_cast<uint8_t>(kind)]);
}

template <class Enum, size_t n>
static std::string_view pick(const std::string_view (&words)[n], Enum value) {
  return words[static_cast<uint8_t>(value)];
}

std::string_view name(Operator op) {
  static constexpr std::string_view words[] = {"Add",    "Sub",    "Mult",  "MatMult", "Div",    "Mod",     "Pow",
                                               "LShift", "RShift", "BitOr", "BitXor",  "BitAnd", "FloorDiv"};
  return pick(words, op);
}
std::string_view name(UnaryOperator op) {
  static constexpr std::string_view words[] = {"Invert", "Not", "UAdd", "USub"};
  return pick(words, op);
}
std::string_view name(BoolOperator op) {
  static constexpr std::string_view words[] = {"And", "Or"};
  return pick(words, op);
}
std::string_view name(CmpOperator op) {
  static constexpr std::string_view words[] = {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"};
  return pick(words, op);
}
std::string_view name(Context context) {
  static constexpr std::string_view words[] = {"Load", "Store", "Del"};
  return pick(words, context);
}
std::string_view spelling(Operator op) {
  static constexpr std::string_view words[] = {"+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"};
  return pick(words, op);
}
std::string_view spelling(UnaryOperator op) {
  static constexpr std::string_view words[] = {"~", "not", "+", "-"};
  return pick(words, op);
}
std::string_view spelling(BoolOperator op) {
  static constexpr std::string_view words[] = {"and", "or"};
  return pick(words, op);
}
std::string_view spelling(CmpOperator op) {
  static constexpr std::string_view words[] = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
  return pick(words, op);
}

}  // namespace tilewright::syntax
