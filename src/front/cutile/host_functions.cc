// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which functions of the file run on the device: kernels, what they call, and functions that call cuTile's operations though
// no kernel of this file calls them.

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "front/cutile/host_reader.h"

namespace tilewright::front::cutile {

using namespace syntax;

// `ct.kernel` or `ct.kernel(occupancy=2)`, and likewise `function`.
static bool names_decorator(const HostReader& reader, NodeId decorator, std::string_view path) {
  if (const auto call = reader.tree.get_if<Call>(decorator)) decorator = call->func;
  return reader.path(decorator) == path;
}

// The function that `ct.kernel(f)` or `ct.kernel(…)(f)` makes a kernel of, or none().
static NodeId made_kernel(const HostReader& reader, const Chain& chain) {
  if (chain.path != "cuda.tile.kernel") return {};
  NodeId call = reader.tree.parent(chain.node);
  if (!reader.tree.is(call, NodeKind::Call) || reader.tree.as<Call>(call).func != chain.node) return {};
  if (reader.tree.as<Call>(call).args.empty() && reader.tree.is(reader.tree.parent(call), NodeKind::Call)) {
    const NodeId outer = reader.tree.parent(call);
    if (reader.tree.as<Call>(outer).func == call) call = outer;
  }
  const NodeList args = reader.tree.as<Call>(call).args;
  if (args.empty() || !reader.tree.is(args[0], NodeKind::Name)) return {};
  const BindingId binding = reader.scopes.binding(args[0]);
  if (!binding || reader.scopes[binding].definitions.size() != 1) return {};
  const NodeId definition = reader.scopes[binding].definitions[0];
  return reader.tree.is(definition, NodeKind::FunctionDef) ? definition : NodeId::none();
}

static bool is_device_operation(std::string_view path) {
  constexpr std::string_view prefix = "cuda.tile.";
  if (!path.starts_with(prefix)) return false;
  const std::string_view word = path.substr(prefix.size());
  if (word.empty() || word.find('.') != std::string_view::npos || !std::islower(static_cast<unsigned char>(word[0])))
    return false;
  return word != "launch" && word != "kernel" && word != "function" && word != "cdiv" && word != "compiler_timeout" &&
         word != "tune" && word != "compilation" && !is_dtype_word(word);
}

void HostReader::find_functions() {
  struct Found {
    NodeId node;
    ir::FunctionKind kind;
    bool reached;
  };
  std::vector<Found> found;
  std::set<NodeId> known;
  const auto take = [&](NodeId node, ir::FunctionKind kind, bool reached) {
    if (known.insert(node).second) found.push_back({node, kind, reached});
  };

  for (const NodeId node : nodes) {
    if (!tree.is(node, NodeKind::FunctionDef)) continue;
    for (const NodeId decorator : tree.as<FunctionDef>(node).decorator_list) {
      if (names_decorator(*this, decorator, "cuda.tile.kernel")) take(node, ir::FunctionKind::Kernel, true);
    }
  }
  for (const Chain& chain : chains)
    if (const NodeId node = made_kernel(*this, chain)) take(node, ir::FunctionKind::Kernel, true);

  // Reads of the file's own functions, by place, so that those inside of one function are a range.
  struct Read {
    uint32_t at;
    NodeId definition;
  };
  std::vector<Read> reads;
  for (uint32_t i = 0; i < scopes.size(); ++i) {
    const NameBinding& binding = scopes[BindingId{i}];
    for (const NodeId definition : binding.definitions) {
      if (!tree.is(definition, NodeKind::FunctionDef)) continue;
      for (const NodeId read : binding.reads) reads.push_back({tree.span(read).begin, definition});
    }
  }
  std::sort(reads.begin(), reads.end(),
            [](const Read& a, const Read& b) { return a.at != b.at ? a.at < b.at : a.definition < b.definition; });
  const auto for_reads_in = [&](NodeId function, const auto& visit) {
    const source::Span span = tree.span(function);  // without decorators, which run on the host
    auto at = std::lower_bound(reads.begin(), reads.end(), span.begin, [](const Read& a, uint32_t b) { return a.at < b; });
    for (; at != reads.end() && at->at < span.end; ++at) visit(at->definition);
  };
  const auto follow = [&](size_t from, bool reached) {
    for (size_t i = from; i < found.size(); ++i)
      for_reads_in(found[i].node, [&](NodeId callee) { take(callee, ir::FunctionKind::Helper, reached); });
  };
  follow(0, true);

  // A function that launches kernels runs on the host, whatever else it calls.
  std::set<NodeId> launching;
  for (const auto& [chain, from] : chains)
    if (from == "cuda.tile.launch" || from.starts_with("cuda.tile.tune"))
      for (NodeId at = enclosing_function(chain); at != tree.root(); at = enclosing_function(at)) launching.insert(at);

  const size_t unreached = found.size();
  for (const NodeId node : nodes) {
    if (!tree.is(node, NodeKind::FunctionDef)) continue;
    for (const NodeId decorator : tree.as<FunctionDef>(node).decorator_list)
      if (names_decorator(*this, decorator, "cuda.tile.function")) take(node, ir::FunctionKind::Helper, false);
  }
  for (const auto& [chain, from] : chains) {
    const NodeId call = tree.parent(chain);
    if (!tree.is(call, NodeKind::Call) || tree.as<Call>(call).func != chain || !is_device_operation(from)) continue;
    bool inside = false;
    NodeId outermost;
    for (NodeId at = enclosing_function(chain); at != tree.root(); at = enclosing_function(at)) {
      inside = inside || known.contains(at);
      if (tree.is(at, NodeKind::FunctionDef)) outermost = at;
    }
    if (!inside && outermost && !launching.contains(outermost)) take(outermost, ir::FunctionKind::Helper, false);
  }
  follow(unreached, false);

  std::sort(found.begin(), found.end(),
            [&](const Found& a, const Found& b) { return tree.span(a.node).begin < tree.span(b.node).begin; });
  for (const Found& one : found) device_nodes.insert(one.node);
  std::map<NodeId, uint32_t> number_of;
  sites.functions.reserve(found.size());
  for (const Found& one : found) {
    const FunctionDef def = tree.as<FunctionDef>(one.node);
    const source::Span span = tree.decorated_span(one.node);
    ir::DeviceFunction function{.name = std::string(def.name),
                                .node = origin(one.node),
                                .span = span,
                                .kind = one.kind,
                                .mentions = {},
                                .reached = one.reached,
                                .binding = scopes.binding(one.node).index,
                                .other_decorators = {}};
    for (const NodeId decorator : def.decorator_list) {
      const bool ours =
          names_decorator(*this, decorator, "cuda.tile.kernel") || names_decorator(*this, decorator, "cuda.tile.function");
      if (!ours) function.other_decorators.push_back(origin(decorator));
    }
    numbers.try_emplace(scopes.binding(one.node), static_cast<uint32_t>(sites.functions.size()));
    number_of[one.node] = static_cast<uint32_t>(sites.functions.size());
    sites.functions.push_back(std::move(function));
  }
  for (size_t i = 0; i < found.size(); ++i) {
    std::set<uint32_t> mentions;
    for_reads_in(found[i].node, [&](NodeId callee) {
      const uint32_t number = number_of.at(callee);
      if (number != i) mentions.insert(number);
    });
    for (const uint32_t mentioned : mentions) sites.functions[i].mentions.push_back(mentioned);
  }

  // A helper that the host calls too is host code as well: what it reads, the host reads. So is what such a helper calls.
  std::set<size_t> on_host;
  for (bool more = true; more;) {
    more = false;
    device_spans.clear();
    for (size_t i = 0; i < found.size(); ++i) {
      const source::Span span = sites.functions[i].span;
      const bool nested = !device_spans.empty() && device_spans.back().end > span.begin;
      if (!nested && !on_host.contains(i)) device_spans.push_back(span);
    }
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i].kind != ir::FunctionKind::Helper || on_host.contains(i)) continue;
      const NodeList all = scopes[scopes.binding(found[i].node)].reads;
      if (std::all_of(all.begin(), all.end(), [&](NodeId read) { return on_device(read); })) continue;
      sites.functions[i].host_reads = more = on_host.insert(i).second;
    }
  }
}

}  // namespace tilewright::front::cutile
