// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/rare_list.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(RareList, is_empty_until_something_is_added) {
  RareList<uint32_t> list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.size(), 0U);
  EXPECT_EQ(list.begin(), list.end());
  list.push_back(7);
  EXPECT_EQ(list.size(), 1U);
  EXPECT_EQ(list.back(), 7U);
  list.clear();
  EXPECT_EQ(list, RareList<uint32_t>());
}

TEST(RareList, copies_do_not_share_their_items) {
  RareList<uint32_t> list = {1, 2, 3};
  RareList<uint32_t> other = list;
  other[0] = 9;
  EXPECT_EQ(list.front(), 1U);
  EXPECT_EQ(other.front(), 9U);
  const RareList<uint32_t>& itself = list;
  list = itself;
  EXPECT_EQ(list, RareList<uint32_t>({1, 2, 3}));
}

}  // namespace
}  // namespace tilewright
