// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/launch_spec.h"

#include <gtest/gtest.h>

namespace tilewright::driver {

TEST(LaunchSpec, reads_every_kind_of_argument) {
  const auto spec = read_launch(R"({"kernel": "k", "arguments": [
      {"kind": "array", "dtype": "bfloat16", "shape": [3, 5], "stride": [5, 1]},
      {"kind": "array", "dtype": "bool", "shape": [], "stride": []},
      {"kind": "list", "items": [{"kind": "array", "dtype": "int64", "shape": [7], "stride": [1]}]},
      {"kind": "int", "value": -4}, {"kind": "float", "value": 0.5}, {"kind": "float", "value": 2}, {"kind": "bool", "value": true},
      {"kind": "other", "text": "torch.float16"}]})");
  ASSERT_TRUE(spec.ok()) << spec.reason();
  EXPECT_EQ(spec->kernel, "k");
  const auto& a = spec->arguments;
  ASSERT_EQ(a.size(), 8u);
  EXPECT_EQ(a[0].kind, ir::ArgumentKind::Array);
  EXPECT_EQ(a[0].dtype, ir::Scalar::BF16);
  EXPECT_EQ(a[0].rank, 2u);
  EXPECT_EQ(a[0].strides, (std::vector<int64_t>{5, 1}));
  EXPECT_EQ(a[1].dtype, ir::Scalar::Bool);
  EXPECT_EQ(a[2].kind, ir::ArgumentKind::ArrayList);
  EXPECT_EQ(a[2].dtype, ir::Scalar::I64);
  EXPECT_EQ(a[2].rank, 1u);
  EXPECT_EQ(a[3].value, sym::Value(int64_t{-4}));
  EXPECT_EQ(a[4].value, sym::Value(0.5));
  EXPECT_EQ(a[5].value, sym::Value(2.0));
  EXPECT_EQ(a[6].value, sym::Value(true));
  EXPECT_EQ(a[7].kind, ir::ArgumentKind::Other);
}

TEST(LaunchSpec, says_what_is_wrong) {
  EXPECT_EQ(read_launch("{}").reason(), "expected an object with `kernel` and `arguments`");
  EXPECT_EQ(read_launch(R"({"kernel": "k", "arguments": [{"kind": "int", "value": 1}, {"kind": "int", "value": 1.5}]})").reason(),
            "argument 1: an argument of kind `int` has no `value` of that kind");
  EXPECT_EQ(read_launch(R"({"kernel": "k", "arguments": [{"kind": "array", "dtype": "complex64", "shape": []}]})").reason(),
            "argument 0: an array has the unknown dtype `complex64`");
  EXPECT_EQ(read_launch(R"({"kernel": "k", "arguments": [{"kind": "array", "dtype": "float16", "shape": [1]}]})").reason(),
            "argument 0: an array has no `stride` for each of its `shape`");
  const std::string unlike = R"({"kernel": "k", "arguments": [{"kind": "list", "items": [
      {"kind": "array", "dtype": "float32", "shape": [4], "stride": [1]}, )";
  EXPECT_EQ(read_launch(unlike + R"({"kind": "array", "dtype": "float64", "shape": [4], "stride": [1]}]}]})").reason(),
            "argument 0: the arrays of a list differ in dtype or rank");
  EXPECT_EQ(read_launch(unlike + R"({"kind": "int", "value": 4}]}]})").reason(),
            "argument 0: a list of arrays has an item that is none");
  EXPECT_TRUE(read_launch("[").reason().starts_with("line 1"));
}

}  // namespace tilewright::driver
