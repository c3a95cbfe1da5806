// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/types.h"

#include <gtest/gtest.h>

namespace tilewright::ir {
namespace {

struct Fixture {
  sym::Arena arena;
  Types types{arena};
  DtypeId x = types.element(0);
  DtypeId y = types.element(1);
  DtypeId f16 = types.known(Scalar::F16);
  DtypeId bf16 = types.known(Scalar::BF16);
  DtypeId f32 = types.known(Scalar::F32);
  DtypeId f64 = types.known(Scalar::F64);
  DtypeId i32 = types.known(Scalar::I32);
  DtypeId boolean = types.known(Scalar::Bool);
};

TEST(Types, equal_ones_are_the_same_id) {
  Fixture t;
  EXPECT_EQ(t.types.known(Scalar::F16), t.f16);
  EXPECT_EQ(t.types.promote(t.x, t.y), t.types.promote(t.y, t.x));
  EXPECT_EQ(t.types.tile(t.f16, {t.arena.integer(64)}), t.types.tile(t.f16, {t.arena.integer(64)}));
  EXPECT_NE(t.types.tile(t.f16, {t.arena.integer(64)}), t.types.tile(t.f16, {t.arena.integer(32)}));
}

TEST(Types, promotion_is_cutiles_table) {
  EXPECT_EQ(promoted(Scalar::I64, Scalar::F16), Scalar::F16);
  EXPECT_EQ(promoted(Scalar::U8, Scalar::U32), Scalar::U32);
  EXPECT_EQ(promoted(Scalar::Bool, Scalar::I8), Scalar::I8);
  EXPECT_EQ(promoted(Scalar::BF16, Scalar::F32), Scalar::F32);
  EXPECT_EQ(promoted(Scalar::F32, Scalar::F64), Scalar::F64);
  EXPECT_EQ(promoted(Scalar::F16, Scalar::BF16), std::nullopt);
  EXPECT_EQ(promoted(Scalar::U32, Scalar::I32), std::nullopt);
  EXPECT_EQ(promoted(Scalar::F8E4M3, Scalar::F16), std::nullopt);
  EXPECT_EQ(promoted(Scalar::F8E4M3, Scalar::F8E4M3), Scalar::F8E4M3);
}

TEST(Types, an_open_dtype_is_promoted_to_float64_and_to_nothing_narrower) {
  Fixture t;
  EXPECT_NE(t.types.promote(t.x, t.f32), t.f32);
  EXPECT_EQ(t.types.promote(t.x, t.f64), t.f64);
  EXPECT_EQ(t.types.promote(t.f64, t.types.promote(t.x, t.y)), t.f64);
}

TEST(Types, a_product_is_summed_in_what_each_choice_sums_in) {
  Fixture t;
  const sym::ExprId condition = t.arena.make(sym::ExprKind::Eq, {t.arena.atom("T"), t.arena.integer(1)});
  EXPECT_EQ(t.types.accumulator(t.types.select(condition, t.f32, t.bf16)), t.f32);
  EXPECT_EQ(t.types.accumulator(t.types.select(condition, t.f64, t.f16)), t.types.select(condition, t.f64, t.f16));
}

TEST(Types, loose_constants_adapt_upwards_only) {
  EXPECT_EQ(adapted(Scalar::F16, LooseKind::Float), Scalar::F16);
  EXPECT_EQ(adapted(Scalar::I32, LooseKind::Float), Scalar::F32);
  EXPECT_EQ(adapted(Scalar::Bool, LooseKind::Int), Scalar::I32);
  EXPECT_EQ(adapted(Scalar::U8, LooseKind::Int), Scalar::U8);
  EXPECT_EQ(adapted(Scalar::F8E5M2, LooseKind::Float), Scalar::F8E5M2);
}

TEST(Types, what_cannot_be_promoted_stays_open) {
  Fixture t;
  const DtypeId mixed = t.types.promote(t.f16, t.bf16);
  EXPECT_EQ(t.types.scalar_of(mixed), std::nullopt);
  EXPECT_EQ(t.types.text(mixed), "promote(float16, bfloat16)");
}

TEST(Types, promotion_with_a_part_again_changes_nothing) {
  Fixture t;
  const DtypeId wide = t.types.promote(t.x, t.f32);
  EXPECT_EQ(t.types.text(wide), "promote(elem(0), float32)");
  EXPECT_EQ(t.types.promote(wide, t.f32), wide);
  EXPECT_EQ(t.types.promote(t.x, wide), wide);
  EXPECT_EQ(t.types.promote(wide, t.f16), wide) << "float16 is less than a part of it";
  EXPECT_NE(t.types.promote(wide, t.f64), wide);
  EXPECT_NE(t.types.promote(t.boolean, t.x), t.x) << "an element may be an fp8, which promotes with nothing";
}

TEST(Types, without_float64_a_promotion_to_float32_is_float32) {
  Fixture t;
  const DtypeId wide = t.types.promote(t.x, t.f32);
  EXPECT_EQ(t.types.simplified(wide, Float64::Possible), wide);
  EXPECT_EQ(t.types.simplified(wide, Float64::Excluded), t.f32);
  EXPECT_EQ(t.types.simplified(t.types.accumulator(wide), Float64::Excluded), t.f32);
  EXPECT_EQ(t.types.simplified(t.types.promote(t.x, t.boolean), Float64::Possible), t.x);
  EXPECT_EQ(t.types.simplified(t.types.promote(t.x, t.f64), Float64::Excluded), t.types.promote(t.x, t.f64));
}

TEST(Types, derived_dtypes_fold_when_closed) {
  Fixture t;
  EXPECT_EQ(t.types.float_of(t.i32), t.f32);
  EXPECT_EQ(t.types.float_of(t.f16), t.f16);
  EXPECT_EQ(t.types.float_of(t.types.float_of(t.x)), t.types.float_of(t.x));
  EXPECT_EQ(t.types.count_of(t.boolean), t.i32);
  EXPECT_EQ(t.types.accumulator(t.bf16), t.f32);
  EXPECT_EQ(t.types.adapt(t.i32, LooseKind::Float), t.f32);
  EXPECT_EQ(t.types.adapt(t.x, LooseKind::Bool), t.x);
  EXPECT_EQ(t.types.select(t.arena.literal(true), t.f16, t.f32), t.f16);
  EXPECT_EQ(t.types.text(t.types.select(t.arena.atom("FLAG"), t.f16, t.f32)), "select((FLAG), float16, float32)");
}

TEST(Types, the_class_of_an_open_dtype_is_told_when_it_follows) {
  Fixture t;
  EXPECT_EQ(t.types.class_of(t.x), std::nullopt);
  EXPECT_EQ(t.types.class_of(t.types.adapt(t.x, LooseKind::Int)), std::nullopt);
  EXPECT_EQ(t.types.class_of(t.types.adapt(t.x, LooseKind::Float)), ScalarClass::Float);
  EXPECT_EQ(t.types.class_of(t.types.float_of(t.x)), ScalarClass::Float);
  EXPECT_EQ(t.types.class_of(t.types.promote(t.x, t.f32)), ScalarClass::Float);
  EXPECT_EQ(t.types.class_of(t.types.promote(t.x, t.i32)), std::nullopt);
}

TEST(Types, scalars_are_found_by_the_name_that_cutile_gives_them) {
  for (int i = 0; i <= static_cast<int>(Scalar::F4E2M1); ++i) {
    const Scalar scalar = static_cast<Scalar>(i);
    EXPECT_EQ(scalar_named(name_of(scalar)), scalar);
  }
  EXPECT_EQ(scalar_named("double"), std::nullopt);
}

TEST(Types, text_says_what_a_type_is) {
  Fixture t;
  EXPECT_EQ(t.types.text(t.types.tile(t.x, {t.arena.atom("TILE_M"), t.arena.integer(64)})), "tile<elem(0), [TILE_M, 64]>");
  EXPECT_EQ(t.types.text(t.types.tile(t.i32, {})), "tile<int32, []>");
  EXPECT_EQ(t.types.text(t.types.constant(LooseKind::Int, t.arena.atom("N"))), "const<int, N>");
  EXPECT_EQ(t.types.text(t.types.strict_constant(t.f16, LooseKind::Float, t.arena.literal(1.5))), "strict<float16, float, 1.5>");
  EXPECT_EQ(t.types.text(t.types.array(t.x, unknown_rank)), "array<elem(0), ?>");
}

}  // namespace
}  // namespace tilewright::ir
