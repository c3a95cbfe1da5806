// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where an element lost its meaning: by which op and why. Tiles carry a byte per element for it (Tile::undefined), a mark that
// the machine knows the origin of; of several the first operand's is kept.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace tilewright::interp {

using Mark = uint8_t;

inline constexpr Mark no_mark = 0;

enum class Reason : uint8_t {
  Padding,    // undetermined padding of a tile
  Outside,    // a tile that lies outside of its array, or at a negative index
  Unwritten,  // an element of memory that nothing has written
  Left,       // the result of an atomic update for a lane that it has left alone
  // In `algebra`: a number that its field does not tell (field.h).
  NestedExponential,  // an exponential of what has one in it
  DivisionByZero,     // whose sign is not known
  Undecided,          // a comparison of numbers that are too near for float64
  UndecidedInteger,   // a number too near to an integer, or too large, for float64 to tell what it is rounded to
  Bits,               // the bits of a float
};

// What a label says of the op where it happened: "… is loaded here".
std::string_view text_of(Reason reason);

// Whether it is a number that has a meaning, but none that `algebra` knows.
inline bool is_of_algebra(Reason reason) { return reason >= Reason::NestedExponential; }

struct Origin {
  const ir::Op* op = nullptr;
  Reason reason = Reason::Padding;
};

// The origins of one run, by mark. There are seldom more than a few; those for which no mark is left share the last one.
class Origins {
 public:
  Mark mark(const ir::Op& op, Reason reason);
  // nullptr for the mark that several share.
  const Origin* of(Mark mark) const { return mark <= known_.size() ? &known_[mark - 1u] : nullptr; }

 private:
  static constexpr Mark shared = 255;
  std::vector<Origin> known_;
};

}  // namespace tilewright::interp
