// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/in_order.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace tilewright::driver {

TEST(InOrder, tells_results_in_order_whoever_is_faster) {
  for (const unsigned workers : {1u, 2u, 7u}) {
    std::vector<int> result(20);
    std::vector<size_t> told;
    in_order(result.size(), workers,
             {.run =
                  [&](size_t i) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(i % 3 == 0 ? 5 : 0));
                    result[i] = static_cast<int>(i) + 100;
                  },
              .told =
                  [&](size_t i) {
                    EXPECT_EQ(result[i], static_cast<int>(i) + 100);
                    told.push_back(i);
                  }});
    ASSERT_EQ(told.size(), result.size());
    for (size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i], i);
  }
}

TEST(InOrder, lets_somebody_watch_a_single_slow_piece) {
  int ticks = 0;
  in_order(1, 1,
           {.run = [](size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(350)); },
            .told = [](size_t) {},
            .waiting = [&](size_t) { ++ticks; }});
  EXPECT_GE(ticks, 2);
}

TEST(InOrder, does_nothing_for_nothing) {
  in_order(0, 4, {.run = [](size_t) { FAIL(); }, .told = [](size_t) { FAIL(); }});
}

}  // namespace tilewright::driver
