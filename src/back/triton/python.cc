// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/python.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/check.h"

namespace tilewright::back::triton {
namespace {

constexpr uint8_t tuple_precedence = 0;
constexpr uint8_t conditional_precedence = 1;
constexpr uint8_t not_precedence = 4;
constexpr uint8_t unary_precedence = 12;
constexpr uint8_t postfix_precedence = 15;
constexpr uint8_t atom_precedence = 16;

uint8_t infix_precedence(std::string_view op) {
  struct Level {
    std::string_view op;
    uint8_t precedence;
  };
  // The commonest first.
  static constexpr Level levels[] = {
      {"+", 10},
      {"*", 11},
      {"-", 10},
      {"or", 2},
      {"and", 3},
      {"<", compare_precedence},
      {"<=", compare_precedence},
      {">", compare_precedence},
      {">=", compare_precedence},
      {"==", compare_precedence},
      {"!=", compare_precedence},
      {"is", compare_precedence},
      {"is not", compare_precedence},
      {"|", 6},
      {"^", 7},
      {"&", 8},
      {"<<", 9},
      {">>", 9},
      {"/", 11},
      {"//", 11},
      {"%", 11},
      {"@", 11},
      {"**", power_precedence},
  };
  for (const Level& level : levels) {
    if (level.op == op) return level.precedence;
  }
  TW_CHECK(false, "an operator without a precedence: " + std::string(op));
  return 0;
}

uint8_t precedence_of(PyKind kind, std::string_view text) {
  switch (kind) {
    case PyKind::Atom: return atom_precedence;
    case PyKind::Attribute:
    case PyKind::Call:
    case PyKind::Index:
    case PyKind::Item: return postfix_precedence;
    case PyKind::Prefix: return text == "not" ? not_precedence : unary_precedence;
    case PyKind::Infix: return infix_precedence(text);
    case PyKind::Conditional: return conditional_precedence;
    case PyKind::Tuple:
    case PyKind::Keyword:
    case PyKind::Star: return tuple_precedence;
  }
  return 0;
}

// Whether `a inner b outer c` sends a reader to the table of precedences: `a % b // c`, `a // b * c`.
bool mixes(std::string_view inner, std::string_view outer) {
  return (inner == "%" && outer != "%") || (inner == "//" && outer != "//");
}

// `2**n`, but `a.b ** n`.
bool hugs(const Python& python, const Py& infix) {
  return infix.text == "**" && python[infix.children[0]].kind == PyKind::Atom && python[infix.children[1]].kind == PyKind::Atom;
}

size_t line_width(const Python& python, PyId id) {
  const Py py = python[id];
  const size_t text = width_of(py.text);
  const auto child = [&](size_t i) { return child_width(python, id, i); };
  switch (py.kind) {
    case PyKind::Atom: return text;
    case PyKind::Attribute: return child(0) + 1 + text;
    case PyKind::Index: return child(0) + 2 + text;
    case PyKind::Keyword: return text + 1 + child(0);
    case PyKind::Star: return 1 + child(0);
    case PyKind::Prefix: return text + (py.precedence == not_precedence ? 1 : 0) + child(0);
    case PyKind::Infix: return child(0) + text + (hugs(python, py) ? 0 : 2) + child(1);
    case PyKind::Conditional: return child(0) + 4 + child(1) + 6 + child(2);
    case PyKind::Call:
    case PyKind::Item: return child(0) + 2 + list_width(python, py.children.subspan(1));
    case PyKind::Tuple: return 2 + list_width(python, py.children) + (py.children.size() == 1 ? 1 : 0);
  }
  return 0;
}

}  // namespace

PyId Python::add(PyKind kind, std::string_view text, Parts first, Parts rest) {
  Node node{.kind = kind,
            .precedence = precedence_of(kind, text),
            .one_line = text.find('\n') == std::string_view::npos,
            .width = 0,
            .text_begin = static_cast<uint32_t>(texts_.size()),
            .text_size = static_cast<uint32_t>(text.size()),
            .children_begin = static_cast<uint32_t>(children_.size()),
            .children_count = static_cast<uint32_t>(first.size() + rest.size())};
  texts_.append(text);
  for (const Parts& part : {first, rest}) {
    for (const PyId child : part) {
      node.one_line = node.one_line && nodes_[child].one_line;
      children_.push_back(child);
    }
  }
  const PyId id = nodes_.add(node);
  nodes_[id].width = static_cast<uint32_t>(line_width(*this, id));
  return id;
}

PyId Python::number(int64_t value) {
  if (value >= 0) return atom(std::to_string(value));
  return prefix("-", atom(std::to_string(value).substr(1)));
}

StmtId Python::assign(PyId name, PyId value) { return add(Stmt{.kind = StmtKind::Assign, .target = name, .value = value}); }

StmtId Python::expression(PyId value) { return add(Stmt{.kind = StmtKind::Expression, .value = value}); }

void Python::keep(std::span<PyId* const> expressions, std::span<StmtId* const> statements) {
  // By old id, the new one; index 0 of what is to stay and has none yet.
  std::vector<PyId> nodes(nodes_.size());
  std::vector<StmtId> stmts(stmts_.size());
  const auto stays = [](auto& to, auto id) {
    if (id) to[id.index].index = 0;
  };
  for (const StmtId* id : statements) stays(stmts, *id);
  for (const PyId* id : expressions) stays(nodes, *id);
  // What something is made of was there before it.
  for (size_t i = stmts.size(); i-- > 0;) {
    if (!stmts[i]) continue;
    const Stmt& stmt = stmts_[StmtId{static_cast<uint32_t>(i)}];
    stays(nodes, stmt.target);
    stays(nodes, stmt.value);
    for (const std::vector<StmtId>* part : {&stmt.body, &stmt.orelse}) {
      for (const StmtId inner : *part) {
        TW_CHECK(inner.index < i, "a statement stands in one that was made before it");
        stays(stmts, inner);
      }
    }
  }
  for (size_t i = nodes.size(); i-- > 0;) {
    if (!nodes[i]) continue;
    for (const PyId child : (*this)[PyId{static_cast<uint32_t>(i)}].children) stays(nodes, child);
  }

  Python kept;
  const auto renamed = [](const auto& to, auto id) { return id ? to[id.index] : id; };
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i]) continue;
    const Py py = (*this)[PyId{i}];
    Node node = nodes_[PyId{i}];
    node.text_begin = static_cast<uint32_t>(kept.texts_.size());
    node.children_begin = static_cast<uint32_t>(kept.children_.size());
    kept.texts_.append(py.text);
    for (const PyId child : py.children) kept.children_.push_back(nodes[child.index]);
    nodes[i] = kept.nodes_.add(node);
  }
  for (uint32_t i = 0; i < stmts.size(); ++i) {
    if (!stmts[i]) continue;
    Stmt stmt = std::move(stmts_[StmtId{i}]);
    stmt.target = renamed(nodes, stmt.target);
    stmt.value = renamed(nodes, stmt.value);
    for (std::vector<StmtId>* part : {&stmt.body, &stmt.orelse}) {
      for (StmtId& inner : *part) inner = stmts[inner.index];
    }
    stmts[i] = kept.stmts_.add(std::move(stmt));
  }
  for (PyId* id : expressions) *id = renamed(nodes, *id);
  for (StmtId* id : statements) *id = renamed(stmts, *id);
  *this = std::move(kept);
}

size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

bool needs_parentheses(const Python& python, PyId parent, size_t child) {
  const Py py = python[parent];
  const Py inner = python[py.children[child]];
  switch (py.kind) {
    case PyKind::Atom: return false;
    case PyKind::Attribute:
      return inner.precedence < postfix_precedence ||
             (inner.kind == PyKind::Atom && !inner.text.empty() && std::isdigit(static_cast<unsigned char>(inner.text[0])));
    case PyKind::Index: return inner.precedence < postfix_precedence;
    case PyKind::Call:
    case PyKind::Item: return child == 0 && inner.precedence < postfix_precedence;
    case PyKind::Keyword:
    case PyKind::Star: return inner.kind == PyKind::Tuple;
    case PyKind::Prefix: return inner.precedence < py.precedence;
    case PyKind::Infix: {
      if (py.precedence == power_precedence)
        return child == 0 ? inner.precedence <= py.precedence : inner.precedence < unary_precedence;
      if (child == 0 && inner.precedence == py.precedence && mixes(inner.text, py.text)) return true;
      return child == 0 && py.precedence != compare_precedence ? inner.precedence < py.precedence
                                                               : inner.precedence <= py.precedence;
    }
    case PyKind::Conditional:
      return child == 2 ? inner.precedence < conditional_precedence : inner.precedence <= conditional_precedence;
    case PyKind::Tuple: return false;
  }
  return false;
}

size_t child_width(const Python& python, PyId parent, size_t child) {
  return python[python[parent].children[child]].width + (needs_parentheses(python, parent, child) ? 2 : 0);
}

size_t list_width(const Python& python, std::span<const PyId> items) {
  size_t out = items.empty() ? 0 : 2 * (items.size() - 1);
  for (const PyId item : items) out += python[item].width;
  return out;
}

void append_head(std::string& out, const Py& py) {
  if (py.kind != PyKind::Star) out += py.text;
  if (py.kind == PyKind::Keyword) out += '=';
  if (py.kind == PyKind::Star) out += '*';
  if (py.precedence == not_precedence) out += ' ';
}

void append_flat(std::string& out, const Python& python, PyId id) {
  const Py py = python[id];
  const auto child = [&](size_t i) { append_flat_child(out, python, id, i); };
  switch (py.kind) {
    case PyKind::Atom: out += py.text; return;
    case PyKind::Attribute:
      child(0);
      out.append(".").append(py.text);
      return;
    case PyKind::Index:
      child(0);
      out.append("[").append(py.text).append("]");
      return;
    case PyKind::Keyword:
    case PyKind::Star:
    case PyKind::Prefix:
      append_head(out, py);
      child(0);
      return;
    case PyKind::Infix: {
      const std::string_view gap = hugs(python, py) ? "" : " ";
      child(0);
      out.append(gap).append(py.text).append(gap);
      child(1);
      return;
    }
    case PyKind::Conditional:
      child(0);
      out += " if ";
      child(1);
      out += " else ";
      child(2);
      return;
    case PyKind::Call:
    case PyKind::Item:
      child(0);
      out += py.kind == PyKind::Call ? '(' : '[';
      append_flat_list(out, python, py.children.subspan(1));
      out += py.kind == PyKind::Call ? ')' : ']';
      return;
    case PyKind::Tuple:
      out += '(';
      append_flat_list(out, python, py.children);
      out += py.children.size() == 1 ? ",)" : ")";
      return;
  }
}

void append_flat_child(std::string& out, const Python& python, PyId parent, size_t child) {
  const bool parentheses = needs_parentheses(python, parent, child);
  if (parentheses) out += '(';
  append_flat(out, python, python[parent].children[child]);
  if (parentheses) out += ')';
}

void append_flat_list(std::string& out, const Python& python, std::span<const PyId> items) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    append_flat(out, python, items[i]);
  }
}

std::string flat(const Python& python, PyId id) {
  std::string out;
  append_flat(out, python, id);
  return out;
}

bool same(const Python& python, PyId a, PyId b) {
  if (a == b) return true;
  const Py x = python[a];
  const Py y = python[b];
  if (x.kind != y.kind || x.text != y.text || x.children.size() != y.children.size()) return false;
  for (size_t i = 0; i < x.children.size(); ++i) {
    if (!same(python, x.children[i], y.children[i])) return false;
  }
  return true;
}

}  // namespace tilewright::back::triton
