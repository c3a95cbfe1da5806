// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the text of a function says of its parameters before it is read.
//
// A reading learns what a parameter is from its uses, and what was read before the first of them has to be read again. Most uses
// can be told from the text: `ct.load(x, index=(i, j), …)` is of an array with two axes, and so is a helper's argument that the
// helper loads from. A reading that begins with this is usually the only one. It is a guess, since the text does not say which
// statements a launch gets to: one that no use confirms is taken back (read_kernel).

#include <algorithm>

#include "front/cutile/builtins.h"
#include "front/cutile/reader.h"
#include "syntax/walk.h"

namespace tilewright::front::cutile {

namespace {

std::vector<std::string_view> parameter_names(const syntax::Tree& tree, NodeId function) {
  std::vector<std::string_view> names;
  for (const NodeId node : parameters_of(tree, function)) names.push_back(tree.as<syntax::Arg>(node).arg);
  return names;
}

class Look {
 public:
  Look(Reader& reader, Module& module, NodeId function)
      : reader_(reader),
        module_(module),
        tree_(*module.tree),
        names_(parameter_names(tree_, function)),
        found_(names_.size()),
        assigned_(names_.size()) {
    syntax::for_each_inside(tree_, function, [this](NodeId node) { look_at(node); });
    for (size_t i = 0; i < found_.size(); ++i) {
      if (assigned_[i]) found_[i] = {};
    }
  }

  const std::vector<Foreseen>& found() const { return found_; }

 private:
  // The parameter that an expression names.
  std::optional<size_t> parameter(NodeId node) const {
    const auto name = tree_.get_if<syntax::Name>(node);
    if (!name) return std::nullopt;
    const auto at = std::find(names_.begin(), names_.end(), name->id);
    return at == names_.end() ? std::nullopt : std::optional(static_cast<size_t>(at - names_.begin()));
  }

  void is_array(size_t parameter, uint32_t rank = ir::unknown_rank) {
    Foreseen& found = found_[parameter];
    found.array = true;
    if (rank == ir::unknown_rank || rank == found.rank) return;
    found.ranks_differ |= found.rank != ir::unknown_rank;
    found.rank = found.ranks_differ ? ir::unknown_rank : rank;
  }

  // How many items a tuple has that is written out.
  uint32_t items_of(NodeId node) const {
    const auto tuple = tree_.get_if<syntax::Tuple>(node);
    if (!tuple) return ir::unknown_rank;
    const bool starred =
        std::any_of(tuple->elts.begin(), tuple->elts.end(), [this](NodeId item) { return tree_.is(item, NodeKind::Starred); });
    return starred ? ir::unknown_rank : static_cast<uint32_t>(tuple->elts.size());
  }

  void look_at(NodeId node) {
    const NodeKind kind = tree_.kind(node);
    if (kind == NodeKind::Name) {
      if (tree_.as<syntax::Name>(node).ctx != syntax::Context::Store) return;
      if (const auto at = parameter(node)) assigned_[*at] = true;
    } else if (kind == NodeKind::Attribute) {
      const auto attribute = tree_.as<syntax::Attribute>(node);
      if (attribute.attr != "shape" && attribute.attr != "strides") return;
      if (const auto at = parameter(attribute.value)) is_array(*at);
    } else if (kind == NodeKind::Assign) {
      const auto assignment = tree_.as<syntax::Assign>(node);
      const auto attribute = tree_.get_if<syntax::Attribute>(assignment.value);
      if (!attribute || (attribute->attr != "shape" && attribute->attr != "strides")) return;
      if (const auto at = parameter(attribute->value)) is_array(*at, items_of(assignment.targets[0]));
    } else if (kind == NodeKind::Call) {
      look_at_call(tree_.as<syntax::Call>(node));
    }
  }

  void look_at_call(const syntax::Call& call) {
    const auto of_parameter = [this](NodeId argument) { return parameter(argument).has_value(); };
    const bool positional = std::any_of(call.args.begin(), call.args.end(), of_parameter);
    const bool named = std::any_of(call.keywords.begin(), call.keywords.end(),
                                   [&](NodeId word) { return of_parameter(tree_.as<syntax::Keyword>(word).value); });
    if (!positional && !named) return;
    const Val callee = evaluate(reader_, module_, call.func);
    if (callee.is(ValKind::Builtin)) look_at_access(call, *callee.builtin);
    if (callee.is(ValKind::Function)) look_at_helper(call, *callee.module, callee.node);
  }

  // `ct.load(x, (i, j), shape=(A, B))`
  void look_at_access(const syntax::Call& call, const Builtin& builtin) {
    if (!builtin.signature.starts_with("array, ") || call.args.empty()) return;
    const auto array = parameter(call.args[0]);
    if (!array) return;
    is_array(*array);
    for (size_t i = 1; i < call.args.size() && i < 3; ++i) is_array(*array, items_of(call.args[i]));
    for (const NodeId word : call.keywords) {
      const auto keyword = tree_.as<syntax::Keyword>(word);
      if (keyword.arg == "index" || keyword.arg == "indices" || keyword.arg == "shape") is_array(*array, items_of(keyword.value));
    }
  }

  void look_at_helper(const syntax::Call& call, Module& module, NodeId function) {
    const std::vector<Foreseen>& inside = foreseen(reader_, module, function);
    const std::vector<std::string_view> names = parameter_names(*module.tree, function);
    const auto pass = [&](NodeId argument, size_t to) {
      const auto from = parameter(argument);
      if (from && to < inside.size() && inside[to].array) is_array(*from, inside[to].rank);
    };
    for (size_t i = 0; i < call.args.size(); ++i) pass(call.args[i], i);
    for (const NodeId word : call.keywords) {
      const auto keyword = tree_.as<syntax::Keyword>(word);
      pass(keyword.value, static_cast<size_t>(std::find(names.begin(), names.end(), keyword.arg) - names.begin()));
    }
  }

  Reader& reader_;
  Module& module_;
  const syntax::Tree& tree_;
  std::vector<std::string_view> names_;
  std::vector<Foreseen> found_;
  std::vector<bool> assigned_;
};

}  // namespace

const std::vector<Foreseen>& foreseen(Reader& reader, Module& module, NodeId function) {
  const auto [at, fresh] = reader.foreseen.try_emplace({&module, function});
  if (fresh) at->second = Look(reader, module, function).found();  // nothing, where a function calls itself
  return at->second;
}

bool foresee_parameters(Reader& reader, Module& module, NodeId kernel) {
  const std::vector<Foreseen>& parameters = foreseen(reader, module, kernel);
  bool any = false;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].rank == ir::unknown_rank) continue;
    Knowledge& known = reader.knowledge[i];
    known.kind = Knowledge::Kind::Array;
    known.rank = parameters[i].rank;
    known.array_foreseen = true;
    known.rank_foreseen = known.rank != ir::unknown_rank;
    any = true;
  }
  return any;
}

bool is_confirmed(const Reader& reader) {
  return std::none_of(reader.knowledge.begin(), reader.knowledge.end(),
                      [](const Knowledge& known) { return known.array_foreseen || known.rank_foreseen; });
}

void confirm_array(Reader& reader, ir::ValueId array) {
  const auto index = element_parameter(reader, type_of(reader, array).dtype);
  if (!index) return;
  reader.knowledge[*index].guessed = false;
  reader.knowledge[*index].array_foreseen = false;
}

void confirm_rank(Reader& reader, ir::ValueId array) {
  if (const auto index = element_parameter(reader, type_of(reader, array).dtype)) reader.knowledge[*index].rank_foreseen = false;
}

}  // namespace tilewright::front::cutile
