// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The door of this module: a tile program in, the texts of its functions in Triton out.

#pragma once

#include <vector>

#include "back/triton/printed.h"
#include "ir/program.h"
#include "syntax/tree.h"

namespace tilewright::back::triton {

// How near to the bits of the original: as near as Triton can, what cuTile promises, or what is fastest.
enum class Numerics : uint8_t { Strict, Default, Fast };

struct Options {
  Numerics numerics = Numerics::Default;
};

// `trees` by file, for names, comments and blank lines; null where a file has none.
Printed print(const ir::Program& program, const std::vector<const syntax::Tree*>& trees, const Names& names,
              const Options& options = {});

}  // namespace tilewright::back::triton
