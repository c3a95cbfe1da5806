// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What nothing reads any more goes: imports of cuTile, aliases such as `ConstInt`, imports that only device code needed. With a
// statement go its lines, the comment above it if it has that comment for itself, and one of two gaps.

#include <algorithm>

#include "back/host/editor.h"

namespace tilewright::back::host {

using namespace syntax;

bool Editor::is_read(const ir::Removable& removable) const {
  return !std::all_of(removable.reads.begin(), removable.reads.end(),
                      [&](const source::Span& read) { return is_dropped(read) || own_searches_.contains(read.begin); });
}

// A name may also be read from a string: in `__all__`, in a quoted annotation.
static bool is_in_string(const Tree& tree, const Edits& edits, std::string_view name) {
  for (const Token token : tree.tokens()) {
    if (token.kind != TokenKind::String) continue;
    const std::string_view text = tree.text(token);
    if (text.starts_with("\"\"\"") || text.size() < name.size() + 2 || edits.covers(tree.span(token))) continue;
    const size_t at = text.find(name);
    if (at == std::string_view::npos) continue;
    const auto is_word = [&](size_t i) {
      return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
    };
    if (!is_word(at - 1) && !is_word(at + name.size())) return true;
  }
  return false;
}

bool Editor::goes(const ir::Removable& removable) const {
  const NodeId node{removable.node.index};
  if (is_read(removable)) return false;
  switch (removable.kind) {
    case ir::RemovableKind::CutileImport: return naming_.all || !removable.reads.empty();
    case ir::RemovableKind::CutileObject: return naming_.all || !removable.reads.empty();
    case ir::RemovableKind::Stream: return !removable.reads.empty();
    case ir::RemovableKind::Import: break;
  }
  if (removable.reads.empty()) return false;
  const std::string name(bound_name(node));
  if (defined_.contains(name)) return true;
  return !mentioned_.at(name) && !is_in_string(tree_, edits, name);
}

void Editor::remove_unread() {
  std::vector<bool> gone(sites_.removables.size());
  for (bool more = true; more;) {  // what is removed may have read something
    more = false;
    for (size_t i = 0; i < sites_.removables.size(); ++i) {
      const ir::Removable& removable = sites_.removables[i];
      const NodeId node{removable.node.index};
      if (gone[i] || is_dropped(tree_.span(node)) || !goes(removable)) continue;
      gone[i] = more = true;
      if (tree_.is(node, NodeKind::Alias))
        remove_alias(node);
      else
        remove_statement(node);
    }
  }
}

void Editor::remove_alias(NodeId alias) {
  removed_.insert(alias);
  drop(tree_.span(alias));
  const NodeId statement = tree_.parent(alias);
  const NodeList names =
      tree_.is(statement, NodeKind::Import) ? tree_.as<Import>(statement).names : tree_.as<ImportFrom>(statement).names;
  if (std::all_of(names.begin(), names.end(), [&](NodeId name) { return removed_.contains(name); }))
    return remove_statement(statement);
  // A neighbour's comma goes along: the one behind, or, once nothing is left behind, the one before.
  size_t first = static_cast<size_t>(std::find(names.begin(), names.end(), alias) - names.begin());
  const bool any_behind =
      std::any_of(names.begin() + static_cast<long>(first), names.end(), [&](NodeId name) { return !removed_.contains(name); });
  source::Span span = tree_.span(alias);
  if (any_behind) {
    span.end = tree_.span(names[first + 1]).begin;
    // One name to a line: the line goes, with its comment.
    if (starts_line(span.begin) && file_.line_of(span.begin) != file_.line_of(span.end))
      span = {tree_.file(), line_start(span.begin), line_start(span.end)};
  } else {
    while (first > 0 && removed_.contains(names[first - 1])) --first;
    span.begin = tree_.span(names[first - 1]).end;
    if (starts_line(tree_.span(alias).begin)) {
      // Keep the comma and the comment of the name before.
      span.begin = line_start(tree_.span(names[first]).begin);
      span.end = next_line(tree_.span(alias).end);
    }
  }
  edits.remove(span);
}

void Editor::remove_statement(NodeId statement) {
  removed_.insert(statement);
  // Reads inside count as gone from now on; finish_removals does the lines.
  edits.remove(tree_.decorated_span(statement));
  drop(tree_.decorated_span(statement));
}

static std::pair<NodeId, Block> place_of(const Tree& tree, NodeId statement) {
  const NodeId owner = tree.parent(statement);
  for (const Block block : {Block::Body, Block::OrElse, Block::FinalBody}) {
    const NodeList statements = tree.block(owner, block);
    if (std::find(statements.begin(), statements.end(), statement) != statements.end()) return {owner, block};
  }
  return {owner, Block::Body};
}

void Editor::finish_removals() {
  std::set<std::pair<NodeId, Block>> blocks;
  for (const NodeId node : removed_)
    if (!tree_.is(node, NodeKind::Alias)) blocks.insert(place_of(tree_, node));
  for (const auto& [owner, block] : blocks) finish_block(owner, block);
}

void Editor::finish_block(NodeId owner, Block block) {
  const NodeList statements = tree_.block(owner, block);
  const auto is_gone = [&](size_t i) { return removed_.contains(statements[i]); };
  const bool nothing_left = std::all_of(statements.begin(), statements.end(), [&](NodeId one) { return removed_.contains(one); });
  if (nothing_left && owner != tree_.root() && !(anchor_ && removed_.contains(anchor_) && tree_.parent(anchor_) == owner)) {
    edits.replace(tree_.decorated_span(statements[0]), "pass");
    if (statements.size() > 1) finish_run(statements, 1, statements.size());
    return;
  }
  // Neighbours without a blank line between them go together.
  const auto joined = [&](size_t i) {
    return is_gone(i) && tree_.blank_lines_before(statements[i]) == 0 && tree_.blank_lines_before_comments(statements[i]) == 0;
  };
  for (size_t first = 0; first < statements.size();) {
    if (!is_gone(first)) {
      ++first;
      continue;
    }
    size_t last = first + 1;
    while (last < statements.size() && joined(last)) ++last;
    finish_run(statements, first, last);
    first = last;
  }
}

// Statements [first, last) of a block are gone: their lines go too.
void Editor::finish_run(NodeList block, size_t first, size_t last) {
  bool has_anchor = false;
  for (size_t i = first; i < last; ++i) {
    const source::Span span = tree_.decorated_span(block[i]);
    has_anchor = has_anchor || block[i] == anchor_;
    const uint32_t end = next_logical_line(span.end);
    const bool alone = starts_line(span.begin) && ends_logical_line(span.end);
    if (alone) {
      edits.remove({tree_.file(), line_start(span.begin), end});
    } else if (i + 1 < block.size() && file_.line_of(tree_.span(block[i + 1]).begin) == file_.line_of(span.end)) {
      edits.remove({tree_.file(), span.begin, tree_.span(block[i + 1]).begin});  // `a; b`
    } else if (i > 0) {
      edits.remove({tree_.file(), tree_.span(block[i - 1]).end, span.end});
    }
    // A comment that a removed statement has for itself, or shares with removed ones only
    const bool shared = i + 1 == last && last < block.size() && tree_.blank_lines_before_comments(block[last]) == 0 &&
                        tree_.leading_comments(block[last]).empty();
    const uint32_t above = attached_start(block[i]);
    if (alone && above < line_start(span.begin) && !shared && !has_anchor) edits.remove({tree_.file(), above, end});
  }
  if (has_anchor) return;
  const uint32_t begin = attached_start(block[first]);
  const uint32_t end = next_logical_line(tree_.decorated_span(block[last - 1]).end);
  const bool begin_gone = edits.covers({tree_.file(), begin, begin + 1});
  uint32_t below = 0;
  uint32_t after = end;
  while (after < file_.text().size() && margin(after).size() == file_.line(file_.line_of(after)).size()) {
    ++below;
    after = next_line(after);
    if (after == file_.text().size()) break;
  }
  const uint32_t above = blank_lines_above(begin);
  if (!begin_gone) return;
  // The larger one of the two gaps is left; at the start of a block, none.
  uint32_t spare = first == 0 && above == 0 ? below : std::min(above, below);
  uint32_t at = end;
  for (; spare > 0; --spare) at = next_line(at);
  if (at > end) edits.remove({tree_.file(), end, at});
}

}  // namespace tilewright::back::host
