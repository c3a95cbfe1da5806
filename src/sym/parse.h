// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Expressions in the text form of the IR: Python's operators, with `cdiv(a, b)`, `min(a, b)` and `max(a, b)`. An atom is its
// key if that is an identifier, else "the key in quotes"; an f before the quotes says that it is a float.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sym/expr.h"

namespace tilewright::sym {

// Reads an expression at `position` and moves it behind; nullopt, with `position` at the trouble, if there is none.
std::optional<ExprId> parse(Arena& arena, std::string_view text, size_t& position);

// The spelling of an atom that `parse` reads back.
std::string quoted(const Atom& atom);

}  // namespace tilewright::sym
