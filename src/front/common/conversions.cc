// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes that meet, and conversions between dtypes.

#include <algorithm>

#include "front/common/arithmetic.h"
#include "front/common/reader.h"
#include "ir/constants.h"

namespace tilewright::front {

using ir::OpKind;
using ir::TypeKind;
using ir::ValueId;
using Shape = std::vector<sym::ExprId>;

bool same_extent(Reader& reader, sym::ExprId a, sym::ExprId b) {
  if (a == b) return true;
  const auto x = reader.arena().integer_of(a);
  const auto y = reader.arena().integer_of(b);
  if (x && y) return *x == *y;
  const sym::ExprId equal = reader.arena().make(sym::ExprKind::Eq, {a, b});
  const auto known = truth(reader, equal);
  if (known) return *known;
  assume_of_launch(reader, equal);
  return true;
}

void assume_of_launch(Reader& reader, sym::ExprId condition) {
  // Under constant conditions it is only needed where they hold. A conjunction was entered together with its parts.
  sym::ExprId needed = condition;
  for (const Frame* frame : reader.stack) {
    for (const auto& [given, holds] : frame->assumptions) {
      const sym::ExprKind kind = reader.arena()[given].kind;
      if (kind == sym::ExprKind::Not || kind == (holds ? sym::ExprKind::And : sym::ExprKind::Or)) continue;
      const sym::ExprId missed = holds ? reader.arena().make(sym::ExprKind::Not, {given}) : given;
      needed = reader.arena().make(sym::ExprKind::Or, {missed, needed});
    }
  }
  reader.kernel->assumes.push_back(needed);
}

namespace {

std::optional<sym::ExprId> broadcast_extent(Reader& reader, sym::ExprId x, sym::ExprId y) {
  const sym::ExprId one = reader.arena().integer(1);
  const auto is_one = [&](sym::ExprId extent) {
    return extent == one ||
           (!reader.frame->assumptions.empty() && truth(reader, reader.arena().make(sym::ExprKind::Eq, {extent, one})) == true);
  };
  if (x == y || is_one(y)) return x;
  if (is_one(x)) return y;
  // A row in some launches only: each side for itself.
  for (const auto& [split, other] : {std::pair{x, y}, std::pair{y, x}}) {
    const sym::Expr expr = reader.arena()[split];
    if (expr.kind != sym::ExprKind::Select) continue;
    if (const auto known = truth(reader, expr.operands[0])) return broadcast_extent(reader, expr.operands[*known ? 1 : 2], other);
    const auto first = broadcast_extent(reader, expr.operands[1], other);
    const auto second = broadcast_extent(reader, expr.operands[2], other);
    if (!first || !second) return std::nullopt;
    return reader.arena().make(sym::ExprKind::Select, {expr.operands[0], *first, *second});
  }
  return same_extent(reader, x, y) ? std::optional(x) : std::nullopt;
}

}  // namespace

std::optional<Shape> broadcast(Reader& reader, NodeId node, const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()));
  const sym::ExprId one = reader.arena().integer(1);
  for (size_t i = 0; i < result.size(); ++i) {
    const sym::ExprId x = i < a.size() ? a[a.size() - 1 - i] : one;
    const sym::ExprId y = i < b.size() ? b[b.size() - 1 - i] : one;
    const auto extent = broadcast_extent(reader, x, y);
    if (!extent) {
      error(reader, node, messages::not_broadcastable, shape_text(reader, a), shape_text(reader, b));
      return std::nullopt;
    }
    result[result.size() - 1 - i] = *extent;
  }
  return result;
}

ValueId implicit_cast(Reader& reader, NodeId node, ValueId value, ir::DtypeId dtype) {
  const ir::Type type = type_of(reader, value);
  if (type.kind != TypeKind::Tile || type.dtype == dtype) return value;
  ir::Attrs attrs;
  attrs.dtype = dtype;
  attrs.implicit = true;
  return emit(reader, node, OpKind::Cast, {value}, reader.types().tile(dtype, type.shape), std::move(attrs));
}

ValueId explicit_cast(Reader& reader, NodeId node, ValueId value, ir::DtypeId dtype, ir::Attrs attrs) {
  const ir::Type type = type_of(reader, value);
  attrs.dtype = dtype;
  const auto scalar = reader.types().scalar_of(dtype);
  if (type.kind == TypeKind::Const && scalar) {
    const ir::LooseKind loose = loose_of(ir::class_of(*scalar));
    const bool known = reader.arena().literal_of(type.value).has_value();
    // A constant of the launch, where the conversion keeps its value.
    const bool kept = !known && type.loose == loose &&
                      (*scalar == ir::Scalar::Bool || *scalar == ir::Scalar::I32 || *scalar == ir::Scalar::I64 ||
                       *scalar == ir::Scalar::F32 || *scalar == ir::Scalar::F64);
    if (known || kept) {
      sym::ExprId converted = type.value;
      if (known) {
        const auto literal = value_in(reader, node, type, *scalar);
        if (!literal) return value;
        converted = reader.arena().literal(*literal);
      }
      return emit(reader, node, OpKind::Cast, {value}, reader.types().strict_constant(dtype, loose, converted), std::move(attrs));
    }
  }
  return emit(reader, node, OpKind::Cast, {value}, reader.types().tile(dtype, type.shape), std::move(attrs));
}

ValueId to_bool(Reader& reader, NodeId node, ValueId value) {
  const ir::Type type = type_of(reader, value);
  if (type.kind == TypeKind::Const) {
    if (type.loose == ir::LooseKind::Bool) return value;
    ir::Attrs attrs;
    attrs.dtype = reader.types().known(ir::Scalar::Bool);
    attrs.implicit = true;
    const sym::ExprId truth_value = reader.arena().make(sym::ExprKind::Ne, {type.value, reader.arena().integer(0)});
    return emit(reader, node, OpKind::Cast, {value}, reader.types().constant(ir::LooseKind::Bool, truth_value), std::move(attrs));
  }
  return implicit_cast(reader, node, value, reader.types().known(ir::Scalar::Bool));
}

}  // namespace tilewright::front
