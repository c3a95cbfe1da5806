// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <random>

#include "interp/test_program.h"

namespace tilewright::interp {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

const std::string numbers = R"(
    %0: const<int, 0> = literal [literal=0]
    %2: const<int, 2> = literal [literal=2]
    %4: const<int, 4> = literal [literal=4]
)";

template <class Out, class In>
std::vector<Out> reduced(std::vector<In> x, const std::string& shape, const std::string& attrs, size_t count) {
  std::vector<Out> out(count, Out{-1});
  const std::string in_type = ir::name_of(dtype_of<In>());
  const std::string out_type = ir::name_of(dtype_of<Out>());
  const std::string index = shape.empty() ? "%0" : "%0";
  EXPECT_EQ(
      run_over({array_of(x, {2, 4}), array_of(out)},
               numbers + "    %x: tile<" + in_type + ", [2, 4]> = load_tile %a, %0, %0, %2, %4 [rank=2]\n    %r: tile<" +
                   out_type + ", [" + shape + "]> = reduce %x [" + attrs + "]\n    store_tile %b, " + index + ", %r [rank=1]"),
      "");
  return out;
}

using Ints = std::vector<int32_t>;
using Floats = std::vector<float>;

TEST(Interp, reductions_are_along_their_axes) {
  const Ints x{1, 2, 3, 4, 5, 6, 7, -8};
  EXPECT_EQ((reduced<int32_t>(x, "2", "reduction=sum, axes=(1)", 2)), (Ints{10, 10}));
  EXPECT_EQ((reduced<int32_t>(x, "4", "reduction=prod, axes=(0)", 4)), (Ints{5, 12, 21, -32}));
  EXPECT_EQ((reduced<int32_t>(x, "", "reduction=min, all_axes=true", 1)), (Ints{-8}));
  EXPECT_EQ((reduced<int32_t>(x, "", "reduction=max, axes=(0, 1)", 1)), (Ints{7}));
}

TEST(Interp, nan_counts_as_absent_in_a_reduction_unless_it_propagates) {
  const Floats x{1, nan, 3, 2, nan, nan, nan, nan};
  const Floats most = reduced<float>(x, "2", "reduction=max, axes=(1)", 2);
  EXPECT_EQ(most[0], 3);
  EXPECT_TRUE(std::isnan(most[1]));
  EXPECT_TRUE(std::isnan((reduced<float>(x, "2", "reduction=max, axes=(1), nan=propagate", 2))[0]));
}

TEST(Interp, the_index_of_an_extreme_is_the_first_of_equals_and_nan_the_worst) {
  const Floats x{1, 5, 5, nan, nan, nan, 2, 1};
  EXPECT_EQ((reduced<int32_t>(x, "2", "reduction=argmax, axes=(1)", 2)), (Ints{1, 2}));
  EXPECT_EQ((reduced<int32_t>(x, "2", "reduction=argmin, axes=(1)", 2)), (Ints{0, 3}));
  EXPECT_EQ((reduced<int32_t>(x, "2", "reduction=argmax, axes=(1), nan=propagate", 2)), (Ints{3, 0}));
  EXPECT_EQ((reduced<int32_t>(x, "4", "reduction=argmin, axes=(0)", 4)), (Ints{0, 0, 1, 1}));
  EXPECT_EQ((reduced<int32_t>(x, "", "reduction=argmax, all_axes=true", 1)), (Ints{1}));
}

TEST(Interp, a_sum_of_halves_is_rounded_once) {
  // 2048 and 4095 ones in float16: 2048 + 1 is 2048 there, but the sum is the float16 nearest to 6143.
  std::vector<uint16_t> x(4096, 0x3c00);
  x[0] = 0x6800;
  std::vector<uint16_t> out(1);
  EXPECT_EQ(run_over({array_of(x, {4096}, ir::Scalar::F16), array_of(out, {1}, ir::Scalar::F16)}, numbers + R"(
    %n: const<int, 4096> = literal [literal=4096]
    %x: tile<float16, [4096]> = load_tile %a, %0, %n [rank=1]
    %r: tile<float16, []> = reduce %x [reduction=sum, axes=(0)]
    store_tile %b, %0, %r [rank=1])"),
            "");
  EXPECT_EQ(out[0], 0x6e00);  // 6144
}

TEST(Interp, sums_and_scans_are_rounded_and_flushed_as_they_say) {
  Floats x{1, 0x1p-24, 0x1p-24, 0x1p-24, 0x1p-149f, 0x1p-149f, -0x1p-149f, 0};
  EXPECT_EQ((reduced<float>(x, "2", "reduction=sum, axes=(1)", 2)), (Floats{1 + 0x1p-23f, 0x1p-149f}));
  EXPECT_EQ((reduced<float>(x, "2", "reduction=sum, axes=(1), rounding=zero", 2)), (Floats{1 + 0x1p-23f, 0x1p-149f}));
  EXPECT_EQ((reduced<float>(x, "2", "reduction=sum, axes=(1), rounding=plus_inf", 2)), (Floats{1 + 0x1p-22f, 0x1p-149f}));
  EXPECT_EQ((reduced<float>(x, "2", "reduction=sum, axes=(1), flush=to_zero", 2)), (Floats{1 + 0x1p-23f, 0}));
  EXPECT_EQ((reduced<float>(x, "2", "reduction=max, axes=(1), flush=to_zero", 2)), (Floats{1, 0}));
  Floats ups(8);
  Floats downs(8);
  EXPECT_EQ(run_over({array_of(x, {2, 4}), array_of(ups, {2, 4}), array_of(downs, {2, 4})}, numbers + R"(
    %x: tile<float32, [2, 4]> = load_tile %a, %0, %0, %2, %4 [rank=2]
    %u: tile<float32, [2, 4]> = scan %x [reduction=sum, axis=1, rounding=plus_inf]
    %d: tile<float32, [2, 4]> = scan %x [reduction=sum, axis=1, rounding=minus_inf]
    store_tile %b, %0, %0, %u [rank=2]
    store_tile %c, %0, %0, %d [rank=2])"),
            "");
  EXPECT_EQ(ups, (Floats{1, 1 + 0x1p-23f, 1 + 0x1p-22f, 1 + 0x3p-23f, 0x1p-149f, 0x1p-148f, 0x1p-149f, 0x1p-149f}));
  EXPECT_EQ(downs, (Floats{1, 1, 1, 1, 0x1p-149f, 0x1p-148f, 0x1p-149f, 0x1p-149f}));
}

TEST(Interp, a_scan_is_inclusive_from_either_end) {
  std::vector<int32_t> x{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<int32_t> forwards(8);
  std::vector<int32_t> backwards(8);
  EXPECT_EQ(run_over({array_of(x, {2, 4}), array_of(forwards, {2, 4}), array_of(backwards, {2, 4})}, numbers + R"(
    %x: tile<int32, [2, 4]> = load_tile %a, %0, %0, %2, %4 [rank=2]
    %f: tile<int32, [2, 4]> = scan %x [reduction=sum, axis=1]
    %r: tile<int32, [2, 4]> = scan %x [reduction=prod, axis=0, reverse=true]
    store_tile %b, %0, %0, %f [rank=2]
    store_tile %c, %0, %0, %r [rank=2])"),
            "");
  EXPECT_EQ(forwards, (Ints{1, 3, 6, 10, 5, 11, 18, 26}));
  EXPECT_EQ(backwards, (Ints{5, 12, 21, 32, 5, 6, 7, 8}));
}

// x @ y by the definition, in double.
std::vector<double> product(const Floats& x, const Floats& y, size_t rows, size_t inner, size_t columns) {
  std::vector<double> out(rows * columns);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      for (size_t k = 0; k < inner; ++k) out[i * columns + j] += static_cast<double>(x[i * inner + k]) * y[k * columns + j];
    }
  }
  return out;
}

TEST(Interp, products_are_summed_in_full_float32) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  Floats x(16 * 64);
  Floats y(64 * 32);
  for (float& value : x) value = normal(random);
  for (float& value : y) value = normal(random);
  Floats out(16 * 32, 1.0f);
  EXPECT_EQ(run_over({array_of(x, {16, 64}), array_of(y, {64, 32}), array_of(out, {16, 32})}, numbers + R"(
    %m: const<int, 16> = literal [literal=16]
    %n: const<int, 32> = literal [literal=32]
    %k: const<int, 64> = literal [literal=64]
    %x: tile<float32, [16, 64]> = load_tile %a, %0, %0, %m, %k [rank=2]
    %y: tile<float32, [64, 32]> = load_tile %b, %0, %0, %k, %n [rank=2]
    %z: tile<float32, [16, 32]> = load_tile %c, %0, %0, %m, %n [rank=2]
    %r: tile<float32, [16, 32]> = dot %x, %y, %z
    store_tile %c, %0, %0, %r [rank=2])"),
            "");
  const std::vector<double> expected = product(x, y, 16, 64, 32);
  for (size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i] + 1, 64 * 0x1p-23 * 8) << i;
}

TEST(Interp, products_of_small_integers_wrap_in_int32_and_batches_are_broadcast) {
  std::vector<int8_t> x{1, 2, 3, 4, 5, 6, 7, 8};  // [2, 2, 2]
  std::vector<int8_t> y{1, 0, 0, -1};             // [1, 2, 2]
  Ints out(8);
  EXPECT_EQ(run_over({array_of(x, {2, 2, 2}), array_of(y, {1, 2, 2}), array_of(out, {2, 2, 2})}, numbers + R"(
    %1: const<int, 1> = literal [literal=1]
    %x: tile<int8, [2, 2, 2]> = load_tile %a, %0, %0, %0, %2, %2, %2 [rank=3]
    %y: tile<int8, [1, 2, 2]> = load_tile %b, %0, %0, %0, %1, %2, %2 [rank=3]
    %r: tile<int32, [2, 2, 2]> = dot %x, %y
    store_tile %c, %0, %0, %0, %r [rank=3])"),
            "");
  EXPECT_EQ(out, (Ints{1, -2, 3, -4, 5, -6, 7, -8}));
}

}  // namespace
}  // namespace tilewright::interp
