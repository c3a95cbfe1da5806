// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics for a person: the place, the quoted source, carets under what is meant.
//
//     error[TW110]: `order` repeats axis 1
//       --> kernels/bmm.py:12:43
//        |
//     12 |     a = ct.load(A, index=(q, m, k), order=(0, 1, 1))
//        |                                           ^^^^^^^^^
//        = use each axis once
//
// A note is one line, since a long conversion may have many and none of them asks for anything.

#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "source/file.h"

namespace tilewright::diag {

enum class Colour { Never, Ansi };

std::string render_text(const source::Files& files, const Diagnostic& diagnostic, Colour colour);

}  // namespace tilewright::diag
