// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Conditions that a launch decides: which are constant, and what they are where others are assumed.

#include <map>

#include "front/common/control.h"

namespace tilewright::front {

using ir::TypeKind;

sym::ExprId constant_condition(Reader& reader, const Val& val) {
  const auto known = [&](bool value) { return reader.arena().literal(value); };
  switch (val.kind) {
    case ValKind::None: return known(false);
    case ValKind::String: return known(!val.text.empty());
    case ValKind::Tuple: return known(!val.items->empty());
    case ValKind::Ellipsis:
    case ValKind::Slice:
    case ValKind::Enum:
    case ValKind::Namespace:
    case ValKind::File:
    case ValKind::Builtin:
    case ValKind::Method:
    case ValKind::Function:
    case ValKind::Dtype:
    case ValKind::View:
    case ValKind::IndexSlice: return known(true);
    case ValKind::Ir: {
      const ir::Type& type = type_of(reader, val.value);
      if (type.kind == TypeKind::DtypeConst) return known(true);
      if (type.kind != TypeKind::Const) return sym::ExprId::none();
      if (type.loose == ir::LooseKind::Bool) return type.value;
      const sym::ExprId value = type.value;
      return reader.arena().make(sym::ExprKind::Ne, {value, reader.arena().integer(0)});
    }
    case ValKind::Poison:
    case ValKind::Number:
    case ValKind::Parameter:
    case ValKind::Kernel:
    case ValKind::Annotation:
    case ValKind::Conditional:
    case ValKind::Foreign: return sym::ExprId::none();
  }
  return sym::ExprId::none();
}

namespace {

// Expressions share parts, so a small program can make one that is large when written out: each part is looked at once.
class Replacing {
 public:
  Replacing(sym::Arena& arena, sym::ExprId from, sym::ExprId to) : arena_(arena) { done_[from] = to; }

  sym::ExprId operator()(sym::ExprId expr) {
    if (const auto found = done_.find(expr); found != done_.end()) return found->second;
    const sym::Expr row = arena_[expr];
    std::vector<sym::ExprId> operands;
    for (const sym::ExprId operand : row.operands) operands.push_back((*this)(operand));
    const sym::ExprId result = operands == row.operands ? expr : arena_.make(row.kind, std::move(operands));
    done_[expr] = result;
    return result;
  }

 private:
  sym::Arena& arena_;
  std::map<sym::ExprId, sym::ExprId> done_;
};

}  // namespace

sym::ExprId under(Reader& reader, sym::ExprId expr, sym::ExprId condition) {
  sym::Arena& arena = reader.arena();
  const sym::Expr given = arena[condition];
  if (given.kind != sym::ExprKind::Eq) return expr;
  const bool literal_first = arena.literal_of(given.operands[0]).has_value();
  const sym::ExprId value = given.operands[literal_first ? 0 : 1];
  const sym::ExprId name = given.operands[literal_first ? 1 : 0];
  return arena.literal_of(value) && !arena.literal_of(name) ? Replacing(arena, name, value)(expr) : expr;
}

namespace {

std::optional<bool> truth_within(Reader& reader, sym::ExprId condition, const Assumptions& assumptions, int& steps) {
  sym::Arena& arena = reader.arena();
  if (--steps < 0) return std::nullopt;
  if (const auto known = arena.truth_of(condition)) return known;
  if (assumptions.empty()) return std::nullopt;
  const sym::ExprId negated = arena.make(sym::ExprKind::Not, {condition});
  for (const auto& [assumed, holds] : assumptions) {
    if (assumed == condition) return holds;
    if (assumed == negated) return !holds;
  }
  const sym::Expr expr = arena[condition];
  if (expr.kind == sym::ExprKind::Not) {
    const auto operand = truth_within(reader, expr.operands[0], assumptions, steps);
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  if (expr.kind == sym::ExprKind::And || expr.kind == sym::ExprKind::Or) {
    const bool deciding = expr.kind == sym::ExprKind::Or;
    bool all_known = true;
    for (const sym::ExprId operand : expr.operands) {
      const auto part = truth_within(reader, operand, assumptions, steps);
      if (part == deciding) return deciding;
      all_known &= part.has_value();
    }
    if (all_known) return !deciding;
  }
  for (const auto& [assumed, holds] : assumptions) {
    if (!holds) continue;
    const sym::ExprId simpler = under(reader, condition, assumed);
    if (simpler == condition) continue;
    if (const auto known = arena.truth_of(simpler)) return known;
  }
  return std::nullopt;
}

}  // namespace

std::optional<bool> truth(Reader& reader, sym::ExprId condition, const Assumptions& assumptions) {
  int steps = 1000;
  return truth_within(reader, condition, assumptions, steps);
}

std::optional<bool> truth(Reader& reader, sym::ExprId condition) { return truth(reader, condition, reader.frame->assumptions); }

std::optional<bool> truth(Reader& reader, const Val& val) {
  const sym::ExprId condition = constant_condition(reader, val);
  if (!condition) return std::nullopt;
  return truth(reader, condition);
}

void assume(Reader& reader, sym::ExprId condition, bool holds) {
  const sym::Expr expr = reader.arena()[condition];
  reader.frame->assumptions.push_back({condition, holds});
  if (expr.kind == sym::ExprKind::Not) assume(reader, expr.operands[0], !holds);
  if (expr.kind == (holds ? sym::ExprKind::And : sym::ExprKind::Or)) {
    for (const sym::ExprId operand : expr.operands) assume(reader, operand, holds);
  }
}

}  // namespace tilewright::front
