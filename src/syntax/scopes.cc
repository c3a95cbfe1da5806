// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/scopes.h"

#include "syntax/walk.h"

// Only the kinds that open a scope or change the surroundings are named.
#pragma GCC diagnostic ignored "-Wswitch-enum"

namespace tilewright::syntax {

namespace {

class Finder {
 public:
  explicit Finder(const Tree& tree) : tree_(tree) {}

  Scopes run() {
    out_.surroundings.resize(tree_.node_count());
    here(tree_.root()) = {.scope = open(ScopeKind::Module, no_scope, tree_.root())};
    find_future_annotations();
    for (auto i = static_cast<uint32_t>(tree_.node_count()); i-- > 0;) {
      const NodeId node{i};
      if (here(node).scope != no_scope) hand_down(node);
    }
    return std::move(out_);
  }

 private:
  Surroundings& here(NodeId node) { return out_.surroundings[node.index]; }

  void find_future_annotations() {
    for (const NodeId statement : tree_.as<Module>(tree_.root()).body) {
      const auto import = tree_.get_if<ImportFrom>(statement);
      if (!import || import->module != "__future__") continue;
      for (const NodeId name : import->names)
        future_annotations_ = future_annotations_ || tree_.as<Alias>(name).name == "annotations";
    }
  }

  uint32_t open(ScopeKind kind, uint32_t parent, NodeId owner) {
    out_.all.push_back({.kind = kind, .parent = parent, .owner = owner});
    return static_cast<uint32_t>(out_.all.size() - 1);
  }
  // A scope inside `outer`: nothing of a function's blocks reaches into it.
  Surroundings inside(const Surroundings& outer, ScopeKind kind, NodeId owner) {
    return {.scope = open(kind, outer.scope, owner),
            .in_comprehension_iter = outer.in_comprehension_iter,
            .unevaluated = outer.unevaluated};
  }

  void give(NodeId node, const Surroundings& what) {
    if (node.valid()) here(node) = what;
  }
  void give(NodeList nodes, const Surroundings& what) {
    for (const NodeId node : nodes) give(node, what);
  }

  // Annotations are a scope of their own since Python 3.14, and before where `from __future__ import annotations` keeps them as
  // text.
  Surroundings annotation(const Surroundings& around, NodeId owner) {
    const bool scope = tree_.version() >= Version::Py314 || (future_annotations_ && tree_.version() >= Version::Py310);
    Surroundings out = scope ? inside(around, ScopeKind::Annotation, owner) : around;
    out.unevaluated = out.unevaluated || future_annotations_;
    return out;
  }

  void parameters(NodeId node, const Surroundings& outer, const Surroundings& types, const Surroundings& inner) {
    const Arguments args = tree_.as<Arguments>(node);
    const auto parameter = [&](NodeId arg) {
      give(arg, inner);
      if (const NodeId type = tree_.as<Arg>(arg).annotation; type.valid()) give(type, annotation(types, arg));
    };
    for (const NodeId arg : args.posonlyargs) parameter(arg);
    for (const NodeId arg : args.args) parameter(arg);
    for (const NodeId arg : args.kwonlyargs) parameter(arg);
    if (args.vararg.valid()) parameter(args.vararg);
    if (args.kwarg.valid()) parameter(args.kwarg);
    give(args.defaults, outer);
    give(args.kw_defaults, outer);
  }

  // The scope in which a generic definition's parameters are known.
  Surroundings type_parameters(const Surroundings& outer, NodeList parameters, NodeId owner) {
    if (parameters.empty()) return outer;
    const Surroundings types = inside(outer, ScopeKind::TypeParameters, owner);
    give(parameters, types);
    return types;
  }

  template <class View>
  void function(NodeId node, const View& view, ScopeKind kind) {
    const Surroundings outer = here(node);
    give(view.decorator_list, outer);
    const Surroundings types = type_parameters(outer, view.type_params, node);
    if (view.returns.valid()) give(view.returns, annotation(types, node));
    const Surroundings inner = inside(types, kind, node);
    parameters(view.args, outer, types, inner);
    give(view.body, inner);
  }

  void class_(NodeId node, const ClassDef& view) {
    const Surroundings outer = here(node);
    give(view.decorator_list, outer);
    const Surroundings types = type_parameters(outer, view.type_params, node);
    give(view.bases, types);
    give(view.keywords, types);
    give(view.body, inside(types, ScopeKind::Class, node));
  }

  void comprehension(NodeId node, NodeList generators, std::initializer_list<NodeId> elements) {
    const Surroundings outer = here(node);
    const Surroundings inner = inside(outer, ScopeKind::Comprehension, node);
    Surroundings target = inner;
    target.in_comprehension_target = true;
    for (const NodeId element : elements) give(element, inner);
    for (size_t i = 0; i < generators.size(); ++i) {
      const Comprehension clause = tree_.as<Comprehension>(generators[i]);
      Surroundings iter = i == 0 ? outer : inner;
      iter.in_comprehension_iter = true;
      give(clause.iter, iter);
      give(clause.target, target);
      give(clause.ifs, inner);
      if (clause.is_async) out_.all[inner.scope].awaits = true;
    }
  }

  template <class View>
  void loop(NodeId node, const View& view) {
    const Surroundings outer = here(node);
    Surroundings body = outer;
    body.jump = Jump::Loop;
    ++body.blocks;
    give(view.body, body);
    give(view.orelse, outer);
  }

  template <class View>
  void with(NodeId node, const View& view) {
    Surroundings around = here(node);
    for (const NodeId item : view.items) {
      give(item, around);
      if (around.blocks < 1000) ++around.blocks;  // far past the limit
    }
    give(view.body, around);
  }

  template <class View>
  void attempt(NodeId node, const View& view) {
    Surroundings outer = here(node);
    Surroundings final = outer;
    ++final.blocks;
    give(view.finalbody, final);
    if (!view.finalbody.empty()) ++outer.blocks;
    give(view.orelse, outer);
    if (!view.handlers.empty()) {
      Surroundings handler = outer;
      handler.blocks += 2;
      give(view.handlers, handler);
      ++outer.blocks;
    }
    give(view.body, outer);
  }

  void handler(NodeId node, const ExceptHandler& view) {
    Surroundings body = here(node);
    give(view.type, body);
    if (tree_.is(tree_.parent(node), NodeKind::TryStar)) {
      body.jump = Jump::StarHandler;
      body.in_star_handler = true;
    }
    give(view.body, body);
  }

  void annotated(NodeId node, const AnnAssign& view) {
    const Surroundings around = here(node);
    give(view.target, around);
    give(view.value, around);
    Surroundings type = annotation(around, node);
    type.unevaluated = type.unevaluated || is_function(out_.all[around.scope].kind);
    give(view.annotation, type);
  }

  void alias(NodeId node, const TypeAlias& view) {
    const Surroundings outer = here(node);
    give(view.name, outer);
    const Surroundings types = type_parameters(outer, view.type_params, node);
    give(view.value, inside(types, ScopeKind::TypeAlias, node));
  }

  void type_variable(NodeId node, std::initializer_list<NodeId> expressions) {
    for (const NodeId expression : expressions) {
      if (expression.valid()) give(expression, inside(here(node), ScopeKind::TypeBound, node));
    }
  }

  void hand_down(NodeId node) {
    switch (tree_.kind(node)) {
      case NodeKind::Name:
      case NodeKind::Constant:
      case NodeKind::Arg: return;  // its function gave to the annotation
      case NodeKind::FunctionDef: return function(node, tree_.as<FunctionDef>(node), ScopeKind::Function);
      case NodeKind::AsyncFunctionDef: return function(node, tree_.as<AsyncFunctionDef>(node), ScopeKind::AsyncFunction);
      case NodeKind::Lambda: {
        const Lambda view = tree_.as<Lambda>(node);
        const Surroundings outer = here(node), inner = inside(outer, ScopeKind::Lambda, node);
        parameters(view.args, outer, outer, inner);
        return give(view.body, inner);
      }
      case NodeKind::ClassDef: return class_(node, tree_.as<ClassDef>(node));
      case NodeKind::ListComp: {
        const ListComp view = tree_.as<ListComp>(node);
        return comprehension(node, view.generators, {view.elt});
      }
      case NodeKind::SetComp: {
        const SetComp view = tree_.as<SetComp>(node);
        return comprehension(node, view.generators, {view.elt});
      }
      case NodeKind::GeneratorExp: {
        const GeneratorExp view = tree_.as<GeneratorExp>(node);
        return comprehension(node, view.generators, {view.elt});
      }
      case NodeKind::DictComp: {
        const DictComp view = tree_.as<DictComp>(node);
        return comprehension(node, view.generators, {view.key, view.value});
      }
      case NodeKind::For: {
        const For view = tree_.as<For>(node);
        give(view.target, here(node));
        give(view.iter, here(node));
        return loop(node, view);
      }
      case NodeKind::AsyncFor: {
        const AsyncFor view = tree_.as<AsyncFor>(node);
        give(view.target, here(node));
        give(view.iter, here(node));
        return loop(node, view);
      }
      case NodeKind::While: {
        const While view = tree_.as<While>(node);
        give(view.test, here(node));
        return loop(node, view);
      }
      case NodeKind::With: return with(node, tree_.as<With>(node));
      case NodeKind::AsyncWith: return with(node, tree_.as<AsyncWith>(node));
      case NodeKind::Try: return attempt(node, tree_.as<Try>(node));
      case NodeKind::TryStar: return attempt(node, tree_.as<TryStar>(node));
      case NodeKind::ExceptHandler: return handler(node, tree_.as<ExceptHandler>(node));
      case NodeKind::AnnAssign: return annotated(node, tree_.as<AnnAssign>(node));
      case NodeKind::TypeAlias: return alias(node, tree_.as<TypeAlias>(node));
      case NodeKind::TypeVar: {
        const TypeVar view = tree_.as<TypeVar>(node);
        return type_variable(node, {view.bound, view.default_value});
      }
      case NodeKind::ParamSpec: return type_variable(node, {tree_.as<ParamSpec>(node).default_value});
      case NodeKind::TypeVarTuple: return type_variable(node, {tree_.as<TypeVarTuple>(node).default_value});
      default: {
        const Surroundings same = here(node);
        for_each_child(tree_, node, [&](NodeId child) { here(child) = same; });
      }
    }
  }

  const Tree& tree_;
  Scopes out_;
  bool future_annotations_ = false;
};

}  // namespace

Scopes find_scopes(const Tree& tree) { return Finder(tree).run(); }

}  // namespace tilewright::syntax
