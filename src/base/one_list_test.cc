// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/one_list.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilewright {
namespace {

std::vector<uint32_t> items(const OneList<uint32_t>& list) { return {list.begin(), list.end()}; }

TEST(OneList, is_as_long_as_a_pointer) { EXPECT_EQ(sizeof(OneList<uint32_t>), sizeof(void*)); }

// Everything below is said of a vector too, across the lengths where the items move out of the list.
TEST(OneList, holds_what_a_vector_holds_after_the_same_changes) {
  OneList<uint32_t> list;
  std::vector<uint32_t> same;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.begin(), list.end());
  for (uint32_t i = 0; i < 6; ++i) {
    list.push_back(i);
    same.push_back(i);
    EXPECT_EQ(items(list), same);
    EXPECT_EQ(list.front(), same.front());
    EXPECT_EQ(list.back(), same.back());
    EXPECT_EQ(items(OneList<uint32_t>(ShortList<uint32_t>(same))), same);
  }
  while (!same.empty()) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(same.size()) / 2;
    list.erase(list.begin() + at);
    same.erase(same.begin() + at);
    EXPECT_EQ(items(list), same);
  }
  list = {7};
  list.erase(list.begin());
  EXPECT_TRUE(list.empty());
}

TEST(OneList, a_copy_is_another_list_and_what_was_moved_is_gone) {
  for (const size_t size : {0U, 1U, 2U, 5U}) {
    const OneList<uint32_t> list(ShortList<uint32_t>(std::vector<uint32_t>(size, 7)));
    OneList<uint32_t> copy = list;
    copy.push_back(1);
    EXPECT_EQ(list.size(), size);
    EXPECT_FALSE(list == copy);
    copy = list;
    EXPECT_TRUE(list == copy);
    OneList<uint32_t> taken = std::move(copy);
    EXPECT_TRUE(taken == list);
    copy = {4, 5};
    EXPECT_EQ(items(copy), (std::vector<uint32_t>{4, 5}));
    copy.clear();
    EXPECT_TRUE(copy.empty());
  }
}

}  // namespace
}  // namespace tilewright
