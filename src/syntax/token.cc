// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/token.h"

#include <algorithm>
#include <iterator>

namespace tilewright::syntax {

std::string_view describe(TokenKind kind) {
  static constexpr std::string_view words[] = {"the end of the file",
                                               "the end of the line",
                                               "an indented line",
                                               "a line that is indented less",
                                               "a comment",
                                               "a name",
                                               "a number",
                                               "a number",
                                               "a number",
                                               "a string",
                                               "an f-string",
                                               "the text of an f-string",
                                               "the end of the f-string",
                                               "an invalid character",
                                               "`False`",
                                               "`None`",
                                               "`True`",
                                               "`and`",
                                               "`as`",
                                               "`assert`",
                                               "`async`",
                                               "`await`",
                                               "`break`",
                                               "`class`",
                                               "`continue`",
                                               "`def`",
                                               "`del`",
                                               "`elif`",
                                               "`else`",
                                               "`except`",
                                               "`finally`",
                                               "`for`",
                                               "`from`",
                                               "`global`",
                                               "`if`",
                                               "`import`",
                                               "`in`",
                                               "`is`",
                                               "`lambda`",
                                               "`nonlocal`",
                                               "`not`",
                                               "`or`",
                                               "`pass`",
                                               "`raise`",
                                               "`return`",
                                               "`try`",
                                               "`while`",
                                               "`with`",
                                               "`yield`",
                                               "`(`",
                                               "`)`",
                                               "`[`",
                                               "`]`",
                                               "`{`",
                                               "`}`",
                                               "`,`",
                                               "`:`",
                                               "`;`",
                                               "`.`",
                                               "`...`",
                                               "`->`",
                                               "`@`",
                                               "`=`",
                                               "`:=`",
                                               "`!`",
                                               "`+`",
                                               "`-`",
                                               "`*`",
                                               "`/`",
                                               "`//`",
                                               "`%`",
                                               "`**`",
                                               "`<<`",
                                               "`>>`",
                                               "`&`",
                                               "`|`",
                                               "`^`",
                                               "`~`",
                                               "`<`",
                                               "`>`",
                                               "`<=`",
                                               "`>=`",
                                               "`==`",
                                               "`!=`",
                                               "`+=`",
                                               "`-=`",
                                               "`*=`",
                                               "`/=`",
                                               "`//=`",
                                               "`%=`",
                                               "`@=`",
                                               "`&=`",
                                               "`|=`",
                                               "`^=`",
                                               "`<<=`",
                                               "`>>=`",
                                               "`**=`"};
  static_assert(std::size(words) == static_cast<size_t>(TokenKind::DoubleStarEqual) + 1);
  return words[static_cast<size_t>(kind)];
}

TokenKind keyword(std::string_view word) {
  using enum TokenKind;
  const auto pick = [&](std::string_view text, TokenKind kind) { return word == text ? kind : Name; };
  if (word.size() < 2 || word.size() > 8) return Name;
  const char second = word[1];
  switch (word[0]) {
    case 'F': return pick("False", KwFalse);
    case 'N': return pick("None", KwNone);
    case 'T': return pick("True", KwTrue);
    case 'a':
      if (word.size() == 2) return pick("as", KwAs);
      if (second == 'n') return pick("and", KwAnd);
      if (second == 'w') return pick("await", KwAwait);
      if (word.size() == 6) return pick("assert", KwAssert);
      return pick("async", KwAsync);
    case 'b': return pick("break", KwBreak);
    case 'c': return second == 'l' ? pick("class", KwClass) : pick("continue", KwContinue);
    case 'd': return word == "def" ? KwDef : pick("del", KwDel);
    case 'e':
      if (second == 'x') return pick("except", KwExcept);
      return word == "elif" ? KwElif : pick("else", KwElse);
    case 'f':
      if (second == 'o') return pick("for", KwFor);
      return second == 'r' ? pick("from", KwFrom) : pick("finally", KwFinally);
    case 'g': return pick("global", KwGlobal);
    case 'i':
      if (word.size() > 2) return pick("import", KwImport);
      return second == 'f' ? KwIf : second == 'n' ? KwIn : pick("is", KwIs);
    case 'l': return pick("lambda", KwLambda);
    case 'n': return word == "not" ? KwNot : pick("nonlocal", KwNonlocal);
    case 'o': return pick("or", KwOr);
    case 'p': return pick("pass", KwPass);
    case 'r': return second == 'e' ? pick("return", KwReturn) : pick("raise", KwRaise);
    case 't': return pick("try", KwTry);
    case 'w': return second == 'h' ? pick("while", KwWhile) : pick("with", KwWith);
    case 'y': return pick("yield", KwYield);
    default: return Name;
  }
}

Tokens::Tokens(const std::vector<Token>& tokens) {
  begins_.reserve(tokens.size());
  rests_.reserve(tokens.size());
  for (const Token& token : tokens) {
    const bool is_long = token.size() >= long_size;
    if (is_long) long_sizes_.emplace_back(static_cast<uint32_t>(begins_.size()), token.size());
    begins_.push_back(token.begin);
    rests_.push_back({token.kind, is_long ? long_size : static_cast<uint8_t>(token.size())});
  }
}

uint32_t Tokens::long_size_of(size_t i) const {
  return std::lower_bound(long_sizes_.begin(), long_sizes_.end(), std::pair(static_cast<uint32_t>(i), 0U))->second;
}

size_t Tokens::from(uint32_t offset) const {
  return static_cast<size_t>(std::lower_bound(begins_.begin(), begins_.end(), offset) - begins_.begin());
}

}  // namespace tilewright::syntax
