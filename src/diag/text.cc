// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "diag/text.h"

#include <algorithm>
#include <map>

#include "diag/glyphs.h"

namespace tilewright::diag {

static constexpr uint32_t most_columns = 160;  // of a line that is quoted; a longer one is cut around what is marked

static constexpr std::string_view bold = "\x1b[1m";
static constexpr std::string_view blue = "\x1b[1;34m";
static constexpr std::string_view reset = "\x1b[0m";

struct Look {
  std::string_view word;
  std::string_view colour;
};

static Look look(Severity severity) {
  switch (severity) {
    case Severity::Error: return {"error", "\x1b[1;31m"};
    case Severity::Warning: return {"warning", "\x1b[1;33m"};
    case Severity::Note: return {"note", "\x1b[1;36m"};
  }
  return {};
}

struct Pen {
  Colour colour;
  std::string out;

  void put(std::string_view text) { out += text; }
  void put(std::string_view text, std::string_view style) {
    if (text.empty()) return;
    if (colour == Colour::Never) return put(text);
    out.append(style).append(text).append(reset);
  }
};

// One underline on one line.
struct Mark {
  uint32_t begin = 0;  // bytes from the start of the line
  uint32_t end = 0;
  char sign = '^';
  std::string_view text;
};

using Marks = std::map<uint32_t, std::vector<Mark>>;  // by line number

static std::string place(const source::Files& files, source::Span span) {
  const auto& file = files[span.file];
  const auto at = file.position(span.begin);
  return file.path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

// A span over several lines marks its first and last one, without the indentation.
static void mark(Marks& marks, const source::File& file, source::Span span, char sign, std::string_view text) {
  const uint32_t first = file.line_of(span.begin);
  const uint32_t last = span.end > span.begin ? file.line_of(span.end - 1) : first;
  for (uint32_t number = first;; number = last) {
    const std::string_view line = file.line(number);
    const uint32_t start = file.line_start(number);
    const auto indent = std::min(line.find_first_not_of(" \t\f"), line.size());
    const uint32_t begin = number == first ? span.begin - start : static_cast<uint32_t>(indent);
    const uint32_t end = number == last ? span.end - start : static_cast<uint32_t>(line.size());
    marks[number].push_back({.begin = begin, .end = end, .sign = sign, .text = number == last ? text : std::string_view{}});
    if (number == last) break;
  }
}

// The columns that are quoted of a line: all of them, or a window that starts a little before the first mark.
struct Window {
  uint32_t from = 0;
  uint32_t to = 0;
};

static Window window(const Line& line, uint32_t first_mark) {
  if (line.width <= most_columns) return {0, line.width};
  const uint32_t lead = most_columns / 4;
  const uint32_t from = std::min(first_mark > lead ? first_mark - lead : 0, line.width - most_columns);
  return {from, from + most_columns};
}

static void quote(Pen& pen, const source::File& file, uint32_t number, std::vector<Mark> marks, Look primary, size_t gutter) {
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.begin < b.begin; });
  const Line line = glyphs(file.line(number));
  const Window shown = window(line, line.column(marks.front().begin));
  const std::string digits = std::to_string(number);

  std::string text;
  uint32_t start = shown.from;  // the first glyph inside the window may start a column later
  for (const Glyph& glyph : line.glyphs) {
    if (glyph.column < shown.from || glyph.column >= shown.to) continue;
    if (text.empty()) start = glyph.column;
    text += glyph.shown;
  }
  text.erase(std::min(text.find_last_not_of(' ') + 1, text.size()));
  pen.put(std::string(gutter - digits.size(), ' ') + digits + " |", blue);
  pen.put(text.empty() ? "" : shown.from > 0 ? " …" : " ");
  pen.put(text + (shown.to < line.width ? "…\n" : "\n"));

  for (const Mark& m : marks) {
    const uint32_t from = std::clamp(line.column(m.begin), start, shown.to) - start + (shown.from > 0 ? 1 : 0);
    const uint32_t to = std::clamp(m.end > m.begin ? line.column(m.end) : 0, start, shown.to) - start + (shown.from > 0 ? 1 : 0);
    std::string under(to > from ? to - from : 1, m.sign);
    if (!m.text.empty()) under.append(" ").append(m.text);
    pen.put(std::string(gutter, ' ') + " |", blue);
    pen.put(std::string(from + 1, ' '));
    pen.put(under, m.sign == '^' ? primary.colour : blue);
    pen.put("\n");
  }
}

static void excerpt(Pen& pen, const source::File& file, const Marks& marks, Look primary, size_t gutter) {
  pen.put(std::string(gutter, ' ') + " |\n", blue);
  uint32_t before = 0;
  for (const auto& [number, on_line] : marks) {
    if (before != 0 && number > before + 1) pen.put("...\n", blue);
    quote(pen, file, number, on_line, primary, gutter);
    before = number;
  }
}

static std::string one_line(const source::Files& files, const Diagnostic& d, Colour colour) {
  Pen pen{colour, {}};
  pen.put(place(files, d.span) + ": ");
  pen.put("note", look(d.severity).colour);
  pen.put("[" + std::string(d.code) + "]: " + d.message + "\n");
  return std::move(pen.out);
}

static void heading(Pen& pen, const Diagnostic& d) {
  pen.put(std::string(look(d.severity).word) + "[" + std::string(d.code) + "]", look(d.severity).colour);
  pen.put(": " + d.message + "\n", bold);
}

// Trouble with the file itself has no place in it.
static std::string without_place(const Diagnostic& d, Colour colour) {
  Pen pen{colour, {}};
  heading(pen, d);
  for (const std::string& note : d.notes) pen.put(" = " + note + "\n");
  return std::move(pen.out);
}

std::string render_text(const source::Files& files, const Diagnostic& d, Colour colour) {
  if (!d.span.file) return without_place(d, colour);
  if (d.severity == Severity::Note) return one_line(files, d, colour);

  std::map<source::FileId, Marks> others;
  Marks here;
  mark(here, files[d.span.file], d.span, '^', {});
  for (const Label& label : d.labels) {
    Marks& marks = label.span.file == d.span.file ? here : others[label.span.file];
    mark(marks, files[label.span.file], label.span, '-', label.text);
  }
  uint32_t greatest = here.rbegin()->first;
  for (const auto& [file, marks] : others) greatest = std::max(greatest, marks.rbegin()->first);
  const size_t gutter = std::to_string(greatest).size();

  const Look primary = look(d.severity);
  Pen pen{colour, {}};
  heading(pen, d);
  pen.put(std::string(gutter, ' ') + "-->", blue);
  pen.put(" " + place(files, d.span) + "\n");
  excerpt(pen, files[d.span.file], here, primary, gutter);
  for (const auto& [file, marks] : others) {
    pen.put(std::string(gutter, ' ') + ":::", blue);
    pen.put(" " + files[file].path() + "\n");
    excerpt(pen, files[file], marks, primary, gutter);
  }
  for (const std::string& note : d.notes) {
    pen.put(std::string(gutter, ' ') + " =", blue);
    pen.put(" " + note + "\n");
  }
  return std::move(pen.out);
}

}  // namespace tilewright::diag
