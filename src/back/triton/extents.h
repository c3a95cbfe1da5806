// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes of tiles whose extents are known at the launch, compared before it.

#pragma once

#include <vector>

#include "sym/expr.h"

namespace tilewright::back::triton {

// The number of elements of a tile of this shape.
sym::ExprId elements(sym::Arena& arena, const std::vector<sym::ExprId>& shape);

// Whether a product has all factors of another one, which is not larger then: extents are at least 1.
bool divides(const sym::Arena& arena, sym::ExprId part, sym::ExprId whole);

}  // namespace tilewright::back::triton
