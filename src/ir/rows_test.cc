// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/rows.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/use.h"

namespace tilewright::ir {
namespace {

constexpr const char* sample = R"(kernel @k @0..60 !0 {
  param array X = %X: array<float16, 1> @6..7 !1
  body {
    %i: tile<int32, []> = program_id [axis=1] @20..30 !2/3
    %c: const<int, 8> = literal [literal=8] @28..29 !2/3
    %x: tile<float16, [8]> = load_tile %X, %i, %c [rank=1] @31..36 !2/4
    %m: tile<float16, []> = reduce %x [axes=(0)] @38..40 !2/5
    %dead: tile<float16, [8]> = exp %x [rounding=approx, flush=to_zero, dtype=float16] @42..44 !2/6
    store_tile %X, %i, %m [rank=1] @46..50 !2/7
  }
})";

TEST(Rows, say_where_an_op_stands_and_what_it_is) {
  const Result<Program> program = parse(sample);
  ASSERT_TRUE(program.ok()) << program.reason();
  source::Files files;
  files.add(source::File("k.py", "def k(X, i):\n    é = ct.bid(1) + 8\n   ct.sum(ct.load(X, i))\n"));
  const Json all = rows(*program, files);
  const Json::Array& list = *all.as<Json::Array>();
  ASSERT_EQ(list.size(), 6u);
  EXPECT_EQ(*list[0].find("file"), Json{std::string("k.py")});
  EXPECT_EQ(*list[0].find("line"), Json{int64_t{2}});
  EXPECT_EQ(*list[0].find("column"), Json{int64_t{7}}) << "bytes, not code points";
  EXPECT_EQ(*list[0].find("op"), Json{std::string("program_id")});
  EXPECT_EQ(*list[0].find("type"), Json{std::string("tile<int32, []>")});
  EXPECT_EQ(
      *list[2].find("operands"),
      (Json{Json::Array{{std::string("array<float16, 1>")}, {std::string("tile<int32, []>")}, {std::string("const<int, 8>")}}}));
  EXPECT_EQ(*list[2].find("attrs"), (Json{Json::Object{{"padding", {std::string("undetermined")}}, {"rank", {int64_t{1}}}}}));
  EXPECT_EQ(*list[3].find("attrs"),
            (Json{Json::Object{{"reduction", {std::string("sum")}}, {"axes", {Json::Array{{int64_t{0}}}}}}}));
  EXPECT_EQ(*list[4].find("attrs"), (Json{Json::Object{{"dtype", {std::string("float16")}},
                                                       {"rounding", {std::string("approx")}},
                                                       {"flush", {std::string("to_zero")}}}}));
  EXPECT_EQ(*list[4].find("unused"), Json{true});
  EXPECT_EQ(*list[3].find("unused"), Json{false});
  EXPECT_EQ(*list[5].find("type"), Json{std::string("none")});
}

TEST(Use, follows_variables_and_what_decides) {
  const Result<Program> program = parse(R"(kernel @k {
  param array X = %X: array<float32, 1>
  param scalar n = %n: tile<int32, []>
  body {
    %0: const<int, 0> = literal [literal=0]
    %lost: const<int, 1> = literal [literal=1]
    %one: const<int, 1> = literal [literal=1]
    set %0 [var=$acc]
    set %lost [var=$other]
    %flag: tile<bool_, []> = lt %n, %0 [dtype=int32]
    for %0, %n, %one (%i: tile<int32, []>) {
      if %flag {
        set %i [var=$acc]
      } {
      }
    }
    %r: tile<int32, []> = get [var=$acc]
    scatter %X, %r, %0 [rank=1]
  }
})");
  ASSERT_TRUE(program.ok()) << program.reason();
  const std::vector<bool> used = used_ops(*program);
  std::string unused;
  for (uint32_t i = 0; i < used.size(); ++i) {
    if (!used[i]) unused += text(*program, OpId{i}) + "\n";
  }
  EXPECT_EQ(unused, "%lost: const<int, 1> = literal [literal=1]\nset %lost [var=$other]\n");
}

}  // namespace
}  // namespace tilewright::ir
