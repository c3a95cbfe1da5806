// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A `ct.cdiv` of numbers that are never negative.
//
// `ct.cdiv` rounds up for all signs; `tl.cdiv` is (x + y - 1) // y, which is the same only for a dividend that is not negative
// and a positive divisor. Numbers of tiles are both. Of a negative dividend it makes 0 or less, as `ct.cdiv` does, which is
// enough where the result is a number of iterations. Python, which calculates with constants, rounds (x + y - 1) // y down, so
// there the dividend may have any sign.

#include "rules/natural.h"

namespace tilewright::rules::natural_ceiling {

constexpr Message<> never_negative{"natural-ceiling", "`cdiv` divides numbers that are never negative"};
constexpr Message<> clamped{"natural-ceiling", "a negative result of `cdiv` does what 0 does wherever it is read"};
constexpr Message<> constant{"natural-ceiling", "`cdiv` divides a constant by one that is positive"};
constexpr Message<std::string_view> unproved{"natural-ceiling",
                                             "the ceiling of `cdiv` is written out: nothing says that `{}` is never negative"};

static constexpr OpKind kinds[] = {OpKind::CeilDiv};

static Verdict check(const Context& context, ir::OpId op) {
  const ir::Program& program = context.program;
  const ir::Op& division = program.ops[op];
  if (program.types[program.values[division.results[0]].type].kind == ir::TypeKind::Const) {
    if (!context.facts.positive(division.operands[1])) return Silent{};
    Found out{diag::report(Severity::Note, division.span, constant), {}};
    out.fix.edits.push_back(ir::SetKind{op, OpKind::CeilDivPositive});
    return out;
  }
  return quotient(context, op, OpKind::CeilDivPositive, never_negative, clamped, unproved);
}

extern constinit const Rule rule{
    .summary = "a ceiling division of numbers that are never negative",
    .numerics = Numerics::Exact,
    .looks_at = kinds,
    .check = check,
};

}  // namespace tilewright::rules::natural_ceiling
