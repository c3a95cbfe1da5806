// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/host/layout.h"

#include <gtest/gtest.h>

namespace tilewright::back::host {
namespace {

Argument plain(std::string text) { return {.text = std::move(text), .margin = "", .comments_above = {}, .comment = {}}; }

std::string laid_out(uint32_t width, uint32_t behind = 0) {
  return lay_out("launch", {plain("(grid,)"), plain("first"), plain("second")},
                 {.indent = "  ", .column = 6, .behind = behind, .width = width});
}

TEST(Layout, one_line_if_it_fits_with_what_follows) {
  EXPECT_EQ(laid_out(36), "launch((grid,), first, second)");
  EXPECT_EQ(laid_out(37, 1), "launch((grid,), first, second)");
  EXPECT_NE(laid_out(36, 1), "launch((grid,), first, second)");
}

TEST(Layout, else_the_arguments_on_a_line_of_their_own) { EXPECT_EQ(laid_out(35), "launch(\n      (grid,), first, second\n  )"); }

TEST(Layout, else_one_argument_to_a_line) {
  EXPECT_EQ(laid_out(27), "launch(\n      (grid,),\n      first,\n      second,\n  )");
}

TEST(Layout, columns_are_code_points) { EXPECT_EQ(columns("größe"), 5u); }

TEST(Layout, comments_keep_their_argument_and_break_the_call) {
  std::vector<Argument> arguments = {plain("grid"), plain("x")};
  arguments[0].comments_above = {"# programs"};
  arguments[1].comment = "# input";
  EXPECT_EQ(lay_out("f", arguments, {.indent = "", .column = 0, .behind = 0, .width = 80}),
            "f(\n    # programs\n    grid,\n    x,  # input\n)");
}

TEST(Layout, a_last_argument_over_lines_stays_open_on_the_first_one) {
  std::vector<Argument> arguments = {plain("grid"), plain("g(\n    a,\n    b,\n)")};
  EXPECT_EQ(lay_out("f", arguments, {.indent = "  ", .column = 2, .behind = 0, .width = 80}),
            "f(grid, g(\n      a,\n      b,\n  ))");
}

TEST(Layout, lines_of_an_argument_move_with_it) {
  std::vector<Argument> arguments = {plain("g(\n    a,\n)"), plain("x")};
  EXPECT_EQ(lay_out("f", arguments, {.indent = "", .column = 0, .behind = 0, .width = 80}),
            "f(\n    g(\n        a,\n    ),\n    x,\n)");
  arguments[0].margin.reset();  // a string over several lines is in it
  EXPECT_EQ(lay_out("f", arguments, {.indent = "", .column = 0, .behind = 0, .width = 80}), "f(\n    g(\n    a,\n),\n    x,\n)");
}

TEST(Layout, indents_all_lines_but_the_first_and_empty_ones) { EXPECT_EQ(indented("a\n\nb\n  c", "  "), "a\n\n  b\n    c"); }

}  // namespace
}  // namespace tilewright::back::host
