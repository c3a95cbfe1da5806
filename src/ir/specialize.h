// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// One launch's view of a kernel. Dtypes and ranks of its arrays, kinds of its numbers and values of its constants are given;
// the result is a program of that kernel and the helpers that it reaches, closed: every dtype known, every extent a number,
// every branch on a constant decided, every conversion to the dtype that a tile has already gone.
//
// Constants are calculated again from the ops that made them, in the order of the source, since a normal form may have
// reordered a sum (sym/expr.h). What cuTile refuses only for this launch is a diagnostic here.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "ir/program.h"

namespace tilewright::ir {

enum class ArgumentKind : uint8_t { Array, ArrayList, Window, Bool, Int, Float, Dtype, String, None, Other };

// What one launch passes for one parameter.
struct Argument {
  ArgumentKind kind = ArgumentKind::Other;
  // Of an array or a window, of the arrays of a list, or the dtype that is passed; a number's follows from its kind and, where
  // the parameter is not read as a fixed width, from its value: what int32 does not hold is int64, then uint64.
  Scalar dtype = Scalar::F32;
  uint32_t rank = 0;                // the same
  std::vector<int64_t> shape = {};  // of an array, if known
  std::vector<int64_t> strides = {};
  std::vector<int64_t> block = {};       // of a window: the extents of its tiles
  Padding padding = Padding::Zero;       // of a window
  std::string text = {};                 // of a string
  std::optional<sym::Value> value = {};  // of a number; needed where the parameter is a constant
};

struct LaunchSpec {
  std::string kernel;
  std::vector<Argument> arguments;  // as many as the kernel has parameters
};

struct Specialized {
  Program program;
  FunctionId kernel;              // in `program`; its helpers come before it
  diag::Diagnostics diagnostics;  // with an error among them the program is not to be used
};

Specialized specialize(const Program& program, FunctionId kernel, LaunchSpec launch);

// The first kernel of that name.
std::optional<FunctionId> kernel_named(const Program& program, std::string_view name);

}  // namespace tilewright::ir
