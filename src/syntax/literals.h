// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What string literals mean: escapes, line ends, doubled braces.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "syntax/token.h"
#include "syntax/tree.h"

namespace tilewright::syntax {

struct StringPart {
  uint32_t begin = 0;  // of the text between the quotes
  uint32_t end = 0;
  uint8_t flags = 0;  // token_flag
};

// The text of a String token, without prefix and quotes.
StringPart string_part(std::string_view source, const Token& token);

struct EscapeProblem {
  uint32_t begin = 0;
  uint32_t end = 0;
  enum class What : uint8_t { Truncated, TooLarge, UnknownName, NotAscii } what = What::Truncated;
};

// True if the value is the source's own bytes.
bool is_verbatim(const StringPart& part, Encoding encoding);
// Appends the value; the first thing that is wrong, if any.
std::optional<EscapeProblem> decode(std::string_view source, const StringPart& part, Encoding encoding, std::string& out);

}  // namespace tilewright::syntax
