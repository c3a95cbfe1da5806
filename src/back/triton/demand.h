// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a function needs of each array beside its address: extents and strides by axis. Only these become parameters.

#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "back/triton/uses.h"
#include "ir/program.h"

namespace tilewright::back::triton {

struct Fields {
  bool address = false;
  bool length = false;   // of a list
  uint32_t extents = 0;  // bit d: extent of axis d
  uint32_t strides = 0;

  bool any() const { return address || length || extents || strides; }
  bool extent(uint32_t axis) const { return extents >> axis & 1; }
  bool stride(uint32_t axis) const { return strides >> axis & 1; }
  friend bool operator==(const Fields&, const Fields&) = default;
};

// By value of type Array or ArrayList, and for each function by parameter.
struct Demand {
  explicit Demand(const ir::Program& program) : vars(program.vars.size()) {}

  std::unordered_map<ir::ValueId, Fields> values;  // those of which anything is needed
  std::vector<Fields> vars;                        // variables that hold arrays
  std::map<ir::FunctionId, std::vector<Fields>> params;

  Fields of(ir::ValueId value) const {
    const auto found = values.find(value);
    return found == values.end() ? Fields{} : found->second;
  }
};

// Adds a function whose callees have been added.
void add_demand(const ir::Program& program, ir::FunctionId function, const Uses& uses, Demand& demand);

// Whether an index is the number 0 where the tile is one element wide: it adds nothing to an address.
bool is_zero(const ir::Program& program, ir::ValueId index);
// The array axis that tile axis d of a memory op means.
uint32_t array_axis(const ir::Op& op, uint32_t axis);

}  // namespace tilewright::back::triton
