// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/shapes.h"

#include <algorithm>

namespace tilewright::ir {
namespace {

Fit both(Fit a, Fit b) {
  if (a == Fit::No || b == Fit::No) return Fit::No;
  return a == Fit::Unknown || b == Fit::Unknown ? Fit::Unknown : Fit::Yes;
}

}  // namespace

Fit fits(const sym::Arena& arena, sym::ExprId a, sym::ExprId b) {
  if (a == b) return Fit::Yes;
  return arena.literal_of(a) && arena.literal_of(b) ? Fit::No : Fit::Unknown;
}

Fit fits(const sym::Arena& arena, const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return Fit::No;
  Fit out = Fit::Yes;
  for (size_t i = 0; i < a.size(); ++i) out = both(out, fits(arena, a[i], b[i]));
  return out;
}

Broadcast broadcast(const sym::Arena& arena, const Shape& a, const Shape& b) {
  Broadcast out;
  const size_t rank = std::max(a.size(), b.size());
  for (size_t i = 0; i < rank; ++i) {
    const bool only_b = i + a.size() < rank;
    const bool only_a = i + b.size() < rank;
    if (only_a || only_b) {
      out.shape.push_back(only_b ? b[i + b.size() - rank] : a[i + a.size() - rank]);
      continue;
    }
    const sym::ExprId x = a[i + a.size() - rank];
    const sym::ExprId y = b[i + b.size() - rank];
    if (arena.integer_of(x) == 1) {
      out.shape.push_back(y);
    } else if (arena.integer_of(y) == 1) {
      out.shape.push_back(x);
    } else {
      out.shape.push_back(x);
      out.fit = both(out.fit, fits(arena, x, y));
    }
  }
  return out;
}

Broadcast matrix_product(const sym::Arena& arena, const Shape& x, const Shape& y) {
  if (x.size() < 2 || y.size() < 2) return {{}, Fit::No};
  Broadcast out = broadcast(arena, {x.begin(), x.end() - 2}, {y.begin(), y.end() - 2});
  out.shape.push_back(x[x.size() - 2]);
  out.shape.push_back(y[y.size() - 1]);
  out.fit = both(out.fit, fits(arena, x[x.size() - 1], y[y.size() - 2]));
  return out;
}

Shape reduced(const sym::Arena& arena, const Shape& shape, std::span<const uint32_t> axes, bool keep_dims) {
  Shape out;
  for (uint32_t axis = 0; axis < shape.size(); ++axis) {
    const bool gone = std::find(axes.begin(), axes.end(), axis) != axes.end();
    if (!gone) {
      out.push_back(shape[axis]);
    } else if (keep_dims) {
      out.push_back(arena.one());
    }
  }
  return out;
}

sym::ExprId extent_of(const Program& program, ValueId value) {
  const Type& type = program.types[program.values[value].type];
  return type.kind == TypeKind::Const && type.loose != LooseKind::Float ? type.value : sym::ExprId::none();
}

Shape shape_of(const Program& program, ValueId value) {
  const Type& type = program.types[program.values[value].type];
  return type.kind == TypeKind::Tile ? type.shape : Shape{};
}

}  // namespace tilewright::ir
