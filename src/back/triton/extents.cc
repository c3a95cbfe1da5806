// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/extents.h"

#include <algorithm>

namespace tilewright::back::triton {

using sym::ExprId;

ExprId elements(sym::Arena& arena, const std::vector<ExprId>& shape) {
  ExprId out = arena.one();
  for (const ExprId extent : shape) out = out == arena.one() ? extent : arena.make(sym::ExprKind::Mul, {out, extent});
  return out;
}

bool divides(const sym::Arena& arena, ExprId part, ExprId whole) {
  if (part == arena.one()) return true;
  const auto factors = [&](ExprId id) {
    const sym::Expr& expr = arena[id];
    return expr.kind == sym::ExprKind::Mul ? expr.operands : sym::Operands{id};
  };
  sym::Operands rest = factors(whole);
  for (const ExprId factor : factors(part)) {
    const auto at = std::find(rest.begin(), rest.end(), factor);
    if (at == rest.end()) return false;
    rest.erase(at);
  }
  return true;
}

}  // namespace tilewright::back::triton
