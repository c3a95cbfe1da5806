// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/zeros.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace tilewright::back::triton {

using ir::Op;
using ir::OpKind;
using ir::ValueId;

// What an op makes of the sign of an operand that is zero: nothing, the sign of a zero at most, or more.
enum class SignsOfZero::Effect : uint8_t { Ignored, Passed, Counts };

bool SignsOfZero::is_product(ValueId value) const {
  ir::OpId made = program_.values[value].definition;
  while (made && program_.ops[made].kind == OpKind::Cast && program_.ops[made].attrs.implicit)
    made = program_.values[program_.ops[made].operands[0]].definition;
  return made && program_.ops[made].kind == OpKind::Mul;
}

// A number that is no zero in any float dtype.
bool SignsOfZero::is_nonzero(ValueId value) const {
  const ir::Type& type = program_.types[program_.values[value].type];
  if (type.kind != ir::TypeKind::Const) return false;
  const std::optional<sym::Value> number = program_.arena.literal_of(type.value);
  return number && std::visit([](auto v) { return std::abs(static_cast<double>(v)) >= 0x1p-6; }, *number);
}

// x and -x: the greater zero is 0.0, whichever of them has a sign.
bool SignsOfZero::is_magnitude(const Op& max) const {
  const auto negates = [&](ValueId value, ValueId other) {
    const ir::OpId made = program_.values[value].definition;
    return made && program_.ops[made].kind == OpKind::Neg && program_.ops[made].operands[0] == other;
  };
  return negates(max.operands[0], max.operands[1]) || negates(max.operands[1], max.operands[0]);
}

const std::vector<ValueId>& SignsOfZero::reads(ir::VarId var) {
  if (reads_.empty()) {
    reads_.resize(program_.vars.size());
    for (const Op& op : program_.ops) {
      if (op.kind == OpKind::Get) reads_[op.attrs.var.index].push_back(op.results[0]);
    }
  }
  return reads_[var.index];
}

SignsOfZero::Effect SignsOfZero::effect(const Op& op, size_t operand) const {
  const bool reorders = numerics_ != Numerics::Strict;
  switch (op.kind) {
    case OpKind::CmpEq:
    case OpKind::CmpNe:
    case OpKind::CmpLt:
    case OpKind::CmpLe:
    case OpKind::CmpGt:
    case OpKind::CmpGe:
    case OpKind::Not:
    case OpKind::IsNan:
    case OpKind::Abs:
    case OpKind::Exp:
    case OpKind::Exp2:
    case OpKind::Log:
    case OpKind::Log2:
    case OpKind::Cos:
    case OpKind::Cosh:
    case OpKind::LoadTile: return Effect::Ignored;
    case OpKind::Cast: {
      const std::optional<ir::ScalarClass> to = program_.types.class_of(op.attrs.dtype);
      return !to || to == ir::ScalarClass::Float ? Effect::Passed : Effect::Ignored;
    }
    case OpKind::Add:
    case OpKind::Sub:
      return (reorders && is_product(op.operands[operand])) || is_nonzero(op.operands[1 - operand]) ? Effect::Ignored
                                                                                                    : Effect::Passed;
    case OpKind::Dot: return reorders && operand < 2 ? Effect::Ignored : Effect::Passed;
    case OpKind::Max: return is_magnitude(op) ? Effect::Ignored : Effect::Passed;
    case OpKind::TrueDiv:
    case OpKind::FloorDiv:
    case OpKind::FloorMod: return operand == 0 ? Effect::Passed : Effect::Counts;
    case OpKind::Gather:
    case OpKind::StoreTile:
    case OpKind::Scatter:
    case OpKind::AtomicRmw:
    case OpKind::AtomicCas: return operand <= op.attrs.rank ? Effect::Ignored : Effect::Counts;
    case OpKind::Mul:
    case OpKind::Min:
    case OpKind::Neg:
    case OpKind::Sqrt:
    case OpKind::Sin:
    case OpKind::Tan:
    case OpKind::Sinh:
    case OpKind::Tanh:
    case OpKind::Floor:
    case OpKind::Ceil:
    case OpKind::Where:
    case OpKind::Copy:
    case OpKind::Set:
    case OpKind::Full:
    case OpKind::Reshape:
    case OpKind::ExpandDims:
    case OpKind::Permute:
    case OpKind::Broadcast:
    case OpKind::Cat:
    case OpKind::Extract: return Effect::Passed;
    case OpKind::Reduce:
    case OpKind::Scan: return reorders && op.attrs.rare->reduction == ir::Reduction::Sum ? Effect::Ignored : Effect::Passed;
    case OpKind::Pow:
    case OpKind::Atan2:
    case OpKind::Rsqrt:
    case OpKind::Bitcast:
    case OpKind::TruncDiv:
    case OpKind::CeilDiv:
    case OpKind::CeilDivPositive:
    case OpKind::TruncMod:
    case OpKind::BitAnd:
    case OpKind::BitOr:
    case OpKind::BitXor:
    case OpKind::BitNot:
    case OpKind::Shl:
    case OpKind::Shr:
    case OpKind::Literal:
    case OpKind::Symbol:
    case OpKind::DtypeName:
    case OpKind::DtypeOf:
    case OpKind::TileDim:
    case OpKind::Get:
    case OpKind::If:
    case OpKind::For:
    case OpKind::While:
    case OpKind::Break:
    case OpKind::Continue:
    case OpKind::Return:
    case OpKind::Yield:
    case OpKind::Ternary:
    case OpKind::AndThen:
    case OpKind::OrElse:
    case OpKind::Call:
    case OpKind::Unsupported:
    case OpKind::Mark:
    case OpKind::ProgramId:
    case OpKind::NumPrograms:
    case OpKind::ArrayDim:
    case OpKind::ArrayStride:
    case OpKind::NumTiles:
    case OpKind::ArraySlice:
    case OpKind::ListItem:
    case OpKind::ListLen:
    case OpKind::Iota:
    case OpKind::PtrAdd:
    case OpKind::PtrLoad:
    case OpKind::PtrStore:
    case OpKind::PtrAtomicRmw:
    case OpKind::PtrAtomicCas:
    case OpKind::MakeWindow:
    case OpKind::WindowMove:
    case OpKind::WindowDim:
    case OpKind::WindowStride:
    case OpKind::WindowLoad:
    case OpKind::WindowStore:
    case OpKind::WindowAtomic:
    case OpKind::WindowGather:
    case OpKind::WindowScatter:
    case OpKind::Barrier:
    case OpKind::Assume:
    case OpKind::DeviceAssert:
    case OpKind::Join:
    case OpKind::Split:
    case OpKind::Flip:
    case OpKind::Take:
    case OpKind::MulHigh:
    case OpKind::Erf:
    case OpKind::Log1p:
    case OpKind::Expm1:
    case OpKind::Asin:
    case OpKind::Acos:
    case OpKind::Atan:
    case OpKind::Rint:
    case OpKind::Trunc:
    case OpKind::IsInf:
    case OpKind::Fma:
    case OpKind::ReduceBy:
    case OpKind::ScanBy:
    case OpKind::MapBy:
    case OpKind::Sort:
    case OpKind::TopK:
    case OpKind::Histogram: break;
  }
  return Effect::Counts;
}

bool SignsOfZero::counts(ValueId value) {
  constexpr size_t most = 32;  // values that are followed; with more of them the sign is taken to count
  std::vector<ValueId> followed{value};
  const auto follow = [&](std::span<const ValueId> values) {
    for (const ValueId next : values) {
      if (std::find(followed.begin(), followed.end(), next) == followed.end()) followed.push_back(next);
    }
  };
  for (size_t next = 0; next < followed.size(); ++next) {
    const ValueId zero = followed[next];
    for (const ir::OpId user : uses_.users(zero)) {
      const Op& op = program_.ops[user];
      for (size_t operand = 0; operand < op.operands.size(); ++operand) {
        if (op.operands[operand] != zero) continue;
        const Effect made = effect(op, operand);
        if (made == Effect::Counts) return true;
        if (made == Effect::Ignored) continue;
        op.kind == OpKind::Set ? follow(reads(ir::written_vars(op)[operand])) : follow(op.results);
      }
    }
    if (followed.size() > most) return true;
  }
  return false;
}

}  // namespace tilewright::back::triton
