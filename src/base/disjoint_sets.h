// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace tilewright {

// Which of the numbers 0 … size - 1 belong together. A set is known by the least of its numbers.
class DisjointSets {
 public:
  DisjointSets() = default;
  explicit DisjointSets(size_t size) : up_(size) { std::iota(up_.begin(), up_.end(), 0U); }

  // One number more, in a set of its own.
  void add() { up_.push_back(static_cast<uint32_t>(up_.size())); }
  uint32_t find(uint32_t i) {
    while (up_[i] != i) i = up_[i] = up_[up_[i]];
    return i;
  }
  // Makes one set of two and gives its number and that of the one that is gone; the same number twice if it was one before.
  std::pair<uint32_t, uint32_t> join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    if (b < a) std::swap(a, b);
    up_[b] = a;
    return {a, b};
  }

 private:
  std::vector<uint32_t> up_;
};

}  // namespace tilewright
