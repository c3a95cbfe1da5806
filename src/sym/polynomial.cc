// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "sym/polynomial.h"

#include <algorithm>

namespace tilewright::sym {

bool Polynomial::add(const Product& product, int64_t coefficient) {
  const auto before = [](const Term& term, const Product& sought) {
    return std::lexicographical_compare(term.product.begin(), term.product.end(), sought.begin(), sought.end());
  };
  const auto at = std::lower_bound(terms_.begin(), terms_.end(), product, before);
  if (at == terms_.end() || !(at->product == product)) {
    if (coefficient != 0) terms_.insert(at, {product, coefficient});
    return true;
  }
  if (__builtin_add_overflow(at->coefficient, coefficient, &at->coefficient)) return false;
  if (at->coefficient == 0) terms_.erase(at);
  return true;
}

bool Polynomial::subtract(const Product& product, int64_t coefficient) {
  return !__builtin_sub_overflow(int64_t{0}, coefficient, &coefficient) && add(product, coefficient);
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b, size_t most_terms) {
  Polynomial out;
  for (const auto& [left, m] : a) {
    for (const auto& [right, n] : b) {
      int64_t coefficient = 0;
      if (__builtin_mul_overflow(m, n, &coefficient)) return std::nullopt;
      Product factors = left;
      for (const ExprId factor : right) factors.push_back(factor);
      std::sort(factors.begin(), factors.end());
      if (!out.add(factors, coefficient) || out.size() > most_terms) return std::nullopt;
    }
  }
  return out;
}

}  // namespace tilewright::sym
