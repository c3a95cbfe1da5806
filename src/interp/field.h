// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact arithmetic on reals by their residues in finite fields. Two programs that make the same real number of the same inputs,
// in whatever order and by whatever laws of a field, make the same residues; so they are compared bit for bit. Floats are the
// real numbers that they are, and rounding and overflow do not exist.
//
// Fields. q is a prime of 61 bits and p = 2q + 1 another, chosen at random; 2 then has the order q modulo p (q = 3 modulo 4). A
// number is kept modulo p, and modulo q as an exponent: 2 ** x is 2 to the power (x mod q), modulo p. So exp2(a) exp2(b) = exp2(a
// + b), and exp2(3) = 8. log2(e) is transcendental, so any residue will do for it: a random one, once modulo p and once modulo q,
// and exp(x) = exp2(x log2(e)). What has an exponential in it has no residue modulo q: an exponential of it is not known.
//
// Chance. Two different numbers have the same residue only if p divides the numerator of their difference. Of the 2^48 or so
// primes p of this kind at most B/61 divide a numerator of B bits. There are two fields, chosen independently, so a false `equal`
// has a chance below 2^-60 for numerators of up to a million bits; for numbers whose residues are as good as random it is 2^-122.
//
// Order. No field has one, so each number also has a float64 near it with a bound on how far it is off. Comparisons, maxima and
// rounding to integers are decided by it, if it can decide; otherwise the result is unknown, with a reason. Equal residues are
// equal numbers.
//
// Functions of which nothing is known (sqrt, log2, sin, cos, atan2, powers) are hashes of the residues: equal arguments give
// equal results, and where the result is a number that float64 has (sqrt(4), log2(8)) it is that.
//
// Infinities and NaN are not numbers and follow IEEE. There is one zero, so a quotient by it is not known.

#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>

#include "interp/modulus.h"
#include "interp/real.h"
#include "interp/tile.h"

namespace tilewright::interp {

enum class Whole : uint8_t { Floor, Ceil, Trunc };
enum class Order : uint8_t { Less, Equal, Greater, Unordered, Undecided };
enum class Function : uint8_t { Sqrt, Log2, Sin, Cos, Tanh, Sinh, Cosh, Atan2, Pow };

class Field {
 public:
  explicit Field(uint64_t seed);

  Real of(double value) const;
  template <std::integral T>
  Real of(T value) const {
    const bool is_negative = value < T{0};
    const uint64_t magnitude = is_negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const Real out = of_magnitude(magnitude);
    return is_negative ? neg(out) : out;
  }
  // A number that a program's text or its launch says. One that is log2(e) or ln(2) in float32 stands for that; its bound holds
  // the number as written too, so that which of the two it is decides no order.
  Real constant(double value) const;

  Real add(const Real& x, const Real& y) const;
  Real sub(const Real& x, const Real& y) const { return add(x, neg(y)); }
  Real mul(const Real& x, const Real& y) const;
  Real div(const Real& x, const Real& y) const;
  Real neg(const Real& x) const;
  Real exp2(const Real& x) const;
  Real exp(const Real& x) const;
  Real log2(const Real& x) const;
  Real log(const Real& x) const { return div(log2(x), log2_of_e_); }
  Real sqrt(const Real& x) const;
  Real sin(const Real& x) const;
  Real cos(const Real& x) const;
  Real tanh(const Real& x) const;
  Real sinh(const Real& x) const;
  Real cosh(const Real& x) const;
  Real atan2(const Real& y, const Real& x) const;
  Real pow(const Real& x, const Real& y) const;
  Real whole(const Real& x, Whole how) const;
  Real abs(const Real& x) const;

  Order order(const Real& x, const Real& y) const;

  // sums += x @ y, row-major.
  void multiply(const Real* x, const Real* y, Real* sums, const ProductSizes& n) const;

  // An integer by way of truncation, as `cast` makes it: NaN gives 0, what is too large the largest. nullopt if it is undecided.
  template <std::integral T>
  std::optional<T> integer(const Real& x) const;

  // As a caller sees it: the numbers themselves, not as they are kept.
  std::array<uint64_t, Real::fields> numbers_of(const Real& x) const;

 private:
  struct Base {
    Modulus p;
    Modulus q;
    uint64_t key = 0;                          // of hashes
    std::array<uint64_t, 2300> powers_p = {};  // of two, from the least exponent on
    std::array<uint64_t, 2300> powers_q = {};
    std::array<std::array<uint64_t, 256>, 8> windows = {};  // 2 ** (digit 256 ** place)

    explicit Base(Random& random);
    uint64_t two_to(uint64_t exponent) const;
  };

  struct Sum;
  void add_product(Sum& sum, const Real& x, const Real& y) const;
  Real total(const Sum& sum, int64_t terms) const;
  Real of_magnitude(uint64_t magnitude) const;
  // 2 ** x of residues; nullopt where they are lost. The value is left open.
  std::optional<Real> power_of_two(const Real& x) const;
  // A hash of one number or two, `value` near the result.
  Real hashed(Function function, const Real& x, const Real& y, double value, double error) const;
  // As hashed, of a function that only turns its sign (or does not) where its argument does.
  enum class Symmetry : uint8_t { Even, Odd };
  Real hashed(Function function, Symmetry symmetry, const Real& x, double value, double error) const;
  // x / y, neither of them special, y not zero; `inverse` has the residues of 1 / y.
  Real quotient(const Real& x, const Real& y, const Real& inverse) const;
  Real inverse_of(const Real& y) const;
  friend class Divider;

  std::array<std::unique_ptr<const Base>, Real::fields> bases_;
  Real log2_of_e_;
  Real ln_of_2_;
};

// Divides by numbers of which neighbours are often the same: an inverse is slow.
class Divider {
 public:
  explicit Divider(const Field& field) : field_(field) {}
  Real operator()(const Real& x, const Real& y);

 private:
  const Field& field_;
  Real divisor_ = {};
  Real inverse_ = {};
};

}  // namespace tilewright::interp
