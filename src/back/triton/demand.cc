// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/demand.h"

#include "back/triton/squeeze.h"
#include "base/check.h"

namespace tilewright::back::triton {
namespace {

using ir::Op;
using ir::OpKind;
using ir::ValueId;

uint32_t bit(uint32_t axis) {
  TW_CHECK(axis < ir::most_axes, "an array of too many axes");
  return uint32_t{1} << axis;
}

bool unit_extent(const ir::Program& program, ValueId extent) {
  const ir::Type& type = program.types[program.values[extent].type];
  return type.kind == ir::TypeKind::Const && is_unit(program, type.value);
}

}  // namespace

uint32_t array_axis(const Op& op, uint32_t axis) { return op.attrs.rare->order.empty() ? axis : op.attrs.rare->order[axis]; }

bool is_zero(const ir::Program& program, ValueId index) {
  const ir::Type& type = program.types[program.values[index].type];
  return type.kind == ir::TypeKind::Const && program.arena.integer_of(type.value) == 0;
}

namespace {

void add(Fields& to, const Fields& more) {
  to.address |= more.address;
  to.length |= more.length;
  to.extents |= more.extents;
  to.strides |= more.strides;
}

// Whether more is needed of a variable than was known.
bool pass(const ir::Program& program, const std::vector<ir::OpId>& ops, Demand& demand) {
  bool grown = false;
  // Backwards, so that a slice knows what is needed of it before it passes that on.
  for (size_t i = ops.size(); i-- > 0;) {
    const Op& op = program.ops[ops[i]];
    const auto of = [&](size_t operand) -> Fields& { return demand.values[op.operands[operand]]; };
    if (op.kind == OpKind::ArrayDim) {
      of(0).extents |= bit(op.attrs.axis);
    } else if (op.kind == OpKind::ArrayStride) {
      of(0).strides |= bit(op.attrs.axis);
    } else if (op.kind == OpKind::NumTiles) {
      of(0).extents |= bit(array_axis(op, op.attrs.axis));
    } else if (op.kind == OpKind::ListLen) {
      of(0).length = true;
    } else if (op.kind == OpKind::ArraySlice) {
      const Fields mine = demand.of(op.results[0]);
      Fields& parent = of(0);
      parent.address |= mine.address;
      parent.extents |= mine.extents & ~bit(op.attrs.axis);
      parent.strides |= mine.strides;
      if (mine.address && !is_zero(program, op.operands[1])) parent.strides |= bit(op.attrs.axis);
    } else if (op.kind == OpKind::ListItem) {
      const Fields mine = demand.of(op.results[0]);
      Fields& list = of(0);
      list.address = true;
      list.extents |= mine.extents;
      list.strides |= mine.strides;
    } else if (op.kind == OpKind::Copy) {
      if (const Fields mine = demand.of(op.results[0]); mine.any()) add(of(0), mine);
    } else if (op.kind == OpKind::Get) {
      Fields& var = demand.vars[op.attrs.var.index];
      const Fields before = var;
      add(var, demand.of(op.results[0]));
      grown = grown || var != before;
    } else if (op.kind == OpKind::Set) {
      for (size_t operand = 0; operand < op.operands.size(); ++operand) {
        if (const Fields& var = demand.vars[ir::written_vars(op)[operand].index]; var.any()) add(of(operand), var);
      }
    } else if (op.kind == OpKind::LoadTile || op.kind == OpKind::StoreTile) {
      Fields& array = of(0);
      array.address = true;
      const ir::Type* stored =
          op.kind == OpKind::StoreTile ? &program.types[program.values[op.operands[1 + op.attrs.rank]].type] : nullptr;
      for (uint32_t axis = 0; axis < op.attrs.rank; ++axis) {
        const ValueId index = op.operands[1 + axis];
        // A stored scalar is one element.
        const bool unit =
            !stored ? unit_extent(program, op.operands[1 + op.attrs.rank + axis])
                    : stored->kind != ir::TypeKind::Tile || stored->shape.empty() || is_unit(program, stored->shape[axis]);
        if (!unit) array.extents |= bit(array_axis(op, axis));
        if (!unit || !is_zero(program, index)) array.strides |= bit(array_axis(op, axis));
      }
    } else if (op.kind == OpKind::Gather || op.kind == OpKind::Scatter || op.kind == OpKind::AtomicRmw ||
               op.kind == OpKind::AtomicCas) {
      Fields& array = of(0);
      array.address = true;
      for (uint32_t axis = 0; axis < op.attrs.rank; ++axis) {
        if (!is_zero(program, op.operands[1 + axis])) array.strides |= bit(axis);
        if (op.attrs.rare->bounds != ir::Bounds::Never) array.extents |= bit(axis);
      }
    } else if (op.kind == OpKind::Call) {
      const std::vector<Fields>& callee = demand.params.at(op.attrs.rare->function);
      for (size_t operand = 0; operand < op.operands.size(); ++operand) {
        if (callee[operand].any()) add(of(operand), callee[operand]);
      }
    }
  }
  return grown;
}

}  // namespace

void add_demand(const ir::Program& program, ir::FunctionId function, const Uses& uses, Demand& demand) {
  const std::vector<ir::OpId>& ops = uses.ops[function.index];
  // A loop may read a variable before it is written.
  while (pass(program, ops, demand)) {
  }
  // A call's operands are the callee's parameters that have a value.
  std::vector<Fields> params;
  for (const ir::Param& param : program.functions[function].params) {
    if (param.value) params.push_back(demand.of(param.value));
  }
  demand.params[function] = std::move(params);
}

}  // namespace tilewright::back::triton
