// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// An index that is never negative, tested against zero.
//
// cuTile tests the indices of gather and scatter as unsigned numbers: a negative one is out of bounds. In signed arithmetic
// that is two comparisons and an `and` per lane and axis, and the lower one is idle for offsets and iotas.

#include "ir/operands.h"
#include "rules/natural.h"

namespace tilewright::rules::natural_index {

constexpr Message<> never_negative{"natural-index", "no index is ever negative, so only the upper bound is tested"};
constexpr Message<std::string_view> unproved{"natural-index",
                                             "the lower bound is tested too: nothing says that `{}` is never negative"};

static constexpr OpKind kinds[] = {OpKind::Gather, OpKind::Scatter, OpKind::AtomicRmw, OpKind::AtomicCas};

static Verdict check(const Context& context, ir::OpId id) {
  const ir::Op& op = context.program.ops[id];
  if (op.attrs.rare->bounds != ir::Bounds::Both) return Silent{};
  const std::span<const ir::ValueId> indices = ir::operands_named(op, "index");
  if (indices.empty()) return Silent{};
  const analysis::Proof proof = context.facts.none_negative(id, indices);
  if (!proof.holds) {
    Missed out{diag::report(Severity::Note, op.span, unproved, called(context.program, proof.gap))};
    point(context.program, proof.gap, out.why);
    return out;
  }
  Found out{diag::report(Severity::Note, op.span, never_negative), {}};
  out.fix.edits.push_back(ir::SetBounds{id, ir::Bounds::UpperOnly});
  assume(context, proof, out.fix);
  return out;
}

extern constinit const Rule rule{
    .summary = "an index that is never negative, tested against zero",
    .numerics = Numerics::Exact,
    .looks_at = kinds,
    .check = check,
};

}  // namespace tilewright::rules::natural_index
