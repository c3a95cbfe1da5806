// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What kernels look like where threads wait is in tests/whole/kernels/memory_order.py; here is what cannot be told from there.

#include "back/triton/hazards.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace tilewright::back::triton {
namespace {

// The numbers of the statements that have a barrier before them, of a kernel with arrays X, Y and scalars i, n.
std::string waits(const std::string& ops) {
  const std::string text = R"(kernel @k {
  param array X = %X: array<float32, 1>
  param array Y = %Y: array<float32, 1>
  param scalar i = %i: tile<int32, []>
  param scalar n = %n: tile<int32, []>
  body {
    %0: const<int, 0> = literal [literal=0] !0/-
    %1: const<int, 1> = literal [literal=1] !0/-
    %2: const<int, 2> = literal [literal=2] !0/-
    %8: const<int, 8> = literal [literal=8] !0/-
    %j: tile<int32, []> = add %i, %1 [dtype=int32] !0/-
)" + ops + "  }\n}\n";
  const Result<ir::Program> program = ir::parse(text);
  if (!program.ok()) return program.reason();
  std::string out;
  for (const ir::OpId op : hazards(*program, uses_of(*program)).barriers)
    out += (out.empty() ? "" : " ") + std::to_string(program->ops[op].statement.index);
  return out;
}

struct Case {
  const char* name;
  const char* ops;
  const char* waits;
};

class Waits : public testing::TestWithParam<Case> {};

TEST_P(Waits, stand_there) { EXPECT_EQ(waits(GetParam().ops), GetParam().waits); }

constexpr Case cases[] = {
    {"not_for_a_load_whose_value_goes_nowhere", R"(
    %x: tile<float32, [8]> = load_tile %X, %i, %8 [rank=1] !1/-
    %y: tile<float32, [8]> = load_tile %Y, %i, %8 [rank=1] !2/-
    store_tile %X, %j, %y [rank=1] !3/-
    %z: tile<float32, [8]> = load_tile %X, %n, %8 [rank=1] !4/-
)",
     ""},
    {"not_for_a_store_that_comes_round_to_its_place_or_to_another_tile", R"(
    set %0 [var=$at] !1/-
    while !2/- {
      %a: tile<int32, []> = get [var=$at] !2/-
      %b: tile<bool_, []> = lt %a, %n [dtype=int32] !2/-
      yield %b !2/-
    } {
      %c: tile<int32, []> = get [var=$at] !3/-
      %x: tile<float32, [8]> = load_tile %Y, %c, %8 [rank=1] !3/-
      store_tile %X, %c, %x [rank=1] !4/-
      %d: tile<int32, []> = floor_div %n, %c [dtype=int32] !5/-
      set %d [var=$at] !5/-
    }
)",
     ""},
    {"for_a_load_of_what_may_have_been_stored_the_time_before", R"(
    set %0 [var=$at] !1/-
    while !2/- {
      %a: tile<int32, []> = get [var=$at] !2/-
      %b: tile<bool_, []> = lt %a, %n [dtype=int32] !2/-
      yield %b !2/-
    } {
      %c: tile<int32, []> = get [var=$at] !3/-
      %x: tile<float32, [8]> = load_tile %X, %c, %8 [rank=1] !3/-
      store_tile %X, %c, %x [rank=1] !4/-
      %d: tile<int32, []> = add %c, %1 [dtype=int32] !5/-
      set %d [var=$at] !5/-
    }
)",
     "3"},
    {"once_before_a_loop_that_stores_what_was_read_before_it", R"(
    %x: tile<float32, [8]> = load_tile %X, %n, %8 [rank=1] !1/-
    for %0, %n, %1 !2/- (%k: tile<int32, []>) {
      store_tile %X, %k, %x [rank=1] !3/-
    }
)",
     "2"},
    {"in_the_branch_that_needs_it", R"(
    %x: tile<float32, [8]> = load_tile %X, %i, %8 [rank=1] !1/-
    store_tile %X, %i, %x [rank=1] !2/-
    %b: tile<bool_, []> = lt %i, %n [dtype=int32] !3/-
    if %b !3/- {
      %y: tile<float32, [8]> = load_tile %X, %i, %8 [rank=1] !4/-
      store_tile %Y, %i, %y [rank=1] !5/-
    } {
    }
)",
     "4"},
    {"for_an_array_that_may_be_one_or_the_other", R"(
    %x: tile<float32, [8]> = load_tile %X, %i, %8 [rank=1] !1/-
    %b: tile<bool_, []> = lt %i, %n [dtype=int32] !2/-
    if %b !2/- {
      set %X [var=$A] !3/-
    } {
      set %Y [var=$A] !4/-
    }
    %A: array<float32, 1> = get [var=$A] !5/-
    store_tile %A, %j, %x [rank=1] !5/-
)",
     "5"},
    {"for_slices_that_begin_anywhere", R"(
    %A: array<float32, 1> = array_slice %X, %i, %n [axis=0] !1/-
    %x: tile<float32, [8]> = load_tile %A, %0, %8 [rank=1] !2/-
    store_tile %X, %1, %x [rank=1] !3/-
)",
     "3"},
    {"not_for_slices_of_one_beginning", R"(
    %A: array<float32, 1> = array_slice %X, %i, %n [axis=0] !1/-
    %B: array<float32, 1> = array_slice %X, %i, %n [axis=0] !1/-
    %x: tile<float32, [8]> = load_tile %A, %0, %8 [rank=1] !2/-
    store_tile %B, %1, %x [rank=1] !3/-
)",
     ""},
    {"for_a_value_that_decides_a_branch", R"(
    %x: tile<float32, []> = load_tile %X, %i, %1 [rank=1] !1/-
    %b: tile<bool_, []> = lt %x, %0 [dtype=float32] !2/-
    store_tile %X, %i, %x [rank=1] !3/-
    if %b !4/- {
      store_tile %Y, %i, %x [rank=1] !5/-
    } {
    }
)",
     "3"},
};

INSTANTIATE_TEST_SUITE_P(Hazards, Waits, testing::ValuesIn(cases), [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace tilewright::back::triton
