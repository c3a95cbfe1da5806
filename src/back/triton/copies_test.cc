// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// That Triton loses such a copy shows on a GPU only: bench/gpu/kernels.py runs tests/whole/kernels/loops_left_early.py there.

#include <gtest/gtest.h>

#include "back/triton/legalize.h"
#include "ir/text.h"

namespace tilewright::back::triton {
namespace {

// What becomes of a loop whose body is `body`, after `before`: "sum" for each copy that is one, and codes of what is refused.
std::string kept(const std::string& before, const std::string& body) {
  Result<ir::Program> program = ir::parse(R"(kernel @k {
  param array X = %X: array<float32, 1>
  param scalar n = %n: tile<int32, []>
  body {
    %0: const<int, 0> = literal [literal=0]
    %1: const<int, 1> = literal [literal=1]
    %8: const<int, 8> = literal [literal=8]
    %first: tile<float32, [8]> = load_tile %X, %n, %8 [rank=1]
    %second: tile<float32, [8]> = load_tile %X, %1, %8 [rank=1]
)" + before + "    for %0, %n, %1 (%i: tile<int32, []>) {\n" +
                                          body + "    }\n  }\n}\n");
  if (!program.ok()) return program.reason();
  diag::Diagnostics diagnostics;
  const size_t ops = program->ops.size();
  keep_copies(*program, ir::FunctionId{0}, diagnostics);
  std::string out = program->ops.size() == ops ? "" : "sum";
  for (const diag::Diagnostic& diagnostic : diagnostics) out += diagnostic.code;
  return out;
}

constexpr const char* copied = R"(
      %now: tile<int32, []> = get [var=$b]
      set %now [var=$a]
      %next: tile<int32, []> = add %now, %1 [dtype=int32]
      set %next [var=$b]
)";
constexpr const char* copied_tile = R"(
      %now: tile<float32, [8]> = get [var=$b]
      set %now [var=$a]
      %next: tile<float32, [8]> = add %now, %first [dtype=float32]
      set %next [var=$b]
)";

TEST(Copies, of_variables_that_began_as_two_values_stay) {
  EXPECT_EQ(kept("    set %n [var=$a]\n    set %0 [var=$b]\n", copied), "");
  EXPECT_EQ(kept("    set %second [var=$a]\n    set %first [var=$b]\n", copied_tile), "");
}

TEST(Copies, of_a_variable_that_does_not_change_or_into_one_that_the_loop_begins_stay) {
  EXPECT_EQ(kept("    set %n [var=$a]\n    set %n [var=$b]\n", R"(
      %now: tile<int32, []> = get [var=$b]
      set %now [var=$a]
)"),
            "");
  EXPECT_EQ(kept("    set %n [var=$b]\n", copied), "");
}

TEST(Copies, of_integers_that_began_as_one_value_become_sums) {
  EXPECT_EQ(kept("    set %n [var=$a]\n    set %n [var=$b]\n", copied), "sum");
  EXPECT_EQ(kept("    set %n [var=$b]\n    %was: tile<int32, []> = get [var=$b]\n    set %was [var=$a]\n", copied), "sum");
}

TEST(Copies, of_other_tiles_that_began_as_one_value_are_refused) {
  EXPECT_EQ(kept("    set %first [var=$a]\n    set %first [var=$b]\n", copied_tile), "TW211");
  EXPECT_EQ(kept("    set %first [var=$a]\n    %same: tile<float32, [8]> = cast %first [dtype=float32]\n    set %same [var=$b]\n",
                 copied_tile),
            "TW211")
      << "a conversion to the dtype that it has is no value of its own";
}

}  // namespace
}  // namespace tilewright::back::triton
