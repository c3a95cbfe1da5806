// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What every reading of a file needs, whatever becomes of the program.

#pragma once

#include <set>

#include "diag/diagnostic.h"
#include "driver/modules.h"
#include "front/cutile/read.h"
#include "ir/host.h"
#include "ir/verify.h"
#include "syntax/tree.h"

namespace tilewright::driver {

bool has_errors(const diag::Diagnostics& diagnostics);
// A program that breaks the IR's own rules is our bug.
void check(const ir::Program& program, ir::Form form = ir::Form::Open);
// Imports of the file that is read, from its neighbours on disk. `modules` must outlive it.
front::ImportResolver resolver(Modules& modules);
// The functions that the host makes kernels, also without a decorator.
std::set<syntax::NodeId> kernels_of(const ir::HostSites& sites);

}  // namespace tilewright::driver
