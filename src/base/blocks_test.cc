// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/blocks.h"

#include <gtest/gtest.h>

#include <string>

#include "base/ids.h"

namespace tilewright {
namespace {

struct NameTag;
using NameId = Id<NameTag>;
using Names = Store<NameId, std::string, Blocks<std::string>>;

TEST(Blocks, rows_stay_where_their_ids_say_while_it_grows_and_shrinks) {
  Names store;
  constexpr uint32_t many = 2000;  // more than one block
  for (uint32_t i = 0; i < many; ++i) EXPECT_EQ(store.add(std::to_string(i)), NameId{i});
  const Names copy = store;
  for (const uint32_t size : {many, 1024U, 1023U, 256U, 1U, 0U}) {
    store.truncate(size);
    ASSERT_EQ(store.size(), size);
    uint32_t next = 0;
    for (const std::string& row : store) EXPECT_EQ(row, std::to_string(next++));
    EXPECT_EQ(next, size);
    EXPECT_EQ(store.add("new"), NameId{size});
    EXPECT_EQ(store[NameId{size}], "new");
    store.truncate(size);
  }
  EXPECT_TRUE(store.empty());
  EXPECT_EQ(copy.size(), many);
  EXPECT_EQ(copy[NameId{many - 1}], std::to_string(many - 1));
}

}  // namespace
}  // namespace tilewright
