// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/facts.h"

#include <algorithm>

#include "analysis/above_zero.h"
#include "analysis/walk.h"

namespace tilewright::analysis {

struct Facts::Ranges {
  Found found;
};

Facts::Facts(const ir::Program& program) : program_(program) {}
Facts::~Facts() = default;
Facts::Facts(Facts&&) noexcept = default;

static Found walk(const ir::Program& program, Constants constants, Sizes sizes = {}) {
  Walk walk(program, constants, std::move(sizes));
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    if (program.functions[ir::FunctionId{i}].kind == ir::FunctionKind::Kernel) walk.kernel(ir::FunctionId{i});
  }
  return walk.take();
}

const Facts::Ranges& Facts::certain() const {
  if (!certain_) certain_ = std::make_unique<Ranges>(Ranges{walk(program_, Constants::AnySign)});
  return *certain_;
}

const Facts::Ranges& Facts::assuming() const {
  if (!assuming_) assuming_ = std::make_unique<Ranges>(Ranges{walk(program_, Constants::NotNegative, certain().found.sizes)});
  return *assuming_;
}

Range Facts::range(ir::ValueId value) const {
  const std::optional<Known>& known = certain().found.values[value.index];
  return known ? known->range : Range{};
}

bool Facts::only_above_zero_counts(ir::ValueId value) const {
  if (!above_zero_) above_zero_ = above_zero(program_, [this](ir::ValueId id) { return range(id); });
  return (*above_zero_)[value.index];
}

Known Facts::known(const Ranges& ranges, ir::OpId op, size_t operand) const {
  if (const auto at = ranges.found.operands.find(op); at != ranges.found.operands.end()) return at->second[operand];
  return ranges.found.values[program_.ops[op].operands[operand].index].value_or(Known{});
}

// Conditions that divisions need which are there in every launch. What is asked of all launches may be used everywhere.
const std::set<Condition>& Facts::settled() const {
  if (settled_) return *settled_;
  settled_.emplace();
  for (const auto& [op, operands] : assuming().found.operands) {
    const ir::OpKind kind = program_.ops[op].kind;
    if (certain().found.conditional[op.index]) continue;
    if (kind != ir::OpKind::FloorDiv && kind != ir::OpKind::FloorMod && kind != ir::OpKind::CeilDiv) continue;
    const bool holds =
        std::all_of(operands.begin(), operands.end(), [](const Known& known) { return known.range.non_negative(); });
    for (size_t i = 0; holds && i < operands.size(); ++i) {
      if (known(certain(), op, i).range.non_negative()) continue;
      const Conditions& assumes = assuming().found.conditions[operands[i].assumes];
      settled_->insert(assumes.begin(), assumes.end());
    }
  }
  return *settled_;
}

Proof Facts::none_negative(ir::OpId op, std::span<const ir::ValueId> values) const {
  const ShortList<ir::ValueId>& operands = program_.ops[op].operands;
  Proof out;
  for (const ir::ValueId value : values) {
    const auto operand = static_cast<size_t>(std::find(operands.begin(), operands.end(), value) - operands.begin());
    if (known(certain(), op, operand).range.non_negative()) continue;
    const Known perhaps = known(assuming(), op, operand);
    const Conditions& assumes = assuming().found.conditions[perhaps.assumes];
    // A condition may be asked of launches where the op is there in every launch, or if it is asked anyway.
    const bool may_ask = !certain().found.conditional[op.index] ||
                         std::includes(settled().begin(), settled().end(), assumes.begin(), assumes.end());
    if (!may_ask || !perhaps.range.non_negative()) {
      out.gap = gap(may_ask ? assuming() : certain(), value);
      return out;
    }
    out.assumes.insert(assumes.begin(), assumes.end());
  }
  out.holds = true;
  return out;
}

// Follows what is not known to its source: the first operand of which nothing is known either.
ir::ValueId Facts::gap(const Ranges& ranges, ir::ValueId value) const {
  const auto is_natural = [&](ir::ValueId id) { return ranges.found.values[id.index].value_or(Known{}).range.non_negative(); };
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
