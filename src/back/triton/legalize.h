// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the program must become before it can be said in Triton: loops without break, continue and return, and variables that are
// one thing each.
//
// A name that is assigned twice is one variable for the reader, and it may be several for the compiler: `a = load(…)` and
// `a = a.reshape(…)` have nothing in common but their name. Each group of assignments that meet at a use becomes a variable of
// its own, and one with a single assignment becomes a plain value that carries the name.

#pragma once

#include "diag/diagnostic.h"
#include "ir/program.h"

namespace tilewright::back::triton {

// The steps of legalize (print.h). What cannot be rewritten is reported, with Diagnostic::kernel naming the function.
void remove_jumps(ir::Program& program, ir::FunctionId function, diag::Diagnostics& diagnostics);
void split_variables(ir::Program& program);
void keep_copies(ir::Program& program, ir::FunctionId function, diag::Diagnostics& diagnostics);

}  // namespace tilewright::back::triton
