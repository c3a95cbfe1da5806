// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference: runs a program of one launch (ir/specialize.h) over real arrays, exactly as docs/ir.md says what its ops mean.
// It is plain on purpose and shares nothing with the analyses and rules that it judges.
//
// The programs of a grid run on all cores, and what comes out does not depend on how many there are: where the order of programs
// matters (atomics whose old value is read, or that round) they run one after another, the first axis of the grid fastest.
//
// It watches. An access outside of an array ends the run with a diagnostic: place, program, lane, index, extent. So does a loop
// that does not end. In the number system `poison` an element that has no meaning (undetermined padding, a tile that lies outside
// of its array, memory that nothing has written) is followed through arithmetic until it is stored, decides a branch or becomes
// an address. In `algebra` it is too, and floats are real numbers, of which it is known exactly which are equal (field.h).

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "interp/tile.h"
#include "interp/trace.h"
#include "ir/program.h"

namespace tilewright::interp {

class Field;

enum class Numbers : uint8_t { Ieee, Poison, Algebra };
enum class Watch : uint8_t { Accesses, Races };  // Races: also what two programs do to one element; in order, on one thread

// What one launch passes for one parameter: nothing for one that is never read, and for constants, which the program has. Of
// texts and dtypes too the program has made what it needs. A tensor descriptor: its array, and the tiles that are read of it.
struct Descriptor {
  Array array;
  Extents extents = {};
  ir::Padding padding = ir::Padding::Zero;
};
struct Text {
  std::string text;
};
using Argument = std::variant<Nothing, sym::Value, Array, ArrayList, Descriptor, Text, ir::Scalar>;

using Grid = std::array<int64_t, 3>;

struct Options {
  Numbers numbers = Numbers::Ieee;
  const Field* field = nullptr;  // of `algebra`; arguments are then what lift.h makes of the caller's
  Watch watch = Watch::Accesses;
  unsigned threads = 0;                   // 0: as many as there are cores
  int64_t iterations = int64_t{1} << 22;  // of one `while` before it counts as endless
  std::optional<Trace> trace = {};
  // Asked a few times a second from the calling thread; true ends the run early.
  std::function<bool()> is_cancelled = {};
};

struct Report {
  diag::Diagnostics diagnostics;  // of the first program, in the order of the grid, that went wrong; empty if none did
  bool cancelled = false;
  std::vector<Traced> traced = {};  // in the order in which they were calculated
};

// `arguments` are as many as the kernel has parameters, with the dtypes and ranks of the launch that the program was made for.
Report run(const ir::Program& program, ir::FunctionId kernel, const std::vector<Argument>& arguments, const Grid& grid,
           const Options& options = {});

}  // namespace tilewright::interp
