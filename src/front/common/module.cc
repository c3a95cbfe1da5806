// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/common/module.h"

#include <algorithm>

#include "front/common/dialect.h"
#include "front/common/live.h"
#include "front/common/reader.h"

namespace tilewright::front {

using syntax::NodeList;
using syntax::Tree;

namespace {

void bind(Module& module, std::string_view name, Global global) {
  const auto [at, fresh] = module.globals.try_emplace(name, global);
  if (fresh) {
    module.order.push_back(name);
    return;
  }
  // `try: import cuda.tile as ct` / `except ImportError: ct = None` keeps the import; a function that is defined twice under
  // two conditions, or a constant that is assigned twice, is not ours to choose.
  const bool was_import = at->second.kind == Global::Kind::Import || at->second.kind == Global::Kind::ImportFrom;
  const bool is_none = global.kind == Global::Kind::Assign && module.tree->is_constant(global.value, syntax::ConstantKind::None);
  if (was_import && is_none) return;
  const bool is_import = global.kind == Global::Kind::Import || global.kind == Global::Kind::ImportFrom;
  if (is_import && was_import && at->second.dotted == global.dotted && at->second.attribute == global.attribute) return;
  Global ambiguous{.kind = Global::Kind::Ambiguous, .node = global.node};
  const bool were_imports = !at->second.imports.empty();
  if (is_import && (was_import || were_imports)) {
    ambiguous.imports = were_imports ? std::move(at->second.imports) : std::vector<Global>{std::move(at->second)};
    ambiguous.imports.push_back(std::move(global));
  }
  at->second = std::move(ambiguous);
}

void bind_target(Module& module, NodeId statement, NodeId target, NodeId value) {
  const Tree& tree = *module.tree;
  if (const auto name = tree.get_if<syntax::Name>(target)) {
    bind(module, name->id,
         {.kind = Global::Kind::Assign, .node = statement, .value = value, .dotted = {}, .attribute = {}, .val = {}});
    return;
  }
  const auto each = [&](NodeList elements) {
    const bool parallel =
        value && (tree.is(value, NodeKind::Tuple) && tree.as<syntax::Tuple>(value).elts.size() == elements.size());
    for (size_t i = 0; i < elements.size(); ++i) {
      bind_target(module, statement, elements[i], parallel ? tree.as<syntax::Tuple>(value).elts[i] : NodeId::none());
    }
  };
  if (const auto tuple = tree.get_if<syntax::Tuple>(target)) each(tuple->elts);
  if (const auto list = tree.get_if<syntax::List>(target)) each(list->elts);
  if (const auto star = tree.get_if<syntax::Starred>(target)) bind_target(module, statement, star->value, NodeId::none());
}

void scan(Module& module, NodeList body, uint32_t depth);

void scan_statement(Module& module, NodeId node, uint32_t depth) {
  const Tree& tree = *module.tree;
  if (const auto def = tree.get_if<syntax::FunctionDef>(node)) {
    bind(module, def->name,
         {.kind = Global::Kind::Function, .node = node, .value = {}, .dotted = {}, .attribute = {}, .val = {}});
  } else if (const auto cls = tree.get_if<syntax::ClassDef>(node)) {
    bind(module, cls->name, {.kind = Global::Kind::Class, .node = node, .value = {}, .dotted = {}, .attribute = {}, .val = {}});
  } else if (const auto assign = tree.get_if<syntax::Assign>(node)) {
    for (const NodeId target : assign->targets) bind_target(module, node, target, assign->value);
  } else if (const auto annotated = tree.get_if<syntax::AnnAssign>(node)) {
    if (annotated->value) bind_target(module, node, annotated->target, annotated->value);
  } else if (const auto augmented = tree.get_if<syntax::AugAssign>(node)) {
    bind_target(module, node, augmented->target, NodeId::none());
  } else if (const auto import = tree.get_if<syntax::Import>(node)) {
    for (const NodeId item : import->names) {
      const auto alias = tree.as<syntax::Alias>(item);
      Global global{
          .kind = Global::Kind::Import, .node = node, .value = {}, .dotted = std::string(alias.name), .attribute = {}, .val = {}};
      std::string_view name = alias.asname;
      if (name.empty()) {
        name = alias.name.substr(0, alias.name.find('.'));
        global.dotted = std::string(name);
      }
      bind(module, name, std::move(global));
    }
  } else if (const auto from = tree.get_if<syntax::ImportFrom>(node)) {
    for (const NodeId item : from->names) {
      const auto alias = tree.as<syntax::Alias>(item);
      bind(module, alias.asname.empty() ? alias.name : alias.asname,
           {.kind = Global::Kind::ImportFrom,
            .node = node,
            .value = {},
            .dotted = std::string(from->module),
            .attribute = std::string(alias.name),
            .level = static_cast<uint32_t>(from->level),
            .val = {}});
    }
  } else if (const auto branch = tree.get_if<syntax::If>(node)) {
    scan(module, branch->body, depth + 1);
    scan(module, branch->orelse, depth + 1);
  } else if (const auto attempt = tree.get_if<syntax::Try>(node)) {
    scan(module, attempt->body, depth + 1);
    for (const NodeId handler : attempt->handlers) scan(module, tree.as<syntax::ExceptHandler>(handler).body, depth + 1);
    scan(module, attempt->orelse, depth + 1);
    scan(module, attempt->finalbody, depth + 1);
  } else if (const auto with = tree.get_if<syntax::With>(node)) {
    scan(module, with->body, depth + 1);
  } else if (const auto loop = tree.get_if<syntax::For>(node)) {
    bind_target(module, node, loop->target, NodeId::none());
    scan(module, loop->body, depth + 1);
    scan(module, loop->orelse, depth + 1);
  } else if (const auto loop_while = tree.get_if<syntax::While>(node)) {
    scan(module, loop_while->body, depth + 1);
  }
}

void scan(Module& module, NodeList body, uint32_t depth) {
  if (depth > evaluation_limit) return;
  for (const NodeId node : body) {
    // `elif` ladders are chains of one If in another's orelse; walk them here instead of recursing.
    NodeId at = node;
    while (module.tree->is(at, NodeKind::If)) {
      const auto branch = module.tree->as<syntax::If>(at);
      if (branch.orelse.size() != 1 || !module.tree->is(branch.orelse[0], NodeKind::If)) break;
      scan(module, branch.body, depth + 1);
      at = branch.orelse[0];
    }
    scan_statement(module, at, depth);
  }
}

}  // namespace

Module& Modules::of(const Tree& tree) {
  for (Module& module : modules_) {
    if (module.tree == &tree) return module;
  }
  Module& module = modules_.emplace_back();
  module.tree = &tree;
  module.is_main = modules_.size() == 1;
  if (tree.is(tree.root(), NodeKind::Module)) scan(module, tree.as<syntax::Module>(tree.root()).body, 0);
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    if (const auto statement = tree.get_if<syntax::Global>(NodeId{i})) {
      for (const syntax::Identifier name : statement->names) module.reassigned.insert(name.text);
    }
  }
  return module;
}

std::optional<Val> file_attribute(Reader& reader, Module& module, std::string_view name) {
  if (auto val = global_value(reader, module, name)) return val;
  // A package's submodule is an attribute of it once somebody has imported it.
  if (const Tree* tree =
          reader.resolver ? reader.resolver({.from = module.tree->file(), .level = 1, .module = std::string(name)}) : nullptr) {
    return Val{.kind = ValKind::File, .module = &reader.modules.of(*tree)};
  }
  return std::nullopt;
}

namespace {

Val imported_module(Reader& reader, Module& from, uint32_t level, const std::string& dotted) {
  if (level == 0 && reader.dialect.is_known_package(dotted)) return namespace_val(dotted);
  if (reader.resolver) {
    if (const Tree* tree = reader.resolver({.from = from.tree->file(), .level = level, .module = dotted})) {
      return {.kind = ValKind::File, .module = &reader.modules.of(*tree)};
    }
  }
  return namespace_val(std::string(level, '.') + dotted);
}

Val unread_global(Reader& reader, Module& module, std::string_view name, const Global& global);

bool means_the_same(const Val& a, const Val& b) {
  if (!a.is(ValKind::Builtin) || !b.is(ValKind::Builtin)) return same(a, b);
  return a.builtin->set == b.builtin->set && a.builtin->signature == b.builtin->signature &&
         a.builtin->handler == b.builtin->handler && a.builtin->op == b.builtin->op && a.builtin->variant == b.builtin->variant;
}

// `try: from new.place import f` / `except ImportError: from old.place import f`: known if it is the same wherever it is found.
Val imported_from_one_of(Reader& reader, Module& module, std::string_view name, const std::vector<Global>& imports) {
  std::optional<Val> found;
  for (const Global& import : imports) {
    const Val val = unread_global(reader, module, name, import);
    if (val.is(ValKind::Foreign) || (found && !means_the_same(*found, val)))
      return foreign_val(std::string(bound_more_than_once));
    found = val;
  }
  return found ? *found : foreign_val(std::string(bound_more_than_once));
}

Val unread_global(Reader& reader, Module& module, std::string_view name, const Global& global) {
  const Tree& tree = *module.tree;
  switch (global.kind) {
    case Global::Kind::Import: return imported_module(reader, module, 0, global.dotted);
    case Global::Kind::ImportFrom: {
      const Val from = imported_module(reader, module, global.level, global.dotted);
      if (from.is(ValKind::File)) {
        if (auto val = file_attribute(reader, *from.module, global.attribute)) return *val;
        return foreign_val("imported from `" + global.dotted + "`, which does not define it");
      }
      // `from . import utils` and `from package import module`
      if (reader.resolver && !reader.dialect.is_known_package(from.text)) {
        const std::string submodule = global.dotted.empty() ? global.attribute : global.dotted + "." + global.attribute;
        if (const Tree* found = reader.resolver({.from = tree.file(), .level = global.level, .module = submodule})) {
          return {.kind = ValKind::File, .module = &reader.modules.of(*found)};
        }
      }
      if (!reader.dialect.is_known_package(from.text)) return foreign_val("imported from `" + from.text + "`");
      if (auto val = reader.dialect.namespace_attribute(reader, from.text, global.attribute)) return *val;
      return foreign_val("imported from `" + from.text + "`, which has no such name");
    }
    case Global::Kind::Function: return reader.dialect.function(reader, module, name, global.node);
    case Global::Kind::Class: return foreign_val("the class `" + std::string(name) + "`");
    case Global::Kind::Ambiguous: return imported_from_one_of(reader, module, name, global.imports);
    case Global::Kind::Assign: {
      if (!global.value || module.reassigned.contains(name)) return foreign_val("a variable of the host");
      Val val = evaluate(reader, module, global.value);
      if (is_calculated(val)) val = unknown_number(module, global.value);
      return val;
    }
  }
  return foreign_val("unknown");
}

}  // namespace

std::optional<Val> global_value(Reader& reader, Module& module, std::string_view name) {
  const auto found = module.globals.find(name);
  if (found == module.globals.end()) return unwritten_value(reader, module, name);
  Global& global = found->second;
  if (global.state == Global::State::Reading) return foreign_val("defined by itself");
  if (global.state == Global::State::Unread) {
    global.state = Global::State::Reading;
    Val val = unread_global(reader, module, name, global);
    global.val = std::move(val);
    global.state = Global::State::Read;
  }
  return global.val;
}

std::vector<NodeId> parameters_of(const syntax::Tree& tree, NodeId function) {
  const auto arguments = tree.as<syntax::Arguments>(tree.as<syntax::FunctionDef>(function).args);
  std::vector<NodeId> nodes(arguments.posonlyargs.begin(), arguments.posonlyargs.end());
  nodes.insert(nodes.end(), arguments.args.begin(), arguments.args.end());
  nodes.insert(nodes.end(), arguments.kwonlyargs.begin(), arguments.kwonlyargs.end());
  return nodes;
}

void each_function(const Tree& tree, const std::function<void(NodeId node, Inside inside)>& visit) {
  std::vector<std::pair<NodeId, Inside>> found;
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    const NodeId node{i};
    if (!tree.is(node, NodeKind::FunctionDef)) continue;
    Inside inside = Inside::Module;
    bool reached = false;
    for (NodeId at = tree.parent(node); at; at = tree.parent(at)) {
      if (at == tree.root()) reached = true;
      if (tree.is(at, NodeKind::FunctionDef) || tree.is(at, NodeKind::AsyncFunctionDef) || tree.is(at, NodeKind::Lambda))
        inside = Inside::Function;
      else if (tree.is(at, NodeKind::ClassDef) && inside == Inside::Module)
        inside = Inside::Class;
    }
    if (reached) found.push_back({node, inside});
  }
  std::sort(found.begin(), found.end(),
            [&](const auto& a, const auto& b) { return tree.span(a.first).begin < tree.span(b.first).begin; });
  for (const auto& [node, inside] : found) visit(node, inside);
}

}  // namespace tilewright::front
