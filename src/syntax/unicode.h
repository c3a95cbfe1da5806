// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What Python needs to know about characters: which may stand in an identifier, how identifiers are normalised (NFKC), what
// `\N{…}` means, what `repr` escapes. The tables come from tools/unicode_tables.py.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::syntax {

// Reads one code point and advances; the text is valid UTF-8 (lone surrogates pass).
char32_t next_code_point(std::string_view text, size_t& at);
void append_utf8(std::string& out, char32_t c);
// The length of the valid UTF-8 sequence at the start, 0 if there is none.
size_t utf8_sequence(std::string_view text);

bool is_identifier_start(char32_t c);
bool is_identifier_part(char32_t c);
bool is_printable(char32_t c);

std::string nfkc(std::string_view text);

// The character of that name, in any case; none if there is none.
std::optional<char32_t> named_character(std::string_view name);

}  // namespace tilewright::syntax
