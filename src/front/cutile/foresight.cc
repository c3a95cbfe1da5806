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
#include <unordered_map>
#include <unordered_set>

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"
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
      : reader_(reader), module_(module), tree_(*module.tree), names_(parameter_names(tree_, function)), found_(names_.size()) {
    syntax::for_each_inside(tree_, function, [this](NodeId node) { look_at_assignment(node); });
    for (size_t i = 0; i < names_.size(); ++i) {
      if (locals_.contains(names_[i])) names_[i] = {};
    }
    syntax::for_each_inside(tree_, function, [this](NodeId node) { look_at(node); });
    follow_integers();
  }

  const std::vector<Foreseen>& found() const { return found_; }

 private:
  // A name that the function assigns.
  struct Local {
    uint32_t assignments = 0;
    NodeId value = {};  // of one of them: `rows = x.slice(…)`, `index = (i, j)`, `tiles = rows * columns`
    bool is_tuple = false;
  };

  std::optional<size_t> parameter_named(std::string_view name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    return at == names_.end() ? std::nullopt : std::optional(static_cast<size_t>(at - names_.begin()));
  }

  // The parameter that an expression is, or a slice of it.
  std::optional<size_t> parameter(NodeId node) const {
    const auto name = tree_.get_if<syntax::Name>(node);
    if (!name) return std::nullopt;
    if (const auto at = parameter_named(name->id)) return at;
    if (!any_slices_) return std::nullopt;
    const Local* local = only_assignment(name->id);
    const auto call = local ? tree_.get_if<syntax::Call>(local->value) : std::nullopt;
    const NodeId of = call ? sliced(*call) : NodeId::none();
    return of ? parameter_named(tree_.as<syntax::Name>(of).id) : std::nullopt;
  }

  // What `x.slice(…)` is a slice of, if that is a name.
  NodeId sliced(const syntax::Call& call) const {
    const auto method = tree_.get_if<syntax::Attribute>(call.func);
    return method && method->attr == "slice" && tree_.is(method->value, NodeKind::Name) ? method->value : NodeId::none();
  }

  // A local that has its value from one statement.
  const Local* only_assignment(std::string_view name) const {
    const auto local = locals_.find(name);
    return local != locals_.end() && local->second.assignments == 1 && local->second.value ? &local->second : nullptr;
  }

  void is_array(size_t parameter, uint32_t rank = ir::unknown_rank) {
    Foreseen& found = found_[parameter];
    found.array = true;
    if (rank == found.rank || rank == 0 || rank > ir::most_axes) return;  // a shape of () is an element of any array
    found.ranks_differ |= found.rank != ir::unknown_rank;
    found.rank = found.ranks_differ ? ir::unknown_rank : rank;
  }

  void is_number(NodeId node) {
    if (const auto at = parameter(node)) found_[*at].number = true;
  }

  // `minimum` of both `minimum` and `ct.minimum`.
  std::string_view name_of(NodeId function) const {
    const auto name = tree_.get_if<syntax::Name>(function);
    const auto attribute = tree_.get_if<syntax::Attribute>(function);
    return name ? name->id : attribute ? attribute->attr : std::string_view();
  }

  // The names that an integer is calculated from are integers.
  void is_integer(NodeId integer) {
    std::vector<NodeId> parts{integer};
    while (!parts.empty()) {
      const NodeId node = parts.back();
      parts.pop_back();
      if (const auto name = tree_.get_if<syntax::Name>(node)) {
        if (known_integers_.insert(name->id).second) integers_.push_back(name->id);
      } else if (const auto operation = tree_.get_if<syntax::BinOp>(node)) {
        if (operation->op == syntax::Operator::Div || operation->op == syntax::Operator::Pow) continue;
        parts.insert(parts.end(), {operation->left, operation->right});
      } else if (const auto call = tree_.get_if<syntax::Call>(node)) {
        const std::string_view called = name_of(call->func);
        const bool is_choice = called == "where" && call->args.size() == 3;
        if (!is_choice && called != "minimum" && called != "maximum" && called != "min" && called != "max") continue;
        parts.insert(parts.end(), call->args.begin() + (is_choice ? 1 : 0), call->args.end());
      } else if (const auto tuple = tree_.get_if<syntax::Tuple>(node)) {
        parts.insert(parts.end(), tuple->elts.begin(), tuple->elts.end());
      }
    }
  }

  void follow_integers() {
    for (size_t i = 0; i < integers_.size(); ++i) {
      const std::string_view name = integers_[i];
      if (const auto at = parameter_named(name)) {
        found_[*at].integer = true;
        found_[*at].number = true;
      } else if (const Local* local = only_assignment(name)) {
        is_integer(local->value);
      }
    }
  }

  // How many axes an index or a shape has: the items of a tuple, or one.
  uint32_t axes_of(NodeId node) const {
    if (const auto name = tree_.get_if<syntax::Name>(node)) {
      const auto local = locals_.find(name->id);
      if (local == locals_.end() || !local->second.is_tuple) return 1;
      return local->second.assignments == 1 ? items_of(local->second.value) : ir::unknown_rank;
    }
    return tree_.is(node, NodeKind::Tuple) ? items_of(node) : 1;
  }

  uint32_t items_of(NodeId node) const {
    const auto tuple = tree_.get_if<syntax::Tuple>(node);
    if (!tuple) return ir::unknown_rank;
    const bool starred =
        std::any_of(tuple->elts.begin(), tuple->elts.end(), [this](NodeId item) { return tree_.is(item, NodeKind::Starred); });
    return starred ? ir::unknown_rank : static_cast<uint32_t>(tuple->elts.size());
  }

  void look_at_assignment(NodeId node) {
    if (const auto name = tree_.get_if<syntax::Name>(node)) {
      if (name->ctx == syntax::Context::Store) ++locals_[name->id].assignments;
      return;
    }
    const auto assignment = tree_.get_if<syntax::Assign>(node);
    if (!assignment) return;
    const auto target = tree_.get_if<syntax::Name>(assignment->targets[0]);
    if (!target) return;
    Local& local = locals_[target->id];
    local.value = assignment->value;
    local.is_tuple |= tree_.is(assignment->value, NodeKind::Tuple);
    if (const auto call = tree_.get_if<syntax::Call>(assignment->value)) {
      any_slices_ |= sliced(*call).valid();
    } else if (const auto operation = tree_.get_if<syntax::BinOp>(assignment->value)) {
      // `scale = scale * 2`, if this is the first assignment: the walk comes to it last.
      const auto changed = parameter_named(target->id);
      if (!changed) return;
      const auto is_target = [&](NodeId operand) {
        const auto name = tree_.get_if<syntax::Name>(operand);
        return name && name->id == target->id;
      };
      found_[*changed].number = is_target(operation->left) || is_target(operation->right);
    }
  }

  void look_at(NodeId node) {
    const NodeKind kind = tree_.kind(node);
    if (kind == NodeKind::Attribute) {
      const auto attribute = tree_.as<syntax::Attribute>(node);
      if (attribute.attr != "shape" && attribute.attr != "strides" && attribute.attr != "slice") return;
      if (const auto at = parameter(attribute.value)) is_array(*at);
    } else if (kind == NodeKind::Assign) {
      const auto assignment = tree_.as<syntax::Assign>(node);
      const auto attribute = tree_.get_if<syntax::Attribute>(assignment.value);
      if (!attribute || (attribute->attr != "shape" && attribute->attr != "strides")) return;
      if (const auto at = parameter(attribute->value)) is_array(*at, items_of(assignment.targets[0]));
    } else if (kind == NodeKind::BinOp) {
      const auto operation = tree_.as<syntax::BinOp>(node);
      is_number(operation.left);
      is_number(operation.right);
    } else if (kind == NodeKind::Compare) {
      const auto comparison = tree_.as<syntax::Compare>(node);
      if (comparison.ops[0] >= syntax::CmpOperator::Is) return;
      is_number(comparison.left);
      is_number(comparison.comparators[0]);
    } else if (kind == NodeKind::Call) {
      look_at_call(tree_.as<syntax::Call>(node));
    }
  }

  void look_at_call(const syntax::Call& call) {
    look_at_integers(call);
    const auto of_parameter = [this](NodeId argument) { return parameter(argument).has_value(); };
    const bool positional = std::any_of(call.args.begin(), call.args.end(), of_parameter);
    const bool named = std::any_of(call.keywords.begin(), call.keywords.end(),
                                   [&](NodeId word) { return of_parameter(tree_.as<syntax::Keyword>(word).value); });
    if (!positional && !named) return;
    const Val callee = evaluate(reader_, module_, call.func);
    if (callee.is(ValKind::Builtin)) look_at_builtin(call, *callee.builtin);
    if (callee.is(ValKind::Function)) look_at_helper(call, *callee.module, callee.node);
  }

  // `range(n)`, `ct.cdiv(n, 4)`, `ct.load(x, (i, j), …)`: by the name alone, since the reading has to confirm it.
  void look_at_integers(const syntax::Call& call) {
    const std::string_view called = name_of(call.func);
    if (called == "range" || called == "cdiv") {
      for (const NodeId argument : call.args) is_integer(argument);
    } else if (called == "load" || called == "store" || called == "gather" || called == "scatter") {
      if (call.args.size() > 1) is_integer(call.args[1]);
      for (const NodeId word : call.keywords) {
        const auto keyword = tree_.as<syntax::Keyword>(word);
        if (keyword.arg == "index" || keyword.arg == "indices") is_integer(keyword.value);
      }
    }
  }

  // `ct.load(x, (i, j), shape=(A, B))`
  void look_at_builtin(const syntax::Call& call, const Builtin& builtin) {
    if (builtin.handler == &read_range_value || builtin.handler == &read_binary_function) {
      for (const NodeId argument : call.args) is_number(argument);
      return;
    }
    if (!builtin.signature.starts_with("array, ") || call.args.empty()) return;
    const auto array = parameter(call.args[0]);
    if (!array) return;
    is_array(*array);
    const bool by_axis = builtin.handler == &read_num_tiles;  // (array, axis, shape)
    const bool has_shape = by_axis || builtin.handler == &read_load;
    if (call.args.size() > 1 && !by_axis) is_array(*array, axes_of(call.args[1]));
    if (call.args.size() > 2 && has_shape) is_array(*array, axes_of(call.args[2]));
    for (const NodeId word : call.keywords) {
      const auto keyword = tree_.as<syntax::Keyword>(word);
      if (keyword.arg == "index" || keyword.arg == "indices" || keyword.arg == "shape") is_array(*array, axes_of(keyword.value));
    }
  }

  void look_at_helper(const syntax::Call& call, Module& module, NodeId function) {
    const std::vector<Foreseen>& inside = foreseen(reader_, module, function);
    const std::vector<std::string_view> names = parameter_names(*module.tree, function);
    const auto pass = [&](NodeId argument, size_t to) {
      if (to >= inside.size()) return;
      if (inside[to].integer) is_integer(argument);
      const auto from = parameter(argument);
      if (!from) return;
      if (inside[to].array) is_array(*from, inside[to].rank);
      found_[*from].number |= inside[to].number;
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
  std::vector<std::string_view> names_;  // of the parameters; empty if it is assigned again
  std::unordered_map<std::string_view, Local> locals_;
  bool any_slices_ = false;
  std::vector<std::string_view> integers_;  // names that are read as such
  std::unordered_set<std::string_view> known_integers_;
  std::vector<Foreseen> found_;
};

}  // namespace

std::vector<Foreseen> foresee(Reader& reader, Module& module, NodeId function) { return Look(reader, module, function).found(); }

}  // namespace tilewright::front::cutile
