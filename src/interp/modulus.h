// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic modulo an odd number below 2^62, in Montgomery's form: a residue x is kept as x 2^64, so that a product needs no
// division. Equal residues are equal as they are kept, and 0 is kept as 0.

#pragma once

#include <cstdint>

namespace tilewright::interp {

class Modulus {
 public:
  using Wide = unsigned __int128;

  explicit Modulus(uint64_t odd) : modulus_(odd) {
    for (int i = 0; i < 6; ++i) inverse_ *= 2 - odd * inverse_;          // each step doubles the bits that are right
    const uint64_t power = static_cast<uint64_t>((~Wide{0}) % odd) + 1;  // 2^128
    square_ = power == odd ? 0 : power;
    one_ = from(1);
  }

  uint64_t value() const { return modulus_; }
  uint64_t one() const { return one_; }

  uint64_t from(uint64_t number) const { return mul(number % modulus_, square_); }
  uint64_t to_number(uint64_t residue) const { return reduced(residue); }

  uint64_t add(uint64_t x, uint64_t y) const {
    const uint64_t sum = x + y;
    return sum >= modulus_ ? sum - modulus_ : sum;
  }
  uint64_t sub(uint64_t x, uint64_t y) const { return x >= y ? x - y : x + modulus_ - y; }
  uint64_t neg(uint64_t x) const { return x ? modulus_ - x : 0; }
  uint64_t mul(uint64_t x, uint64_t y) const { return reduced(Wide{x} * y); }

  // A sum of products that is reduced once, at its end; it is below modulus 2^64 at any time.
  void add_product(Wide& sum, uint64_t x, uint64_t y) const {
    sum += Wide{x} * y;
    const Wide limit = Wide{modulus_} << 64;
    sum -= sum >= limit ? limit : 0;
  }
  uint64_t reduced(Wide value) const {
    const uint64_t quotient = static_cast<uint64_t>(value) * inverse_;
    const auto high = static_cast<uint64_t>(value >> 64);
    const auto cut = static_cast<uint64_t>((Wide{quotient} * modulus_) >> 64);
    return high >= cut ? high - cut : high + modulus_ - cut;
  }

  uint64_t pow(uint64_t x, uint64_t exponent) const {
    uint64_t out = one_;
    for (; exponent; exponent >>= 1, x = mul(x, x)) {
      if (exponent & 1) out = mul(out, x);
    }
    return out;
  }
  // Of a prime modulus; of 0 it is 0.
  uint64_t inverse(uint64_t x) const { return pow(x, modulus_ - 2); }

 private:
  uint64_t modulus_;
  uint64_t inverse_ = 1;  // modulo 2^64
  uint64_t square_ = 0;   // 2^128
  uint64_t one_ = 0;
};

// For numbers below 2^62.
bool is_prime(uint64_t number);

// Numbers that look random, each seed its own; the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t operator()() { return mixed(state_ += 0x9e3779b97f4a7c15u); }

  static uint64_t mixed(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
  }

 private:
  uint64_t state_;
};

}  // namespace tilewright::interp
