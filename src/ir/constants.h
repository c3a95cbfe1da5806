// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Constants of a dtype: `ct.float16(0.1)` is not 0.1.

#pragma once

#include <optional>

#include "ir/program.h"
#include "ir/types.h"
#include "sym/expr.h"

namespace tilewright::ir {

// The value as one of that dtype: a float becomes an integer towards zero, integers wrap, floats are rounded to the nearest, to
// even between two; a float that is too large becomes infinite, or NaN where the dtype has no infinity. nullopt where there is no
// such value (an infinity as an integer) or 64 bits with a sign do not hold it.
std::optional<sym::Value> constant_of(Scalar scalar, const sym::Value& value);

// Whether an integer dtype has this integer; a dtype that is none takes every one.
bool holds(Scalar scalar, int64_t integer);

// Whether the type is that of a constant whose dtype is not that of its plain number (bool_, int32, float32).
bool needs_dtype(const Types& types, const Type& type);
// An op, still without a result, that makes such a constant a scalar of the program, at the place of another op.
Op typed_number(const Program& program, const Op& at, ValueId constant);

}  // namespace tilewright::ir
