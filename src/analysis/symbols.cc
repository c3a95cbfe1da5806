// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/symbols.h"

#include <utility>

namespace tilewright::analysis {

using sym::ExprId;
using sym::ExprKind;

ExprId Symbols::atom(const std::string& key, const Ranges& ranges) {
  const ExprId id = arena_.atom(key);
  const auto [found, is_new] = atoms_.emplace(id, ranges);
  if (!is_new && found->second != ranges) {
    found->second = ranges;
    forget_intervals();
  }
  return id;
}

void Symbols::set_constants(std::map<ExprId, Ranges> ranges) {
  if (ranges == constants_) return;
  constants_ = std::move(ranges);
  forget_intervals();
}

void Symbols::forget_intervals() {
  certain_.clear();
  hoped_.clear();
}

Range Symbols::interval(ExprId id, Strength strength) {
  std::map<ExprId, Range>& known = strength == Strength::Certain ? certain_ : hoped_;
  if (const auto found = known.find(id); found != known.end()) return found->second;
  const sym::Expr expr = arena_[id];
  const auto operand = [&](size_t i) { return interval(expr.operands[i], strength); };
  const auto fold = [&](Range (*operation)(const Range&, const Range&)) {
    Range out = operand(0);
    for (size_t i = 1; i < expr.operands.size(); ++i) out = operation(out, operand(i));
    return out;
  };
  Range out;
  switch (expr.kind) {
    case ExprKind::Literal:
      if (const std::optional<int64_t> number = arena_.integer_of(id)) out = exactly(*number);
      break;
    case ExprKind::Atom: {
      const auto constant = constants_.find(id);
      const auto found = atoms_.find(id);
      if (found != atoms_.end()) {
        out = found->second[strength];
      } else if (constant != constants_.end()) {
        out = constant->second[strength];
      }
      break;
    }
    case ExprKind::Add: out = fold(add); break;
    case ExprKind::Sub: out = fold(subtract); break;
    case ExprKind::Mul: out = fold(multiply); break;
    case ExprKind::FloorDiv: out = fold(floor_divide); break;
    case ExprKind::CeilDiv: out = fold(ceil_divide); break;
    case ExprKind::Mod: out = fold(floor_modulo); break;
    case ExprKind::Min: out = fold(smaller); break;
    case ExprKind::Max: out = fold(larger); break;
    case ExprKind::Neg: out = negate(operand(0)); break;
    case ExprKind::Select: out = join(operand(1), operand(2)); break;
    case ExprKind::Shr:
      if (operand(0).non_negative()) out = {0, operand(0).high};
      break;
    case ExprKind::BitAnd:
      if (operand(0).non_negative() && operand(1).non_negative()) out = {0, smaller(operand(0), operand(1)).high};
      break;
    case ExprKind::BitOr:
    case ExprKind::BitXor:
      if (operand(0).non_negative() && operand(1).non_negative()) out = at_least(0);
      break;
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not: out = {0, 1}; break;
    case ExprKind::Shl:
    case ExprKind::TrueDiv:
    case ExprKind::Pow:
    case ExprKind::Invert: break;
  }
  known.emplace(id, out);
  return out;
}

std::optional<ExprId> Symbols::bound_of(ExprId atom) const {
  if (const auto found = below_.find(atom); found != below_.end()) return found->second;
  if (const auto found = granted_.find(atom); found != granted_.end()) return found->second;
  return std::nullopt;
}

// An expression that is larger than this one.
std::optional<ExprId> Symbols::exclusive_bound(ExprId id, Strength strength) {
  if (const std::optional<ExprId> bound = bound_of(id); bound && (strength == Strength::Hoped || !granted_.contains(id))) {
    if (strength == Strength::Hoped) used_.insert(id);
    return bound;
  }
  if (arena_[id].kind == ExprKind::Mod && interval(arena_[id].operands[1], strength).non_negative())
    return arena_[id].operands[1];
  return std::nullopt;
}

// The largest number that is proved to be no larger than an expression.
//
// A term -c * (x // d) * g is bounded by division: with n = d / (c * g), a whole expression that is not negative,
// n * (rest - c * (x // d) * g) = n * rest - (x // d) * d >= n * rest - x. If that is positive so is the sum, since n is.
std::optional<int64_t> Symbols::least(ExprId id, Strength strength, int depth) {
  const Range simple = interval(id, strength);
  if (simple.non_negative() || depth == 0) return simple.low;
  const sym::Expr sum = arena_[id];
  if (sum.kind == ExprKind::Min) {
    const std::optional<int64_t> a = least(sum.operands[0], strength, depth);
    const std::optional<int64_t> b = least(sum.operands[1], strength, depth);
    return a && b ? std::optional{std::min(*a, *b)} : std::nullopt;
  }
  if (sum.kind == ExprKind::Max) {
    const std::optional<int64_t> a = least(sum.operands[0], strength, depth);
    return std::max(a, least(sum.operands[1], strength, depth));  // one is enough
  }
  if (sum.kind != ExprKind::Add) return simple.low;
  for (const ExprId term : sum.operands) {
    const sym::Expr product = arena_[term];
    if (product.kind != ExprKind::Mul || arena_.integer_of(product.operands[0]).value_or(0) >= 0) continue;
    for (size_t i = 1; i < product.operands.size(); ++i) {
      const sym::Expr quotient = arena_[product.operands[i]];
      if (quotient.kind != ExprKind::FloorDiv) continue;
      std::vector<ExprId> others{arena_.make(ExprKind::Neg, {product.operands[0]})};
      for (size_t j = 1; j < product.operands.size(); ++j) {
        if (j != i) others.push_back(product.operands[j]);
      }
      const ExprId factor = arena_.make(ExprKind::Mul, others);
      const ExprId x = quotient.operands[0];
      const ExprId d = quotient.operands[1];
      const ExprId n = arena_.make(ExprKind::FloorDiv, {d, factor});
      if (arena_.make(ExprKind::Mul, {n, factor}) != d || !interval(n, strength).non_negative() ||
          !interval(d, strength).non_negative())
        continue;
      const ExprId rest = arena_.make(ExprKind::Sub, {id, term});
      const ExprId scaled = arena_.make(ExprKind::Mul, {rest, n});
      std::optional<int64_t> gap = least(arena_.make(ExprKind::Sub, {scaled, x}), strength, depth - 1);
      if (const std::optional<ExprId> above = exclusive_bound(x, strength); above && gap.value_or(-1) < 1) {
        const std::optional<int64_t> closer = least(arena_.make(ExprKind::Sub, {scaled, *above}), strength, depth - 1);
        if (closer && *closer >= 0) gap = 1;
      }
      if (gap.value_or(-1) < 0 && strength == Strength::Hoped && programs_.contains(x)) wish_ = Wish{x, scaled};
      if (gap && *gap >= 1) return 1;
      if (gap && *gap >= 0) return 0;
    }
  }
  return simple.low;
}

Range Symbols::range(ExprId id, Strength strength) {
  Range out = interval(id, strength);
  if (!out.non_negative()) out.low = least(id, strength, 2);
  return out;
}

}  // namespace tilewright::analysis
