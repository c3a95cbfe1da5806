// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The Python that we write: small expressions and statements, built once and then only read.
//
// Everything that makes text text (parentheses, line breaks, indentation) is format.cc's; whoever builds an expression thinks in
// trees. Statements carry the author's comments and blank lines, so that printing them is a walk.

#pragma once

#include <initializer_list>
#include <memory>
#include <span>
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

inline constexpr uint8_t compare_precedence = 5;
inline constexpr uint8_t power_precedence = 13;

// What an expression says of itself. The text and the children can be read until the next expression is added.
struct Py {
  PyKind kind = PyKind::Atom;
  uint8_t precedence = 0;  // Python's; higher binds tighter
  bool one_line = true;    // nothing in it has a line break of its own
  uint32_t width = 0;      // columns on one line
  std::string_view text;
  std::span<const PyId> children;
};

// Parts of an expression that is made: a vector, or a list in braces.
class Parts : public std::span<const PyId> {
 public:
  Parts(std::initializer_list<PyId> list) : span(list.begin(), list.size()) {}
  Parts(const std::vector<PyId>& list) : span(list) {}
};

enum class StmtKind : uint8_t { Assign, Augmented, Expression, If, For, While, Return, Pass, Comments };

// What stands around a statement in the author's text.
struct Trivia {
  std::vector<std::string> leading;       // own lines above it, with `#`; an empty one is a blank line
  std::string trailing;                   // at the end of its line
  std::vector<std::string> body_closing;  // own lines at the end of its body
  std::vector<std::string> else_leading;  // own lines above `else:`
  std::string else_trailing;              // at the end of the line of `else:`
  std::vector<std::string> else_closing;  // own lines at the end of its else part
};

struct Stmt {
  StmtKind kind = StmtKind::Pass;
  uint32_t blank_lines = 0;  // above its leading comments
  PyId target = {};          // Assign, Augmented: a tuple of several; the variable of a For
  PyId value = {};           // assigned, returned, iterated or tested; none() for a bare return
  std::string word = {};     // Assign: the annotation if any; Augmented: `+=`
  std::vector<StmtId> body = {};
  std::vector<StmtId> orelse = {};  // of an If; one If in it whose trivia are empty is an `elif`
  std::unique_ptr<Trivia> around = {};

  const Trivia& trivia() const {
    static const Trivia none;
    return around ? *around : none;
  }
  Trivia& edit_trivia() {
    if (!around) around = std::make_unique<Trivia>();
    return *around;
  }
};

// Holds the expressions and statements of one function. Texts and children of all expressions lie in one vector each.
class Python {
 public:
  Py operator[](PyId id) const {
    const Node& node = nodes_[id];
    return {.kind = node.kind,
            .precedence = node.precedence,
            .one_line = node.one_line,
            .width = node.width,
            .text = std::string_view(texts_).substr(node.text_begin, node.text_size),
            .children = std::span(children_).subspan(node.children_begin, node.children_count)};
  }
  const Stmt& operator[](StmtId id) const { return stmts_[id]; }
  Stmt& edit(StmtId id) { return stmts_[id]; }

  PyId atom(std::string_view text) { return add(PyKind::Atom, text, {}); }
  PyId number(int64_t value);
  PyId attribute(PyId value, std::string_view name) { return add(PyKind::Attribute, name, {value}); }
  PyId call(PyId function, Parts arguments) { return add(PyKind::Call, {}, {function}, arguments); }
  PyId call(std::string_view function, Parts arguments) { return call(atom(function), arguments); }
  PyId method(PyId value, std::string_view name, Parts arguments) { return call(attribute(value, name), arguments); }
  PyId keyword(std::string_view name, PyId value) { return add(PyKind::Keyword, name, {value}); }
  PyId star(PyId value) { return add(PyKind::Star, {}, {value}); }
  // `value[index]` where index is text: `:, None`.
  PyId index(PyId value, std::string_view text) { return add(PyKind::Index, text, {value}); }
  PyId item(PyId value, Parts items) { return add(PyKind::Item, {}, {value}, items); }
  PyId prefix(std::string_view op, PyId value) { return add(PyKind::Prefix, op, {value}); }
  PyId infix(PyId left, std::string_view op, PyId right) { return add(PyKind::Infix, op, {left, right}); }
  PyId conditional(PyId value, PyId condition, PyId other) { return add(PyKind::Conditional, {}, {value, condition, other}); }
  PyId tuple(Parts items) { return add(PyKind::Tuple, {}, items); }

  StmtId add(Stmt stmt) { return stmts_.add(std::move(stmt)); }
  StmtId assign(PyId name, PyId value);
  StmtId assign(std::string_view name, PyId value) { return assign(atom(name), value); }
  StmtId expression(PyId value);

  size_t expressions() const { return nodes_.size(); }
  // Forgets all but these and what they are made of. What stays gets other ids: the ids here are replaced by them.
  void keep(std::span<PyId* const> expressions, std::span<StmtId* const> statements);

 private:
  struct Node {
    PyKind kind = PyKind::Atom;
    uint8_t precedence = 0;
    bool one_line = true;
    uint32_t width = 0;
    uint32_t text_begin = 0;
    uint32_t text_size = 0;
    uint32_t children_begin = 0;
    uint32_t children_count = 0;
  };
  // The children are `first` and then `rest`.
  PyId add(PyKind kind, std::string_view text, Parts first, Parts rest = {});

  Store<PyId, Node> nodes_;
  std::string texts_;
  std::vector<PyId> children_;
  Store<StmtId, Stmt> stmts_;
};

// Columns, as an editor counts: code points.
size_t width_of(std::string_view text);
// Whether a child stands in parentheses.
bool needs_parentheses(const Python& python, PyId parent, size_t child);
// The width of a child on one line, with its parentheses.
size_t child_width(const Python& python, PyId parent, size_t child);
size_t list_width(const Python& python, std::span<const PyId> items);
// Whether the two print the same text.
bool same(const Python& python, PyId a, PyId b);

// Texts on one line. A child is appended with its parentheses, a list with its commas, a head is what stands before the child of
// a keyword, star or prefix.
std::string flat(const Python& python, PyId id);
void append_flat(std::string& out, const Python& python, PyId id);
void append_flat_child(std::string& out, const Python& python, PyId parent, size_t child);
void append_flat_list(std::string& out, const Python& python, std::span<const PyId> items);
void append_head(std::string& out, const Py& py);

// A statement as lines that end in "\n", indented by `indent` spaces, no longer than `width` where that can be, behind what `out`
// holds.
void append_statement(std::string& out, const Python& python, StmtId id, uint32_t indent, uint32_t width);

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
