// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/triton/read.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/specialize.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "syntax/parse.h"

namespace tilewright::front::triton {
namespace {

struct Reading {
  source::Files files;
  ReadResult result;
  std::string text;

  explicit Reading(const std::string& body, const std::string& before = "") {
    const auto id = files.add(source::File("main.py", "import triton\nimport triton.language as tl\n\n\n" + before + body));
    tree = std::make_unique<syntax::Tree>(syntax::parse(id, files[id].text()));
    EXPECT_TRUE(tree->ok()) << body;
    result = read(*tree, [](const ImportRequest&) -> const syntax::Tree* { return nullptr; });
    EXPECT_EQ(ir::text(ir::verify(result.program)), "");
    text = ir::text(result.program, ir::Places::Omit);
    const auto back = ir::parse(text);
    EXPECT_TRUE(back.ok()) << (back.ok() ? "" : back.reason()) << text;
    if (back.ok()) {
      EXPECT_EQ(ir::text(*back, ir::Places::Omit), text);
    }
  }

  std::string codes() const {
    std::string out;
    for (const diag::Diagnostic& one : result.diagnostics) out.append(out.empty() ? "" : " ").append(one.code);
    return out;
  }

  std::unique_ptr<syntax::Tree> tree;
};

std::string kernel(const std::string& parameters, const std::string& body) {
  return "@triton.jit\ndef k(" + parameters + "):\n" + body;
}

TEST(ReadTriton, leaves_functions_alone_that_triton_does_not_compile) {
  const Reading read("def f(x):\n    return x @ x\n\n\nclass C:\n    pass\n");
  EXPECT_TRUE(read.result.kernels.empty());
  EXPECT_EQ(read.codes(), "");
}

TEST(ReadTriton, takes_no_helper_for_a_kernel) {
  const Reading read(kernel("p, n", "    tl.store(p, twice(n))\n"), "@triton.jit\ndef twice(x):\n    return x + x\n\n\n");
  ASSERT_EQ(read.result.kernels.size(), 1u);
  EXPECT_EQ(read.result.kernels[0].name, "k");
  EXPECT_EQ(read.codes(), "");
}

TEST(ReadTriton, finds_out_which_parameters_are_pointers) {
  const Reading read(kernel("x, y, stride, n, B: tl.constexpr",
                            "    o = tl.program_id(0) * stride + tl.arange(0, B)\n"
                            "    v = tl.load(x + o, mask=o < n, other=0.0)\n"
                            "    q = y\n"
                            "    q += o\n"
                            "    tl.store(q, v, mask=o < n)\n"));
  EXPECT_EQ(read.codes(), "");
  EXPECT_NE(read.text.find("param pointer x = %x: tile<ptr(elem(0)), []>"), std::string::npos) << read.text;
  EXPECT_NE(read.text.find("param pointer y = %y: tile<ptr(elem(1)), []>"), std::string::npos) << read.text;
  EXPECT_NE(read.text.find("param scalar stride = %stride: tile<arg(2), []>"), std::string::npos) << read.text;
}

TEST(ReadTriton, divides_integers_as_c_does_and_constants_as_python_does) {
  const Reading read(kernel("p, n, B: tl.constexpr", "    tl.store(p, n // 3)\n    tl.store(p + B // 2, n % 3)\n"));
  EXPECT_NE(read.text.find("= trunc_div "), std::string::npos) << read.text;
  EXPECT_NE(read.text.find("= trunc_mod "), std::string::npos) << read.text;
  EXPECT_NE(read.text.find("= floor_div %B"), std::string::npos) << read.text;
}

TEST(ReadTriton, asks_the_launch_what_it_passes) {
  const Reading read(kernel("p, bias, ACT: tl.constexpr",
                            "    x = tl.load(p)\n"
                            "    if bias is not None:\n        x += tl.load(bias)\n"
                            "    if ACT == \"relu\":\n        x = tl.where(x > 0, x, 0.0)\n"
                            "    tl.store(p, x)\n"));
  EXPECT_EQ(read.codes(), "");
  EXPECT_NE(read.text.find("bias is None"), std::string::npos) << read.text;
  EXPECT_NE(read.text.find("ACT == "), std::string::npos) << read.text;
}

TEST(ReadTriton, prunes_what_a_launch_without_a_tensor_does_not_reach) {
  const Reading read(kernel("p, bias, B: tl.constexpr",
                            "    o = tl.arange(0, B)\n    x = tl.load(p + o)\n"
                            "    if bias is not None:\n        x += tl.load(bias + o)\n    tl.store(p + o, x)\n"));
  ASSERT_EQ(read.result.kernels.size(), 1u);
  ir::LaunchSpec launch{.kernel = "k", .arguments = {}};
  launch.arguments.push_back({.kind = ir::ArgumentKind::Array, .dtype = ir::Scalar::F16, .rank = 1});
  launch.arguments.push_back({.kind = ir::ArgumentKind::None});
  launch.arguments.push_back({.kind = ir::ArgumentKind::Int, .value = int64_t{64}});
  const ir::Specialized special = ir::specialize(read.result.program, read.result.kernels[0].function, launch);
  EXPECT_TRUE(special.diagnostics.empty());
  EXPECT_EQ(ir::text(ir::verify(special.program, ir::Form::Closed)), "");
  const std::string text = ir::text(special.program, ir::Places::Omit);
  EXPECT_NE(text.find("tile<float16, [64]> = ptr_load"), std::string::npos) << text;
  EXPECT_EQ(text.find("ptr_load", text.find("ptr_load") + 1), std::string::npos) << text;
}

TEST(ReadTriton, refuses_one_kernel_and_reads_the_next) {
  const Reading read(kernel("p", "    tl.device_print(\"p\", 1)\n") + "\n\n@triton.jit\ndef good(p):\n    tl.store(p, 1)\n");
  EXPECT_EQ(read.codes(), "TW350");
  ASSERT_EQ(read.result.kernels.size(), 2u);
  EXPECT_EQ(read.result.kernels[0].status, KernelStatus::Refused);
  EXPECT_EQ(read.result.kernels[1].status, KernelStatus::Read);
}

TEST(ReadTriton, says_what_it_refuses) {
  static constexpr struct {
    const char* body;
    const char* code;
  } cases[] = {
      {"    x = tl.relu(p)\n", "TW300"},
      {"    x = tl.load(p).rank\n", "TW301"},
      {"    tl.static_assert(1 > 2)\n", "TW302"},
      {"    tl.load(3)\n", "TW303"},
      {"    x = tl.load(p)\n    q = p * 2\n", "TW304"},
      {"    x = tl.load(p).to(tl.float32) // 2.0\n", "TW305"},
      {"    x = tl.exp(tl.load(p).to(tl.float16))\n", "TW306"},
      {"    a, b = tl.split(tl.zeros((4,), tl.float32))\n", "TW307"},
      {"    x = tl.load(p, cache_modifier=\".xx\")\n", "TW309"},
      {"    x = 0 < tl.load(p) < 2\n", "TW310"},
      {"    x = tl.load(p, other=0.0)\n", "TW311"},
      {"    x = tl.inline_asm_elementwise(\"\", \"\", [p], tl.int32, True, 1)\n", "TW350"},
      {"    x = tl.rand(7, tl.load(p))\n", "TW353"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.body);
    EXPECT_EQ(Reading(kernel("p", one.body)).codes(), one.code);
  }
}

TEST(ReadTriton, runs_static_ranges_at_compile_time) {
  const Reading read(kernel("p", "    for i in tl.static_range(3):\n        tl.store(p + i, i)\n"));
  size_t stores = 0;
  for (size_t at = read.text.find("ptr_store"); at != std::string::npos; at = read.text.find("ptr_store", at + 1)) ++stores;
  EXPECT_EQ(stores, 3u) << read.text;
}

TEST(ReadTriton, keeps_configurations_as_data_of_the_kernel) {
  const Reading read(kernel("p, B: tl.constexpr", "    tl.store(p, B)\n"),
                     "@triton.autotune(configs=[triton.Config({\"B\": 64}, num_warps=4)], key=[\"n\"])\n");
  EXPECT_NE(read.text.find("hint configs"), std::string::npos) << read.text;
  EXPECT_NE(read.text.find("hint key"), std::string::npos) << read.text;
}

}  // namespace
}  // namespace tilewright::front::triton
