// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// cuTile's functions: kernels and helpers by their decorators, and what is not one that device code can call.

#include "front/common/control.h"
#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"
#include "syntax/unicode.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using syntax::Tree;

bool is_kernel(Reader& reader, Module& module, NodeId function) {
  const Tree& tree = *module.tree;
  for (NodeId decorator : tree.as<syntax::FunctionDef>(function).decorator_list) {
    if (const auto call = tree.get_if<syntax::Call>(decorator)) {
      // `@register("softmax")`: ct.kernel takes keywords, so that the module of `register` need not be looked into.
      if (!call->args.empty() && tree.is(call->args[0], NodeKind::Constant)) continue;
      decorator = call->func;
    }
    const Val val = evaluate(reader, module, decorator);
    if (val.is(ValKind::Foreign) && val.text == "cuda.tile.kernel") return true;
  }
  return false;
}

Val function_of(Reader& reader, Module& module, std::string_view name, NodeId def_node) {
  const Tree& tree = *module.tree;
  if (is_kernel(reader, module, def_node)) return {.kind = ValKind::Kernel, .text = std::string(name)};
  const auto def = tree.as<syntax::FunctionDef>(def_node);
  for (const NodeId decorator : def.decorator_list) {
    NodeId at = decorator;
    if (const auto call = tree.get_if<syntax::Call>(at)) at = call->func;
    const Val val = evaluate(reader, module, at);
    if (!val.is(ValKind::Foreign) || val.text != "cuda.tile.function") {
      return {.kind = ValKind::Foreign, .node = def_node, .text = "decorated"};
    }
  }
  return {.kind = ValKind::Function, .module = &module, .node = def_node, .text = std::string(name)};
}

// The hints of `@ct.kernel(occupancy=4)`.
std::vector<ir::Hint> hints(Reader& reader, Module& module, NodeId function) {
  const syntax::Tree& tree = *module.tree;
  std::vector<ir::Hint> found;
  for (const NodeId decorator : tree.as<syntax::FunctionDef>(function).decorator_list) {
    const auto call = tree.get_if<syntax::Call>(decorator);
    if (!call) continue;
    const Val callee = evaluate(reader, module, call->func);
    if (!callee.is(ValKind::Foreign) || callee.text != "cuda.tile.kernel") continue;
    for (const NodeId word : call->keywords) {
      const auto keyword = tree.as<syntax::Keyword>(word);
      found.push_back({std::string(keyword.arg), std::string(tree.text(keyword.value))});
    }
  }
  return found;
}

bool refuse_unconverted(Reader& reader, NodeId node, std::string_view name, const Val& val) {
  const auto reason = unconverted_reason(val.text);
  if (reason) error_with(reader, node, std::string(*reason), messages::not_converted, name);
  return reason.has_value();
}

Val call_foreign(Reader& reader, NodeId node, const Val& callee) {
  if (const auto reason = unconverted_reason(callee.text)) {
    const bool cutile = callee.text.starts_with("cuda.tile.");
    const std::string last = callee.text.substr(callee.text.rfind('.') + 1);
    const std::string name = cutile ? "ct." + last : callee.text.starts_with("builtins.") ? last : callee.text;
    return error_with(reader, node, std::string(*reason), messages::not_converted, name);
  }
  const NodeId called = reader.tree().as<syntax::Call>(node).func;
  const bool quoted = callee.text.find('`') != std::string::npos;
  const std::string name = quoted ? callee.text : "`" + std::string(reader.tree().text(called)) + "`";
  if (callee.text.starts_with("math.")) {
    return error_with(reader, node, "calculate it on the host or at module level, or use the `ct.` function",
                      messages::host_in_device, name);
  }
  return error(reader, node, messages::host_in_device, name);
}

namespace {

bool is_printable(std::string_view text) {
  for (size_t at = 0; at < text.size();)
    if (!syntax::is_printable(syntax::next_code_point(text, at))) return false;
  return true;
}

// What the launches that break a condition come to. The author's words are kept if they are a plain string of one line.
void emit_static_assert(Reader& reader, NodeId node, const syntax::Call& call, ir::ValueId condition) {
  const syntax::Tree& tree = reader.tree();
  const std::string_view words =
      call.args.size() == 2 && tree.is_constant(call.args[1], syntax::ConstantKind::Str) ? tree.string_value(call.args[1]) : "";
  ir::Attrs broken;
  broken.asserted = true;
  broken.implicit = words.empty() || !is_printable(words);
  broken.rare.edit().text = broken.implicit ? "`" + std::string(tree.text(call.args[0])) + "` is false" : std::string(words);
  const Region kept = read_region(reader, [] { return Val{}; });
  const Region otherwise = read_region(reader, [&] {
    emit_op(reader, node, OpKind::Unsupported, {}, {}, std::move(broken));
    return Val{};
  });
  ir::Attrs attrs;
  attrs.asserted = true;
  emit_op(reader, node, OpKind::If, {condition}, {}, std::move(attrs), {kept.block, otherwise.block});
}

// The condition is a constant: true, false, or something that every launch must keep to.
Val read_static_assert(Reader& reader, NodeId node, const syntax::Call& call) {
  if (call.args.empty() || call.args.size() > 2 || !call.keywords.empty())
    return error(reader, node, messages::missing_argument, "static_assert", "condition");
  const Val condition = materialise(reader, call.args[0], read_expression(reader, call.args[0]));
  if (condition.poison()) return {};
  const bool constant = condition.is(ValKind::Ir) && is_const(reader, condition.value);
  if (!constant)
    return error(reader, call.args[0], messages::not_constant, "the condition of `static_assert`", "a constant bool");
  const ir::Type& type = type_of(reader, condition.value);
  if (type.loose != ir::LooseKind::Bool)
    return error(reader, call.args[0], messages::wrong_kind, "the condition of `static_assert`", "a constant bool",
                 describe(reader, condition));
  const auto known = truth(reader, type.value);
  if (known && !*known) return error(reader, node, messages::failed_assertion, reader.tree().text(call.args[0]));
  if (known) return none_val();
  assume_of_launch(reader, type.value);
  emit_static_assert(reader, node, call, condition.value);
  return none_val();
}

}  // namespace

std::optional<Val> own_call(Reader& reader, NodeId node, const Val& callee) {
  if (!callee.is(ValKind::Foreign) || callee.text != "cuda.tile.static_assert") return std::nullopt;
  return read_static_assert(reader, node, reader.tree().as<syntax::Call>(node));
}

}  // namespace tilewright::front::cutile
