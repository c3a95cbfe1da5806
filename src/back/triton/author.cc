// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/author.h"

#include <algorithm>
#include <utility>

#include "ir/walk.h"

namespace tilewright::back::triton {
namespace {

TextLines lines_of(const syntax::Comments& comments) {
  TextLines out;
  for (const syntax::Comment& comment : comments) {
    if (!out.empty()) out.insert(out.end(), comment.blank_lines_before, "");
    out.emplace_back(comment.text);
  }
  return out;
}

std::string text_of(const std::optional<syntax::Comment>& comment) {
  return comment ? std::string(comment->text) : std::string();
}

// What an `if` does otherwise.
void add_else(const syntax::Tree& tree, syntax::NodeId node, Statement& out) {
  const syntax::NodeList alternatives = tree.block(node, syntax::Block::OrElse);
  out.branch = true;
  out.lone_else = alternatives.empty() || (alternatives.size() == 1 && tree.is(alternatives[0], syntax::NodeKind::If));
  out.has_else = tree.clause_span(node, syntax::Block::OrElse).size() > 0;
  if (TextLines lines = lines_of(tree.clause_comments(node, syntax::Block::OrElse)); !lines.empty())
    out.remarks.edit().else_leading = std::move(lines);
  if (std::string line = text_of(tree.clause_trailing_comment(node, syntax::Block::OrElse)); !line.empty())
    out.remarks.edit().else_trailing = std::move(line);
  if (TextLines lines = lines_of(tree.closing_comments(node, syntax::Block::OrElse)); !lines.empty())
    out.remarks.edit().else_closing = std::move(lines);
}

Statement read(const syntax::Tree& tree, syntax::NodeId node) {
  Statement out{.node = node.index};
  const syntax::NodeKind kind = tree.kind(node);
  out.function = kind == syntax::NodeKind::FunctionDef;
  if (out.function) return out;
  const syntax::Comments leading = tree.leading_comments(node);
  if (!leading.empty()) out.remarks.edit().leading = lines_of(leading);
  if (TextLines inner = lines_of(tree.inner_comments(node)); !inner.empty()) out.remarks.edit().inner = std::move(inner);
  if (const uint32_t lines = tree.blank_lines_before(node)) out.remarks.edit().blank_lines = lines;
  const uint32_t above = leading.empty() ? out.remarks->blank_lines : leading.front().blank_lines_before;
  if (above) out.remarks.edit().blank_lines_before_comments = above;
  if (std::string trailing = text_of(tree.trailing_comment(node)); !trailing.empty()) {
    out.remarks.edit().trailing = std::move(trailing);
    const std::optional<syntax::Assign> assign = tree.get_if<syntax::Assign>(node);
    if (assign && assign->targets.size() == 1) out.remarks.edit().assigned = tree.text(assign->targets[0]);
  }

  out.augmented = kind == syntax::NodeKind::AugAssign;
  if (kind == syntax::NodeKind::If) add_else(tree, node, out);
  if (const auto loop = tree.get_if<syntax::For>(node)) {
    const auto range = tree.get_if<syntax::Call>(loop->iter);
    out.range_has_start = range && range->args.size() > 1;
  }
  if (kind == syntax::NodeKind::If || kind == syntax::NodeKind::For || kind == syntax::NodeKind::While) {
    if (TextLines lines = lines_of(tree.closing_comments(node, syntax::Block::Body)); !lines.empty())
      out.remarks.edit().body_closing = std::move(lines);
  }
  if (const auto expression = tree.get_if<syntax::Expr>(node);
      expression && tree.is_constant(expression->value, syntax::ConstantKind::Str)) {
    out.remarks.edit().docstring = tree.text(expression->value);
  }
  return out;
}

bool says_something(const Statement& statement) {
  return statement.function || statement.augmented || statement.branch || statement.range_has_start || statement.remarks;
}

FunctionRemarks read_function(const syntax::Tree& tree, syntax::NodeId node) {
  FunctionRemarks out{.name_span = tree.as<syntax::FunctionDef>(node).name_span, .begin = tree.span(node).begin, .comments = {}};
  FunctionComments comments{.inner = tree.inner_comments(node),
                            .trailing = text_of(tree.trailing_comment(node)),
                            .closing = tree.closing_comments(node)};
  if (!comments.inner.empty() || !comments.trailing.empty() || !comments.closing.empty()) out.comments = std::move(comments);
  return out;
}

}  // namespace

Author::Author(const ir::Program& program, const std::vector<const syntax::Tree*>& trees)
    : files_(trees.size()), functions_(program.functions.size()) {
  for (size_t i = 0; i < trees.size(); ++i) {
    if (trees[i]) files_[i] = {.text = trees[i]->source(), .statements = {}};
  }
  std::vector<std::vector<uint32_t>> nodes(trees.size());
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[ir::FunctionId{i}];
    const uint32_t file = function.span.file.index;
    if (file >= trees.size() || !trees[file]) continue;
    if (function.node) functions_[i] = read_function(*trees[file], {function.node.index});
    if (!function.body) continue;
    ir::each_op(program, function.body, [&](ir::OpId id) {
      const ir::OriginId statement = program.ops[id].statement;
      if (statement && (nodes[file].empty() || nodes[file].back() != statement.index)) nodes[file].push_back(statement.index);
    });
  }
  for (size_t i = 0; i < trees.size(); ++i) {
    std::sort(nodes[i].begin(), nodes[i].end());
    nodes[i].erase(std::unique(nodes[i].begin(), nodes[i].end()), nodes[i].end());
    for (const uint32_t node : nodes[i]) {
      Statement statement = read(*trees[i], {node});
      if (says_something(statement)) files_[i]->statements.push_back(std::move(statement));
    }
  }
}

const Statement* Author::statement(ir::OriginId statement, source::Span span) const {
  if (!statement || !span.file || span.file.index >= files_.size() || !files_[span.file.index]) return nullptr;
  static const Statement plain{};
  const std::vector<Statement>& statements = files_[span.file.index]->statements;
  const auto found = std::lower_bound(statements.begin(), statements.end(), Statement{.node = statement.index});
  return found != statements.end() && found->node == statement.index ? &*found : &plain;
}

const FunctionRemarks* Author::function(ir::FunctionId function) const {
  return function.index < functions_.size() && functions_[function.index] ? &*functions_[function.index] : nullptr;
}

std::string_view Author::text(source::FileId file) const {
  return file && file.index < files_.size() && files_[file.index] ? files_[file.index]->text : std::string_view();
}

}  // namespace tilewright::back::triton
