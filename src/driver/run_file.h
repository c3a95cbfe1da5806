// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// `tilewright run`: a kernel of a file on the CPU for a quick look, on arrays that are made for it.

#pragma once

#include <optional>
#include <string>

#include "diag/diagnostic.h"
#include "interp/run.h"
#include "source/file.h"

namespace tilewright::driver {

// Programs along each axis of a grid of cuTile's.
inline constexpr interp::Grid most_programs = {(1 << 24) - 1, 65535, 65535};

struct RunOptions {
  std::string launch;       // JSON (driver/launch_spec.h); its arrays get random elements: floats normal ones, integers 0 to 9
  std::string kernel = {};  // in place of the one that the launch names
  interp::Grid grid = {1, 1, 1};
  interp::Numbers numbers = interp::Numbers::Ieee;  // not Algebra
  std::optional<uint32_t> line = {};                // that is traced, for
  interp::Grid program = {};                        // this program of the grid
  uint64_t seed = 0;
};

struct RunOfFile {
  source::Files files;
  std::string text;  // what was traced, and the arrays as they are afterwards
  diag::Diagnostics diagnostics;
  std::string trouble = {};  // with the launch, the kernel's name or the line; then nothing was run
  std::string remark = {};   // that the program which is traced does not come by the line
};

RunOfFile run_file(std::string path, std::string text, const RunOptions& options);

}  // namespace tilewright::driver
