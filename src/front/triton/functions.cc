// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Triton's functions: `@triton.jit` makes kernels and helpers alike, so that it is their use that tells them apart.

#include <algorithm>

#include "front/triton/builtins.h"
#include "front/triton/dialect.h"

namespace tilewright::front::triton {

using syntax::Tree;

namespace {

constexpr std::string_view library = "triton.language.";

// What the decorators of a def are, as far as they are Triton's: "triton.jit", "triton.autotune".
std::vector<std::pair<std::string, NodeId>> decorators(Reader& reader, Module& module, NodeId def) {
  const Tree& tree = *module.tree;
  std::vector<std::pair<std::string, NodeId>> found;
  for (const NodeId decorator : tree.as<syntax::FunctionDef>(def).decorator_list) {
    const auto call = tree.get_if<syntax::Call>(decorator);
    const Val val = evaluate(reader, module, call ? call->func : decorator);
    if (val.is(ValKind::Foreign)) found.push_back({val.text, decorator});
  }
  return found;
}

bool is_jitted(Reader& reader, Module& module, NodeId def) {
  const auto all = decorators(reader, module, def);
  return std::any_of(all.begin(), all.end(), [](const auto& one) { return one.first == "triton.jit"; });
}

bool is_constexpr_function(Reader& reader, Module& module, NodeId def) {
  const auto all = decorators(reader, module, def);
  return std::any_of(all.begin(), all.end(), [](const auto& one) { return one.first == "triton.constexpr_function"; });
}

bool is_inside(const Tree& tree, NodeId node, NodeId def) {
  const source::Span outer = tree.span(def);
  const source::Span inner = tree.span(node);
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

// Whether device code of this file reads the name of the def, and whether something launches it: `kernel[grid](…)`.
struct Mentions {
  bool by_device = false;
  bool launched = false;
};

Mentions mentions(Reader& reader, Module& module, NodeId def) {
  const Tree& tree = *module.tree;
  const std::string_view name = tree.as<syntax::FunctionDef>(def).name;
  Mentions out;
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    const NodeId node{i};
    if (const auto other = tree.get_if<syntax::FunctionDef>(node); other && node != def && is_jitted(reader, module, node)) {
      for (uint32_t k = 0; k < tree.node_count() && !out.by_device; ++k) {
        const auto read = tree.get_if<syntax::Name>(NodeId{k});
        out.by_device = read && read->id == name && is_inside(tree, NodeId{k}, node);
      }
    }
    const auto subscript = tree.get_if<syntax::Subscript>(node);
    if (!subscript || !tree.is(subscript->value, NodeKind::Name)) continue;
    if (tree.as<syntax::Name>(subscript->value).id != name) continue;
    const NodeId parent = tree.parent(node);
    const auto call = parent ? tree.get_if<syntax::Call>(parent) : std::nullopt;
    out.launched |= call && call->func == node;
  }
  return out;
}

// Whether a value is returned: no kernel does.
bool returns_value(const Tree& tree, NodeId def) {
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    const auto statement = tree.get_if<syntax::Return>(NodeId{i});
    if (statement && statement->value && is_inside(tree, NodeId{i}, def) &&
        !tree.is_constant(statement->value, syntax::ConstantKind::None))
      return true;
  }
  return false;
}

}  // namespace

bool is_kernel(Reader& reader, Module& module, NodeId def) {
  if (!is_jitted(reader, module, def) || returns_value(*module.tree, def)) return false;
  const auto all = decorators(reader, module, def);
  const bool tuned = std::any_of(
      all.begin(), all.end(), [](const auto& one) { return one.first == "triton.autotune" || one.first == "triton.heuristics"; });
  if (tuned) return true;
  const Mentions found = mentions(reader, module, def);
  return found.launched || !found.by_device;
}

Val function_of(Reader& reader, Module& module, std::string_view name, NodeId def) {
  if (is_jitted(reader, module, def) || is_constexpr_function(reader, module, def))
    return {.kind = ValKind::Function, .module = &module, .node = def, .text = std::string(name)};
  return foreign_val("the function `" + std::string(name) + "`");
}

std::vector<ir::Hint> hints(Reader& reader, Module& module, NodeId def) {
  const Tree& tree = *module.tree;
  std::vector<ir::Hint> found;
  for (const auto& [what, decorator] : decorators(reader, module, def)) {
    const auto call = tree.get_if<syntax::Call>(decorator);
    if (!call || !what.starts_with("triton.")) continue;
    const std::string kind = what.substr(7);
    static constexpr std::string_view positions[] = {"configs", "key"};
    for (size_t i = 0; i < call->args.size(); ++i) {
      const std::string word = kind == "autotune" && i < 2 ? std::string(positions[i]) : kind;
      found.push_back({word, std::string(tree.text(call->args[i]))});
    }
    for (const NodeId word : call->keywords) {
      const auto keyword = tree.as<syntax::Keyword>(word);
      const std::string hint = kind == "heuristics" ? kind : std::string(keyword.arg);
      if (!hint.empty()) found.push_back({hint, std::string(tree.text(keyword.value))});
    }
  }
  return found;
}

std::optional<Val> module_call(Reader&, const Val& callee, const std::vector<Val>& arguments) {
  // X: tl.constexpr = tl.constexpr(3)
  if (callee.is(ValKind::Annotation) && arguments.size() == 1) return arguments[0];
  return std::nullopt;
}

bool refuse_unconverted(Reader& reader, NodeId node, std::string_view name, const Val& val) {
  const auto reason =
      val.text.starts_with(library) ? unread_reason(std::string_view(val.text).substr(library.size())) : std::nullopt;
  if (reason) error(reader, node, messages::not_read, name, *reason);
  return reason.has_value();
}

Val call_foreign(Reader& reader, NodeId node, const Val& callee) {
  const size_t dot = callee.text.rfind('.');
  if (callee.text.starts_with("triton.") && dot != std::string::npos) {
    const std::string_view name = std::string_view(callee.text).substr(dot + 1);
    if (const auto reason = unread_reason(name))
      return error(reader, node, messages::not_read, "tl." + std::string(name), *reason);
  }
  const bool quoted = callee.text.find('`') != std::string::npos;
  return error(reader, node, messages::host_in_device, quoted ? callee.text : "`" + std::string(reader.tree().text(node)) + "`");
}

namespace {

// A condition that every launch must keep to.
Val read_static_assert(Reader& reader, NodeId node, const syntax::Call& call) {
  if (call.args.empty()) return error(reader, node, messages::missing_argument, "static_assert", "cond");
  const Val val = materialise(reader, call.args[0], read_expression(reader, call.args[0]));
  if (val.poison()) return {};
  const sym::ExprId condition = constant_condition(reader, val);
  if (!condition)
    return error(reader, call.args[0], messages::not_constant, "the condition of `static_assert`", "a constant bool");
  const auto known = truth(reader, condition);
  if (known && !*known) return error(reader, node, messages::failed_assertion, reader.tree().text(call.args[0]));
  if (!known) assume_of_launch(reader, condition);
  return none_val();
}

// getattr, isinstance, type, hasattr of Python.
Val read_isinstance(Reader& reader, NodeId node, const syntax::Call& call) {
  if (call.args.size() != 2) return error(reader, node, messages::missing_argument, "isinstance", "a type");
  const Val val = materialise(reader, call.args[0], read_expression(reader, call.args[0]));
  const Val type = read_expression(reader, call.args[1]);
  if (val.poison() || type.poison()) return {};
  const std::string_view wanted = type.text;
  std::optional<bool> answer;
  if (wanted == "triton.language.tensor" && val.is(ValKind::Ir)) {
    const ir::TypeKind kind = type_of(reader, val.value).kind;
    answer = kind == ir::TypeKind::Tile;
  }
  if (wanted == "triton.language.constexpr" && val.is(ValKind::Ir)) answer = is_const(reader, val.value);
  if (!answer) return error(reader, node, messages::not_read, "isinstance", "what is asked for is not known here");
  return ir_val(literal(reader, node, sym::Value{*answer}));
}

}  // namespace

std::optional<Val> own_call(Reader& reader, NodeId node, const Val& callee) {
  const auto call = reader.tree().as<syntax::Call>(node);
  if (callee.is(ValKind::Annotation)) {
    if (call.args.size() != 1 || !call.keywords.empty())
      return error(reader, node, messages::missing_argument, "tl.constexpr", "value");
    return read_expression(reader, call.args[0]);
  }
  if (!callee.is(ValKind::Foreign)) return std::nullopt;
  if (callee.text == "triton.language.static_assert") return read_static_assert(reader, node, call);
  if (callee.text == "the Python builtin `isinstance`") return read_isinstance(reader, node, call);
  return std::nullopt;
}

}  // namespace tilewright::front::triton
