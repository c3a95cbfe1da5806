// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The body of a function as text. Its statements are printed as soon as nothing changes them any more, so that a long function
// holds the expressions of a part of it and not of all.

#include "back/triton/lower.h"

namespace tilewright::back::triton {
namespace {

constexpr uint32_t indent = 4;
// How many expressions are held before statements are printed, in a function where none stay: some 100 KB.
constexpr size_t many_expressions = 4096;

}  // namespace

void Lowering::print_statements(std::span<const StmtId> made) {
  if (!out_.ok) return;  // what is refused has no text
  for (const StmtId id : made) {
    const Stmt& stmt = python_[id];
    const bool docstring = body_.text.empty() && stmt.kind == StmtKind::Expression && python_[stmt.value].kind == PyKind::Atom;
    append_statement(body_.text, python_, id, indent, settings_.names.line_width);
    body_.has_code |= stmt.kind != StmtKind::Comments;
    if (docstring) body_.behind_docstring = body_.text.size();
  }
}

// Prints all but the last statement, which may get the comments of one that is gone, and forgets what they were made of.
void Lowering::print_ahead(std::vector<StmtId>& made) {
  if (python_.expressions() < many_expressions + 2 * body_.kept_expressions || made.empty() || !out_.ok) return;
  // Room that is not written to costs nothing, and a text that grows by copies is there twice.
  if (body_.text.empty()) body_.text.reserve(size_t{4} * program_.functions[function_].span.size());
  print_statements(std::span(made).first(made.size() - 1));
  made.erase(made.begin(), made.end() - 1);

  atoms_ = {};
  for (const ir::OpId id : built_ops_) built_[id.index] = {};
  built_ops_.clear();
  std::vector<PyId*> kept;
  if (parts_) kept.push_back(&*parts_);
  const auto keep_view = [&](View& view) {
    kept.push_back(&view.pointer);
    for (std::vector<PyId>* fields : {&view.extents, &view.strides}) {
      for (PyId& field : *fields) kept.push_back(&field);
    }
  };
  for (auto& [value, view] : views_) keep_view(view);
  for (auto& [var, view] : var_views_) keep_view(view);
  StmtId* const last = &made.back();
  python_.keep(kept, {&last, 1});
  body_.kept_expressions = python_.expressions();
}

// Behind its docstring.
void Lowering::insert_statement(StmtId id) {
  std::string text;
  append_statement(text, python_, id, indent, settings_.names.line_width);
  body_.text.insert(body_.behind_docstring, text);
  body_.has_code = true;
}

std::string Lowering::body_text() {
  if (!body_.has_code) body_.text.append(indent, ' ').append("pass\n");
  return std::move(body_.text);
}

}  // namespace tilewright::back::triton
