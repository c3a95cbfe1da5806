// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz_splices.h"

#include <algorithm>
#include <string_view>

#include "syntax/parse.h"
#include "syntax/tree.h"
#include "syntax/walk.h"

namespace tilewright::fuzz {
namespace {

constexpr size_t largest = 30000;  // bytes of a program

size_t below(std::mt19937_64& random, size_t n) { return n == 0 ? 0 : random() % n; }

// Whether an expression may stand in the place of another: targets may not, nor parts of f-strings.
bool is_value(const syntax::Tree& tree, syntax::NodeId node) {
  using syntax::Context;
  using syntax::NodeKind;
  const auto loads = [](auto view) { return !view || view->ctx == Context::Load; };
  if (syntax::family(tree.kind(node)) != syntax::NodeFamily::Expression) return false;
  if (tree.is(node, NodeKind::FormattedValue) || tree.is(node, NodeKind::JoinedStr) || tree.is(node, NodeKind::Starred))
    return false;
  if (tree.is(node, NodeKind::Slice)) return false;
  return loads(tree.get_if<syntax::Name>(node)) && loads(tree.get_if<syntax::Attribute>(node)) &&
         loads(tree.get_if<syntax::Subscript>(node)) && loads(tree.get_if<syntax::Tuple>(node)) &&
         loads(tree.get_if<syntax::List>(node));
}

// The blanks before a statement; nothing if something else stands on its line.
std::string_view indentation(std::string_view text, uint32_t begin) {
  const size_t line = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
  const std::string_view blanks = text.substr(line, begin - line);
  return blanks.find_first_not_of(" \t") == std::string_view::npos ? blanks : std::string_view();
}

// Lines of a statement with another indentation.
std::string indented(std::string_view statement, std::string_view from, std::string_view to) {
  std::string out;
  for (size_t at = 0; at < statement.size();) {
    const size_t end = std::min(statement.find('\n', at), statement.size() - 1) + 1;
    std::string_view line = statement.substr(at, end - at);
    if (at > 0) {
      if (line.starts_with(from)) line.remove_prefix(from.size());
      out += to;
    }
    out += line;
    at = end;
  }
  return out;
}

}  // namespace

Splices::Splices(const std::vector<std::string>& corpus) {
  for (const std::string& text : corpus) {
    if (text.size() > largest) continue;
    Program program = program_of(text);
    if (!program.expressions.empty()) programs_.push_back(std::move(program));
  }
}

Splices::Program Splices::program_of(const std::string& text) {
  Program program{.text = text, .expressions = {}, .statements = {}};
  const syntax::Tree tree = syntax::parse({}, text);
  if (!tree.ok() || tree.text(tree.root()).size() > text.size()) return program;
  std::vector<syntax::NodeId> stack = {tree.root()};
  while (!stack.empty()) {
    const syntax::NodeId node = stack.back();
    stack.pop_back();
    const source::Span span = tree.span(node);
    if (is_value(tree, node) && span.end > span.begin) program.expressions.push_back({span.begin, span.end});
    if (syntax::family(tree.kind(node)) == syntax::NodeFamily::Statement) program.statements.push_back({span.begin, span.end});
    if (tree.is(node, syntax::NodeKind::JoinedStr)) continue;
    syntax::for_each_child(tree, node, [&](syntax::NodeId child) { stack.push_back(child); });
  }
  return program;
}

void Splices::splice(Program& program, const Program& donor, std::mt19937_64& random) {
  const auto pick = [&](const std::vector<Piece>& from) { return from[below(random, from.size())]; };
  if (program.statements.empty() || donor.statements.empty() || below(random, 3) > 0) {
    const Piece place = pick(program.expressions);
    const Piece given = pick(donor.expressions);
    program.text.replace(place.begin, place.end - place.begin, donor.text.substr(given.begin, given.end - given.begin));
    return;
  }
  const Piece place = pick(program.statements);
  const Piece given = pick(donor.statements);
  const std::string_view blanks = indentation(program.text, place.begin);
  std::string statement = indented(std::string_view(donor.text).substr(given.begin, given.end - given.begin),
                                   indentation(donor.text, given.begin), blanks);
  switch (below(random, 3)) {
    case 0: program.text.replace(place.begin, place.end - place.begin, statement); break;
    case 1: program.text.insert(place.begin, statement + "\n" + std::string(blanks)); break;
    default: program.text.replace(place.begin, place.end - place.begin, "pass"); break;
  }
}

std::string Splices::next(std::mt19937_64& random) const {
  const auto any = [&]() -> const Program& { return programs_[below(random, programs_.size())]; };
  Program program = any();
  const Program& other = any();
  for (size_t n = 1 + below(random, 4); n > 0; --n) {
    const Program before = program;
    splice(program, below(random, 2) == 0 ? before : other, random);
    if (n == 1) break;
    Program again = program_of(program.text);
    program = again.expressions.empty() ? before : std::move(again);
  }
  return program.text;
}

}  // namespace tilewright::fuzz
