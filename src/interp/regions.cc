// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/regions.h"

#include <algorithm>
#include <optional>

namespace tilewright::interp {
namespace {

constexpr uint32_t nothing_yet = any_parameter - 1;

// Goes over the program until nothing more is learned: variables and parameters of helpers may be written after they are read.
class Roots {
 public:
  Roots(const ir::Program& program, ir::FunctionId kernel)
      : program_(program), values_(program.values.size(), nothing_yet), vars_(program.vars.size(), nothing_yet) {
    const std::vector<ir::Param>& params = program.functions[kernel].params;
    for (uint32_t i = 0; i < params.size(); ++i) {
      if (params[i].value) values_[params[i].value.index] = i;
    }
    do {
      changed_ = false;
      for (const ir::Op& op : program.ops) visit(op);
    } while (changed_);
  }

  std::vector<uint32_t> take() {
    std::replace(values_.begin(), values_.end(), nothing_yet, any_parameter);
    return std::move(values_);
  }

 private:
  bool is_pointer(ir::ValueId value) const {
    const ir::Type& type = program_.types[program_.values[value].type];
    return type.kind == ir::TypeKind::Window || (type.kind == ir::TypeKind::Tile && program_.types.is_pointer(type.dtype));
  }

  void join(uint32_t& to, uint32_t from) {
    if (from == nothing_yet || to == from || to == any_parameter) return;
    to = to == nothing_yet ? from : any_parameter;
    changed_ = true;
  }

  void visit(const ir::Op& op) {
    using ir::OpKind;
    if (op.kind == OpKind::Set) {
      const std::span<const ir::VarId> written = ir::written_vars(op);
      for (size_t i = 0; i < written.size(); ++i) join(vars_[written[i].index], values_[op.operands[i].index]);
      return;
    }
    if (op.kind == OpKind::Call) {
      size_t operand = 0;
      for (const ir::Param& param : program_.functions[op.attrs.rare->function].params) {
        if (param.value) join(values_[param.value.index], values_[op.operands[operand++].index]);
      }
    }
    for (const ir::ValueId result : op.results) {
      if (!is_pointer(result)) continue;
      if (op.kind == OpKind::Get) {
        join(values_[result.index], vars_[op.attrs.var.index]);
        continue;
      }
      const bool is_made_of_operands = op.kind != OpKind::Call && op.regions.empty();
      bool any = false;
      for (const ir::ValueId operand : op.operands) {
        if (!is_made_of_operands || !is_pointer(operand)) continue;
        join(values_[result.index], values_[operand.index]);
        any = true;
      }
      if (!any) join(values_[result.index], any_parameter);
    }
  }

  const ir::Program& program_;
  std::vector<uint32_t> values_;
  std::vector<uint32_t> vars_;
  bool changed_ = false;
};

}  // namespace

std::vector<uint32_t> pointer_roots(const ir::Program& program, ir::FunctionId kernel) { return Roots(program, kernel).take(); }

Regions::Regions(const std::vector<Argument>& arguments) {
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    const auto* descriptor = std::get_if<Descriptor>(&arguments[i]);
    const auto* array = descriptor ? &descriptor->array : std::get_if<Array>(&arguments[i]);
    if (!array) continue;
    const auto width = static_cast<int64_t>(bytes_of(array->dtype));
    const auto base = reinterpret_cast<int64_t>(array->base);
    regions_.push_back(
        {.parameter = i, .base = base, .begin = base + array->first * width, .end = base + (array->last + 1) * width});
  }
}

bool Regions::holds(uint32_t parameter, int64_t address, int64_t width) const {
  return std::any_of(regions_.begin(), regions_.end(), [&](const Region& region) {
    const bool is_meant = parameter == any_parameter || parameter == region.parameter;
    return is_meant && address >= region.begin && address + width <= region.end;
  });
}

int64_t Regions::begin(uint32_t parameter) const {
  const auto found =
      std::find_if(regions_.begin(), regions_.end(), [&](const Region& region) { return region.parameter == parameter; });
  return found == regions_.end() ? 0 : found->base;
}

}  // namespace tilewright::interp
