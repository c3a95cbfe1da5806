// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The Python that we write: small expressions and statements, built once and then only read.
//
// Everything that makes text text (parentheses, line breaks, indentation) is format.cc's; whoever builds an expression thinks in
// trees. Statements carry the author's comments and blank lines, so that printing them is a walk.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace tilewright::back::triton {

struct PyTag;
using PyId = Id<PyTag>;
struct StmtTag;
using StmtId = Id<StmtTag>;

enum class PyKind : uint8_t {
  Atom,         // text: a name, a number, a string, a dotted name
  Attribute,    // children[0].text
  Call,         // children[0](children[1:])
  Index,        // children[0][text]
  Item,         // children[0][children[1:]]
  Keyword,      // text=children[0]
  Star,         // *children[0]
  Prefix,       // text children[0]: -, ~, not
  Infix,        // children[0] text children[1]
  Conditional,  // children[0] if children[1] else children[2]
  Tuple,        // (children)
};

struct Py {
  PyKind kind = PyKind::Atom;
  std::string text;
  std::vector<PyId> children;
};

enum class StmtKind : uint8_t { Assign, Augmented, Expression, If, For, While, Return, Pass, Comments };

// What stands around a statement in the author's text.
struct Trivia {
  uint32_t blank_lines = 0;               // above its leading comments
  std::vector<std::string> leading;       // own lines above it, with `#`; an empty one is a blank line
  std::string trailing;                   // at the end of its line
  std::vector<std::string> body_closing;  // own lines at the end of its body
  std::vector<std::string> else_leading;  // own lines above `else:`
  std::string else_trailing;              // at the end of the line of `else:`
  std::vector<std::string> else_closing;  // own lines at the end of its else part
};

struct Stmt {
  StmtKind kind = StmtKind::Pass;
  std::vector<PyId> targets;  // Assign, Augmented; the variable of a For
  std::string word;           // Assign: the annotation if any; Augmented: `+=`
  PyId value;                 // assigned, returned, iterated or tested; none() for a bare return
  std::vector<StmtId> body;
  std::vector<StmtId> orelse;  // of an If; one If in it whose trivia are empty is an `elif`
  Trivia trivia;
};

// Holds the expressions and statements of one function.
class Python {
 public:
  const Py& operator[](PyId id) const { return exprs_[id]; }
  const Stmt& operator[](StmtId id) const { return stmts_[id]; }
  Stmt& edit(StmtId id) { return stmts_[id]; }

  PyId atom(std::string_view text) { return add({PyKind::Atom, std::string(text), {}}); }
  PyId number(int64_t value);
  PyId attribute(PyId value, std::string_view name) { return add({PyKind::Attribute, std::string(name), {value}}); }
  PyId call(PyId function, std::vector<PyId> arguments);
  PyId call(std::string_view function, std::vector<PyId> arguments) { return call(atom(function), std::move(arguments)); }
  PyId method(PyId value, std::string_view name, std::vector<PyId> arguments) {
    return call(attribute(value, name), std::move(arguments));
  }
  PyId keyword(std::string_view name, PyId value) { return add({PyKind::Keyword, std::string(name), {value}}); }
  PyId star(PyId value) { return add({PyKind::Star, {}, {value}}); }
  // `value[index]` where index is text: `:, None`.
  PyId index(PyId value, std::string_view text) { return add({PyKind::Index, std::string(text), {value}}); }
  PyId item(PyId value, std::vector<PyId> items);
  PyId prefix(std::string_view op, PyId value) { return add({PyKind::Prefix, std::string(op), {value}}); }
  PyId infix(PyId left, std::string_view op, PyId right) { return add({PyKind::Infix, std::string(op), {left, right}}); }
  PyId conditional(PyId value, PyId condition, PyId other) { return add({PyKind::Conditional, {}, {value, condition, other}}); }
  PyId tuple(std::vector<PyId> items) { return add({PyKind::Tuple, {}, std::move(items)}); }

  StmtId add(Stmt stmt) { return stmts_.add(std::move(stmt)); }
  StmtId assign(std::string_view name, PyId value);
  StmtId expression(PyId value);

 private:
  PyId add(Py py) { return exprs_.add(std::move(py)); }

  Store<PyId, Py> exprs_;
  Store<StmtId, Stmt> stmts_;
};

// Python's precedences; higher binds tighter.
int precedence(const Python& python, PyId id);
// Whether the two print the same text.
bool same(const Python& python, PyId a, PyId b);
// On one line.
std::string flat(const Python& python, PyId id);

// A block as lines that end in "\n", indented by `indent` spaces, no longer than `width` where that can be.
std::string format(const Python& python, const std::vector<StmtId>& body, uint32_t indent, uint32_t width);

// An expression inside of brackets, its first line unindented, the others at `indent`; `tail` columns stay free behind it.
std::string format_argument(const Python& python, PyId id, uint32_t indent, uint32_t width, uint32_t tail);

// One parameter or argument list whose rows belong together. All on one line if they fit behind `head` and before `tail`, else a
// row per line, wrapped at `width`, and the closing bracket on its own line.
struct Row {
  std::vector<std::string> items;
  std::string comment;               // with `#`, at the end of the row
  std::vector<std::string> leading;  // own lines above
};
enum class Lines : uint8_t { AsFew, Several };
std::string format_rows(std::string_view head, const std::vector<Row>& rows, std::string_view tail, uint32_t indent,
                        uint32_t width, Lines lines = Lines::AsFew);

}  // namespace tilewright::back::triton
