// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/host_scopes.h"

#include <numeric>

namespace tilewright::front::cutile {

using namespace syntax;

std::vector<NodeId> nodes_of(const Tree& tree, NodeId top) {
  std::vector<NodeId> out;
  std::vector<NodeId> stack = {top};
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    out.push_back(node);
    if (tree.is(node, NodeKind::Name) || tree.is(node, NodeKind::Constant)) continue;  // most nodes: nothing is below
    if (const auto attribute = tree.get_if<Attribute>(node)) {
      stack.push_back(attribute->value);
      continue;
    }
    const auto rest = static_cast<std::ptrdiff_t>(stack.size());
    tree.add_children(node, stack);
    std::reverse(stack.begin() + rest, stack.end());
  }
  return out;
}

Scopes::Scopes(const Tree& tree, const std::vector<NodeId>& nodes) : tree_(tree), of_node_(tree.node_count()) {
  making_.told.resize(tree.node_count());
  module_ = open(ScopeKind::Module, tree.root(), ScopeId::none());
  for (const NodeId node : nodes) {
    ScopeId& scope = making_.told[node.index];
    if (!scope) scope = node == tree.root() ? module_ : making_.told[tree.parent(node).index];
    visit(node, scope);
  }
  place_declared();
  make_bindings();
  resolve_reads();
  making_ = {};
}

NameBinding Scopes::operator[](BindingId id) const {
  const Row& row = bindings_[id];
  const Row& next = bindings_[BindingId{id.index + 1}];
  return {.name = texts_[row.name.index],
          .scope = row.scope,
          .definitions = NodeList(defining_.data() + row.definitions, next.definitions - row.definitions),
          .reads = NodeList(reading_.data() + row.reads, next.reads - row.reads)};
}

BindingId Scopes::in_module(std::string_view name) const {
  const auto known = names_.find(name);
  return known == names_.end() ? BindingId::none() : find(known->second, module_);
}

Scopes::NameId Scopes::name(std::string_view text) {
  const auto [at, fresh] = names_.try_emplace(text, NameId{static_cast<uint32_t>(texts_.size())});
  if (fresh) texts_.push_back(text);
  return at->second;
}

void Scopes::visit_arguments(NodeId arguments, ScopeId inside, ScopeId outside) {
  const Arguments view = tree_.as<Arguments>(arguments);
  const auto argument = [&](NodeId arg) {
    if (!arg) return;
    const Arg one = tree_.as<Arg>(arg);
    bind(one.arg, arg, inside);
    tell(one.annotation, outside);
  };
  for (const NodeId arg : view.posonlyargs) argument(arg);
  for (const NodeId arg : view.args) argument(arg);
  argument(view.vararg);
  for (const NodeId arg : view.kwonlyargs) argument(arg);
  argument(view.kwarg);
  tell(view.defaults, outside);
  tell(view.kw_defaults, outside);
}

template <class Def>
void Scopes::visit_function(const Def& def, NodeId node, ScopeId scope) {
  bind(def.name, node, scope);
  const ScopeId inside = open(ScopeKind::Function, node, scope);
  // Annotations and defaults belong to the outside, but may name the function's own type parameters.
  const ScopeId annotations = def.type_params.empty() ? scope : inside;
  tell(def.type_params, inside);
  visit_arguments(def.args, inside, annotations);
  tell(def.returns, annotations);
  tell(def.body, inside);
}

void Scopes::visit_comprehension(NodeList elements, NodeList generators, NodeId node, ScopeId scope) {
  const ScopeId inside = open(ScopeKind::Comprehension, node, scope);
  tell(elements, inside);
  for (size_t i = 0; i < generators.size(); ++i) {
    const Comprehension one = tree_.as<Comprehension>(generators[i]);
    tell(one.target, inside);
    tell(one.iter, i == 0 ? scope : inside);
    tell(one.ifs, inside);
  }
}

void Scopes::visit(NodeId node, ScopeId scope) {
  switch (tree_.kind(node)) {
    case NodeKind::FunctionDef: return visit_function(tree_.as<FunctionDef>(node), node, scope);
    case NodeKind::AsyncFunctionDef: return visit_function(tree_.as<AsyncFunctionDef>(node), node, scope);
    case NodeKind::ClassDef: {
      const ClassDef def = tree_.as<ClassDef>(node);
      bind(def.name, node, scope);
      const ScopeId inside = open(ScopeKind::Class, node, scope);
      tell(def.type_params, inside);
      return tell(def.body, inside);
    }
    case NodeKind::Lambda: {
      const Lambda lambda = tree_.as<Lambda>(node);
      const ScopeId inside = open(ScopeKind::Function, node, scope);
      visit_arguments(lambda.args, inside, scope);
      return tell(lambda.body, inside);
    }
    case NodeKind::ListComp: {
      const ListComp comp = tree_.as<ListComp>(node);
      return visit_comprehension({&comp.elt, 1}, comp.generators, node, scope);
    }
    case NodeKind::SetComp: {
      const SetComp comp = tree_.as<SetComp>(node);
      return visit_comprehension({&comp.elt, 1}, comp.generators, node, scope);
    }
    case NodeKind::GeneratorExp: {
      const GeneratorExp comp = tree_.as<GeneratorExp>(node);
      return visit_comprehension({&comp.elt, 1}, comp.generators, node, scope);
    }
    case NodeKind::DictComp: {
      const DictComp comp = tree_.as<DictComp>(node);
      const NodeId elements[] = {comp.key, comp.value};
      return visit_comprehension(elements, comp.generators, node, scope);
    }
    case NodeKind::NamedExpr: {
      ScopeId target = scope;
      while (scopes_[target].kind == ScopeKind::Comprehension) target = scopes_[target].parent;
      return tell(tree_.as<NamedExpr>(node).target, target);
    }
    // They count for the whole scope, wherever in it they stand.
    case NodeKind::Global:
      for (const Identifier one : tree_.as<Global>(node).names) making_.globals.push_back({name(one.text), scope, node});
      return;
    case NodeKind::Nonlocal:
      if (scope == module_) return;  // an error of the file
      for (const Identifier one : tree_.as<Nonlocal>(node).names) making_.nonlocals.push_back({name(one.text), scope, node});
      return;
    case NodeKind::Name: {
      const Name view = tree_.as<Name>(node);
      (view.ctx == Context::Load ? making_.reads : making_.definitions).push_back({name(view.id), scope, node});
      return;
    }
    case NodeKind::Alias: {
      const Alias alias = tree_.as<Alias>(node);
      if (!alias.asname.empty()) return bind(alias.asname, node, scope);
      if (alias.name != "*") bind(alias.name.substr(0, alias.name.find('.')), node, scope);
      return;
    }
    case NodeKind::ExceptHandler:
      if (const auto view = tree_.as<ExceptHandler>(node); !view.name.empty()) bind(view.name, node, scope);
      return;
    case NodeKind::MatchStar:
      if (const auto view = tree_.as<MatchStar>(node); !view.name.empty()) bind(view.name, node, scope);
      return;
    case NodeKind::MatchAs:
      if (const auto view = tree_.as<MatchAs>(node); !view.name.empty()) bind(view.name, node, scope);
      return;
    case NodeKind::MatchMapping:
      if (const auto view = tree_.as<MatchMapping>(node); !view.rest.empty()) bind(view.rest, node, scope);
      return;
    case NodeKind::TypeVar: return bind(tree_.as<TypeVar>(node).name, node, scope);
    case NodeKind::ParamSpec: return bind(tree_.as<ParamSpec>(node).name, node, scope);
    case NodeKind::TypeVarTuple:
      return bind(tree_.as<TypeVarTuple>(node).name, node, scope);
      // clang-format off: a line a kind would be sixty
    case NodeKind::Module: case NodeKind::Expression: case NodeKind::Return: case NodeKind::Delete: case NodeKind::Assign:
    case NodeKind::TypeAlias: case NodeKind::AugAssign: case NodeKind::AnnAssign: case NodeKind::For: case NodeKind::AsyncFor:
    case NodeKind::While: case NodeKind::If: case NodeKind::With: case NodeKind::AsyncWith: case NodeKind::Match:
    case NodeKind::Raise: case NodeKind::Try: case NodeKind::TryStar: case NodeKind::Assert: case NodeKind::Import:
    case NodeKind::ImportFrom: case NodeKind::Expr: case NodeKind::Pass:
    case NodeKind::Break: case NodeKind::Continue: case NodeKind::Invalid: case NodeKind::BoolOp: case NodeKind::BinOp:
    case NodeKind::UnaryOp: case NodeKind::IfExp: case NodeKind::Dict: case NodeKind::Set: case NodeKind::Await:
    case NodeKind::Yield: case NodeKind::YieldFrom: case NodeKind::Compare: case NodeKind::Call: case NodeKind::FormattedValue:
    case NodeKind::Interpolation: case NodeKind::JoinedStr: case NodeKind::TemplateStr: case NodeKind::Constant:
    case NodeKind::Attribute: case NodeKind::Subscript: case NodeKind::Starred: case NodeKind::List: case NodeKind::Tuple:
    case NodeKind::Slice: case NodeKind::Comprehension: case NodeKind::Arguments: case NodeKind::Arg: case NodeKind::Keyword:
    case NodeKind::WithItem: case NodeKind::MatchCase: case NodeKind::MatchValue: case NodeKind::MatchSingleton:
    case NodeKind::MatchSequence: case NodeKind::MatchClass: case NodeKind::MatchOr:
      return;
      // clang-format on
  }
}

// Gives the definitions of names that are declared `global` or `nonlocal` the scopes that they mean, and sorts all.
void Scopes::place_declared() {
  std::sort(making_.globals.begin(), making_.globals.end(), before);
  std::sort(making_.nonlocals.begin(), making_.nonlocals.end(), before);
  Mentions outer;
  if (!making_.globals.empty() || !making_.nonlocals.empty()) {
    for (Mention& one : making_.definitions)
      if (contains(making_.globals, one)) one.scope = module_;
    const auto own = std::stable_partition(making_.definitions.begin(), making_.definitions.end(),
                                           [&](const Mention& one) { return !contains(making_.nonlocals, one); });
    outer.assign(own, making_.definitions.end());
    making_.definitions.erase(own, making_.definitions.end());
  }
  const auto in_order = [&](const Mention& a, const Mention& b) {
    if (a.name != b.name || a.scope != b.scope) return before(a, b);
    return tree_.span(a.node).begin < tree_.span(b.node).begin;
  };
  std::stable_sort(making_.definitions.begin(), making_.definitions.end(), in_order);
  if (outer.empty()) return;
  for (Mention& one : outer) {
    do {
      one.scope = scopes_[one.scope].parent;
    } while (one.scope != module_ && (scopes_[one.scope].kind != ScopeKind::Function || !contains(making_.definitions, one)));
  }
  making_.definitions.insert(making_.definitions.end(), outer.begin(), outer.end());
  std::stable_sort(making_.definitions.begin(), making_.definitions.end(), in_order);
}

void Scopes::make_bindings() {
  defining_.reserve(making_.definitions.size());
  first_of_name_.reserve(texts_.size() + 1);
  for (size_t begin = 0, end = 0; begin < making_.definitions.size(); begin = end) {
    const Mention& first = making_.definitions[begin];
    for (end = begin; end < making_.definitions.size() && !before(first, making_.definitions[end]); ++end) {
      of_node_[making_.definitions[end].node.index] = BindingId{static_cast<uint32_t>(bindings_.size())};
      defining_.push_back(making_.definitions[end].node);
    }
    while (first_of_name_.size() <= first.name.index) first_of_name_.push_back(static_cast<uint32_t>(bindings_.size()));
    bindings_.add({.name = first.name, .scope = first.scope, .definitions = static_cast<uint32_t>(begin)});
  }
  while (first_of_name_.size() <= texts_.size()) first_of_name_.push_back(static_cast<uint32_t>(bindings_.size()));
}

BindingId Scopes::find(NameId name, ScopeId scope) const {
  const auto begin = bindings_.begin() + first_of_name_[name.index];
  const auto end = bindings_.begin() + first_of_name_[name.index + 1];
  const auto at = std::lower_bound(begin, end, scope, [](const Row& one, ScopeId wanted) { return one.scope < wanted; });
  if (at == end || at->scope != scope) return {};
  return BindingId{static_cast<uint32_t>(at - bindings_.begin())};
}

void Scopes::resolve_reads() {
  std::vector<uint32_t> counts(bindings_.size() + 1);  // of reads, then where the next one of a binding goes
  for (const Mention& read : making_.reads) {
    BindingId found;
    for (Mention at = read; at.scope && !found; at.scope = scopes_[at.scope].parent) {
      if (scopes_[at.scope].kind == ScopeKind::Class && at.scope != read.scope) continue;  // invisible to the functions inside
      if (!making_.globals.empty() && contains(making_.globals, at)) at.scope = module_;
      found = find(at.name, at.scope);
    }
    of_node_[read.node.index] = found;
    if (found) ++counts[found.index + 1];
  }
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  reading_.resize(counts.back());
  bindings_.add({.name = {}, .scope = {}, .definitions = static_cast<uint32_t>(defining_.size())});
  for (uint32_t i = 0; i < bindings_.size(); ++i) bindings_[BindingId{i}].reads = counts[i];
  for (const Mention& read : making_.reads)
    if (const BindingId binding = of_node_[read.node.index]) reading_[counts[binding.index]++] = read.node;
}

}  // namespace tilewright::front::cutile
