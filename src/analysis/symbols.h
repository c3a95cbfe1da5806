// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Integers of a kernel as expressions over what nobody knows: array extents, program ids, constants of the launch, loop
// variables. Intervals alone lose what the author knew, that in
//
//     group = tile // (GROUP * columns)          # 0 <= tile < rows * columns
//     rows_left = min(rows - group * GROUP, GROUP)
//
// rows_left is positive. Here `rows - group * GROUP` is still one expression, and multiplied by `columns` it is at least
// `rows * columns - tile`.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/range.h"
#include "sym/expr.h"

namespace tilewright::analysis {

class Symbols {
 public:
  // The arena is a copy of the program's: expressions of its types are expressions here. It grows.
  explicit Symbols(sym::Arena& arena) : arena_(arena) {}

  sym::Arena& arena() { return arena_; }
  const sym::Arena& arena() const { return arena_; }

  sym::ExprId atom(const std::string& key, const Ranges& ranges);
  // x < bound, for an atom x.
  void bound(sym::ExprId atom, sym::ExprId bound) { below_.insert_or_assign(atom, bound); }

  // An atom that is the number of this program, which the grid bounds. Where a hope needs a bound and there is none it is wished
  // for, and whoever grants the wish says so.
  void program(sym::ExprId atom) { programs_.insert(atom); }
  void grant(sym::ExprId program, sym::ExprId bound) { granted_.insert_or_assign(program, bound); }
  void take_back_grants() { granted_.clear(); }
  struct Wish {
    sym::ExprId program;
    sym::ExprId bound;
  };
  std::optional<Wish> take_wish() { return std::exchange(wish_, std::nullopt); }
  // Atoms whose bounds hopes were built on since the last time.
  std::set<sym::ExprId> take_used() { return std::exchange(used_, {}); }
  std::optional<sym::ExprId> bound_of(sym::ExprId atom) const;

  // What is known of constants may change from place to place.
  void set_constants(std::map<sym::ExprId, Ranges> ranges);

  // By intervals of its parts, and by division as above.
  Range range(sym::ExprId id, Strength strength);

 private:
  Range interval(sym::ExprId id, Strength strength);
  std::optional<int64_t> least(sym::ExprId id, Strength strength, int depth);
  std::optional<sym::ExprId> exclusive_bound(sym::ExprId id, Strength strength);
  void forget_intervals();

  sym::Arena& arena_;
  std::map<sym::ExprId, Ranges> atoms_;
  std::map<sym::ExprId, sym::ExprId> below_;
  std::map<sym::ExprId, sym::ExprId> granted_;
  std::map<sym::ExprId, Ranges> constants_;
  std::map<sym::ExprId, Range> certain_;  // intervals found so far
  std::map<sym::ExprId, Range> hoped_;
  std::set<sym::ExprId> programs_;
  std::set<sym::ExprId> used_;
  std::optional<Wish> wish_;
};

}  // namespace tilewright::analysis
