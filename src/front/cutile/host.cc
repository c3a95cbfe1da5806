// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/host.h"

#include <algorithm>

#include "front/cutile/host_messages.h"
#include "front/cutile/host_reader.h"

namespace tilewright::front::cutile {

using namespace syntax;

static bool is_cutile(std::string_view path) {
  return path == "cuda.tile" || path.starts_with("cuda.tile.") || path.starts_with("cuda.tile_experimental");
}

HostReader::HostReader(const Tree& tree_) : tree(tree_), nodes(nodes_of(tree, tree.root())), scopes(tree, nodes) {
  find_paths();
  for (uint32_t i = 0; i < scopes.size(); ++i) {
    if (!paths[i].starts_with("cuda")) continue;
    const NameBinding& binding = scopes[BindingId{i}];
    for (const NodeList names : {binding.definitions, binding.reads}) {
      for (const NodeId name : names) {
        if (!tree.is(name, NodeKind::Name)) continue;
        NodeId top = name;
        while (tree.is(tree.parent(top), NodeKind::Attribute)) top = tree.parent(top);
        std::string whole = path(top);
        if (is_cutile(whole)) chains.push_back({top, std::move(whole)});
      }
    }
  }
  std::sort(chains.begin(), chains.end(),
            [&](const Chain& a, const Chain& b) { return tree.span(a.node).begin < tree.span(b.node).begin; });
}

void HostReader::find_removables() {
  for (const NodeId node : nodes) {
    if (!tree.is(node, NodeKind::Alias)) continue;
    const BindingId binding = scopes.binding(node);
    if (!binding) continue;
    const std::string from = import_path(node);
    const bool ours = is_cutile(from) || tree.as<Alias>(node).name.starts_with("cuda.tile");
    ir::Removable removable{
        .kind = ours ? ir::RemovableKind::CutileImport : ir::RemovableKind::Import, .node = origin(node), .reads = {}};
    for (const NodeId read : scopes[binding].reads) removable.reads.push_back(tree.span(read));
    sites.removables.push_back(std::move(removable));
    if (!ours) continue;
    for (const NodeId other : scopes[binding].definitions)
      if (!tree.is(other, NodeKind::Alias))
        refuse(diag::report(diag::Severity::Error, tree.span(other), host_message::rebound, scopes[binding].name), other);
  }
  const auto add_statement = [&](ir::RemovableKind kind, NodeId statement) {
    ir::Removable removable{.kind = kind, .node = origin(statement), .reads = {}};
    for (const NodeId child : nodes_of(tree, statement)) {
      const auto name = tree.get_if<Name>(child);
      if (!name || name->ctx != Context::Store) continue;
      for (const NodeId read : scopes[scopes.binding(child)].reads) removable.reads.push_back(tree.span(read));
    }
    sites.removables.push_back(std::move(removable));
  };
  for (const NodeId statement : cutile_objects) add_statement(ir::RemovableKind::CutileObject, statement);
  std::set<NodeId> streams;
  for (const ir::Launch& launch : sites.launches)
    if (launch.stream_binding) streams.insert(node_of(launch.stream_binding));
  for (const NodeId statement : streams) add_statement(ir::RemovableKind::Stream, statement);
}

void HostReader::find_globals() {
  for (uint32_t i = 0; i < scopes.size(); ++i) {
    const NameBinding& binding = scopes[BindingId{i}];
    if (!scopes.is_module_level(BindingId{i}) || function_number(BindingId{i}) != npos) continue;
    const auto by_device = [&](NodeId read) {
      for (NodeId at = enclosing_function(read); at != tree.root(); at = enclosing_function(at))
        if (device_nodes.contains(at)) return true;
      return false;
    };
    if (std::none_of(binding.reads.begin(), binding.reads.end(), by_device)) continue;
    ir::ModuleGlobal global{.name = std::string(binding.name), .definitions = {}, .reads = {}};
    bool ours = false;
    for (const NodeId definition : binding.definitions) {
      global.definitions.push_back(origin(definition));
      ours = ours || (tree.is(definition, NodeKind::Alias) && is_cutile(import_path(definition))) ||
             cutile_objects.contains(tree.statement_of(definition));
    }
    for (const NodeId read : binding.reads) global.reads.push_back(tree.span(read));
    if (!ours) sites.globals.push_back(std::move(global));
  }
  std::sort(sites.globals.begin(), sites.globals.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
}

HostReading read_host(const Tree& tree) {
  HostReader reader(tree);
  reader.find_functions();
  reader.find_sites();
  reader.number_flows();
  reader.find_removables();
  reader.find_globals();
  std::stable_sort(reader.sites.sites.begin(), reader.sites.sites.end(), [](const ir::Site& a, const ir::Site& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end > b.span.end;
  });
  return {std::move(reader.sites), std::move(reader.diagnostics)};
}

}  // namespace tilewright::front::cutile
