// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/interned.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tilewright {
namespace {

struct NumberTag;
using NumberId = Id<NumberTag>;

struct Same {
  uint64_t operator()(int number) const { return mixed(0, static_cast<uint64_t>(number)); }
};
struct Colliding {
  uint64_t operator()(int number) const { return static_cast<uint64_t>(number) % 3; }
};

TEST(Interned, GivesEqualRowsOneIdAndCountsThemOnce) {
  Interned<NumberId, int, Same> rows;
  EXPECT_FALSE(rows.find(7));
  const auto [first, is_new] = rows.add(7);
  EXPECT_TRUE(is_new);
  EXPECT_EQ(rows.add(7), std::pair(first, false));
  EXPECT_EQ(rows.find(7), first);
  EXPECT_EQ(rows.size(), 1U);
}

template <class Hash>
void agrees_with_a_map() {
  Interned<NumberId, int, Hash> rows;
  std::map<int, NumberId> wanted;
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 40; ++i) {
      const int number = static_cast<int>(random() % 500);
      const auto [id, is_new] = rows.add(number);
      EXPECT_EQ(wanted.emplace(number, id).second, is_new);
      EXPECT_EQ(wanted.at(number), id);
      EXPECT_EQ(rows[id], number);
    }
    const size_t size = random() % (rows.size() + 1);
    rows.truncate(size);
    std::erase_if(wanted, [&](const auto& row) { return row.second.index >= size; });
    for (int number = 0; number < 500; ++number) {
      const auto found = wanted.find(number);
      EXPECT_EQ(rows.find(number), found == wanted.end() ? NumberId::none() : found->second);
    }
  }
}

TEST(Interned, FindsWhatAMapFindsWhileRowsComeAndGo) { agrees_with_a_map<Same>(); }
TEST(Interned, FindsRowsOfTheSameHash) { agrees_with_a_map<Colliding>(); }

}  // namespace
}  // namespace tilewright
