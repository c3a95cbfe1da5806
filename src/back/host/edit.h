// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The converted file: the author's text, edited at the places that have to do with cuTile, and everything else byte for byte.

#pragma once

#include <vector>

#include "back/host/name.h"
#include "back/triton/printed.h"
#include "diag/diagnostic.h"
#include "ir/host.h"
#include "source/file.h"
#include "syntax/tree.h"

namespace tilewright::back::host {

using ir::Functions;

struct Edited {
  std::vector<source::Edit> edits;  // in order, disjoint
  diag::Diagnostics diagnostics;
};

// `functions`: those of the program that was printed.
Edited edit(const source::File& file, const Trees& trees, source::FileId id, const ir::HostSites& sites,
            const Functions& functions, const Naming& naming, const triton::Printed& printed);

}  // namespace tilewright::back::host
