// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A `%` of numbers that are never negative.
//
// The remainder has the sign of the divisor in Python and that of the dividend in Triton. They differ only where the two have
// different signs, so for tile numbers, offsets and extents the plain operator is right; for the rest the sign has to be mended.

#include "rules/natural.h"

namespace tilewright::rules::natural_remainder {

constexpr Message<> never_negative{"natural-remainder", "`%` divides numbers that are never negative"};
constexpr Message<std::string_view> unproved{"natural-remainder",
                                             "the sign of `%` stays: nothing says that `{}` is never negative"};

static constexpr OpKind kinds[] = {OpKind::FloorMod};

static Verdict check(const Context& context, ir::OpId op) {
  return natural(context, op, OpKind::TruncMod, never_negative, unproved);
}

extern constinit const Rule rule{
    .summary = "a remainder of numbers that are never negative",
    .numerics = Numerics::Exact,
    .looks_at = kinds,
    .check = check,
};

}  // namespace tilewright::rules::natural_remainder
