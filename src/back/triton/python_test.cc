// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/python.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilewright::back::triton {
namespace {

TEST(Python, what_is_kept_prints_as_before_and_the_rest_is_gone) {
  Python python;
  const auto sum = [&](std::string_view a, std::string_view b) { return python.infix(python.atom(a), "+", python.atom(b)); };
  sum("gone", "too");
  PyId call = python.call("f", {sum("a", "b"), python.keyword("axis", python.number(-1))});
  sum("gone", "again");
  const StmtId inner = python.assign("x", python.method(call, "to", {python.atom("tl.float32")}));
  python.expression(sum("no", "more"));
  Stmt loop{
      .kind = StmtKind::For, .target = python.atom("i"), .value = python.call("range", {python.atom("n")}), .body = {inner}};
  loop.edit_trivia().trailing = "# words";
  StmtId kept = python.add(std::move(loop));
  PyId none;
  const auto text = [&] {
    std::string out;
    append_statement(out, python, kept, 0, 80);
    return out + flat(python, call);
  };
  const std::string before = text();
  EXPECT_EQ(before,
            "for i in range(n):  # words\n"
            "    x = f(a + b, axis=-1).to(tl.float32)\n"
            "f(a + b, axis=-1)");

  const size_t expressions = python.expressions();
  const std::vector<PyId*> roots = {&call, &none};
  StmtId* const last = &kept;
  python.keep(roots, {&last, 1});
  EXPECT_EQ(text(), before);
  EXPECT_FALSE(none.valid());
  EXPECT_EQ(python.expressions(), expressions - 9);
  // What is added goes on from there.
  EXPECT_EQ(flat(python, python.infix(call, "*", sum("c", "d"))), "f(a + b, axis=-1) * (c + d)");
}

}  // namespace
}  // namespace tilewright::back::triton
