// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The proofs that every conversion makes. Reading emits the general form of an op and printing spells what it is given, so that
// neither guesses; in between, rules whose numbers are exact replace the general form where a proof allows it.

#pragma once

#include "diag/diagnostic.h"
#include "ir/program.h"

namespace tilewright::optimize {

struct Proved {
  diag::Diagnostics found;   // notes: what was strengthened, and why that is right
  diag::Diagnostics missed;  // notes: what stayed general, and what was missing
};

Proved prove(ir::Program& program);

}  // namespace tilewright::optimize
