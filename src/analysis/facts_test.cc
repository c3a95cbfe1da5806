// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/facts.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/verify.h"

namespace tilewright::analysis {
namespace {

struct Read {
  ir::Program program;
  std::string trouble;

  Read(const std::string& body, const std::string& helpers = "") {
    Result<ir::Program> parsed = ir::parse(helpers + R"(kernel @k {
  param array X = %X: array<elem(0), 2>
  param scalar n = %n: tile<int32, []>
  param constant T = %T: const<int, T>
  param constant G = %G: const<int, G>
  param constant F = %F: const<bool, F>
  body {
    %0: const<int, 0> = literal [literal=0]
    %1: const<int, 1> = literal [literal=1]
    %pid: tile<int32, []> = program_id
    %dim: tile<int32, []> = array_dim %X
)" + body + "\n}\n}\n");
    if (parsed.ok()) {
      program = *parsed;
      trouble = text(ir::verify(program));
    } else {
      trouble = parsed.reason();
    }
  }

  ir::ValueId value(const std::string& name) const {
    for (uint32_t i = 0; i < program.values.size(); ++i) {
      if (program.values[ir::ValueId{i}].name == name) return ir::ValueId{i};
    }
    return {};
  }

  std::string range(const std::string& name) const { return trouble.empty() ? text(Facts(program).range(value(name))) : trouble; }

  // What it takes that none of the operands of the op that makes `name` is negative.
  std::string proof(const std::string& name) const {
    if (!trouble.empty()) return trouble;
    const ir::OpId op = program.values[value(name)].definition;
    const Proof proof = Facts(program).none_negative(op, program.ops[op].operands);
    if (!proof.holds) return "not: " + program.values[proof.gap].name.string();
    std::string out = "holds";
    for (const Condition& condition : proof.assumes) out += " if " + condition.text;
    return out;
  }
};

TEST(Facts, sources_have_the_ranges_that_cutile_gives_them) {
  const Read read(R"(
    %count: tile<int32, []> = num_programs
    %stride: tile<int32, []> = array_stride %X
    %tiles: tile<int32, []> = num_tiles %X, %T, %T [rank=2]
    %iota: tile<int32, [T]> = iota %T [dtype=int32]
    %eight: const<int, 8> = literal [literal=8]
    %short: tile<int32, [8]> = iota %eight [dtype=int32]
    %loaded: tile<int64, []> = cast %n [dtype=int64])");
  EXPECT_EQ(read.range("pid"), "[0, 16777214]");
  EXPECT_EQ(read.range("count"), "[1, 16777215]");
  EXPECT_EQ(read.range("dim"), "[0, ?]");
  EXPECT_EQ(read.range("stride"), "[0, ?]");
  EXPECT_EQ(read.range("tiles"), "[0, ?]");
  EXPECT_EQ(read.range("iota"), "[0, ?]");
  EXPECT_EQ(read.range("short"), "[0, 7]");
  EXPECT_EQ(read.range("n"), "[?, ?]") << "a number of the launch has any sign";
  EXPECT_EQ(read.range("loaded"), "[?, ?]");
  EXPECT_EQ(read.range("T"), "[1, ?]") << "it is the extent of a tile";
  EXPECT_EQ(read.range("G"), "[?, ?]") << "it is not";
}

TEST(Facts, arithmetic_on_indices_keeps_signs) {
  const Read read(R"(
    %offset: tile<int32, []> = mul %pid, %T [dtype=int32]
    %iota: tile<int32, [T]> = iota %T [dtype=int32]
    %index: tile<int32, [T]> = add %offset, %iota [dtype=int32]
    %minus: tile<int32, []> = sub %pid, %1 [dtype=int32]
    %half: tile<int32, []> = floor_div %offset, %T [dtype=int32]
    %rest: tile<int32, []> = floor_mod %minus, %T [dtype=int32]
    %most: tile<int32, []> = max %n, %1 [dtype=int32]
    %least: tile<int32, []> = min %dim, %most [dtype=int32])");
  EXPECT_EQ(read.range("index"), "[0, ?]");
  EXPECT_EQ(read.range("minus"), "[-1, 16777213]");
  EXPECT_EQ(read.range("half"), "[0, 16777214]") << "what divides comes out whole";
  EXPECT_EQ(read.range("rest"), "[0, ?]");
  EXPECT_EQ(read.range("most"), "[1, ?]");
  EXPECT_EQ(read.range("least"), "[0, ?]");
}

TEST(Facts, differences_cancel) {
  const Read read(R"(
    %iota: tile<int32, [T]> = iota %T [dtype=int32]
    %more: tile<int32, []> = add %dim, %T [dtype=int32]
    %left: tile<int32, []> = sub %more, %dim [dtype=int32]
    %again: tile<int32, []> = array_dim %X
    %same: tile<int32, []> = sub %again, %dim [dtype=int32]
    %other: tile<int32, []> = array_dim %X [axis=1]
    %unknown: tile<int32, []> = sub %other, %dim [dtype=int32])");
  EXPECT_EQ(read.range("left"), "[1, ?]");
  EXPECT_EQ(read.range("same"), "[0, 0]");
  EXPECT_EQ(read.range("unknown"), "[?, ?]");
}

TEST(Facts, a_constant_is_positive_only_where_a_tile_is_made_in_every_launch) {
  EXPECT_EQ(
      Read("if %F { %iota: tile<int32, [T]> = iota %T [dtype=int32] } { }\n%x: tile<int32, []> = add %pid, %T [dtype=int32]")
          .range("x"),
      "[?, ?]");
  EXPECT_EQ(
      Read("if %n { %iota: tile<int32, [T]> = iota %T [dtype=int32] } { }\n%x: tile<int32, []> = add %pid, %T [dtype=int32]")
          .range("x"),
      "[1, ?]");
  EXPECT_EQ(
      Read("if %F { %x: tile<int32, []> = add %pid, %T [dtype=int32]\n%iota: tile<int32, [T]> = iota %T [dtype=int32] } { }")
          .range("x"),
      "[1, ?]")
      << "in the branch that makes it";
  EXPECT_EQ(Read("%x: tile<int32, []> = add %pid, %T [dtype=int32]\nif %F { return } { }\n%iota: tile<int32, [T]> = iota %T "
                 "[dtype=int32]")
                .range("x"),
            "[?, ?]")
      << "with another constant the kernel ends before";
}

TEST(Facts, loop_variables_lie_between_their_bounds) {
  const Read read(R"(
    for %0, %dim, %1 (%i: tile<int32, []>) {
      for %pid, %n, %T (%j: tile<int32, []>) {
        %iota: tile<int32, [T]> = iota %T [dtype=int32]
      }
    }
    for %n, %dim, %1 (%k: tile<int32, []>) { })");
  EXPECT_EQ(read.range("i"), "[0, ?]");
  EXPECT_EQ(read.range("j"), "[0, ?]");
  EXPECT_EQ(read.range("k"), "[?, ?]");
}

TEST(Facts, variables_are_what_their_writes_are) {
  const Read read(R"(
    set %0, %n [vars=($sum, $wild)]
    for %0, %dim, %1 (%i: tile<int32, []>) {
      %before: tile<int32, []> = get [var=$sum]
      %after: tile<int32, []> = add %before, %i [dtype=int32]
      set %after [var=$sum]
      %w: tile<int32, []> = get [var=$wild]
      %down: tile<int32, []> = sub %before, %1 [dtype=int32]
      set %down [var=$down]
    }
    %sum: tile<int32, []> = get [var=$sum]
    if %n { set %1 [var=$either] } { set %dim [var=$either] }
    %either: tile<int32, []> = get [var=$either])");
  EXPECT_EQ(read.range("before"), "[0, ?]");
  EXPECT_EQ(read.range("sum"), "[0, ?]");
  EXPECT_EQ(read.range("w"), "[?, ?]");
  EXPECT_EQ(read.range("down"), "[-1, ?]");
  EXPECT_EQ(read.range("either"), "[0, ?]");
}

TEST(Facts, a_variable_that_counts_down_may_become_negative) {
  const Read read(R"(
    set %dim [var=$left]
    for %0, %dim, %1 (%i: tile<int32, []>) {
      %before: tile<int32, []> = get [var=$left]
      %after: tile<int32, []> = sub %before, %1 [dtype=int32]
      set %after [var=$left]
    })");
  EXPECT_EQ(read.range("before"), "[?, ?]");
}

TEST(Facts, what_may_be_a_hash_may_have_wrapped) {
  const Read read(R"(
    %big: const<int, 1664525> = literal [literal=1664525]
    %hash: tile<int32, []> = mul %pid, %big [dtype=int32]
    %more: tile<int32, []> = add %hash, %1 [dtype=int32]
    %shifted: tile<int32, []> = shl %dim, %1 [dtype=int32]
    set %1 [var=$h]
    for %0, %dim, %1 (%i: tile<int32, []>) {
      %h: tile<int32, []> = get [var=$h]
      %31: const<int, 31> = literal [literal=31]
      %p: tile<int32, []> = mul %h, %31 [dtype=int32]
      set %p [var=$h]
    }
    %unsigned: tile<uint32, []> = cast %n [dtype=uint32]
    %uhash: tile<uint32, []> = mul %unsigned, %big [dtype=uint32])");
  EXPECT_EQ(read.range("hash"), "[?, ?]");
  EXPECT_EQ(read.range("more"), "[?, ?]");
  EXPECT_EQ(read.range("shifted"), "[?, ?]");
  EXPECT_EQ(read.range("p"), "[?, ?]");
  EXPECT_EQ(read.range("uhash"), "[0, 4294967295]");
}

TEST(Facts, conversions_keep_what_fits) {
  const Read read(R"(
    %wide: tile<int64, []> = cast %dim [dtype=int64]
    %narrow: tile<int8, []> = cast %dim [dtype=int8]
    %real: tile<float32, []> = cast %dim [dtype=float32]
    %back: tile<int32, []> = cast %real [dtype=int32]
    %flag: tile<bool_, []> = lt %n, %1 [dtype=int32]
    %number: tile<int32, []> = cast %flag [dtype=int32])");
  EXPECT_EQ(read.range("wide"), "[0, ?]");
  EXPECT_EQ(read.range("narrow"), "[?, ?]");
  EXPECT_EQ(read.range("back"), "[?, ?]");
  EXPECT_EQ(read.range("number"), "[0, 1]");
}

TEST(Facts, a_branch_knows_its_condition) {
  const Read read(R"(
    %flag: tile<bool_, []> = ge %n, %0 [dtype=int32]
    if %flag {
      %in: tile<int32, []> = add %n, %1 [dtype=int32]
    } {
      %out: tile<int32, []> = add %n, %1 [dtype=int32]
    }
    %behind: tile<int32, []> = add %n, %1 [dtype=int32])");
  EXPECT_EQ(read.range("in"), "[1, ?]");
  EXPECT_EQ(read.range("out"), "[?, 0]");
  EXPECT_EQ(read.range("behind"), "[?, ?]");
}

TEST(Facts, helpers_are_judged_by_all_their_calls) {
  const std::string helper = R"(helper @h {
    param tile x = %x: tile<int32, []>
    returns tile<int32, []>
    body {
      %one: const<int, 1> = literal [literal=1]
      %y: tile<int32, []> = add %x, %one [dtype=int32]
      return %y
    }
  }
)";
  const Read good("%a: tile<int32, []> = call %pid [function=@h]\n%b: tile<int32, []> = call %dim [function=@h]", helper);
  EXPECT_EQ(good.range("x"), "[0, ?]");
  EXPECT_EQ(good.range("a"), "[1, 16777215]") << "each call by its own arguments";
  const Read bad("%a: tile<int32, []> = call %pid [function=@h]\n%b: tile<int32, []> = call %n [function=@h]", helper);
  EXPECT_EQ(bad.range("y"), "[?, ?]");
  EXPECT_EQ(bad.range("a"), "[1, 16777215]");
}

// The walk over output tiles a few rows at a time, as everybody writes it.
const std::string grouped = R"(
    %rows: tile<int32, []> = array_dim %X
    %columns: tile<int32, []> = array_dim %X [axis=1]
    %all: tile<int32, []> = mul %rows, %columns [dtype=int32]
    %programs: tile<int32, []> = num_programs
    for %pid, %all, %programs (%tile: tile<int32, []>) {
      %in_group: tile<int32, []> = mul %G, %columns [dtype=int32]
      %group: tile<int32, []> = floor_div %tile, %in_group [dtype=int32]
      %first: tile<int32, []> = mul %group, %G [dtype=int32]
      %left: tile<int32, []> = sub %rows, %first [dtype=int32]
      %height: tile<int32, []> = min %left, %G [dtype=int32]
      %row: tile<int32, []> = floor_mod %tile, %height [dtype=int32]
    })";

TEST(Facts, a_grouped_walk_is_proved_if_the_size_of_a_group_is_not_negative) {
  const Read read(grouped);
  EXPECT_EQ(read.range("left"), "[?, ?]") << "for certain nothing is known: G may be negative";
  EXPECT_EQ(read.proof("group"), "holds if G >= 0");
  EXPECT_EQ(read.proof("row"), "holds if G >= 0");
}

TEST(Facts, a_grouped_walk_without_a_bound_is_not_proved) {
  std::string body = grouped;
  body.replace(body.find("for %pid, %all"), 14, "for %pid, %n");
  EXPECT_EQ(Read(body).proof("row"), "not: left");
}

TEST(Facts, a_grouped_walk_over_the_grid_asks_for_the_size_of_the_grid) {
  const std::string tile = R"(
    %rows: tile<int32, []> = array_dim %X
    %columns: tile<int32, []> = array_dim %X [axis=1]
    %in_group: tile<int32, []> = mul %G, %columns [dtype=int32]
    %group: tile<int32, []> = floor_div %pid, %in_group [dtype=int32]
    %first: tile<int32, []> = mul %group, %G [dtype=int32]
    %left: tile<int32, []> = sub %rows, %first [dtype=int32]
    %height: tile<int32, []> = min %left, %G [dtype=int32]
    %row: tile<int32, []> = floor_mod %pid, %height [dtype=int32])";
  EXPECT_EQ(Read(tile).proof("group"), "holds if G >= 0") << "nothing is asked that is not needed";
  EXPECT_EQ(Read(tile).proof("row"), "holds if \"grid[0]\" <= \"X.shape[0]\" * \"X.shape[1]\" if G >= 0");
  std::string sliced = tile;
  const size_t at = sliced.find("array_dim %X");
  sliced.insert(sliced.find("    %rows"), "    %S: array<elem(0), 2> = array_slice %X, %0, %dim\n");
  sliced.replace(sliced.find("array_dim %X", at), 12, "array_dim %S");
  EXPECT_EQ(Read(sliced).proof("row"), "not: left") << "the launch does not know the extent of a slice";
}

TEST(Facts, a_number_that_is_divided_by_is_a_size) {
  EXPECT_EQ(Read("%q: tile<int32, []> = floor_div %pid, %n [dtype=int32]").proof("q"), "holds if n >= 0");
  EXPECT_EQ(Read("%q: tile<int32, []> = ceil_div %n, %pid [dtype=int32]").proof("q"), "holds if n >= 0");
  EXPECT_EQ(Read("%q: tile<int32, []> = floor_div %n, %pid [dtype=int32]").proof("q"), "not: n");
  EXPECT_EQ(Read("if %F { %c: tile<int32, []> = ceil_div %n, %pid [dtype=int32] } { }\n%q: tile<int32, []> = floor_div %n, %pid "
                 "[dtype=int32]")
                .proof("q"),
            "not: n")
      << "not in every launch";
}

TEST(Facts, no_condition_is_asked_of_a_launch_for_code_that_it_may_not_have) {
  EXPECT_EQ(Read("%q: tile<int32, []> = floor_div %pid, %G [dtype=int32]").proof("q"), "holds if G >= 0");
  EXPECT_EQ(Read("if %F { %q: tile<int32, []> = floor_div %pid, %G [dtype=int32] } { }").proof("q"), "not: G");
  EXPECT_EQ(Read("if %n { %q: tile<int32, []> = floor_div %pid, %G [dtype=int32] } { }").proof("q"), "holds if G >= 0");
}

TEST(Facts, what_is_asked_of_all_launches_may_be_used_everywhere) {
  EXPECT_EQ(Read("%p: tile<int32, []> = floor_div %pid, %G [dtype=int32]\nif %F { %q: tile<int32, []> = floor_mod %pid, %G "
                 "[dtype=int32] } { }")
                .proof("q"),
            "holds if G >= 0");
}

TEST(Facts, nothing_is_asked_for_what_holds_anyway) {
  const std::string size = "%tiles: tile<int32, []> = ceil_div %n, %pid [dtype=int32]\n";
  EXPECT_EQ(
      Read(size + "%most: tile<int32, []> = max %n, %0 [dtype=int32]\n%q: tile<int32, []> = floor_div %most, %G [dtype=int32]")
          .proof("q"),
      "holds if G >= 0");
  EXPECT_EQ(
      Read(size + "for %0, %n, %1 (%i: tile<int32, []>) {\n%q: tile<int32, []> = floor_div %i, %G [dtype=int32] }").proof("q"),
      "holds if G >= 0")
      << "the variable of a loop is not negative, however often it runs";
}

TEST(Facts, what_a_branch_knows_by_a_hope_is_asked_for) {
  EXPECT_EQ(Read(R"(
    %tiles: tile<int32, []> = ceil_div %n, %pid [dtype=int32]
    %rest: tile<int32, []> = sub %dim, %n [dtype=int32]
    %iota: tile<int32, [T]> = iota %T [dtype=int32]
    %flag: tile<bool_, []> = le %n, %rest [dtype=int32]
    if %flag {
      %q: tile<int32, []> = floor_div %rest, %T [dtype=int32]
    })")
                .proof("q"),
            "holds if n >= 0");
}

TEST(Facts, a_loaded_number_is_where_a_proof_ends) {
  EXPECT_EQ(Read(R"(
    %loaded: tile<elem(0), []> = gather %X, %pid, %pid [rank=2]
    %length: tile<int32, []> = cast %loaded [dtype=int32]
    %more: tile<int32, []> = add %length, %pid [dtype=int32]
    %q: tile<int32, []> = floor_div %more, %T [dtype=int32])")
                .proof("q"),
            "not: loaded");
}

TEST(Facts, many_calls_of_calls_take_no_time) {
  std::string helpers = "helper @h0 { param tile x = %x: tile<int32, []>\n returns tile<int32, []>\n body { return %x } }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string callee = "[function=@h" + std::to_string(i - 1) + "]";
    helpers += "helper @h" + std::to_string(i) +
               " { param tile x = %x: tile<int32, []>\n returns tile<int32, []>\n body {\n %a: tile<int32, []> = call %x " +
               callee + "\n %b: tile<int32, []> = call %x " + callee +
               "\n %c: tile<int32, []> = add %a, %b [dtype=int32]\n return %c } }\n";
  }
  EXPECT_EQ(Read("%q: tile<int32, []> = call %pid [function=@h39]", helpers).range("q"), "[0, ?]");
}

TEST(Facts, readers_that_tell_a_negative_number_from_0_are_found) {
  const Read read(R"(
    %begin: tile<int32, []> = copy %n
    %stop: tile<int32, []> = copy %n
    %first: tile<int32, []> = copy %n
    %least: tile<int32, []> = min %first, %dim [dtype=int32]
    %index: tile<int32, []> = copy %n
    %also: tile<int32, []> = max %index, %least [dtype=int32]
    %capped: tile<int32, []> = copy %n
    %natural: tile<int32, []> = max %capped, %0 [dtype=int32]
    for %0, %stop, %1 (%j: tile<int32, []>) {
      %from: tile<bool_, []> = ge %j, %least [dtype=int32]
      if %from {
        %x: tile<elem(0), [T, T]> = load_tile %X, %also, %natural, %T, %T [rank=2]
      }
      for %begin, %stop, %1 (%i: tile<int32, []>) {
        mark
      }
    })");
  ASSERT_EQ(read.trouble, "");
  const Facts facts(read.program);
  const auto counts = [&](const std::string& name) { return facts.only_above_zero_counts(read.value(name)); };
  EXPECT_FALSE(counts("begin")) << "a loop begins there";
  EXPECT_FALSE(counts("stop")) << "one of its loops begins who knows where";
  EXPECT_FALSE(counts("index")) << "by way of a maximum it is an index";
  EXPECT_FALSE(counts("least")) << "so is this one";
  EXPECT_FALSE(counts("first"));
  EXPECT_TRUE(counts("capped"));
}

TEST(Facts, of_iterations_only_those_above_0_count) {
  const Read read(R"(
    %stop: tile<int32, []> = copy %n
    %first: tile<int32, []> = copy %n
    %least: tile<int32, []> = min %first, %dim [dtype=int32]
    for %0, %stop, %1 (%j: tile<int32, []>) {
      %from: tile<bool_, []> = ge %j, %least [dtype=int32]
      %before: tile<bool_, []> = lt %j, %first [dtype=int32]
    })");
  ASSERT_EQ(read.trouble, "");
  const Facts facts(read.program);
  for (const char* name : {"stop", "first", "least"}) EXPECT_TRUE(facts.only_above_zero_counts(read.value(name))) << name;
}

}  // namespace
}  // namespace tilewright::analysis
