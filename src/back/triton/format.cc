// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Trees to text, broken as black and ruff break it: a line that is too long is opened at its last bracket, then item by item, and
// a sum is continued on lines that begin with the operator.

#include <algorithm>

#include "back/triton/python.h"

namespace tilewright::back::triton {
namespace {

constexpr uint32_t step = 4;

// Where a layout stands: `column` is where its first line starts, `tail` what must still fit behind its last line.
struct Place {
  uint32_t indent = 0;
  size_t column = 0;
  size_t tail = 0;
  bool in_brackets = false;  // a line may end anywhere
};

// Every layout is appended to `out`.
class Formatter {
 public:
  Formatter(const Python& python, uint32_t width, std::string& out) : python_(python), width_(width), out_(out) {}

  void statement(StmtId id, uint32_t indent);
  // Inside of brackets: operators begin the lines.
  void layout_lines(PyId id, Place place);

 private:
  struct Part {  // of a chain of operators that bind alike
    PyId parent;
    size_t child = 0;
    std::string_view op;  // before it; none before the first one
  };

  void layout(PyId id, Place place);
  void layout_child(PyId parent, size_t child, Place place);
  void layout_brackets(PyId id, Place place);
  void layout_call(PyId id, Place place);
  void layout_infix(PyId id, Place place);
  void in_parentheses(PyId id, Place place);
  void top(PyId id, Place place);
  std::vector<Part> chain(PyId id) const;

  void block(const std::vector<StmtId>& body, uint32_t indent);
  void headed(size_t line_begin, PyId value, uint32_t indent, size_t tail);
  void comments(const std::vector<std::string>& lines, uint32_t indent);
  void suite(const std::vector<StmtId>& body, const std::vector<std::string>& closing, uint32_t indent);
  void line_end(std::string_view before, const std::string& comment);
  void new_line(uint32_t indent) { out_.append("\n").append(indent, ' '); }

  bool fits(PyId id, Place place) const {
    return python_[id].one_line && place.column + python_[id].width + place.tail <= width_;
  }
  bool one_line(std::span<const PyId> items) const {
    return std::all_of(items.begin(), items.end(), [&](PyId item) { return python_[item].one_line; });
  }

  const Python& python_;
  uint32_t width_;
  std::string& out_;
};

// What is in the brackets of a call, an item or a tuple.
std::span<const PyId> items_of(const Py& py) { return py.kind == PyKind::Tuple ? py.children : py.children.subspan(1); }

// Whether a line break can be had inside of this expression's own brackets.
bool opens(const Python& python, PyId id) {
  const Py py = python[id];
  switch (py.kind) {
    case PyKind::Call:
    case PyKind::Item: return py.children.size() > 1 || opens(python, py.children[0]);
    case PyKind::Attribute:
    case PyKind::Index: {
      const PyKind inner = python[py.children[0]].kind;
      return inner == PyKind::Infix || inner == PyKind::Conditional || opens(python, py.children[0]);
    }
    case PyKind::Tuple: return true;
    case PyKind::Keyword:
    case PyKind::Star:
    case PyKind::Prefix: return opens(python, py.children[0]);
    case PyKind::Atom:
    case PyKind::Infix:
    case PyKind::Conditional: return false;
  }
  return false;
}

void Formatter::in_parentheses(PyId id, Place place) {
  out_ += '(';
  if (fits(id, {place.indent, place.column + 2, place.tail, place.in_brackets})) {
    append_flat(out_, python_, id);
  } else {
    const uint32_t inner = place.indent + step;
    new_line(inner);
    layout_lines(id, {inner, inner, 0, true});
    new_line(place.indent);
  }
  out_ += ')';
}

void Formatter::layout_child(PyId parent, size_t child, Place place) {
  const PyId id = python_[parent].children[child];
  needs_parentheses(python_, parent, child) ? in_parentheses(id, place) : layout(id, place);
}

// The brackets of a call, an item or a tuple, and what is in them, opened.
void Formatter::layout_brackets(PyId id, Place place) {
  const Py py = python_[id];
  const std::span<const PyId> items = items_of(py);
  const bool one_tuple = py.kind == PyKind::Tuple && items.size() == 1;
  const uint32_t inner = place.indent + step;
  out_ += py.kind == PyKind::Item ? '[' : '(';
  if (items.empty()) {
  } else if (inner + list_width(python_, items) <= width_ && one_line(items) && !one_tuple) {
    new_line(inner);
    append_flat_list(out_, python_, items);
    new_line(place.indent);
  } else if (items.size() == 1 && !one_tuple) {
    new_line(inner);
    layout_lines(items[0], {inner, inner, 0, true});
    new_line(place.indent);
  } else {
    for (const PyId item : items) {
      new_line(inner);
      layout_lines(item, {inner, inner, 1, true});
      out_ += ',';
    }
    new_line(place.indent);
  }
  out_ += py.kind == PyKind::Item ? ']' : ')';
}

void Formatter::layout_call(PyId id, Place place) {
  const Py py = python_[id];
  const std::span<const PyId> items = items_of(py);
  // `tl.load(…).to(tl.float32)`: the brackets of the receiver open, the method follows behind them.
  const PyId function = py.children[0];
  const Py callee = python_[function];
  const bool method = callee.kind == PyKind::Attribute && python_[callee.children[0]].kind != PyKind::Atom;
  if (method) {
    const size_t receiver = child_width(python_, function, 0);
    const size_t tail = 1 + width_of(callee.text) + 2 + list_width(python_, items);  // `.to(…)`
    const bool breaks = needs_parentheses(python_, function, 0) || opens(python_, callee.children[0]);
    const bool too_long = place.column + receiver + callee.text.size() + 2 > width_;
    if (breaks && (too_long || items.empty() || tail < 30)) {
      const bool tail_fits = place.indent + 1 + tail + place.tail <= width_;
      layout_child(function, 0, {place.indent, place.column, tail_fits ? place.tail + tail : width_, place.in_brackets});
      out_.append(".").append(callee.text);
      if (!tail_fits) return layout_brackets(id, place);
      out_ += py.kind == PyKind::Call ? '(' : '[';
      append_flat_list(out_, python_, items);
      out_ += py.kind == PyKind::Call ? ')' : ']';
      return;
    }
  }
  append_flat_child(out_, python_, id, 0);
  layout_brackets(id, place);
}

// The operands of a chain of operators that bind alike, leftmost first.
std::vector<Formatter::Part> Formatter::chain(PyId id) const {
  const uint8_t level = python_[id].precedence;
  std::vector<PyId> spine;
  PyId at = id;
  for (;;) {
    spine.push_back(at);
    const PyId left = python_[at].children[0];
    const bool goes_on = python_[left].kind == PyKind::Infix && python_[left].precedence == level &&
                         level != compare_precedence && level != power_precedence;
    if (!goes_on) break;
    at = left;
  }
  std::vector<Part> out = {{spine.back(), 0, {}}};
  for (size_t i = spine.size(); i-- > 0;) out.push_back({spine[i], 1, python_[spine[i]].text});
  return out;
}

void Formatter::layout_lines(PyId id, Place place) {
  if (fits(id, place)) return append_flat(out_, python_, id);
  const Py py = python_[id];
  if (py.kind == PyKind::Infix) {
    const std::vector<Part> parts = chain(id);
    for (size_t i = 0; i < parts.size(); ++i) {
      size_t column = place.column;
      if (i > 0) {
        new_line(place.indent);
        out_.append(parts[i].op).append(" ");
        column = place.indent + parts[i].op.size() + 1;
      }
      const size_t tail = i + 1 == parts.size() ? place.tail : 0;
      layout_child(parts[i].parent, parts[i].child, {place.indent, column, tail, true});
    }
    return;
  }
  if (py.kind == PyKind::Conditional) {
    layout_child(id, 0, {place.indent, place.column, 0, true});
    new_line(place.indent);
    out_ += "if ";
    layout_child(id, 1, {place.indent, place.indent + 3, 0, true});
    new_line(place.indent);
    out_ += "else ";
    return layout_child(id, 2, {place.indent, place.indent + 5, place.tail, true});
  }
  if (py.kind == PyKind::Keyword) {
    append_head(out_, py);
    const Place behind{place.indent, place.column + py.text.size() + 1, place.tail, true};
    return needs_parentheses(python_, id, 0) ? layout_child(id, 0, behind) : layout_lines(py.children[0], behind);
  }
  layout(id, place);
}

void Formatter::layout_infix(PyId id, Place place) {
  if (place.in_brackets) return layout_lines(id, place);
  // One operator before something with brackets of its own: `y = x + tl.load(…)`.
  const std::vector<Part> parts = chain(id);
  if (parts.size() == 2) {
    const size_t head = child_width(python_, id, 0) + 1 + width_of(parts[1].op) + 1;
    const PyId last = python_[id].children[1];
    const bool brackets = python_[last].kind == PyKind::Call && opens(python_, last);
    if (brackets && place.column + head + python_[python_[last].children[0]].width + 1 <= width_) {
      append_flat_child(out_, python_, id, 0);
      out_.append(" ").append(parts[1].op).append(" ");
      return layout_child(id, 1, {place.indent, place.column + head, place.tail, false});
    }
  }
  in_parentheses(id, place);
}

void Formatter::layout(PyId id, Place place) {
  if (fits(id, place)) return append_flat(out_, python_, id);
  const Py py = python_[id];
  switch (py.kind) {
    case PyKind::Atom: out_ += py.text; return;
    case PyKind::Attribute:
      layout_child(id, 0, {place.indent, place.column, place.tail + 1 + width_of(py.text), place.in_brackets});
      out_.append(".").append(py.text);
      return;
    case PyKind::Index:
      layout_child(id, 0, {place.indent, place.column, place.tail + 2 + width_of(py.text), place.in_brackets});
      out_.append("[").append(py.text).append("]");
      return;
    case PyKind::Keyword:
    case PyKind::Star:
    case PyKind::Prefix:
      append_head(out_, py);
      return layout_child(id, 0,
                          {place.indent, place.column + py.width - child_width(python_, id, 0), place.tail, place.in_brackets});
    case PyKind::Call:
    case PyKind::Item: return layout_call(id, place);
    case PyKind::Tuple: return layout_brackets(id, place);
    case PyKind::Infix: return layout_infix(id, place);
    case PyKind::Conditional: return place.in_brackets ? layout_lines(id, place) : in_parentheses(id, place);
  }
}

// The value of a statement: a tuple needs no parentheses while it is on one line.
void Formatter::top(PyId id, Place place) {
  const Py py = python_[id];
  if (py.kind == PyKind::Tuple && py.children.size() > 1 && py.one_line &&
      place.column + list_width(python_, py.children) + place.tail <= width_)
    return append_flat_list(out_, python_, py.children);
  layout(id, place);
}

void Formatter::comments(const std::vector<std::string>& lines, uint32_t indent) {
  for (const std::string& line : lines) {
    if (!line.empty()) out_.append(indent, ' ').append(line);
    out_ += '\n';
  }
}

void Formatter::suite(const std::vector<StmtId>& body, const std::vector<std::string>& closing, uint32_t indent) {
  block(body, indent);
  comments(closing, indent);
}

void Formatter::line_end(std::string_view before, const std::string& comment) {
  out_ += before;
  if (!comment.empty()) out_.append("  ").append(comment);
  out_ += '\n';
}

// The value of a statement behind its head, which stands in `out_` from `head_begin` on.
void Formatter::headed(size_t head_begin, PyId value, uint32_t indent, size_t tail) {
  top(value, {indent, indent + width_of(std::string_view(out_).substr(head_begin)), tail, false});
}

void Formatter::statement(StmtId id, uint32_t indent) {
  const Stmt& stmt = python_[id];
  const Trivia& trivia = stmt.trivia();
  out_.append(stmt.blank_lines, '\n');
  comments(trivia.leading, indent);
  if (stmt.kind == StmtKind::Comments) return;
  out_.append(indent, ' ');
  const size_t begin = out_.size();
  switch (stmt.kind) {
    case StmtKind::Assign:
    case StmtKind::Augmented:
      if (python_[stmt.target].kind == PyKind::Tuple) {
        append_flat_list(out_, python_, python_[stmt.target].children);
      } else {
        append_flat(out_, python_, stmt.target);
      }
      if (stmt.kind == StmtKind::Augmented) {
        out_.append(" ").append(stmt.word).append(" ");
      } else {
        out_.append(stmt.word.empty() ? "" : ": ").append(stmt.word).append(" = ");
      }
      headed(begin, stmt.value, indent, 0);
      return line_end("", trivia.trailing);
    case StmtKind::Expression: headed(begin, stmt.value, indent, 0); return line_end("", trivia.trailing);
    case StmtKind::Return:
      out_ += stmt.value ? "return " : "return";
      if (stmt.value) headed(begin, stmt.value, indent, 0);
      return line_end("", trivia.trailing);
    case StmtKind::Pass: return line_end("pass", trivia.trailing);
    case StmtKind::While:
    case StmtKind::For:
      if (stmt.kind == StmtKind::For) {
        out_ += "for ";
        append_flat(out_, python_, stmt.target);
        out_ += " in ";
      } else {
        out_ += "while ";
      }
      headed(begin, stmt.value, indent, 1);
      line_end(":", trivia.trailing);
      return suite(stmt.body, trivia.body_closing, indent + step);
    case StmtKind::If:
      out_.append(stmt.word.empty() ? "if" : stmt.word).append(" ");
      headed(begin, stmt.value, indent, 1);
      line_end(":", trivia.trailing);
      suite(stmt.body, trivia.body_closing, indent + step);
      if (stmt.orelse.empty()) return;
      if (stmt.orelse.size() == 1 && python_[stmt.orelse[0]].word == "elif") return statement(stmt.orelse[0], indent);
      comments(trivia.else_leading, indent);
      out_.append(indent, ' ');
      line_end("else:", trivia.else_trailing);
      return suite(stmt.orelse, trivia.else_closing, indent + step);
    case StmtKind::Comments: return;
  }
}

void Formatter::block(const std::vector<StmtId>& body, uint32_t indent) {
  bool code = false;
  for (const StmtId id : body) {
    statement(id, indent);
    code |= python_[id].kind != StmtKind::Comments;
  }
  if (!code) out_.append(indent, ' ').append("pass\n");
}

}  // namespace

void append_statement(std::string& out, const Python& python, StmtId id, uint32_t indent, uint32_t width) {
  Formatter(python, width, out).statement(id, indent);
}

std::string format_argument(const Python& python, PyId id, uint32_t indent, uint32_t width, uint32_t tail) {
  std::string out;
  Formatter(python, width, out).layout_lines(id, {indent, indent, tail, true});
  return out;
}

std::string format_rows(std::string_view head, const std::vector<Row>& rows, std::string_view tail, uint32_t indent,
                        uint32_t width, Lines lines) {
  bool one_line = lines == Lines::AsFew || rows.empty();
  size_t total = indent + width_of(head) + width_of(tail);
  size_t count = 0;
  for (const Row& row : rows) {
    for (const std::string& item : row.items) total += (count++ > 0 ? 2 : 0) + width_of(item);
    one_line &= row.comment.empty() && row.leading.empty();
  }
  one_line &= total <= width;
  std::string out = std::string(indent, ' ').append(head);
  if (one_line) {
    for (const Row& row : rows) {
      for (const std::string& item : row.items) out.append(item).append(--count > 0 ? ", " : "");
    }
    return out.append(tail);
  }
  const uint32_t margin = indent + step;
  out += '\n';
  for (const Row& row : rows) {
    for (const std::string& line : row.leading) out.append(line.empty() ? 0 : margin, ' ').append(line).append("\n");
    size_t column = 0;  // of what the line holds so far
    bool alone = false;
    for (const std::string& item : row.items) {
      const bool several_lines = item.find('\n') != std::string::npos;
      const size_t size = width_of(item) + 1;
      if (column == 0 || alone || several_lines || column + 1 + size > width) {
        if (column > 0) out += '\n';
        out.append(margin, ' ');
        column = margin + size;
      } else {
        out += ' ';
        column += 1 + size;
      }
      out.append(item).append(",");
      alone = several_lines;
    }
    if (column == 0) continue;
    if (!row.comment.empty()) out.append("  ").append(row.comment);
    out += '\n';
  }
  return out.append(indent, ' ').append(tail);
}

}  // namespace tilewright::back::triton
