// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "sym/expr.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/check.h"
#include "sym/fold.h"

namespace tilewright::sym {
namespace {

// An expression longer than this, written out, becomes a name: so text, comparison and substitution stay small whatever a
// program does to a constant.
constexpr uint32_t largest_size = 512;
constexpr size_t most_terms = 64;

bool is_arithmetic(ExprKind kind) {
  return kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::Mul || kind == ExprKind::Neg;
}

bool is_comparison(ExprKind kind) { return kind >= ExprKind::Eq && kind <= ExprKind::Ge; }

bool is_symmetric(ExprKind kind) {
  return kind == ExprKind::Min || kind == ExprKind::Max || kind == ExprKind::BitAnd || kind == ExprKind::BitOr ||
         kind == ExprKind::BitXor || kind == ExprKind::Eq || kind == ExprKind::Ne;
}

size_t arity(ExprKind kind) {
  switch (kind) {
    case ExprKind::Literal:
    case ExprKind::Atom: return 0;
    case ExprKind::Neg:
    case ExprKind::Invert:
    case ExprKind::Not: return 1;
    case ExprKind::Select: return 3;
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::TrueDiv:
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
    case ExprKind::CeilDiv:
    case ExprKind::Pow:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::Shl:
    case ExprKind::Shr:
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge:
    case ExprKind::And:
    case ExprKind::Or: return 2;
  }
  return 0;
}

std::pair<uint64_t, uint64_t> bits_of(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return {0, *flag};
  if (const int64_t* number = std::get_if<int64_t>(&value)) return {1, static_cast<uint64_t>(*number)};
  return {2, std::bit_cast<uint64_t>(std::get<double>(value))};
}

template <class T>
int sign_of(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

}  // namespace

bool operator==(const Expr& a, const Expr& b) {
  return a.kind == b.kind && a.atom == b.atom && a.operands == b.operands && bits_of(a.value) == bits_of(b.value);
}

uint64_t Arena::ExprHash::operator()(const Expr& expr) const {
  const auto [tag, bits] = bits_of(expr.value);
  uint64_t hash = mixed(static_cast<uint64_t>(expr.kind) << 8 | tag, bits);
  if (expr.kind == ExprKind::Atom) hash = mixed(hash, expr.atom.index);
  for (const ExprId operand : expr.operands) hash = mixed(hash, operand.index);
  return hash;
}

ExprId Arena::intern(Expr expr) {
  uint64_t size = 1;
  for (const ExprId operand : expr.operands) size += sizes_[operand.index];
  if (size > largest_size) {
    const auto [found, is_new] = names_.try_emplace({expr.kind, {expr.operands.begin(), expr.operands.end()}});
    if (is_new) found->second = atom("long_expression_" + std::to_string(exprs_.size()));
    return found->second;
  }
  const auto [id, is_new] = exprs_.add(std::move(expr));
  if (is_new) {
    sizes_.push_back(static_cast<uint16_t>(size));
    floats_.push_back(floatness(exprs_[id]));
  }
  return id;
}

void Arena::forget(Mark since) {
  TW_CHECK(since.exprs <= exprs_.size() && since.atoms <= atoms_.size(), "a mark of another arena");
  exprs_.truncate(since.exprs);
  atoms_.truncate(since.atoms);
  sizes_.resize(since.exprs);
  floats_.resize(since.exprs);
  std::erase_if(names_, [&](const auto& row) { return row.second.index >= since.exprs; });
}

ExprId Arena::literal(Value value) { return intern({.kind = ExprKind::Literal, .atom = {}, .operands = {}, .value = value}); }

ExprId Arena::atom(const std::string& key, Domain domain) {
  return intern({.kind = ExprKind::Atom, .atom = atoms_.add({key, domain}).first, .operands = {}});
}

ExprId Arena::opaque(ExprKind kind, Operands operands) { return intern({.kind = kind, .operands = std::move(operands)}); }

std::optional<Value> Arena::literal_of(ExprId id) const {
  const Expr& expr = exprs_[id];
  return expr.kind == ExprKind::Literal ? std::optional<Value>{expr.value} : std::nullopt;
}

std::optional<int64_t> Arena::integer_of(ExprId id) const {
  const std::optional<Value> value = literal_of(id);
  if (!value || std::holds_alternative<double>(*value)) return std::nullopt;
  if (const bool* flag = std::get_if<bool>(&*value)) return *flag ? 1 : 0;
  return std::get<int64_t>(*value);
}

std::optional<bool> Arena::truth_of(ExprId id) const {
  const std::optional<Value> value = literal_of(id);
  return value ? std::optional<bool>{truth(*value)} : std::nullopt;
}

Arena::Floatness Arena::floatness(const Expr& expr) const {
  const auto any = [&] {
    Floatness out = Floatness::Never;
    for (const ExprId operand : expr.operands) out = std::max(out, floats_[operand.index]);
    return out;
  };
  const auto either = [&](ExprId a, ExprId b) {
    return floats_[a.index] == floats_[b.index] ? floats_[a.index] : Floatness::Perhaps;
  };
  switch (expr.kind) {
    case ExprKind::Literal: return std::holds_alternative<double>(expr.value) ? Floatness::Always : Floatness::Never;
    case ExprKind::Atom: return atoms_[expr.atom].domain == Domain::Float ? Floatness::Always : Floatness::Never;
    case ExprKind::TrueDiv: return Floatness::Always;
    case ExprKind::Select: return either(expr.operands[1], expr.operands[2]);
    case ExprKind::Min:
    case ExprKind::Max: return either(expr.operands[0], expr.operands[1]);
    case ExprKind::Pow: return integer_of(expr.operands[1]).value_or(-1) < 0 ? std::max(any(), Floatness::Perhaps) : any();
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
    case ExprKind::CeilDiv:
    case ExprKind::Neg: return any();
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::Shl:
    case ExprKind::Shr:
    case ExprKind::Invert:
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not: return Floatness::Never;
  }
  return Floatness::Perhaps;
}

bool Arena::is_bool(ExprId id) const {
  const Expr& expr = exprs_[id];
  if (expr.kind == ExprKind::Literal) return std::holds_alternative<bool>(expr.value);
  if (expr.kind == ExprKind::Select) return is_bool(expr.operands[1]) && is_bool(expr.operands[2]);
  return is_comparison(expr.kind) || expr.kind == ExprKind::Not || expr.kind == ExprKind::And || expr.kind == ExprKind::Or;
}

int Arena::compare(ExprId a, ExprId b) const {
  if (a == b) return 0;
  const Expr& x = exprs_[a];
  const Expr& y = exprs_[b];
  if (x.kind != y.kind) return sign_of(x.kind, y.kind);
  if (x.kind == ExprKind::Literal) return sign_of(bits_of(x.value), bits_of(y.value));
  if (x.kind == ExprKind::Atom) return sign_of(atoms_[x.atom].key, atoms_[y.atom].key);
  if (x.operands.size() != y.operands.size()) return sign_of(x.operands.size(), y.operands.size());
  for (size_t i = 0; i < x.operands.size(); ++i) {
    if (const int sign = compare(x.operands[i], y.operands[i])) return sign;
  }
  return 0;
}

std::optional<Polynomial> Arena::terms_of(ExprId id) const {
  Polynomial out;
  const auto add = [&](ExprId term) {
    const Expr& expr = exprs_[term];
    Product factors;
    int64_t coefficient = 1;
    if (const std::optional<int64_t> number = integer_of(term)) {
      coefficient = *number;
    } else if (expr.kind == ExprKind::Mul) {
      for (const ExprId factor : expr.operands) {
        const std::optional<int64_t> literal = integer_of(factor);
        if (!literal) {
          factors.push_back(factor);
        } else if (__builtin_mul_overflow(coefficient, *literal, &coefficient)) {
          return false;
        }
      }
    } else {
      factors.push_back(term);
    }
    std::sort(factors.begin(), factors.end());
    return out.add(factors, coefficient);
  };
  if (may_be_float(id)) return std::nullopt;
  if (exprs_[id].kind != ExprKind::Add) return add(id) ? std::optional{std::move(out)} : std::nullopt;
  for (const ExprId term : exprs_[id].operands) {
    if (!add(term)) return std::nullopt;
  }
  return out;
}

ExprId Arena::product(const Product& factors, int64_t coefficient) {
  if (factors.empty()) return integer(coefficient);
  if (factors.size() == 1 && coefficient == 1) return factors[0];
  Operands sorted = factors;
  std::sort(sorted.begin(), sorted.end(), [&](ExprId a, ExprId b) { return compare(a, b) < 0; });
  if (coefficient != 1) sorted.insert(sorted.begin(), integer(coefficient));
  return opaque(ExprKind::Mul, std::move(sorted));
}

ExprId Arena::expression(const Polynomial& terms) {
  if (terms.empty()) return integer(0);
  if (terms.size() == 1) return product(terms.begin()->product, terms.begin()->coefficient);
  std::vector<Polynomial::Term> sorted(terms.begin(), terms.end());
  for (auto& [factors, coefficient] : sorted) {
    std::sort(factors.begin(), factors.end(), [&](ExprId a, ExprId b) { return compare(a, b) < 0; });
  }
  std::sort(sorted.begin(), sorted.end(), [&](const Polynomial::Term& a, const Polynomial::Term& b) {
    if (a.product.size() != b.product.size()) return a.product.size() > b.product.size();
    for (size_t i = 0; i < a.product.size(); ++i) {
      if (const int sign = compare(a.product[i], b.product[i])) return sign < 0;
    }
    return false;
  });
  Operands operands;
  for (const auto& [factors, coefficient] : sorted) operands.push_back(product(factors, coefficient));
  return opaque(ExprKind::Add, std::move(operands));
}

ExprId Arena::polynomial(ExprKind kind, const Operands& operands) {
  const auto sum = [&]() -> std::optional<Polynomial> {
    std::optional<Polynomial> out = kind == ExprKind::Neg ? Polynomial() : terms_of(operands[0]);
    for (size_t i = kind == ExprKind::Neg ? 0 : 1; out && i < operands.size(); ++i) {
      const std::optional<Polynomial> next = terms_of(operands[i]);
      if (!next) return std::nullopt;
      if (kind == ExprKind::Mul) {
        out = multiply(*out, *next, most_terms);
        continue;
      }
      for (const auto& [factors, coefficient] : *next) {
        if (!(kind == ExprKind::Add ? out->add(factors, coefficient) : out->subtract(factors, coefficient))) return std::nullopt;
      }
    }
    return out;
  };
  const std::optional<Polynomial> result = sum();
  return result && result->size() <= most_terms ? expression(*result) : opaque(kind, operands);
}

std::optional<int64_t> Arena::difference(ExprId a, ExprId b) const {
  std::optional<Polynomial> left = terms_of(a);
  const std::optional<Polynomial> right = terms_of(b);
  if (!left || !right) return std::nullopt;
  for (const auto& [factors, coefficient] : *right) {
    if (!left->subtract(factors, coefficient)) return std::nullopt;
  }
  if (left->empty()) return 0;
  if (left->size() == 1 && left->begin()->product.empty()) return left->begin()->coefficient;
  return std::nullopt;
}

// (d * q + r) op d for floor division, ceiling division and mod: q comes out whole, whatever the signs. A divisor that is zero
// has no meaning in the first place.
std::optional<ExprId> Arena::quotient(ExprKind kind, ExprId dividend, ExprId divisor) {
  const std::optional<Polynomial> terms = terms_of(dividend);
  const std::optional<Polynomial> by = terms_of(divisor);
  if (!terms || !by || by->size() != 1) return std::nullopt;
  if (terms->empty()) return integer(0);
  const auto& [factors, number] = *by->begin();
  if (number == -1 && factors.empty()) return std::nullopt;
  Polynomial whole;
  Polynomial rest;
  for (const auto& [product_of_term, coefficient] : *terms) {
    if (number == -1 || !std::includes(product_of_term.begin(), product_of_term.end(), factors.begin(), factors.end()) ||
        coefficient % number != 0) {
      if (!rest.add(product_of_term, coefficient)) return std::nullopt;
      continue;
    }
    Product left;
    std::set_difference(product_of_term.begin(), product_of_term.end(), factors.begin(), factors.end(), std::back_inserter(left));
    if (!whole.add(left, coefficient / number)) return std::nullopt;
  }
  if (whole.empty()) return std::nullopt;
  const ExprId remaining = make(kind, {expression(rest), divisor});
  return kind == ExprKind::Mod ? remaining : make(ExprKind::Add, {expression(whole), remaining});
}

std::optional<ExprId> Arena::fold_logic(ExprKind kind, const Operands& operands) {
  const auto as_bool = [&](ExprId id) -> std::optional<ExprId> {
    if (is_bool(id)) return id;
    return std::nullopt;
  };
  if (kind == ExprKind::Not) {
    const Expr expr = exprs_[operands[0]];
    if (expr.kind == ExprKind::Not) return as_bool(expr.operands[0]);
    if (expr.kind == ExprKind::Eq) return make(ExprKind::Ne, expr.operands);
    if (expr.kind == ExprKind::Ne) return make(ExprKind::Eq, expr.operands);
    return std::nullopt;
  }
  if (kind == ExprKind::And || kind == ExprKind::Or) {
    const bool neutral = kind == ExprKind::And;
    for (const size_t i : {size_t{0}, size_t{1}}) {
      const std::optional<bool> known = truth_of(operands[i]);
      if (known && *known != neutral) return literal(!neutral);
      if (known) return as_bool(operands[1 - i]);
    }
    return operands[0] == operands[1] ? as_bool(operands[0]) : std::nullopt;
  }
  if (const std::optional<bool> known = truth_of(operands[0])) return operands[*known ? 1 : 2];
  return operands[1] == operands[2] ? std::optional{operands[1]} : std::nullopt;
}

std::optional<ExprId> Arena::fold_identity(ExprKind kind, const Operands& operands) {
  if (kind == ExprKind::Not || kind == ExprKind::And || kind == ExprKind::Or || kind == ExprKind::Select) {
    return fold_logic(kind, operands);
  }
  if (std::any_of(operands.begin(), operands.end(), [&](ExprId id) { return may_be_float(id); })) return std::nullopt;
  if (is_comparison(kind)) {
    const std::optional<int64_t> gap = difference(operands[0], operands[1]);
    if (!gap) return std::nullopt;
    const std::optional<Value> answer = fold(kind, {Value{*gap}, Value{int64_t{0}}});
    return answer ? std::optional{literal(*answer)} : std::nullopt;
  }
  const std::optional<int64_t> right = operands.size() > 1 ? integer_of(operands[1]) : std::nullopt;
  switch (kind) {
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
    case ExprKind::CeilDiv: return quotient(kind, operands[0], operands[1]);
    case ExprKind::Min:
    case ExprKind::Max: {
      const std::optional<int64_t> gap = difference(operands[0], operands[1]);
      if (!gap) return std::nullopt;
      return operands[(*gap <= 0) == (kind == ExprKind::Min) ? 0 : 1];
    }
    case ExprKind::Invert: return make(ExprKind::Sub, {make(ExprKind::Neg, {operands[0]}), integer(1)});
    case ExprKind::Pow: {
      if (!right || *right < 1 || *right > 4) return std::nullopt;
      Operands factors;
      for (int64_t i = 0; i < *right; ++i) factors.push_back(operands[0]);
      return make(ExprKind::Mul, std::move(factors));
    }
    case ExprKind::Shl:
      if (!right || *right < 0 || *right > 62) return std::nullopt;
      return make(ExprKind::Mul, {operands[0], integer(int64_t{1} << *right)});
    case ExprKind::Shr:
      if (!right || *right < 0 || *right > 62) return std::nullopt;
      return make(ExprKind::FloorDiv, {operands[0], integer(int64_t{1} << *right)});
    case ExprKind::Literal:
    case ExprKind::Atom:
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::TrueDiv:
    case ExprKind::Neg:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
    case ExprKind::Select: return std::nullopt;
  }
  return std::nullopt;
}

ExprId Arena::make(ExprKind kind, Operands operands) {
  const bool is_sum = kind == ExprKind::Add || kind == ExprKind::Mul;
  TW_CHECK(operands.size() == arity(kind) || (is_sum && !operands.empty()), "an expression with the wrong number of operands");
  if (is_sum && operands.size() == 1) return operands[0];
  if (is_sum && operands.size() > 2 &&
      std::any_of(operands.begin(), operands.end(), [&](ExprId id) { return may_be_float(id); })) {
    ExprId result = operands[0];  // floats add up in the order of the source
    for (size_t i = 1; i < operands.size(); ++i) result = make(kind, {result, operands[i]});
    return result;
  }
  std::vector<Value> values;
  for (const ExprId operand : operands) {
    if (const std::optional<Value> value = literal_of(operand)) values.push_back(*value);
  }
  if (values.size() == operands.size() && operands.size() == arity(kind)) {
    if (const std::optional<Value> value = fold(kind, values)) return literal(*value);
    return opaque(kind, std::move(operands));
  }
  if (is_arithmetic(kind)) return polynomial(kind, operands);
  if (const std::optional<ExprId> folded = fold_identity(kind, operands)) return *folded;
  if (is_symmetric(kind) && compare(operands[0], operands[1]) > 0 &&
      (kind == ExprKind::Eq || kind == ExprKind::Ne || !(may_be_float(operands[0]) || may_be_float(operands[1])))) {
    std::swap(operands[0], operands[1]);
  }
  return opaque(kind, std::move(operands));
}

std::vector<ExprId> Arena::atoms_in(ExprId id) const {
  if (exprs_[id].kind == ExprKind::Literal) return {};
  std::vector<ExprId> seen{id};
  std::vector<ExprId> out;
  for (size_t i = 0; i < seen.size(); ++i) {
    const Expr& expr = exprs_[seen[i]];
    if (expr.kind == ExprKind::Atom) out.push_back(seen[i]);
    for (const ExprId operand : expr.operands) {
      if (exprs_[operand].kind == ExprKind::Literal || std::find(seen.begin(), seen.end(), operand) != seen.end()) continue;
      seen.push_back(operand);
    }
  }
  std::sort(out.begin(), out.end(), [&](ExprId a, ExprId b) { return compare(a, b) < 0; });
  return out;
}

ExprId Arena::substitute(ExprId id, const std::function<ExprId(const Atom&)>& lookup) {
  std::map<ExprId, ExprId> done;
  std::vector<ExprId> pending{id};
  while (!pending.empty()) {
    const ExprId next = pending.back();
    const Expr expr = exprs_[next];
    if (done.contains(next) || expr.kind == ExprKind::Literal) {
      done.emplace(next, next);
      pending.pop_back();
      continue;
    }
    if (expr.kind == ExprKind::Atom) {
      const Atom name = atoms_[expr.atom];
      const ExprId found = lookup(name);
      done.emplace(next, found ? found : next);
      pending.pop_back();
      continue;
    }
    bool ready = true;
    bool changed = false;
    Operands operands;
    for (const ExprId operand : expr.operands) {
      const auto found = done.find(operand);
      if (found == done.end()) {
        pending.push_back(operand);
        ready = false;
      } else {
        operands.push_back(found->second);
        changed |= found->second != operand;
      }
    }
    if (!ready) continue;
    done.emplace(next, changed ? make(expr.kind, std::move(operands)) : next);
    pending.pop_back();
  }
  return done.at(id);
}

}  // namespace tilewright::sym
