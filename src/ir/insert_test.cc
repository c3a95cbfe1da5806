// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/insert.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/verify.h"

namespace tilewright::ir {
namespace {

TEST(Insert, what_is_added_stands_where_it_is_asked_to_and_at_the_authors_place) {
  Result<Program> program = parse(R"(kernel @k {
  param array X = %X: array<int32, 1>
  body {
    %i: tile<int32, []> = program_id @1..4 !2/3
    store_tile %X, %i, %i [rank=1] @5..9 !7/6
  }
}
)");
  ASSERT_TRUE(program.ok()) << program.reason();
  Program& it = *program;
  const BlockId body = it.functions[FunctionId{0}].body;
  const OpId number = it.blocks[body].ops[0];
  const OpId store = it.blocks[body].ops[1];
  const ValueId i = it.ops[number].results[0];
  const TypeId type = it.values[i].type;
  const ValueId sum =
      insert(it, body, store, {.kind = OpKind::Add, .operands = {i, i}, .attrs = {.dtype = it.types[type].dtype}}, type);
  it.ops[store].operands.back() = sum;
  append(it, body, it.ops[number], {.kind = OpKind::Return, .attrs = {}});
  EXPECT_EQ(text(verify(it)), "");
  EXPECT_EQ(text(it), R"(kernel @k {
  param array X = %X: array<int32, 1>
  body {
    %i: tile<int32, []> = program_id @1..4 !2/3
    %0: tile<int32, []> = add %i, %i [dtype=int32] @5..9 !7/6
    store_tile %X, %i, %0 [rank=1] @5..9 !7/6
    return @1..4 !2/3
  }
}
)");
}

}  // namespace
}  // namespace tilewright::ir
