// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What one program calculates on one line: for a quick look, not for tools.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "interp/tile.h"
#include "source/span.h"

namespace tilewright::interp {

struct Trace {
  source::Span line;                    // ops that begin there
  std::array<int64_t, 3> program = {};  // the index in the grid
  size_t most = 100;                    // tiles; a loop comes by often
};

// A tile that got a name on the line, or is stored there.
struct Traced {
  std::string name;  // the author's; of what is stored, that of the array
  bool is_stored = false;
  ir::Scalar dtype = ir::Scalar::F32;
  Extents extents = {};
  std::vector<double> numbers = {};       // of floats: what they are, or in `algebra` are near
  std::vector<int64_t> integers = {};     // of anything else; those of uint64 that are larger are negative
  std::vector<uint8_t> has_meaning = {};  // of each element, where it is followed; else empty
};

// All elements of an array, whose memory is that of its dtype.
Traced traced(std::string name, const Array& array);

}  // namespace tilewright::interp
