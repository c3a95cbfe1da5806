// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The elements that the lanes of a gather, scatter or atomic op reach.

#pragma once

#include <optional>

#include "interp/machine.h"

namespace tilewright::interp {

struct Addresses {
  TileType lanes;  // extents and number of lanes
  Array array;     // the memory, without extents
  Buffer offsets;  // int64 per lane, in elements from the base
  Buffer active;   // uint8 per lane: 1 if memory is touched

  int64_t offset(int64_t lane) const { return offsets.as<const int64_t>()[lane]; }
  bool is_active(int64_t lane) const { return active.as<const uint8_t>()[lane]; }
};

// All lanes of these extents, at offset 0.
Addresses all_lanes(Machine& machine, Extents extents, const Array& array);
// Widens extents by others that are broadcast with them.
void widen(Extents& extents, const Extents& other);
// Leaves alone the lanes whose mask is false; false if the program stops here.
bool apply_mask(Machine& machine, const ir::Op& op, ir::ValueId mask, Addresses& addresses);
// Whether the program stops here, since an active lane of a tile that says where has no meaning.
bool stops_at_undefined(Machine& machine, const ir::Op& op, const Tile& tile, const Addresses& addresses);

// Of pointers (pointers.cc) and windows (windows.cc).
std::optional<Addresses> pointer_addresses(Machine& machine, const ir::Op& op, const Access& access, std::string_view does);
std::optional<Addresses> window_addresses(Machine& machine, const ir::Op& op, std::string_view does);
std::optional<Addresses> row_addresses(Machine& machine, const ir::Op& op, std::string_view does);
// What a load from a window gives for elements that are outside.
ir::Padding window_padding(Machine& machine, const ir::Op& op);

// nullopt if the program stops here: a lane is outside where nothing tests it, or its index or mask has no meaning.
std::optional<Addresses> addresses_of(Machine& machine, const ir::Op& op, const Access& access, std::string_view does);

// What is written by each lane.
struct LaneValues {
  Buffer data;
  int64_t step = 1;  // 0: one element for all lanes

  template <class T>
  T at(int64_t lane) const {
    return data.as<const T>()[lane * step];
  }
};

// The elements of a value by lane; a constant in that dtype. Stops the program if an active lane's has no meaning.
LaneValues values_of(Machine& machine, const ir::Op& op, ir::ValueId value, ir::Scalar dtype, const Addresses& addresses);

// Tells whoever looks for races of the element that a lane touches.
template <class T>
void touch(Machine& machine, const ir::Op& op, const Access& access, const Addresses& addresses, int64_t lane, const T* element,
           Touch touch) {
  machine.touch(op, access.array, reinterpret_cast<const std::byte*>(element), touch, lane, addresses.lanes.extents);
}

}  // namespace tilewright::interp
