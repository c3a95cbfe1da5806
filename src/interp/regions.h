// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What an address may reach. A pointer that was made of one parameter alone reaches the memory of that argument; one of which
// that cannot be said, whatever the launch passed.

#pragma once

#include <cstdint>
#include <vector>

#include "interp/run.h"
#include "ir/program.h"

namespace tilewright::interp {

inline constexpr uint32_t any_parameter = ~uint32_t{0};

// The parameter of the kernel that pointers and windows are made of, by value; any_parameter where there is no such one.
std::vector<uint32_t> pointer_roots(const ir::Program& program, ir::FunctionId kernel);

class Regions {
 public:
  explicit Regions(const std::vector<Argument>& arguments);

  // Whether `width` bytes from an address on are memory of that argument, or of any.
  bool holds(uint32_t parameter, int64_t address, int64_t width) const;
  // Where the memory of an argument begins; 0 of any_parameter.
  int64_t begin(uint32_t parameter) const;

 private:
  struct Region {
    uint32_t parameter = 0;
    int64_t base = 0;   // of the array
    int64_t begin = 0;  // of what its elements reach
    int64_t end = 0;
  };
  std::vector<Region> regions_;
};

}  // namespace tilewright::interp
