// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "sym/polynomial.h"

#include <gtest/gtest.h>

#include <limits>

namespace tilewright::sym {
namespace {

constexpr ExprId a{1};
constexpr ExprId b{2};

// "2*a*b + 3": by numbers of the factors.
std::string text(const Polynomial& polynomial) {
  std::string out;
  for (const auto& [product, coefficient] : polynomial) {
    out += (out.empty() ? "" : " + ") + std::to_string(coefficient);
    for (const ExprId factor : product) out += factor == a ? "a" : "b";
  }
  return out;
}

TEST(Polynomial, equal_products_are_one_term_and_nothing_is_none) {
  Polynomial sum;
  EXPECT_TRUE(sum.add({a}, 2));
  EXPECT_TRUE(sum.add({}, 1));
  EXPECT_TRUE(sum.add({a}, 3));
  EXPECT_EQ(text(sum), "1 + 5a");
  EXPECT_TRUE(sum.subtract({a}, 5));
  EXPECT_TRUE(sum.add({b}, 0));
  EXPECT_EQ(text(sum), "1");
}

TEST(Polynomial, products_are_multiplied_out) {
  Polynomial sum;
  Polynomial difference;
  ASSERT_TRUE(sum.add({a}, 1) && sum.add({b}, 1) && difference.add({a}, 1) && difference.subtract({b}, 1));
  const auto product = multiply(sum, difference, 8);
  ASSERT_TRUE(product.has_value());
  EXPECT_EQ(text(*product), "1aa + -1bb");
  EXPECT_FALSE(multiply(sum, sum, 2).has_value()) << "three terms";
}

TEST(Polynomial, what_leaves_64_bits_is_told) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  Polynomial sum;
  EXPECT_TRUE(sum.add({a}, most));
  EXPECT_FALSE(multiply(sum, sum, 8).has_value());
  EXPECT_FALSE(sum.add({a}, 1));
  Polynomial other;
  EXPECT_FALSE(other.subtract({a}, std::numeric_limits<int64_t>::min()));
}

}  // namespace
}  // namespace tilewright::sym
