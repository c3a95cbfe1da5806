// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the reader of Python says when the text is wrong. One code per kind of mistake (docs/codes), several sentences per code:
// these are shared by the lexer and the parser, and a sentence that one place alone needs stands there.

#pragma once

#include "diag/diagnostic.h"

namespace tilewright::syntax {

using diag::Message;

// TW001: something else was expected
constexpr Message<std::string_view, std::string_view> expected_found("TW001", "expected {}, found {}");
// TW002: the bytes are no text
constexpr Message<> not_utf8("TW002", "the file is not UTF-8 here, and no other encoding is declared");
constexpr Message<std::string_view> not_in_encoding("TW002", "the file is not {} here, although it declares it");
constexpr Message<std::string_view> unknown_encoding("TW002",
                                                     "the declared encoding `{}` is not supported: save the file as UTF-8");
constexpr Message<std::string_view> encoding_against_mark("TW002",
                                                          "the file starts with a UTF-8 byte order mark but declares `{}`");
constexpr Message<> null_byte("TW002", "the file holds a null byte");
constexpr Message<> too_long("TW002", "the file is longer than 2 GiB");
// TW003: indentation
constexpr Message<> unexpected_indent("TW003", "the line is indented, but no block starts here");
constexpr Message<std::string_view> missing_indent("TW003", "expected an indented block after {}");
constexpr Message<> unmatched_dedent("TW003", "the indentation matches no line above");
constexpr Message<> mixed_tabs("TW003", "the indentation mixes tabs and blanks so that it depends on the width of a tab");
// TW004: brackets
constexpr Message<std::string_view> never_closed("TW004", "`{}` was never closed");
constexpr Message<std::string_view> never_opened("TW004", "`{}` was never opened");
constexpr Message<std::string_view, std::string_view> mismatched("TW004", "`{}` closes a `{}`");
// TW005: strings
constexpr Message<> unterminated_string("TW005", "the string has no closing quote on its line");
constexpr Message<> unterminated_triple("TW005", "the triple-quoted string is never closed");
// TW006: numbers
constexpr Message<std::string_view> bad_number("TW006", "`{}` is not a number");
constexpr Message<> leading_zeros("TW006", "a decimal number with leading zeros: an octal one is written `0o`");
constexpr Message<> too_many_digits("TW006", "a decimal number of more than 4300 digits: write it in hexadecimal");
// TW007: characters
constexpr Message<std::string_view> meaningless("TW007", "`{}` has no meaning in Python here");
constexpr Message<> unprintable_character("TW007", "an invisible character that has no meaning in Python");
constexpr Message<> after_backslash("TW007", "something follows the backslash that continues the line");
constexpr Message<> backslash_at_end("TW007", "the file ends after a backslash that continues the line");
// TW008: limits of CPython
constexpr Message<> too_many_brackets("TW008", "more than 200 open brackets, which is Python's limit");
constexpr Message<> too_much_indentation("TW008", "more than 100 levels of indentation, which is Python's limit");
constexpr Message<> too_deep("TW008", "the expression is nested too deeply for Python");
constexpr Message<> too_many_fields("TW008", "replacement fields are nested too deeply for Python");
// TW009: a newer Python
constexpr Message<std::string_view, int64_t, int64_t> needs_newer("TW009",
                                                                  "{} needs Python 3.{}; this file is read as Python 3.{}");

}  // namespace tilewright::syntax
