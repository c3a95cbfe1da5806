// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ir/program.h"

namespace tilewright::ir {

// Towards one side, or towards zero.
inline bool is_directed(Rounding rounding) {
  return rounding == Rounding::Zero || rounding == Rounding::MinusInf || rounding == Rounding::PlusInf;
}

// As IEEE rounds where nothing else is said.
inline bool is_nearest(Rounding rounding) { return rounding == Rounding::Default || rounding == Rounding::Nearest; }

}  // namespace tilewright::ir
