// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// ASCII as the lexer sees it.

#pragma once

#include <array>
#include <cstdint>

namespace tilewright::syntax {

namespace char_class {
constexpr uint8_t name_start = 1;  // a letter, `_`, or any byte past ASCII
constexpr uint8_t name_part = 2;
constexpr uint8_t digit = 4;
constexpr uint8_t hex = 8;
constexpr uint8_t blank = 16;        // space, tab, form feed
constexpr uint8_t string_stop = 32;  // what a scan through a string must look at
constexpr uint8_t line_end = 64;
}  // namespace char_class

constexpr std::array<uint8_t, 256> char_classes = [] {
  std::array<uint8_t, 256> table{};
  const auto mark = [&](int first, int last, int bits) {
    for (int c = first; c <= last; ++c) table[static_cast<size_t>(c)] |= static_cast<uint8_t>(bits);
  };
  using namespace char_class;
  mark('a', 'z', name_start | name_part);
  mark('A', 'Z', name_start | name_part);
  mark('_', '_', name_start | name_part);
  mark('0', '9', name_part | digit | hex);
  mark('a', 'f', hex);
  mark('A', 'F', hex);
  mark(128, 255, name_start | name_part | string_stop);
  mark(' ', ' ', blank);
  mark('\t', '\t', blank);
  mark('\f', '\f', blank);
  mark('\n', '\n', line_end | string_stop);
  mark('\r', '\r', line_end | string_stop);
  mark('\\', '\\', string_stop);
  mark('\'', '\'', string_stop);
  mark('"', '"', string_stop);
  return table;
}();

inline bool is_class(char c, uint8_t bits) { return char_classes[static_cast<unsigned char>(c)] & bits; }

}  // namespace tilewright::syntax
