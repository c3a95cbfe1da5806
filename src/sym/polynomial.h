// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/short_list.h"
#include "sym/ids.h"

namespace tilewright::sym {

using Product = ShortList<ExprId>;  // ascending; the product of nothing is 1

// A sum of products with integer factors that are not 0, each product once.
class Polynomial {
 public:
  struct Term {
    Product product = {};
    int64_t coefficient = 0;
  };

  // False if the sum leaves 64 bits; the polynomial means nothing then.
  [[nodiscard]] bool add(const Product& product, int64_t coefficient);
  [[nodiscard]] bool subtract(const Product& product, int64_t coefficient);

  size_t size() const { return terms_.size(); }
  bool empty() const { return terms_.empty(); }
  auto begin() const { return terms_.begin(); }
  auto end() const { return terms_.end(); }

 private:
  std::vector<Term> terms_;  // in the order of their products' ids
};

// a * b; nothing if it has more than `most_terms` terms or a coefficient leaves 64 bits.
std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b, size_t most_terms);

}  // namespace tilewright::sym
