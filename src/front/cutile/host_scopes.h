// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which binding does a name of the file mean? Host code is edited in place, so a local variable that happens to be called as
// an import or a kernel must never be taken for it. These are Python's own rules for modules, functions, classes, lambdas and
// comprehensions.

#pragma once

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "syntax/tree.h"

namespace tilewright::front::cutile {

struct ScopeTag;
using ScopeId = Id<ScopeTag>;
struct BindingTag;
using BindingId = Id<BindingTag>;

struct NameBinding {
  std::string_view name;
  ScopeId scope;
  // What binds it: a Name that is stored or deleted, an Alias, FunctionDef, ClassDef, Arg, ExceptHandler, pattern or type
  // parameter. Both lists are in the order of the text.
  syntax::NodeList definitions;
  syntax::NodeList reads;  // Names
};

enum class ScopeKind : uint8_t { Module, Function, Class, Comprehension };

struct Scope {
  ScopeKind kind = ScopeKind::Module;
  syntax::NodeId node;
  ScopeId parent;
};

// A node and all below it, parents before children, in the order of the text.
std::vector<syntax::NodeId> nodes_of(const syntax::Tree& tree, syntax::NodeId top);

class Scopes {
 public:
  // `nodes` are those of the whole tree.
  Scopes(const syntax::Tree& tree, const std::vector<syntax::NodeId>& nodes);
  Scopes(const Scopes&) = delete;  // bindings are spans of the lists beside them
  Scopes& operator=(const Scopes&) = delete;

  // Of a Name, or of what defines a name; none() for a builtin and for a name that the file never binds.
  BindingId binding(syntax::NodeId node) const { return of_node_[node.index]; }
  NameBinding operator[](BindingId id) const;  // once the constructor is done, as size()
  size_t size() const { return bindings_.size() - 1; }
  BindingId in_module(std::string_view name) const;
  bool is_module_level(BindingId id) const { return bindings_[id].scope == module_; }
  const Scope& scope(ScopeId id) const { return scopes_[id]; }

 private:
  struct NameTag;
  using NameId = Id<NameTag>;

  // A binding. Its definitions and reads reach to those of the next one, so a last row has only where they end.
  struct Row {
    NameId name;
    ScopeId scope;
    uint32_t definitions = 0;
    uint32_t reads = 0;
  };
  // A name in a scope, and the node that says it.
  struct Mention {
    NameId name;
    ScopeId scope;
    syntax::NodeId node;
  };
  using Mentions = std::vector<Mention>;
  static bool before(const Mention& a, const Mention& b) { return a.name != b.name ? a.name < b.name : a.scope < b.scope; }
  static bool contains(const Mentions& sorted, const Mention& one) {
    return std::binary_search(sorted.begin(), sorted.end(), one, before);
  }

  // The scopes of the nodes are handed down: a node is in its parent's unless it was told another.
  void visit(syntax::NodeId node, ScopeId scope);
  template <class Def>
  void visit_function(const Def& def, syntax::NodeId node, ScopeId scope);
  void visit_comprehension(syntax::NodeList elements, syntax::NodeList generators, syntax::NodeId node, ScopeId scope);
  void visit_arguments(syntax::NodeId arguments, ScopeId inside, ScopeId outside);
  void tell(syntax::NodeId node, ScopeId scope) {
    if (node) making_.told[node.index] = scope;
  }
  void tell(syntax::NodeList nodes, ScopeId scope) {
    for (const syntax::NodeId node : nodes) tell(node, scope);
  }
  ScopeId open(ScopeKind kind, syntax::NodeId node, ScopeId parent) {
    return scopes_.add({.kind = kind, .node = node, .parent = parent});
  }
  NameId name(std::string_view text);
  void bind(std::string_view text, syntax::NodeId node, ScopeId scope) {
    making_.definitions.push_back({name(text), scope, node});
  }

  void place_declared();
  void make_bindings();
  void resolve_reads();
  BindingId find(NameId name, ScopeId scope) const;

  const syntax::Tree& tree_;
  ScopeId module_;
  Store<ScopeId, Scope> scopes_;
  Store<BindingId, Row> bindings_;  // by name, then by scope
  std::vector<BindingId> of_node_;
  std::vector<syntax::NodeId> defining_;  // the definitions of all bindings, one after another
  std::vector<syntax::NodeId> reading_;

  std::unordered_map<std::string_view, NameId> names_;
  std::vector<std::string_view> texts_;  // by name
  std::vector<uint32_t> first_of_name_;  // its first binding; the last entry is their number

  // What only the constructor needs.
  struct Making {
    std::vector<ScopeId> told;  // by node
    Mentions definitions;
    Mentions reads;
    Mentions globals;  // names that are declared so in a scope
    Mentions nonlocals;
  };
  Making making_;
};

}  // namespace tilewright::front::cutile
