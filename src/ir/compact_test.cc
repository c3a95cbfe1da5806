// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/compact.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/verify.h"

namespace tilewright::ir {
namespace {

constexpr const char* program_text = R"(kernel @k {
 param scalar n = %n: tile<int32, []>
 body {
  %a: const<int, 1> = literal [literal=1]
  %b: const<int, 2> = literal [literal=2]
  if %n { set %b [var=$x] } { set %b [var=$x] }
  %0: tile<int32, []> = get [var=$x]
 }
}
)";

TEST(Compact, a_program_without_leavings_stays_as_it_is) {
  Result<Program> program = parse(program_text);
  ASSERT_TRUE(program.ok()) << program.reason();
  const std::string before = text(*program);
  const size_t ops = program->ops.size();
  compact(*program, {});
  EXPECT_EQ(text(*program), before);
  EXPECT_EQ(program->ops.size(), ops);
}

TEST(Compact, what_stands_nowhere_goes_and_the_rest_says_the_same) {
  Result<Program> program = parse(program_text);
  ASSERT_TRUE(program.ok()) << program.reason();
  std::vector<OpId>& body = program->blocks[program->functions[FunctionId{0}].body].ops;
  body.erase(body.begin());
  const std::string before = text(*program);
  const size_t ops = program->ops.size();
  compact(*program, {});
  EXPECT_EQ(text(*program), before);
  EXPECT_EQ(program->ops.size(), ops - 1);
  EXPECT_TRUE(verify(*program).empty()) << text(verify(*program));
}

TEST(Compact, what_was_made_before_the_mark_is_not_touched) {
  Result<Program> program = parse(program_text);
  ASSERT_TRUE(program.ok()) << program.reason();
  const Mark whole = mark(*program);
  const std::string before = text(*program);
  append(*program, program->blocks.add({}), {.kind = OpKind::Literal}, {});
  compact(*program, whole);
  EXPECT_EQ(program->ops.size(), whole.ops);
  EXPECT_EQ(program->blocks.size(), whole.blocks);
  EXPECT_EQ(text(*program), before);
}

TEST(Compact, what_is_forgotten_was_never_there) {
  Result<Program> program = parse(program_text);
  ASSERT_TRUE(program.ok()) << program.reason();
  forget(*program, {});
  EXPECT_EQ(text(*program), text(Program()));
}

}  // namespace
}  // namespace tilewright::ir
