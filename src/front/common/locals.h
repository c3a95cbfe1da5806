// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The local names of a function. What most of them hold is the same wherever they can be read: a name that is assigned once, by a
// statement of the function's own block, and a parameter that is not assigned. Such a name has its value here; what another one
// holds depends on the path that led to a place, and is known to the Environment there.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/rare.h"
#include "front/common/value.h"
#include "syntax/tree.h"

namespace tilewright::front {

struct Local {
  static constexpr uint32_t no_slot = ~uint32_t{0};

  std::string_view name = {};
  uint32_t slot = no_slot;  // of an Environment, where it depends on the path
  ir::ValueId value = {};   // else what it holds, if that is a value of the program; none() before it is assigned
  Rare<Val> other = {};     // if it is something else

  bool depends_on_path() const { return slot != no_slot; }
};

// By length and name; those that depend on the path have slots from 0 on, in the same order. `plain` says how many statements of
// the function's block are read once and in their order.
std::vector<Local> locals_of(const syntax::Tree& tree, syntax::NodeId function, size_t plain);
// Null if the function has no such name.
Local* find_local(std::span<Local> locals, std::string_view name);

// All names bound by the statements, inner blocks included, nested functions not.
std::vector<std::string_view> names_bound_in(const syntax::Tree& tree, syntax::NodeList body);

}  // namespace tilewright::front
