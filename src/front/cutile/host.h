// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// cuTile's host side, found in a file: launches, kernels as values, searches, streams, and every other mention of cuTile that
// is not inside a kernel. Nothing is changed here (back/host does), and what has no meaning in Triton's host code is reported.
//
// Real host code treats kernels as values: they go through variables, dictionaries of tuned kernels and helper functions. All
// that is followed roughly: kernels, launches and searches that could meet get the same flow number.

#pragma once

#include "diag/diagnostic.h"
#include "ir/host.h"
#include "syntax/tree.h"

namespace tilewright::front::cutile {

struct HostReading {
  ir::HostSites sites;
  diag::Diagnostics diagnostics;
};

HostReading read_host(const syntax::Tree& tree);

}  // namespace tilewright::front::cutile
