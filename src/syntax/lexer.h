// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Text to tokens, all at once, before any parsing: the lexer alone knows about brackets (a line end inside them is a blank),
// indentation, and where an f-string's text ends and an expression begins.

#pragma once

#include <string_view>
#include <vector>

#include "diag/diagnostic.h"
#include "source/span.h"
#include "syntax/kinds.h"
#include "syntax/token.h"
#include "syntax/tree.h"

namespace tilewright::syntax {

// An expression's leading blanks are no indentation.
enum class LexerMode : uint8_t { File, Expression };

struct LexerInput {
  source::FileId file;
  std::string_view text;
  Version version = Version::Py314;
  Encoding encoding = Encoding::Utf8;
  LexerMode mode = LexerMode::File;
};

// Ends with an EndOfFile whatever the text; what is wrong is reported, and a best guess stands in its place.
std::vector<Token> lex(const LexerInput& input, diag::Diagnostics& errors);

}  // namespace tilewright::syntax
