// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/host/constants.h"

#include <vector>

namespace tilewright::back::host {

using namespace syntax;

std::optional<ConstantText> constant_text(const Tree& module, std::string_view name) {
  NodeId value;
  bool imports_math = false;
  for (const NodeId statement : module.block(module.root(), Block::Body)) {
    NodeId target;
    NodeId bound;
    if (const auto assign = module.get_if<Assign>(statement); assign && assign->targets.size() == 1) {
      target = assign->targets[0];
      bound = assign->value;
    } else if (const auto annotated = module.get_if<AnnAssign>(statement)) {
      target = annotated->target;
      bound = annotated->value;
    } else if (const auto import = module.get_if<Import>(statement)) {
      for (const NodeId alias : import->names) imports_math = imports_math || module.text(alias) == "math";
    }
    if (!module.is(target, NodeKind::Name) || module.as<Name>(target).id != name) continue;
    if (value) return std::nullopt;
    value = bound;
  }
  if (!value) return std::nullopt;

  ConstantText out{.text = std::string(module.text(value)), .uses_math = false};
  std::vector<NodeId> stack = {value};
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    if (const auto read = module.get_if<Name>(node)) {
      if (read->id != "math" || !imports_math) return std::nullopt;
      out.uses_math = true;
    } else if (!module.is(node, NodeKind::Constant) && !module.is(node, NodeKind::UnaryOp) && !module.is(node, NodeKind::BinOp) &&
               !module.is(node, NodeKind::Call) && !module.is(node, NodeKind::Attribute)) {
      return std::nullopt;
    }
    for (const NodeId child : module.children(node)) stack.push_back(child);
  }
  if (out.text.find('\n') != std::string::npos || out.text.find('#') != std::string::npos) return std::nullopt;
  return out;
}

}  // namespace tilewright::back::host
