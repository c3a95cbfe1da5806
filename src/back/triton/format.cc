// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Trees to text, broken as black and ruff break it: a line that is too long is opened at its last bracket, then item by item, and
// a sum is continued on lines that begin with the operator.

#include <algorithm>

#include "back/triton/python.h"
#include "base/check.h"

namespace tilewright::back::triton {
namespace {

constexpr int tuple_precedence = 0;
constexpr int conditional_precedence = 1;
constexpr int compare_precedence = 5;
constexpr int unary_precedence = 12;
constexpr int power_precedence = 13;
constexpr int postfix_precedence = 15;
constexpr int atom_precedence = 16;
constexpr uint32_t step = 4;

int infix_precedence(std::string_view op) {
  struct Level {
    std::string_view op;
    int precedence;
  };
  static constexpr Level levels[] = {
      {"or", 2},
      {"and", 3},
      {"<", 5},
      {"<=", 5},
      {">", 5},
      {">=", 5},
      {"==", 5},
      {"!=", 5},
      {"is", 5},
      {"is not", 5},
      {"|", 6},
      {"^", 7},
      {"&", 8},
      {"<<", 9},
      {">>", 9},
      {"+", 10},
      {"-", 10},
      {"*", 11},
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

size_t width_of(std::string_view text) {
  // Code points, as an editor counts.
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// Where a layout stands: `column` is where its first line starts, `tail` what must still fit behind its last line.
struct Place {
  uint32_t indent = 0;
  size_t column = 0;
  size_t tail = 0;
  bool in_brackets = false;  // a line may end anywhere
};

class Formatter {
 public:
  Formatter(const Python& python, uint32_t width) : python_(python), width_(width) {}

  void block(std::string& out, const std::vector<StmtId>& body, uint32_t indent) const;
  std::string flat(PyId id) const;
  std::string argument(PyId id, uint32_t indent, uint32_t tail) const { return layout_lines(id, {indent, indent, tail, true}); }

 private:
  std::string wrapped(PyId id, bool parentheses) const { return parentheses ? "(" + flat(id) + ")" : flat(id); }
  bool needs_parentheses(PyId parent, size_t child) const;
  std::string flat_child(PyId parent, size_t child) const {
    return wrapped(python_[parent].children[child], needs_parentheses(parent, child));
  }

  std::string layout(PyId id, Place place) const;
  std::string layout_child(PyId parent, size_t child, Place place) const;
  std::string layout_brackets(std::string head, char open, char close, const std::vector<PyId>& items, Place place) const;
  std::string layout_call(PyId id, Place place) const;
  std::string layout_infix(PyId id, Place place) const;
  std::string layout_lines(PyId id, Place place) const;
  std::string in_parentheses(PyId id, Place place) const;
  std::string top(PyId id, Place place) const;
  // The operands of a chain of operators that bind alike, leftmost first; `ops[i]` stands before `operands[i + 1]`.
  void chain(PyId id, std::vector<std::pair<PyId, size_t>>& operands, std::vector<std::string>& ops) const;

  void statement(std::string& out, StmtId id, uint32_t indent) const;
  void comments(std::string& out, const std::vector<std::string>& lines, uint32_t indent) const;
  void suite(std::string& out, const std::vector<StmtId>& body, const std::vector<std::string>& closing, uint32_t indent) const;

  bool fits(std::string_view text, Place place) const {
    return text.find('\n') == std::string_view::npos && place.column + width_of(text) + place.tail <= width_;
  }

  const Python& python_;
  uint32_t width_;
};

// Whether a line break can be had inside of this expression's own brackets.
bool opens(const Python& python, PyId id) {
  const Py& py = python[id];
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

}  // namespace

int precedence(const Python& python, PyId id) {
  const Py& py = python[id];
  switch (py.kind) {
    case PyKind::Atom: return atom_precedence;
    case PyKind::Attribute:
    case PyKind::Call:
    case PyKind::Index:
    case PyKind::Item: return postfix_precedence;
    case PyKind::Prefix: return py.text == "not" ? 4 : unary_precedence;
    case PyKind::Infix: return infix_precedence(py.text);
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

bool Formatter::needs_parentheses(PyId parent, size_t child) const {
  const Py& py = python_[parent];
  const PyId inner = py.children[child];
  const int own = precedence(python_, inner);
  switch (py.kind) {
    case PyKind::Atom: return false;
    case PyKind::Attribute:
      return own < postfix_precedence || (python_[inner].kind == PyKind::Atom && !python_[inner].text.empty() &&
                                          std::isdigit(static_cast<unsigned char>(python_[inner].text[0])));
    case PyKind::Index: return own < postfix_precedence;
    case PyKind::Call:
    case PyKind::Item: return child == 0 && own < postfix_precedence;
    case PyKind::Keyword:
    case PyKind::Star: return python_[inner].kind == PyKind::Tuple;
    case PyKind::Prefix: return own < precedence(python_, parent);
    case PyKind::Infix: {
      const int level = precedence(python_, parent);
      if (level == power_precedence) return child == 0 ? own <= level : own < unary_precedence;
      if (child == 0 && own == level && mixes(python_[inner].text, py.text)) return true;
      return child == 0 && level != compare_precedence ? own < level : own <= level;
    }
    case PyKind::Conditional: return child == 2 ? own < conditional_precedence : own <= conditional_precedence;
    case PyKind::Tuple: return false;
  }
  return false;
}

std::string Formatter::flat(PyId id) const {
  const Py& py = python_[id];
  switch (py.kind) {
    case PyKind::Atom: return py.text;
    case PyKind::Attribute: return flat_child(id, 0) + "." + py.text;
    case PyKind::Index: return flat_child(id, 0) + "[" + py.text + "]";
    case PyKind::Keyword: return py.text + "=" + flat_child(id, 0);
    case PyKind::Star: return "*" + flat_child(id, 0);
    case PyKind::Prefix: return py.text + (py.text == "not" ? " " : "") + flat_child(id, 0);
    case PyKind::Infix: {
      const auto simple = [&](size_t child) { return python_[py.children[child]].kind == PyKind::Atom; };
      const bool hugs = py.text == "**" && simple(0) && simple(1);
      const std::string gap = hugs ? "" : " ";
      return flat_child(id, 0) + gap + py.text + gap + flat_child(id, 1);
    }
    case PyKind::Conditional: return flat_child(id, 0) + " if " + flat_child(id, 1) + " else " + flat_child(id, 2);
    case PyKind::Call:
    case PyKind::Item: {
      std::string out = flat_child(id, 0) + (py.kind == PyKind::Call ? "(" : "[");
      for (size_t i = 1; i < py.children.size(); ++i) out += (i > 1 ? ", " : "") + flat(py.children[i]);
      return out + (py.kind == PyKind::Call ? ")" : "]");
    }
    case PyKind::Tuple: {
      std::string out = "(";
      for (size_t i = 0; i < py.children.size(); ++i) out += (i > 0 ? ", " : "") + flat(py.children[i]);
      return out + (py.children.size() == 1 ? ",)" : ")");
    }
  }
  return {};
}

std::string Formatter::in_parentheses(PyId id, Place place) const {
  const std::string flat_text = "(" + flat(id) + ")";
  if (fits(flat_text, place)) return flat_text;
  const uint32_t inner = place.indent + step;
  return "(\n" + std::string(inner, ' ') + layout_lines(id, {inner, inner, 0, true}) + "\n" + std::string(place.indent, ' ') +
         ")";
}

std::string Formatter::layout_child(PyId parent, size_t child, Place place) const {
  const PyId id = python_[parent].children[child];
  return needs_parentheses(parent, child) ? in_parentheses(id, place) : layout(id, place);
}

std::string Formatter::layout_brackets(std::string head, char open, char close, const std::vector<PyId>& items,
                                       Place place) const {
  if (items.empty()) return head + open + close;
  const uint32_t inner = place.indent + step;
  std::string joined;
  for (size_t i = 0; i < items.size(); ++i) joined += (i > 0 ? ", " : "") + flat(items[i]);
  const std::string indent(inner, ' ');
  std::string out = head + open + "\n";
  const bool one_tuple = open == '(' && head.empty() && items.size() == 1;
  if (inner + width_of(joined) <= width_ && joined.find('\n') == std::string::npos && !one_tuple) {
    out += indent + joined + "\n";
  } else if (items.size() == 1 && !one_tuple) {
    out += indent + layout_lines(items[0], {inner, inner, 0, true}) + "\n";
  } else {
    for (const PyId item : items) out += indent + layout_lines(item, {inner, inner, 1, true}) + ",\n";
  }
  return out + std::string(place.indent, ' ') + close;
}

std::string Formatter::layout_call(PyId id, Place place) const {
  const Py& py = python_[id];
  const char open = py.kind == PyKind::Call ? '(' : '[';
  const char close = py.kind == PyKind::Call ? ')' : ']';
  const std::vector<PyId> items(py.children.begin() + 1, py.children.end());
  std::string suffix(1, open);
  for (size_t i = 0; i < items.size(); ++i) suffix += (i > 0 ? ", " : "") + flat(items[i]);
  suffix += close;

  // `tl.load(…).to(tl.float32)`: the brackets of the receiver open, the method follows behind them.
  const PyId function = py.children[0];
  const Py& callee = python_[function];
  const bool method = callee.kind == PyKind::Attribute && python_[callee.children[0]].kind != PyKind::Atom;
  if (method) {
    const std::string receiver = flat_child(function, 0);
    const bool breaks = needs_parentheses(function, 0) || opens(python_, callee.children[0]);
    const std::string tail = "." + callee.text + suffix;
    const bool too_long = place.column + width_of(receiver) + callee.text.size() + 2 > width_;
    if (breaks && (too_long || items.empty() || width_of(tail) < 30)) {
      const bool tail_fits = place.indent + 1 + width_of(tail) + place.tail <= width_;
      const Place open_receiver{place.indent, place.column, tail_fits ? place.tail + width_of(tail) : width_, place.in_brackets};
      std::string out = layout_child(function, 0, open_receiver);
      if (tail_fits) return out + tail;
      out += "." + callee.text;
      return layout_brackets(std::move(out), open, close, items, place);
    }
  }
  return layout_brackets(flat_child(id, 0), open, close, items, place);
}

void Formatter::chain(PyId id, std::vector<std::pair<PyId, size_t>>& operands, std::vector<std::string>& ops) const {
  const int level = precedence(python_, id);
  std::vector<PyId> spine;
  PyId at = id;
  for (;;) {
    spine.push_back(at);
    const PyId left = python_[at].children[0];
    const bool goes_on = python_[left].kind == PyKind::Infix && precedence(python_, left) == level &&
                         level != compare_precedence && level != power_precedence;
    if (!goes_on) break;
    at = left;
  }
  operands.emplace_back(spine.back(), 0);
  for (size_t i = spine.size(); i-- > 0;) {
    operands.emplace_back(spine[i], 1);
    ops.push_back(python_[spine[i]].text);
  }
}

// Inside of brackets: operators begin the lines.
std::string Formatter::layout_lines(PyId id, Place place) const {
  const std::string flat_text = flat(id);
  if (fits(flat_text, place)) return flat_text;
  const Py& py = python_[id];
  const std::string newline = "\n" + std::string(place.indent, ' ');
  if (py.kind == PyKind::Infix) {
    std::vector<std::pair<PyId, size_t>> operands;
    std::vector<std::string> ops;
    chain(id, operands, ops);
    std::string out;
    for (size_t i = 0; i < operands.size(); ++i) {
      const size_t tail = i + 1 == operands.size() ? place.tail : 0;
      if (i == 0) {
        out += layout_child(operands[i].first, operands[i].second, {place.indent, place.column, tail, true});
        continue;
      }
      const std::string head = ops[i - 1] + " ";
      out += newline + head;
      out += layout_child(operands[i].first, operands[i].second, {place.indent, place.indent + head.size(), tail, true});
    }
    return out;
  }
  if (py.kind == PyKind::Conditional) {
    return layout_child(id, 0, {place.indent, place.column, 0, true}) + newline + "if " +
           layout_child(id, 1, {place.indent, place.indent + 3, 0, true}) + newline + "else " +
           layout_child(id, 2, {place.indent, place.indent + 5, place.tail, true});
  }
  if (py.kind == PyKind::Keyword) {
    const std::string head = py.text + "=";
    const PyId child = py.children[0];
    if (needs_parentheses(id, 0)) return head + layout_child(id, 0, {place.indent, place.column + head.size(), place.tail, true});
    return head + layout_lines(child, {place.indent, place.column + head.size(), place.tail, true});
  }
  return layout(id, place);
}

std::string Formatter::layout_infix(PyId id, Place place) const {
  if (place.in_brackets) return layout_lines(id, place);
  // One operator before something with brackets of its own: `y = x + tl.load(…)`.
  std::vector<std::pair<PyId, size_t>> operands;
  std::vector<std::string> ops;
  chain(id, operands, ops);
  if (operands.size() == 2) {
    const std::string head = flat_child(operands[0].first, operands[0].second) + " " + ops[0] + " ";
    const PyId last = python_[operands[1].first].children[1];
    const bool brackets = python_[last].kind == PyKind::Call && opens(python_, last);
    if (brackets && place.column + width_of(head) + width_of(flat(python_[last].children[0])) + 1 <= width_) {
      return head + layout_child(operands[1].first, 1, {place.indent, place.column + width_of(head), place.tail, false});
    }
  }
  return in_parentheses(id, place);
}

std::string Formatter::layout(PyId id, Place place) const {
  const std::string flat_text = flat(id);
  if (fits(flat_text, place)) return flat_text;
  const Py& py = python_[id];
  switch (py.kind) {
    case PyKind::Atom: return flat_text;
    case PyKind::Attribute: {
      const std::string tail = "." + py.text;
      return layout_child(id, 0, {place.indent, place.column, place.tail + width_of(tail), place.in_brackets}) + tail;
    }
    case PyKind::Index: {
      const std::string tail = "[" + py.text + "]";
      return layout_child(id, 0, {place.indent, place.column, place.tail + width_of(tail), place.in_brackets}) + tail;
    }
    case PyKind::Keyword:
    case PyKind::Star:
    case PyKind::Prefix: {
      const std::string head = py.text + (py.kind == PyKind::Keyword ? "="
                                          : py.kind == PyKind::Star  ? "*"
                                          : py.text == "not"         ? " "
                                                                     : "");
      return head + layout_child(id, 0, {place.indent, place.column + head.size(), place.tail, place.in_brackets});
    }
    case PyKind::Call:
    case PyKind::Item: return layout_call(id, place);
    case PyKind::Tuple: return layout_brackets("", '(', ')', py.children, place);
    case PyKind::Infix: return layout_infix(id, place);
    case PyKind::Conditional: return place.in_brackets ? layout_lines(id, place) : in_parentheses(id, place);
  }
  return flat_text;
}

// The value of a statement: a tuple needs no parentheses while it is on one line.
std::string Formatter::top(PyId id, Place place) const {
  const Py& py = python_[id];
  if (py.kind == PyKind::Tuple && py.children.size() > 1) {
    std::string joined;
    for (size_t i = 0; i < py.children.size(); ++i) joined += (i > 0 ? ", " : "") + flat(py.children[i]);
    if (fits(joined, place)) return joined;
  }
  return layout(id, place);
}

void Formatter::comments(std::string& out, const std::vector<std::string>& lines, uint32_t indent) const {
  for (const std::string& line : lines) {
    if (!line.empty()) out.append(indent, ' ').append(line);
    out += "\n";
  }
}

void Formatter::suite(std::string& out, const std::vector<StmtId>& body, const std::vector<std::string>& closing,
                      uint32_t indent) const {
  block(out, body, indent);
  comments(out, closing, indent);
}

void Formatter::statement(std::string& out, StmtId id, uint32_t indent) const {
  const Stmt& stmt = python_[id];
  out.append(stmt.trivia.blank_lines, '\n');
  comments(out, stmt.trivia.leading, indent);
  if (stmt.kind == StmtKind::Comments) return;
  const std::string margin(indent, ' ');
  const std::string trailing = stmt.trivia.trailing.empty() ? "" : "  " + stmt.trivia.trailing;
  out += margin;
  const auto headed = [&](std::string head, size_t tail) {
    return head + top(stmt.value, {indent, indent + width_of(head), tail, false});
  };
  switch (stmt.kind) {
    case StmtKind::Assign:
    case StmtKind::Augmented: {
      std::string head;
      for (size_t i = 0; i < stmt.targets.size(); ++i) head += (i > 0 ? ", " : "") + flat(stmt.targets[i]);
      if (stmt.kind == StmtKind::Augmented) {
        head += " " + stmt.word + " ";
      } else {
        head += (stmt.word.empty() ? "" : ": " + stmt.word) + " = ";
      }
      out += headed(head, 0) + trailing + "\n";
      return;
    }
    case StmtKind::Expression: out += headed("", 0) + trailing + "\n"; return;
    case StmtKind::Return: out += (stmt.value ? headed("return ", 0) : "return") + trailing + "\n"; return;
    case StmtKind::Pass: out += "pass" + trailing + "\n"; return;
    case StmtKind::While:
    case StmtKind::For: {
      std::string head = "while ";
      if (stmt.kind == StmtKind::For) head = "for " + flat(stmt.targets[0]) + " in ";
      out += headed(head, 1) + ":" + trailing + "\n";
      suite(out, stmt.body, stmt.trivia.body_closing, indent + step);
      return;
    }
    case StmtKind::If: {
      out += headed(stmt.word.empty() ? "if " : stmt.word + " ", 1) + ":" + trailing + "\n";
      suite(out, stmt.body, stmt.trivia.body_closing, indent + step);
      if (stmt.orelse.empty()) return;
      if (stmt.orelse.size() == 1 && python_[stmt.orelse[0]].word == "elif") {
        statement(out, stmt.orelse[0], indent);
        return;
      }
      comments(out, stmt.trivia.else_leading, indent);
      out += margin + "else:" + (stmt.trivia.else_trailing.empty() ? "" : "  " + stmt.trivia.else_trailing) + "\n";
      suite(out, stmt.orelse, stmt.trivia.else_closing, indent + step);
      return;
    }
    case StmtKind::Comments: return;
  }
}

void Formatter::block(std::string& out, const std::vector<StmtId>& body, uint32_t indent) const {
  bool code = false;
  for (const StmtId id : body) {
    statement(out, id, indent);
    code |= python_[id].kind != StmtKind::Comments;
  }
  if (!code) out.append(indent, ' ').append("pass\n");
}

std::string flat(const Python& python, PyId id) { return Formatter(python, 0).flat(id); }

std::string format(const Python& python, const std::vector<StmtId>& body, uint32_t indent, uint32_t width) {
  std::string out;
  Formatter(python, width).block(out, body, indent);
  return out;
}

std::string format_argument(const Python& python, PyId id, uint32_t indent, uint32_t width, uint32_t tail) {
  return Formatter(python, width).argument(id, indent, tail);
}

std::string format_rows(std::string_view head, const std::vector<Row>& rows, std::string_view tail, uint32_t indent,
                        uint32_t width, Lines lines) {
  std::string joined;
  bool one_line = lines == Lines::AsFew || rows.empty();
  for (const Row& row : rows) {
    for (const std::string& item : row.items) joined += (joined.empty() ? "" : ", ") + item;
    one_line &= row.comment.empty() && row.leading.empty();
  }
  std::string out = std::string(indent, ' ').append(head);
  if (one_line && width_of(out) + width_of(joined) + width_of(tail) <= width) return out.append(joined).append(tail);
  const std::string margin(indent + step, ' ');
  out += "\n";
  for (const Row& row : rows) {
    for (const std::string& line : row.leading) out += line.empty() ? "\n" : margin + line + "\n";
    std::string line;
    for (const std::string& item : row.items) {
      const bool several_lines = item.find('\n') != std::string::npos;
      if (!line.empty() && (several_lines || line.find('\n') != std::string::npos ||
                            margin.size() + width_of(line) + width_of(item) + 2 > width)) {
        out += margin + line + "\n";
        line.clear();
      }
      line += (line.empty() ? "" : " ") + item + ",";
    }
    if (line.empty()) continue;
    out += margin + line + (row.comment.empty() ? "" : "  " + row.comment) + "\n";
  }
  return out.append(indent, ' ').append(tail);
}

}  // namespace tilewright::back::triton
