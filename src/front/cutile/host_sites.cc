// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Each mention of cuTile on the host, one by one: what it is, by its name and by where it stands.

#include <algorithm>

#include "front/cutile/host_messages.h"
#include "front/cutile/host_reader.h"
#include "ir/needed_names.h"

namespace tilewright::front::cutile {

using namespace syntax;

static bool is_callee(const Tree& tree, NodeId node) {
  const auto call = tree.get_if<Call>(tree.parent(node));
  return call && call->func == node;
}

static bool is_class_list(const Tree& tree, NodeId node) {
  return tree.is(node, NodeKind::Tuple) || tree.is(node, NodeKind::Subscript) || tree.is(node, NodeKind::BinOp) ||
         tree.is(node, NodeKind::List);
}

static bool in_annotation(const Tree& tree, NodeId node) {
  for (NodeId child = node, at = tree.parent(node); at; child = at, at = tree.parent(at)) {
    if (const auto arg = tree.get_if<Arg>(at)) return arg->annotation == child;
    if (const auto def = tree.get_if<FunctionDef>(at)) return def->returns == child;
    if (const auto def = tree.get_if<AsyncFunctionDef>(at)) return def->returns == child;
    if (const auto assign = tree.get_if<AnnAssign>(at)) return assign->annotation == child;
    if (!is_class_list(tree, at)) return false;
  }
  return false;
}

// Whether an expression stands where a class is meant: in an annotation, as the class of isinstance, beside `is`.
static bool names_class(const HostReader& reader, NodeId node) {
  const Tree& tree = reader.tree;
  if (in_annotation(tree, node)) return true;
  for (NodeId child = node, at = tree.parent(node); at; child = at, at = tree.parent(at)) {
    if (const auto call = tree.get_if<Call>(at)) {
      const auto callee = tree.get_if<Name>(call->func);
      return callee && (callee->id == "isinstance" || callee->id == "issubclass") && !reader.scopes.binding(call->func) &&
             call->args.size() == 2 && call->args[1] == child;
    }
    if (tree.is(at, NodeKind::Compare)) return true;
    if (!is_class_list(tree, at)) return false;
  }
  return false;
}

static bool names_exception(const HostReader& reader, NodeId node) {
  NodeId at = reader.tree.parent(node);
  if (reader.tree.is(at, NodeKind::Tuple)) at = reader.tree.parent(at);
  return reader.tree.is(at, NodeKind::ExceptHandler) || names_class(reader, node);
}

static bool in_handler(const Tree& tree, NodeId node) {
  while (node && !tree.is(node, NodeKind::ExceptHandler)) node = tree.parent(node);
  return node.valid();
}

// `ct.kernel(k._pyfunc, …)`, `ct.kernel(f, …)`, `ct.kernel(…)(k._pyfunc)`: the outermost call, or none() for another shape.
static NodeId kernel_call(const HostReader& reader, NodeId chain) {
  const Tree& tree = reader.tree;
  if (!is_callee(tree, chain)) return {};
  NodeId call = tree.parent(chain);
  const auto plain = [&](NodeList args) {
    return std::none_of(args.begin(), args.end(), [&](NodeId arg) { return tree.is(arg, NodeKind::Starred); });
  };
  if (tree.as<Call>(call).args.empty()) {
    if (!is_callee(tree, call)) return {};
    call = tree.parent(call);
    if (!tree.as<Call>(call).keywords.empty()) return {};
  }
  const NodeList args = tree.as<Call>(call).args;
  if (args.size() != 1 || !plain(args)) return {};
  if (const auto attribute = tree.get_if<Attribute>(args[0])) return attribute->attr == "_pyfunc" ? call : NodeId::none();
  const bool of_file =
      tree.is(args[0], NodeKind::Name) && reader.function_number(reader.scopes.binding(args[0])) != HostReader::npos;
  return of_file ? call : NodeId::none();
}

// Whether a statement does nothing but name cuTile objects that device code alone reads: itself, or through other such
// statements (`Flags = tuple[ConstInt, ConstInt]`), which are collected too.
static bool is_object_statement(const HostReader& reader, NodeId statement, std::set<NodeId>& found, int depth = 0) {
  const Tree& tree = reader.tree;
  std::vector<NodeId> targets;
  if (const auto assign = tree.get_if<Assign>(statement))
    targets.assign(assign->targets.begin(), assign->targets.end());
  else if (const auto annotated = tree.get_if<AnnAssign>(statement))
    targets.push_back(annotated->target);
  else if (const auto alias = tree.get_if<TypeAlias>(statement))
    targets.push_back(alias->name);
  if (targets.empty() || depth > 8) return false;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (const auto tuple = tree.get_if<Tuple>(targets[i]))
      targets.insert(targets.end(), tuple->elts.begin(), tuple->elts.end());
    else if (!tree.is(targets[i], NodeKind::Name))
      return false;
  }
  for (const NodeId target : targets) {
    if (!tree.is(target, NodeKind::Name)) continue;
    const BindingId binding = reader.scopes.binding(target);
    if (!binding || reader.scopes[binding].definitions.size() != 1) return false;
    for (const NodeId read : reader.scopes[binding].reads) {
      if (!reader.on_device(read) && !is_object_statement(reader, tree.statement_of(read), found, depth + 1)) return false;
    }
  }
  found.insert(statement);
  return true;
}

// "launch" of "cuda.tile.launch".
static std::string_view host_word(std::string_view path) {
  constexpr std::string_view prefix = "cuda.tile.";
  return path.starts_with(prefix) ? path.substr(prefix.size()) : std::string_view();
}

static bool makes_or_launches(std::string_view word) {
  return word == "kernel" || word == "launch" || word == "compiler_timeout" || word.starts_with("tune");
}

// Refuses every kernel of a file where the word is not the thing of this path.
void HostReader::refuse_other_meaning(std::string_view word, std::string_view path) {
  const BindingId binding = scopes.in_module(word);
  if (!binding) return;
  for (const NodeId definition : scopes[binding].definitions) {
    const std::string from = tree.is(definition, NodeKind::Alias) ? import_path(definition) : std::string();
    if (from == path) continue;
    if (from == "cuda.tile." + std::string(word)) {
      sites.hiding.push_back(tree.span(definition));
      continue;
    }
    if (in_handler(tree, definition)) continue;  // `except ImportError: torch = None`
    const auto function = tree.get_if<FunctionDef>(definition);
    const source::Span span = function ? function->name_span : tree.span(definition);
    refuse(diag::report(diag::Severity::Error, span, host_message::taken_name, word), definition);
    sites.sites.back().flow = ir::every_flow;
  }
}

void HostReader::find_sites() {
  for (const NodeId node : nodes) {
    if (!tree.is(node, NodeKind::Alias)) continue;
    const std::string from = import_path(node);
    if (from.starts_with("cuda.tile.") && from.ends_with("*"))
      refuse(diag::report(diag::Severity::Error, tree.span(node), host_message::star_import), node);
  }
  for (const ir::NeededName& needed : ir::needed_names) refuse_other_meaning(needed.name, needed.path);
  for (const auto& [chain, whole] : chains) {
    if (on_device(chain) || makes_or_launches(host_word(whole))) continue;
    std::set<NodeId> objects;
    if (is_object_statement(*this, tree.statement_of(chain), objects)) cutile_objects.insert(objects.begin(), objects.end());
  }

  std::set<NodeId> made;
  for (const auto& [chain, whole] : chains) {
    if (on_device(chain)) continue;
    if (cutile_objects.contains(tree.statement_of(chain))) continue;
    const std::string_view word = host_word(whole);
    const NodeId parent = tree.parent(chain);

    if (word == "launch" && is_callee(tree, chain)) {
      read_launch(parent);
    } else if (word == "kernel" && kernel_call(*this, chain)) {
      made.insert(kernel_call(*this, chain));
      add(ir::SiteKind::MakeKernel, kernel_call(*this, chain));
    } else if (word == "kernel" && names_class(*this, chain)) {
      add(ir::SiteKind::KernelClass, chain);
    } else if (word == "tune.exhaustive_search") {
      add(ir::SiteKind::Search, chain);
    } else if (word == "compiler_timeout" && is_callee(tree, chain) && tree.is(tree.parent(parent), NodeKind::WithItem)) {
      add(ir::SiteKind::Timeout, tree.parent(parent));
    } else if (word == "cdiv") {
      add(ir::SiteKind::Cdiv, chain);
    } else if (word == "DType" && names_class(*this, chain)) {
      add(ir::SiteKind::DtypeClass, chain);
    } else if (is_dtype_word(word) && word != "tfloat32" && !word.starts_with("float4") && word != "float8_e5m3fnu" &&
               !is_callee(tree, chain)) {
      add(ir::SiteKind::Dtype, chain, std::string(word));
    } else if (is_error_word(word) && names_exception(*this, chain)) {
      add(ir::SiteKind::Error, chain, std::string(word));
    } else if (word == "ByTarget" && is_callee(tree, chain)) {
      add(ir::SiteKind::ByTarget, chain);
    } else {
      refuse(diag::report(diag::Severity::Error, tree.span(chain), host_message::no_counterpart, tree.text(chain)), chain);
      if (word == "launch" || word.empty()) sites.sites.back().flow = ir::every_flow;  // handed on: nobody knows to whom
    }
  }

  for (const NodeId node : nodes)
    if (tree.is_constant(node, ConstantKind::Str) && !on_device(node) && in_annotation(tree, node)) read_quoted_annotation(node);

  for (const ir::DeviceFunction& function : sites.functions) {
    if (function.kind != ir::FunctionKind::Kernel) continue;
    const BindingId binding{function.binding};
    const uint32_t number = static_cast<uint32_t>(&function - sites.functions.data());
    if (function_number(binding) != number) continue;
    for (const NodeId read : scopes[binding].reads) {
      if (on_device(read)) continue;
      add(ir::SiteKind::KernelValue, read);
      sites.sites.back().detail = number;
      // `k._pyfunc` is the plain function: only `ct.kernel(…)` makes something of it that we know.
      const auto attribute = tree.get_if<Attribute>(tree.parent(read));
      if (!attribute || attribute->attr != "_pyfunc") continue;
      const NodeId call = tree.parent(tree.parent(read));
      if (!made.contains(call))
        refuse(diag::report(diag::Severity::Error, tree.span(tree.parent(read)), host_message::raw_function), tree.parent(read));
    }
  }
}

// `kernel: "ct.kernel"`
void HostReader::read_quoted_annotation(NodeId node) {
  const std::string_view text = tree.string_value(node);
  const std::string_view head = text.substr(0, text.find('.'));
  const BindingId binding = scopes.in_module(head);
  if (!binding || head.size() == text.size() || !tree.is(scopes[binding].definitions[0], NodeKind::Alias)) return;
  const std::string whole = import_path(scopes[binding].definitions[0]) + std::string(text.substr(head.size()));
  if (whole == "cuda.tile.kernel") return add(ir::SiteKind::KernelClass, node);
  if (whole == "cuda.tile.DType") return add(ir::SiteKind::DtypeClass, node);
  if (host_word(whole).empty()) return;
  refuse(diag::report(diag::Severity::Error, tree.span(node), host_message::no_counterpart, text), node);
}

void HostReader::add(ir::SiteKind kind, NodeId node, std::string name) {
  sites.sites.push_back({.kind = kind, .node = origin(node), .span = tree.span(node), .name = std::move(name)});
}

void HostReader::refuse(diag::Diagnostic diagnostic, NodeId node) {
  diagnostics.push_back(std::move(diagnostic));
  add(ir::SiteKind::Refused, node);
}

}  // namespace tilewright::front::cutile
