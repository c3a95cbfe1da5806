// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "sym/expr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tilewright::sym {
namespace {

struct Builder {
  Arena arena;
  ExprId m = arena.atom("TILE_M");
  ExprId n = arena.atom("TILE_N");
  ExprId scale = arena.atom("SCALE", Domain::Float);

  ExprId i(int64_t value) { return arena.integer(value); }
  ExprId f(double value) { return arena.literal(value); }
  ExprId b(bool value) { return arena.literal(value); }
  ExprId make(ExprKind kind, ExprId x, ExprId y) { return arena.make(kind, {x, y}); }
  std::string text(ExprId id) { return arena.text(id); }
};

TEST(Expr, sums_of_products_have_one_form) {
  Builder b;
  const ExprId left = b.make(ExprKind::Add, b.make(ExprKind::Mul, b.m, b.i(2)), b.n);
  const ExprId right = b.make(ExprKind::Add, b.n, b.make(ExprKind::Mul, b.i(2), b.m));
  EXPECT_EQ(left, right);
  EXPECT_EQ(b.text(left), "2 * TILE_M + TILE_N");
  EXPECT_EQ(b.make(ExprKind::Sub, left, b.n), b.make(ExprKind::Add, b.m, b.m));
  EXPECT_EQ(b.make(ExprKind::Sub, left, left), b.i(0));
  EXPECT_EQ(b.make(ExprKind::Mul, b.make(ExprKind::Add, b.m, b.i(1)), b.make(ExprKind::Sub, b.m, b.i(1))),
            b.make(ExprKind::Sub, b.make(ExprKind::Pow, b.m, b.i(2)), b.i(1)));
}

TEST(Expr, text_does_not_depend_on_the_order_of_creation) {
  Arena first;
  first.atom("A");
  const ExprId x = first.make(ExprKind::Add, {first.atom("A"), first.atom("B")});
  Arena second;
  second.atom("B");
  const ExprId y = second.make(ExprKind::Add, {second.atom("B"), second.atom("A")});
  EXPECT_EQ(first.text(x), second.text(y));
}

TEST(Expr, folds_as_python_does) {
  Builder b;
  const struct {
    ExprKind kind;
    Value x, y;
    Value want;
  } rows[] = {
      {ExprKind::FloorDiv, int64_t{-7}, int64_t{2}, int64_t{-4}},
      {ExprKind::Mod, int64_t{-7}, int64_t{3}, int64_t{2}},
      {ExprKind::Mod, int64_t{7}, int64_t{-3}, int64_t{-2}},
      {ExprKind::CeilDiv, int64_t{7}, int64_t{-2}, int64_t{-3}},
      {ExprKind::CeilDiv, int64_t{7}, int64_t{2}, int64_t{4}},
      {ExprKind::CeilDiv, int64_t{-7}, int64_t{-2}, int64_t{4}},
      {ExprKind::TrueDiv, int64_t{7}, int64_t{2}, 3.5},
      {ExprKind::Pow, int64_t{2}, int64_t{-1}, 0.5},
      {ExprKind::Pow, int64_t{-3}, int64_t{3}, int64_t{-27}},
      {ExprKind::Add, true, int64_t{1}, int64_t{2}},
      {ExprKind::Mul, int64_t{2}, 0.25, 0.5},
      {ExprKind::FloorDiv, -7.5, int64_t{2}, -4.0},
      {ExprKind::Mod, -7.5, int64_t{2}, 0.5},
      {ExprKind::Min, int64_t{1}, 1.0, int64_t{1}},
      {ExprKind::Max, int64_t{1}, 2.0, 2.0},
      {ExprKind::BitAnd, true, false, false},
      {ExprKind::BitXor, int64_t{6}, int64_t{3}, int64_t{5}},
      {ExprKind::Shl, int64_t{3}, int64_t{4}, int64_t{48}},
      {ExprKind::Shr, int64_t{-5}, int64_t{1}, int64_t{-3}},
      {ExprKind::Eq, int64_t{1}, true, true},
      {ExprKind::Lt, int64_t{1}, 1.5, true},
      {ExprKind::And, int64_t{2}, int64_t{3}, true},
  };
  for (const auto& row : rows) {
    const ExprId got = b.make(row.kind, b.arena.literal(row.x), b.arena.literal(row.y));
    EXPECT_EQ(got, b.arena.literal(row.want)) << b.text(got) << " is not " << text(row.want);
  }
}

TEST(Expr, division_by_zero_and_overflow_stay_unfolded) {
  Builder b;
  const ExprId largest = b.i(std::numeric_limits<int64_t>::max());
  for (const ExprKind kind : {ExprKind::FloorDiv, ExprKind::Mod, ExprKind::CeilDiv, ExprKind::TrueDiv}) {
    EXPECT_FALSE(b.arena.literal_of(b.make(kind, b.i(3), b.i(0))));
  }
  EXPECT_FALSE(b.arena.literal_of(b.make(ExprKind::Add, largest, b.i(1))));
  EXPECT_FALSE(b.arena.literal_of(b.make(ExprKind::Mul, largest, b.i(2))));
  EXPECT_FALSE(b.arena.literal_of(b.make(ExprKind::Pow, b.i(10), b.i(40))));
  EXPECT_FALSE(b.arena.literal_of(b.make(ExprKind::Shl, b.i(1), b.i(-1))));
  EXPECT_FALSE(b.arena.literal_of(b.make(ExprKind::FloorDiv, b.i(std::numeric_limits<int64_t>::min()), b.i(-1))));
  EXPECT_EQ(b.text(b.make(ExprKind::Mul, b.make(ExprKind::Mul, largest, b.m), b.i(2))), "9223372036854775807 * TILE_M * 2");
}

TEST(Expr, what_divides_comes_out_whole) {
  Builder b;
  const ExprId twice = b.make(ExprKind::Mul, b.m, b.i(2));
  const ExprId area = b.make(ExprKind::Mul, b.m, b.n);
  EXPECT_EQ(b.make(ExprKind::FloorDiv, twice, b.i(2)), b.m);
  EXPECT_EQ(b.make(ExprKind::FloorDiv, area, b.n), b.m);
  EXPECT_EQ(b.make(ExprKind::CeilDiv, area, b.n), b.m);
  EXPECT_EQ(b.make(ExprKind::Mod, area, b.n), b.i(0));
  EXPECT_EQ(b.make(ExprKind::FloorDiv, b.make(ExprKind::Add, twice, b.i(1)), b.i(2)), b.m);
  EXPECT_EQ(b.make(ExprKind::FloorDiv, b.make(ExprKind::Sub, twice, b.i(1)), b.i(2)), b.make(ExprKind::Sub, b.m, b.i(1)));
  EXPECT_EQ(b.make(ExprKind::Mod, b.make(ExprKind::Sub, twice, b.i(1)), b.i(2)), b.i(1));
  EXPECT_EQ(b.text(b.make(ExprKind::FloorDiv, b.m, b.i(2))), "TILE_M // 2");
  EXPECT_EQ(b.text(b.make(ExprKind::FloorDiv, b.make(ExprKind::Add, area, b.m), b.n)), "TILE_M + TILE_M // TILE_N");
  EXPECT_EQ(b.make(ExprKind::FloorDiv, b.i(0), b.n), b.i(0));
  EXPECT_EQ(b.make(ExprKind::FloorDiv, b.m, b.m), b.i(1));
  EXPECT_EQ(b.text(b.make(ExprKind::FloorDiv, b.m, b.i(-1))), "TILE_M // -1");
}

TEST(Expr, shifts_by_literals_are_products_and_quotients) {
  Builder b;
  EXPECT_EQ(b.make(ExprKind::Shl, b.m, b.i(3)), b.make(ExprKind::Mul, b.m, b.i(8)));
  EXPECT_EQ(b.make(ExprKind::Shr, b.make(ExprKind::Mul, b.m, b.i(8)), b.i(3)), b.m);
  EXPECT_EQ(b.arena.make(ExprKind::Invert, {b.m}), b.make(ExprKind::Sub, b.i(-1), b.m));
}

TEST(Expr, comparisons_are_decided_by_a_known_difference) {
  Builder b;
  const ExprId more = b.make(ExprKind::Add, b.m, b.i(1));
  EXPECT_EQ(b.arena.truth_of(b.make(ExprKind::Lt, b.m, more)), true);
  EXPECT_EQ(b.arena.truth_of(b.make(ExprKind::Eq, b.m, more)), false);
  EXPECT_EQ(b.arena.truth_of(b.make(ExprKind::Ge, b.m, b.m)), true);
  EXPECT_EQ(b.make(ExprKind::Min, b.m, more), b.m);
  EXPECT_EQ(b.make(ExprKind::Max, more, b.m), more);
  EXPECT_FALSE(b.arena.truth_of(b.make(ExprKind::Lt, b.m, b.n)));
  EXPECT_EQ(b.make(ExprKind::Eq, b.m, b.n), b.make(ExprKind::Eq, b.n, b.m));
  EXPECT_NE(b.make(ExprKind::Lt, b.m, b.n), b.make(ExprKind::Lt, b.n, b.m));
}

TEST(Expr, logic_folds_without_losing_what_is_a_bool) {
  Builder b;
  const ExprId small = b.make(ExprKind::Lt, b.m, b.n);
  EXPECT_EQ(b.make(ExprKind::And, b.b(true), small), small);
  EXPECT_EQ(b.make(ExprKind::And, small, b.b(false)), b.b(false));
  EXPECT_EQ(b.make(ExprKind::Or, small, b.i(1)), b.b(true));
  EXPECT_EQ(b.arena.make(ExprKind::Not, {b.arena.make(ExprKind::Not, {small})}), small);
  EXPECT_EQ(b.arena.make(ExprKind::Not, {b.make(ExprKind::Eq, b.m, b.n)}), b.make(ExprKind::Ne, b.m, b.n));
  EXPECT_EQ(b.text(b.make(ExprKind::And, b.b(true), b.m)), "True and TILE_M") << "an int is not its own truth";
  EXPECT_EQ(b.arena.make(ExprKind::Select, {b.b(false), b.m, b.n}), b.n);
  EXPECT_EQ(b.arena.make(ExprKind::Select, {small, b.m, b.m}), b.m);
}

TEST(Expr, floats_keep_the_order_of_the_source) {
  Builder b;
  const ExprId left = b.make(ExprKind::Add, b.make(ExprKind::Add, b.scale, b.f(0.1)), b.f(0.2));
  EXPECT_EQ(b.text(left), "SCALE + 0.1 + 0.2");
  EXPECT_EQ(b.text(b.make(ExprKind::Sub, b.scale, b.scale)), "SCALE - SCALE");
  EXPECT_EQ(b.text(b.make(ExprKind::Mul, b.scale, b.i(0))), "SCALE * 0");
  EXPECT_FALSE(b.arena.truth_of(b.make(ExprKind::Eq, b.scale, b.scale))) << "a NaN is not equal to itself";
}

TEST(Expr, nan_and_negative_zero_are_values_of_their_own) {
  Builder b;
  EXPECT_EQ(b.f(std::nan("")), b.f(std::nan("")));
  EXPECT_NE(b.f(0.0), b.f(-0.0));
  EXPECT_NE(b.f(1.0), b.i(1));
  EXPECT_EQ(b.make(ExprKind::Eq, b.f(std::nan("")), b.f(1.0)), b.b(false));
}

TEST(Expr, substitution_folds_again) {
  Builder b;
  const ExprId sum = b.make(ExprKind::FloorDiv, b.make(ExprKind::Add, b.make(ExprKind::Mul, b.m, b.n), b.i(7)), b.i(8));
  const ExprId got = b.arena.substitute(sum, [&](const Atom& atom) {
    return atom.key == "TILE_M" ? b.i(16) : atom.key == "TILE_N" ? b.i(3) : ExprId::none();
  });
  EXPECT_EQ(got, b.i(6));
  const ExprId half = b.arena.substitute(sum, [&](const Atom& atom) { return atom.key == "TILE_M" ? b.i(16) : ExprId::none(); });
  EXPECT_EQ(half, b.make(ExprKind::Mul, b.n, b.i(2)));
  EXPECT_EQ(b.arena.atoms_in(sum), (std::vector{b.m, b.n}));
}

TEST(Expr, text_is_python_with_the_parentheses_that_it_needs) {
  Builder b;
  const ExprId sum = b.make(ExprKind::Add, b.m, b.n);
  EXPECT_EQ(b.text(b.make(ExprKind::FloorDiv, sum, b.i(8))), "(TILE_M + TILE_N) // 8");
  EXPECT_EQ(b.text(b.make(ExprKind::CeilDiv, sum, b.i(8))), "cdiv(TILE_M + TILE_N, 8)");
  EXPECT_EQ(b.text(b.make(ExprKind::Sub, b.i(4), b.make(ExprKind::Mul, b.m, b.i(3)))), "-3 * TILE_M + 4");
  EXPECT_EQ(b.text(b.make(ExprKind::Sub, b.m, b.make(ExprKind::Add, b.n, b.i(1)))), "TILE_M - TILE_N - 1");
  EXPECT_EQ(b.text(b.make(ExprKind::Pow, b.f(-2.0), b.m)), "(-2.0) ** TILE_M");
  EXPECT_EQ(b.text(b.make(ExprKind::TrueDiv, b.m, b.make(ExprKind::TrueDiv, b.n, b.i(2)))), "TILE_M / (TILE_N / 2)");
  const ExprId quotient = b.make(ExprKind::FloorDiv, b.m, b.n);
  EXPECT_EQ(b.text(b.arena.make(ExprKind::Neg, {quotient})), "-(TILE_M // TILE_N)");
  EXPECT_EQ(b.text(b.arena.make(ExprKind::Not, {b.make(ExprKind::And, b.make(ExprKind::Lt, b.m, b.n), b.m)})),
            "not (TILE_M < TILE_N and TILE_M)");
}

TEST(Expr, growth_without_end_becomes_a_name) {
  Builder b;
  ExprId x = b.m;
  for (int i = 0; i < 200; ++i)
    x = b.make(ExprKind::Add, b.make(ExprKind::FloorDiv, x, b.i(3)), b.make(ExprKind::Mod, x, b.i(5)));
  EXPECT_LT(b.text(x).size(), 20000u);
}

TEST(Expr, what_is_forgotten_can_be_made_again_and_what_was_before_stays) {
  Builder b;
  const ExprId sum = b.make(ExprKind::Add, b.m, b.n);
  const auto made = [&] {
    ExprId x = b.arena.atom("LATER");
    for (int i = 0; i < 200; ++i) x = b.make(ExprKind::FloorDiv, b.make(ExprKind::Add, x, sum), b.i(3));
    return b.text(x);
  };
  const Arena::Mark mark = b.arena.mark();
  const std::string first = made();
  b.arena.forget(mark);
  EXPECT_EQ(made(), first);
  b.arena.forget(mark);
  EXPECT_EQ(b.make(ExprKind::Add, b.n, b.m), sum);
  EXPECT_EQ(b.text(sum), "TILE_M + TILE_N");
  EXPECT_EQ(b.text(b.arena.atom("OTHER")), "OTHER");
}

}  // namespace
}  // namespace tilewright::sym
