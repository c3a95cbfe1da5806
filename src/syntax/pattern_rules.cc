// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Recursion follows brackets in the source, of which there are 200 at most.

#include "syntax/pattern_rules.h"

#include <algorithm>
#include <string>

#include "syntax/messages.h"

#pragma GCC diagnostic ignored "-Wswitch-enum"

namespace tilewright::syntax {

// TW013
constexpr Message<std::string_view> bound_twice("TW013", "the pattern binds `{}` twice");
constexpr Message<> alternatives_differ("TW013", "the alternatives of the pattern bind different names");
constexpr Message<> wildcard_hides("TW013", "the wildcard hides the patterns after it");
constexpr Message<std::string_view> name_hides("TW013", "`{}` matches everything and hides the patterns after it");
constexpr Message<> two_stars("TW013", "two starred patterns in one sequence");
constexpr Message<std::string_view> key_twice("TW013", "the mapping pattern asks twice for the key {}");
constexpr Message<std::string_view> attribute_twice("TW013", "the class pattern asks twice for the attribute `{}`");
constexpr Message<> debug_attribute("TW013", "a class pattern cannot ask for `__debug__`");
constexpr Message<> no_literal("TW013", "a pattern holds literals and dotted names, no f-strings");

namespace {

enum class Irrefutable : uint8_t { Allowed, Hides };

using Names = std::vector<std::string_view>;

class Checker {
 public:
  Checker(const Tree& tree, diag::Diagnostics& errors) : tree_(tree), errors_(errors) {}

  void pattern(NodeId node, Names& bound, Irrefutable irrefutable) {
    const source::Span where = tree_.span(node);
    switch (tree_.kind(node)) {
      case NodeKind::MatchValue: return value(tree_.as<MatchValue>(node).value);
      case NodeKind::MatchSequence: return sequence(tree_.as<MatchSequence>(node), where, bound);
      case NodeKind::MatchMapping: return mapping(tree_.as<MatchMapping>(node), bound);
      case NodeKind::MatchClass: return class_(tree_.as<MatchClass>(node), bound);
      case NodeKind::MatchStar: {
        const MatchStar view = tree_.as<MatchStar>(node);
        return bind(view.name, view.name_span, bound);
      }
      case NodeKind::MatchAs: {
        const MatchAs view = tree_.as<MatchAs>(node);
        if (view.pattern.valid()) {
          pattern(view.pattern, bound, irrefutable);
        } else if (irrefutable == Irrefutable::Hides) {
          view.name.empty() ? error(where, wildcard_hides) : error(where, name_hides, view.name);
        }
        return bind(view.name, view.name_span, bound);
      }
      case NodeKind::MatchOr: return alternatives(tree_.as<MatchOr>(node), where, bound, irrefutable);
      default: return;
    }
  }

 private:
  template <class... Args>
  void error(source::Span where, const Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    errors_.push_back(diag::report(diag::Severity::Error, where, message, args...));
  }

  void bind(std::string_view name, source::Span where, Names& bound) {
    if (name.empty()) return;
    if (std::find(bound.begin(), bound.end(), name) != bound.end()) return error(where, bound_twice, name);
    bound.push_back(name);
  }

  void value(NodeId node) {
    if (tree_.is(node, NodeKind::JoinedStr) || tree_.is(node, NodeKind::TemplateStr)) error(tree_.span(node), no_literal);
  }

  void sequence(const MatchSequence& view, source::Span where, Names& bound) {
    const auto is_star = [&](NodeId node) { return tree_.is(node, NodeKind::MatchStar); };
    if (std::count_if(view.patterns.begin(), view.patterns.end(), is_star) > 1) error(where, two_stars);
    for (const NodeId part : view.patterns) pattern(part, bound, Irrefutable::Allowed);
  }

  // Equal keys have equal words: numbers by value, so that 1, 1.0 and True are one.
  std::string key_word(NodeId node) const {
    if (tree_.is(node, NodeKind::UnaryOp)) {
      const std::string inner = key_word(tree_.as<UnaryOp>(node).operand);
      return inner == "0" ? inner : "-" + inner;
    }
    if (!tree_.is(node, NodeKind::Constant)) return {};
    switch (tree_.constant_kind(node)) {
      case ConstantKind::None: return "None";
      case ConstantKind::Ellipsis: return "...";
      case ConstantKind::True: return "1";
      case ConstantKind::False: return "0";
      case ConstantKind::Str: return "s" + std::string(tree_.string_value(node));
      case ConstantKind::Bytes: return "b" + std::string(tree_.string_value(node));
      case ConstantKind::Int: return tree_.int_decimal(node);
      case ConstantKind::Complex: return std::to_string(tree_.float_value(node)) + "j";
      case ConstantKind::Float: {
        const double value = tree_.float_value(node);
        const bool whole = value < 9e15 && value == static_cast<double>(static_cast<int64_t>(value));
        return whole ? std::to_string(static_cast<int64_t>(value)) : std::string(tree_.text(node));
      }
    }
    return {};
  }

  void mapping(const MatchMapping& view, Names& bound) {
    std::vector<std::string> seen;
    for (const NodeId key : view.keys) {
      value(key);
      std::string word = key_word(key);
      if (!word.empty() && std::find(seen.begin(), seen.end(), word) != seen.end())
        error(tree_.span(key), key_twice, tree_.text(key));
      seen.push_back(std::move(word));
    }
    for (const NodeId part : view.patterns) pattern(part, bound, Irrefutable::Allowed);
    bind(view.rest, view.rest_span, bound);
  }

  void class_(const MatchClass& view, Names& bound) {
    for (size_t i = 0; i < view.kwd_attrs.size(); ++i) {
      if (view.kwd_attrs[i].text == "__debug__") error(view.kwd_attrs[i].span, debug_attribute);
      for (size_t j = 0; j < i; ++j) {
        if (view.kwd_attrs[i].text == view.kwd_attrs[j].text) {
          error(view.kwd_attrs[i].span, attribute_twice, view.kwd_attrs[i].text);
          break;
        }
      }
    }
    for (const NodeId part : view.patterns) pattern(part, bound, Irrefutable::Allowed);
    for (const NodeId part : view.kwd_patterns) pattern(part, bound, Irrefutable::Allowed);
  }

  void alternatives(const MatchOr& view, source::Span where, Names& bound, Irrefutable irrefutable) {
    Names first;
    for (size_t i = 0; i < view.patterns.size(); ++i) {
      Names names;
      const bool last = i + 1 == view.patterns.size();
      pattern(view.patterns[i], names, last ? irrefutable : Irrefutable::Hides);
      Names sorted = names;
      std::sort(sorted.begin(), sorted.end());
      if (i == 0) first = sorted;
      if (sorted != first) {
        error(where, alternatives_differ);
        break;
      }
    }
    for (const std::string_view name : first) bind(name, where, bound);
  }

  const Tree& tree_;
  diag::Diagnostics& errors_;
};

}  // namespace

void check_patterns(const Tree& tree, const Match& match, diag::Diagnostics& errors) {
  Checker check(tree, errors);
  for (size_t i = 0; i < match.cases.size(); ++i) {
    const MatchCase view = tree.as<MatchCase>(match.cases[i]);
    const bool may_match_all = view.guard.valid() || i + 1 == match.cases.size();
    Names bound;
    check.pattern(view.pattern, bound, may_match_all ? Irrefutable::Allowed : Irrefutable::Hides);
  }
}

}  // namespace tilewright::syntax
