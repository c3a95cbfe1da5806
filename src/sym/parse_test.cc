// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "sym/parse.h"

#include <gtest/gtest.h>

namespace tilewright::sym {
namespace {

std::optional<ExprId> whole(Arena& arena, std::string_view text) {
  size_t position = 0;
  const std::optional<ExprId> id = parse(arena, text, position);
  return position == text.size() ? id : std::nullopt;
}

TEST(Parse, text_reads_back_as_the_same_expression) {
  Arena arena;
  for (const char* text : {"2 * M + N",
                           "-M",
                           "M - N",
                           "cdiv(M + N, 8)",
                           "(M + N) // 8",
                           "M / (N / 2)",
                           "(-2.0) ** M",
                           "M ** -2.0",
                           "not (M < N and M)",
                           "M if M < N else N",
                           "M if not M else N if N else 3",
                           "min(M, N * 2)",
                           "\"X.dtype == float32\" or M == 1",
                           "f\"SCALE\" + 0.1 + -0.2",
                           "True",
                           "inf",
                           "-inf",
                           "nan",
                           "1e-05",
                           "-9223372036854775808",
                           "M & N | 3 ^ M",
                           "M << N >> 2",
                           "~M",
                           "M % N",
                           "f\"inf\" * 2"}) {
    const std::optional<ExprId> id = whole(arena, text);
    ASSERT_TRUE(id) << text;
    const std::string printed = arena.text(*id, quoted);
    EXPECT_EQ(whole(arena, printed), id) << text << " printed as " << printed;
  }
}

TEST(Parse, a_closing_bracket_is_not_a_comparison) {
  Arena arena;
  size_t position = 0;
  const std::string text = "N>";
  EXPECT_EQ(parse(arena, text, position), arena.atom("N"));
  EXPECT_EQ(position, 1u);
  position = 0;
  const std::string choice = "M if M > N else 1>";
  EXPECT_TRUE(parse(arena, choice, position));
  EXPECT_EQ(position, choice.size() - 1);
}

TEST(Parse, what_is_no_expression_is_refused) {
  Arena arena;
  for (const char* text : {"", "+", "M +", "(M", "min(M)", "\"open", "M if N", "99999999999999999999", "and", "M ** ", "cdiv"}) {
    EXPECT_FALSE(whole(arena, text)) << text;
  }
}

}  // namespace
}  // namespace tilewright::sym
