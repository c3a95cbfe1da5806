// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "interp/test_program.h"

namespace tilewright::interp {
namespace {

using ir::Scalar;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

template <class Out, class In>
std::vector<Out> cast_to(Scalar to, const std::vector<In>& values, Scalar from = dtype_of<In>(), const std::string& more = "") {
  return calculate<Out, In>("cast", {values}, "dtype=" + std::string(ir::name_of(to)) + more, from, to);
}

TEST(Interp, a_cast_to_the_same_dtype_changes_nothing) {
  EXPECT_EQ(cast_to<int32_t>(Scalar::I32, std::vector<int32_t>{-1, 7}), (std::vector<int32_t>{-1, 7}));
}

TEST(Interp, floats_become_integers_towards_zero_and_saturate) {
  const std::vector<float> x{1.9f, -1.9f, 3e9f, -3e9f, nan, infinity, -infinity, -0.5f};
  constexpr auto most = std::numeric_limits<int32_t>::max();
  constexpr auto least = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(cast_to<int32_t>(Scalar::I32, x), (std::vector<int32_t>{1, -1, most, least, 0, most, least, 0}));
  EXPECT_EQ(cast_to<uint8_t>(Scalar::U8, x), (std::vector<uint8_t>{1, 0, 255, 0, 0, 255, 0, 0}));
  EXPECT_EQ(
      cast_to<int64_t>(Scalar::I64, std::vector<double>{1e300, -1e300, 9223372036854774784.0}),
      (std::vector<int64_t>{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min(), 9223372036854774784}));
  EXPECT_EQ(cast_to<uint64_t>(Scalar::U64, std::vector<double>{1e300, -1.0}),
            (std::vector<uint64_t>{std::numeric_limits<uint64_t>::max(), 0}));
}

TEST(Interp, everything_but_zero_is_true) {
  EXPECT_EQ(cast_to<uint8_t>(Scalar::Bool, std::vector<float>{0, -0.0f, nan, 0x1p-149f, 0.5f, -1}),
            (std::vector<uint8_t>{0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(cast_to<float>(Scalar::F32, std::vector<uint8_t>{0, 1}, Scalar::Bool), (std::vector<float>{0, 1}));
}

TEST(Interp, integers_keep_their_low_bits) {
  EXPECT_EQ(cast_to<int8_t>(Scalar::I8, std::vector<int32_t>{300, -129, 127}), (std::vector<int8_t>{44, 127, 127}));
  EXPECT_EQ(cast_to<int64_t>(Scalar::I64, std::vector<uint32_t>{0xffffffffu}), (std::vector<int64_t>{0xffffffff}));
  EXPECT_EQ(cast_to<int64_t>(Scalar::I64, std::vector<int32_t>{-1}), (std::vector<int64_t>{-1}));
  EXPECT_EQ(cast_to<uint32_t>(Scalar::U32, std::vector<int8_t>{-1}), (std::vector<uint32_t>{0xffffffffu}));
}

TEST(Interp, integers_are_rounded_once_to_floats) {
  // Half way between two float32 numbers, and just above it: by way of double the second would be lost.
  constexpr int64_t tie = (int64_t{1} << 60) + (int64_t{1} << 36);
  EXPECT_EQ(cast_to<float>(Scalar::F32, std::vector<int64_t>{tie, tie + 1}), (std::vector<float>{0x1p60f, 0x1.000002p60f}));
  constexpr int64_t brain_tie = (int64_t{1} << 60) + (int64_t{1} << 52);
  EXPECT_EQ(cast_to<uint16_t>(Scalar::BF16, std::vector<int64_t>{brain_tie, brain_tie + 1, -brain_tie - 1}),
            (std::vector<uint16_t>{0x5d80, 0x5d81, 0xdd81}));
  EXPECT_EQ(cast_to<uint16_t>(Scalar::F16, std::vector<int32_t>{2049, 2051, 70000}),
            (std::vector<uint16_t>{0x6800, 0x6802, 0x7c00}));
}

TEST(Interp, floats_become_narrower_as_the_rounding_says) {
  EXPECT_EQ(cast_to<float>(Scalar::F32, std::vector<double>{1 + 0x1p-25}), (std::vector<float>{1}));
  EXPECT_EQ(cast_to<float>(Scalar::F32, std::vector<double>{1 + 0x1p-25}, Scalar::F64, ", rounding=plus_inf"),
            (std::vector<float>{1 + 0x1p-23f}));
  EXPECT_EQ(cast_to<float>(Scalar::F32, std::vector<double>{-1 - 0x1p-25}, Scalar::F64, ", rounding=zero"),
            (std::vector<float>{-1}));
  EXPECT_EQ(cast_to<uint8_t>(Scalar::F8E4M3, std::vector<float>{448, 1e9f, -infinity, nan, 1.0625f}),
            (std::vector<uint8_t>{0x7e, 0x7e, 0xfe, 0x7f, 0x38}));
  EXPECT_EQ(cast_to<uint8_t>(Scalar::F8E5M2, std::vector<float>{1e9f, -1}), (std::vector<uint8_t>{0x7b, 0xbc}));
}

TEST(Interp, tfloat32_keeps_ten_bits_of_the_mantissa) {
  EXPECT_EQ(cast_to<float>(Scalar::TF32, std::vector<float>{1 + 0x1p-11f, 1 + 0x1p-10f, 1 + 0x3p-11f, -1 - 0x1.1p-11f}),
            (std::vector<float>{1, 1 + 0x1p-10f, 1 + 0x1p-9f, -1 - 0x1p-10f}));
}

TEST(Interp, a_bitcast_keeps_the_bits) {
  EXPECT_EQ((calculate<uint32_t, float>("bitcast", {{1.0f, -0.0f}}, "dtype=uint32")),
            (std::vector<uint32_t>{0x3f800000u, 0x80000000u}));
}

}  // namespace
}  // namespace tilewright::interp
