// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/json.h"

#include <gtest/gtest.h>

namespace tilewright {

TEST(Json, reads_every_kind_of_value_and_writes_it_back_in_the_same_order) {
  const std::string text =
      "{\n  \"z\": [\n    1,\n    -2.5,\n    true,\n    null\n  ],\n  \"a\": {\n    \"s\": \"ü\\\"\"\n  }\n}\n";
  auto json = parse_json(text);
  ASSERT_TRUE(json.ok()) << json.reason();
  EXPECT_EQ(write_json(*json), text);
  ASSERT_TRUE(json->find("a"));
  EXPECT_EQ(*json->find("a")->find("s")->as<std::string>(), "ü\"");
  EXPECT_EQ(json->find("missing"), nullptr);
}

TEST(Json, says_where_text_is_not_json) {
  const auto json = parse_json("{\"a\": 1,\n }");
  ASSERT_FALSE(json.ok());
  EXPECT_TRUE(json.reason().starts_with("line 2, column 2")) << json.reason();
}

TEST(Json, replaces_bytes_that_are_not_utf8) { EXPECT_EQ(write_json({std::string("a\xFF")}), "\"a\xEF\xBF\xBD\"\n"); }

}  // namespace tilewright
