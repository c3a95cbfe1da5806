// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which name is bound where, as far as Python has rules about it: `global` and `nonlocal`, parameters, assignment expressions in
// comprehensions.

#pragma once

#include "syntax/scopes.h"

namespace tilewright::syntax {

// Files without `global`, `nonlocal` and `:=` have nothing to check here.
void check_bindings(const Tree& tree, const Scopes& scopes, diag::Diagnostics& errors);

}  // namespace tilewright::syntax
