// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/common/locals.h"

#include <algorithm>

#include "front/common/reader.h"

namespace tilewright::front {

using syntax::NodeList;

namespace {

// Adds the names that a statement binds, itself only.
void add_bound(const syntax::Tree& tree, NodeId node, std::vector<std::string_view>& names) {
  std::vector<NodeId> targets;
  if (const auto assign_ = tree.get_if<syntax::Assign>(node)) targets.assign(assign_->targets.begin(), assign_->targets.end());
  if (const auto augmented = tree.get_if<syntax::AugAssign>(node)) targets.push_back(augmented->target);
  if (const auto annotated = tree.get_if<syntax::AnnAssign>(node)) targets.push_back(annotated->target);
  if (const auto loop = tree.get_if<syntax::For>(node)) targets.push_back(loop->target);
  if (const auto def = tree.get_if<syntax::FunctionDef>(node)) names.push_back(def->name);
  if (const auto with = tree.get_if<syntax::With>(node)) {
    for (const NodeId item : with->items) {
      const auto variable = tree.as<syntax::WithItem>(item).optional_vars;
      if (variable) targets.push_back(variable);
    }
  }
  while (!targets.empty()) {
    const NodeId target = targets.back();
    targets.pop_back();
    if (const auto name = tree.get_if<syntax::Name>(target)) names.push_back(name->id);
    if (const auto tuple = tree.get_if<syntax::Tuple>(target))
      targets.insert(targets.end(), tuple->elts.begin(), tuple->elts.end());
    if (const auto list = tree.get_if<syntax::List>(target)) targets.insert(targets.end(), list->elts.begin(), list->elts.end());
    if (const auto star = tree.get_if<syntax::Starred>(target)) targets.push_back(star->value);
  }
}

// Adds all names bound by the statements, inner blocks included, nested functions not.
void add_bound_in(const syntax::Tree& tree, NodeList body, std::vector<std::string_view>& names) {
  std::vector<NodeId> waiting(body.begin(), body.end());
  const auto add = [&](NodeList block) { waiting.insert(waiting.end(), block.begin(), block.end()); };
  while (!waiting.empty()) {
    const NodeId node = waiting.back();
    waiting.pop_back();
    add_bound(tree, node, names);
    if (const auto branch = tree.get_if<syntax::If>(node)) {
      add(branch->body);
      add(branch->orelse);
    } else if (const auto loop = tree.get_if<syntax::For>(node)) {
      add(loop->body);
      add(loop->orelse);
    } else if (const auto loop_while = tree.get_if<syntax::While>(node)) {
      add(loop_while->body);
      add(loop_while->orelse);
    } else if (const auto with = tree.get_if<syntax::With>(node)) {
      add(with->body);
    }
  }
}

// By length first: most names are told apart without a look at their text.
bool is_before(std::string_view a, std::string_view b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

bool is_assignment(const syntax::Tree& tree, NodeId statement) {
  return tree.is(statement, NodeKind::Assign) || tree.is(statement, NodeKind::AugAssign) ||
         tree.is(statement, NodeKind::AnnAssign);
}

}  // namespace

std::vector<std::string_view> names_bound_in(const syntax::Tree& tree, NodeList body) {
  std::vector<std::string_view> names;
  add_bound_in(tree, body, names);
  return names;
}

std::vector<Local> locals_of(const syntax::Tree& tree, NodeId function, size_t plain) {
  const NodeList body = tree.as<syntax::FunctionDef>(function).body;
  std::vector<Local> locals;
  std::vector<std::string_view> names;
  for (size_t i = 0; i < body.size(); ++i) {
    names.clear();
    add_bound_in(tree, body.subspan(i, 1), names);
    const bool once = i < plain && is_assignment(tree, body[i]);
    for (const std::string_view name : names) locals.push_back({.name = name, .slot = once ? Local::no_slot : 0});
  }
  for (const NodeId parameter : parameters_of(tree, function)) {
    locals.push_back({.name = tree.as<syntax::Arg>(parameter).arg});
  }
  std::sort(locals.begin(), locals.end(), [](const Local& a, const Local& b) { return is_before(a.name, b.name); });
  uint32_t slots = 0;
  size_t kept = 0;
  for (size_t i = 0; i < locals.size(); ++kept) {
    size_t end = i + 1;
    while (end < locals.size() && locals[end].name == locals[i].name) ++end;
    const bool depends = end - i > 1 || locals[i].depends_on_path();
    locals[kept] = {.name = locals[i].name, .slot = depends ? slots++ : Local::no_slot};
    i = end;
  }
  locals.resize(kept);
  locals.shrink_to_fit();
  return locals;
}

Local* find_local(std::span<Local> locals, std::string_view name) {
  const auto at = std::lower_bound(locals.begin(), locals.end(), name,
                                   [](const Local& local, std::string_view wanted) { return is_before(local.name, wanted); });
  return at != locals.end() && at->name == name ? &*at : nullptr;
}

}  // namespace tilewright::front
