// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever the text: no crash, no endless loop, the properties hold, and a text without errors is the same tree when it is read
// again with everything between its tokens made plain.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "syntax/parse.h"
#include "syntax/properties.h"

using namespace tilewright;

static void demand(const std::string& wrong) {
  if (wrong.empty()) return;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}

// Tokens with one blank between them, lines and indentation as plain as they can be, no comments.
static std::string print_plainly(const syntax::Tree& tree) {
  using syntax::TokenKind;
  std::string out;
  uint32_t depth = 0;
  bool line_start = true;
  int f_strings = 0;
  uint32_t last_end = 0;
  for (const syntax::Token token : tree.tokens()) {
    if (token.kind == TokenKind::EndOfFile) return out;
    if (token.kind == TokenKind::Indent) ++depth;
    if (token.kind == TokenKind::Dedent) --depth;
    if (token.kind == TokenKind::Newline) {
      if (!line_start) out += '\n';
      line_start = true;
    }
    if (token.kind <= TokenKind::Comment) continue;
    if (line_start) {
      out.append(depth, ' ');
    } else if (f_strings > 0) {
      out += tree.text(source::Span{tree.file(), last_end, token.begin});  // blanks show in f'{x = }'
    } else {
      out += ' ';
    }
    line_start = false;
    f_strings += token.kind == TokenKind::FStringStart ? 1 : token.kind == TokenKind::FStringEnd ? -1 : 0;
    out += tree.text(token);
    last_end = token.end;
  }
  return out;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const auto version : {syntax::Version::Py314, syntax::Version::Py38}) {
    const syntax::Tree tree = syntax::parse({}, text, {.grammar = version});
    demand(syntax::properties::all(tree));
    if (tree.root().valid()) syntax::dump(tree);
    demand(syntax::properties::errors_lie_in_the_text(syntax::parse_expression({}, text, {.grammar = version})));
    if (!tree.ok() || tree.encoding() != syntax::Encoding::Utf8) continue;
    bool comment_in_f_string = false;  // printed on, it would swallow what follows
    int f_strings = 0;
    for (const syntax::Token token : tree.tokens()) {
      f_strings += token.kind == syntax::TokenKind::FStringStart ? 1 : token.kind == syntax::TokenKind::FStringEnd ? -1 : 0;
      comment_in_f_string = comment_in_f_string || (f_strings > 0 && token.kind == syntax::TokenKind::Comment);
    }
    if (comment_in_f_string) continue;
    const std::string plain = print_plainly(tree);
    const syntax::Tree again = syntax::parse({}, plain, {.grammar = version});
    demand(again.ok() ? "" : "the plain text has an error: " + again.errors().front().message);
    const bool same = syntax::dump(tree, syntax::Attributes::Omit) == syntax::dump(again, syntax::Attributes::Omit);
    demand(same ? "" : "the plain text is another tree");
  }
  return 0;
}
