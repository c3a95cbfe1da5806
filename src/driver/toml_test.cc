// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/toml.h"

#include <gtest/gtest.h>

namespace tilewright::driver {

static int64_t number(std::string_view text, std::string_view name) {
  const auto toml = parse_toml(text);
  EXPECT_TRUE(toml.ok()) << toml.reason();
  if (!toml) return -2;
  const auto* found = toml->find<int64_t>(name);
  return found ? *found : -1;
}

TEST(Toml, finds_a_number_however_its_table_is_written) {
  const std::string_view name = "tool.ruff.line-length";
  EXPECT_EQ(number("[tool.ruff]\nline-length = 88\n", name), 88);
  EXPECT_EQ(number("[ tool . \"ruff\" ]  # why\r\n  line-length=1_20 # wide\r\n", name), 120);
  EXPECT_EQ(number("[tool]\nruff.line-length = 88", name), 88);
  EXPECT_EQ(number("tool.ruff.line-length = 88", name), 88);
  EXPECT_EQ(number("[tool]\nruff = { select = [\"E\"], line-length = 88 }\n", name), 88);
  EXPECT_EQ(number("\xEF\xBB\xBF[tool.ruff]\nline-length = 88\n", name), 88);
  EXPECT_EQ(number("[tool.ruff.lint]\nline-length = 88\n", name), -1);
}

TEST(Toml, is_not_confused_by_what_looks_like_a_table_inside_strings_and_arrays) {
  EXPECT_EQ(
      number("[a]\ns = \"\"\"\n[tool.ruff]\nline-length = 1\n\"\"\"\n[tool.ruff]\nline-length = 2\n", "tool.ruff.line-length"),
      2);
  EXPECT_EQ(number("[a]\ns = '''\n[tool.ruff]\n'''\nx = 3\n", "a.x"), 3);
  EXPECT_EQ(number("[a]\nl = [\n  1, # [b]\n  [\"]\", '#'],\n  {k = 1},\n]\nx = 3\n", "a.x"), 3);
  EXPECT_EQ(number("[a]\ns = \"q\\\"[b]\"\nx = 3\n", "a.x"), 3);
  EXPECT_EQ(number("[[a]]\nd = 1979-05-27 07:32:00Z\nf = -1.5e+3\nx = 3\n", "a.x"), 3);
}

TEST(Toml, tells_strings_truth_values_and_present_tables) {
  const auto toml = parse_toml("[tool.black]\nskip-string-normalization = true\n[tool.ruff.format]\nquote-style = 'single'\n");
  ASSERT_TRUE(toml.ok());
  EXPECT_TRUE(*toml->find<bool>("tool.black.skip-string-normalization"));
  EXPECT_EQ(*toml->find<std::string>("tool.ruff.format.quote-style"), "single");
  EXPECT_TRUE(toml->find<bool>("tool.black"));
  EXPECT_FALSE(toml->find<bool>("tool.ruff"));
}

TEST(Toml, names_the_line_that_is_wrong) {
  EXPECT_EQ(parse_toml("a = 1\nb\n").reason(), "line 2: expected `=`");
  EXPECT_EQ(parse_toml("a = \"x\nb = 1\n").reason(), "line 1: a string has no end");
  EXPECT_EQ(parse_toml("[a\n").reason(), "line 1: expected `]`");
  EXPECT_EQ(parse_toml("a = 1 2 3 ]\n").reason(), "line 1: expected the end of the line");
  EXPECT_FALSE(parse_toml("a = " + std::string(100000, '[')).ok());
}

}  // namespace tilewright::driver
