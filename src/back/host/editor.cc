// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/host/editor.h"

#include <algorithm>

#include "syntax/characters.h"
#include "syntax/lexer.h"

namespace tilewright::back::host {

using syntax::NodeKind;

Editor::Editor(const source::File& file, const Trees& trees, source::FileId id, const ir::HostSites& sites,
               const Functions& functions, const Naming& naming, const triton::Printed& printed)
    : edits(id, trees[id.index]->source()),
      file_(file),
      trees_(trees),
      tree_(*trees[id.index]),
      sites_(sites),
      functions_(functions),
      naming_(naming),
      printed_(printed) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (file_.text().starts_with(byte_order_mark)) text_begin_ = byte_order_mark.size();
  const size_t end = file_.text().find_first_of("\r\n");
  if (end != std::string_view::npos && file_.text()[end] == '\r')
    line_end_ = file_.text().substr(end, 2) == "\r\n" ? "\r\n" : "\r";
  std::map<uint32_t, std::string> by_binding;
  std::map<ir::OriginId, uint32_t> bindings;
  for (const ir::DeviceFunction& function : sites.functions) bindings[function.node] = function.binding;
  for (const auto& [kernel, launch] : naming.names.launches) by_binding[bindings.at(functions[kernel].node)] = launch.name;
  for (const ir::DeviceFunction& function : sites.functions) launch_names_.push_back(by_binding[function.binding]);
  for (const ir::Site& site : sites.sites) {
    const bool held = site.flow != 0 && stays(naming, site);
    const NodeId function = enclosing_function(NodeId{site.node.index});
    if (held && function != tree_.root()) frozen_.insert(function);
  }
  mentioned_ = {{"torch", false}, {"triton", false}, {"tl", false}};
  for (const ir::Removable& removable : sites.removables)
    if (removable.kind == ir::RemovableKind::Import) mentioned_.emplace(bound_name(NodeId{removable.node.index}), false);
}

syntax::NodeId Editor::enclosing_function(NodeId node) const {
  NodeId out = tree_.root();
  for (NodeId at = tree_.parent(node); at; at = tree_.parent(at))
    if (tree_.is(at, NodeKind::FunctionDef) || tree_.is(at, NodeKind::AsyncFunctionDef)) out = at;
  return out;
}

syntax::NodeId Editor::module_statement(NodeId node) const {
  while (tree_.parent(node) && tree_.parent(node) != tree_.root()) node = tree_.parent(node);
  return node;
}

uint32_t Editor::next_line(uint32_t at) const {
  const uint32_t line = file_.line_of(at);
  return line < file_.line_count() ? file_.line_start(line + 1) : static_cast<uint32_t>(file_.text().size());
}

uint32_t Editor::next_logical_line(uint32_t at) const {
  const syntax::Tokens& tokens = tree_.tokens();
  for (size_t i = tokens.from(at); i < tokens.size(); ++i)
    if (tokens.kind(i) == syntax::TokenKind::Newline) return tokens[i].end;
  return static_cast<uint32_t>(file_.text().size());
}

bool Editor::ends_logical_line(uint32_t at) const {
  const syntax::TokenKind next = tree_.tokens().kind(tree_.tokens().from(at));
  return next == syntax::TokenKind::Newline || next == syntax::TokenKind::Comment;
}

std::string_view Editor::margin(uint32_t at) const {
  const std::string_view line = file_.line(file_.line_of(at));
  const size_t end = line.find_first_not_of(" \t\f");
  return line.substr(0, end == std::string_view::npos ? line.size() : end);
}

std::string Editor::indent(uint32_t at) const {
  std::string out(margin(at));
  auto dedent = std::upper_bound(dedents_.begin(), dedents_.end(), at,
                                 [](uint32_t place, const Dedent& one) { return place < one.span.begin; });
  while (dedent != dedents_.begin()) {  // inner ones first
    --dedent;
    if (at < dedent->span.end && out.starts_with(dedent->from))
      out.erase(dedent->to.size(), dedent->from.size() - dedent->to.size());
    if (!dedent->nested) break;
  }
  return out;
}

uint32_t Editor::blank_lines_above(uint32_t line_begin) const {
  uint32_t count = 0;
  for (uint32_t line = file_.line_of(line_begin); line > 1; --line, ++count)
    if (file_.line(line - 1).find_first_not_of(" \t\f") != std::string_view::npos) break;
  return count;
}

uint32_t Editor::attached_start(NodeId statement) const {
  uint32_t start = line_start(tree_.decorated_span(statement).begin);
  if (tree_.blank_lines_before(statement) > 0) return start;
  const syntax::Comments comments = tree_.leading_comments(statement);
  for (size_t i = comments.size(); i-- > 0;) {
    const uint32_t begin = line_start(comments[i].span.begin);
    if (file_.line_of(begin) == 1) return start;  // the file's own head
    start = begin;
    if (comments[i].blank_lines_before > 0) break;
  }
  return start;
}

std::string_view Editor::bound_name(NodeId alias) const {
  const syntax::Alias names = tree_.as<syntax::Alias>(alias);
  return names.asname.empty() ? names.name.substr(0, names.name.find('.')) : names.asname;
}

// Whether the word that begins there is a name of its own, not a part of one and not behind a dot.
static bool is_name(std::string_view text, size_t begin, size_t size) {
  const auto in_word = [&](size_t at) { return at < text.size() && syntax::is_class(text[at], syntax::char_class::name_part); };
  if (in_word(begin + size) || (begin > 0 && in_word(begin - 1))) return false;
  while (begin > 0 && syntax::is_class(text[begin - 1], syntax::char_class::blank)) --begin;
  return begin == 0 || text[begin - 1] != '.';
}

void Editor::write(std::string_view text) {
  // Behind the first quote or hash, what looks like a name may be in a string or a comment.
  const auto sure = static_cast<size_t>(
      std::find_if(text.begin(), text.end(), [](char c) { return c == '"' || c == '\'' || c == '#'; }) - text.begin());
  bool doubtful = false;
  for (auto& [name, mentioned] : mentioned_) {
    if (mentioned) continue;
    size_t at = text.find(name);
    while (at != std::string_view::npos && !is_name(text, at, name.size())) at = text.find(name, at + 1);
    mentioned = at < sure;
    doubtful |= at != std::string_view::npos && !mentioned;
  }
  if (!doubtful) return;
  diag::Diagnostics errors;
  syntax::TokenKind last = syntax::TokenKind::Newline;
  for (const syntax::Token& token : syntax::lex({.file = tree_.file(), .text = text}, errors)) {
    if (token.kind == syntax::TokenKind::Name && last != syntax::TokenKind::Dot) {
      const auto watched = mentioned_.find(text.substr(token.begin, token.size()));
      if (watched != mentioned_.end()) watched->second = true;
    }
    last = token.kind;
  }
}

std::string Editor::text_of(source::Span span) const {
  const std::string all = edits.render(span);
  std::string out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] != '\r')
      out += all[i];
    else if (i + 1 == all.size() || all[i + 1] != '\n')
      out += '\n';
  }
  return out;
}

std::string Editor::ended(std::string text) const {
  if (line_end_ == "\n") return text;
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      out += line_end_;
    else
      out += c;
  }
  return out;
}

void Editor::insert_before(NodeId statement, std::string text) {
  const uint32_t at = attached_start(statement);
  const uint32_t above = blank_lines_above(at);
  const bool first = inserted_[at]++ == 0;
  std::string gap;
  if (first && at != text_begin_) gap.append(above < 2 ? 2 - above : 0, '\n');
  edits.insert(at, ended(gap + std::move(text) + "\n\n\n"));
}

void Editor::drop(source::Span span) {
  if (is_dropped(span)) return;
  for (auto at = dropped_.lower_bound(span.begin); at != dropped_.end() && at->second <= span.end;) at = dropped_.erase(at);
  dropped_[span.begin] = span.end;
}

bool Editor::is_dropped(source::Span span) const {
  const auto after = dropped_.upper_bound(span.begin);
  return after != dropped_.begin() && span.end <= std::prev(after)->second;
}

bool Editor::left_alone(const ir::Site& site) const {
  if (stays(naming_, site)) return true;
  const NodeId function = enclosing_function(NodeId{site.node.index});
  switch (site.kind) {
    case ir::SiteKind::Launch:
    case ir::SiteKind::KernelValue:
    case ir::SiteKind::MakeKernel:
    case ir::SiteKind::Search: return false;
    case ir::SiteKind::Dtype:
    case ir::SiteKind::DtypeClass: return frozen_.contains(function) || (function == tree_.root() && !naming_.all);
    case ir::SiteKind::KernelClass: return !naming_.all;
    case ir::SiteKind::Timeout:
    case ir::SiteKind::Cdiv:
    case ir::SiteKind::Error:
    case ir::SiteKind::ByTarget: return frozen_.contains(function);
    case ir::SiteKind::Refused: return true;
  }
  return true;
}

Edited edit(const source::File& file, const Trees& trees, source::FileId id, const ir::HostSites& sites,
            const Functions& functions, const Naming& naming, const triton::Printed& printed) {
  if (naming.names.launches.empty()) return {};
  Editor editor(file, trees, id, sites, functions, naming, printed);
  editor.edit_sites();
  editor.edit_launches();
  editor.refit_lines();
  editor.place_functions();
  editor.remove_unread();
  editor.edit_imports();
  editor.finish_removals();
  editor.drop_timeouts();
  return {editor.edits.take(), std::move(editor.diagnostics)};
}

}  // namespace tilewright::back::host
