// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds of the integers of a program in every launch: ranges of values, on demand.
//
// Each kernel is walked once, helpers are walked at each call with what is known of their arguments. Assumed throughout:
//  - Signed index arithmetic does not wrap. Products with a literal above 65536, products of a loop's own variable, and left
//    shifts may be hashes, where wrapping is meant: of those nothing is claimed.
//  - A division by zero, a range with a step that is not positive, a launch with a tile extent that is not positive: none of
//    them has a meaning, so nothing is claimed for them either.
//  - Grid extents are below 2^24; arrays have no negative extent or stride. cuTile says so.
//
// A constant parameter of the kernel is positive where it is an extent of a tile that is made whatever the other constants are.
// Otherwise it may have either sign. Since in practice it is never negative, facts come in two strengths: what is certain, and
// what holds if some constants are not negative; whoever uses the second must see to it that the launch is checked
// (ir::Function::assumes).

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/range.h"
#include "ir/program.h"

namespace tilewright::analysis {

// Whether something holds, and on which condition.
struct Proof {
  bool holds = false;
  std::vector<sym::ExprId> assumes = {};  // constants, atoms of the program's arena, that must not be negative
  ir::ValueId gap = {};  // if it does not hold: the value at which the proof ends, as near to the source as it goes
};

class Facts {
 public:
  explicit Facts(const ir::Program& program);
  ~Facts();
  Facts(Facts&&) noexcept;

  Range range(ir::ValueId value) const;  // for certain; elements of a tile all lie in it
  bool non_negative(ir::ValueId value) const { return range(value).non_negative(); }
  bool positive(ir::ValueId value) const { return range(value).positive(); }

  // That none of `values` is ever negative where `op` reads them, perhaps on a condition that the launch can be asked for.
  Proof none_negative(ir::OpId op, const std::vector<ir::ValueId>& values) const;

 private:
  struct Ranges;
  const Ranges& certain() const;
  const Ranges& assuming() const;
  ir::ValueId gap(const Ranges& ranges, ir::ValueId value) const;

  const ir::Program& program_;
  mutable std::unique_ptr<Ranges> certain_;
  mutable std::unique_ptr<Ranges> assuming_;
};

}  // namespace tilewright::analysis
