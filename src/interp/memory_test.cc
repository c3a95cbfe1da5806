// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <numeric>

#include "interp/test_program.h"

namespace tilewright::interp {
namespace {

using Ints = std::vector<int32_t>;

const std::string numbers = R"(
    %0: const<int, 0> = literal [literal=0]
    %1: const<int, 1> = literal [literal=1]
    %2: const<int, 2> = literal [literal=2]
    %4: const<int, 4> = literal [literal=4]
    %8: const<int, 8> = literal [literal=8]
)";

Ints counted(int32_t count) {
  Ints out(static_cast<size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

TEST(Interp, a_tile_inside_of_its_array_is_copied_in_and_out) {
  Ints x = counted(8);
  Ints out(8, -1);
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %i: tile<int32, []> = program_id
    %x: tile<int32, [4]> = load_tile %a, %i, %4 [rank=1]
    store_tile %b, %i, %x [rank=1])",
                     {2, 1, 1}),
            "");
  EXPECT_EQ(out, x);
}

TEST(Interp, elements_outside_are_padding_and_are_not_stored) {
  Ints x = counted(6);
  Ints out(7, -1);
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %x: tile<int32, [8]> = load_tile %a, %0, %8 [rank=1, padding=zero]
    store_tile %b, %0, %x [rank=1])"),
            "");
  EXPECT_EQ(out, (Ints{0, 1, 2, 3, 4, 5, 0}));
}

TEST(Interp, a_tile_that_is_stored_wholly_outside_is_told_and_one_that_is_loaded_there_is_padding) {
  Ints x(4);
  Ints out(8, -1);
  const auto stored_at = [](const std::string& index) {
    return numbers +
           "    %i: tile<int32, []> = program_id\n    %x: tile<int32, [4]> = load_tile %a, %1, %4 [rank=1, padding=zero]\n" +
           "    store_tile %b, " + index + ", %x [rank=1]";
  };
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, stored_at("%i"), {2, 1, 1}), "");
  EXPECT_EQ(out, Ints(8, 0));
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, stored_at("%i"), {3, 1, 1}),
            "TW412: a tile is stored wholly outside of `b`: at tile index 2 on axis 0, whose extent is 8 (in program (2, 0, 0))");
  EXPECT_EQ(
      run_over({array_of(x), array_of(out)},
               numbers + "    %n: tile<int32, []> = sub %0, %1 [dtype=int32]\n" + stored_at("%n").substr(numbers.size())),
      "TW412: a tile is stored wholly outside of `b`: at tile index -1 on axis 0, whose extent is 8 (in program (0, 0, 0))");
  EXPECT_EQ(run_over({array_of(x, {2, 2}), array_of(out, {2, 4})}, numbers + R"(
    %x: tile<int32, [4, 2]> = load_tile %a, %0, %0, %4, %2 [rank=2, padding=zero]
    store_tile %b, %0, %1, %x [rank=2, order=(1, 0)])"),
            "TW412: a tile is stored wholly outside of `b`: at tile index 1 on axis 0, whose extent is 2 (in program (0, 0, 0))");
}

TEST(Interp, paddings_are_what_they_are_called) {
  const std::vector<std::pair<std::string, uint32_t>> paddings{
      {"zero", 0}, {"neg_zero", 0x80000000u}, {"pos_inf", 0x7f800000u}, {"neg_inf", 0xff800000u}};
  for (const auto& [name, bits] : paddings) {
    std::vector<float> x{5};
    std::vector<float> out(2);
    EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %x: tile<float32, [2]> = load_tile %a, %0, %2 [rank=1, padding=)" +
                                                         name + R"(]
    store_tile %b, %0, %x [rank=1])"),
              "");
    EXPECT_EQ(out[0], 5) << name;
    EXPECT_EQ(std::bit_cast<uint32_t>(out[1]), bits) << name;
  }
}

TEST(Interp, order_says_which_axis_of_the_array_an_axis_of_the_tile_is) {
  Ints x = counted(6);  // [2, 3]
  Ints out(8, -1);
  EXPECT_EQ(run_over({array_of(x, {2, 3}), array_of(out, {4, 2})}, numbers + R"(
    %x: tile<int32, [4, 2]> = load_tile %a, %0, %0, %4, %2 [rank=2, order=(1, 0), padding=zero]
    store_tile %b, %0, %0, %x [rank=2])"),
            "");
  EXPECT_EQ(out, (Ints{0, 3, 1, 4, 2, 5, 0, 0}));
}

TEST(Interp, strides_need_not_be_those_of_a_contiguous_array) {
  Ints x = counted(12);
  Ints out(4, -1);
  const Array every_third = array_over(x.data(), ir::Scalar::I32, {4}, {3});
  EXPECT_EQ(run_over({every_third, array_of(out)}, numbers + R"(
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    store_tile %b, %0, %x [rank=1])"),
            "");
  EXPECT_EQ(out, (Ints{0, 3, 6, 9}));
}

TEST(Interp, an_array_without_elements_is_not_touched) {
  Ints x;
  Ints out(2, -1);
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %x: tile<int32, [2]> = load_tile %a, %0, %2 [rank=1, padding=zero]
    store_tile %b, %0, %x [rank=1])"),
            "");
  EXPECT_EQ(out, (Ints{0, 0}));
  EXPECT_EQ(run_over({array_of(x)}, numbers + "    store_tile %a, %0, %1 [rank=1]"), "");
  EXPECT_EQ(run_over({array_of(x)}, numbers + "    store_tile %a, %1, %1 [rank=1]"),
            "TW412: a tile is stored wholly outside of `a`: at tile index 1 on axis 0, whose extent is 0 (in program (0, 0, 0))");
}

TEST(Interp, a_tile_that_promises_to_be_inside_and_is_not_stops_the_program) {
  Ints x = counted(6);
  EXPECT_EQ(run_over({array_of(x)}, numbers + R"(
    %i: tile<int32, []> = program_id
    %x: tile<int32, [4]> = load_tile %a, %i, %4 [rank=1, bounds=never])",
                     {2, 1, 1}),
            "TW401: a tile is loaded from outside of `a`: index 6 on axis 0, whose extent is 6 (in program (1, 0, 0))");
}

const std::string gathered = numbers + R"(
    %i: tile<int32, [4]> = load_tile %b, %0, %4 [rank=1]
    %r: tile<int32, [4]> = )";

TEST(Interp, lanes_outside_of_a_gather_are_padding_also_with_negative_indices) {
  Ints x = counted(3);
  Ints index{2, -1, 3, 0};
  Ints out(4, -1);
  EXPECT_EQ(run_over({array_of(x), array_of(index), array_of(out)},
                     gathered + "gather %a, %i [rank=1]\n store_tile %c, %0, %r [rank=1]"),
            "");
  EXPECT_EQ(out, (Ints{2, 0, 0, 0}));
  EXPECT_EQ(run_over({array_of(x), array_of(index), array_of(out)},
                     gathered + "gather %a, %i, %8 [rank=1, has_padding=true]\n store_tile %c, %0, %r [rank=1]"),
            "");
  EXPECT_EQ(out, (Ints{2, 8, 8, 0}));
}

TEST(Interp, a_lane_that_nothing_tests_stops_the_program_unless_it_is_masked) {
  Ints x = counted(3);
  Ints index{2, 1, 3, 0};
  Ints out(4, -1);
  EXPECT_EQ(run_over({array_of(x), array_of(index), array_of(out)}, gathered + "gather %a, %i [rank=1, bounds=never]"),
            "TW401: a lane reads outside of `a`: index 3 on axis 0, whose extent is 3 (in program (0, 0, 0), lane (2))");
  EXPECT_EQ(run_over({array_of(x), array_of(index), array_of(out)}, numbers + R"(
    %i: tile<int32, [4]> = load_tile %b, %0, %4 [rank=1]
    %n: tile<int32, []> = array_dim %a
    %m: tile<bool_, [4]> = lt %i, %n [dtype=int32]
    %r: tile<int32, [4]> = gather %a, %i, %m [rank=1, bounds=never, has_mask=true]
    store_tile %c, %0, %r [rank=1])"),
            "");
  EXPECT_EQ(out, (Ints{2, 1, 0, 0}));
}

TEST(Interp, a_slice_moves_the_base_and_cannot_leave_the_memory_of_its_array) {
  Ints x = counted(6);
  Ints out(4, -1);
  const auto sliced = [](const std::string& stop) {
    return numbers + "    %part: array<int32, 1> = array_slice %a, %2, %" + stop + R"(
    %x: tile<int32, [4]> = load_tile %part, %0, %4 [rank=1, padding=zero]
    store_tile %b, %0, %x [rank=1])";
  };
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, sliced("4")), "");
  EXPECT_EQ(out, (Ints{2, 3, 0, 0}));
  x.resize(5);
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, sliced("8")),
            "TW402: a tile is loaded from outside of the memory of the array that `part` is a slice of (in program (0, 0, 0))");
}

TEST(Interp, atomic_sums_of_all_programs_arrive_whatever_the_number_of_threads) {
  for (const unsigned threads : {1u, 4u}) {
    Ints out(1);
    EXPECT_EQ(run_over({array_of(out)}, numbers + R"(
    %i: tile<int32, []> = program_id
    %old: tile<int32, []> = atomic_rmw %a, %0, %i [rank=1, atomic=add])",
                       {1000, 1, 1}, {.threads = threads}),
              "");
    EXPECT_EQ(out[0], 499500);
  }
}

TEST(Interp, an_atomic_update_gives_the_old_value) {
  Ints x{5, 7};
  Ints out(2, -1);
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %i: tile<int32, [2]> = iota %2 [dtype=int32]
    %old: tile<int32, [2]> = atomic_rmw %a, %i, %8 [rank=1, atomic=max]
    %n: tile<int32, [2]> = atomic_cas %a, %i, %8, %1 [rank=1]
    store_tile %b, %0, %old [rank=1])"),
            "");
  EXPECT_EQ(x, (Ints{1, 1}));
  EXPECT_EQ(out, (Ints{5, 7}));
}

}  // namespace
}  // namespace tilewright::interp
