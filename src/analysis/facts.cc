// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/facts.h"

#include <algorithm>

#include "analysis/walk.h"

namespace tilewright::analysis {

struct Facts::Ranges {
  Found found;
};

Facts::Facts(const ir::Program& program) : program_(program) {}
Facts::~Facts() = default;
Facts::Facts(Facts&&) noexcept = default;

static Found walk(const ir::Program& program, Constants constants) {
  Walk walk(program, constants);
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
  if (!assuming_) assuming_ = std::make_unique<Ranges>(Ranges{walk(program_, Constants::NotNegative)});
  return *assuming_;
}

Range Facts::range(ir::ValueId value) const {
  const std::optional<Known>& known = certain().found.values[value.index];
  return known ? known->range : Range{};
}

Proof Facts::none_negative(ir::OpId op, const std::vector<ir::ValueId>& values) const {
  const ir::Op& o = program_.ops[op];
  const auto known = [&](const Found& found, ir::ValueId value) {
    if (const auto at = found.operands.find(op); at != found.operands.end()) {
      for (size_t i = 0; i < o.operands.size(); ++i) {
        if (o.operands[i] == value) return at->second[i];
      }
    }
    return found.values[value.index].value_or(Known{});
  };
  Proof out;
  for (const ir::ValueId value : values) {
    if (known(certain().found, value).range.non_negative()) continue;
    // A condition on constants can be asked of a launch only where the op is there in every launch.
    const bool may_assume = !certain().found.conditional[op.index];
    const Known perhaps = known((may_assume ? assuming() : certain()).found, value);
    if (!perhaps.range.non_negative()) {
      out.gap = gap(may_assume ? assuming() : certain(), value);
      return out;
    }
    for (const sym::ExprId atom : perhaps.assumes) {
      if (std::find(out.assumes.begin(), out.assumes.end(), atom) == out.assumes.end()) out.assumes.push_back(atom);
    }
  }
  std::sort(out.assumes.begin(), out.assumes.end(),
            [&](sym::ExprId a, sym::ExprId b) { return program_.arena.compare(a, b) < 0; });
  out.holds = true;
  return out;
}

// Follows what is not known to its source: the first operand of which nothing is known either.
ir::ValueId Facts::gap(const Ranges& ranges, ir::ValueId value) const {
  const auto is_natural = [&](ir::ValueId id) { return ranges.found.values[id.index].value_or(Known{}).range.non_negative(); };
  for (int steps = 0; steps < 100; ++steps) {
    const ir::OpId definition = program_.values[value].definition;
    if (!definition || ir::info(program_.ops[definition].kind).effect != ir::Effect::Pure) return value;
    const std::vector<ir::ValueId>& operands = program_.ops[definition].operands;
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
