// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/python.h"

namespace tilewright::back::triton {

PyId Python::number(int64_t value) {
  if (value >= 0) return atom(std::to_string(value));
  return prefix("-", atom(std::to_string(value).substr(1)));
}

PyId Python::call(PyId function, std::vector<PyId> arguments) {
  arguments.insert(arguments.begin(), function);
  return add({PyKind::Call, {}, std::move(arguments)});
}

PyId Python::item(PyId value, std::vector<PyId> items) {
  items.insert(items.begin(), value);
  return add({PyKind::Item, {}, std::move(items)});
}

StmtId Python::assign(std::string_view name, PyId value) {
  return add(Stmt{
      .kind = StmtKind::Assign, .targets = {atom(name)}, .word = {}, .value = value, .body = {}, .orelse = {}, .trivia = {}});
}

StmtId Python::expression(PyId value) {
  return add(
      Stmt{.kind = StmtKind::Expression, .targets = {}, .word = {}, .value = value, .body = {}, .orelse = {}, .trivia = {}});
}

bool same(const Python& python, PyId a, PyId b) {
  const Py& x = python[a];
  const Py& y = python[b];
  if (x.kind != y.kind || x.text != y.text || x.children.size() != y.children.size()) return false;
  for (size_t i = 0; i < x.children.size(); ++i) {
    if (!same(python, x.children[i], y.children[i])) return false;
  }
  return true;
}

}  // namespace tilewright::back::triton
