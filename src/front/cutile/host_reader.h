// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the host reader share: the tree, what names mean, which functions run on the device.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "front/cutile/host_scopes.h"
#include "ir/host.h"
#include "syntax/tree.h"

namespace tilewright::front::cutile {

inline ir::OriginId origin(syntax::NodeId node) { return {node.index}; }
inline syntax::NodeId node_of(ir::OriginId origin) { return {origin.index}; }

// Words of cuTile's host side.
bool is_dtype_word(std::string_view word);
bool is_error_word(std::string_view word);

// The outermost expression of a mention of cuTile, and where it leads: "cuda.tile.tune.exhaustive_search".
struct Chain {
  syntax::NodeId node;
  std::string path;
};

class HostReader {
 public:
  explicit HostReader(const syntax::Tree& tree);
  ir::HostSites sites;
  diag::Diagnostics diagnostics;

  // host_names.cc: where a name leads to, as a dotted path from an import: "cuda.tile.launch", "torch.cuda.current_stream".
  std::string path(syntax::NodeId expression) const;
  bool is_imported(syntax::NodeId expression) const;  // whether it has a path
  std::string import_path(syntax::NodeId alias) const;
  syntax::NodeId enclosing_function(syntax::NodeId node) const;  // FunctionDef, Lambda, or the root
  bool on_device(syntax::NodeId node) const;
  bool is_decorator(syntax::NodeId node) const;
  uint32_t function_number(BindingId binding) const;  // of the first device function that it defines; npos if none
  static constexpr uint32_t npos = ~uint32_t{0};

  void find_paths();

  // host_functions.cc
  void find_functions();

  // host_sites.cc
  void refuse_other_meaning(std::string_view word, std::string_view path);
  void find_sites();
  void read_quoted_annotation(syntax::NodeId node);

  // host_launch.cc
  void read_launch(syntax::NodeId call);

  // host_flow.cc
  void number_flows();

  // host.cc
  void find_removables();
  void find_globals();

  void refuse(diag::Diagnostic diagnostic, syntax::NodeId node);
  void add(ir::SiteKind kind, syntax::NodeId node, std::string name = {});

  const syntax::Tree& tree;
  const std::vector<syntax::NodeId> nodes;  // of the whole tree, parents before children, in the order of the text
  const Scopes scopes;
  std::vector<std::string> paths;            // by binding: what an import makes it mean
  std::vector<Chain> chains;                 // all mentions of cuTile
  std::set<syntax::NodeId> device_nodes;     // device functions
  std::vector<source::Span> device_spans;    // of those that the host does not call, disjoint and ascending
  std::map<BindingId, uint32_t> numbers;     // of the first device function of a binding
  std::map<syntax::NodeId, bool> switching;  // functions asked so far: whether they may change the current stream
  std::set<syntax::NodeId> cutile_objects;   // statements of RemovableKind::CutileObject
};

}  // namespace tilewright::front::cutile
