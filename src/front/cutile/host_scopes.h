// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which binding does a name of the file mean? Host code is edited in place, so a local variable that happens to be called as
// an import or a kernel must never be taken for it. These are Python's own rules for modules, functions, classes, lambdas and
// comprehensions.

#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
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
  std::vector<syntax::NodeId> definitions;
  std::vector<syntax::NodeId> reads;  // Names
};

enum class ScopeKind : uint8_t { Module, Function, Class, Comprehension };

struct Scope {
  ScopeKind kind = ScopeKind::Module;
  syntax::NodeId node;
  ScopeId parent;
  std::unordered_map<std::string_view, BindingId> names;
  std::unordered_set<std::string_view> globals;
  std::unordered_set<std::string_view> nonlocals;
};

class Scopes {
 public:
  explicit Scopes(const syntax::Tree& tree);

  // Of a Name, or of what defines a name; none() for a builtin and for a name that the file never binds.
  BindingId binding(syntax::NodeId node) const { return of_node_[node.index]; }
  const NameBinding& operator[](BindingId id) const { return bindings_[id]; }
  size_t size() const { return bindings_.size(); }
  BindingId in_module(std::string_view name) const;
  bool is_module_level(BindingId id) const { return bindings_[id].scope == module_; }
  const Scope& scope(ScopeId id) const { return scopes_[id]; }

 private:
  struct Work {
    syntax::NodeId node;
    ScopeId scope;
  };
  void visit(Work work);
  template <class Def>
  void visit_function(const Def& def, Work work);
  void visit_comprehension(syntax::NodeList elements, syntax::NodeList generators, Work work);
  void push(syntax::NodeId node, ScopeId scope) {
    if (node) stack_.push_back({node, scope});
  }
  void push(syntax::NodeList nodes, ScopeId scope) {
    for (size_t i = nodes.size(); i-- > 0;) push(nodes[i], scope);
  }
  ScopeId open(ScopeKind kind, syntax::NodeId node, ScopeId parent);
  void bind(std::string_view name, syntax::NodeId node, ScopeId scope);
  void push_arguments(syntax::NodeId arguments, ScopeId inside, ScopeId outside);
  void resolve_nonlocals();
  void resolve_reads();

  const syntax::Tree& tree_;
  ScopeId module_;
  Store<ScopeId, Scope> scopes_;
  Store<BindingId, NameBinding> bindings_;
  std::vector<BindingId> of_node_;
  std::vector<Work> stack_;
  std::vector<syntax::NodeId> children_;                      // of the node that is visited
  std::vector<Work> reads_;                                   // kept until all bindings are known
  std::vector<std::pair<std::string_view, Work>> nonlocals_;  // bindings of outer functions, kept likewise
};

}  // namespace tilewright::front::cutile
