// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/host_scopes.h"

#include <algorithm>

namespace tilewright::front::cutile {

using namespace syntax;

Scopes::Scopes(const Tree& tree) : tree_(tree), of_node_(tree.node_count()) {
  module_ = open(ScopeKind::Module, tree.root(), ScopeId::none());
  for (const NodeId statement : tree.children(tree.root())) {
    push(statement, module_);
    while (!stack_.empty()) {
      const Work work = stack_.back();
      stack_.pop_back();
      visit(work);
    }
  }
  resolve_nonlocals();
  resolve_reads();
}

BindingId Scopes::in_module(std::string_view name) const {
  const auto found = scopes_[module_].names.find(name);
  return found == scopes_[module_].names.end() ? BindingId::none() : found->second;
}

ScopeId Scopes::open(ScopeKind kind, NodeId node, ScopeId parent) {
  return scopes_.add({.kind = kind, .node = node, .parent = parent, .names = {}, .globals = {}, .nonlocals = {}});
}

void Scopes::bind(std::string_view name, NodeId node, ScopeId scope) {
  if (scopes_[scope].globals.contains(name)) scope = module_;
  if (scopes_[scope].nonlocals.contains(name)) return nonlocals_.push_back({name, {node, scope}});
  const auto [at, fresh] = scopes_[scope].names.try_emplace(name, BindingId{});
  if (fresh) at->second = bindings_.add({.name = name, .scope = scope, .definitions = {}, .reads = {}});
  bindings_[at->second].definitions.push_back(node);
  of_node_[node.index] = at->second;
}

void Scopes::push_arguments(NodeId arguments, ScopeId inside, ScopeId outside) {
  const Arguments view = tree_.as<Arguments>(arguments);
  const auto argument = [&](NodeId arg) {
    if (!arg) return;
    const Arg one = tree_.as<Arg>(arg);
    bind(one.arg, arg, inside);
    push(one.annotation, outside);
  };
  for (const NodeId arg : view.posonlyargs) argument(arg);
  for (const NodeId arg : view.args) argument(arg);
  argument(view.vararg);
  for (const NodeId arg : view.kwonlyargs) argument(arg);
  argument(view.kwarg);
  push(view.defaults, outside);
  push(view.kw_defaults, outside);
}

// `global` and `nonlocal` count for the whole function, wherever in its body they stand.
static void read_declarations(const Tree& tree, NodeList body, Scope& scope) {
  std::vector<NodeId> stack(body.begin(), body.end());
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    if (const auto found = tree.get_if<Global>(node))
      for (const Identifier name : found->names) scope.globals.insert(name.text);
    if (const auto found = tree.get_if<Nonlocal>(node))
      for (const Identifier name : found->names) scope.nonlocals.insert(name.text);
    const bool is_function = tree.is(node, NodeKind::FunctionDef) || tree.is(node, NodeKind::AsyncFunctionDef);
    const NodeFamily kind = family(tree.kind(node));
    if (is_function || tree.is(node, NodeKind::ClassDef)) continue;
    if (kind == NodeFamily::Expression || kind == NodeFamily::Pattern) continue;
    tree.add_children(node, stack);
  }
}

template <class Def>
void Scopes::visit_function(const Def& def, Work work) {
  bind(def.name, work.node, work.scope);
  push(def.decorator_list, work.scope);
  const ScopeId inside = open(ScopeKind::Function, work.node, work.scope);
  read_declarations(tree_, def.body, scopes_[inside]);
  push(def.body, inside);
  // Annotations and defaults belong to the outside, but may name the function's own type parameters.
  const ScopeId annotations = def.type_params.empty() ? work.scope : inside;
  push(def.returns, annotations);
  push_arguments(def.args, inside, annotations);
  push(def.type_params, inside);
}

void Scopes::visit_comprehension(NodeList elements, NodeList generators, Work work) {
  const ScopeId inside = open(ScopeKind::Comprehension, work.node, work.scope);
  for (size_t i = 0; i < generators.size(); ++i) {
    const Comprehension one = tree_.as<Comprehension>(generators[i]);
    push(one.target, inside);
    push(one.iter, i == 0 ? work.scope : inside);
    push(one.ifs, inside);
  }
  push(elements, inside);
}

void Scopes::visit(Work work) {
  const auto [node, scope] = work;
  switch (tree_.kind(node)) {
    case NodeKind::FunctionDef: return visit_function(tree_.as<FunctionDef>(node), work);
    case NodeKind::AsyncFunctionDef: return visit_function(tree_.as<AsyncFunctionDef>(node), work);
    case NodeKind::ClassDef: {
      const ClassDef def = tree_.as<ClassDef>(node);
      bind(def.name, node, scope);
      push(def.decorator_list, scope);
      const ScopeId inside = open(ScopeKind::Class, node, scope);
      push(def.body, inside);
      push(def.bases, scope);
      push(def.keywords, scope);
      return push(def.type_params, inside);
    }
    case NodeKind::Lambda: {
      const Lambda lambda = tree_.as<Lambda>(node);
      const ScopeId inside = open(ScopeKind::Function, node, scope);
      push(lambda.body, inside);
      return push_arguments(lambda.args, inside, scope);
    }
    case NodeKind::ListComp: {
      const ListComp comp = tree_.as<ListComp>(node);
      return visit_comprehension({&comp.elt, 1}, comp.generators, work);
    }
    case NodeKind::SetComp: {
      const SetComp comp = tree_.as<SetComp>(node);
      return visit_comprehension({&comp.elt, 1}, comp.generators, work);
    }
    case NodeKind::GeneratorExp: {
      const GeneratorExp comp = tree_.as<GeneratorExp>(node);
      return visit_comprehension({&comp.elt, 1}, comp.generators, work);
    }
    case NodeKind::DictComp: {
      const DictComp comp = tree_.as<DictComp>(node);
      const NodeId elements[] = {comp.key, comp.value};
      return visit_comprehension(elements, comp.generators, work);
    }
    case NodeKind::NamedExpr: {
      const NamedExpr expr = tree_.as<NamedExpr>(node);
      ScopeId target = scope;
      while (scopes_[target].kind == ScopeKind::Comprehension) target = scopes_[target].parent;
      push(expr.value, scope);
      return push(expr.target, target);
    }
    case NodeKind::Name: {
      const Name name = tree_.as<Name>(node);
      if (name.ctx == Context::Load) return reads_.push_back(work);
      return bind(name.id, node, scope);
    }
    case NodeKind::Alias: {
      const Alias alias = tree_.as<Alias>(node);
      if (!alias.asname.empty()) return bind(alias.asname, node, scope);
      if (alias.name != "*") bind(alias.name.substr(0, alias.name.find('.')), node, scope);
      return;
    }
    case NodeKind::ExceptHandler:
      if (const auto view = tree_.as<ExceptHandler>(node); !view.name.empty()) bind(view.name, node, scope);
      break;
    case NodeKind::MatchStar:
      if (const auto view = tree_.as<MatchStar>(node); !view.name.empty()) bind(view.name, node, scope);
      break;
    case NodeKind::MatchAs:
      if (const auto view = tree_.as<MatchAs>(node); !view.name.empty()) bind(view.name, node, scope);
      break;
    case NodeKind::MatchMapping:
      if (const auto view = tree_.as<MatchMapping>(node); !view.rest.empty()) bind(view.rest, node, scope);
      break;
    case NodeKind::TypeVar: bind(tree_.as<TypeVar>(node).name, node, scope); break;
    case NodeKind::ParamSpec: bind(tree_.as<ParamSpec>(node).name, node, scope); break;
    case NodeKind::TypeVarTuple:
      bind(tree_.as<TypeVarTuple>(node).name, node, scope);
      break;
      // clang-format off: a line a kind would be sixty
    case NodeKind::Module: case NodeKind::Expression: case NodeKind::Return: case NodeKind::Delete: case NodeKind::Assign:
    case NodeKind::TypeAlias: case NodeKind::AugAssign: case NodeKind::AnnAssign: case NodeKind::For: case NodeKind::AsyncFor:
    case NodeKind::While: case NodeKind::If: case NodeKind::With: case NodeKind::AsyncWith: case NodeKind::Match:
    case NodeKind::Raise: case NodeKind::Try: case NodeKind::TryStar: case NodeKind::Assert: case NodeKind::Import:
    case NodeKind::ImportFrom: case NodeKind::Global: case NodeKind::Nonlocal: case NodeKind::Expr: case NodeKind::Pass:
    case NodeKind::Break: case NodeKind::Continue: case NodeKind::Invalid: case NodeKind::BoolOp: case NodeKind::BinOp:
    case NodeKind::UnaryOp: case NodeKind::IfExp: case NodeKind::Dict: case NodeKind::Set: case NodeKind::Await:
    case NodeKind::Yield: case NodeKind::YieldFrom: case NodeKind::Compare: case NodeKind::Call: case NodeKind::FormattedValue:
    case NodeKind::Interpolation: case NodeKind::JoinedStr: case NodeKind::TemplateStr: case NodeKind::Constant:
    case NodeKind::Attribute: case NodeKind::Subscript: case NodeKind::Starred: case NodeKind::List: case NodeKind::Tuple:
    case NodeKind::Slice: case NodeKind::Comprehension: case NodeKind::Arguments: case NodeKind::Arg: case NodeKind::Keyword:
    case NodeKind::WithItem: case NodeKind::MatchCase: case NodeKind::MatchValue: case NodeKind::MatchSingleton:
    case NodeKind::MatchSequence: case NodeKind::MatchClass: case NodeKind::MatchOr:
      break;
      // clang-format on
  }
  children_.clear();
  tree_.add_children(node, children_);
  push(NodeList(children_), scope);
}

void Scopes::resolve_nonlocals() {
  for (const auto& [name, work] : nonlocals_) {
    ScopeId target = scopes_[work.scope].parent;
    while (target != module_) {
      const Scope& at = scopes_[target];
      if (at.kind == ScopeKind::Function && at.names.contains(name)) break;
      target = at.parent;
    }
    scopes_[work.scope].nonlocals.erase(name);  // a misplaced `nonlocal` is an error of the file, not ours
    bind(name, work.node, target);
    scopes_[work.scope].nonlocals.insert(name);
  }
}

void Scopes::resolve_reads() {
  for (const Work& read : reads_) {
    const std::string_view name = tree_.as<Name>(read.node).id;
    for (ScopeId at = read.scope; at; at = scopes_[at].parent) {
      if (scopes_[at].kind == ScopeKind::Class && at != read.scope) continue;  // invisible to the functions inside
      if (scopes_[at].globals.contains(name)) at = module_;
      const auto found = scopes_[at].names.find(name);
      if (found == scopes_[at].names.end()) continue;
      bindings_[found->second].reads.push_back(read.node);
      of_node_[read.node.index] = found->second;
      break;
    }
  }
  const auto by_place = [&](NodeId a, NodeId b) { return tree_.span(a).begin < tree_.span(b).begin; };
  for (NameBinding& one : bindings_) {
    std::stable_sort(one.definitions.begin(), one.definitions.end(), by_place);
    std::stable_sort(one.reads.begin(), one.reads.end(), by_place);
  }
}

}  // namespace tilewright::front::cutile
