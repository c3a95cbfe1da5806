// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The parser as a server for the judges written in Python: texts in, verdicts and trees out, thousands of them in one process.
//
//   request   GRAMMAR MODE SIZE\n and SIZE bytes     grammar: minor version; mode: tree, places (tree with positions), verdict
//   answer    ok|error SIZE\n and SIZE bytes         the dump, or one diagnostic a line

#include <cstdio>
#include <iostream>
#include <string>

#include "source/file.h"
#include "syntax/parse.h"

using namespace tilewright;

static std::string show(const syntax::Tree& tree, const std::string& text) {
  const source::File file("text", text);
  std::string out;
  for (const diag::Diagnostic& error : tree.errors()) {
    const source::Position at = file.position(error.span.begin);
    out +=
        std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + std::string(error.code) + " " + error.message + "\n";
  }
  return out;
}

int main() {
  std::ios::sync_with_stdio(false);
  int grammar = 0;
  std::string mode, text;
  size_t size = 0;
  while (std::cin >> grammar >> mode >> size && std::cin.get() == '\n') {
    text.resize(size);
    std::cin.read(text.data(), static_cast<std::streamsize>(size));
    syntax::Options options{.grammar = static_cast<syntax::Version>(grammar)};
    if (mode != "verdict") options.checks = syntax::Checks::Syntax;
    const syntax::Tree tree = syntax::parse(source::FileId{0}, text, options);
    std::string answer;
    if (!tree.ok()) {
      answer = show(tree, text);
    } else if (mode != "verdict") {
      answer = syntax::dump(tree, mode == "places" ? syntax::Attributes::Include : syntax::Attributes::Omit);
    }
    std::cout << (tree.ok() ? "ok " : "error ") << answer.size() << '\n' << answer << std::flush;
  }
}
