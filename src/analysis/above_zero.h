// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Integers of which only what is above zero counts: wherever they are read, a negative number does what 0 does.
//
// So are a number of iterations, and the iteration from which on a mask is needed (`j >= first` where j counts from 0): rounding
// them down or towards zero gives the same program.

#pragma once

#include <functional>
#include <vector>

#include "analysis/range.h"
#include "ir/program.h"

namespace tilewright::analysis {

// By value. `range` says what is certain of one.
std::vector<bool> above_zero(const ir::Program& program, const std::function<Range(ir::ValueId)>& range);

}  // namespace tilewright::analysis
