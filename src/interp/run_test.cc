// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/run.h"

#include "interp/test_program.h"

namespace tilewright::interp {
namespace {

using Ints = std::vector<int32_t>;

const std::string numbers = R"(
    %0: const<int, 0> = literal [literal=0]
    %1: const<int, 1> = literal [literal=1]
    %4: const<int, 4> = literal [literal=4]
)";

TEST(Interp, a_grid_with_a_zero_runs_nothing) {
  Ints out(1, -1);
  EXPECT_EQ(run_over({array_of(out)}, numbers + "    store_tile %a, %0, %1 [rank=1]", {3, 0, 1}), "");
  EXPECT_EQ(out[0], -1);
}

TEST(Interp, every_program_of_the_grid_runs_once_on_any_number_of_threads) {
  for (const unsigned threads : {1u, 3u}) {
    Ints out(5 * 3 * 2);
    EXPECT_EQ(run_over({array_of(out, {2, 3, 5})}, numbers + R"(
    %x: tile<int32, []> = program_id
    %y: tile<int32, []> = program_id [axis=1]
    %z: tile<int32, []> = program_id [axis=2]
    %n: tile<int32, []> = num_programs [axis=1]
    %old: tile<int32, []> = gather %a, %z, %y, %x [rank=3]
    %s: tile<int32, []> = add %old, %n [dtype=int32]
    scatter %a, %z, %y, %x, %s [rank=3])",
                       {5, 3, 2}, {.threads = threads}),
              "");
    EXPECT_EQ(out, Ints(30, 3));
  }
}

TEST(Interp, loops_run_from_start_to_stop_and_can_be_left) {
  Ints out(2);
  EXPECT_EQ(run_over({array_of(out)}, numbers + R"(
    %10: const<int, 10> = literal [literal=10]
    set %0 [var=$s]
    for %1, %10, %4 (%i: tile<int32, []>) {
      %s: tile<int32, []> = get [var=$s]
      %t: tile<int32, []> = add %s, %i [dtype=int32]
      set %t [var=$s]
    }
    %r: tile<int32, []> = get [var=$s]
    scatter %a, %0, %r [rank=1]
    for %0, %10, %1 (%j: tile<int32, []>) {
      %big: tile<bool_, []> = gt %j, %4 [dtype=int32]
      if %big {
        break
      }
      scatter %a, %1, %j [rank=1]
    })"),
            "");
  EXPECT_EQ(out, (Ints{1 + 5 + 9, 4}));
}

TEST(Interp, a_loop_that_does_not_end_stops_the_program) {
  Ints out(1);
  EXPECT_EQ(run_over({array_of(out)}, numbers + R"(
    while {
      %x: tile<int32, []> = gather %a, %0 [rank=1]
      %c: tile<bool_, []> = eq %x, %0 [dtype=int32]
      yield %c
    } {
    })",
                     {1, 1, 1}, {.threads = 1, .iterations = 1000}),
            "TW403: this loop does not end: it has run 1000 times (in program (0, 0, 0))");
}

TEST(Interp, the_first_program_that_goes_wrong_is_told_whatever_the_number_of_threads) {
  for (const unsigned threads : {1u, 4u}) {
    Ints x(50);
    EXPECT_EQ(run_over({array_of(x)}, numbers + R"(
    %i: tile<int32, []> = program_id
    %x: tile<int32, []> = gather %a, %i [rank=1, bounds=never])",
                       {1000, 1, 1}, {.threads = threads}),
              "TW401: a lane reads outside of `a`: index 50 on axis 0, whose extent is 50 (in program (50, 0, 0))");
  }
}

const Options races{.watch = Watch::Races};

TEST(InterpRaces, programs_that_touch_their_own_elements_or_only_read_are_no_race) {
  Ints x(1, 3);
  Ints out(16);
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %i: tile<int32, []> = program_id
    %x: tile<int32, []> = load_tile %a, %0, %1 [rank=1]
    %y: tile<int32, [4]> = load_tile %b, %i, %4 [rank=1]
    %z: tile<int32, [4]> = add %x, %y [dtype=int32]
    store_tile %b, %i, %z [rank=1])",
                     {4, 1, 1}, races),
            "");
}

TEST(InterpRaces, programs_that_write_the_same_value_or_update_by_atomics_are_no_race) {
  Ints x(1);
  Ints out(1);
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %old: tile<int32, []> = atomic_rmw %a, %0, %1 [rank=1, atomic=add]
    store_tile %b, %0, %4 [rank=1])",
                     {4, 1, 1}, races),
            "");
}

TEST(InterpRaces, programs_that_write_what_is_there_or_read_it_are_no_race) {
  Ints out(1, 4);
  EXPECT_EQ(run_over({array_of(out)}, numbers + R"(
    %old: tile<int32, []> = gather %a, %0 [rank=1]
    store_tile %a, %0, %4 [rank=1])",
                     {4, 1, 1}, races),
            "");
}

TEST(InterpRaces, an_element_that_one_program_leaves_as_it_is_and_another_writes_is_one) {
  for (const std::string write :
       {"scatter %a, %0, %i [rank=1]", "%old: tile<int32, []> = atomic_rmw %a, %0, %i [rank=1, atomic=add]"}) {
    Ints out(1, 0);
    EXPECT_NE(run_over({array_of(out)}, numbers + R"(
    %i: tile<int32, []> = program_id
    %first: tile<bool_, []> = eq %i, %0 [dtype=int32]
    if %first {
      store_tile %a, %0, %0 [rank=1]
    } {
      )" + write + "\n    }",
                       {2, 1, 1}, races)
                  .find("and written by another program of the grid (in program (1, 0, 0)) (the other program is (0, 0, 0))"),
              std::string::npos)
        << write;
  }
}

TEST(InterpRaces, an_element_that_one_program_updates_by_atomics_and_another_writes_is_one) {
  Ints out(1, 0);
  EXPECT_EQ(
      run_over({array_of(out)}, numbers + R"(
    %i: tile<int32, []> = program_id
    %first: tile<bool_, []> = eq %i, %0 [dtype=int32]
    if %first {
      %old: tile<int32, []> = atomic_rmw %a, %0, %1 [rank=1, atomic=add]
    } {
      store_tile %a, %0, %1 [rank=1]
    })",
               {2, 1, 1}, races),
      "TW410: an element of `a` is written here and updated by another program of the grid (in program (1, 0, 0), lane (0)) (the "
      "other program is (0, 0, 0))");
}

TEST(InterpRaces, an_element_that_two_programs_write_is_one) {
  Ints out(4);
  EXPECT_EQ(
      run_over({array_of(out)}, numbers + R"(
    %i: tile<int32, []> = program_id
    %j: tile<int32, []> = add %i, %1 [dtype=int32]
    scatter %a, %1, %j [rank=1])",
               {4, 1, 1}, races),
      "TW410: an element of `a` is written here and written by another program of the grid (in program (1, 0, 0)) (the other "
      "program is (0, 0, 0))");
}

TEST(InterpRaces, an_element_that_one_program_writes_and_another_reads_is_one) {
  Ints out(8);
  EXPECT_EQ(
      run_over({array_of(out)}, numbers + R"(
    %i: tile<int32, []> = program_id
    %t: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    %u: tile<int32, [4]> = add %t, %1 [dtype=int32]
    store_tile %a, %i, %u [rank=1])",
               {2, 1, 1}, races),
      "TW410: an element of `a` is read here and written by another program of the grid (in program (1, 0, 0), lane (0)) (the "
      "other program is (0, 0, 0))");
}

TEST(Interp, a_run_can_be_cancelled) {
  Ints x(1);
  const Result<ir::Program> program = ir::parse(kernel_over({array_of(x)}, numbers + R"(
    while {
      %c: const<bool, True> = literal [literal=True]
      yield %c
    } {
    })"));
  ASSERT_TRUE(program.ok());
  Options options{.threads = 1, .iterations = int64_t{1} << 60};
  options.is_cancelled = [] { return true; };
  const Report report = run(*program, *ir::kernel_named(*program, "k"), {array_of(x)}, {1, 1, 1}, options);
  EXPECT_TRUE(report.cancelled);
  EXPECT_TRUE(report.diagnostics.empty());
}

TEST(Interp, a_helper_is_called_with_constants_and_tiles) {
  Ints out(1);
  EXPECT_EQ(run_text(R"(helper @twice {
  param tile x = %x: tile<int32, []>
  param constant by = %by: const<int, 4>
  returns tile<int32, []>
  body {
    %y: tile<int32, []> = mul %x, %by [dtype=int32]
    return %y
  }
}
kernel @k {
  param array a = %a: array<int32, 1>
  param scalar n = %n: tile<int32, []>
  body {
    %0: const<int, 0> = literal [literal=0]
    %4: const<int, 4> = literal [literal=4]
    %u: tile<int32, []> = call %n, %4 [function=@twice]
    %v: tile<int32, []> = call %u, %4 [function=@twice]
    scatter %a, %0, %v [rank=1]
  }
}
)",
                     {array_of(out), sym::Value(int64_t{3})}),
            "");
  EXPECT_EQ(out[0], 48);
}

TEST(Interp, dtypes_without_arithmetic_are_refused) {
  std::vector<uint8_t> x(4);
  EXPECT_EQ(
      run_over({array_of(x, {4}, ir::Scalar::F8E8M0)}, numbers + "%x: tile<float8_e8m0fnu, [4]> = load_tile %a, %0, %4 [rank=1]"),
      "TW405: the interpreter has no arithmetic on float8_e8m0fnu");
}

}  // namespace
}  // namespace tilewright::interp
