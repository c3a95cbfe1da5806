// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/modulus.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace tilewright::interp {

// A test that is right for all numbers of 64 bits with these bases (Jaeschke, Sorenson and Webster).
static constexpr uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

static bool is_strong_probable_prime(const Modulus& modulus, uint64_t base) {
  const uint64_t even = modulus.value() - 1;
  const int twos = std::countr_zero(even);
  const uint64_t minus_one = modulus.neg(modulus.one());
  uint64_t power = modulus.pow(modulus.from(base), even >> twos);
  if (power == modulus.one() || power == minus_one) return true;
  for (int i = 1; i < twos; ++i) {
    power = modulus.mul(power, power);
    if (power == minus_one) return true;
  }
  return false;
}

bool is_prime(uint64_t number) {
  if (number < 2) return false;
  for (const uint64_t base : bases) {
    if (number % base == 0) return number == base;
  }
  const Modulus modulus(number);
  return std::all_of(std::begin(bases), std::end(bases), [&](uint64_t base) { return is_strong_probable_prime(modulus, base); });
}

}  // namespace tilewright::interp
