// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/rare.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

struct Row {
  int number = 7;
};

TEST(Rare, reads_as_its_default_until_it_is_edited) {
  Rare<Row> rare;
  EXPECT_FALSE(rare);
  EXPECT_EQ(rare->number, 7);
  EXPECT_FALSE(rare);
  rare.edit().number = 8;
  EXPECT_TRUE(rare);
  EXPECT_EQ(rare->number, 8);
}

TEST(Rare, copies_do_not_share_what_they_say) {
  const Rare<Row> rare = Row{.number = 1};
  Rare<Row> other = rare;
  other.edit().number = 2;
  EXPECT_EQ(rare->number, 1);
  other = rare;
  EXPECT_EQ(other->number, 1);
  other = {};
  EXPECT_FALSE(other);
}

}  // namespace
}  // namespace tilewright
