// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/specialize.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/verify.h"

namespace tilewright::ir {
namespace {

Argument array(Scalar dtype, uint32_t rank = 1) { return {.kind = ArgumentKind::Array, .dtype = dtype, .rank = rank}; }
Argument integer(int64_t value) { return {.kind = ArgumentKind::Int, .value = sym::Value{value}}; }
Argument boolean(bool value) { return {.kind = ArgumentKind::Bool, .value = sym::Value{value}}; }
Argument real(double value) { return {.kind = ArgumentKind::Float, .value = sym::Value{value}}; }

// The body of the kernel as the launch sees it, or its diagnostics, a line each.
std::string at_launch(const std::string& program_text, std::vector<Argument> arguments) {
  const Result<Program> program = parse(program_text);
  if (!program.ok()) return program.reason();
  EXPECT_EQ(text(verify(*program)), "");
  const Specialized result = specialize(*program, *kernel_named(*program, "k"), {"k", std::move(arguments)});
  std::string out;
  for (const diag::Diagnostic& diagnostic : result.diagnostics)
    out += std::string(diagnostic.code) + ": " + diagnostic.message + "\n";
  if (!out.empty()) return out;
  EXPECT_EQ(text(verify(result.program, Form::Closed)), "");
  return text(result.program, Places::Omit);
}

std::string kernel(const std::string& params, const std::string& body) {
  return "kernel @k {\n" + params + "body {\n" + body + "\n}\n}\n";
}

const std::string two_arrays = R"(
  param array X = %X: array<elem(0), 1>
  param array Y = %Y: array<elem(1), 1>
  param constant T = %T: const<int, T>
)";

const std::string add_both = R"(
  %i: tile<int32, []> = program_id
  %x: tile<elem(0), [T]> = load_tile %X, %i, %T [rank=1]
  %y: tile<elem(1), [T]> = load_tile %Y, %i, %T [rank=1]
  %0: tile<promote(elem(0), elem(1)), [T]> = cast %x [dtype=promote(elem(0), elem(1)), implicit=true]
  %1: tile<promote(elem(0), elem(1)), [T]> = cast %y [dtype=promote(elem(0), elem(1)), implicit=true]
  %z: tile<promote(elem(0), elem(1)), [T]> = add %0, %1 [dtype=promote(elem(0), elem(1))]
  %2: tile<elem(1), [T]> = cast %z [dtype=elem(1), implicit=true]
  store_tile %Y, %i, %2 [rank=1]
)";

TEST(Specialize, dtypes_and_extents_are_those_of_the_launch) {
  EXPECT_EQ(at_launch(kernel(two_arrays, add_both), {array(Scalar::F16), array(Scalar::F32), integer(64)}), R"(kernel @k {
  param array X = %X: array<float16, 1>
  param array Y = %Y: array<float32, 1>
  param constant T = %T: const<int, 64>
  body {
    %i: tile<int32, []> = program_id
    %x: tile<float16, [64]> = load_tile %X, %i, %T [rank=1]
    %y: tile<float32, [64]> = load_tile %Y, %i, %T [rank=1]
    %0: tile<float32, [64]> = cast %x [dtype=float32, implicit=true]
    %z: tile<float32, [64]> = add %0, %y [dtype=float32]
    store_tile %Y, %i, %z [rank=1]
  }
}
)");
}

TEST(Specialize, an_array_has_the_rank_that_the_branch_of_the_launch_uses) {
  const std::string by_constant =
      kernel("param array X = %X: array<elem(0), ?>\nparam constant WIDE = %WIDE: const<bool, WIDE>\n",
             "%i: tile<int32, []> = program_id\n"
             "%v: tile<elem(0), []> = full %i [dtype=elem(0)]\n"
             "if %WIDE {\n  store_tile %X, %i, %i, %v [rank=2]\n} {\n  store_tile %X, %i, %v [rank=1]\n}\n");
  EXPECT_NE(at_launch(by_constant, {array(Scalar::F32, 2), boolean(true)}).find("array<float32, 2>"), std::string::npos);
  EXPECT_NE(at_launch(by_constant, {array(Scalar::F32, 1), boolean(false)}).find("store_tile %X, %i, %v [rank=1]"),
            std::string::npos);
  EXPECT_EQ(at_launch(by_constant, {array(Scalar::F32, 2), boolean(false)}),
            "TW180: the launch passes rank 2 for `X`, which is used with rank 1\n");
}

TEST(Specialize, dtypes_that_do_not_go_together_are_reported) {
  EXPECT_NE(at_launch(kernel(two_arrays, add_both), {array(Scalar::F16), array(Scalar::BF16), integer(64)})
                .find("TW181: with the dtypes of this launch, float16 and bfloat16 have no common dtype"),
            std::string::npos);
  EXPECT_NE(at_launch(kernel(two_arrays, add_both), {array(Scalar::F32), array(Scalar::F16), integer(64)})
                .find("TW181: with the dtypes of this launch, float32 is not converted implicitly to float16"),
            std::string::npos);
  EXPECT_NE(at_launch(kernel(two_arrays, add_both), {array(Scalar::Bool), array(Scalar::Bool), integer(64)})
                .find("TW181: with the dtypes of this launch, `add` would calculate in bool_"),
            std::string::npos);
}

TEST(Specialize, a_constant_that_the_dtype_of_the_launch_has_not_is_reported) {
  const auto at = [](const std::string& op, Scalar scalar, int64_t factor) {
    const std::string k = kernel("param array X = %X: array<elem(0), 1>\nparam constant S = %S: const<int, S>\n",
                                 "%i: tile<int32, []> = program_id\n%v: tile<elem(0), []> = full %i [dtype=elem(0)]\n" + op);
    const std::string found = at_launch(k, {array(scalar), integer(factor)});
    return found.starts_with("TW") ? found : "";
  };
  const std::string product = "%r: tile<elem(0), []> = mul %v, %S [dtype=elem(0)]\nstore_tile %X, %i, %r [rank=1]\n";
  const std::string stored = "store_tile %X, %i, %S [rank=1]\n";
  for (const std::string& op : {product, stored}) {
    EXPECT_EQ(at(op, Scalar::F16, -300), "");
    EXPECT_EQ(at(op, Scalar::I8, -128), "");
    EXPECT_EQ(at(op, Scalar::U64, INT64_MAX), "");
    EXPECT_EQ(at(op, Scalar::U8, -3), "TW181: with the dtypes of this launch, the constant -3 is out of range of uint8\n");
    EXPECT_EQ(at(op, Scalar::I32, int64_t{1} << 31),
              "TW181: with the dtypes of this launch, the constant 2147483648 is out of range of int32\n");
  }
  EXPECT_EQ(at("%c: const<float, 2.5> = literal [literal=2.5]\nstore_tile %X, %i, %c [rank=1]\n", Scalar::I8, 1),
            "TW181: with the dtypes of this launch, a constant float is not converted implicitly to int8\n");
}

TEST(Specialize, a_constant_beyond_int32_that_a_loop_or_branch_makes_an_int32_is_reported) {
  const auto at = [](const std::string& ops, int64_t constant) {
    const std::string k = kernel(
        "param array X = %X: array<int64, 1>\nparam scalar n = %n: tile<int32, []>\nparam constant S = %S: const<int, S>\n",
        "%c: const<int, 1> = literal [literal=1]\n" + ops);
    const std::string found = at_launch(k, {array(Scalar::I64), integer(3), integer(constant)});
    return found.starts_with("TW") ? found : "";
  };
  const int64_t beyond = int64_t{1} << 31;
  const std::string plain = "store_tile %X, %c, %S [rank=1]\nset %S [var=$a]\n";
  EXPECT_EQ(at(plain, beyond), "");
  for (const char* ops : {
           "set %S [var=$a]\nfor %c, %n, %c (%i: tile<int32, []>) {\n"
           "  %a: tile<int32, []> = get [var=$a]\n  set %i [var=$a]\n}\n",
           "for %c, %S, %c (%i: tile<int32, []>) {\n}\n",
           "%t: tile<bool_, []> = gt %n, %c [dtype=int32]\n"
           "%r: tile<int32, []> = ternary %t {\n  yield %S\n} {\n  yield %n\n}\n",
       }) {
    EXPECT_EQ(at(ops, beyond - 1), "");
    EXPECT_EQ(at(ops, beyond), "TW181: with the dtypes of this launch, the constant 2147483648 is out of range of int32\n");
  }
}

TEST(Specialize, extents_are_powers_of_two) {
  EXPECT_NE(at_launch(kernel(two_arrays, add_both), {array(Scalar::F32), array(Scalar::F32), integer(48)})
                .find("TW182: with the constants of this launch, an extent is 48, which is not a power of two"),
            std::string::npos);
}

TEST(Specialize, an_array_is_divided_into_tiles_whose_extents_are_powers_of_two) {
  const std::string k = kernel(two_arrays, "%n: tile<int32, []> = num_tiles %X, %T [rank=1]");
  const auto of = [&](Argument extent) { return at_launch(k, {array(Scalar::F32), array(Scalar::F32), std::move(extent)}); };
  EXPECT_NE(of(integer(4)).find("num_tiles"), std::string::npos);
  for (const int64_t extent : {0, 3, -2}) {
    EXPECT_EQ(of(integer(extent)), "TW182: with the constants of this launch, an extent is " + std::to_string(extent) +
                                       ", which is not a power of two\n");
  }
  EXPECT_EQ(of({.kind = ArgumentKind::Float, .value = 2.0}),
            "TW182: with the constants of this launch, an extent is 2.0, which is not a power of two\n");
}

TEST(Specialize, arguments_fit_parameters) {
  const std::string k = kernel(two_arrays, add_both);
  EXPECT_EQ(at_launch(k, {array(Scalar::F32)}), "TW180: the launch has 1 arguments, `k` has 3 parameters\n");
  EXPECT_EQ(at_launch(k, {array(Scalar::F32), integer(3), integer(64)}), "TW180: the launch passes no array for `Y`\n");
  EXPECT_EQ(at_launch(k, {array(Scalar::F32), array(Scalar::F32, 2), integer(64)}),
            "TW180: the launch passes rank 2 for `Y`, which is used with rank 1\n");
  EXPECT_EQ(at_launch(k, {array(Scalar::F32), array(Scalar::F32), array(Scalar::F32)}),
            "TW180: the launch passes no constant for `T`\n");
}

const std::string flags = R"(
  param constant F = %F: const<bool, F>
  param scalar n = %n: tile<arg(1), []>
  param array X = %X: array<elem(2), ?>
)";

TEST(Specialize, branches_on_constants_are_decided) {
  const std::string k = kernel(flags, R"(
    if %F {
      %a: tile<int32, []> = program_id
    } {
      unsupported [text="no such thing"]
    }
    if %F {
      %b: tile<int32, []> = copy %a
    } { })");
  EXPECT_EQ(at_launch(k, {boolean(true), integer(1), array(Scalar::F32)}), R"(kernel @k {
  param constant F = %F: const<bool, True>
  param scalar n = %n: tile<int32, []>
  param array X = %X: array<float32, 1>
  body {
    %a: tile<int32, []> = program_id
    %b: tile<int32, []> = copy %a
  }
}
)");
  EXPECT_EQ(at_launch(k, {boolean(false), integer(1), array(Scalar::F32)}),
            "TW184: this launch takes a branch that cannot be compiled: no such thing\n");
}

TEST(Specialize, choices_and_connectives_on_constants_are_decided) {
  const std::string k = kernel(flags, R"(
    %a: tile<select((F), float32, int32), []> = ternary %F {
      %0: tile<float32, []> = cast %n [dtype=float32]
      yield %0
    } {
      %1: tile<int32, []> = cast %n [dtype=int32]
      yield %1
    }
    %b: tile<bool_, []> = and_then %F {
      %2: tile<bool_, []> = lt %a, %a [dtype=select((F), float32, int32)]
      yield %2
    }
    if %b { return } { })");
  EXPECT_EQ(at_launch(k, {boolean(true), real(1), array(Scalar::F32)}), R"(kernel @k {
  param constant F = %F: const<bool, True>
  param scalar n = %n: tile<float32, []>
  param array X = %X: array<float32, 1>
  body {
    %0: tile<bool_, []> = lt %n, %n [dtype=float32]
    if %0 {
      return
    } {
    }
  }
}
)");
  const std::string other = at_launch(k, {boolean(false), real(1), array(Scalar::F32)});
  EXPECT_NE(other.find("cast %n [dtype=int32]"), std::string::npos) << other;
  EXPECT_NE(other.find("const<bool, False> = literal [literal=False]"), std::string::npos) << other;
}

TEST(Specialize, code_behind_a_decided_return_is_dead) {
  const std::string k = kernel(flags, R"(
    if %F { return } { }
    unsupported [text="dead"])");
  EXPECT_EQ(at_launch(k, {boolean(true), integer(1), array(Scalar::F32)}).find("unsupported"), std::string::npos);
}

TEST(Specialize, a_comparison_of_dtypes_is_decided) {
  const std::string k = kernel(flags, R"(
    %d: dtype<elem(2)> = dtype_of %X
    %f: dtype<float32> = dtype
    %same: const<bool, "elem(2) == float32"> = eq %d, %f
    %t: dtype<select(("elem(2) == float32"), float32, float64)> = ternary %same {
      yield %f
    } {
      %w: dtype<float64> = dtype
      yield %w
    })");
  EXPECT_NE(at_launch(k, {boolean(true), integer(1), array(Scalar::F32)}).find("%same: const<bool, True>"), std::string::npos);
  EXPECT_NE(at_launch(k, {boolean(true), integer(1), array(Scalar::F16)}).find("%w: dtype<float64>"), std::string::npos);
}

TEST(Specialize, constants_are_calculated_as_python_does_and_not_as_their_normal_form) {
  const std::string k = kernel("param constant S = %S: const<float, S>\nparam scalar n = %n: tile<float32, []>\n", R"(
    %a: const<float, 0.1> = literal [literal=0.1]
    %b: const<float, S + 0.1> = add %S, %a
    %c: const<float, S> = sub %b, %a
    %d: tile<float32, []> = mul %n, %c [dtype=float32])");
  EXPECT_NE(at_launch(k, {real(0.3), real(1)}).find("%c: const<float, 0.30000000000000004>"), std::string::npos)
      << at_launch(k, {real(0.3), real(1)});
}

TEST(Specialize, helpers_are_specialised_with_their_kernel) {
  const std::string helper = R"(helper @h {
    param tile x = %x: tile<elem(0), [T]>
    param constant T = %T: const<int, T>
    returns tile<float32, [T]>
    body {
      %y: tile<float32, [T]> = cast %x [dtype=float32]
      return %y
    }
  }
  )";
  const std::string k = helper + kernel("param array X = %X: array<elem(0), 1>\nparam constant T = %T: const<int, T>\n", R"(
    %i: tile<int32, []> = program_id
    %x: tile<elem(0), [T]> = load_tile %X, %i, %T [rank=1]
    %y: tile<float32, [T]> = call %x, %T [function=@h])");
  const std::string got = at_launch(k, {array(Scalar::F16), integer(8)});
  EXPECT_NE(got.find("helper @h {\n  param tile x = %x: tile<float16, [8]>\n"), std::string::npos) << got;
  EXPECT_NE(got.find("%y: tile<float32, [8]> = call %x, %T [function=@h]"), std::string::npos) << got;
  EXPECT_NE(at_launch(k, {array(Scalar::F32), integer(8)}).find("body {\n    return %x\n"), std::string::npos);
}

TEST(Specialize, extents_that_were_taken_to_be_equal_are) {
  const std::string k = kernel("param constant M = %M: const<int, M>\nparam constant N = %N: const<int, N>\n", R"(
    %a: tile<int32, [M]> = iota %M [dtype=int32]
    %b: tile<int32, [N]> = iota %N [dtype=int32]
    %c: tile<int32, [M]> = add %a, %b [dtype=int32])");
  EXPECT_EQ(at_launch(k, {integer(8), integer(16)}),
            "TW183: with the constants of this launch, shapes (8,) and (16,) cannot be broadcast\n");
  EXPECT_EQ(at_launch(k, {integer(1), integer(16)}),
            "TW183: with the constants of this launch, the operands make (16,) where (1,) was read\n");
  EXPECT_NE(at_launch(k, {integer(8), integer(8)}).find("add %a, %b"), std::string::npos);
}

TEST(Specialize, bounds_under_a_constant_are_decided) {
  const std::string k = kernel(flags, R"(
    %x: tile<elem(2), []> = gather %X, %n [rank=1, bounds_if=%F]
    scatter %X, %n, %x [rank=1])");
  EXPECT_NE(at_launch(k, {boolean(true), integer(1), array(Scalar::F32)}).find("gather %X, %n [rank=1]"), std::string::npos);
  EXPECT_NE(at_launch(k, {boolean(false), integer(1), array(Scalar::F32)}).find("gather %X, %n [bounds=never, rank=1]"),
            std::string::npos);
}

}  // namespace
}  // namespace tilewright::ir
