// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/short_list.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilewright {
namespace {

std::vector<uint32_t> items(const ShortList<uint32_t>& list) { return {list.begin(), list.end()}; }

// Everything below is said of a vector too, across the lengths where the items move out of the list and back.
TEST(ShortList, holds_what_a_vector_holds_after_the_same_changes) {
  ShortList<uint32_t> list;
  std::vector<uint32_t> same;
  EXPECT_TRUE(list.empty());
  for (uint32_t i = 0; i < 20; ++i) {
    list.push_back(i);
    same.push_back(i);
    EXPECT_EQ(items(list), same);
    EXPECT_EQ(list.front(), same.front());
    EXPECT_EQ(list.back(), same.back());
    list.insert(list.begin() + i / 2, 100 + i);
    same.insert(same.begin() + i / 2, 100 + i);
    EXPECT_EQ(items(list), same);
  }
  while (!same.empty()) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(same.size()) / 2);
    same.erase(same.begin() + static_cast<std::ptrdiff_t>(same.size()) / 2);
    EXPECT_EQ(items(list), same);
  }
  for (const size_t size : {5U, 2U, 9U, 3U, 4U, 0U}) {
    list.resize(size);
    same.resize(size);
    EXPECT_EQ(items(list), same);
  }
}

TEST(ShortList, a_copy_is_another_list_and_what_was_moved_is_gone) {
  for (const size_t size : {0U, 1U, 3U, 4U, 8U, 9U}) {
    const ShortList<uint32_t> list(std::vector<uint32_t>(size, 7));
    ShortList<uint32_t> copy = list;
    copy.push_back(1);
    EXPECT_EQ(list.size(), size);
    EXPECT_NE(list, copy);
    copy = list;
    EXPECT_EQ(list, copy);
    const ShortList<uint32_t> taken = std::move(copy);
    EXPECT_EQ(taken, list);
    copy = {4, 5};
    EXPECT_EQ(copy, (ShortList<uint32_t>{4, 5}));
    copy.clear();
    EXPECT_TRUE(copy.empty());
  }
}

}  // namespace
}  // namespace tilewright
