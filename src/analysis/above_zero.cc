// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/above_zero.h"

namespace tilewright::analysis {

using ir::Op;
using ir::OpKind;

// Begins with all values and takes away what a reader tells apart, until nothing changes.
void AboveZero::read(ir::FunctionId function) {
  do {
    changed_ = false;
    block(program_.functions[function].body, nullptr);
  } while (changed_);
}

// Readers first: what is known of a result is asked for its operands.
void AboveZero::block(ir::BlockId id, const Op* owner) {
  const std::vector<ir::OpId>& ops = program_.blocks[id].ops;
  for (size_t i = ops.size(); i-- > 0;) {
    const Op& op = program_.ops[ops[i]];
    for (const ir::BlockId region : op.regions) block(region, &op);
    for (size_t operand = 0; operand < op.operands.size(); ++operand) {
      if (!indifferent(op, operand, owner)) clear(values_, op.operands[operand].index);
    }
    if (op.kind == OpKind::Get && !values_[op.results[0].index]) clear(vars_, op.attrs.var.index);
  }
}

// Whether the op cannot tell a negative operand from 0, or only hands it on to readers that cannot.
bool AboveZero::indifferent(const Op& op, size_t operand, const Op* owner) const {
  const auto other = [&] { return range_(op.operands[1 - operand]); };
  const auto result = [&] { return bool{values_[op.results[0].index]}; };
  const OpKind kind = op.kind;
  if (kind == OpKind::For) return operand == 1 && range_(op.operands[0]).non_negative();  // steps are positive
  if (kind == OpKind::CmpGe || kind == OpKind::CmpLt) return operand == 1 && other().non_negative();
  if (kind == OpKind::CmpLe || kind == OpKind::CmpGt) return operand == 0 && other().non_negative();
  if (kind == OpKind::Max) return other().non_negative() || result();
  if (kind == OpKind::Min || kind == OpKind::Copy) return result();
  if (kind == OpKind::Where) return operand > 0 && result();
  if (kind == OpKind::Yield) return owner && owner->kind == OpKind::Ternary && values_[owner->results[operand].index];
  if (kind == OpKind::Set) return vars_[ir::written_vars(op)[operand].index];
  return false;
}

void AboveZero::clear(std::vector<bool>& set, uint32_t index) {
  changed_ = changed_ || set[index];
  set[index] = false;
}

}  // namespace tilewright::analysis
