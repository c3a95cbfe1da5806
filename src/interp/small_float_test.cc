// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/small_float.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstring>
#include <limits>

namespace tilewright::interp {
namespace {

using ir::Rounding;

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(SmallFloat, every_float16_is_that_of_eigen) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float expected = Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(half));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(float16_to_float(half)));
      EXPECT_TRUE(std::isnan(decode(float16, bits)));
      continue;
    }
    EXPECT_EQ(float16_to_float(half), expected) << bits;
    EXPECT_EQ(decode(float16, bits), expected) << bits;
    EXPECT_EQ(std::signbit(decode(float16, bits)), std::signbit(expected)) << bits;
    EXPECT_EQ(float_to_float16(expected), half) << bits;
    EXPECT_EQ(encode(float16, expected, Rounding::Nearest, Overflow::ByRounding), bits);
  }
}

TEST(SmallFloat, floats_between_float16s_are_rounded_as_eigen_rounds_them) {
  uint32_t bits = 0;
  for (int i = 0; i < 1000000; ++i) {
    bits = bits * 1664525u + 1013904223u;
    const float value = std::bit_cast<float>(bits);
    if (std::isnan(value)) continue;
    const uint16_t expected = Eigen::half_impl::float_to_half_rtne(value).x;
    ASSERT_EQ(float_to_float16(value), expected) << value;
    ASSERT_EQ(encode(float16, value, Rounding::Nearest, Overflow::ByRounding), expected) << value;
    const uint16_t brain = Eigen::bfloat16(value).value;
    ASSERT_EQ(float_to_bfloat16(value), brain) << value;
    ASSERT_EQ(encode(bfloat16, value, Rounding::Nearest, Overflow::ByRounding), brain) << value;
  }
}

TEST(SmallFloat, nan_stays_nan_in_every_format) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Format& format : {float16, bfloat16, tfloat32, float8_e4m3fn, float8_e5m2}) {
    EXPECT_TRUE(std::isnan(decode(format, encode(format, nan, Rounding::Nearest, Overflow::Saturates))));
  }
  EXPECT_TRUE(std::isnan(float16_to_float(float_to_float16(std::bit_cast<float>(0xff800001u)))));
  EXPECT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(std::bit_cast<float>(0x7f800001u)))));
}

TEST(SmallFloat, every_value_of_a_format_is_encoded_as_itself) {
  for (const Format& format : {float16, bfloat16, float8_e4m3fn, float8_e5m2}) {
    for (uint32_t bits = 0; bits < 2 * format.sign_bit(); ++bits) {
      const float value = decode(format, bits);
      if (std::isnan(value) || std::isinf(value)) continue;
      for (const Rounding rounding : {Rounding::Nearest, Rounding::Zero, Rounding::MinusInf, Rounding::PlusInf}) {
        EXPECT_EQ(encode(format, value, rounding, Overflow::Saturates), bits);
      }
    }
  }
}

TEST(SmallFloat, neighbours_are_chosen_as_the_rounding_says) {
  // 1 + 2^-4 lies half way between two e4m3 numbers, 1 and 1.125; the even one is 1.
  const auto at = [](double value, Rounding rounding) {
    return decode(float8_e4m3fn, encode(float8_e4m3fn, value, rounding, Overflow::Saturates));
  };
  EXPECT_EQ(at(1.0625, Rounding::Nearest), 1.0f);
  EXPECT_EQ(at(1.0626, Rounding::Nearest), 1.125f);
  EXPECT_EQ(at(1.1875, Rounding::Nearest), 1.25f);
  EXPECT_EQ(at(1.01, Rounding::PlusInf), 1.125f);
  EXPECT_EQ(at(1.12, Rounding::MinusInf), 1.0f);
  EXPECT_EQ(at(-1.01, Rounding::PlusInf), -1.0f);
  EXPECT_EQ(at(-1.01, Rounding::MinusInf), -1.125f);
  EXPECT_EQ(at(-1.12, Rounding::Zero), -1.0f);
  EXPECT_EQ(at(0x1p-10, Rounding::Nearest), 0.0f);  // half of the least denormal
  EXPECT_EQ(at(0x1.1p-10, Rounding::Nearest), 0x1p-9f);
  EXPECT_EQ(at(1e-300, Rounding::PlusInf), 0x1p-9f);
}

TEST(SmallFloat, what_is_too_large_becomes_infinite_or_the_largest_number) {
  EXPECT_EQ(decode(float16, encode(float16, 65519.9, Rounding::Nearest, Overflow::ByRounding)), 65504.0f);
  EXPECT_EQ(decode(float16, encode(float16, 65520.0, Rounding::Nearest, Overflow::ByRounding)), infinity);
  EXPECT_EQ(decode(float16, encode(float16, 1e9, Rounding::Zero, Overflow::ByRounding)), 65504.0f);
  EXPECT_EQ(decode(float16, encode(float16, -1e9, Rounding::PlusInf, Overflow::ByRounding)), -65504.0f);
  EXPECT_EQ(decode(float16, encode(float16, -1e9, Rounding::MinusInf, Overflow::ByRounding)), -infinity);
  EXPECT_EQ(decode(float8_e4m3fn, encode(float8_e4m3fn, 1e9, Rounding::Nearest, Overflow::Saturates)), 448.0f);
  EXPECT_EQ(decode(float8_e4m3fn, encode(float8_e4m3fn, -infinity, Rounding::Nearest, Overflow::Saturates)), -448.0f);
  EXPECT_EQ(decode(float8_e5m2, encode(float8_e5m2, infinity, Rounding::Nearest, Overflow::Saturates)), 57344.0f);
}

TEST(SmallFloat, a_double_is_rounded_once) {
  // Just above half way between 1 and the next float16: rounded to float32 first it would be half way, and go to the even 1.
  EXPECT_EQ(encode(float16, 1.0 + 0x1p-11 + 0x1p-40, Rounding::Nearest, Overflow::ByRounding), 0x3c01u);
}

}  // namespace
}  // namespace tilewright::interp
