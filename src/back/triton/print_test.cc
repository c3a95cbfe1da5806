// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/print.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace tilewright::back::triton {
namespace {

// The body of a kernel `k` with arrays X, Y, a scalar n and a constant T, as Triton; without the signature.
std::string body(const std::string& ops, const Options& options = {}) {
  const std::string text = R"(kernel @k {
  param array X = %X: array<elem(0), 1>
  param array Y = %Y: array<elem(1), 1>
  param scalar n = %n: tile<int32, []>
  param constant T = %T: const<int, T>
  body {
)" + ops + "  }\n}\n";
  const Result<ir::Program> program = ir::parse(text);
  if (!program.ok()) return program.reason();
  Legal legal = legalize(*program);
  Names names;
  names.functions[ir::FunctionId{0}] = "k";
  names.launches[ir::FunctionId{0}] = {"launch_k", LaunchForm::Function};
  const Printed printed = print(legal, Author(), names, options);
  std::string out;
  for (const diag::Diagnostic& diagnostic : printed.diagnostics) out += std::string(diagnostic.code) + "\n";
  for (const PrintedFunction& function : printed.functions) {
    const size_t at = function.text.find("):\n");
    out += function.text.substr(at + 3);
  }
  return out;
}

TEST(Print, a_tile_is_loaded_by_offsets_that_load_and_store_share) {
  EXPECT_EQ(body(R"(
    %i: tile<int32, []> = program_id !1/-
    %x: tile<elem(0), [T]> = load_tile %X, %i, %T [rank=1, padding=zero] !2/-
    %y: tile<elem(1), [T]> = cast %x [dtype=elem(1)] !3/-
    store_tile %Y, %i, %y [rank=1] !4/-
)"),
            R"(    i = tl.program_id(0)
    offs_i = tl.cast(i, tl.int64) * T + tl.arange(0, T)
    x = tl.load(X + offs_i * X_stride_0, mask=offs_i < X_shape_0, other=0.0)
    y = x.to(Y.dtype.element_ty)
    tl.store(Y + offs_i * Y_stride_0, y, mask=offs_i < Y_shape_0))");
}

TEST(Print, a_long_function_is_printed_as_a_short_one) {
  // The address at the end shares what was calculated at the start.
  const auto print_of = [](int lines) {
    std::string ops =
        "%i: tile<int32, []> = program_id !1/-\n"
        "%x: tile<elem(0), [T]> = load_tile %X, %i, %T [rank=1, padding=zero] !2/-\n";
    for (int k = 3; k < lines; ++k) {
      const std::string number = std::to_string(k);
      ops += "%" + number + ": const<int, " + number + "> = literal [literal=" + number + "] !" + number + "/-\n%n_" + number +
             ": tile<int32, []> = add %i, %" + number + " [dtype=int32] !" + number + "/-\n";
    }
    return body(ops + "%y: tile<elem(1), [T]> = cast %x [dtype=elem(1)] !1/-\nstore_tile %Y, %i, %y [rank=1] !1/-\n");
  };
  for (const int lines : {4, 5000}) {
    std::string expected =
        "    i = tl.program_id(0)\n"
        "    offs_i = tl.cast(i, tl.int64) * T + tl.arange(0, T)\n"
        "    x = tl.load(X + offs_i * X_stride_0, mask=offs_i < X_shape_0, other=0.0)\n";
    for (int k = 3; k < lines; ++k) expected += "    n_" + std::to_string(k) + " = i + " + std::to_string(k) + "\n";
    expected +=
        "    y = x.to(Y.dtype.element_ty)\n"
        "    tl.store(Y + offs_i * Y_stride_0, y, mask=offs_i < Y_shape_0)";
    EXPECT_TRUE(print_of(lines) == expected) << "of " << lines << " lines";
  }
}

TEST(Print, what_is_rounded_to_nearest_and_keeps_denormals_has_no_note) {
  const auto codes = [](const std::string& op) {
    const std::string text = body(
        "    %i: tile<int32, []> = program_id !1/-\n"
        "    %x: tile<float32, [T]> = full %T, %i [dtype=float32, rank=1] !2/-\n    %r: tile<float32, " +
        op + " !3/-\n    store_tile %X, %i, %r [rank=1] !4/-\n");
    return text.starts_with("TW") ? text.substr(0, text.find('\n')) : "";
  };
  EXPECT_EQ(codes("[T]> = sqrt %x [rounding=nearest]"), "");
  EXPECT_EQ(codes("[T]> = sqrt %x [rounding=approx, flush=to_zero]"), "");
  EXPECT_EQ(codes("[T]> = scan %x [reduction=prod]"), "");
  EXPECT_EQ(codes("[1]> = reduce %x [reduction=sum, axes=(0), keep_dims=true]"), "");
  for (const char* op : {"[T]> = add %x, %x [rounding=zero]", "[T]> = true_div %x, %x [rounding=minus_inf]",
                         "[T]> = sqrt %x [rounding=minus_inf]", "[T]> = scan %x [reduction=sum, rounding=plus_inf]",
                         "[1]> = reduce %x [reduction=prod, axes=(0), keep_dims=true, rounding=zero]"}) {
    EXPECT_EQ(codes(op), "TW205") << op;
  }
  for (const char* op : {"[T]> = mul %x, %x [flush=to_zero]", "[T]> = max %x, %x [flush=to_zero]",
                         "[T]> = sqrt %x [flush=to_zero]", "[T]> = scan %x [reduction=prod, flush=to_zero]",
                         "[1]> = reduce %x [reduction=max, axes=(0), keep_dims=true, flush=to_zero]"}) {
    EXPECT_EQ(codes(op), "TW221") << op;
  }
}

TEST(Print, a_note_says_where_denormals_or_digits_are_lost) {
  const auto codes = [](const std::string& op, const std::string& dtype, Numerics numerics) {
    const std::string tile = "tile<" + dtype + ", [T]> = ";
    const std::string text = body("    %x: " + tile + "load_tile %X, %n, %T [rank=1] !1/-\n    %r: " + tile + op +
                                      "[dtype=" + dtype + "] !2/-\n    store_tile %Y, %n, %r [rank=1] !3/-\n",
                                  {.numerics = numerics});
    std::string out;
    for (size_t at = 0; text.substr(at, 2) == "TW"; at = text.find('\n', at) + 1) out += text.substr(at, 5);
    return out;
  };
  for (const char* op : {"floor_div %x, %x", "floor_mod %x, %x"}) EXPECT_EQ(codes(op, "int32", Numerics::Strict), "") << op;
  for (const char* op : {"floor_div %x, %x", "floor %x", "tan %x", "tanh %x"})
    EXPECT_EQ(codes(op, "float32", Numerics::Default), "") << op;
  EXPECT_EQ(codes("floor_mod %x, %x", "float32", Numerics::Default), "TW228");
  EXPECT_EQ(codes("floor_mod %x, %x", "float32", Numerics::Strict), "TW228TW222");
  for (const char* op : {"floor_div %x, %x", "floor %x", "ceil %x"})
    EXPECT_EQ(codes(op, "float32", Numerics::Strict), "TW222") << op;
  EXPECT_EQ(codes("tan %x", "float32", Numerics::Strict), "TW222TW223");
  for (const char* op : {"tanh %x", "sinh %x", "cosh %x"}) EXPECT_EQ(codes(op, "float32", Numerics::Strict), "TW223") << op;
}

TEST(Print, a_gather_tests_both_bounds_of_each_index) {
  EXPECT_EQ(body(R"(
    %lanes: tile<int32, [T]> = iota %T [dtype=int32] !1/-
    %x: tile<elem(0), [T]> = gather %X, %lanes [rank=1] !2/-
    scatter %Y, %lanes, %x [rank=1, bounds=never] !3/-
)"),
            R"(    lanes = tl.arange(0, T)
    x = tl.load(
        X + lanes.to(tl.int64) * X_stride_0, mask=(lanes >= 0) & (lanes < X_shape_0), other=0.0
    )
    tl.store(Y + lanes.to(tl.int64) * Y_stride_0, x))");
}

TEST(Print, narrow_floats_are_summed_in_float32_and_rounded_once) {
  EXPECT_EQ(body(R"(
    %lanes: tile<int32, [T]> = iota %T [dtype=int32] !1/-
    %x: tile<float16, [T]> = full %T, %n [dtype=float16] !2/-
    %s: tile<float16, []> = reduce %x [reduction=sum, axes=(0)] !3/-
    store_tile %Y, %n, %s [rank=1] !4/-
)"),
            R"(    lanes = tl.arange(0, T)
    x = tl.full((T,), n, dtype=tl.float16)
    s = tl.sum(x.to(tl.float32), axis=0).to(tl.float16)
    tl.store(Y + tl.cast(n, tl.int64) * Y_stride_0, s))");
}

TEST(Print, the_words_of_a_branch_that_does_not_compile_are_one_string) {
  const std::string text = body(
      "    if %T {\n      unsupported [text=\"\\\"K\\\" and \\\\N\"] !1/-\n    } {\n    }\n    store_tile %Y, %n, %n "
      "[rank=1] !2/-\n");
  EXPECT_NE(text.find(R"(tl.static_assert(False, "\"K\" and \\N"))"), std::string::npos) << text;
}

TEST(Print, a_static_assertion_is_one_with_the_words_of_the_author) {
  const auto asserted = [](const std::string& unsupported) {
    const std::string text = body(R"(
    %1: const<int, 1> = literal [literal=1] !1/-
    %2: const<bool, (T > 1)> = gt %T, %1 [spelling=operator] !1/-
    if %2 [asserted=true] !1/- {
    } {
      unsupported )" + unsupported +
                                  R"( !1/-
    }
    store_tile %Y, %n, %n [rank=1] !2/-
)");
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(asserted("[asserted=true, text=\"no \\\"tile\\\"\"]"), R"(    tl.static_assert(T > 1, "no \"tile\""))");
  EXPECT_EQ(asserted("[implicit=true, asserted=true, text=\"T > 1\"]"), "    tl.static_assert(T > 1)");
}

TEST(Print, a_constant_that_a_loop_counts_on_as_an_int32_is_asked_to_be_one) {
  const auto first_line = [](const std::string& start) {
    const std::string text = body(R"(
    %1: const<int, 1> = literal [literal=1] !1/-
    set )" + start + R"( [var=$a] !1/-
    for %1, %n, %1 [spelling=start_stop_step] !2/- (%i: tile<int32, []>) {
      %2: tile<int32, []> = get [var=$a] !3/-
      %3: tile<int32, []> = add %2, %i [dtype=int32] !3/-
      set %3 [var=$a] !3/-
    }
    %4: tile<int32, []> = get [var=$a] !4/-
    store_tile %Y, %n, %4 [rank=1] !4/-
)");
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(first_line("%1"), "    a = 1");
  EXPECT_EQ(first_line("%n"), "    a = n");
  EXPECT_EQ(first_line("%T"), "    tl.static_assert(T < 2**31)");
}

TEST(Print, a_constant_of_a_dtype_is_a_value_of_it_where_it_meets_others) {
  EXPECT_EQ(body(R"(
    %0: const<float, 0.1> = literal [literal=0.1] !1/-
    %h: strict<float16, float, 0.0999755859375> = cast %0 [dtype=float16] !1/-
    %1: const<int, 3> = literal [literal=3] !2/-
    %t: strict<float16, float, 0.2998046875> = mul %h, %1 [dtype=float16] !2/-
    %2: tile<float16, []> = cast %n [dtype=float16, implicit=true] !3/-
    %s: tile<float16, []> = add %t, %2 [dtype=float16] !3/-
    store_tile %Y, %n, %s [rank=1] !4/-
)"),
            R"(    h: tl.constexpr = 0.0999755859375
    t: tl.constexpr = 0.2998046875
    s = t + tl.cast(n, tl.float16)
    tl.store(Y + tl.cast(n, tl.int64) * Y_stride_0, s))");
}

TEST(Print, a_name_that_is_assigned_twice_is_no_variable_where_nothing_meets) {
  EXPECT_EQ(body(R"(
    %0: tile<elem(0), [T]> = load_tile %X, %n, %T [rank=1] !1/-
    set %0 [var=$x] !1/-
    %1: tile<elem(0), [T]> = get [var=$x] !2/-
    %2: tile<float32, [T]> = cast %1 [dtype=float32] !2/-
    set %2 [var=$x] !2/-
    %3: tile<float32, [T]> = get [var=$x] !3/-
    store_tile %Y, %n, %3 [rank=1] !3/-
)"),
            R"(    offs_n = tl.cast(n, tl.int64) * T + tl.arange(0, T)
    x = tl.load(X + offs_n * X_stride_0, mask=offs_n < X_shape_0, other=0.0)
    x = x.to(tl.float32)
    tl.store(Y + offs_n * Y_stride_0, x, mask=offs_n < Y_shape_0))");
}

TEST(Print, what_follows_continue_moves_into_the_other_branch) {
  EXPECT_EQ(body(R"(
    %0: const<int, 0> = literal [literal=0] !1/-
    %1: const<int, 1> = literal [literal=1] !1/-
    for %0, %n, %1 !1/- (%i: tile<int32, []>) {
      %2: const<int, 3> = literal [literal=3] !2/-
      %3: tile<bool_, []> = lt %i, %2 [dtype=int32] !2/-
      if %3 !2/- {
        continue !3/-
      } {
      }
      %4: const<float, 1.0> = literal [literal=1.0] !4/-
      %5: tile<float32, []> = full %4 [dtype=float32] !4/-
      store_tile %Y, %i, %5 [rank=1] !4/-
    }
)"),
            R"(    for i in range(n):
        if i >= 3:
            tl.store(Y + tl.cast(i, tl.int64) * Y_stride_0, tl.full((), 1.0, dtype=tl.float32)))");
}

TEST(Print, a_loop_that_is_left_asks_a_flag_first) {
  EXPECT_EQ(body(R"(
    %0: const<int, 0> = literal [literal=0] !1/-
    %1: const<int, 1> = literal [literal=1] !1/-
    for %0, %n, %1 !1/- (%i: tile<int32, []>) {
      %x: tile<elem(0), []> = load_tile %X, %i, %1 [rank=1] !2/-
      %3: const<float, 0.0> = literal [literal=0.0] !3/-
      %4: tile<bool_, []> = lt %x, %3 [dtype=adapt(elem(0), float)] !3/-
      if %4 !3/- {
        break !4/-
      } {
      }
      store_tile %Y, %i, %x [rank=1] !5/-
    }
)"),
            R"(    done = False
    i = 0
    while not done and i < n:
        i64 = tl.cast(i, tl.int64)
        x = tl.load(X + i64 * X_stride_0)
        if x < 0.0:
            done = True
        else:
            tl.store(Y + i64 * Y_stride_0, x)
        i += 1)");
}

TEST(Print, division_is_exact_unless_the_author_allows_less) {
  const std::string ops = R"(
    %x: tile<float32, []> = cast %n [dtype=float32] !1/-
    %q: tile<float32, []> = true_div %x, %x [dtype=float32] !2/-
    %r: tile<float32, []> = true_div %x, %q [dtype=float32, rounding=approx] !3/-
    store_tile %Y, %n, %r [rank=1] !4/-
)";
  EXPECT_EQ(body(ops), R"(    x = tl.cast(n, tl.float32)
    q = tl.div_rn(x, x)
    r = x / q
    tl.store(Y + tl.cast(n, tl.int64) * Y_stride_0, r))");
}

// `x` as tf32, stored as float32.
std::string as_tf32(const std::string& from, const std::string& to, Numerics numerics = Numerics::Default) {
  const std::string text = body("    %x: tile<" + from + ", [T]> = load_tile %X, %n, %T [rank=1] !1/-\n" + "    %y: tile<" + to +
                                    ", [T]> = cast %x [dtype=" + to + "] !2/-\n" + "    store_tile %Y, %n, %y [rank=1] !3/-\n",
                                {.numerics = numerics});
  const size_t begin = text.find("    y = ");
  const std::string code = text.substr(0, 2) == "TW" ? text.substr(0, 6) : "";
  return code + (begin == std::string::npos ? "" : text.substr(begin + 8, text.find('\n', begin) - begin - 8));
}

TEST(Print, a_tf32_is_not_rounded_where_nothing_is_lost) {
  EXPECT_EQ(as_tf32("float16", "tfloat32"), "x.to(tl.float32)");
  EXPECT_EQ(as_tf32("bfloat16", "tfloat32"), "x.to(tl.float32)");
  EXPECT_EQ(as_tf32("int8", "tfloat32"), "x.to(tl.float32)");
}

TEST(Print, a_tf32_is_not_rounded_where_speed_is_all_and_a_note_says_so) {
  EXPECT_EQ(as_tf32("int32", "tfloat32", Numerics::Fast), "TW224\nx.to(tl.float32)");
}

TEST(Print, a_float32_that_becomes_a_tf32_is_rounded) {
  EXPECT_EQ(as_tf32("float32", "tfloat32"), "round_to_tf32(x)");
  EXPECT_EQ(as_tf32("float32", "tfloat32", Numerics::Strict), "round_to_tf32(x)");
  EXPECT_EQ(as_tf32("int32", "tfloat32"), "round_to_tf32(x.to(tl.float32))");
}

TEST(Print, an_element_of_any_dtype_is_rounded_if_it_is_a_float32) {
  EXPECT_EQ(as_tf32("elem(0)", "tfloat32"), "round_to_tf32(x.to(tl.float32))");
  EXPECT_EQ(as_tf32("elem(0)", R"(select("T > 16", tfloat32, float32))"), "round_to_tf32_if(T > 16, x.to(tl.float32))");
}

// What is said of a product of 64 x 256 and 256 x 64 elements beside its operands.
// The product of two tiles of 64 rows and columns and this depth.
std::string product_text(const std::string& element, const std::string& more, const std::string& acc, int depth) {
  const std::string rows = "[64, " + std::to_string(depth) + "]";
  const std::string columns = "[" + std::to_string(depth) + ", 64]";
  const auto literal = [](const std::string& name, int number) {
    const std::string text = std::to_string(number);
    return "    %" + name + ": const<int, " + text + "> = literal [literal=" + text + "] !1/-\n";
  };
  const std::string all = std::to_string(64 * depth);
  return body(literal("e", 64 * depth) + literal("o", 4096) + literal("l", 64) + literal("d", depth) + literal("z", 0) +
              "    %x: tile<" + element + ", [" + all + "]> = load_tile %X, %z, %e [rank=1] !2/-\n" +  //
              "    %a: tile<" + element + ", " + rows + "> = reshape %x, %l, %d !3/-\n" +              //
              "    %b: tile<" + element + ", " + columns + "> = reshape %x, %d, %l !4/-\n" +           //
              more + "    %c: tile<" + acc + ", [64, 64]> = dot %a, %b !5/-\n" + "    %y: tile<" + acc +
              ", [4096]> = reshape %c, %o !6/-\n" + "    store_tile %Y, %z, %y [rank=1] !7/-\n");
}

// What a product of depth 256 asks of tl.dot.
std::string product(const std::string& element, const std::string& more, const std::string& acc = "float32") {
  const std::string text = product_text(element, more, acc, 256);
  const size_t begin = text.find("tl.dot(a, b");
  return begin == std::string::npos ? text : text.substr(begin + 11, text.find(')', begin) - begin - 11);
}

TEST(Print, a_parameter_is_copied_where_a_loop_or_branch_assigns_it_and_nowhere_else) {
  const std::string begin = "    set %n [var=$n, spelling=parameter] !1/-\n    %a: tile<int32, []> = get [var=$n] !2/-\n";
  const std::string change = "    %b: tile<int32, []> = add %a, %a [dtype=int32] !3/-\n    set %b [var=$n] !4/-\n";
  const std::string use = R"(    %c: tile<int32, []> = get [var=$n] !5/-
    %x: tile<elem(0), [T]> = load_tile %X, %c, %T [rank=1] !6/-
    store_tile %X, %a, %x [rank=1] !7/-
)";
  EXPECT_EQ(body(begin + change + use).find("n_1 = n\n"), std::string::npos) << body(begin + change + use);
  const std::string branch =
      "    %q: tile<bool_, []> = gt %a, %a [dtype=int32] !8/-\n    if %q !9/- {\n" + change + "    } {\n    }\n";
  EXPECT_EQ(body(begin + branch + use).substr(0, 12), "    n_1 = n\n") << body(begin + branch + use);
}

TEST(Print, products_of_what_is_no_float8_are_added_up_as_ever) {
  EXPECT_EQ(product("float16", ""), "");
  EXPECT_EQ(product("float32", ""), ", input_precision=\"ieee\"");
  EXPECT_EQ(product("elem(0)", "    %t: tile<elem(0), [16384]> = add %x, %x [dtype=elem(0)] !8/-\n"),
            ", input_precision=\"ieee\"");
  EXPECT_EQ(product("float8_e4m3fn", "", "float16"), ", out_dtype=tl.float16");
}

TEST(Print, products_of_what_may_be_float8_are_added_up_in_float32_after_128_of_them) {
  EXPECT_EQ(product("float8_e4m3fn", ""), ", max_num_imprecise_acc=128");
  EXPECT_EQ(product("elem(0)", ""), ", input_precision=\"ieee\", max_num_imprecise_acc=128");
}

TEST(Print, products_of_int8_are_plain_and_those_that_may_be_of_uint8_are_not) {
  EXPECT_EQ(product("int8", "", "int32"), ", out_dtype=tl.int32");
  EXPECT_NE(product("uint8", "", "int32").find("byte_dot(a, b)"), std::string::npos);
  EXPECT_NE(product("elem(0)", "", "int32").find("byte_dot(a, b)"), std::string::npos);
  EXPECT_NE(product("select((T == 1), uint8, int8)", "", "int32").find("byte_dot(a, b)"), std::string::npos);
}

TEST(Print, a_product_is_added_up_in_what_the_constant_says) {
  EXPECT_EQ(product("select((T == 1), float32, float16)", "", "float32"), ", input_precision=\"ieee\"");
  EXPECT_EQ(product("select((T == 1), int8, float16)", "", "select((T == 1), int32, float16)"),
            ", input_precision=\"ieee\", out_dtype=tl.int32 if 1 == T else tl.float16");
}

TEST(Print, a_product_that_is_one_of_uint8_for_some_constants_alone_is_refused) {
  EXPECT_EQ(product("select((T == 1), uint8, float16)", "", "select((T == 1), int32, float16)").substr(0, 6), "TW201\n");
}

TEST(Print, a_thin_product_of_several_dtypes_is_refused_where_one_is_no_float_of_32_bits) {
  const auto thin = [](const std::string& element, const std::string& acc) { return product_text(element, "", acc, 4); };
  EXPECT_EQ(thin("float64", "float64").find("TW201"), std::string::npos);
  EXPECT_EQ(thin("select((T == 1), float32, float16)", "select((T == 1), float32, float16)").find("TW201"), std::string::npos);
  EXPECT_EQ(thin("select((T == 1), float64, float16)", "select((T == 1), float64, float16)").substr(0, 6), "TW201\n");
  EXPECT_EQ(thin("select((T == 1), int8, float16)", "select((T == 1), int32, float16)").substr(0, 6), "TW201\n");
}

}  // namespace
}  // namespace tilewright::back::triton
