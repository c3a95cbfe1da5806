// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/zeros.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace tilewright::back::triton {
namespace {

// Whether the sign of a zero %x counts, which `ops` read.
bool counts(const std::string& ops, Numerics numerics = Numerics::Default) {
  const std::string text = R"(kernel @k {
  param array X = %X: array<float32, 1>
  param scalar n = %n: tile<float32, []>
  body {
    %i: tile<int32, []> = program_id !1/-
    %0: tile<float32, []> = neg %n [dtype=float32] !2/-
    %1: const<int, 1> = literal [literal=1] !2/-
    %x: tile<float32, []> = copy %0 !2/-
)" + ops + "  }\n}\n";
  const Result<ir::Program> program = ir::parse(text);
  EXPECT_TRUE(program.ok()) << program.reason();
  if (!program.ok()) return false;
  const Uses uses = uses_of(*program);
  for (const ir::Op& op : program->ops) {
    if (op.kind == ir::OpKind::Neg) return SignsOfZero(*program, uses, numerics).counts(op.results[0]);
  }
  ADD_FAILURE() << "nothing is negated";
  return false;
}

std::string stored(const std::string& op) {
  return "    %r: tile<float32, []> = " + op + " !3/-\n    store_tile %X, %i, %r [rank=1] !4/-\n";
}

TEST(SignsOfZero, do_not_count_where_nobody_can_tell) {
  EXPECT_FALSE(counts(""));
  EXPECT_FALSE(counts(stored("exp %x [rounding=full]")));
  EXPECT_FALSE(counts(stored("abs %x")));
  EXPECT_FALSE(counts(stored("max %0, %n [dtype=float32]")));
  EXPECT_FALSE(counts(stored("add %1, %x [dtype=float32]")));
  EXPECT_FALSE(counts("    %p: tile<float32, []> = mul %x, %n [dtype=float32] !3/-\n" + stored("exp2 %p")));
  EXPECT_FALSE(counts("    %p: tile<int32, []> = cast %x [dtype=int32] !3/-\n    store_tile %X, %p, %n [rank=1] !4/-\n"));
}

TEST(SignsOfZero, do_not_count_in_a_product_that_may_be_contracted_with_a_sum) {
  const std::string product = "    %p: tile<float32, []> = mul %x, %n [dtype=float32] !3/-\n";
  EXPECT_FALSE(counts(product + stored("add %n, %p [dtype=float32]")));
  EXPECT_TRUE(counts(product + stored("add %n, %p [dtype=float32]"), Numerics::Strict));
  EXPECT_TRUE(counts(product + stored("copy %p")));
}

TEST(SignsOfZero, do_not_count_in_a_sum_whose_order_is_open) {
  const std::string sum = stored("reduce %x [reduction=sum, all_axes=true]");
  EXPECT_FALSE(counts(sum));
  EXPECT_TRUE(counts(sum, Numerics::Strict));
  EXPECT_TRUE(counts(stored("reduce %x [reduction=prod, all_axes=true]")));
}

TEST(SignsOfZero, count_where_they_are_stored_or_make_an_infinity) {
  EXPECT_TRUE(counts(stored("copy %x")));
  EXPECT_TRUE(counts(stored("add %n, %x [dtype=float32]")));
  EXPECT_TRUE(counts(stored("true_div %1, %x [dtype=float32, rounding=nearest]")));
  EXPECT_TRUE(counts(stored("rsqrt %x")));
  EXPECT_TRUE(counts(stored("bitcast %x [dtype=float32]")));
  EXPECT_TRUE(counts("    set %x [var=$v] !3/-\n    %g: tile<float32, []> = get [var=$v] !3/-\n" + stored("copy %g")));
}

}  // namespace
}  // namespace tilewright::back::triton
