// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the accesses of a kernel go: for each axis of an array the first element and the number of elements, as expressions over
// what a program knows. A helper's accesses are places of their own at each call.
//
// Index arithmetic does not wrap. Arrays that are different parameters share no memory, as cuTile has it.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "back/triton/effects.h"
#include "back/triton/versions.h"
#include "base/blocks.h"
#include "ir/program.h"
#include "ir/walk.h"

namespace tilewright::back::triton {

// A loop, at one call of the function that it stands in. 0 is none.
using LoopNumber = uint32_t;

// Elements from `start` on. Without a count, nothing is known but that equal starts mean equal elements, lane by lane.
struct Span {
  sym::ExprId start;
  sym::ExprId count;
  friend bool operator==(const Span&, const Span&) = default;
};

struct Axis {
  Span lanes;
  Span masked;  // what a mask leaves of them is no more than this; without a start, there is no such mask
  friend bool operator==(const Axis&, const Axis&) = default;
};

struct Place {
  std::vector<ir::OpId> path;     // calls from the kernel on, then the access
  std::vector<LoopNumber> loops;  // around it, from the outermost
  ir::ValueId root;               // an array parameter of the kernel; none() if it may be any
  uint32_t context = 0;
  std::optional<std::vector<Axis>> axes;   // once they were asked for
  std::map<sym::ExprId, size_t> branches;  // of constant conditions: which region it stands in

  ir::OpId access() const { return path.back(); }
};

// A function at one call of it. Arguments are known by what the caller passes.
struct Context {
  uint32_t number = 0;
  std::vector<ir::OpId> path = {};
  std::vector<LoopNumber> loops = {};
};

class Places {
 public:
  Places(const ir::Program& program, const AllEffects& effects);

  // The array parameter of the kernel that an array is part of; none() if it may be any.
  ir::ValueId root(const Context& context, ir::ValueId array) { return view(context, array).root; }
  size_t calls() const { return contexts_.size() - 1; }  // that were entered
  // What a call passes on: the context of the callee.
  Context enter(const Context& caller, ir::OpId call);
  LoopNumber loop(const Context& context, ir::OpId loop);
  // The number of an access's place.
  uint32_t place(const Context& context, ir::OpId access);
  const Place& operator[](uint32_t place) const { return places_[place]; }

  // Two places, the second one visited later: in the same iteration of all loops around both, or in a later iteration of
  // `carrier`, one of them.
  bool disjoint(uint32_t earlier, LoopNumber carrier, uint32_t later);
  // Lane by lane the same elements, for certain.
  bool same(uint32_t earlier, LoopNumber carrier, uint32_t later);
  // Lane by lane the same elements, or none in common.
  bool same_or_disjoint(uint32_t earlier, LoopNumber carrier, uint32_t later);
  // The outermost loop around the later place that the two are not in together; 0 if there is none.
  LoopNumber outermost_own_loop(uint32_t earlier, LoopNumber carrier, uint32_t later) const;
  ir::OpId op_of(LoopNumber loop) const { return loops_[loop].op; }
  bool encloses(LoopNumber loop, ir::OpId op) const;

 private:
  using ContextValue = std::pair<uint32_t, ir::ValueId>;
  using ContextOp = std::pair<uint32_t, ir::OpId>;
  using Terms = std::map<std::vector<sym::ExprId>, int64_t>;  // factors and their coefficient

  struct View {
    ir::ValueId root;
    std::vector<Axis> items;                    // of lists
    std::map<uint32_t, sym::ExprId> begins_at;  // by axis, of slices
    bool is_known = true;                       // else it may be any part of the root
  };
  // iterations are start + step * count
  struct Loop {
    ir::OpId op;
    sym::ExprId count;
    sym::ExprId start;
    sym::ExprId stop;
    sym::ExprId step;
  };

  const ir::Type& type(ir::ValueId value) const { return program_.types[program_.values[value].type]; }
  std::vector<LoopNumber> loops_around(const Context& context, ir::BlockId block);
  sym::ExprId integer(const Context& context, ir::ValueId value);
  sym::ExprId evaluate(const Context& context, ir::ValueId value);
  sym::ExprId structure(const Context& context, const ir::Op& op);
  sym::ExprId unknown(const std::string& key, const std::vector<LoopNumber>& varies_in);
  Span lanes(const Context& context, ir::ValueId value);
  Span find_lanes(const Context& context, ir::ValueId value);
  Span left_by(const Context& context, ir::ValueId mask, const Span& index, const std::vector<sym::ExprId>& shape);
  bool is_never_negative(sym::ExprId id) const;
  View view(const Context& context, ir::ValueId array);
  // What is passed for a parameter, in the caller's context; none() for what is no parameter of a helper.
  ContextValue passed(const Context& context, ir::ValueId parameter) const;
  const std::vector<Axis>& axes(uint32_t place);
  Terms terms(sym::ExprId id) const;
  static bool divide(Terms& terms, const Terms& by);
  // The loops in whose iterations the later place is on its own.
  std::set<LoopNumber> own_loops(const Place& earlier, LoopNumber carrier, const Place& later) const;
  // How far one start is from another.
  Terms distance(sym::ExprId from, sym::ExprId to);
  // The same in units of `unit`; nothing if it is no whole number of them.
  std::optional<Terms> in_units(Terms distance, sym::ExprId unit) const;
  bool apart(const Span& earlier, LoopNumber carrier, const Span& later);
  // Whether they stand in two branches of one constant condition.
  bool exclude(uint32_t a, uint32_t b) const;
  bool is_never_zero(const Terms& distance, LoopNumber carrier) const;
  sym::ExprId of_another_iteration(sym::ExprId id, const std::set<LoopNumber>& loops);

  const ir::Program& program_;
  const AllEffects& effects_;
  ir::Structure structure_;
  sym::Arena arena_;
  Blocks<Place> places_;
  std::vector<Context> contexts_{Context{}};  // by number
  std::map<ContextOp, uint32_t> place_of_;
  std::map<ContextOp, uint32_t> context_of_;  // by the caller's
  std::map<ContextOp, LoopNumber> loop_of_;
  std::vector<Loop> loops_{Loop{}};  // by number; of a `while` nothing is known
  std::map<ContextValue, ContextValue> passed_;
  std::map<ContextValue, sym::ExprId> known_;
  std::map<ContextValue, Span> known_lanes_;
  std::map<sym::ExprId, std::vector<LoopNumber>> varies_in_;  // by atom
  std::set<sym::ExprId> not_negative_;                        // factors: counts and steps of loops, extents
  std::map<ir::OpId, Version> versions_;
  std::set<ir::FunctionId> numbered_;
};

}  // namespace tilewright::back::triton
