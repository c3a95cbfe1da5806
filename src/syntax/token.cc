// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/token.h"

#include <iterator>

namespace tilewright::syntax {

std::string_view describe(TokenKind kind) {
  static constexpr std::string_view words[] = {
      "the end of the file", "the end of the line", "an indented line", "a line that is indented less", "a comment", "a name",
      "a number", "a number", "a number", "a string", "an f-string", "the text of an f-string", "the end of the f-string",
      "an invalid character",
      "`False`", "`None`", "`True`", "`and`", "`as`", "`assert`", "`async`", "`await`", "`break`", "`class`", "`continue`", "`def`",
      "`del`", "`elif`", "`else`", "`except`", "`finally`", "`for`", "`from`", "`global`", "`if`", "`import`", "`in`", "`is`",
      "`lambda`", "`nonlocal`", "`not`", "`or`", "`pass`", "`raise`", "`return`", "`try`", "`while`", "`with`", "`yield`",
      "`(`", "`)`", "`[`", "`]`", "`{`", "`}`", "`,`", "`:`", "`;`", "`.`", "`...`", "`->`", "`@`", "`=`", "`:=`", "`!`", "`+`",
      "`-`", "`*`", "`/`", "`//`", "`%`", "`**`", "`<<`", "`>>`", "`&`", "`|`", "`^`", "`~`", "`<`", "`>`", "`<=`", "`>=`", "`==`",
      "`!=`", "`+=`", "`-=`", "`*=`", "`/=`", "`//=`", "`%=`", "`@=`", "`&=`", "`|=`", "`^=`", "`<<=`", "`>>=`", "`**=`"};
  static_assert(std::size(words) == static_cast<size_t>(TokenKind::DoubleStarEqual) + 1);
  return words[static_cast<size_t>(kind)];
}

}  // namespace tilewright::syntax
