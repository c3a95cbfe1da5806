// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// CPython's symbol table in small: every mention of a name, in the order of the source, sets bits for its scope and looks at
// those that are set. At the end each `nonlocal` looks for a function around that binds the name.

#include "syntax/bindings.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "syntax/messages.h"

#pragma GCC diagnostic ignored "-Wswitch-enum"

namespace tilewright::syntax {

// TW015: names and scopes
constexpr Message<std::string_view, std::string_view> parameter_declared("TW015", "`{}` is a parameter and `{}`");
constexpr Message<std::string_view, std::string_view> used_before("TW015", "`{}` is used before its `{}` declaration");
constexpr Message<std::string_view, std::string_view> assigned_before("TW015", "`{}` is assigned to before its `{}` declaration");
constexpr Message<std::string_view, std::string_view> annotated_declared("TW015", "`{}` is annotated and `{}`");
constexpr Message<std::string_view> both_declared("TW015", "`{}` is `nonlocal` and `global`");
constexpr Message<> nonlocal_in_module("TW015", "`nonlocal` has no meaning at the module's level");
constexpr Message<std::string_view> no_binding("TW015", "no function around binds the nonlocal `{}`");
constexpr Message<std::string_view> nonlocal_type_parameter("TW015", "`{}` is a type parameter, which `nonlocal` can't bind");
constexpr Message<std::string_view> rebinds_iteration(
    "TW015", "the assignment expression rebinds `{}`, over which the comprehension goes");
constexpr Message<std::string_view> iterates_over_assigned(
    "TW015", "the comprehension goes over `{}`, which an assignment expression binds");
constexpr Message<> walrus_in_iter("TW015", "an assignment expression has no place in what a comprehension goes over");
constexpr Message<> walrus_in_class("TW015", "an assignment expression in a comprehension has no place in a class body");
constexpr Message<> walrus_in_types("TW015", "an assignment expression in a comprehension has no place where types are written");

namespace {

constexpr uint16_t global_bit = 1, local_bit = 2, parameter_bit = 4, nonlocal_bit = 8, used_bit = 16, imported_bit = 32,
                   annotated_bit = 64, iterated_bit = 128, type_parameter_bit = 256;
constexpr uint16_t bound_bits = local_bit | parameter_bit | imported_bit | type_parameter_bit;

struct Mention {
  uint32_t at = 0;  // in the source
  uint32_t scope = 0;
  std::string_view name;
  source::Span span;
  uint16_t bits = 0;
  bool walrus = false;    // the target of an assignment expression
  bool declares = false;  // in a `global` or `nonlocal` statement
};

class Checker {
 public:
  Checker(const Tree& tree, const Scopes& scopes, diag::Diagnostics& errors) : tree_(tree), scopes_(scopes), errors_(errors) {
    symbols_.resize(scopes.all.size());
  }

  void run() {
    for (uint32_t i = 0; i < tree_.node_count(); ++i) {
      const NodeId node{i};
      if (scopes_.of(node).scope != no_scope) collect(node);
    }
    std::stable_sort(mentions_.begin(), mentions_.end(), [](const Mention& a, const Mention& b) { return a.at < b.at; });
    for (const Mention& mention : mentions_) {
      if (mention.declares) {
        declare(mention);
      } else if (mention.walrus) {
        bind_outside_comprehensions(mention);
      } else {
        bind(mention);
      }
    }
    for (const Mention& mention : mentions_) {
      if (mention.declares && (mention.bits & nonlocal_bit)) resolve(mention);
    }
  }

 private:
  template <class... Args>
  void error(source::Span where, const Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    errors_.push_back(diag::report(diag::Severity::Error, where, message, args...));
  }

  void mention(NodeId node, std::string_view name, source::Span span, uint16_t bits) {
    mentions_.push_back({.at = span.begin, .scope = scopes_.of(node).scope, .name = name, .span = span, .bits = bits});
  }

  void collect(NodeId node) {
    switch (tree_.kind(node)) {
      case NodeKind::Name: return name(node);
      case NodeKind::FunctionDef: {
        const auto view = tree_.as<FunctionDef>(node);
        return mention(node, view.name, view.name_span, local_bit);
      }
      case NodeKind::AsyncFunctionDef: {
        const auto view = tree_.as<AsyncFunctionDef>(node);
        return mention(node, view.name, view.name_span, local_bit);
      }
      case NodeKind::ClassDef: {
        const auto view = tree_.as<ClassDef>(node);
        return mention(node, view.name, view.name_span, local_bit);
      }
      case NodeKind::Arg: {
        const auto view = tree_.as<Arg>(node);
        return mention(node, view.arg, view.arg_span, parameter_bit);
      }
      case NodeKind::Alias: {
        const auto view = tree_.as<Alias>(node);
        if (view.name == "*") return;
        if (!view.asname.empty()) return mention(node, view.asname, view.asname_span, imported_bit);
        return mention(node, view.name.substr(0, view.name.find('.')), view.name_span, imported_bit);
      }
      case NodeKind::ExceptHandler: {
        const auto view = tree_.as<ExceptHandler>(node);
        return bound_by(node, view.name, view.name_span);
      }
      case NodeKind::MatchAs: {
        const auto view = tree_.as<MatchAs>(node);
        return bound_by(node, view.name, view.name_span);
      }
      case NodeKind::MatchStar: {
        const auto view = tree_.as<MatchStar>(node);
        return bound_by(node, view.name, view.name_span);
      }
      case NodeKind::MatchMapping: {
        const auto view = tree_.as<MatchMapping>(node);
        return bound_by(node, view.rest, view.rest_span);
      }
      case NodeKind::TypeVar: {
        const auto view = tree_.as<TypeVar>(node);
        return mention(node, view.name, view.name_span, type_parameter_bit);
      }
      case NodeKind::ParamSpec: {
        const auto view = tree_.as<ParamSpec>(node);
        return mention(node, view.name, view.name_span, type_parameter_bit);
      }
      case NodeKind::TypeVarTuple: {
        const auto view = tree_.as<TypeVarTuple>(node);
        return mention(node, view.name, view.name_span, type_parameter_bit);
      }
      case NodeKind::Global: return declared(node, tree_.as<Global>(node).names, global_bit);
      case NodeKind::Nonlocal: return declared(node, tree_.as<Nonlocal>(node).names, nonlocal_bit);
      default: return;
    }
  }

  void bound_by(NodeId node, std::string_view name, source::Span span) {
    if (!name.empty()) mention(node, name, span, local_bit);
  }

  void declared(NodeId node, const Identifiers& names, uint16_t bit) {
    for (const Identifier name : names) {
      mention(node, name.text, name.span, bit);
      mentions_.back().declares = true;
      mentions_.back().at = tree_.span(node).begin;
    }
  }

  void name(NodeId node) {
    const Name view = tree_.as<Name>(node);
    const Surroundings& around = scopes_.of(node);
    if (view.ctx == Context::Load) {
      // In `for x.y in z` older versions took `x` for a name that the comprehension goes over.
      const bool iterated = around.in_comprehension_target && tree_.version() < Version::Py312;
      return mention(node, view.id, view.id_span, iterated ? used_bit | iterated_bit : used_bit);
    }
    const NodeId parent = tree_.parent(node);
    uint16_t bits = local_bit;
    if (tree_.is(parent, NodeKind::AnnAssign)) {
      const AnnAssign assignment = tree_.as<AnnAssign>(parent);
      if (assignment.target == node) {
        if (assignment.simple)
          bits |= annotated_bit;
        else if (!assignment.value.valid())
          return;
      }
    }
    if (around.in_comprehension_target) bits |= iterated_bit;
    mention(node, view.id, view.id_span, bits);
    // A comprehension's own names come before what it holds.
    if (around.in_comprehension_target) mentions_.back().at = tree_.span(scopes_.all[around.scope].owner).begin;
    if (!tree_.is(parent, NodeKind::NamedExpr)) return;
    if (around.in_comprehension_iter) error(tree_.span(parent), walrus_in_iter);
    mentions_.back().walrus = true;
  }

  uint16_t& bits(uint32_t scope, std::string_view name) { return symbols_[scope][name]; }

  void bind(const Mention& m) {
    uint16_t& known = bits(m.scope, m.name);
    if ((m.bits & annotated_bit) && (known & (global_bit | nonlocal_bit)) && scopes_.all[m.scope].kind != ScopeKind::Module) {
      error(m.span, annotated_declared, m.name, known & global_bit ? "global" : "nonlocal");
    }
    if ((m.bits & iterated_bit) && (known & (global_bit | nonlocal_bit))) error(m.span, iterates_over_assigned, m.name);
    known |= m.bits;
  }

  // A target in a comprehension is bound in the function or module around all comprehensions.
  void bind_outside_comprehensions(const Mention& m) {
    const bool inside = scopes_.all[m.scope].kind == ScopeKind::Comprehension;
    for (uint32_t s = m.scope; inside && s != no_scope; s = scopes_.all[s].parent) {
      const ScopeKind kind = scopes_.all[s].kind;
      uint16_t& known = bits(s, m.name);
      if (kind == ScopeKind::Comprehension) {
        const bool bound = (known & (local_bit | global_bit)) || tree_.version() < Version::Py312;
        if ((known & iterated_bit) && bound) return error(m.span, rebinds_iteration, m.name);
        continue;
      }
      if (kind == ScopeKind::Class) return error(m.span, walrus_in_class);
      if (is_type_scope(kind) && kind != ScopeKind::Annotation) return error(m.span, walrus_in_types);
      const bool global = kind == ScopeKind::Module || (known & global_bit);
      known |= kind == ScopeKind::Module ? global_bit : local_bit;
      bits(m.scope, m.name) |= global ? global_bit : nonlocal_bit;
      break;
    }
    bits(m.scope, m.name) |= local_bit;
  }

  void declare(const Mention& m) {
    const std::string_view word = m.bits & global_bit ? "global" : "nonlocal";
    uint16_t& known = bits(m.scope, m.name);
    if (known & parameter_bit) {
      error(m.span, parameter_declared, m.name, word);
    } else if (known & used_bit) {
      error(m.span, used_before, m.name, word);
    } else if (known & annotated_bit) {
      error(m.span, annotated_declared, m.name, word);
    } else if (known & local_bit) {
      error(m.span, assigned_before, m.name, word);
    } else if ((known | m.bits) & global_bit && (known | m.bits) & nonlocal_bit) {
      error(m.span, both_declared, m.name);
    }
    known |= m.bits;
  }

  void resolve(const Mention& m) {
    if (scopes_.all[m.scope].kind == ScopeKind::Module) return error(m.span, nonlocal_in_module);
    for (uint32_t s = scopes_.all[m.scope].parent; s != no_scope; s = scopes_.all[s].parent) {
      const ScopeKind kind = scopes_.all[s].kind;
      if (kind == ScopeKind::Module) break;
      if (kind == ScopeKind::Class) {
        if (m.name == "__class__") return;
        continue;
      }
      const auto found = symbols_[s].find(m.name);
      if (found == symbols_[s].end()) continue;
      if (found->second & global_bit) break;
      if (found->second & type_parameter_bit) return error(m.span, nonlocal_type_parameter, m.name);
      if (found->second & (bound_bits | nonlocal_bit)) return;
    }
    error(m.span, no_binding, m.name);
  }

  const Tree& tree_;
  const Scopes& scopes_;
  diag::Diagnostics& errors_;
  std::vector<Mention> mentions_;
  std::vector<std::unordered_map<std::string_view, uint16_t>> symbols_;  // by scope; never walked
};

}  // namespace

void check_bindings(const Tree& tree, const Scopes& scopes, diag::Diagnostics& errors) {
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    const NodeKind kind = tree.kind(NodeId{i});
    if (kind == NodeKind::Global || kind == NodeKind::Nonlocal || kind == NodeKind::NamedExpr)
      return Checker(tree, scopes, errors).run();
  }
}

}  // namespace tilewright::syntax
