// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/facts.h"

#include <algorithm>

#include "analysis/above_zero.h"
#include "analysis/walk.h"

namespace tilewright::analysis {

struct Facts::OfPart {
  PartId part;
  std::unique_ptr<Walk> walk;
  std::optional<Conditions> settled;
};

namespace {

// Whether what is hoped of a value is a condition that a launch can be asked for.
bool is_askable(const Found& found, const Known& known) {
  const Conditions& assumes = found.conditions[known.assumes];
  return std::none_of(assumes.begin(), assumes.end(), [&](const Condition& one) { return found.unaskable.contains(one); });
}

// What a launch is to be asked for so that a value is not negative, which is nothing where that is certain; null if no launch
// can be asked.
const Conditions* asked_for(const Found& found, const Known& known) {
  if (known.ranges.certain.non_negative()) return &found.conditions[ConditionsId{}];
  return known.ranges.hoped.non_negative() && is_askable(found, known) ? &found.conditions[known.assumes] : nullptr;
}

}  // namespace

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
    work_->last = {.part = part, .walk = {}, .settled = {}};
    work_->arena.forget(work_->mark);
  }
  return work_->last;
}

const Found& Facts::found(PartId part) const {
  std::unique_ptr<Walk>& walk = at(part).walk;
  if (!walk) {
    const Parts& parts = work_->parts;
    walk = std::make_unique<Walk>(program_, parts.ops(part), parts.values(part), work_->arena, work_->positive);
    for (const ir::FunctionId function : parts.functions(part)) {
      if (program_.functions[function].kind == ir::FunctionKind::Kernel) walk->kernel(function);
    }
  }
  return walk->found();
}

Range Facts::range(ir::ValueId value) const {
  const ir::FunctionId function = work_->parts.function_of(value);
  if (!function) return {};
  const std::optional<Known>& known = found(work_->parts.part_of(function)).values[value];
  return known ? known->ranges.certain : Range{};
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
  const Found& all = found(part);
  std::optional<Conditions>& out = at(part).settled;
  if (out) return *out;
  out.emplace();
  for (const auto& [op, operands] : all.operands) {
    const ir::OpKind kind = program_.ops[op].kind;
    if (kind != ir::OpKind::FloorDiv && kind != ir::OpKind::FloorMod && kind != ir::OpKind::CeilDiv) continue;
    if (all.conditional[op]) continue;
    Conditions asked;
    const bool holds = std::all_of(operands.begin(), operands.end(), [&](const Known& known) {
      const Conditions* const mine = asked_for(all, known);
      if (mine) asked.insert(mine->begin(), mine->end());
      return mine != nullptr;
    });
    if (holds) out->merge(asked);
  }
  return *out;
}

// Whether a launch may be asked for what is hoped of a value at an op: where the op is there in every launch, or if it is asked
// anyway.
bool Facts::is_hoped(PartId part, ir::OpId op, const Known& known) const {
  const Found& all = found(part);
  const Conditions* const asked = asked_for(all, known);
  if (!asked || asked->empty()) return asked != nullptr;
  return !all.conditional[op] || std::includes(settled(part).begin(), settled(part).end(), asked->begin(), asked->end());
}

Proof Facts::none_negative(ir::OpId op, std::span<const ir::ValueId> values) const {
  const ShortList<ir::ValueId>& operands = program_.ops[op].operands;
  const PartId part = work_->parts.part_of(work_->parts.function_of(op));
  const Found& all = found(part);
  Proof out;
  for (const ir::ValueId value : values) {
    const auto operand = static_cast<size_t>(std::find(operands.begin(), operands.end(), value) - operands.begin());
    const Known here = known(all, op, operand);
    if (!is_hoped(part, op, here)) {
      out.gap = gap(part, op, value);
      return out;
    }
    const Conditions& asked = *asked_for(all, here);
    out.assumes.insert(asked.begin(), asked.end());
  }
  out.holds = true;
  return out;
}

// Follows what is not known to its source: the first operand of which nothing is known either.
ir::ValueId Facts::gap(PartId part, ir::OpId op, ir::ValueId value) const {
  const Found& all = found(part);
  const auto is_natural = [&](ir::ValueId id) { return is_hoped(part, op, all.values[id].value_or(Known{})); };
  for (int steps = 0; steps < 100; ++steps) {
    const ir::OpId definition = program_.values[value].definition;
    if (!definition || ir::info(program_.ops[definition].kind).effect != ir::Effect::Pure) return value;
    const ShortList<ir::ValueId>& inner = program_.ops[definition].operands;
    const auto next = std::find_if(inner.begin(), inner.end(), [&](ir::ValueId operand) {
      const ir::TypeKind kind = program_.types[program_.values[operand].type].kind;
      return (kind == ir::TypeKind::Tile || kind == ir::TypeKind::Const) && !is_natural(operand);
    });
    if (next == inner.end()) return value;
    value = *next;
  }
  return value;
}

}  // namespace tilewright::analysis
