// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What CPython refuses after parsing, in its symbol table and its compiler: a `return` outside of a function, a parameter that is
// also global, a pattern that hides the cases after it, and their kin. The rules follow the version of the grammar.

#pragma once

#include "diag/diagnostic.h"
#include "syntax/tree.h"

namespace tilewright::syntax {

// For a tree without errors, rooted in a Module.
diag::Diagnostics check_scopes(const Tree& tree);

}  // namespace tilewright::syntax
