// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which scope each node is in, and what surrounds it there. Private to the scope rules.
//
// A parent's row comes after its children's (the parser works bottom up), so one pass over the rows from the last to the first
// hands every node its context before the node hands one to its own children: linear, no recursion, no stack.

#pragma once

#include <vector>

#include "syntax/tree.h"

namespace tilewright::syntax {

enum class ScopeKind : uint8_t {
  Module,
  Class,
  Function,
  AsyncFunction,
  Lambda,
  Comprehension,
  // Where types are written; assignments, `yield` and `await` have no place there.
  Annotation,
  TypeParameters,  // of a generic function, class or alias
  TypeAlias,
  TypeBound,  // also a type parameter's default
};

constexpr uint32_t no_scope = ~uint32_t{0};

struct Scope {
  ScopeKind kind = ScopeKind::Module;
  uint32_t parent = no_scope;
  NodeId owner;
  bool yields = false;
  bool awaits = false;       // a comprehension: it is asynchronous
  NodeId return_value = {};  // the first `return` with a value
};

enum class Jump : uint8_t { None, Loop, StarHandler };  // the nearest thing that `break` would meet

struct Surroundings {
  uint32_t scope = no_scope;  // none: the node is in no tree
  Jump jump = Jump::None;
  bool in_star_handler = false;        // of the same function
  bool in_comprehension_iter = false;  // in what a comprehension goes over, however deep
  bool in_comprehension_target = false;
  bool unevaluated = false;  // an annotation that is never run
  uint16_t blocks = 0;       // loops, `with`s and `try`s around, in the same function
};

struct Scopes {
  std::vector<Scope> all;                  // parents before children
  std::vector<Surroundings> surroundings;  // by node
  const Surroundings& of(NodeId node) const { return surroundings[node.index]; }
};

Scopes find_scopes(const Tree& tree);

constexpr bool is_function(ScopeKind kind) {
  return kind == ScopeKind::Function || kind == ScopeKind::AsyncFunction || kind == ScopeKind::Lambda;
}
constexpr bool is_type_scope(ScopeKind kind) { return kind >= ScopeKind::Annotation; }

}  // namespace tilewright::syntax
