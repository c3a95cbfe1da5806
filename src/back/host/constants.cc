// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/host/constants.h"

#include <vector>

#include "source/file.h"

namespace tilewright::back::host {

using namespace syntax;

// The expression that a module assigns to a name, once and for all.
static NodeId value_of(const Tree& module, std::string_view name) {
  NodeId value;
  for (const NodeId statement : module.block(module.root(), Block::Body)) {
    NodeId target;
    NodeId bound;
    if (const auto assign = module.get_if<Assign>(statement); assign && assign->targets.size() == 1) {
      target = assign->targets[0];
      bound = assign->value;
    } else if (const auto annotated = module.get_if<AnnAssign>(statement)) {
      target = annotated->target;
      bound = annotated->value;
    }
    if (!module.is(target, NodeKind::Name) || module.as<Name>(target).id != name) continue;
    if (value) return {};
    value = bound;
  }
  return value;
}

static bool imports_math(const Tree& module) {
  for (const NodeId statement : module.block(module.root(), Block::Body)) {
    const auto import = module.get_if<Import>(statement);
    if (!import) continue;
    for (const NodeId alias : import->names)
      if (module.text(alias) == "math") return true;
  }
  return false;
}

static bool is_plain(const Tree& module, NodeId node) {
  return module.is(node, NodeKind::Constant) || module.is(node, NodeKind::UnaryOp) || module.is(node, NodeKind::BinOp) ||
         module.is(node, NodeKind::Call) || module.is(node, NodeKind::Attribute);
}

static std::optional<ConstantText> text_of(const Tree& module, std::string_view name, int depth) {
  constexpr int deepest = 8;
  const NodeId value = value_of(module, name);
  if (!value || depth > deepest) return std::nullopt;
  ConstantText out;
  const source::Span whole = module.span(value);
  std::vector<source::Edit> edits;
  std::vector<NodeId> stack = {value};
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    if (const auto read = module.get_if<Name>(node)) {
      if (read->id == "math" && imports_math(module)) {
        out.uses_math = true;
        continue;
      }
      const auto other = text_of(module, read->id, depth + 1);  // a constant made of constants
      if (!other) return std::nullopt;
      out.uses_math = out.uses_math || other->uses_math;
      source::Span span = module.span(node);
      span.begin -= whole.begin;
      span.end -= whole.begin;
      edits.push_back(
          {.span = span,
           .text = module.is(value_of(module, read->id), NodeKind::Constant) ? other->text : "(" + other->text + ")"});
    } else if (!is_plain(module, node)) {
      return std::nullopt;
    }
    for (const NodeId child : module.children(node)) stack.push_back(child);
  }
  out.text = source::apply(module.text(whole), std::move(edits));
  if (out.text.find_first_of("\r\n#") != std::string::npos) return std::nullopt;
  return out;
}

std::optional<ConstantText> constant_text(const Tree& module, std::string_view name) { return text_of(module, name, 0); }

}  // namespace tilewright::back::host
