// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace tilewright::interp {
namespace {

const Field& field() {
  static const Field of(1);
  return of;
}

const std::vector<double> samples = {0.0,    1.0,     -1.0,      0.1,      -2.5,     3.0,        1e-30,
                                     1e30,   7.0,     -0.3,      1234.5,   0x1p-149, 5e-324,     -1.7e308,
                                     0.6931, 1.00001, -0x1.8p40, 0x1p1000, 1048576., -0x1p-1022, 99.75};

bool is_same(const Real& x, const Real& y) { return x.is_finite() && y.is_finite() && x.is_same(y); }

TEST(Modulus, calculates_as_integers_of_128_bits_do) {
  Random random(3);
  for (const uint64_t modulus : {uint64_t{3}, uint64_t{1000003}, (uint64_t{1} << 61) - 1, (uint64_t{1} << 62) - 57}) {
    const Modulus m(modulus);
    EXPECT_EQ(m.to_number(m.one()), 1u);
    Modulus::Wide sum = 0;
    uint64_t expected = 0;
    for (int i = 0; i < 300; ++i) {
      const uint64_t x = random() % modulus;
      const uint64_t y = i % 7 ? random() % modulus : modulus - 1;
      const auto wide = [&](Modulus::Wide value) { return static_cast<uint64_t>(value % modulus); };
      EXPECT_EQ(m.to_number(m.from(x)), x);
      EXPECT_EQ(m.to_number(m.add(m.from(x), m.from(y))), wide(Modulus::Wide{x} + y));
      EXPECT_EQ(m.to_number(m.sub(m.from(x), m.from(y))), wide(Modulus::Wide{x} + modulus - y));
      EXPECT_EQ(m.to_number(m.mul(m.from(x), m.from(y))), wide(Modulus::Wide{x} * y));
      EXPECT_EQ(m.to_number(m.neg(m.from(x))), wide(Modulus::Wide{modulus} - x));
      m.add_product(sum, m.from(x), m.from(y));
      expected = wide(Modulus::Wide{x} * y % modulus + expected);
      EXPECT_EQ(m.to_number(m.reduced(sum)), expected);
    }
  }
}

TEST(Modulus, knows_primes_from_other_numbers) {
  std::vector<bool> is_composite(5000);
  for (size_t i = 2; i < is_composite.size(); ++i) {
    for (size_t j = 2 * i; j < is_composite.size(); j += i) is_composite[j] = true;
    EXPECT_EQ(is_prime(i), !is_composite[i]) << i;
  }
  EXPECT_TRUE(is_prime((uint64_t{1} << 61) - 1));
  EXPECT_FALSE(is_prime((uint64_t{1} << 59) - 1));
  EXPECT_FALSE(is_prime(3215031751));           // a strong pseudoprime to 2, 3, 5 and 7
  EXPECT_FALSE(is_prime(3825123056546413051));  // and to all primes up to 23
}

TEST(Field, laws_of_a_field_hold_whatever_is_rounded_in_float64) {
  const Field& f = field();
  for (const double a : samples) {
    for (const double b : samples) {
      const Real x = f.of(a);
      const Real y = f.of(b);
      EXPECT_TRUE(is_same(f.add(x, y), f.add(y, x)));
      EXPECT_TRUE(is_same(f.sub(f.add(x, y), y), x)) << a << " " << b;
      EXPECT_TRUE(is_same(f.mul(x, f.add(y, f.of(0.1))), f.add(f.mul(x, y), f.mul(f.of(0.1), x))));
      EXPECT_TRUE(b == 0 || is_same(f.mul(f.div(x, y), y), x));
      EXPECT_EQ(is_same(x, y), a == b);
      EXPECT_EQ(is_same(f.add(x, x), f.mul(x, f.of(3.0))), a == 0);
    }
  }
}

TEST(Field, integers_are_those_of_floats_and_quotients_of_them) {
  const Field& f = field();
  for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{-7}, int64_t{1} << 53, -(int64_t{1} << 62)}) {
    EXPECT_TRUE(is_same(f.of(n), f.of(static_cast<double>(n))));
  }
  EXPECT_TRUE(is_same(f.div(f.of(1), f.of(4)), f.of(0.25)));
  EXPECT_FALSE(is_same(f.div(f.of(1), f.of(3)), f.of(1.0 / 3)));
  const Real wide = f.of(std::numeric_limits<uint64_t>::max());
  EXPECT_TRUE(is_same(f.add(wide, f.of(1)), f.of(0x1p64)));
  EXPECT_FALSE(is_same(wide, f.of(0x1p64)));
}

TEST(Field, exponentials_of_sums_are_products_and_powers_of_two_are_what_they_are) {
  const Field& f = field();
  for (const double a : {0.5, -1.25, 3.0, 0.1, 100.0}) {
    for (const double b : {0.25, 2.0, -0.7, 0.1}) {
      const Real x = f.of(a);
      const Real y = f.of(b);
      EXPECT_TRUE(is_same(f.exp(f.add(x, y)), f.mul(f.exp(x), f.exp(y))));
      EXPECT_TRUE(is_same(f.exp2(f.sub(x, y)), f.div(f.exp2(x), f.exp2(y))));
      EXPECT_EQ(is_same(f.exp(x), f.exp(y)), a == b);
      EXPECT_FALSE(is_same(f.exp(x), f.exp2(x)));
    }
  }
  EXPECT_TRUE(is_same(f.exp2(f.of(3)), f.of(8)));
  EXPECT_TRUE(is_same(f.mul(f.exp2(f.of(0.5)), f.exp2(f.of(0.5))), f.of(2)));
  EXPECT_TRUE(is_same(f.exp2(f.of(-1.5)), f.div(f.exp2(f.of(0.5)), f.of(4))));
  EXPECT_TRUE(is_same(f.exp(f.of(0.0)), f.of(1)));
}

TEST(Field, exp_is_exp2_of_a_multiple_of_log2_e_as_programs_write_it) {
  const Field& f = field();
  for (const double log2e : {std::numbers::log2e, 1.442695, 1.44269504, static_cast<double>(1.44269504089f)}) {
    EXPECT_TRUE(is_same(f.exp2(f.mul(f.of(0.3), f.constant(log2e))), f.exp(f.of(0.3)))) << log2e;
  }
  EXPECT_TRUE(is_same(f.exp2(f.div(f.of(0.3), f.constant(std::numbers::ln2))), f.exp(f.of(0.3))));
  EXPECT_TRUE(is_same(f.exp(f.mul(f.of(5), f.constant(0.6931471806))), f.of(32)));
  EXPECT_TRUE(is_same(f.exp2(f.mul(f.constant(0.1), f.constant(-std::numbers::log2e))), f.exp(f.of(-0.1))));
}

TEST(Field, a_constant_that_is_another_float32_than_log2_e_and_ln_2_is_a_number) {
  const Field& f = field();
  for (const double other : {1.4427, 1.4426945, 1.4426956, 0.69314690, 0.693147, 0.6931474}) {
    EXPECT_TRUE(is_same(f.constant(other), f.of(other))) << other;
    EXPECT_EQ(f.constant(other).error, 0) << other;
  }
}

TEST(Field, no_order_is_decided_by_what_a_constant_stands_for) {
  const Field& f = field();
  for (const double written : {0.6931472, 0.69314718, 1.442695, 1.44269504, -0.6931472}) {
    EXPECT_EQ(f.order(f.constant(written), f.of(written)), Order::Undecided) << written;
    const Real scaled = f.mul(f.of(3.7), f.constant(written));
    EXPECT_EQ(f.order(scaled, f.mul(f.of(3.7), f.of(written))), Order::Undecided) << written;
    EXPECT_EQ(f.order(f.exp2(scaled), f.exp2(f.mul(f.of(3.7), f.of(written)))), Order::Undecided) << written;
  }
  EXPECT_EQ(f.order(f.constant(0.6931472), f.of(static_cast<double>(0.6931472f))), Order::Undecided);
  EXPECT_EQ(f.order(f.constant(0.6931472), f.of(0.693148)), Order::Less);
  EXPECT_EQ(f.order(f.constant(0.6931472), f.constant(std::numbers::ln2)), Order::Equal);
}

TEST(Field, hyperbolic_functions_are_what_programs_make_of_exponentials) {
  const Field& f = field();
  const Real x = f.of(0.37);
  const Real sigmoid = f.div(f.of(1), f.add(f.of(1), f.exp(f.neg(f.add(x, x)))));
  EXPECT_TRUE(is_same(f.tanh(x), f.sub(f.add(sigmoid, sigmoid), f.of(1))));
  EXPECT_TRUE(is_same(f.sub(f.mul(f.cosh(x), f.cosh(x)), f.mul(f.sinh(x), f.sinh(x))), f.of(1)));
}

TEST(Field, functions_of_which_nothing_is_known_depend_on_their_argument_only) {
  const Field& f = field();
  const Real third = f.div(f.of(1), f.of(3));
  const Real same = f.sub(f.of(1), f.div(f.of(2), f.of(3)));
  using Call = Real (Field::*)(const Real&) const;
  for (const Call call : {&Field::sqrt, &Field::log2, &Field::log, &Field::sin, &Field::cos, &Field::tanh}) {
    EXPECT_TRUE(is_same((f.*call)(third), (f.*call)(same)));
    EXPECT_FALSE(is_same((f.*call)(third), (f.*call)(f.of(1.0 / 3))));
  }
  EXPECT_TRUE(is_same(f.sin(f.neg(third)), f.neg(f.sin(third))));
  EXPECT_TRUE(is_same(f.cos(f.neg(third)), f.cos(third)));
  EXPECT_TRUE(is_same(f.sqrt(f.of(2.25)), f.of(1.5)));
  EXPECT_TRUE(is_same(f.log2(f.of(0.125)), f.of(-3)));
  EXPECT_TRUE(is_same(f.log(f.of(8)), f.mul(f.of(3), f.constant(std::numbers::ln2))));
  EXPECT_TRUE(is_same(f.pow(f.of(1.5), f.of(-3)), f.div(f.of(8), f.of(27))));
  EXPECT_TRUE(is_same(f.pow(third, f.of(0.5)), f.sqrt(same)));
}

TEST(Field, what_an_exponential_is_part_of_has_no_exponential_of_its_own) {
  const Field& f = field();
  const Real power = f.exp(f.of(0.5));
  for (const Real& nested : {f.exp(power), f.exp2(f.add(power, f.of(1))), f.exp(f.div(f.of(1), power))}) {
    EXPECT_FALSE(nested.is_known());
    EXPECT_EQ(nested.reason(), Reason::NestedExponential);
    EXPECT_EQ(f.add(nested, f.of(1)).reason(), Reason::NestedExponential);
    EXPECT_EQ(f.mul(f.of(0.0), nested).reason(), Reason::NestedExponential);
  }
  EXPECT_TRUE(is_same(f.exp(f.sub(power, power)), f.of(1)));  // there is none left
  EXPECT_TRUE(is_same(f.exp(f.mul(power, f.of(0.0))), f.of(1)));
}

TEST(Field, infinities_and_nan_follow_ieee) {
  const Field& f = field();
  const double infinity = HUGE_VAL;
  const double nan = std::nan("");
  for (const double a : {1.5, -2.0, 0.0, infinity, -infinity, nan}) {
    for (const double b : {0.5, infinity, -infinity, nan, -1.0}) {
      if (std::isfinite(a) && std::isfinite(b)) continue;
      const auto expect = [&](const Real& found, double expected, const char* what) {
        if (std::isfinite(expected)) {
          EXPECT_TRUE(is_same(found, f.of(expected))) << what << a << " " << b;
        } else {
          EXPECT_TRUE(found.is_known());
          EXPECT_TRUE(std::isnan(expected) ? found.is_nan() : found.value == expected) << what << a << " " << b;
        }
      };
      expect(f.add(f.of(a), f.of(b)), a + b, "+");
      expect(f.sub(f.of(a), f.of(b)), a - b, "-");
      expect(f.mul(f.of(a), f.of(b)), a * b, "*");
      expect(f.div(f.of(a), f.of(b)), a / b, "/");
      EXPECT_EQ(f.order(f.of(a), f.of(b)) == Order::Less, a < b);
      EXPECT_EQ(f.order(f.of(a), f.of(b)) == Order::Greater, a > b);
      EXPECT_EQ(f.order(f.of(a), f.of(b)) == Order::Unordered, std::isnan(a) || std::isnan(b));
      if (std::isfinite(b)) continue;
      expect(f.exp(f.of(b)), std::exp(b), "exp");
      expect(f.tanh(f.of(b)), std::tanh(b), "tanh");
      expect(f.sqrt(f.of(b)), std::sqrt(b), "sqrt");
    }
  }
  EXPECT_TRUE(f.div(f.of(0.0), f.of(0.0)).is_nan());
  EXPECT_EQ(f.div(f.of(1.0), f.of(0.0)).reason(), Reason::DivisionByZero);
}

TEST(Field, numbers_are_ordered_where_float64_tells_and_are_equal_where_their_residues_are) {
  const Field& f = field();
  const Real third = f.div(f.of(1), f.of(3));
  EXPECT_EQ(f.order(f.mul(third, f.of(3)), f.of(1)), Order::Equal);
  EXPECT_EQ(f.order(third, f.of(0.33)), Order::Greater);
  EXPECT_EQ(f.order(third, f.of(1.0 / 3)), Order::Undecided);
  EXPECT_EQ(f.order(f.of(1.0), f.of(std::nextafter(1.0, 2.0))), Order::Less);
  EXPECT_EQ(f.abs(f.sub(f.of(1.0 / 3), third)).reason(), Reason::Undecided);
  EXPECT_TRUE(is_same(f.abs(f.neg(third)), third));
}

TEST(Field, numbers_are_rounded_to_integers_where_float64_tells) {
  const Field& f = field();
  const Real third = f.div(f.of(1), f.of(3));
  EXPECT_EQ(f.integer<int32_t>(f.mul(third, f.of(6))), 2);
  EXPECT_EQ(f.integer<int32_t>(f.neg(f.mul(third, f.of(8)))), -2);
  EXPECT_TRUE(is_same(f.whole(f.neg(f.mul(third, f.of(8))), Whole::Floor), f.of(-3)));
  EXPECT_EQ(f.integer<int32_t>(f.add(f.of(2), f.sub(third, f.of(1.0 / 3)))), std::nullopt);
  EXPECT_EQ(f.integer<int8_t>(f.of(1e9)), 127);
  EXPECT_EQ(f.integer<uint8_t>(f.of(-5)), 0);
  EXPECT_EQ(f.integer<int64_t>(f.of(1e30)), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(f.integer<int32_t>(f.of(std::nan(""))), 0);
  EXPECT_EQ(f.integer<int32_t>(f.of(-HUGE_VAL)), std::numeric_limits<int32_t>::min());
}

// long double has 11 bits more, so it shows where a bound is too small.
TEST(Field, a_number_is_no_further_from_its_value_than_its_error) {
  const Field& f = field();
  using Long = long double;
  const auto expect = [](const Real& found, Long exact, const char* what) {
    if (!found.is_finite() || std::isinf(found.error)) return;
    const Long own = std::fabs(exact) * 0x1p-62L;  // what the judge is off
    EXPECT_LE(std::fabs(exact - static_cast<Long>(found.value)), static_cast<Long>(found.error) + own) << what;
  };
  for (const double a : samples) {
    for (const double b : samples) {
      const Real third = f.div(f.of(a), f.of(3));
      const Long exact = static_cast<Long>(a) / 3;
      const Long y = b;
      expect(f.add(third, f.of(b)), exact + y, "+");
      expect(f.mul(third, f.of(b)), exact * y, "*");
      if (b != 0) expect(f.div(third, f.of(b)), exact / y, "/");
      if (std::fabs(a) > 2000) continue;
      expect(f.exp(third), std::exp(exact), "exp");
      expect(f.tanh(third), std::tanh(exact), "tanh");
      expect(f.cosh(third), std::cosh(exact), "cosh");
      expect(f.sin(third), std::sin(exact), "sin");
      if (a <= 0) continue;
      expect(f.sqrt(third), std::sqrt(exact), "sqrt");
      expect(f.log2(third), std::log2(exact), "log2");
      if (std::fabs(b) < 50) expect(f.pow(third, f.of(b)), std::pow(exact, y), "pow");
    }
  }
}

TEST(Field, other_seeds_are_other_fields) {
  const Field other(2);
  EXPECT_EQ(field().numbers_of(field().of(7)), other.numbers_of(other.of(7)));
  EXPECT_NE(field().numbers_of(field().of(0.1)), other.numbers_of(other.of(0.1)));
  EXPECT_EQ(Field(2).numbers_of(Field(2).of(0.1)), other.numbers_of(other.of(0.1)));
}

TEST(Field, a_product_of_matrices_is_that_of_their_elements) {
  const Field& f = field();
  Random random(5);
  const auto matrix = [&](size_t count) {
    std::vector<Real> out;
    for (size_t i = 0; i < count; ++i) {
      const double value = static_cast<double>(random() >> 40) * 0x1p-20 - 8;
      const Real third = f.div(f.of(value), f.of(3));
      out.push_back(i % 5 == 1 ? Real{} : i % 5 == 2 ? f.of(value) : i % 11 == 3 ? f.exp(third) : third);
    }
    return out;
  };
  constexpr ProductSizes sizes{.rows = 3, .columns = 4, .inner = 7};
  const std::vector<Real> left = matrix(21);
  const std::vector<Real> right = matrix(28);
  std::vector<Real> found = matrix(12);
  std::vector<Real> expected = found;
  f.multiply(left.data(), right.data(), found.data(), sizes);
  bool any_lost = false;
  for (size_t i = 0; i < expected.size(); ++i) {
    for (size_t k = 0; k < 7; ++k) expected[i] = f.add(expected[i], f.mul(left[i / 4 * 7 + k], right[k * 4 + i % 4]));
    EXPECT_EQ(found[i].in[0], expected[i].in[0]);
    EXPECT_EQ(found[i].in[1], expected[i].in[1]);
    EXPECT_NEAR(found[i].value, expected[i].value, found[i].error + expected[i].error);
    EXPECT_LE(found[i].error, 4 * expected[i].error);
    any_lost |= !found[i].has_exponent();
  }
  EXPECT_TRUE(any_lost);
  const std::vector<Real> x = {f.of(0.1), f.of(2), f.of(-3), f.of(HUGE_VAL)};
  const std::vector<Real> y = {f.of(5), f.of(0.7), f.of(1), f.of(1)};
  std::vector<Real> sums(4);
  f.multiply(x.data(), y.data(), sums.data(), {.rows = 2, .columns = 2, .inner = 2});
  EXPECT_TRUE(is_same(sums[0], f.add(f.of(2), f.mul(f.of(0.1), f.of(5)))));
  EXPECT_TRUE(is_same(sums[1], f.add(f.of(2), f.mul(f.of(0.1), f.of(0.7)))));
  EXPECT_EQ(sums[2].value, HUGE_VAL);
}

}  // namespace
}  // namespace tilewright::interp
