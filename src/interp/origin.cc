// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/origin.h"

#include <algorithm>

namespace tilewright::interp {

std::string_view text_of(Reason reason) {
  switch (reason) {
    case Reason::Padding: return "undetermined padding is loaded here";
    case Reason::Outside: return "a tile outside of its array, or at a negative index, is loaded here";
    case Reason::Unwritten: return "memory that nothing has written is read here";
    case Reason::Left: return "a lane of this update is outside of the array";
    case Reason::NestedExponential: return "an exponential is taken here of what has an exponential in it";
    case Reason::DivisionByZero: return "zero is the divisor here, and its sign is not known";
    case Reason::Undecided: return "a number is compared here with one that is too near for float64 to tell";
    case Reason::UndecidedInteger: return "float64 does not tell what integer a number is rounded to here";
    case Reason::Bits: return "the bits of a float are taken here";
  }
  return "";
}

Mark Origins::mark(const ir::Op& op, Reason reason) {
  const auto is_same = [&](const Origin& known) { return known.op == &op && known.reason == reason; };
  const auto found = std::find_if(known_.begin(), known_.end(), is_same);
  if (found != known_.end()) return static_cast<Mark>(found - known_.begin() + 1);
  if (known_.size() + 1 == shared) return shared;
  known_.push_back({.op = &op, .reason = reason});
  return static_cast<Mark>(known_.size());
}

}  // namespace tilewright::interp
