// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// One pass over the rows: each rule looks at a node and at what surrounds it. Names are bindings.cc, patterns pattern_rules.cc.

#include "syntax/scope_rules.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "syntax/bindings.h"
#include "syntax/messages.h"
#include "syntax/pattern_rules.h"
#include "syntax/scopes.h"

#pragma GCC diagnostic ignored "-Wswitch-enum"

namespace tilewright::syntax {

// TW001
constexpr Message<> bare_except_not_last("TW001", "`except:` without exceptions must be the last one");
// TW008
constexpr Message<> too_many_blocks("TW008", "more loops, `with`s and `try`s inside each other than Python allows");
// TW010
constexpr Message<std::string_view> debug_target("TW010", "cannot {} `__debug__`");
// TW011
constexpr Message<std::string_view> parameter_twice("TW011", "two parameters are called `{}`");
constexpr Message<std::string_view> keyword_twice("TW011", "the keyword argument `{}` is given twice");
// TW014: out of place
constexpr Message<std::string_view> outside_function("TW014", "`{}` outside of a function");
constexpr Message<std::string_view> outside_async("TW014", "`{}` outside of an `async` function");
constexpr Message<std::string_view> outside_loop("TW014", "`{}` outside of a loop");
constexpr Message<std::string_view> in_star_handler("TW014", "`{}` leaves the block of an `except*`");
constexpr Message<> yield_from_in_async("TW014", "`yield from` in an `async` function");
constexpr Message<> yield_in_comprehension("TW014", "`yield` in a comprehension");
constexpr Message<std::string_view> in_types("TW014", "`{}` has no place where types are written");
constexpr Message<> async_comprehension("TW014", "an asynchronous comprehension outside of an `async` function");
constexpr Message<> value_from_async_generator("TW014", "`return` with a value in an asynchronous generator");
constexpr Message<> star_import("TW014", "`import *` below the module's level");
// TW016
constexpr Message<> star_target_alone("TW016", "a starred target stands in a list or tuple");
constexpr Message<> two_star_targets("TW016", "two starred targets in one assignment");
constexpr Message<> star_expression_alone(
    "TW016", "a starred expression has no meaning here: it stands in a list, a tuple, a set or a call");
constexpr Message<> star_target_late("TW016", "a starred target after more than 255 others");
// TW017: __future__
constexpr Message<> future_not_first("TW017", "imports from `__future__` stand at the beginning of the file");
constexpr Message<std::string_view> unknown_future("TW017", "`__future__` has no feature `{}`");
// TW018: type parameters
constexpr Message<std::string_view> type_parameter_twice("TW018", "two type parameters are called `{}`");
constexpr Message<std::string_view> type_default_before("TW018",
                                                        "the type parameter `{}` without a default follows one with a default");
constexpr Message<std::string_view> reserved_type_parameter("TW018", "`{}` is no name for a type parameter");

namespace {

class Checker {
 public:
  Checker(const Tree& tree, Scopes& scopes, diag::Diagnostics& errors) : tree_(tree), scopes_(scopes), errors_(errors) {}

  void run() {
    future_imports();
    for (uint32_t i = 0; i < tree_.node_count(); ++i) {
      const NodeId node{i};
      if (scopes_.of(node).scope != no_scope) check(node);
    }
    for (size_t i = scopes_.all.size(); i-- > 0;) scope(scopes_.all[i]);
  }

 private:
  template <class... Args>
  void error(source::Span where, const Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    errors_.push_back(diag::report(diag::Severity::Error, where, message, args...));
  }
  template <class... Args>
  void error(NodeId node, const Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    error(tree_.span(node), message, args...);
  }
  Scope& scope_of(NodeId node) { return scopes_.all[scopes_.of(node).scope]; }

  void check(NodeId node) {
    switch (tree_.kind(node)) {
      case NodeKind::Return: return return_(node);
      case NodeKind::Yield:
      case NodeKind::YieldFrom: return yield(node);
      case NodeKind::Await: return await(node);
      case NodeKind::NamedExpr:
        if (is_type_scope(scope_of(node).kind)) error(node, in_types, ":=");
        return;
      case NodeKind::Break: return jump(node, "break");
      case NodeKind::Continue: return jump(node, "continue");
      case NodeKind::Starred: return starred(node);
      case NodeKind::Name: {
        const Name view = tree_.as<Name>(node);
        if (view.ctx != Context::Load) name(view.id, view.id_span, view.ctx);
        return;
      }
      case NodeKind::Attribute: {
        const Attribute view = tree_.as<Attribute>(node);
        const bool deleted = view.ctx == Context::Del && tree_.version() >= Version::Py314;
        if (view.ctx == Context::Store || deleted) name(view.attr, view.attr_span, view.ctx);
        return;
      }
      case NodeKind::Tuple: {
        const Tuple view = tree_.as<Tuple>(node);
        if (view.ctx == Context::Store) targets(view.elts);
        return;
      }
      case NodeKind::List: {
        const List view = tree_.as<List>(node);
        if (view.ctx == Context::Store) targets(view.elts);
        return;
      }
      case NodeKind::Call: return keywords(tree_.as<Call>(node).keywords);
      case NodeKind::Lambda: return parameters(tree_.as<Lambda>(node).args);
      case NodeKind::FunctionDef: return definition(tree_.as<FunctionDef>(node));
      case NodeKind::AsyncFunctionDef: return definition(tree_.as<AsyncFunctionDef>(node));
      case NodeKind::ClassDef: {
        const ClassDef view = tree_.as<ClassDef>(node);
        name(view.name, view.name_span);
        keywords(view.keywords);
        return type_parameters(view.type_params);
      }
      case NodeKind::TypeAlias: return type_parameters(tree_.as<TypeAlias>(node).type_params);
      case NodeKind::ImportFrom: return import_from(node);
      case NodeKind::Import: return aliases(tree_.as<Import>(node).names);
      case NodeKind::For:
      case NodeKind::While:
      case NodeKind::With: return blocks(node, 1);
      case NodeKind::AsyncFor: return async_statement(node, "async for");
      case NodeKind::AsyncWith: return async_statement(node, "async with");
      case NodeKind::Try: return attempt(node, tree_.as<Try>(node));
      case NodeKind::TryStar: return attempt(node, tree_.as<TryStar>(node));
      case NodeKind::ExceptHandler: {
        const ExceptHandler view = tree_.as<ExceptHandler>(node);
        return name(view.name, view.name_span);
      }
      case NodeKind::Match: return check_patterns(tree_, tree_.as<Match>(node), errors_);
      case NodeKind::MatchAs: {
        const MatchAs view = tree_.as<MatchAs>(node);
        return name(view.name, view.name_span);
      }
      case NodeKind::MatchStar: {
        const MatchStar view = tree_.as<MatchStar>(node);
        return name(view.name, view.name_span);
      }
      case NodeKind::MatchMapping: {
        const MatchMapping view = tree_.as<MatchMapping>(node);
        return name(view.rest, view.rest_span);
      }
      default: return;
    }
  }

  void name(std::string_view name, source::Span where, Context context = Context::Store) {
    if (name != "__debug__") return;
    if (context == Context::Store) return error(where, debug_target, "assign to");
    if (tree_.version() >= Version::Py310) error(where, debug_target, "delete");
  }

  void return_(NodeId node) {
    const Return view = tree_.as<Return>(node);
    Scope& scope = scope_of(node);
    if (!is_function(scope.kind)) return error(node, outside_function, "return");
    if (scopes_.of(node).in_star_handler) return error(node, in_star_handler, "return");
    if (view.value.valid() && !scope.return_value.valid()) scope.return_value = node;
  }

  void yield(NodeId node) {
    Scope& scope = scope_of(node);
    if (is_type_scope(scope.kind)) return error(node, in_types, "yield");
    if (scope.kind == ScopeKind::Comprehension) return error(node, yield_in_comprehension);
    scope.yields = true;
    if (scopes_.of(node).unevaluated) return;
    if (!is_function(scope.kind)) return error(node, outside_function, "yield");
    if (scope.kind == ScopeKind::AsyncFunction && tree_.is(node, NodeKind::YieldFrom)) error(node, yield_from_in_async);
  }

  void await(NodeId node) {
    Scope& scope = scope_of(node);
    if (is_type_scope(scope.kind)) return error(node, in_types, "await");
    if (scope.kind == ScopeKind::Comprehension) scope.awaits = true;
    if (scopes_.of(node).unevaluated) return;
    if (scope.kind == ScopeKind::Comprehension || scope.kind == ScopeKind::AsyncFunction) return;
    is_function(scope.kind) ? error(node, outside_async, "await") : error(node, outside_function, "await");
  }

  void jump(NodeId node, std::string_view word) {
    switch (scopes_.of(node).jump) {
      case Jump::Loop: return;
      case Jump::StarHandler: return error(node, in_star_handler, word);
      case Jump::None: return error(node, outside_loop, word);
    }
  }

  // `a[*b]: int`, whose target is evaluated piece by piece and not stored to.
  bool is_index_of_bare_annotation(NodeId tuple) const {
    const NodeId subscript = tree_.parent(tuple);
    if (!tree_.is(subscript, NodeKind::Subscript)) return false;
    const auto assignment = tree_.get_if<AnnAssign>(tree_.parent(subscript));
    return assignment && assignment->target == subscript && !assignment->value.valid();
  }

  void starred(NodeId node) {
    const NodeId parent = tree_.parent(node);
    const NodeKind kind = tree_.kind(parent);
    if (kind == NodeKind::Tuple && is_index_of_bare_annotation(parent)) return error(node, star_expression_alone);
    if (kind == NodeKind::Tuple || kind == NodeKind::List || kind == NodeKind::Set) return;
    if (tree_.as<Starred>(node).ctx != Context::Load) return error(node, star_target_alone);
    if (kind == NodeKind::Call || kind == NodeKind::ClassDef || kind == NodeKind::Arg || kind == NodeKind::TypeVarTuple) return;
    if (!scopes_.of(node).unevaluated) error(node, star_expression_alone);
  }

  void targets(NodeList elements) {
    bool seen = false;
    for (size_t i = 0; i < elements.size(); ++i) {
      if (!tree_.is(elements[i], NodeKind::Starred)) continue;
      if (seen) return error(elements[i], two_star_targets);
      if (i > 255) error(elements[i], star_target_late);
      seen = true;
    }
  }

  // Calls `twice(i)` for each name that stood before. Few names are compared, many are remembered.
  template <class Name, class Twice>
  static void find_twice(size_t count, const Name& name, const Twice& twice) {
    if (count < 10) {
      for (size_t i = 1; i < count; ++i) {
        for (size_t j = 0; j < i; ++j) {
          if (!name(i).empty() && name(i) == name(j)) {
            twice(i);
            break;
          }
        }
      }
      return;
    }
    std::unordered_set<std::string_view> seen;
    for (size_t i = 0; i < count; ++i) {
      if (!name(i).empty() && !seen.insert(name(i)).second) twice(i);
    }
  }

  void keywords(NodeList list) {
    const auto name_of = [&](size_t i) { return tree_.as<Keyword>(list[i]).arg; };
    find_twice(list.size(), name_of, [&](size_t i) { error(tree_.as<Keyword>(list[i]).arg_span, keyword_twice, name_of(i)); });
    for (const NodeId keyword : list) {
      const Keyword view = tree_.as<Keyword>(keyword);
      name(view.arg, view.arg_span);
    }
  }

  void parameters(NodeId node) {
    const Arguments view = tree_.as<Arguments>(node);
    std::vector<Arg> all;
    const auto add = [&](NodeId arg) {
      if (!arg.valid()) return;
      all.push_back(tree_.as<Arg>(arg));
      name(all.back().arg, all.back().arg_span);
    };
    for (const NodeList list : {view.posonlyargs, view.args, view.kwonlyargs}) {
      for (const NodeId arg : list) add(arg);
    }
    add(view.vararg);
    add(view.kwarg);
    find_twice(
        all.size(), [&](size_t i) { return all[i].arg; }, [&](size_t i) { error(all[i].arg_span, parameter_twice, all[i].arg); });
  }

  template <class View>
  void definition(const View& view) {
    name(view.name, view.name_span);
    parameters(view.args);
    type_parameters(view.type_params);
  }

  void type_parameters(NodeList list) {
    struct Row {
      std::string_view name;
      source::Span span;
      bool has_default;
    };
    std::vector<Row> rows;
    for (const NodeId node : list) {
      if (const auto v = tree_.get_if<TypeVar>(node)) rows.push_back({v->name, v->name_span, v->default_value.valid()});
      if (const auto v = tree_.get_if<ParamSpec>(node)) rows.push_back({v->name, v->name_span, v->default_value.valid()});
      if (const auto v = tree_.get_if<TypeVarTuple>(node)) rows.push_back({v->name, v->name_span, v->default_value.valid()});
    }
    bool defaults = false;
    for (const Row& row : rows) {
      if (defaults && !row.has_default) error(row.span, type_default_before, row.name);
      defaults = defaults || row.has_default;
      name(row.name, row.span);
      if (row.name == "__classdict__" && tree_.version() >= Version::Py314) error(row.span, reserved_type_parameter, row.name);
    }
    find_twice(
        rows.size(), [&](size_t i) { return rows[i].name; },
        [&](size_t i) { error(rows[i].span, type_parameter_twice, rows[i].name); });
  }

  void aliases(NodeList names) {
    for (const NodeId node : names) {
      const Alias view = tree_.as<Alias>(node);
      if (!view.asname.empty()) {
        name(view.asname, view.asname_span);
      } else if (view.name.find('.') == std::string_view::npos || tree_.version() >= Version::Py39) {
        name(view.name.substr(0, view.name.find('.')), view.name_span);
      }
    }
  }

  void import_from(NodeId node) {
    const ImportFrom view = tree_.as<ImportFrom>(node);
    aliases(view.names);
    const bool star = tree_.as<Alias>(view.names.front()).name == "*";
    if (star && scope_of(node).kind != ScopeKind::Module) error(node, star_import);
    if (is_future(view) && tree_.span(node).begin >= future_end_) error(node, future_not_first);
  }

  // Until Python 3.12 `from .__future__` counted as well.
  bool is_future(const ImportFrom& import) const {
    return import.module == "__future__" && (import.level == 0 || tree_.version() < Version::Py313);
  }

  // Only a docstring and other such imports may stand before an import from `__future__`.
  void future_imports() {
    const NodeList body = tree_.as<Module>(tree_.root()).body;
    size_t i = 0;
    if (!body.empty()) {
      const auto first = tree_.get_if<Expr>(body.front());
      if (first && tree_.is_constant(first->value, ConstantKind::Str)) ++i;
    }
    for (; i < body.size(); ++i) {
      const auto import = tree_.get_if<ImportFrom>(body[i]);
      if (!import || !is_future(*import)) return;
      future_end_ = tree_.span(body[i]).end;
      for (const NodeId alias : import->names) feature(alias);
    }
  }
  void feature(NodeId alias) {
    static constexpr std::string_view features[] = {"nested_scopes",  "generators",     "division",         "absolute_import",
                                                    "with_statement", "print_function", "unicode_literals", "barry_as_FLUFL",
                                                    "generator_stop", "annotations"};
    const std::string_view name = tree_.as<Alias>(alias).name;
    if (std::find(std::begin(features), std::end(features), name) == std::end(features)) error(alias, unknown_future, name);
  }

  void async_statement(NodeId node, std::string_view word) {
    blocks(node, 1);
    if (scope_of(node).kind != ScopeKind::AsyncFunction) error(node, outside_async, word);
  }

  // `more` is what the node adds to the blocks around it.
  void blocks(NodeId node, uint32_t more) {
    if (tree_.is(node, NodeKind::With)) more = static_cast<uint32_t>(tree_.as<With>(node).items.size());
    if (tree_.is(node, NodeKind::AsyncWith)) more = static_cast<uint32_t>(tree_.as<AsyncWith>(node).items.size());
    const uint32_t limit = tree_.version() >= Version::Py313 ? 21 : 20;
    const uint32_t around = scopes_.of(node).blocks;
    if (around <= limit && around + more > limit) error(node, too_many_blocks);
  }

  template <class View>
  void attempt(NodeId node, const View& view) {
    blocks(node, (view.finalbody.empty() ? 0u : 1u) + (view.handlers.empty() ? 0u : 2u));
    for (size_t i = 0; i + 1 < view.handlers.size(); ++i) {
      if (!tree_.as<ExceptHandler>(view.handlers[i]).type.valid()) error(view.handlers[i], bare_except_not_last);
    }
  }

  // Inner scopes come first: a comprehension that awaits makes the one around it asynchronous too.
  void scope(const Scope& scope) {
    if (scope.kind == ScopeKind::AsyncFunction && scope.yields && scope.return_value.valid()) {
      error(scope.return_value, value_from_async_generator);
    }
    if (scope.kind != ScopeKind::Comprehension || !scope.awaits || tree_.is(scope.owner, NodeKind::GeneratorExp)) return;
    if (scopes_.of(scope.owner).unevaluated) return;
    Scope& around = scopes_.all[scope.parent];
    if (around.kind == ScopeKind::AsyncFunction) return;
    const bool inherits = tree_.version() >= Version::Py311;
    if (around.kind == ScopeKind::Comprehension && (inherits || around.awaits)) {
      around.awaits = true;
      return;
    }
    error(scope.owner, async_comprehension);
  }

  const Tree& tree_;
  Scopes& scopes_;
  diag::Diagnostics& errors_;
  uint32_t future_end_ = 0;  // of the last import from __future__ at the beginning
};

}  // namespace

diag::Diagnostics check_scopes(const Tree& tree) {
  diag::Diagnostics errors;
  Scopes scopes = find_scopes(tree);
  Checker(tree, scopes, errors).run();
  check_bindings(tree, scopes, errors);
  return errors;
}

}  // namespace tilewright::syntax
