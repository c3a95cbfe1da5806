// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Intervals of integers. A missing end is unknown, not infinite: nothing is claimed there.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace tilewright::analysis {

struct Range {
  std::optional<int64_t> low = {};
  std::optional<int64_t> high = {};

  bool non_negative() const { return low && *low >= 0; }
  bool positive() const { return low && *low >= 1; }
  friend bool operator==(const Range&, const Range&) = default;
};

// How much is known: for certain, or if the launch keeps to some conditions (facts.h).
enum class Strength : uint8_t { Certain, Hoped };

struct Ranges {
  Range certain = {};
  Range hoped = {};  // within the other

  const Range& operator[](Strength strength) const { return strength == Strength::Certain ? certain : hoped; }
  friend bool operator==(const Ranges&, const Ranges&) = default;
};

inline Range exactly(int64_t value) { return {value, value}; }
inline Range at_least(int64_t low) { return {low, {}}; }
inline Ranges certainly(const Range& range) { return {range, range}; }

Range join(const Range& a, const Range& b);
inline Ranges join(const Ranges& a, const Ranges& b) { return {join(a.certain, b.certain), join(a.hoped, b.hoped)}; }
Range meet(const Range& a, const Range& b);

Range add(const Range& a, const Range& b);
Range subtract(const Range& a, const Range& b);
Range multiply(const Range& a, const Range& b);
Range negate(const Range& a);
Range floor_divide(const Range& a, const Range& b);
Range ceil_divide(const Range& a, const Range& b);
Range trunc_divide(const Range& a, const Range& b);
Range floor_modulo(const Range& a, const Range& b);
Range trunc_modulo(const Range& a, const Range& b);
Range smaller(const Range& a, const Range& b);
Range larger(const Range& a, const Range& b);
Range absolute(const Range& a);

std::string text(const Range& range);  // "[0, 127]", "[1, ?]"

}  // namespace tilewright::analysis
