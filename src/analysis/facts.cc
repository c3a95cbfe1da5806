// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/facts.h"

#include <algorithm>

#include "analysis/above_zero.h"
#include "analysis/walk.h"
#include "ir/walk.h"

namespace tilewright::analysis {

struct Facts::Work {
  explicit Work(const ir::Program& program) : parts(program), positive(program) {}

  Parts parts;
  PositiveExtents positive;
  std::unique_ptr<Walk> certain;
  std::unique_ptr<Walk> assuming;
  std::unique_ptr<AboveZero> above_zero;
  std::set<PartId> is_certain;  // those that the walks have come to
  std::set<PartId> is_assuming;
  std::set<PartId> is_settled;
  std::set<ir::FunctionId> is_above_zero;
  std::set<Condition> settled;
};

Facts::Facts(const ir::Program& program) : program_(program), work_(std::make_unique<Work>(program)) {}
Facts::~Facts() = default;
Facts::Facts(Facts&&) noexcept = default;

const Found& Facts::certain(PartId part) const {
  if (!work_->certain) work_->certain = std::make_unique<Walk>(program_, Constants::AnySign, work_->positive);
  if (work_->is_certain.insert(part).second) {
    for (const ir::FunctionId function : work_->parts.functions(part)) {
      if (program_.functions[function].kind == ir::FunctionKind::Kernel) work_->certain->kernel(function);
    }
  }
  return work_->certain->found();
}

const Found& Facts::assuming(PartId part) const {
  if (!work_->assuming) work_->assuming = std::make_unique<Walk>(program_, Constants::NotNegative, work_->positive);
  if (work_->is_assuming.insert(part).second) {
    const Sizes& sizes = certain(part).sizes;
    for (const ir::FunctionId function : work_->parts.functions(part)) {
      if (program_.functions[function].kind == ir::FunctionKind::Kernel) work_->assuming->kernel(function, sizes);
    }
  }
  return work_->assuming->found();
}

Range Facts::range(ir::ValueId value) const {
  const ir::FunctionId function = work_->parts.function_of(value);
  if (!function) return {};
  const std::optional<Known>& known = certain(work_->parts.part_of(function)).values[value.index];
  return known ? known->range : Range{};
}

bool Facts::only_above_zero_counts(ir::ValueId value) const {
  if (!work_->above_zero) {
    work_->above_zero = std::make_unique<AboveZero>(program_, [this](ir::ValueId id) { return range(id); });
  }
  const ir::FunctionId function = work_->parts.function_of(value);
  if (work_->is_above_zero.insert(function).second) work_->above_zero->read(function);
  return work_->above_zero->contains(value);
}

Known Facts::known(const Found& found, ir::OpId op, size_t operand) const {
  if (const auto at = found.operands.find(op); at != found.operands.end()) return at->second[operand];
  return found.values[program_.ops[op].operands[operand].index].value_or(Known{});
}

// Conditions that divisions need which are there in every launch. What is asked of all launches may be used everywhere.
const std::set<Condition>& Facts::settled(PartId part) const {
  if (!work_->is_settled.insert(part).second) return work_->settled;
  const Found& sure = certain(part);
  const Found& perhaps = assuming(part);
  for (const ir::FunctionId function : work_->parts.functions(part)) {
    ir::each_op(program_, program_.functions[function].body, [&](ir::OpId op) {
      const ir::OpKind kind = program_.ops[op].kind;
      if (kind != ir::OpKind::FloorDiv && kind != ir::OpKind::FloorMod && kind != ir::OpKind::CeilDiv) return;
      const auto found = perhaps.operands.find(op);
      if (found == perhaps.operands.end() || sure.conditional[op.index]) return;
      const std::vector<Known>& operands = found->second;
      const bool holds =
          std::all_of(operands.begin(), operands.end(), [](const Known& known) { return known.range.non_negative(); });
      for (size_t i = 0; holds && i < operands.size(); ++i) {
        if (known(sure, op, i).range.non_negative()) continue;
        const Conditions& assumes = perhaps.conditions[operands[i].assumes];
        work_->settled.insert(assumes.begin(), assumes.end());
      }
    });
  }
  return work_->settled;
}

Proof Facts::none_negative(ir::OpId op, std::span<const ir::ValueId> values) const {
  const ShortList<ir::ValueId>& operands = program_.ops[op].operands;
  const PartId part = work_->parts.part_of(work_->parts.function_of(op));
  Proof out;
  for (const ir::ValueId value : values) {
    const auto operand = static_cast<size_t>(std::find(operands.begin(), operands.end(), value) - operands.begin());
    if (known(certain(part), op, operand).range.non_negative()) continue;
    const Known perhaps = known(assuming(part), op, operand);
    const Conditions& assumes = assuming(part).conditions[perhaps.assumes];
    // A condition may be asked of launches where the op is there in every launch, or if it is asked anyway.
    const bool is_there = !certain(part).conditional[op.index];
    const bool may_ask = is_there || std::includes(settled(part).begin(), settled(part).end(), assumes.begin(), assumes.end());
    if (!may_ask || !perhaps.range.non_negative()) {
      out.gap = gap(may_ask ? assuming(part) : certain(part), value);
      return out;
    }
    out.assumes.insert(assumes.begin(), assumes.end());
  }
  out.holds = true;
  return out;
}

// Follows what is not known to its source: the first operand of which nothing is known either.
ir::ValueId Facts::gap(const Found& found, ir::ValueId value) const {
  const auto is_natural = [&](ir::ValueId id) { return found.values[id.index].value_or(Known{}).range.non_negative(); };
  for (int steps = 0; steps < 100; ++steps) {
    const ir::OpId definition = program_.values[value].definition;
    if (!definition || ir::info(program_.ops[definition].kind).effect != ir::Effect::Pure) return value;
    const ShortList<ir::ValueId>& operands = program_.ops[definition].operands;
    const auto next = std::find_if(operands.begin(), operands.end(), [&](ir::ValueId operand) {
      const ir::TypeKind kind = program_.types[program_.values[operand].type].kind;
      return (kind == ir::TypeKind::Tile || kind == ir::TypeKind::Const) && !is_natural(operand);
    });
    if (next == operands.end()) return value;
    value = *next;
  }
  return value;
}

}  // namespace tilewright::analysis
