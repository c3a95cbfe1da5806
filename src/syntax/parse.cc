// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/parse.h"

#include <vector>

#include "syntax/builder.h"
#include "syntax/encoding.h"
#include "syntax/lexer.h"
#include "syntax/parser.h"
#include "syntax/scope_rules.h"

namespace tilewright::syntax {

enum class Whole : uint8_t { File, Expression };

static Tree parse_whole(source::FileId file, std::string_view text, Options options, Whole whole) {
  Tree tree = Builder::start_tree(file, text, options.grammar);
  Builder build(tree);
  diag::Diagnostics lexer_errors;
  std::vector<Token> tokens = {Token{}};  // of no text that could be read: an empty module
  if (const std::optional<Encoding> encoding = read_encoding(file, text, lexer_errors)) {
    build.set_encoding(*encoding);
    tokens = lex({file, text, options.grammar, *encoding, whole == Whole::File ? LexerMode::File : LexerMode::Expression},
                 lexer_errors);
  }
  build.reserve(tokens.size());
  diag::sort(lexer_errors);
  Parser parser(tree, options, tokens, lexer_errors);
  build.set_root(whole == Whole::File ? parser.module() : parser.only_expression());
  build.set_tokens(Tokens(tokens));
  build.errors().insert(build.errors().end(), lexer_errors.begin(), lexer_errors.end());
  if (build.errors().empty() && options.checks == Checks::Scopes && whole == Whole::File) build.errors() = check_scopes(tree);
  diag::sort(build.errors());
  return tree;
}

Tree parse(source::FileId file, std::string_view text, Options options) { return parse_whole(file, text, options, Whole::File); }

Tree parse_expression(source::FileId file, std::string_view text, Options options) {
  return parse_whole(file, text, options, Whole::Expression);
}

}  // namespace tilewright::syntax
