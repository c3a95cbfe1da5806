// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/facts.h"

#include <algorithm>

#include "analysis/above_zero.h"
#include "analysis/walk.h"
#include "ir/walk.h"

namespace tilewright::analysis {

struct Facts::OfPart {
  PartId part;
  std::unique_ptr<Walk> certain;
  std::unique_ptr<Walk> assuming;
  std::optional<Conditions> settled;
};

struct Facts::Work {
  explicit Work(const ir::Program& program) : parts(program), positive(program), arena(program.arena), mark(arena.mark()) {}

  Parts parts;
  PositiveExtents positive;
  std::unique_ptr<AboveZero> above_zero;
  std::set<ir::FunctionId> is_above_zero;
  sym::Arena arena;  // the program's, and behind the mark what the walks have made
  sym::Arena::Mark mark;
  OfPart last = {};  // that was asked about
};

Facts::Facts(const ir::Program& program) : program_(program), work_(std::make_unique<Work>(program)) {}
Facts::~Facts() = default;
Facts::Facts(Facts&&) noexcept = default;

const Parts& Facts::parts() const { return work_->parts; }

Facts::OfPart& Facts::at(PartId part) const {
  if (work_->last.part != part) {
    work_->last = {.part = part, .certain = {}, .assuming = {}, .settled = {}};
    work_->arena.forget(work_->mark);
  }
  return work_->last;
}

std::unique_ptr<Walk> Facts::walk(PartId part, Constants constants, const Sizes& sizes) const {
  const Parts& parts = work_->parts;
  auto out = std::make_unique<Walk>(program_, parts.ops(part), parts.values(part), work_->arena, constants, work_->positive);
  for (const ir::FunctionId function : parts.functions(part)) {
    if (program_.functions[function].kind == ir::FunctionKind::Kernel) out->kernel(function, sizes);
  }
  return out;
}

const Found& Facts::certain(PartId part) const {
  OfPart& facts = at(part);
  if (!facts.certain) facts.certain = walk(part, Constants::AnySign, {});
  return facts.certain->found();
}

const Found& Facts::assuming(PartId part) const {
  const Sizes& sizes = certain(part).sizes;
  OfPart& facts = at(part);
  if (!facts.assuming) facts.assuming = walk(part, Constants::NotNegative, sizes);
  return facts.assuming->found();
}

Range Facts::range(ir::ValueId value) const {
  const ir::FunctionId function = work_->parts.function_of(value);
  if (!function) return {};
  const std::optional<Known>& known = certain(work_->parts.part_of(function)).values[value];
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
  return found.values[program_.ops[op].operands[operand]].value_or(Known{});
}

// Conditions that divisions need which are there in every launch. What is asked of all launches may be used everywhere.
const std::set<Condition>& Facts::settled(PartId part) const {
  const Found& sure = certain(part);
  const Found& perhaps = assuming(part);
  std::optional<Conditions>& out = at(part).settled;
  if (out) return *out;
  out.emplace();
  for (const ir::FunctionId function : work_->parts.functions(part)) {
    ir::each_op(program_, program_.functions[function].body, [&](ir::OpId op) {
      const ir::OpKind kind = program_.ops[op].kind;
      if (kind != ir::OpKind::FloorDiv && kind != ir::OpKind::FloorMod && kind != ir::OpKind::CeilDiv) return;
      const auto found = perhaps.operands.find(op);
      if (found == perhaps.operands.end() || sure.conditional[op]) return;
      const std::vector<Known>& operands = found->second;
      const bool holds =
          std::all_of(operands.begin(), operands.end(), [](const Known& known) { return known.range.non_negative(); });
      for (size_t i = 0; holds && i < operands.size(); ++i) {
        if (known(sure, op, i).range.non_negative()) continue;
        const Conditions& assumes = perhaps.conditions[operands[i].assumes];
        out->insert(assumes.begin(), assumes.end());
      }
    });
  }
  return *out;
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
    const bool is_there = !certain(part).conditional[op];
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
  const auto is_natural = [&](ir::ValueId id) { return found.values[id].value_or(Known{}).range.non_negative(); };
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
