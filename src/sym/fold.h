// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Python's arithmetic on compile-time values, as far as int64 and double reach.

#pragma once

#include <optional>
#include <vector>

#include "sym/expr.h"

namespace tilewright::sym {

// The value of one operation, or nullopt where Python raises or leaves 64 bits.
std::optional<Value> fold(ExprKind kind, const std::vector<Value>& operands);

int64_t floor_div(int64_t a, int64_t b);  // b is neither 0 nor (with the smallest a) -1
int64_t floor_mod(int64_t a, int64_t b);
bool truth(const Value& value);

}  // namespace tilewright::sym
