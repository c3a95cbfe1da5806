// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What ops mean in the number system `algebra`, where they calculate with floats: by interp/field.h instead of by IEEE. All
// floats are kept as Reals whatever their dtype; a conversion between them changes nothing. What only moves elements is the same
// as ever, and integers are what they are. An element that the field cannot tell is marked like one without a meaning.

#pragma once

#include <optional>

#include "interp/field.h"
#include "interp/machine.h"

namespace tilewright::interp::algebra {

// A number of a program's text or of its launch.
Real constant(const Field& field, const sym::Value& value);
// The result of an op on constants, calculated exactly; nullopt where it is no float, or where the constant itself has to do.
std::optional<Tile> constant(Machine& machine, const ir::Op& op);

// Whether a scalar is not zero; the program stops where that is not known.
bool truth(Machine& machine, const ir::Op& op, const Tile& scalar);

// Runs an op that takes or makes floats; false if it is none.
bool elementwise(Machine& machine, const ir::Op& op);
bool bitcast(Machine& machine, const ir::Op& op);

// A tile as one of that type, which has as many elements; one of the two is of Reals. Undecided integers are marked by the op
// that runs.
Tile converted(Machine& machine, const Tile& tile, const TileType& type);
Tile iota(Machine& machine, const TileType& type);

// Marks an element, if it has no mark yet.
void mark_element(Machine& machine, const ir::Op& op, Tile& out, int64_t at, Reason reason);
// Marks elements of a tile that are not known.
void mark_unknown(Machine& machine, const ir::Op& op, Tile& out);

// What combines two elements of a reduction or scan.
struct Combination {
  const Field& field;
  const ir::Attrs& attrs;

  Real of(const Real& x, const Real& y) const;
};
// argmax and argmin of `length` elements that lie `step` apart; nullopt if two of them cannot be told apart.
std::optional<int32_t> index_of_best(const Field& field, const ir::Attrs& attrs, const Real* elements, int64_t length,
                                     int64_t step);

// What an atomic update makes of an element.
Real updated(const Field& field, ir::Atomic kind, const Real& old, const Real& value);

}  // namespace tilewright::interp::algebra
