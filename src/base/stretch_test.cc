// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/stretch.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

struct RowTag;
using RowId = Id<RowTag>;

TEST(Stretch, reaches_from_the_first_to_the_last_that_it_covers) {
  Stretch<RowId> stretch;
  EXPECT_EQ(stretch.size(), 0U);
  stretch.cover({5});
  stretch.cover({3});
  EXPECT_EQ(stretch.size(), 3U);
  EXPECT_EQ(Stretch<RowId>::between(3, 6).last, RowId{5});
  EXPECT_EQ(Stretch<RowId>::between(3, 3).size(), 0U);
}

TEST(Stretch, its_rows_are_found_by_their_ids) {
  RowsOf<RowId, int> rows(Stretch<RowId>::between(3, 6));
  rows[{4}] = 7;
  EXPECT_EQ(rows[{4}], 7);
  EXPECT_EQ(rows[{5}], 0);
  EXPECT_TRUE(rows.covers({3}));
  EXPECT_FALSE(rows.covers({2}));
  EXPECT_FALSE(rows.covers({6}));
  const RowsOf<RowId, int> none({});
  EXPECT_FALSE(none.covers({0}));
  EXPECT_FALSE(none.covers({}));
}

TEST(SetOf, holds_what_was_inserted_and_says_what_is_new) {
  SetOf<RowId> set(Stretch<RowId>::between(3, 6));
  EXPECT_FALSE(set.contains({4}));
  EXPECT_TRUE(set.insert({4}));
  EXPECT_FALSE(set.insert({4}));
  EXPECT_TRUE(set.contains({4}));
  EXPECT_FALSE(set.contains({3}));
  EXPECT_FALSE(set.contains({5}));
}

}  // namespace
}  // namespace tilewright
