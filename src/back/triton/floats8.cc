// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/floats8.h"

#include "ir/launch_checks.h"
#include "ir/walk.h"

namespace tilewright::back::triton {

using ir::DtypeKind;
using ir::Scalar;

std::set<uint32_t> calculated_elements(const ir::Program& program, ir::FunctionId function) {
  std::set<uint32_t> out;
  ir::each_op(program, program.functions[function].body, [&](ir::OpId id) {
    const ir::Op& op = program.ops[id];
    if (op.kind == ir::OpKind::Call) out.merge(calculated_elements(program, op.attrs.rare->function));
    if (!ir::calculates(op.kind)) return;
    for (const ir::ValueId operand : op.operands) {
      const ir::Type& type = program.types[program.values[operand].type];
      if (type.kind == ir::TypeKind::Tile) add_elements(program.types, type.dtype, out);
    }
  });
  return out;
}

bool may_be_float8(const ir::Types& types, ir::DtypeId id, const std::set<uint32_t>& calculated) {
  const ir::Dtype& dtype = types[id];
  switch (dtype.kind) {
    case DtypeKind::Known: return dtype.scalar == Scalar::F8E4M3 || dtype.scalar == Scalar::F8E5M2;
    case DtypeKind::Element: return !types.class_of(id) && !calculated.contains(dtype.index);
    case DtypeKind::Promote: return may_be_float8(types, dtype.a, calculated) && may_be_float8(types, dtype.b, calculated);
    case DtypeKind::Select: return may_be_float8(types, dtype.a, calculated) || may_be_float8(types, dtype.b, calculated);
    case DtypeKind::Argument:
    case DtypeKind::Adapt:
    case DtypeKind::FloatOf:
    case DtypeKind::CountOf:
    case DtypeKind::Accumulator:
    case DtypeKind::Pointer: return false;
    case DtypeKind::Common: return may_be_float8(types, dtype.a, calculated) && may_be_float8(types, dtype.b, calculated);
    case DtypeKind::Widened: return dtype.widening != ir::Widening::Extreme && may_be_float8(types, dtype.a, calculated);
    case DtypeKind::Passed: return true;
  }
  return false;
}

}  // namespace tilewright::back::triton
