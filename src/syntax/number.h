// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "syntax/kinds.h"
#include "syntax/token.h"

namespace tilewright::syntax {

enum class NumberProblem : uint8_t { None, Malformed, LeadingZeros, TooManyDigits };

struct Number {
  TokenKind kind = TokenKind::Int;
  uint32_t size = 0;
  NumberProblem problem = NumberProblem::None;
};

// The number at the start of `text`, which begins with a digit, or with a dot and a digit.
Number scan_number(std::string_view text, Version version);

// `digits` without underscores, perhaps with a base prefix, in lower case.
std::string to_decimal(std::string_view digits);

}  // namespace tilewright::syntax
