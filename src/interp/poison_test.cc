// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The number system `poison`: elements that have no meaning, and memory that nothing has written.

#include <numeric>

#include "interp/test_program.h"

namespace tilewright::interp {
namespace {

using Ints = std::vector<int32_t>;

const Options poison{.numbers = Numbers::Poison, .threads = 1};

const std::string numbers = R"(
    %0: const<int, 0> = literal [literal=0]
    %1: const<int, 1> = literal [literal=1]
    %2: const<int, 2> = literal [literal=2]
    %4: const<int, 4> = literal [literal=4]
)";

Ints counted(int32_t count) {
  Ints out(static_cast<size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// An array of which only the first elements are written; its marks outlive the run.
struct HalfWritten {
  Ints elements;
  std::vector<uint8_t> marks;

  HalfWritten(size_t written, size_t count) : elements(count, 7), marks(count * sizeof(int32_t), 1) {
    std::fill_n(marks.begin(), written * sizeof(int32_t), uint8_t{0});
  }

  Array array() {
    Array out = array_of(elements);
    out.unwritten = marks.data();
    return out;
  }

  size_t unwritten() const { return static_cast<size_t>(std::count(marks.begin(), marks.end(), 1)) / sizeof(int32_t); }
};

std::string run_poisoned(const std::vector<Array>& arrays, const std::string& body, const Grid& grid = {1, 1, 1}) {
  return run_over(arrays, numbers + body, grid, poison);
}

TEST(InterpPoison, padding_that_is_masked_off_before_it_counts_is_no_mistake) {
  Ints x = counted(3);
  Ints out(1, -1);
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    %i: tile<int32, [4]> = iota %4 [dtype=int32]
    %n: tile<int32, []> = array_dim %a
    %m: tile<bool_, [4]> = lt %i, %n [dtype=int32]
    %y: tile<int32, [4]> = where %m, %x, %0 [dtype=int32]
    %s: tile<int32, []> = reduce %y [reduction=sum, axes=(0)]
    store_tile %b, %0, %s [rank=1])",
                     {1, 1, 1}, poison),
            "");
  EXPECT_EQ(out[0], 3);
}

TEST(InterpPoison, what_a_select_does_not_choose_and_what_a_false_mask_does_not_store_is_no_mistake) {
  HalfWritten x(2, 4);
  Ints out(4, -1);
  EXPECT_EQ(run_poisoned({x.array(), array_of(out)}, R"(
    %i: tile<int32, [4]> = iota %4 [dtype=int32]
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    %m: tile<bool_, [4]> = lt %i, %2 [dtype=int32]
    %y: tile<int32, [4]> = where %m, %x, %i [dtype=int32]
    store_tile %b, %0, %y [rank=1]
    scatter %b, %i, %x, %m [rank=1, has_mask=true])"),
            "");
  EXPECT_EQ(out, (Ints{7, 7, 2, 3}));
}

TEST(InterpPoison, an_index_of_a_lane_that_is_masked_off_need_not_have_a_meaning) {
  HalfWritten x(2, 4);
  std::fill(x.elements.begin(), x.elements.end(), 1);
  Ints out(4, -1);
  EXPECT_EQ(run_poisoned({x.array(), array_of(out)}, R"(
    %i: tile<int32, [4]> = iota %4 [dtype=int32]
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    %m: tile<bool_, [4]> = lt %i, %2 [dtype=int32]
    %y: tile<int32, [4]> = gather %b, %x, %0, %m [rank=1, has_padding=true, has_mask=true]
    store_tile %b, %0, %y [rank=1])"),
            "");
  EXPECT_EQ(out, (Ints{-1, -1, 0, 0}));
}

TEST(InterpPoison, memory_is_written_by_stores_scatters_and_exchanges_and_then_read_by_this_launch_and_the_next) {
  HalfWritten x(0, 8);
  const std::string write = R"(
    %i: tile<int32, [2]> = iota %2 [dtype=int32]
    %j: tile<int32, [2]> = add %i, %4 [dtype=int32]
    %x: tile<int32, [4]> = full %4, %1 [dtype=int32, rank=1]
    store_tile %a, %0, %x [rank=1]
    scatter %a, %j, %j [rank=1]
    %n: tile<int32, []> = array_dim %a
    %k: tile<int32, []> = sub %n, %1 [dtype=int32]
    %old: tile<int32, []> = atomic_rmw %a, %k, %2 [rank=1, atomic=exchange]
    %new: tile<int32, []> = atomic_rmw %a, %k, %2 [rank=1, atomic=exchange]
    scatter %a, %0, %new [rank=1])";
  EXPECT_EQ(run_poisoned({x.array()}, write), "");
  EXPECT_EQ(x.unwritten(), 1u);
  Ints out(4);
  EXPECT_EQ(run_poisoned({x.array(), array_of(out)}, R"(
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    store_tile %b, %0, %x [rank=1])"),
            "");
  EXPECT_EQ(out, (Ints{2, 1, 1, 1}));
}

TEST(InterpPoison, memory_that_nothing_has_written_is_only_memory_in_ieee) {
  HalfWritten x(0, 4);
  Ints out(4);
  EXPECT_EQ(run_over({x.array(), array_of(out)}, numbers + R"(
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    store_tile %b, %0, %x [rank=1])"),
            "");
  EXPECT_EQ(out, x.elements);
}

TEST(InterpPoison, undetermined_padding_is_found_where_it_is_stored) {
  Ints x = counted(3);
  Ints out(4, -1);
  const std::string body = numbers + R"(
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    %y: tile<int32, [4]> = add %x, %1 [dtype=int32]
    store_tile %b, %0, %y [rank=1])";
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, body), "");
  EXPECT_EQ(
      run_over({array_of(x), array_of(out)}, body, {1, 1, 1}, poison),
      "TW404: a value that has no meaning is stored <undetermined padding is loaded here> (in program (0, 0, 0), lane (3))");
}

TEST(InterpPoison, undetermined_padding_is_found_where_it_decides_or_becomes_an_address) {
  Ints x = counted(3);
  Ints out(4, -1);
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    %s: tile<int32, []> = reduce %x [reduction=max, axes=(0)]
    if %s {
    })",
                     {1, 1, 1}, poison),
            "TW404: a value that has no meaning decides a branch <undetermined padding is loaded here> (in program (0, 0, 0))");
  EXPECT_EQ(run_over({array_of(x), array_of(out)}, numbers + R"(
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    scatter %b, %x, %x [rank=1])",
                     {1, 1, 1}, poison),
            "TW404: a value that has no meaning becomes an address <undetermined padding is loaded here> (in program (0, 0, 0), "
            "lane (3))");
}

TEST(InterpPoison, nothing_times_what_has_no_meaning_has_none) {
  Ints x = counted(3);
  Ints out(4, -1);
  EXPECT_EQ(
      run_poisoned({array_of(x), array_of(out)}, R"(
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    %y: tile<int32, [4]> = mul %x, %0 [dtype=int32]
    store_tile %b, %0, %y [rank=1])"),
      "TW404: a value that has no meaning is stored <undetermined padding is loaded here> (in program (0, 0, 0), lane (3))");
}

TEST(InterpPoison, what_is_made_of_several_tells_of_the_origin_of_the_first) {
  Ints x = counted(3);
  HalfWritten y(0, 4);
  Ints out(4, -1);
  const auto told = [&](const std::string& operands) {
    return run_poisoned({array_of(x), y.array(), array_of(out)}, R"(
    %x: tile<int32, [4]> = load_tile %a, %0, %4 [rank=1]
    %y: tile<int32, [4]> = load_tile %b, %0, %4 [rank=1]
    %z: tile<int32, [4]> = add )" + operands + R"( [dtype=int32]
    %s: tile<int32, []> = reduce %z [reduction=sum, axes=(0)]
    %w: tile<int32, [4]> = where %s, %z, %z [dtype=int32]
    store_tile %c, %0, %w [rank=1])");
  };
  const std::string stored = "TW404: a value that has no meaning is stored ";
  EXPECT_EQ(told("%x, %y"), stored + "<memory that nothing has written is read here> (in program (0, 0, 0), lane (0))");
  EXPECT_EQ(told("%y, %x"), stored + "<memory that nothing has written is read here> (in program (0, 0, 0), lane (0))");
}

TEST(InterpPoison, a_tile_outside_of_its_array_and_a_lane_that_an_update_leaves_alone_have_no_meaning) {
  Ints x = counted(4);
  Ints out(4, -1);
  EXPECT_EQ(run_poisoned({array_of(x), array_of(out)}, R"(
    %x: tile<int32, [4]> = load_tile %a, %1, %4 [rank=1, padding=zero]
    store_tile %b, %0, %x [rank=1])"),
            "TW404: a value that has no meaning is stored <a tile outside of its array, or at a negative index, is loaded here> "
            "(in program (0, 0, 0), lane (0))");
  EXPECT_EQ(run_poisoned({array_of(x), array_of(out)}, R"(
    %i: tile<int32, [4]> = iota %4 [dtype=int32]
    %j: tile<int32, [4]> = add %i, %2 [dtype=int32]
    %x: tile<int32, [4]> = atomic_rmw %a, %j, %1 [rank=1, atomic=add]
    store_tile %b, %0, %x [rank=1])"),
            "TW404: a value that has no meaning is stored <a lane of this update is outside of the array> "
            "(in program (0, 0, 0), lane (2))");
}

TEST(InterpPoison, memory_that_nothing_has_written_is_found_where_it_is_stored_updated_or_compared) {
  const std::string here = " <memory that nothing has written is read here> (in program (0, 0, 0)";
  Ints out(4);
  HalfWritten x(2, 4);
  EXPECT_EQ(run_poisoned({x.array(), array_of(out)}, R"(
    %i: tile<int32, [4]> = iota %4 [dtype=int32]
    %x: tile<int32, [4]> = gather %a, %i [rank=1]
    scatter %b, %i, %x [rank=1])"),
            "TW404: a value that has no meaning is stored" + here + ", lane (2))");
  EXPECT_EQ(run_poisoned({x.array()}, R"(
    %i: tile<int32, [4]> = iota %4 [dtype=int32]
    %x: tile<int32, [4]> = atomic_rmw %a, %i, %1 [rank=1, atomic=add])"),
            "TW404: a value that has no meaning is updated" + here + ", lane (2))");
  EXPECT_EQ(run_poisoned({x.array()}, "    %x: tile<int32, []> = atomic_cas %a, %2, %0, %1 [rank=1]"),
            "TW404: a value that has no meaning is updated" + here + ")");
}

TEST(InterpPoison, a_slice_of_an_array_knows_what_of_it_is_written) {
  HalfWritten x(2, 4);
  Ints out(2);
  const auto told = [&](const std::string& first) {
    return run_poisoned({x.array(), array_of(out)}, R"(
    %zero: tile<int32, []> = full %0 [dtype=int32]
    %two: tile<int32, []> = full %2 [dtype=int32]
    %end: tile<int32, []> = add )" + first + R"(, %2 [dtype=int32]
    %part: array<int32, 1> = array_slice %a, )" + first +
                                                        R"(, %end [axis=0]
    %x: tile<int32, [2]> = load_tile %part, %0, %2 [rank=1]
    store_tile %b, %0, %x [rank=1])");
  };
  EXPECT_EQ(told("%zero"), "");
  EXPECT_NE(told("%two"), "");
}

}  // namespace
}  // namespace tilewright::interp
