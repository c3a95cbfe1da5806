// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/squeeze.h"

#include <algorithm>

#include "base/disjoint_sets.h"

namespace tilewright::back::triton {
namespace {

using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::TypeKind;
using ir::ValueId;
using ir::VarId;

class Analysis {
 public:
  Analysis(const ir::Program& program, const Uses& uses)
      : program_(program), uses_(uses), groups_(program.values.size() + program.vars.size()) {
    refused_.resize(program.values.size() + program.vars.size());
    gains_.resize(refused_.size());
  }

  Squeezed run() {
    // Parameters and results of helpers keep their shape.
    for (const ir::Function& function : program_.functions) {
      for (const ir::Param& param : function.params) refuse(param.value);
    }
    for (const std::vector<OpId>& ops : uses_.ops) {
      for (const OpId op : ops) visit(op);
    }
    Squeezed out;
    out.values.resize(program_.values.size());
    out.vars.resize(program_.vars.size());
    // Shapes of what is calculated together are checked as if everything were squeezed; a group that fails takes no other along.
    for (uint32_t i = 0; i < program_.values.size(); ++i) {
      const ValueId value{i};
      const uint32_t group = groups_.find(i);
      out.values[i] = has_units(value) && !refused_[group] && gains_[group];
    }
    for (uint32_t i = 0; i < program_.vars.size(); ++i) {
      const uint32_t group = groups_.find(node(VarId{i}));
      out.vars[i] = !refused_[group] && gains_[group];
    }
    return out;
  }

 private:
  uint32_t node(VarId var) const { return static_cast<uint32_t>(program_.values.size()) + var.index; }
  void join(uint32_t a, uint32_t b) {
    const auto [group, gone] = groups_.join(a, b);
    refused_[group] = refused_[group] || refused_[gone];
    gains_[group] = gains_[group] || gains_[gone];
  }
  void refuse(ValueId value) {
    if (value) refused_[groups_.find(value.index)] = true;
  }
  void refuse_all(const Op& op) {
    for (const ValueId operand : op.operands) refuse(operand);
    for (const ValueId result : op.results) refuse(result);
  }
  void gain(ValueId value) { gains_[groups_.find(value.index)] = true; }

  const ir::Type& type(ValueId value) const { return program_.types[program_.values[value].type]; }
  bool is_tile(ValueId value) const { return type(value).kind == TypeKind::Tile; }
  bool has_units(ValueId value) const {
    if (!is_tile(value)) return false;
    const std::vector<sym::ExprId>& shape = type(value).shape;
    return std::any_of(shape.begin(), shape.end(), [&](sym::ExprId extent) { return is_unit(program_, extent); });
  }

  // Whether the operand broadcasts to the result alike when the units of both are gone.
  bool aligned(ValueId operand, ValueId result) const {
    const std::vector<sym::ExprId>& small = type(operand).shape;
    const std::vector<sym::ExprId>& big = type(result).shape;
    const bool small_squeezed = has_units(operand);
    const bool big_squeezed = has_units(result);
    size_t behind_small = 0;
    size_t behind_big = 0;
    for (size_t i = 0; i < small.size(); ++i) {
      const sym::ExprId mine = small[small.size() - 1 - i];
      const sym::ExprId other = big[big.size() - 1 - i];
      const bool keeps_small = !(small_squeezed && is_unit(program_, mine));
      const bool keeps_big = !(big_squeezed && is_unit(program_, other));
      if (keeps_small && (!keeps_big || behind_small != behind_big)) return false;
      behind_small += keeps_small;
      behind_big += keeps_big;
    }
    return true;
  }

  void elementwise(const Op& op) {
    const ValueId result = op.results[0];
    bool fits = true;
    for (const ValueId operand : op.operands) {
      if (!is_tile(operand) || type(operand).shape.empty()) continue;
      fits = fits && type(operand).shape.size() <= type(result).shape.size() && aligned(operand, result);
    }
    for (const ValueId operand : op.operands) {
      if (!has_units(operand)) continue;
      if (!fits) refuse(operand);
      if (fits && has_units(result)) join(operand.index, result.index);
    }
    if (!fits) refuse(result);
  }

  std::vector<sym::ExprId> kept(ValueId value) const {
    std::vector<sym::ExprId> out;
    for (const sym::ExprId extent : type(value).shape) {
      if (!is_unit(program_, extent)) out.push_back(extent);
    }
    return out;
  }

  void reshape(const Op& op) {
    const ValueId from = op.operands[0];
    const ValueId to = op.results[0];
    if (kept(from) != kept(to)) {
      refuse(to);  // a real change of shape prints the author's shape
      return;
    }
    // From or to a squeezed tile this reshape is nothing.
    if (has_units(from) && !has_units(to)) gain(from);
    if (has_units(to) && !has_units(from)) gain(to);
    if (has_units(to) && has_units(from)) {
      join(from.index, to.index);
      gain(to);
    }
  }

  void visit(OpId id) {
    const Op& op = program_.ops[id];
    const ir::OpInfo& info = ir::info(op.kind);
    const OpKind kind = op.kind;
    if (kind == OpKind::Set) {
      for (size_t i = 0; i < op.operands.size(); ++i) join(op.operands[i].index, node(ir::written_vars(op)[i]));
    } else if (kind == OpKind::Get) {
      join(op.results[0].index, node(op.attrs.var));
    } else if (kind == OpKind::Copy) {
      join(op.operands[0].index, op.results[0].index);
    } else if (kind == OpKind::LoadTile) {
      if (kept(op.results[0]).empty() && has_units(op.results[0])) gain(op.results[0]);
    } else if (kind == OpKind::StoreTile || kind == OpKind::Full) {
      // Either shape is fine.
    } else if (kind == OpKind::Reshape) {
      reshape(op);
    } else if (kind == OpKind::Permute) {
      if (has_units(op.operands[0])) join(op.operands[0].index, op.results[0].index);
    } else if (kind == OpKind::Dot) {
      dot(op);
    } else if (info.family == ir::Family::Math && !op.results.empty() && is_tile(op.results[0])) {
      elementwise(op);
    } else {
      refuse_all(op);
    }
  }

  // A batch of one: without it the tensor cores can be used.
  void dot(const Op& op) {
    bool fits = op.operands.size() == 3;
    for (const ValueId operand : op.operands) {
      const std::vector<sym::ExprId>& shape = type(operand).shape;
      fits = fits && shape.size() == 3 && is_unit(program_, shape[0]) && !is_unit(program_, shape[1]) &&
             !is_unit(program_, shape[2]);
    }
    if (!fits) return refuse_all(op);
    for (const ValueId operand : op.operands) join(operand.index, op.results[0].index);
    gain(op.results[0]);
  }

  const ir::Program& program_;
  const Uses& uses_;
  DisjointSets groups_;
  std::vector<bool> refused_;
  std::vector<bool> gains_;
};

}  // namespace

bool is_unit(const ir::Program& program, sym::ExprId extent) { return program.arena.integer_of(extent) == 1; }

std::vector<uint32_t> kept_axes(const ir::Program& program, ir::TypeId type) {
  std::vector<uint32_t> out;
  const std::vector<sym::ExprId>& shape = program.types[type].shape;
  for (uint32_t i = 0; i < shape.size(); ++i) {
    if (!is_unit(program, shape[i])) out.push_back(i);
  }
  return out;
}

Squeezed squeezed(const ir::Program& program, const Uses& uses) { return Analysis(program, uses).run(); }

}  // namespace tilewright::back::triton
