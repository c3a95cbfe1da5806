// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/integers.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "ir/walk.h"

namespace tilewright::back::triton {
namespace {

using ir::DtypeKind;
using ir::FunctionId;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using Params = std::set<uint32_t>;

// What must be an integer for the dtype to be one.
void parts(const ir::Types& types, ir::DtypeId id, Params& out) {
  if (!id) return;
  const ir::Dtype& dtype = types[id];
  switch (dtype.kind) {
    case DtypeKind::Element:
    case DtypeKind::Argument: out.insert(dtype.index); break;
    case DtypeKind::Promote:
    case DtypeKind::Common:
      parts(types, dtype.a, out);
      parts(types, dtype.b, out);
      break;
    case DtypeKind::CountOf:
    case DtypeKind::Widened: parts(types, dtype.a, out); break;
    case DtypeKind::Adapt:
      if (dtype.loose != ir::LooseKind::Float) parts(types, dtype.a, out);
      break;
    case DtypeKind::Select: {
      Params a;
      Params b;
      parts(types, dtype.a, a);
      parts(types, dtype.b, b);
      for (const uint32_t both : a) {
        if (b.contains(both)) out.insert(both);
      }
      break;
    }
    case DtypeKind::Known:
    case DtypeKind::FloatOf:
    case DtypeKind::Accumulator:
    case DtypeKind::Pointer:
    case DtypeKind::Passed: break;
  }
}

Params used_in(const ir::Program& program, const ir::Function& function) {
  Params out;
  if (!function.body) return out;
  const auto integer = [&](ValueId value) {
    const ir::Type& type = program.types[program.values[value].type];
    if (type.kind == ir::TypeKind::Tile) parts(program.types, type.dtype, out);
  };
  ir::each_op(program, function.body, [&](OpId id) {
    const Op& op = program.ops[id];
    switch (op.kind) {
      case OpKind::For:
      case OpKind::Shl:
      case OpKind::Shr:
      case OpKind::CeilDiv:
      case OpKind::CeilDivPositive:
        for (const ValueId operand : op.operands) integer(operand);
        break;
      case OpKind::ArraySlice:
      case OpKind::ListItem:
        for (size_t i = 1; i < op.operands.size(); ++i) integer(op.operands[i]);
        break;
      case OpKind::LoadTile:
      case OpKind::StoreTile:
      case OpKind::Gather:
      case OpKind::Scatter:
      case OpKind::AtomicRmw:
      case OpKind::AtomicCas:
        for (uint32_t axis = 0; axis < op.attrs.rank; ++axis) integer(op.operands[1 + axis]);
        break;
      case OpKind::Literal:
      case OpKind::Symbol:
      case OpKind::DtypeName:
      case OpKind::DtypeOf:
      case OpKind::TileDim:
      case OpKind::Copy:
      case OpKind::Get:
      case OpKind::Set:
      case OpKind::If:
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
      case OpKind::ListLen:
      case OpKind::Iota:
      case OpKind::Full:
      case OpKind::Cast:
      case OpKind::Bitcast:
      case OpKind::Reshape:
      case OpKind::ExpandDims:
      case OpKind::Permute:
      case OpKind::Broadcast:
      case OpKind::Cat:
      case OpKind::Extract:
      case OpKind::Add:
      case OpKind::Sub:
      case OpKind::Mul:
      case OpKind::TrueDiv:
      case OpKind::FloorDiv:
      case OpKind::TruncDiv:
      case OpKind::FloorMod:
      case OpKind::TruncMod:
      case OpKind::Pow:
      case OpKind::Min:
      case OpKind::Max:
      case OpKind::BitAnd:
      case OpKind::BitOr:
      case OpKind::BitXor:
      case OpKind::Atan2:
      case OpKind::CmpEq:
      case OpKind::CmpNe:
      case OpKind::CmpLt:
      case OpKind::CmpLe:
      case OpKind::CmpGt:
      case OpKind::CmpGe:
      case OpKind::Neg:
      case OpKind::Not:
      case OpKind::BitNot:
      case OpKind::Abs:
      case OpKind::Exp:
      case OpKind::Exp2:
      case OpKind::Log:
      case OpKind::Log2:
      case OpKind::Sqrt:
      case OpKind::Rsqrt:
      case OpKind::Sin:
      case OpKind::Cos:
      case OpKind::Tan:
      case OpKind::Sinh:
      case OpKind::Cosh:
      case OpKind::Tanh:
      case OpKind::Floor:
      case OpKind::Ceil:
      case OpKind::IsNan:
      case OpKind::Where:
      case OpKind::Reduce:
      case OpKind::Scan:
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
      case OpKind::Histogram:
      case OpKind::Dot: break;
    }
  });
  return out;
}

}  // namespace

std::vector<Params> integer_parameters(const ir::Program& program) {
  std::vector<Params> out;
  std::vector<std::vector<FunctionId>> callees(program.functions.size());
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[FunctionId{i}];
    Params mine = used_in(program, function);
    if (function.body) {
      ir::each_op(program, function.body, [&](OpId id) {
        if (program.ops[id].kind == OpKind::Call) callees[i].push_back(program.ops[id].attrs.rare->function);
      });
    }
    for (const FunctionId callee : callees[i])
      mine.insert(out[callee.index].begin(), out[callee.index].end());  // helpers come first
    out.push_back(std::move(mine));
  }
  // What every caller knows, the helper may know.
  std::vector<std::optional<Params>> known(program.functions.size());
  for (size_t i = program.functions.size(); i-- > 0;) {
    if (known[i]) out[i].insert(known[i]->begin(), known[i]->end());
    for (const FunctionId callee : callees[i]) {
      std::optional<Params>& all = known[callee.index];
      if (!all) {
        all = out[i];
        continue;
      }
      Params both;
      std::set_intersection(all->begin(), all->end(), out[i].begin(), out[i].end(), std::inserter(both, both.end()));
      all = std::move(both);
    }
  }
  return out;
}

}  // namespace tilewright::back::triton
