// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports of the output: triton's where cuTile's stood, in the order of their neighbours; nothing twice, nothing unused.

#include <algorithm>
#include <array>

#include "back/host/editor.h"

namespace tilewright::back::host {

using namespace syntax;

static bool is_import(const Tree& tree, NodeId node) {
  return tree.is(node, NodeKind::Import) || tree.is(node, NodeKind::ImportFrom);
}

// The module that an import statement is sorted by.
static std::string module_of(const Tree& tree, NodeId statement) {
  if (const auto from = tree.get_if<ImportFrom>(statement))
    return std::string(static_cast<size_t>(from->level), '.') + std::string(from->module);
  return std::string(tree.as<Alias>(tree.as<Import>(statement).names[0]).name);
}

static bool is_standard(std::string_view module) {
  static constexpr std::array<std::string_view, 26> names = {
      "abc",        "argparse", "collections", "contextlib", "copy",     "dataclasses", "enum",     "functools", "inspect",
      "itertools",  "json",     "logging",     "math",       "operator", "os",          "pathlib",  "random",    "re",
      "statistics", "sys",      "threading",   "time",       "types",    "typing",      "unittest", "warnings"};
  return std::find(names.begin(), names.end(), module.substr(0, module.find('.'))) != names.end();
}

bool Editor::is_imported(const NewImport& wanted) const {
  for (const ir::Removable& removable : sites_.removables) {
    const NodeId node{removable.node.index};
    if (!tree_.is(node, NodeKind::Alias) || removed_.contains(node)) continue;
    const NodeId statement = tree_.parent(node);
    if (tree_.parent(statement) != tree_.root() && !tree_.is(tree_.parent(statement), NodeKind::Try)) continue;
    const Alias alias = tree_.as<Alias>(node);
    if (const auto from = tree_.get_if<ImportFrom>(statement)) {
      if (from->level == 0 && from->module == wanted.module && alias.name == wanted.name && alias.asname.empty()) return true;
      const size_t dot = wanted.module.rfind('.');  // `from triton import language as tl`
      if (wanted.as.empty() || dot == std::string::npos || from->level != 0) continue;
      if (from->module == wanted.module.substr(0, dot) && alias.name == wanted.module.substr(dot + 1) &&
          alias.asname == wanted.as)
        return true;
    } else if (wanted.name.empty()) {
      if (!wanted.as.empty() ? alias.name == wanted.module && alias.asname == wanted.as
                             : alias.asname.empty() && alias.name.substr(0, alias.name.find('.')) == wanted.module)
        return true;
    }
  }
  return false;
}

std::vector<Editor::NewImport> Editor::missing_imports() const {
  std::vector<NewImport> wanted;
  if (mentioned_.at("torch")) wanted.push_back({"torch", "", ""});
  if (mentioned_.at("triton")) wanted.push_back({"triton", "", ""});
  if (mentioned_.at("tl")) wanted.push_back({"triton.language", "", "tl"});
  for (const triton::PrintedImport& import : new_imports_)
    if (import.name.empty()) wanted.push_back({import.module, "", ""});
  for (const triton::PrintedImport& import : new_imports_)
    if (!import.name.empty()) wanted.push_back({import.module, import.name, ""});
  std::erase_if(wanted, [&](const NewImport& one) { return is_imported(one); });
  return wanted;
}

// The first import of cuTile in the module's own statements; else the last import there; else the first statement.
syntax::NodeId Editor::import_anchor() const {
  NodeId anchor;
  for (const ir::Removable& removable : sites_.removables) {
    if (removable.kind != ir::RemovableKind::CutileImport) continue;
    const NodeId statement = tree_.parent(NodeId{removable.node.index});
    if (enclosing_function(statement) != tree_.root() || (anchor && tree_.span(anchor).begin < tree_.span(statement).begin))
      continue;
    anchor = statement;
  }
  if (anchor) return anchor;
  const NodeList body = tree_.block(tree_.root(), Block::Body);
  for (const NodeId statement : body)
    if (is_import(tree_, statement)) anchor = statement;
  return anchor ? anchor : body[0];
}

void Editor::edit_imports() {
  std::vector<NewImport> wanted = missing_imports();
  if (wanted.empty()) return;
  anchor_ = import_anchor();
  std::vector<NewImport> standard;
  for (const NewImport& one : wanted)
    if (is_standard(one.module)) standard.push_back(one);
  std::erase_if(wanted, [](const NewImport& one) { return is_standard(one.module); });

  if (!standard.empty()) {
    NodeId home;
    for (const NodeId statement : tree_.block(tree_.root(), Block::Body))
      if (!home && is_import(tree_, statement) && is_standard(module_of(tree_, statement))) home = statement;
    if (home) {
      insert_imports(home, std::move(standard));
    } else {  // a paragraph of its own, before the first import
      NodeId first = anchor_;
      for (const NodeId statement : tree_.block(tree_.root(), Block::Body)) {
        if (!is_import(tree_, statement) || module_of(tree_, statement) == "__future__") continue;
        first = statement;
        break;
      }
      std::string text;
      for (const NewImport& one : standard)
        text += one.name.empty() ? "import " + one.module + "\n" : "from " + one.module + " import " + one.name + "\n";
      edits.insert(line_start(tree_.span(module_statement(first)).begin), ended(text + "\n"));
    }
  }
  insert_imports(anchor_, std::move(wanted));
}

// Puts imports among the neighbours of one: the imports around it without a blank line or a comment between.
void Editor::insert_imports(NodeId anchor, std::vector<NewImport> wanted) {
  NodeList siblings;
  for (const Block block : {Block::Body, Block::OrElse, Block::FinalBody}) {
    const NodeList statements = tree_.block(tree_.parent(anchor), block);
    if (std::find(statements.begin(), statements.end(), anchor) != statements.end()) siblings = statements;
  }
  const size_t at = static_cast<size_t>(std::find(siblings.begin(), siblings.end(), anchor) - siblings.begin());
  const auto joined = [&](size_t i) {  // to the one before
    return i > 0 && is_import(tree_, siblings[i - 1]) && is_import(tree_, siblings[i]) &&
           file_.line_of(tree_.span(siblings[i]).begin) == file_.line_of(tree_.span(siblings[i - 1]).end) + 1;
  };
  size_t first = at;
  size_t last = at + 1;
  while (joined(first)) --first;
  while (last < siblings.size() && joined(last)) ++last;

  std::vector<NodeId> plain;
  std::vector<NodeId> from;
  for (size_t i = first; i < last; ++i) {
    if (removed_.contains(siblings[i]) || !is_import(tree_, siblings[i])) continue;
    (tree_.is(siblings[i], NodeKind::Import) ? plain : from).push_back(siblings[i]);
  }
  const uint32_t anchor_line = line_start(tree_.span(anchor).begin);
  const auto behind = [&](NodeId statement) { return next_logical_line(tree_.span(statement).end); };
  const auto before = [&](NodeId statement) { return line_start(tree_.span(statement).begin); };
  for (const NewImport& one : wanted) {
    const std::vector<NodeId>& kin = one.name.empty() ? plain : from;
    uint32_t place = is_import(tree_, anchor) && removed_.contains(anchor) ? anchor_line : behind(anchor);
    if (!is_import(tree_, anchor)) place = attached_start(anchor);
    NodeId smaller;
    NodeId greater;
    for (const NodeId statement : kin) {
      if (module_of(tree_, statement) <= one.module)
        smaller = statement;
      else if (!greater)
        greater = statement;
    }
    if (smaller)
      place = behind(smaller);
    else if (greater)
      place = before(greater);
    else if (!one.name.empty() && !plain.empty())
      place = behind(plain.back());
    else if (one.name.empty() && !from.empty())
      place = before(from.front());
    std::string text = std::string(margin(tree_.span(anchor).begin));
    if (!one.name.empty())
      text += "from " + one.module + " import " + one.name;
    else
      text += "import " + one.module + (one.as.empty() ? "" : " as " + one.as);
    edits.insert(place, ended(ends_line(place) ? text + "\n" : "\n" + text));
  }
  if (!is_import(tree_, anchor)) edits.insert(attached_start(anchor), ended("\n\n"));
}

}  // namespace tilewright::back::host
