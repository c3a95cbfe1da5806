// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "ir/program.h"

namespace tilewright::ir {

// Whether a program would do anything else without an op, by op: writes to memory, what leads up to one, and what decides
// whether one happens. A read of memory whose value goes nowhere is not used.
std::vector<bool> used_ops(const Program& program);

}  // namespace tilewright::ir
