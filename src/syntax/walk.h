// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The children of a node, and all that is inside of one, without a list of them.

#pragma once

#include "syntax/tree.h"

namespace tilewright::syntax {

// Calls with each child, in the order of the fields (which is not always that of the source).
template <class Visit>
void for_each_child(const Tree& tree, NodeId node, const Visit& visit) {
  const auto one = [&](NodeId child) {
    if (child.valid()) visit(child);
  };
  switch (tree.kind(node)) {
#define TW_ID(f)
#define TW_NAME(f)
#define TW_NAME_OPT(f)
#define TW_NAMES(f)
#define TW_CHILD(f) one(view.f);
#define TW_OPTIONAL(f) one(view.f);
#define TW_LIST(f) \
  for (const NodeId child : view.f) one(child);
#define TW_ENUM(type, f)
#define TW_NUMBER(f)
#define TW_OPERATORS(f)
#define TW_TEXT(f)
#define TW_VALUE(f)
#define TW_NODE(kind_, family, fields)                       \
  case NodeKind::kind_: {                                    \
    [[maybe_unused]] const auto view = tree.as<kind_>(node); \
    fields break;                                            \
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

// Calls with each node inside of another, from the last to the first; parts of readings that were given up may be among them. A
// node is a row after those of its parts (builder.h), so these are the rows before it.
template <class Visit>
void for_each_inside(const Tree& tree, NodeId node, const Visit& visit) {
  const uint32_t begin = tree.span(node).begin;
  for (uint32_t row = node.index; row-- > 0 && tree.span(NodeId{row}).begin >= begin;) visit(NodeId{row});
}

}  // namespace tilewright::syntax
