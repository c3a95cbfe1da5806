// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What branches, loops and choices inside of expressions are read with.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "front/common/builtins.h"
#include "front/common/reader.h"

namespace tilewright::front {

// Conditions (conditions.cc) --------------------------------------------------------------------------------------------------

// Takes the condition and what follows from it for granted, until Frame::assumptions is shortened again.
void assume(Reader& reader, sym::ExprId condition, bool holds);
// The expression where the condition holds: `if PAGES == 1:` says what PAGES is.
sym::ExprId under(Reader& reader, sym::ExprId expr, sym::ExprId condition);

// Where paths meet (meeting.cc) -----------------------------------------------------------------------------------------------

bool is_numeric(Reader& reader, ir::TypeId type);
// What a constant is once it is a variable of the program.
ir::TypeId strict(Reader& reader, ir::TypeId type);
// The type of a variable that has either type, decided at run time.
std::optional<ir::TypeId> merge_types(Reader& reader, ir::TypeId a, ir::TypeId b);
// The same, decided by a constant of the launch. `loose`: it is a plain Python number in some launches.
std::optional<ir::TypeId> select_types(Reader& reader, sym::ExprId condition, ir::TypeId a, ir::TypeId b, bool& loose);
std::string describe(Reader& reader, const Binding& binding);
bool is_poison(const Binding& binding);
Binding unusable(Unusable why, std::string detail = {});
// The names after an `if` at `origin` whose condition a launch decides.
Environment choose(Environment a, Environment b, sym::ExprId condition, NodeId origin);

// Loops (loops.cc) ------------------------------------------------------------------------------------------------------------

struct Range {
  ir::ValueId start, stop, step;
  ir::Spelling spelling;  // of `for`, as read.h says
  ir::TypeId induction;   // of the induction variable
  std::string hint = {};
};

// A `for` over a range. Without one (it was refused) the body is read all the same.
void read_range_loop(Reader& reader, NodeId node, const std::optional<Range>& range);

// The unrolled loop at the end of whose body a block ends; nullptr if there is none.
Unrolled* unrolled_with(const Frame& frame, syntax::NodeList rest);

// Regions (regions.cc) --------------------------------------------------------------------------------------------------------

struct Region {
  ir::BlockId block;
  Environment environment;
  Val value;
  bool failed = false;
  std::string reason = {};
};

using Body = std::function<Val()>;

// Reads something in a block of its own.
Region read_region(Reader& reader, const Body& body);
// The same under a constant condition. What cuTile refuses in it concerns only launches that cuTile refuses, so that it is no
// error of the kernel: the region says so instead.
Region read_assuming(Reader& reader, NodeId node, sym::ExprId condition, bool holds, const Body& body);
// Continues this block with the ops of another.
void append_block(Reader& reader, ir::BlockId from);
// The condition of an `if`, `while` or `… if … else …` as a value; an error and nullopt if it is none.
std::optional<ir::ValueId> runtime_condition(Reader& reader, NodeId node, const Val& test);

}  // namespace tilewright::front
