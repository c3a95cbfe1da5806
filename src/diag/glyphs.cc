// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "diag/glyphs.h"

#include <algorithm>
#include <array>

namespace tilewright::diag {

struct Range {
  uint32_t first;
  uint32_t last;
};

// Unicode's East Asian Width W and F, in the coarse blocks that terminals agree on.
static constexpr Range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD},
};
static constexpr Range narrow_marks[] = {
    {0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};
// They reorder or hide what follows: a terminal must not obey them.
static constexpr Range controls[] = {{0x00, 0x1F}, {0x7F, 0x9F}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}};

template <size_t N>
static bool in(const Range (&ranges)[N], uint32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges), [&](Range r) { return r.first <= code && code <= r.last; });
}

struct Decoded {
  uint32_t code = 0;
  uint32_t bytes = 0;  // 0: not UTF-8
};

static Decoded decode(std::string_view text) {
  const auto at = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = at(0);
  if (first < 0x80) return {first, 1};
  const uint32_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
  uint32_t code = first & (0x7Fu >> bytes);
  for (uint32_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (at(i) & 0x3Fu);
  }
  static constexpr std::array<uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, bytes};
}

uint32_t Line::column(uint32_t offset) const {
  if (offset >= size) return width;
  const auto after =
      std::upper_bound(glyphs.begin(), glyphs.end(), offset, [](uint32_t o, const Glyph& g) { return o < g.offset; });
  return after == glyphs.begin() ? 0 : std::prev(after)->column;
}

Line glyphs(std::string_view text) {
  static constexpr uint32_t tab_stop = 4;
  Line line{.glyphs = {}, .size = static_cast<uint32_t>(text.size()), .width = 0};
  for (uint32_t i = 0; i < text.size();) {
    const Decoded next = decode(text.substr(i));
    uint32_t width = 1;
    std::string shown;
    if (next.code == '\t') {
      width = tab_stop - line.width % tab_stop;
      shown.assign(width, ' ');
    } else if (i == 0 && next.code == 0xFEFF) {
      width = 0;
    } else if (next.bytes == 0 || in(controls, next.code)) {
      shown = "\xEF\xBF\xBD";
    } else {
      width = in(narrow_marks, next.code) ? 0 : in(wide, next.code) ? 2 : 1;
      shown = text.substr(i, next.bytes);
    }
    line.glyphs.push_back({.offset = i, .column = line.width, .shown = std::move(shown)});
    line.width += width;
    i += std::max(next.bytes, 1u);
  }
  return line;
}

}  // namespace tilewright::diag
