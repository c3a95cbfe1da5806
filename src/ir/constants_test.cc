// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/constants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tilewright::ir {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double real(Scalar scalar, double value) { return std::get<double>(*constant_of(scalar, sym::Value{value})); }
int64_t whole(Scalar scalar, sym::Value value) { return std::get<int64_t>(*constant_of(scalar, value)); }

TEST(Constants, what_a_dtype_holds_stays) {
  for (const Scalar scalar :
       {Scalar::F16, Scalar::BF16, Scalar::TF32, Scalar::F8E4M3, Scalar::F8E5M2, Scalar::F32, Scalar::F64}) {
    for (const double value : {0.0, -0.0, 1.0, -1.5, 0.25, 448.0}) EXPECT_EQ(real(scalar, value), value);
    EXPECT_TRUE(std::signbit(real(scalar, -0.0)));
    EXPECT_TRUE(std::isnan(real(scalar, std::nan(""))));
  }
  EXPECT_EQ(real(Scalar::F64, 0.1), 0.1);
  EXPECT_EQ(real(Scalar::F16, 65504), 65504);
  EXPECT_EQ(real(Scalar::F16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(whole(Scalar::I64, sym::Value{int64_t{1} << 62}), int64_t{1} << 62);
}

TEST(Constants, floats_are_rounded_to_the_nearest_and_to_even) {
  EXPECT_EQ(real(Scalar::F32, 0.1), double{0.1f});
  EXPECT_EQ(real(Scalar::F32, 1e-45), double{1e-45f});
  EXPECT_EQ(real(Scalar::F16, 2049), 2048);
  EXPECT_EQ(real(Scalar::F16, 2051), 2052);
  EXPECT_EQ(real(Scalar::F16, 0x1.8p-25), 0x1p-24);
  EXPECT_EQ(real(Scalar::F16, 0x1p-25), 0);
  EXPECT_EQ(real(Scalar::BF16, 0.1), 0.10009765625);
  EXPECT_EQ(real(Scalar::F8E4M3, 0.1), 0.1015625);
  EXPECT_EQ(real(Scalar::F8E5M2, 0.1), 0.09375);
}

TEST(Constants, floats_beyond_the_largest_are_infinite_or_no_number) {
  EXPECT_EQ(real(Scalar::F16, 65519.9), 65504);
  EXPECT_EQ(real(Scalar::F16, 65520), infinity);
  EXPECT_EQ(real(Scalar::F32, -1e39), -infinity);
  EXPECT_EQ(real(Scalar::F8E5M2, 61440), infinity);
  EXPECT_EQ(real(Scalar::F8E4M3, 464), 448);
  EXPECT_TRUE(std::isnan(real(Scalar::F8E4M3, 465)));
  EXPECT_TRUE(std::isnan(real(Scalar::F8E4M3, infinity)));
}

TEST(Constants, integers_wrap_and_floats_are_cut) {
  EXPECT_EQ(whole(Scalar::U8, sym::Value{int64_t{300}}), 44);
  EXPECT_EQ(whole(Scalar::I8, sym::Value{int64_t{200}}), -56);
  EXPECT_EQ(whole(Scalar::U32, sym::Value{int64_t{-1}}), 4294967295);
  EXPECT_EQ(whole(Scalar::I32, sym::Value{-2.7}), -2);
  EXPECT_EQ(whole(Scalar::I32, sym::Value{3e9}), -1294967296);
  EXPECT_EQ(std::get<bool>(*constant_of(Scalar::Bool, sym::Value{0.5})), true);
}

TEST(Constants, what_64_bits_do_not_hold_is_none) {
  EXPECT_FALSE(constant_of(Scalar::I32, sym::Value{infinity}));
  EXPECT_FALSE(constant_of(Scalar::U8, sym::Value{1e20}));
  EXPECT_FALSE(constant_of(Scalar::U64, sym::Value{int64_t{-1}}));
  EXPECT_FALSE(constant_of(Scalar::F4E2M1, sym::Value{1.0}));
}

}  // namespace
}  // namespace tilewright::ir
