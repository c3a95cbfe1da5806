// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The door of this module: a tile program in, the texts of its functions in Triton out. Legalized once, a program can be printed
// under several names.

#pragma once

#include "back/triton/author.h"
#include "back/triton/printed.h"
#include "ir/program.h"

namespace tilewright::back::triton {

// How near to the bits of the original: as near as Triton can, what cuTile promises, or what is fastest.
enum class Numerics : uint8_t { Strict, Default, Fast };

struct Options {
  Numerics numerics = Numerics::Default;
};

// A program as it can be said in Triton (legalize.h).
struct Legal {
  ir::Program program;
  diag::Diagnostics diagnostics;  // an error names the function that cannot be said, in Diagnostic::kernel
};
Legal legalize(ir::Program program);

// The program gets types, nothing else. Comments and blank lines are the author's.
Printed print(Legal& legal, const Author& author, const Names& names, const Options& options = {});

}  // namespace tilewright::back::triton
