// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/unicode.h"

#include <gtest/gtest.h>

#include "syntax/number.h"

namespace tilewright::syntax {

TEST(Unicode, normalises_as_nfkc) {
  EXPECT_EQ(nfkc("abc"), "abc");
  EXPECT_EQ(nfkc("ﬁ"), "fi");
  EXPECT_EQ(nfkc("e\u0301"), "é");
  EXPECT_EQ(nfkc("\u1100\u1161\u11a8"), "각");
  EXPECT_EQ(nfkc("각\u11a8"), "각\u11a8");
  EXPECT_EQ(nfkc("a\u0323\u0307"), "ạ\u0307");
  EXPECT_EQ(nfkc("a\u0307\u0323"), "ạ\u0307");
  EXPECT_EQ(nfkc("Ⅷ"), "VIII");
}

TEST(Unicode, knows_characters_by_name_in_any_case) {
  EXPECT_EQ(named_character("EM DASH"), U'—');
  EXPECT_EQ(named_character("em dash"), U'—');
  EXPECT_EQ(named_character("LF"), U'\n');
  EXPECT_EQ(named_character("HANGUL SYLLABLE GAG"), U'각');
  EXPECT_EQ(named_character("HANGUL SYLLABLE A"), U'아');
  EXPECT_EQ(named_character("CJK UNIFIED IDEOGRAPH-4E00"), U'一');
  EXPECT_EQ(named_character("CJK UNIFIED IDEOGRAPH-0041"), std::nullopt);
  EXPECT_EQ(named_character("NO SUCH NAME"), std::nullopt);
  EXPECT_EQ(named_character(""), std::nullopt);
}

TEST(Unicode, knows_what_names_are_made_of) {
  EXPECT_TRUE(is_identifier_start(U'é'));
  EXPECT_TRUE(is_identifier_start(U'℘'));
  EXPECT_FALSE(is_identifier_start(U'·'));
  EXPECT_TRUE(is_identifier_part(U'·'));
  EXPECT_FALSE(is_identifier_part(U'€'));
  EXPECT_FALSE(is_printable(U'\u200b'));
}

TEST(Utf8, is_read_strictly) {
  EXPECT_EQ(utf8_sequence("a"), 1u);
  EXPECT_EQ(utf8_sequence("é"), 2u);
  EXPECT_EQ(utf8_sequence("€"), 3u);
  EXPECT_EQ(utf8_sequence("😀"), 4u);
  for (const char* wrong : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80", "\xc3", "\xe2\x82", "\xff"})
    EXPECT_EQ(utf8_sequence(wrong), 0u);
}

TEST(Numbers, of_any_size_are_written_in_decimal) {
  EXPECT_EQ(to_decimal("0x0"), "0");
  EXPECT_EQ(to_decimal("000"), "0");
  EXPECT_EQ(to_decimal("0xffffffffffffffffffffffff"), "79228162514264337593543950335");
  EXPECT_EQ(to_decimal("0b1010"), "10");
  EXPECT_EQ(to_decimal("0o777"), "511");
}

}  // namespace tilewright::syntax
