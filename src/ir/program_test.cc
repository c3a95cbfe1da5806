// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/program.h"

#include <gtest/gtest.h>

namespace tilewright::ir {
namespace {

TEST(Program, a_copy_is_a_snapshot_with_types_of_its_own) {
  Program first;
  const BlockId body = first.blocks.add({});
  const TypeId i32 = first.types.tile(first.types.known(Scalar::I32), {});
  Op op;
  op.kind = OpKind::ProgramId;
  const OpId id = append(first, body, op, {i32});
  Program second = first;
  const sym::ExprId only_in_second = second.types.arena().atom("NEW");
  EXPECT_EQ(&second.types.arena(), &second.arena);
  EXPECT_EQ(second.arena.text(only_in_second), "NEW");
  second.ops[id].attrs.axis = 2;
  EXPECT_EQ(first.ops[id].attrs.axis, 0u);
  const Program third = std::move(second);
  EXPECT_EQ(&third.types.arena(), &third.arena);
  first = third;
  EXPECT_EQ(&first.types.arena(), &first.arena);
}

TEST(Program, append_defines_results) {
  Program program;
  const BlockId body = program.blocks.add({});
  const TypeId i32 = program.types.tile(program.types.known(Scalar::I32), {});
  const OpId id = append(program, body, {}, {i32, i32});
  ASSERT_EQ(program.ops[id].results.size(), 2u);
  EXPECT_EQ(program.values[program.ops[id].results[1]].definition, id);
  EXPECT_EQ(program.blocks[body].ops, std::vector{id});
}

TEST(Program, ops_are_found_by_their_text) {
  EXPECT_EQ(op_named("ceil_div_positive"), OpKind::CeilDivPositive);
  EXPECT_EQ(op_named("if"), OpKind::If);
  EXPECT_EQ(op_named("nothing"), std::nullopt);
  EXPECT_EQ(info(OpKind::CmpEq).text, "eq");
  EXPECT_EQ(info(OpKind::StoreTile).effect, Effect::Writes);
}

}  // namespace
}  // namespace tilewright::ir
