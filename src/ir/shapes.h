// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes of results. Extents may be symbols, so "do these fit" has three answers.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ir/program.h"

namespace tilewright::ir {

using Shape = std::vector<sym::ExprId>;

enum class Fit : uint8_t { Yes, No, Unknown };  // Unknown: it depends on the constants of a launch

Fit fits(const sym::Arena& arena, sym::ExprId a, sym::ExprId b);
Fit fits(const sym::Arena& arena, const Shape& a, const Shape& b);

struct Broadcast {
  Shape shape;
  Fit fit = Fit::Yes;
};

// numpy's rule. Where it depends on the launch, extents that are not the literal 1 count as equal.
Broadcast broadcast(const sym::Arena& arena, const Shape& a, const Shape& b);

// The shape of x @ y for x[…, M, K] and y[…, K, N].
Broadcast matrix_product(const sym::Arena& arena, const Shape& x, const Shape& y);

// The shape with axes removed, or kept with extent 1.
Shape reduced(const sym::Arena& arena, const Shape& shape, std::span<const uint32_t> axes, bool keep_dims);

// The extent that a Const operand gives; none() if it is no integer constant.
sym::ExprId extent_of(const Program& program, ValueId value);

// The shape of a tile; () for constants and everything else.
Shape shape_of(const Program& program, ValueId value);

}  // namespace tilewright::ir
