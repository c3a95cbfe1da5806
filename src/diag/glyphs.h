// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A line of source as a terminal shows it. A caret stands under a character only if we know how wide everything before it is:
// tabs go to the next stop, East Asian characters take two columns, combining marks none. What could steer the terminal
// (control characters) or is no UTF-8 at all becomes U+FFFD, one column wide.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::diag {

struct Glyph {
  uint32_t offset = 0;  // of its first byte in the line
  uint32_t column = 0;  // where it starts on the screen, from 0
  std::string shown;
};

struct Line {
  std::vector<Glyph> glyphs;
  uint32_t size = 0;   // bytes
  uint32_t width = 0;  // columns

  // The column of the character that holds the byte; past the end, the width.
  uint32_t column(uint32_t offset) const;
};

Line glyphs(std::string_view text);

}  // namespace tilewright::diag
