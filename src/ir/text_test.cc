// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/text.h"

#include <gtest/gtest.h>

namespace tilewright::ir {
namespace {

constexpr const char* sample = R"(helper @half @10..40 !3 {
  param tile x = %x: tile<promote(elem(0), float32), [TILE]> @12..13 !4
  param erased mode
  returns tile<float32, [TILE]>
  body {
    %y: tile<float32, [TILE]> = cast %x [dtype=float32, implicit=true] @20..21 !5/6
    return %y @15..30 !5/-
  }
}

kernel @scale @1:50..200 !9 {
  hint occupancy "ct.ByTarget(sm_100=\"2\")\x0a"
  param array X = %X: array<elem(0), 1> int64 @60..61 !10
  param constant TILE = %TILE: const<int, TILE>
  param constant FLAG = %FLAG: const<bool, FLAG>
  param unused Y
  assumes (TILE >= 0)
  body {
    %0: const<int, 0> = literal [literal=0]
    %1: const<float, -0.5> = literal [literal=-0.5]
    mark [text="a \"docstring\""]
    %pid: tile<int32, []> = program_id [axis=2]
    %pid.2: tile<int32, []> = program_id
    %pid.3: tile<int32, []> = program_id
    set %0 [var=$acc]
    %x: tile<elem(0), [TILE]> = load_tile %X, %pid, %TILE [padding=neg_inf, order=(0), rank=1, latency=%0]
    %dt: dtype<select((FLAG), elem(0), float32)> = dtype_of %x
    %small: const<bool, (TILE < 2 * f"SCALE")> = lt %TILE, %1
    if %small {
      break
    } {
    }
    for %0, %pid, %TILE (%i: tile<int32, []>) {
      %i.2: tile<int32, []> = get [var=$acc]
      set %i.2, %i [vars=($acc, $acc.2)]
    }
    %half: tile<float32, [TILE]> = call %x [function=@half]
    %2"odd name": tile<bool_, []> = and_then %small {
      yield %small
    }
    store_tile %X, %pid, %half [rank=1]
    return
  }
}
)";

TEST(Text, reads_back_as_itself) {
  const Result<Program> program = parse(sample);
  ASSERT_TRUE(program.ok()) << program.reason();
  EXPECT_EQ(text(*program), sample);
}

TEST(Text, keeps_what_the_text_says) {
  const Result<Program> read = parse(sample);
  ASSERT_TRUE(read.ok()) << read.reason();
  const Program& program = *read;
  ASSERT_EQ(program.functions.size(), 2u);
  const Function& kernel = program.functions[FunctionId{1}];
  EXPECT_EQ(kernel.kind, FunctionKind::Kernel);
  EXPECT_EQ(kernel.name, "scale");
  EXPECT_EQ(kernel.span.file, source::FileId{1});
  EXPECT_EQ(kernel.hints->at(0).text, "ct.ByTarget(sm_100=\"2\")\n");
  EXPECT_EQ(kernel.params.at(3).kind, ParamKind::Unused);
  const Op& load = program.ops[program.blocks[kernel.body].ops.at(7)];
  EXPECT_EQ(load.kind, OpKind::LoadTile);
  EXPECT_EQ(load.attrs.padding, Padding::NegInf);
  EXPECT_EQ(load.attrs.rare->order, std::vector<uint32_t>{0});
  EXPECT_EQ(program.values[load.results[0]].name, "x");
  EXPECT_EQ(program.values[load.results[0]].definition, program.blocks[kernel.body].ops.at(7));
}

TEST(Text, places_can_be_left_out) {
  const Result<Program> program = parse(sample);
  ASSERT_TRUE(program.ok()) << program.reason();
  const std::string bare = text(*program, Places::Omit);
  EXPECT_EQ(bare.find("@10"), std::string::npos);
  const Result<Program> again = parse(bare);
  ASSERT_TRUE(again.ok()) << again.reason();
  EXPECT_EQ(text(*again), bare);
}

TEST(Text, one_op_is_quoted_without_its_regions) {
  const Result<Program> program = parse(sample);
  ASSERT_TRUE(program.ok()) << program.reason();
  const BlockId body = program->functions[FunctionId{1}].body;
  EXPECT_EQ(text(*program, program->blocks[body].ops.at(10)), "if %small");
}

TEST(Text, trouble_names_the_line) {
  const struct {
    const char* text;
    const char* reason;
  } rows[] = {
      {"kernel @k {\n  body {\n    frobnicate\n  }\n}\n", "line 3: `frobnicate` is no op"},
      {"kernel @k {\n  body {\n    set %x [var=$a]\n  }\n}\n", "line 5: `%x` is never defined"},
      {"kernel @k {\n  body {\n    %a: int = iota\n", "line 3: expected `<`"},
      {"kernel @k {\n  body {\n    mark [colour=1]\n", "line 3: `colour` is no attribute"},
      {"kernel @k {\n  body {\n    mark [literal=1]\n", "line 3: `literal` is no attribute"},
      {"kernel @k {\n  body {\n    %0: const<int, 1> = literal [literal=2]\n", "line 3: `literal` has no such value"},
      {"kernel @k {\n  body {\n    mark [rounding=odd]\n", "line 3: `rounding` has no such value"},
      {"kernel @k {\n  body {\n    call [function=@f]\n  }\n}\n", "line 6: `@f` is never defined"},
      {"kernel @k {\n  body {\n    %a: none = mark\n    %a: none = mark\n", "line 4: a value is defined twice"},
      {"kernel @k {", "line 1: expected `hint`, `param`, `returns`, `assumes`, `body` or `}`"},
  };
  for (const auto& row : rows) {
    const Result<Program> program = parse(row.text);
    ASSERT_FALSE(program.ok()) << row.text;
    EXPECT_EQ(program.reason(), row.reason) << row.text;
  }
}

}  // namespace
}  // namespace tilewright::ir
