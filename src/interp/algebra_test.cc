// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Ops in the number system `algebra`. The judge of what they calculate is `ieee` in float64, which is near.

#include <cmath>

#include "interp/lift.h"
#include "interp/test_program.h"

namespace tilewright::interp {
namespace {

using Doubles = std::vector<double>;
using Ints = std::vector<int32_t>;

const std::string numbers = R"(
    %0: const<int, 0> = literal [literal=0]
    %1: const<int, 1> = literal [literal=1]
    %2: const<int, 2> = literal [literal=2]
    %4: const<int, 4> = literal [literal=4]
    %x: tile<float64, [4]> = load_tile %a, %0, %4 [rank=1]
    %y: tile<float64, [4]> = load_tile %b, %0, %4 [rank=1]
)";

const Field& field() {
  static const Field of(0);
  return of;
}

struct InAlgebra {
  LiftedArguments lifted;
  std::string trouble;

  std::vector<Real> reals(size_t argument) const { return reals_of(std::get<Array>(lifted.arguments()[argument])); }
};

InAlgebra run_in_algebra(const std::vector<Array>& arrays, const std::string& body, Watch watch = Watch::Accesses) {
  InAlgebra out{.lifted = LiftedArguments(field(), std::vector<Argument>(arrays.begin(), arrays.end())), .trouble = ""};
  const Options options{.numbers = Numbers::Algebra, .field = &field(), .watch = watch, .threads = 1};
  out.trouble = run_text(kernel_over(arrays, numbers + body), out.lifted.arguments(), {1, 1, 1}, options);
  return out;
}

// The body makes %r of %x and %y; stored in both number systems, it is the same as far as float64 tells.
void expect_alike(const std::string& body, Doubles x = {1.5, -0.25, 3, 0.7}, Doubles y = {2, 4, -0.8, 0.5}) {
  Doubles out(4, 99);
  const std::vector<Array> arrays = {array_of(x), array_of(y), array_of(out)};
  const std::string stored = body + "\n    store_tile %c, %0, %r [rank=1]";
  const InAlgebra run = run_in_algebra(arrays, stored);
  ASSERT_EQ(run.trouble, "") << body;
  EXPECT_EQ(out, Doubles(4, 99)) << "the caller's memory is written";
  ASSERT_EQ(run_over(arrays, numbers + stored), "");
  const std::vector<Real> found = run.reals(2);
  for (size_t i = 0; i < out.size(); ++i) {
    if (!std::isfinite(out[i])) {
      EXPECT_TRUE(std::isnan(out[i]) ? found[i].is_nan() : found[i].value == out[i]) << body << " " << i;
      continue;
    }
    EXPECT_NEAR(found[i].value, out[i], found[i].error + 1e-14 * std::fabs(out[i])) << body << " " << i;
    EXPECT_LE(found[i].error, 1e-13 * std::fabs(out[i])) << body << " " << i;
  }
}

TEST(InterpAlgebra, elementwise_ops_calculate_what_ieee_calculates) {
  for (const std::string op : {"neg", "abs", "floor", "ceil", "exp", "exp2", "sin", "cos", "tan", "sinh", "cosh", "tanh"}) {
    expect_alike("    %r: tile<float64, [4]> = " + op + " %x [dtype=float64]");
  }
  for (const std::string op : {"log", "log2", "sqrt", "rsqrt"}) {
    expect_alike("    %r: tile<float64, [4]> = " + op + " %x [dtype=float64]", {0.3, 4, HUGE_VAL, 7});
  }
  for (const std::string op :
       {"add", "sub", "mul", "true_div", "floor_div", "floor_mod", "trunc_mod", "min", "max", "atan2", "min", "max"}) {
    expect_alike("    %r: tile<float64, [4]> = " + op + " %x, %y [dtype=float64]");
    expect_alike("    %r: tile<float64, [4]> = " + op + " %x, %2 [dtype=float64]");
  }
  expect_alike("    %r: tile<float64, [4]> = pow %x, %y [dtype=float64]", {1.5, 2, 4, 0.1}, {3, -0.3, 0.5, -2});
}

TEST(InterpAlgebra, nan_and_infinities_are_compared_and_chosen_as_in_ieee) {
  const double nan = std::nan("");
  for (const std::string op : {"min", "max"}) {
    for (const std::string rule : {"", ", nan=propagate"}) {
      expect_alike("    %r: tile<float64, [4]> = " + op + " %x, %y [dtype=float64" + rule + "]", {nan, 1, -HUGE_VAL, nan},
                   {2, nan, 7, nan});
    }
  }
  for (const std::string op : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    expect_alike(
        "    %c0: tile<bool_, [4]> = " + op + " %x, %y [dtype=float64]\n    %r: tile<float64, [4]> = cast %c0 [dtype=float64]",
        {nan, 1, -HUGE_VAL, 2}, {2, 1, 7, 1});
  }
  expect_alike(
      "    %c0: tile<bool_, [4]> = isnan %x [dtype=float64]\n    %r: tile<float64, [4]> = where %c0, %y, %x [dtype=float64]",
      {nan, 1, HUGE_VAL, 2}, {2, 1, 7, 1});
}

TEST(InterpAlgebra, reductions_scans_and_products_calculate_what_ieee_calculates) {
  for (const std::string reduction : {"sum", "prod", "max", "min"}) {
    expect_alike("    %s: tile<float64, []> = reduce %x [reduction=" + reduction +
                 ", axes=(0)]\n    %r: tile<float64, [4]> = add %y, %s [dtype=float64]");
  }
  for (const std::string reduction : {"argmax", "argmin"}) {
    for (const std::string rule : {"", ", nan=propagate"}) {
      const std::string body = "    %s: tile<int32, []> = reduce %x [reduction=" + reduction + rule +
                               ", axes=(0)]\n    %t: tile<float64, []> = cast %s [dtype=float64]\n"
                               "    %r: tile<float64, [4]> = add %y, %t [dtype=float64]";
      expect_alike(body, {2, 5, -1, 5});
      expect_alike(body, {std::nan(""), 5, std::nan(""), -1});
    }
  }
  for (const std::string attrs : {"reduction=sum", "reduction=prod, reverse=true", "reduction=max"}) {
    expect_alike("    %r: tile<float64, [4]> = scan %x [" + attrs + "]");
  }
  expect_alike(R"(
    %m: tile<float64, [2, 2]> = reshape %x, %2, %2
    %n: tile<float64, [2, 2]> = reshape %y, %2, %2
    %p: tile<float64, [2, 2]> = dot %m, %n
    %q: tile<float64, [2, 2]> = dot %p, %n, %m
    %t: tile<float64, [2, 2]> = permute %q [axes=(1, 0)]
    %r: tile<float64, [4]> = reshape %t, %4)");
}

TEST(InterpAlgebra, conversions_and_shapes_calculate_what_ieee_calculates) {
  expect_alike("    %i: tile<int32, [4]> = cast %x [dtype=int32]\n    %r: tile<float64, [4]> = cast %i [dtype=float64]",
               {-2.5, 3e9, std::nan(""), 0.9});
  expect_alike("    %i: tile<bool_, [4]> = cast %x [dtype=bool_]\n    %r: tile<float64, [4]> = cast %i [dtype=float64]",
               {-2.5, 0, std::nan(""), 0.9});
  expect_alike("    %i: tile<float64, [4]> = iota %4 [dtype=float64]\n    %r: tile<float64, [4]> = mul %x, %i [dtype=float64]");
  expect_alike(
      "    %f: tile<float64, [4]> = full %4, %2 [dtype=float64, rank=1]\n    %r: tile<float64, [4]> = mul %x, %f "
      "[dtype=float64]");
  expect_alike(R"(
    %i: tile<int64, [4]> = iota %4 [dtype=int64]
    %p: tile<int64, [4]> = mul %i, %4 [dtype=int64]
    %f: tile<float64, [4]> = bitcast %p [dtype=float64]
    %r: tile<float64, [4]> = add %x, %f [dtype=float64])");
}

TEST(InterpAlgebra, memory_is_read_and_written_as_ever) {
  expect_alike(R"(
    %i: tile<int32, [4]> = iota %4 [dtype=int32]
    %j: tile<int32, [4]> = mul %i, %2 [dtype=int32]
    %g: tile<float64, [4]> = gather %a, %j, %1 [rank=1, has_padding=true]
    scatter %b, %i, %g [rank=1]
    %old: tile<float64, [4]> = atomic_rmw %b, %i, %x [rank=1, atomic=add]
    %max: tile<float64, [4]> = atomic_rmw %b, %i, %2 [rank=1, atomic=max]
    %z: tile<float64, [4]> = load_tile %b, %0, %4 [rank=1]
    %w: tile<float64, [4]> = add %old, %max [dtype=float64]
    %r: tile<float64, [4]> = add %w, %z [dtype=float64])");
  expect_alike(R"(
    %one: tile<int32, []> = full %1 [dtype=int32]
    %end: tile<int32, []> = full %4 [dtype=int32]
    %part: array<float64, 1> = array_slice %a, %one, %end [axis=0]
    %r: tile<float64, [4]> = load_tile %part, %0, %4 [rank=1, padding=neg_inf])");
}

TEST(InterpAlgebra, what_is_calculated_of_constants_is_calculated_exactly) {
  Doubles x = {0.3, -1, 2, 0.1};
  Doubles y(4);
  Doubles out(4);
  const InAlgebra run = run_in_algebra({array_of(x), array_of(y), array_of(out)}, R"(
    %scale: const<float, 0.1> = literal [literal=0.1]
    %log2e: const<float, 1.4426950408889634> = literal [literal=1.4426950408889634]
    %factor: const<float, 0.14426950408889636> = mul %scale, %log2e
    %same: const<float, 0.14426950408889636> = copy %factor
    set %same [var=$s]
    %f: tile<float64, []> = get [var=$s]
    %u: tile<float64, [4]> = mul %x, %f [dtype=float64]
    %v: tile<float64, [4]> = exp2 %u [dtype=float64]
    store_tile %b, %0, %v [rank=1]
    %s: tile<float64, [4]> = mul %x, %scale [dtype=float64]
    %e: tile<float64, [4]> = exp %s [dtype=float64]
    store_tile %c, %0, %e [rank=1])");
  ASSERT_EQ(run.trouble, "");
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_TRUE(run.reals(1)[i].is_same(run.reals(2)[i])) << i;
    EXPECT_NEAR(run.reals(1)[i].value, std::exp(0.1 * x[i]), 1e-14);
  }
}

TEST(InterpAlgebra, races_are_found_among_reals) {
  Doubles x(4, 1);
  Doubles y(4);
  Doubles out(4);
  const Options options{.numbers = Numbers::Algebra, .field = &field(), .watch = Watch::Races};
  const std::vector<Array> arrays = {array_of(x), array_of(y), array_of(out)};
  const LiftedArguments lifted(field(), std::vector<Argument>(arrays.begin(), arrays.end()));
  const auto told = [&](const std::string& body) {
    return run_text(kernel_over(arrays, numbers + body), lifted.arguments(), {2, 1, 1}, options).substr(0, 5);
  };
  EXPECT_EQ(told("    store_tile %c, %0, %x [rank=1]"), "");
  EXPECT_EQ(told(R"(
    %i: tile<int32, []> = program_id
    %f: tile<float64, []> = cast %i [dtype=float64]
    scatter %c, %0, %f [rank=1])"),
            "TW410");
}

TEST(InterpAlgebra, floats_that_are_compared_as_bits_are_not_known) {
  Doubles x(4);
  Doubles y(4);
  EXPECT_NE(run_in_algebra({array_of(x), array_of(y)}, "    %o: tile<float64, []> = atomic_cas %a, %0, %1, %2 [rank=1]")
                .trouble.find("TW413: not applicable: a number that `algebra` does not know is compared"),
            std::string::npos);
}

TEST(Lift, arrays_over_the_same_memory_are_so_afterwards_and_of_two_dtypes_cannot_be) {
  Doubles x = {1, 2, 3, 4, 5, 6};
  const Array whole = array_of(x);
  const Array odd = array_over(x.data() + 1, ir::Scalar::F64, {3}, {2});
  const Array backwards = array_over(x.data() + 5, ir::Scalar::F64, {6}, {-1});
  const LiftedArguments lifted(field(), {whole, odd, sym::Value(int64_t{3}), ArrayList{backwards}});
  EXPECT_FALSE(lifted.mixed().has_value());
  const auto values = [&](const Array& array) {
    Doubles out;
    for (const Real& element : reals_of(array)) out.push_back(element.value);
    return out;
  };
  EXPECT_EQ(values(std::get<Array>(lifted.arguments()[0])), x);
  EXPECT_EQ(values(std::get<Array>(lifted.arguments()[1])), (Doubles{2, 4, 6}));
  const Array& reversed = std::get<ArrayList>(lifted.arguments()[3])[0];
  EXPECT_EQ(values(reversed), (Doubles{6, 5, 4, 3, 2, 1}));
  *reinterpret_cast<Real*>(reversed.base) = field().of(9.0);
  EXPECT_EQ(values(std::get<Array>(lifted.arguments()[1])), (Doubles{2, 4, 9}));
  EXPECT_EQ(x.back(), 6);
  const Array as_integers = array_over(x.data() + 5, ir::Scalar::I64, {1}, {1});
  EXPECT_EQ(LiftedArguments(field(), {whole, as_integers}).mixed(), 1u);
  const Array in_between = array_over(reinterpret_cast<std::byte*>(x.data()) + 4, ir::Scalar::F64, {1}, {1});
  EXPECT_EQ(LiftedArguments(field(), {whole, in_between}).mixed(), 1u);
}

}  // namespace
}  // namespace tilewright::interp
