// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// `ct.launch(stream, grid, kernel, arguments)`, and whether its stream is the current one anyway.
//
// Triton launches on the current stream of the current device. A stream that is provably that one needs no words in the output;
// any other is kept. The proof is local: the stream is asked for at the launch, or by a statement of the same function after
// which nothing switches streams.

#include <algorithm>
#include <array>

#include "front/cutile/host_messages.h"
#include "front/cutile/host_reader.h"

namespace tilewright::front::cutile {

using namespace syntax;

// What `with …:` may enter without the current stream or device becoming another.
static bool keeps_stream(const HostReader& reader, NodeId with_item) {
  static constexpr std::array<std::string_view, 11> harmless = {
      "cuda.tile.compiler_timeout", "torch.no_grad",       "torch.enable_grad",      "torch.inference_mode",
      "torch.set_grad_enabled",     "torch.autocast",      "torch.amp.autocast",     "torch.cuda.nvtx.range",
      "contextlib.nullcontext",     "contextlib.suppress", "warnings.catch_warnings"};
  NodeId context = reader.tree.as<WithItem>(with_item).context_expr;
  if (const auto call = reader.tree.get_if<Call>(context)) context = call->func;
  const std::string path = reader.path(context);
  return std::find(harmless.begin(), harmless.end(), path) != harmless.end();
}

static std::vector<NodeId> withs_around(const Tree& tree, NodeId node, NodeId function) {
  std::vector<NodeId> out;
  for (NodeId at = tree.parent(node); at && at != function; at = tree.parent(at))
    if (tree.is(at, NodeKind::With) || tree.is(at, NodeKind::AsyncWith)) out.push_back(at);
  return out;
}

// Whether anything in a function may change the current stream or device other than `with`, or hands control to a caller that
// may.
static bool looks_for_switches(const Tree& tree, NodeId function) {
  std::vector<NodeId> stack = tree.children(function);
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    if (tree.is(node, NodeKind::Yield) || tree.is(node, NodeKind::YieldFrom) || tree.is(node, NodeKind::Await)) return true;
    if (tree.is(node, NodeKind::AsyncWith) || tree.is(node, NodeKind::AsyncFor)) return true;
    if (const auto call = tree.get_if<Call>(node)) {
      std::string_view callee;
      if (const auto attribute = tree.get_if<Attribute>(call->func)) callee = attribute->attr;
      if (const auto name = tree.get_if<Name>(call->func)) callee = name->id;
      if (callee == "set_stream" || callee == "set_device" || callee == "_cuda_setStream") return true;
    }
    for (const NodeId child : tree.children(node)) stack.push_back(child);
  }
  return false;
}

static bool switches_streams(HostReader& reader, NodeId function) {
  const auto [at, fresh] = reader.switching.try_emplace(function, false);
  if (fresh) at->second = looks_for_switches(reader.tree, function);
  return at->second;
}

namespace {
struct Stream {
  ir::StreamKind kind = ir::StreamKind::Object;
  NodeId node = {};
  NodeId device = {};
  NodeId binding = {};
  std::string foreign = {};  // the package that makes it, if that is not torch
};
}  // namespace

static Stream read_stream(HostReader& reader, NodeId expression, NodeId launch) {
  const Tree& tree = reader.tree;
  if (const auto attribute = tree.get_if<Attribute>(expression); attribute && attribute->attr == "cuda_stream")
    return read_stream(reader, attribute->value, launch);
  if (tree.is_constant(expression, ConstantKind::Int)) {
    const bool is_default = tree.int_value(expression) == 0;
    return {.kind = is_default ? ir::StreamKind::DefaultHandle : ir::StreamKind::Handle, .node = expression};
  }
  if (const auto call = tree.get_if<Call>(expression)) {
    const std::string path = reader.path(call->func);
    const std::string package = path.substr(0, path.find('.'));
    if (package == "cupy" || package == "numba") return {.node = expression, .foreign = package};
    const bool raw = path == "torch._C._cuda_getCurrentRawStream";
    if (path != "torch.cuda.current_stream" && !raw) return {.node = expression};
    NodeId device;
    if (call->args.size() == 1 && call->keywords.empty()) device = call->args[0];
    if (call->args.empty() && call->keywords.size() == 1) device = tree.as<Keyword>(call->keywords[0]).value;
    const bool any_device = !device || tree.is_constant(device, ConstantKind::None) ||
                            (tree.is_constant(device, ConstantKind::Str) && tree.string_value(device) == "cuda");
    if (any_device && !raw) return {.kind = ir::StreamKind::Current, .node = expression};
    return {.kind = ir::StreamKind::CurrentOf, .node = expression, .device = device};
  }
  if (!tree.is(expression, NodeKind::Name)) return {.node = expression};

  const BindingId id = reader.scopes.binding(expression);
  if (!id) return {.node = expression};
  const NameBinding& binding = reader.scopes[id];
  if (binding.definitions.size() != 1) return {.node = expression};
  const NodeId definition = binding.definitions[0];
  if (const auto arg = tree.get_if<Arg>(definition)) {
    const auto type = tree.get_if<Name>(arg->annotation);
    return {.kind = type && type->id == "int" ? ir::StreamKind::Handle : ir::StreamKind::Object, .node = expression};
  }
  const NodeId statement = tree.parent(definition);
  const auto assign = tree.get_if<Assign>(statement);
  if (!assign || assign->targets.size() != 1 || tree.is(assign->value, NodeKind::Name)) return {.node = expression};
  const Stream source = read_stream(reader, assign->value, launch);
  const auto value = tree.get_if<Attribute>(assign->value);
  const bool raw = (value && value->attr == "cuda_stream") || source.kind == ir::StreamKind::Handle ||
                   source.kind == ir::StreamKind::DefaultHandle;
  const Stream kept{.kind = raw ? ir::StreamKind::Handle : ir::StreamKind::Object, .node = expression, .foreign = source.foreign};
  if (source.kind != ir::StreamKind::Current) return kept;

  const NodeId function = reader.enclosing_function(launch);
  const bool same_function =
      reader.scopes.scope(binding.scope).node == function && reader.enclosing_function(definition) == function;
  if (!same_function || tree.span(statement).end > tree.span(launch).begin) return kept;
  const std::vector<NodeId> there = withs_around(tree, statement, function);
  const std::vector<NodeId> here = withs_around(tree, launch, function);
  for (const NodeId with : there)
    if (std::find(here.begin(), here.end(), with) == here.end()) return kept;
  for (const NodeId with : here) {
    if (std::find(there.begin(), there.end(), with) != there.end()) continue;
    if (!tree.is(with, NodeKind::With)) return kept;
    for (const NodeId item : tree.as<With>(with).items)
      if (!keeps_stream(reader, item)) return kept;
  }
  if (switches_streams(reader, function)) return kept;
  return {.kind = ir::StreamKind::Current, .node = expression, .binding = statement};
}

void HostReader::read_launch(NodeId node) {
  const Call call = tree.as<Call>(node);
  const auto no = [&](NodeId at, std::string_view why) {
    refuse(diag::report(diag::Severity::Error, tree.span(at), host_message::launch_shape, why), node);
  };
  for (const NodeId arg : call.args)
    if (tree.is(arg, NodeKind::Starred)) return no(arg, "its arguments are hidden in `*`");
  for (const NodeId keyword : call.keywords)
    if (tree.as<Keyword>(keyword).arg != "programmatic_dependent_launch") return no(keyword, "`launch` has no such keyword");
  if (call.args.size() != 4) return no(node, "`launch` takes a stream, a grid, a kernel and a tuple of arguments");

  ir::Launch launch;
  launch.grid = origin(call.args[1]);
  launch.kernel = origin(call.args[2]);
  launch.arguments = origin(call.args[3]);
  if (tree.is(call.args[2], NodeKind::Name)) {
    const BindingId binding = scopes.binding(call.args[2]);
    if (function_number(binding) != npos) {
      launch.kernel_name = launch.kernel;
    } else if (binding && tree.is(scopes[binding].definitions[0], NodeKind::Alias)) {
      auto imported =
          diag::report(diag::Severity::Error, tree.span(call.args[2]), host_message::imported_kernel, tree.text(call.args[2]));
      imported.notes.push_back("convert the file that has it, and import its launch function");
      return refuse(std::move(imported), node);
    }
  }
  const Stream stream = read_stream(*this, call.args[0], node);
  if (!stream.foreign.empty())
    return refuse(diag::report(diag::Severity::Error, tree.span(call.args[0]), host_message::foreign_stream, stream.foreign),
                  node);
  launch.stream_kind = stream.kind;
  launch.stream = origin(stream.node);
  launch.device = origin(stream.device);
  launch.stream_binding = origin(stream.binding);
  add(ir::SiteKind::Launch, node);
  sites.sites.back().detail = static_cast<uint32_t>(sites.launches.size());
  sites.launches.push_back(launch);
}

}  // namespace tilewright::front::cutile
