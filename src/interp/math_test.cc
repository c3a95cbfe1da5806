// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "interp/test_program.h"

namespace tilewright::interp {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float denormal = 0x1p-140f;
constexpr int32_t int_min = std::numeric_limits<int32_t>::min();
constexpr int32_t int_max = std::numeric_limits<int32_t>::max();

std::vector<int32_t> ints(const std::string& op, const std::vector<int32_t>& x, const std::vector<int32_t>& y) {
  return calculate<int32_t, int32_t>(op, {x, y}, "dtype=int32");
}

std::vector<float> floats(const std::string& op, const std::vector<float>& x, const std::vector<float>& y,
                          const std::string& attrs = "") {
  return calculate<float, float>(op, {x, y}, "dtype=float32" + attrs);
}

std::vector<float> function(const std::string& op, const std::vector<float>& x) {
  return calculate<float, float>(op, {x}, "dtype=float32");
}

// Bit by bit, so that zeros of both signs and NaN are told apart from others.
void expect_same(const std::vector<float>& actual, const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(actual[i])) << i;
    } else {
      EXPECT_EQ(std::bit_cast<uint32_t>(actual[i]), std::bit_cast<uint32_t>(expected[i])) << i << ": " << actual[i];
    }
  }
}

using Ints = std::vector<int32_t>;

TEST(Interp, integers_wrap_around) {
  EXPECT_EQ(ints("add", {int_max, 1}, {1, 2}), (Ints{int_min, 3}));
  EXPECT_EQ(ints("sub", {int_min, 1}, {1, 2}), (Ints{int_max, -1}));
  EXPECT_EQ(ints("mul", {65536, -3}, {65536, 5}), (Ints{0, -15}));
  EXPECT_EQ((calculate<uint8_t, uint8_t>("add", {{250, 255}, {10, 255}}, "dtype=uint8")), (std::vector<uint8_t>{4, 254}));
  EXPECT_EQ((calculate<uint16_t, uint16_t>("mul", {{65535, 300}, {65535, 300}}, "dtype=uint16")),
            (std::vector<uint16_t>{1, 24464}));
}

TEST(Interp, division_of_integers_rounds_as_its_op_says) {
  const Ints x{7, -7, 7, -7, 6, int_min, int_min, 0};
  const Ints y{2, 2, -2, -2, 3, -1, 1, 5};
  EXPECT_EQ(ints("floor_div", x, y), (Ints{3, -4, -4, 3, 2, int_min, int_min, 0}));
  EXPECT_EQ(ints("ceil_div", x, y), (Ints{4, -3, -3, 4, 2, int_min, int_min, 0}));
  EXPECT_EQ(ints("trunc_div", x, y), (Ints{3, -3, -3, 3, 2, int_min, int_min, 0}));
  EXPECT_EQ(ints("floor_mod", x, y), (Ints{1, 1, -1, -1, 0, 0, 0, 0}));
  EXPECT_EQ(ints("trunc_mod", x, y), (Ints{1, -1, 1, -1, 0, 0, 0, 0}));
  EXPECT_EQ((calculate<uint32_t, uint32_t>("floor_div", {{0xffffffffu, 7}, {2, 8}}, "dtype=uint32")),
            (std::vector<uint32_t>{0x7fffffffu, 0}));
}

TEST(Interp, a_division_of_integers_by_zero_is_no_crash) { EXPECT_EQ(ints("floor_div", {5, -5}, {0, 0}), (Ints{-1, -1})); }

TEST(Interp, shifts_by_the_width_or_more_leave_nothing_but_signs) {
  EXPECT_EQ(ints("shl", {1, 1, 1, -1}, {31, 32, -1, 100}), (Ints{int_min, 0, 0, 0}));
  EXPECT_EQ(ints("shr", {-8, 8, -8, 8}, {1, 1, 32, 40}), (Ints{-4, 4, -1, 0}));
  EXPECT_EQ((calculate<uint8_t, uint8_t>("shr", {{200, 200}, {1, 8}}, "dtype=uint8")), (std::vector<uint8_t>{100, 0}));
}

TEST(Interp, powers_of_integers_wrap_around) {
  EXPECT_EQ(ints("pow", {3, -2, 0, 10, -1, 2}, {4, 3, 0, 10, -3, -1}), (Ints{81, -8, 1, 1410065408, -1, 0}));
}

TEST(Interp, bools_are_logical) {
  const std::vector<uint8_t> x{0, 0, 1, 1};
  const std::vector<uint8_t> y{0, 1, 0, 1};
  const auto on_bools = [&](const std::string& op) {
    return calculate<uint8_t, uint8_t>(op, {x, y}, "dtype=bool_", ir::Scalar::Bool, ir::Scalar::Bool);
  };
  EXPECT_EQ(on_bools("bit_xor"), (std::vector<uint8_t>{0, 1, 1, 0}));
  EXPECT_EQ(on_bools("bit_and"), (std::vector<uint8_t>{0, 0, 0, 1}));
  const auto inverted = calculate<uint8_t, uint8_t>("bit_not", {x}, "dtype=bool_", ir::Scalar::Bool, ir::Scalar::Bool);
  EXPECT_EQ(inverted, (std::vector<uint8_t>{1, 1, 0, 0}));
  EXPECT_EQ(calculate<int32_t>("bit_not", std::vector<Ints>{{0, 5, 0, -1}}, "dtype=int32"), (Ints{-1, -6, -1, 0}));
}

TEST(Interp, min_and_max_take_nan_as_absent_and_minus_zero_as_less) {
  const std::vector<float> x{1, nan, 2, nan, 0.0f, -0.0f, infinity, -1};
  const std::vector<float> y{2, 3, nan, nan, -0.0f, 0.0f, nan, -2};
  expect_same(floats("min", x, y), {1, 3, 2, nan, -0.0f, -0.0f, infinity, -2});
  expect_same(floats("max", x, y), {2, 3, 2, nan, 0.0f, 0.0f, infinity, -1});
  expect_same(floats("max", x, y, ", nan=propagate"), {2, nan, nan, nan, 0.0f, 0.0f, nan, -1});
}

TEST(Interp, floor_division_and_modulo_of_floats_floor) {
  expect_same(floats("floor_div", {7, -7, 1, 5}, {2, 2, infinity, 0}), {3, -4, 0, infinity});
  expect_same(floats("floor_mod", {7, -7, 7, 1}, {2, 2, -2, infinity}), {1, 1, -1, 1});
}

TEST(Interp, a_remainder_of_zero_keeps_the_sign_of_what_was_divided) {
  expect_same(floats("floor_mod", {5, -5, 5, -5}, {2.5f, 2.5f, -2.5f, -2.5f}), {0, -0.0f, 0, -0.0f});
}

TEST(Interp, comparisons_with_nan_are_false_but_for_ne) {
  const auto compared = [](const std::string& op) {
    const std::vector<float> x{1, nan, 2, 0.0f};
    const std::vector<float> y{1, 1, 3, -0.0f};
    return calculate<uint8_t>(op, std::vector{x, y}, "dtype=float32", ir::Scalar::F32, ir::Scalar::Bool);
  };
  EXPECT_EQ(compared("eq"), (std::vector<uint8_t>{1, 0, 0, 1}));
  EXPECT_EQ(compared("ne"), (std::vector<uint8_t>{0, 1, 1, 0}));
  EXPECT_EQ(compared("ge"), (std::vector<uint8_t>{1, 0, 0, 1}));
  EXPECT_EQ(compared("lt"), (std::vector<uint8_t>{0, 0, 1, 0}));
}

TEST(Interp, unsigned_numbers_are_compared_without_a_sign) {
  EXPECT_EQ((calculate<uint8_t, uint32_t>("lt", {{1, 0x80000000u}, {0x80000000u, 1}}, "dtype=uint32", ir::Scalar::U32,
                                          ir::Scalar::Bool)),
            (std::vector<uint8_t>{1, 0}));
}

TEST(Interp, arithmetic_is_rounded_as_its_op_says) {
  const std::vector<float> x{1, 1, -1, -1};
  const std::vector<float> y{0x1p-30f, -0x1p-30f, 0x1p-30f, -0x1p-30f};
  const float below = std::nextafter(1.0f, 0.0f);
  const float above = std::nextafter(1.0f, 2.0f);
  expect_same(floats("add", x, y), {1, 1, -1, -1});
  expect_same(floats("add", x, y, ", rounding=zero"), {1, below, -below, -1});
  expect_same(floats("add", x, y, ", rounding=minus_inf"), {1, below, -1, -above});
  expect_same(floats("add", x, y, ", rounding=plus_inf"), {above, 1, -below, -1});
  const float third = 1.0f / 3;  // above a third
  expect_same(floats("true_div", {1, 1}, {3, 3}, ", rounding=plus_inf"), {third, third});
  expect_same(floats("true_div", {1, -1}, {3, 3}, ", rounding=minus_inf"), {std::nextafter(third, 0.0f), -third});
  expect_same(floats("true_div", {1, 0}, {3, 0}), {1.0f / 3, nan});
}

TEST(Interp, denormals_are_kept_and_flushed_only_where_the_op_says) {
  expect_same(floats("add", {denormal, -denormal}, {denormal, -denormal}), {2 * denormal, -2 * denormal});
  expect_same(floats("add", {denormal, -denormal}, {1, -0.0f}, ", flush=to_zero"), {1, -0.0f});
  expect_same(floats("mul", {0x1p-100f, -0x1p-100f}, {0x1p-40f, 0x1p-40f}, ", flush=to_zero"), {0.0f, -0.0f});
}

TEST(Interp, functions_are_the_nearest_floats) {
  expect_same(function("exp", {0, 1, -infinity, nan}), {1, static_cast<float>(std::exp(1.0)), 0, nan});
  expect_same(function("exp2", {-149, 127, 128, 0.5f}), {0x1p-149f, 0x1p127f, infinity, static_cast<float>(std::exp2(0.5))});
  expect_same(function("log2", {8, 0, -1, infinity}), {3, -infinity, nan, infinity});
  expect_same(function("rsqrt", {4, 0, -0.0f, infinity}), {0.5f, infinity, -infinity, 0});
  expect_same(function("sqrt", {2, -0.0f}), {std::sqrt(2.0f), -0.0f});
  expect_same(function("tanh", {0.5f, infinity}), {static_cast<float>(std::tanh(0.5)), 1});
  expect_same(function("floor", {1.5f, -1.5f}), {1, -2});
  expect_same(function("neg", {0, nan}), {-0.0f, nan});
  expect_same(function("abs", {-0.0f, -3}), {0, 3});
}

TEST(Interp, halves_are_calculated_in_float32_and_rounded_once) {
  // 1 + 2^-11 is half way between two float16 numbers: to the even one.
  const std::vector<uint16_t> one{0x3c00, 0x3c01};
  const std::vector<uint16_t> half_ulp{0x1000, 0x1000};
  EXPECT_EQ(calculate<uint16_t>("add", std::vector{one, half_ulp}, "dtype=float16", ir::Scalar::F16, ir::Scalar::F16),
            (std::vector<uint16_t>{0x3c00, 0x3c02}));
  EXPECT_EQ(calculate<uint16_t>("add", std::vector{one, half_ulp}, "dtype=float16, rounding=plus_inf", ir::Scalar::F16,
                                ir::Scalar::F16),
            (std::vector<uint16_t>{0x3c01, 0x3c02}));
}

TEST(Interp, a_loose_float_goes_by_way_of_float32_also_to_float64) {
  std::vector<double> x{1.0};
  EXPECT_EQ(run_over({array_of(x)}, R"(
    %0: const<int, 0> = literal [literal=0]
    %1: const<int, 1> = literal [literal=1]
    %c: const<float, 0.1> = literal [literal=0.1]
    %x: tile<float64, [1]> = load_tile %a, %0, %1 [rank=1]
    %y: tile<float64, [1]> = mul %x, %c [dtype=float64]
    store_tile %a, %0, %y [rank=1])"),
            "");
  EXPECT_EQ(x[0], 0.10000000149011612);
}

TEST(Interp, operands_are_broadcast_by_numpys_rule) {
  std::vector<int32_t> rows{10, 20};
  std::vector<int32_t> columns{1, 2, 3, 4};
  std::vector<int32_t> sums(8);
  std::vector<uint8_t> less(8);
  EXPECT_EQ(run_over({array_of(rows), array_of(columns), array_of(sums, {2, 4}), array_of(less, {2, 4}, ir::Scalar::Bool)}, R"(
    %0: const<int, 0> = literal [literal=0]
    %2: const<int, 2> = literal [literal=2]
    %4: const<int, 4> = literal [literal=4]
    %x: tile<int32, [2]> = load_tile %a, %0, %2 [rank=1]
    %y: tile<int32, [4]> = load_tile %b, %0, %4 [rank=1]
    %column: tile<int32, [2, 1]> = expand_dims %x [axes=(1)]
    %s: tile<int32, [2, 4]> = sub %column, %y [dtype=int32]
    %l: tile<bool_, [2, 4]> = lt %y, %s [dtype=int32]
    store_tile %c, %0, %0, %s [rank=2]
    store_tile %d, %0, %0, %l [rank=2])"),
            "");
  EXPECT_EQ(sums, (std::vector<int32_t>{9, 8, 7, 6, 19, 18, 17, 16}));
  EXPECT_EQ(less, (std::vector<uint8_t>{1, 1, 1, 1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace tilewright::interp
