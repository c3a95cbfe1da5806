// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/reach.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/walk.h"

namespace tilewright::ir {
namespace {

// The literals that reach each read of a body, in the order of the text: "1 2?" with a question mark if none may reach it.
std::vector<std::string> reads(const std::string& body) {
  const Result<Program> program = parse("kernel @k {\n param scalar n = %n: tile<int32, []>\n body {\n" + body + "}\n}\n");
  if (!program.ok()) return {program.reason()};
  const Reaches reaches = reaching_writes(*program, FunctionId{0});
  std::vector<std::string> out;
  each_op(*program, program->functions[FunctionId{0}].body, [&](OpId op) {
    if (program->ops[op].kind != OpKind::Get) return;
    const auto found = reaches.find(op);
    if (found == reaches.end()) return out.push_back("dead");
    std::string line;
    for (const OpId set : found->second.writes) {
      const ValueId value = written(*program, set, program->ops[op].attrs.var);
      const Type& type = program->types[program->values[value].type];
      line += (line.empty() ? "" : " ") + (type.kind == TypeKind::Const ? program->arena.text(type.value) : "n");
    }
    out.push_back(line + (found->second.certain ? "" : "?"));
  });
  return out;
}

const std::string numbers = R"(
  %a: const<int, 1> = literal [literal=1]
  %b: const<int, 2> = literal [literal=2]
  %c: const<int, 3> = literal [literal=3]
)";

using Lines = std::vector<std::string>;

TEST(Reach, the_last_write_hides_those_before) {
  EXPECT_EQ(reads(numbers + R"(
    %0: tile<int32, []> = get [var=$x]
    set %a [var=$x]
    set %b [var=$x]
    %1: tile<int32, []> = get [var=$x])"),
            (Lines{"?", "2"}));
}

TEST(Reach, both_branches_reach_behind_an_if) {
  EXPECT_EQ(reads(numbers + R"(
    if %n { set %a [var=$x] } { set %b [var=$x] }
    %0: tile<int32, []> = get [var=$x])"),
            (Lines{"1 2"}));
  EXPECT_EQ(reads(numbers + R"(
    if %n { set %a [var=$x] } { }
    %0: tile<int32, []> = get [var=$x])"),
            (Lines{"1?"}));
  EXPECT_EQ(reads(numbers + R"(
    set %c [var=$x]
    if %n { set %a [var=$x] return } { }
    %0: tile<int32, []> = get [var=$x])"),
            (Lines{"3"}));
}

TEST(Reach, writes_come_round_a_loop) {
  EXPECT_EQ(reads(numbers + R"(
    set %a [var=$x]
    for %a, %n, %a (%i: tile<int32, []>) {
      %0: tile<int32, []> = get [var=$x]
      set %b [var=$x]
    }
    %1: tile<int32, []> = get [var=$x])"),
            (Lines{"1 2", "1 2"}));
}

TEST(Reach, continue_carries_and_break_leaves) {
  EXPECT_EQ(reads(numbers + R"(
    set %a [var=$x]
    for %a, %n, %a (%i: tile<int32, []>) {
      %0: tile<int32, []> = get [var=$x]
      if %n { set %b [var=$x] continue } { }
      if %n { set %c [var=$x] break } { }
    }
    %1: tile<int32, []> = get [var=$x])"),
            (Lines{"1 2", "1 2 3"}));
}

TEST(Reach, an_endless_loop_is_left_by_breaks_only) {
  EXPECT_EQ(reads(numbers + R"(
    set %a [var=$x]
    while {
      %true: const<bool, True> = literal [literal=True]
      yield %true
    } {
      %0: tile<int32, []> = get [var=$x]
      set %b [var=$x]
      if %n { break } { }
      set %c [var=$x]
    }
    %1: tile<int32, []> = get [var=$x])"),
            (Lines{"1 3", "2"}));
}

TEST(Reach, inner_loops_see_what_outer_ones_bring_round) {
  EXPECT_EQ(reads(numbers + R"(
    set %a [var=$x]
    for %a, %n, %a (%i: tile<int32, []>) {
      for %a, %n, %a (%j: tile<int32, []>) {
        %0: tile<int32, []> = get [var=$x]
        set %b [var=$x]
      }
      set %c [var=$x]
    })"),
            (Lines{"1 2 3"}));
}

TEST(Reach, a_swap_reads_before_it_writes) {
  EXPECT_EQ(reads(numbers + R"(
    set %a, %b [vars=($x, $y)]
    %0: tile<int32, []> = get [var=$x]
    %1: tile<int32, []> = get [var=$y]
    set %1, %0 [vars=($x, $y)]
    %2: tile<int32, []> = get [var=$x])"),
            (Lines{"1", "2", "n"}));
}

TEST(Reach, code_behind_a_return_is_dead) {
  EXPECT_EQ(reads(numbers + R"(
    return
    %0: tile<int32, []> = get [var=$x])"),
            (Lines{"dead"}));
}

TEST(Structure, an_op_knows_its_loop) {
  const Result<Program> program = parse(R"(kernel @k { param scalar n = %n: tile<int32, []>
    body {
      if %n { for %n, %n, %n (%i: tile<int32, []>) { if %n { break } { } } } { return }
    } })");
  ASSERT_TRUE(program.ok()) << program.reason();
  const Structure structure(*program);
  each_op(*program, program->functions[FunctionId{0}].body, [&](OpId op) {
    const OpId loop = structure.loop_of(*program, op);
    if (program->ops[op].kind == OpKind::Break) {
      EXPECT_EQ(program->ops[loop].kind, OpKind::For);
    }
    if (program->ops[op].kind == OpKind::Return) {
      EXPECT_FALSE(loop);
    }
  });
}

}  // namespace
}  // namespace tilewright::ir
