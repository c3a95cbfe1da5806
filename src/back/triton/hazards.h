// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a program touches global memory again that it wrote, or writes what it read, and its threads have to wait for each other.
//
// In cuTile the memory operations of a program are done one after the other. In Triton each thread does its own: another one may
// hold the element next time, and nothing but a barrier makes it wait. None is needed
//  - where the two accesses have no element in common,
//  - where a store comes round to the place where it was: each thread has the same elements again,
//  - where a tile is stored in place of what was loaded, lane by lane: the data is in registers, and each thread has the same
//    elements again. A small tile, or a scalar, is held by several warps and stored by one of them, which the others may come
//    after; so nothing but what is stored may be made of it.
//
// A lock or a counter (an atomic of one element) lets other programs in: all threads must have done with the memory before it
// releases. Acquiring needs nothing, since Triton tells the result of such an atomic to all threads over a barrier.

#pragma once

#include <set>

#include "back/triton/uses.h"
#include "ir/program.h"

namespace tilewright::back::triton {

struct Hazards {
  std::set<ir::OpId> barriers;  // accesses and calls that have a barrier before them
  std::set<ir::OpId> apart;     // accesses that must not be part of a later one's statement
};

// Of all kernels of a program, after legalize.
Hazards hazards(const ir::Program& program, const Uses& uses);

}  // namespace tilewright::back::triton
