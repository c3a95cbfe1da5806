// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What CPython's compiler refuses in `match`: names bound twice, alternatives that bind differently, cases that hide others.

#pragma once

#include "diag/diagnostic.h"
#include "syntax/tree.h"

namespace tilewright::syntax {

void check_patterns(const Tree& tree, const Match& match, diag::Diagnostics& errors);

}  // namespace tilewright::syntax
