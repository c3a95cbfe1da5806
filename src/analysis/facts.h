// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds of the integers of a program in every launch: ranges of values, on demand.
//
// Each kernel is walked if anything is asked of its part, and helpers are walked at each call with what is known of their
// arguments. What was found is kept until another part is asked about, so questions are to come part by part. Assumed throughout:
//  - Signed index arithmetic does not wrap. Products with a literal above 65536, products of a loop's own variable, and left
//    shifts may be hashes, where wrapping is meant: of those nothing is claimed.
//  - A division by zero, a range with a step that is not positive, a launch with a tile extent that is not positive: none of
//    them has a meaning, so nothing is claimed for them either.
//  - Grid extents are below 2^24; arrays have no negative extent or stride. cuTile says so.
//
// A constant parameter of the kernel is positive where it is an extent of a tile that is made whatever the other constants are.
// Otherwise it may have either sign, as may a number that is an argument, and the grid is as large as the author's host code
// makes it. In practice sizes are not negative and a grid has no more programs than there are tiles. So facts come in two
// strengths: what is certain, and what holds if a launch keeps to some conditions; whoever uses the second must see to it that
// launches are asked (ir::Function::assumes). A number counts as a size if something is divided by it or if it is divided into
// tiles by cdiv.

#pragma once

#include <compare>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/parts.h"
#include "analysis/range.h"
#include "ir/program.h"

namespace tilewright::analysis {

class Walk;
struct Found;
struct Known;

// "GROUP >= 0", "\"grid[0]\" <= cdiv(M, TILE)": what launches of a kernel are asked for, as sym::parse reads it.
struct Condition {
  ir::FunctionId kernel;
  std::string text;
  friend auto operator<=>(const Condition&, const Condition&) = default;
};

// Whether something holds, and on which conditions.
struct Proof {
  bool holds = false;
  std::set<Condition> assumes = {};
  ir::ValueId gap = {};  // if it does not hold: the value at which the proof ends, as near to the source as it goes
};

class Facts {
 public:
  explicit Facts(const ir::Program& program);
  ~Facts();
  Facts(Facts&&) noexcept;

  const Parts& parts() const;

  Range range(ir::ValueId value) const;  // for certain; elements of a tile all lie in it
  bool non_negative(ir::ValueId value) const { return range(value).non_negative(); }
  bool positive(ir::ValueId value) const { return range(value).positive(); }

  // Whether a negative number does what 0 does wherever the value is read.
  bool only_above_zero_counts(ir::ValueId value) const;

  // That none of `values`, operands of `op`, is ever negative where it reads them, perhaps on a condition that the launch can be
  // asked for.
  Proof none_negative(ir::OpId op, std::span<const ir::ValueId> values) const;

 private:
  struct Work;

  struct OfPart;

  // What references point to holds until another part is asked about.
  OfPart& at(PartId part) const;
  const Found& found(PartId part) const;
  Known known(const Found& found, ir::OpId op, size_t operand) const;
  const std::set<Condition>& settled(PartId part) const;
  bool is_hoped(PartId part, ir::OpId op, const Known& known) const;
  ir::ValueId gap(PartId part, ir::OpId op, ir::ValueId value) const;

  const ir::Program& program_;
  std::unique_ptr<Work> work_;  // grows as questions come
};

}  // namespace tilewright::analysis
