// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/verify.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace tilewright::ir {
namespace {

std::string wrong(const std::string& body, Form form = Form::Open, const std::string& params = "",
                  const std::string& before = "") {
  const Result<Program> program = parse(before + R"(
kernel @k {
  param array X = %X: array<elem(0), 2>
  param scalar n = %n: tile<int32, []>
  param constant T = %T: const<int, T>
  param constant F = %F: const<bool, F>
)" + params + "body {\n" + body + "\n}\n}\n");
  if (!program.ok()) return program.reason();
  const std::vector<Violation> violations = verify(*program, form);
  return violations.empty() ? "" : violations[0].what;
}

TEST(Verify, a_well_formed_program_passes) {
  EXPECT_EQ(wrong(R"(
    %0: const<int, 0> = literal [literal=0]
    %1: const<int, 1> = literal [literal=1]
    %half: const<float, 0.5> = literal [literal=0.5]
    %pid: tile<int32, []> = program_id
    set %half [var=$acc]
    for %0, %n, %1 (%i: tile<int32, []>) {
      %x: tile<elem(0), [T, 1]> = load_tile %X, %pid, %i, %T, %1 [rank=2]
      %y: tile<elem(0), [T]> = reshape %x, %T
      %z: tile<adapt(elem(0), float), [T]> = cast %y [dtype=adapt(elem(0), float), implicit=true]
      %w: tile<adapt(elem(0), float), [T]> = mul %z, %half [dtype=adapt(elem(0), float)]
      %s: tile<adapt(elem(0), float), []> = reduce %w [axes=(0)]
      %t: tile<float32, []> = cast %s [dtype=float32]
      %a: tile<float32, []> = get [var=$acc]
      %b: tile<float32, []> = add %a, %t [dtype=float32]
      set %b [var=$acc]
      if %F { break } { }
    }
    %r: tile<float32, []> = get [var=$acc]
    %c: tile<elem(0), []> = cast %r [dtype=elem(0)]
    store_tile %X, %pid, %0, %c [rank=2]
    return)"),
            "");
}

TEST(Verify, a_literal_is_of_the_type_of_a_number) {
  EXPECT_EQ(wrong("%a: const<bool, True> = literal"), "");
  EXPECT_EQ(wrong("%a: const<int, T> = literal"), "k: `%a: const<int, T> = literal`: its type is not that of a number");
}

TEST(Verify, a_value_is_defined_before_its_use) {
  EXPECT_EQ(wrong("%a: tile<int32, []> = add %n, %b [dtype=int32]\n%b: tile<int32, []> = program_id"),
            "k: `%a: tile<int32, []> = add %n, %b [dtype=int32]`: an operand is not defined before it");
  EXPECT_EQ(wrong("if %n { %a: tile<int32, []> = program_id } { }\n%b: tile<int32, []> = copy %a"),
            "k: `%b: tile<int32, []> = copy %a`: an operand is not defined before it");
}

TEST(Verify, what_a_constant_condition_defines_may_be_read_until_the_program_is_closed) {
  const std::string body = "if %F { %a: tile<int32, []> = program_id } { }\nif %F { %b: tile<int32, []> = copy %a } { }";
  EXPECT_EQ(wrong(body), "");
  EXPECT_NE(wrong(body, Form::Closed), "");
  EXPECT_NE(wrong("if %n { if %F { %a: tile<int32, []> = program_id } { } } { }\n%b: tile<int32, []> = copy %a"), "");
}

TEST(Verify, a_read_needs_a_write) {
  EXPECT_EQ(wrong("%a: tile<int32, []> = get [var=$x]"), "k: `%a: tile<int32, []> = get [var=$x]`: no write reaches it");
  const std::string maybe = "if %n { set %n [var=$x] } { }\n%a: tile<int32, []> = get [var=$x]";
  EXPECT_EQ(wrong(maybe), "");
  EXPECT_EQ(wrong(maybe, Form::Closed), "k: `%a: tile<int32, []> = get [var=$x]`: may come before every write");
}

TEST(Verify, jumps_stand_where_they_lead_somewhere) {
  EXPECT_EQ(wrong("break"), "k: `break`: is not in a loop");
  EXPECT_EQ(wrong("yield %n"), "k: `yield %n`: is in no region that yields");
  EXPECT_EQ(wrong("return %n"), "k: `return %n`: returns another number of values than its function");
  EXPECT_EQ(wrong("%a: tile<bool_, []> = and_then %n { %b: tile<int32, []> = program_id }"),
            "k: `%a: tile<bool_, []> = and_then %n`: a region does not end in the yield of one value");
}

TEST(Verify, an_assertion_is_nothing_where_it_holds_and_unsupported_where_not) {
  EXPECT_EQ(wrong("if %F [asserted=true] {\n} {\n  unsupported [asserted=true]\n}"), "");
  EXPECT_NE(wrong("if %F [asserted=true] {\n} {\n  unsupported\n}"), "");
  EXPECT_NE(wrong("if %F [asserted=true] {\n  mark\n} {\n  unsupported [asserted=true]\n}"), "");
  EXPECT_NE(wrong("if %F [asserted=true] {\n}"), "");
}

TEST(Verify, operands_are_as_many_and_of_the_kind_that_ops_def_says) {
  EXPECT_EQ(wrong("%x: tile<elem(0), []> = gather %X, %n [rank=2]"),
            "k: `%x: tile<elem(0), []> = gather %X, %n [rank=2]`: has another number of operands than ops.def says");
  EXPECT_NE(wrong("%x: tile<elem(0), []> = gather %X, %n, %n [rank=2, has_mask=true]").find("another number"), std::string::npos);
  EXPECT_NE(wrong("%x: tile<int32, []> = array_dim %n").find("operand array is a tile<int32, []>"), std::string::npos);
  EXPECT_NE(wrong("%x: tile<int32, [T]> = iota %n [dtype=int32]").find("operand extent is a"), std::string::npos);
  EXPECT_NE(wrong("mark %n").find("another number"), std::string::npos);
}

TEST(Verify, results_follow_from_operands) {
  const struct {
    const char* body;
    const char* wrong;
  } rows[] = {
      {"%a: tile<float32, []> = add %n, %n [dtype=int32]", "the result has dtype float32 and not int32"},
      {"%a: tile<int64, []> = add %n, %n [dtype=int64]", "operand 0 has dtype int32 and not int64"},
      {"%a: tile<int32, []> = lt %n, %n [dtype=int32]", "the result is not bool_"},
      {"%i: tile<int32, [T]> = iota %T [dtype=int32]\n%a: tile<int32, []> = add %i, %n [dtype=int32]", "its operands make [T]"},
      {"%i: tile<int32, [T]> = iota %T [dtype=int32]\n%a: tile<int32, [T]> = reduce %i [axes=(0)]", "its operands make []"},
      {"%i: tile<int32, [T]> = iota %T [dtype=int32]\n%a: tile<int32, [T]> = reduce %i [axes=(1)]", "an axis is out of range"},
      {"%i: tile<int32, [T]> = iota %T [dtype=int32]\n%a: tile<int32, [T, 1]> = expand_dims %i [axes=(0)]",
       "its operands make [1, T]"},
      {"%i: tile<int32, [T]> = iota %T [dtype=int32]\n%a: tile<int32, [T]> = permute %i [axes=(1)]",
       "its axes are no permutation"},
      {"%i: tile<int32, [T]> = iota %T [dtype=int32]\n%a: tile<float32, [T]> = dot %i, %i", "its factors do not fit"},
      {"%a: tile<float16, [T, T]> = load_tile %X, %n, %n, %T, %T [rank=2]", "the result has dtype float16 and not elem(0)"},
      {"%a: tile<elem(0), [T]> = load_tile %X, %n, %T [rank=1]", "the array has another rank than the index"},
      {"store_tile %X, %n, %n, %n [rank=2]", "the value has another dtype than the array"},
      {"%a: const<int, T> = program_id\n%b: tile<int32, []> = iota %T [dtype=int32]", "its operands make [T]"},
  };
  for (const auto& row : rows)
    EXPECT_NE(wrong(row.body).find(row.wrong), std::string::npos) << row.body << "\n" << wrong(row.body);
}

TEST(Verify, a_call_passes_what_the_helper_takes) {
  const std::string helper =
      "helper @h {\n param tile x = %x: tile<int32, []>\n param erased mode\n returns tile<int32, []>\n body { return %x } }\n";
  EXPECT_EQ(wrong("%a: tile<int32, []> = call %n [function=@h]", Form::Open, "", helper), "");
  EXPECT_NE(wrong("%a: tile<int32, []> = call %n, %n [function=@h]", Form::Open, "", helper), "");
  EXPECT_NE(wrong("%a: tile<int32, []> = call %F [function=@h]", Form::Open, "", helper), "");
  EXPECT_NE(wrong("call %n [function=@h]", Form::Open, "", helper), "");
}

TEST(Verify, a_closed_program_has_no_open_types) {
  EXPECT_NE(wrong("%i: tile<int32, [T]> = iota %T [dtype=int32]", Form::Closed).find("an extent is open"), std::string::npos);
  EXPECT_NE(wrong("%x: tile<elem(0), []> = gather %X, %n, %n [rank=2]", Form::Closed).find("its dtype is open"),
            std::string::npos);
  EXPECT_NE(wrong("unsupported [text=\"why\"]", Form::Closed).find("is left in a closed program"), std::string::npos);
}

TEST(Verify, a_parameter_has_a_value_exactly_if_it_is_passed) {
  EXPECT_NE(wrong("return", Form::Open, "param scalar lost\n"), "");
  EXPECT_NE(wrong("return", Form::Open, "param unused found = %found: tile<int32, []>\n"), "");
}

}  // namespace
}  // namespace tilewright::ir
