// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A `//` of numbers that are never negative.
//
// Python rounds a quotient down, Triton's `//` rounds it towards zero. They differ only where the quotient is negative, so for
// tile numbers, offsets and extents the plain operator is right, and so it is for a number of iterations, of which a negative one
// is as good as 0; for the rest the floor has to be written out.

#include "rules/natural.h"

namespace tilewright::rules::natural_quotient {

constexpr Message<> never_negative{"natural-quotient", "`//` divides numbers that are never negative"};
constexpr Message<> clamped{"natural-quotient", "a negative result of `//` does what 0 does wherever it is read"};
constexpr Message<std::string_view> unproved{"natural-quotient",
                                             "the floor of `//` stays: nothing says that `{}` is never negative"};

static constexpr OpKind kinds[] = {OpKind::FloorDiv};

static Verdict check(const Context& context, ir::OpId op) {
  return quotient(context, op, OpKind::TruncDiv, never_negative, clamped, unproved);
}

extern constinit const Rule rule{
    .summary = "a floor division of numbers that are never negative",
    .numerics = Numerics::Exact,
    .looks_at = kinds,
    .check = check,
};

}  // namespace tilewright::rules::natural_quotient
