// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What cuTile refuses once the dtypes and extents of an op are known.

#pragma once

#include <optional>
#include <string>

#include "ir/program.h"

namespace tilewright::ir {

enum class LaunchErrorKind : uint8_t { Dtypes, Extent, Shapes, Rank };

struct LaunchError {
  LaunchErrorKind kind = LaunchErrorKind::Shapes;
  std::string why;
};

std::optional<LaunchError> refused(const Program& program, OpId op);

// A constant that becomes a number of an integer dtype must be one that the dtype has.
std::optional<LaunchError> unheld(const Program& program, ValueId constant, std::optional<Scalar> scalar);

// Whether an op calculates with elements, which are then no restricted floats: those are stored, converted and multiplied.
bool calculates(OpKind kind);

}  // namespace tilewright::ir
