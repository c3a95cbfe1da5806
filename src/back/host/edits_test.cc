// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/host/edits.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace tilewright::back::host {
namespace {

constexpr source::FileId file{0};
source::Span at(uint32_t begin, uint32_t end) { return {file, begin, end}; }

TEST(Edits, renders_a_part_with_the_edits_inside_of_it) {
  Edits edits(file, "f(a, b) + c");
  edits.replace(at(2, 3), "x");
  edits.replace(at(10, 11), "z");
  EXPECT_EQ(edits.render(at(0, 7)), "f(x, b)");
  EXPECT_EQ(edits.render(at(0, 11)), "f(x, b) + z");
  EXPECT_EQ(edits.render(at(3, 7)), ", b)");
}

TEST(Edits, an_outer_replacement_takes_the_place_of_inner_ones) {
  Edits edits(file, "f(a, b) + c");
  edits.replace(at(2, 3), "x");
  edits.insert(5, "y");
  edits.replace(at(0, 7), "g(" + edits.render(at(2, 6)) + ")");
  EXPECT_EQ(source::apply("f(a, b) + c", edits.take()), "g(x, yb) + c");
}

TEST(Edits, insertions_at_one_place_keep_their_order_and_come_before_a_replacement) {
  Edits edits(file, "abc");
  edits.replace(at(1, 2), "B");
  edits.insert(1, "1");
  edits.insert(1, "2");
  EXPECT_EQ(edits.render(at(0, 3)), "a12Bc");
  EXPECT_EQ(source::apply("abc", edits.take()), "a12Bc");
}

TEST(Edits, crossing_edits_are_a_bug) {
  Edits edits(file, "abcdef");
  edits.replace(at(1, 4), "x");
  EXPECT_THROW(edits.replace(at(0, 2), "y"), InternalError);
  EXPECT_THROW(edits.replace(at(2, 2), "y"), InternalError);
}

TEST(Edits, tells_what_is_replaced) {
  Edits edits(file, "abcdef");
  edits.insert(1, "x");
  edits.replace(at(1, 4), "one\ntwo");
  EXPECT_TRUE(edits.covers(at(1, 4)));
  EXPECT_TRUE(edits.covers(at(2, 3)));
  EXPECT_FALSE(edits.covers(at(3, 5)));
  EXPECT_FALSE(edits.covers(at(0, 1)));
  EXPECT_TRUE(edits.has(at(1, 4)));
  EXPECT_FALSE(edits.has(at(1, 3)));
  EXPECT_TRUE(edits.crosses(at(0, 6)));
  EXPECT_TRUE(edits.crosses(at(3, 6)));
  EXPECT_FALSE(edits.crosses(at(4, 6)));
}

}  // namespace
}  // namespace tilewright::back::host
