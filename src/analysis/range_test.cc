// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/range.h"

#include <gtest/gtest.h>

#include <limits>

namespace tilewright::analysis {
namespace {

const Range unknown;

int64_t floored(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }
int64_t ceiled(int64_t a, int64_t b) { return a / b + ((a % b != 0 && (a < 0) == (b < 0)) ? 1 : 0); }

// Every operation on all small ranges, ends known or not, against all members of them.
TEST(Range, holds_every_result_of_its_members) {
  const struct {
    Range (*range)(const Range&, const Range&);
    int64_t (*value)(int64_t, int64_t);
    bool divides;
  } operations[] = {
      {add, [](int64_t a, int64_t b) { return a + b; }, false},
      {subtract, [](int64_t a, int64_t b) { return a - b; }, false},
      {multiply, [](int64_t a, int64_t b) { return a * b; }, false},
      {smaller, [](int64_t a, int64_t b) { return std::min(a, b); }, false},
      {larger, [](int64_t a, int64_t b) { return std::max(a, b); }, false},
      {floor_divide, floored, true},
      {ceil_divide, ceiled, true},
      {trunc_divide, [](int64_t a, int64_t b) { return a / b; }, true},
      {floor_modulo, [](int64_t a, int64_t b) { return a - b * floored(a, b); }, true},
      {trunc_modulo, [](int64_t a, int64_t b) { return a % b; }, true},
  };
  constexpr int64_t least = -4;
  constexpr int64_t most = 4;
  // An end beyond the members stands for one that is unknown.
  const auto range = [](int64_t low, int64_t high) {
    return Range{low < least ? std::nullopt : std::optional{low}, high > most ? std::nullopt : std::optional{high}};
  };
  for (const auto& operation : operations) {
    for (int64_t al = least - 1; al <= most; ++al)
      for (int64_t ah = std::max(al, least); ah <= most + 1; ++ah)
        for (int64_t bl = least - 1; bl <= most; ++bl)
          for (int64_t bh = std::max(bl, least); bh <= most + 1; ++bh) {
            const Range got = operation.range(range(al, ah), range(bl, bh));
            for (int64_t a = std::max(al, least); a <= std::min(ah, most); ++a) {
              for (int64_t b = std::max(bl, least); b <= std::min(bh, most); ++b) {
                if (operation.divides && b == 0) continue;
                const int64_t value = operation.value(a, b);
                ASSERT_TRUE((!got.low || *got.low <= value) && (!got.high || value <= *got.high))
                    << text(range(al, ah)) << " and " << text(range(bl, bh)) << " give " << text(got) << " without " << value;
              }
            }
          }
  }
}

TEST(Range, signs_are_kept_where_they_can_be) {
  const Range natural = at_least(0);
  EXPECT_EQ(add(natural, at_least(1)), at_least(1));
  EXPECT_EQ(multiply(natural, natural), at_least(0));
  EXPECT_EQ(floor_divide(natural, natural), at_least(0)) << "a division by zero has no value";
  EXPECT_EQ(floor_modulo(unknown, at_least(1)), at_least(0));
  EXPECT_EQ(floor_modulo(natural, exactly(8)), (Range{0, 7}));
  EXPECT_EQ(trunc_modulo(unknown, at_least(1)), unknown);
  EXPECT_EQ(smaller(natural, exactly(7)), (Range{0, 7}));
  EXPECT_EQ(larger(unknown, exactly(7)), at_least(7));
  EXPECT_EQ(ceil_divide(at_least(1), at_least(1)), at_least(1));
  EXPECT_EQ(subtract(natural, natural), unknown);
  EXPECT_EQ(absolute(Range{-3, 2}), (Range{0, 3}));
  EXPECT_EQ(multiply(Range{0, 5}, Range{-2, 3}), (Range{-10, 15}));
}

TEST(Range, ends_that_leave_64_bits_are_unknown) {
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(add(exactly(largest), exactly(1)), unknown);
  EXPECT_EQ(multiply(Range{1, largest}, exactly(2)), (Range{2, {}}));
  EXPECT_EQ(negate(exactly(std::numeric_limits<int64_t>::min())), unknown);
}

TEST(Range, join_and_meet) {
  EXPECT_EQ(join(exactly(3), exactly(-1)), (Range{-1, 3}));
  EXPECT_EQ(join(exactly(3), at_least(0)), at_least(0));
  EXPECT_EQ(meet(at_least(0), Range{{}, 9}), (Range{0, 9}));
  EXPECT_EQ(text(Range{0, {}}), "[0, ?]");
}

}  // namespace
}  // namespace tilewright::analysis
