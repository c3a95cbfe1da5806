// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The walk that finds ranges. Part of analysis/facts.h, which says what is assumed.

#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/conditions.h"
#include "analysis/facts.h"
#include "analysis/positive_extents.h"
#include "analysis/range.h"
#include "analysis/symbols.h"
#include "base/stretch.h"
#include "ir/flow.h"
#include "ir/program.h"

namespace tilewright::analysis {

// What is known of one value at one place.
struct Known {
  Ranges ranges = {};
  sym::ExprId symbol = {};    // of an integer scalar, or of an array; none() if it is not one expression
  ConditionsId assumes = {};  // what the launch must be asked for that ranges.hoped holds, in Found::conditions

  friend auto operator<=>(const Known& a, const Known& b) {
    const auto row = [](const Known& known) {
      const auto& [certain, hoped] = known.ranges;
      return std::tie(certain.low, certain.high, hoped.low, hoped.high, known.symbol, known.assumes);
    };
    return row(a) <=> row(b);
  }
  friend bool operator==(const Known&, const Known&) = default;
};

// What was found of a part in all contexts and on all ways.
struct Found {
  RowsOf<ir::ValueId, std::optional<Known>> values;  // nothing where no walk came
  RowsOf<ir::OpId, bool> conditional;                // it stands, or is called, under a condition on constants
  std::map<ir::OpId, std::vector<Known>> operands;   // of ops whose operands rules ask for: the branch they stand in counts
  ConditionSets conditions;
  Conditions unaskable;  // of numbers that need not be sizes
};

class Walk {
 public:
  using Fact = Known;

  // Of a part, which has `ops` and `values`. `arena` is a copy of the program's, to which the walk adds.
  Walk(const ir::Program& program, Stretch<ir::OpId> ops, Stretch<ir::ValueId> values, sym::Arena& arena,
       PositiveExtents& positive);

  // Adds what holds in a kernel of the part and in what it calls.
  void kernel(ir::FunctionId function);
  const Found& found() const { return found_; }

  // The domain of ir::Flow.
  Known unwritten() const { return {}; }
  Known join(const Known& a, const Known& b);
  Known coming_round(ir::OpId loop, ir::VarId var, const Known& before, const Known& after);
  void visit(ir::Flow<Walk>& flow, ir::OpId op);
  void enter(ir::OpId owner, size_t region);
  void leave(ir::OpId owner, size_t region);

 private:
  // One evaluation of a function.
  struct Frame {
    uint32_t context = 0;
    std::vector<Known> results = {};
    bool returned = false;
  };
  // What a region adds while it is walked.
  struct Region {
    Atoms positive = {};
    bool condition = false;
    std::vector<std::pair<ir::ValueId, Known>> before = {};  // values that the condition of a branch says more of
  };
  struct Evaluated {
    uint32_t context = 0;
    std::vector<Known> results = {};
  };

  Evaluated call(ir::FunctionId function, const std::vector<Known>& arguments);
  void called(ir::OpId op);
  void update_constants();
  void record(ir::ValueId value, Known known);
  void refine(ir::ValueId condition, bool holds, Region& region);
  void refine(ir::ValueId value, const Ranges& ranges, ConditionsId assumes, Region& region);
  Known evaluate(ir::OpId op);
  Range transfer(const ir::Op& op, Strength strength) const;
  sym::ExprId symbol(const ir::Op& op);
  const Known& of(ir::ValueId value) const { return now_[value]; }
  Known constant(const ir::Type& type);
  Known named(ir::ValueId value, const std::string& what, Known known);
  ConditionsId hopes_of(sym::ExprId expression);
  void note_size(ir::ValueId value);
  Known symbolic(sym::ExprId symbol);
  static Known kept(Known known);
  void assume(ConditionsId& assumes, ConditionsId more) { assumes = found_.conditions.both(assumes, more); }
  std::optional<std::string> launch_text(sym::ExprId expression) const;
  Range fitted(ir::TypeId type, const Range& range) const;
  bool is_index(ir::TypeId type) const;
  bool is_constant(ir::ValueId value) const;
  bool multiplies_itself(ir::OpId loop, ir::VarId var);

  const ir::Program& program_;
  PositiveExtents& positive_extents_;
  Symbols symbols_;
  Found found_;
  RowsOf<ir::ValueId, Known> now_;  // in the current context
  std::vector<Frame> frames_;
  std::vector<Region> regions_;
  uint32_t next_context_ = 0;
  size_t conditions_ = 0;
  std::map<sym::ExprId, uint32_t> positive_;            // by atom: how many enclosing regions say so
  ir::FunctionId kernel_;                               // that is walked
  Atoms parameters_;                                    // its integer constants
  std::map<sym::ExprId, Condition> scalars_;            // of numbers of the launch, by atom: not negative
  std::map<sym::ExprId, std::string> launch_names_;     // what the launch calls an atom: "n", "X", "X.shape[1]"
  std::map<sym::ExprId, ConditionsId> program_bounds_;  // conditions that bound the number of this program
  std::map<sym::ExprId, ConditionsId> not_negative_;    // conditions on constants of the kernel, by atom
  std::map<sym::ExprId, ConditionsId> hopes_;           // what is assumed of other atoms
  std::set<sym::ExprId> sizes_;                         // of scalars_: divided by, or up to tiles
  std::map<std::pair<ir::OpId, ir::VarId>, bool> multiplying_;
  std::map<std::tuple<ir::FunctionId, std::vector<Known>, Atoms, bool>, Evaluated> evaluated_;
};

}  // namespace tilewright::analysis
