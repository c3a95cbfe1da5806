// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/diff.h"

#include <gtest/gtest.h>

namespace tilewright::cli {

static std::string diff(std::string_view before, std::string_view after) { return unified_diff("a", before, "b", after); }

TEST(Diff, is_empty_for_equal_texts) {
  EXPECT_EQ(diff("", ""), "");
  EXPECT_EQ(diff("x\n", "x\n"), "");
}

TEST(Diff, shows_three_lines_around_a_change) {
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(Diff, starts_a_new_hunk_where_changes_are_far_apart) {
  const std::string out = diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n");
  EXPECT_EQ(out, "--- a\n+++ b\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

TEST(Diff, writes_empty_ranges_as_patch_reads_them) {
  EXPECT_EQ(diff("", "x\n"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(diff("x\n", ""), "--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
}

TEST(Diff, says_where_the_last_line_has_no_end) {
  EXPECT_EQ(diff("x", "x\n"), "--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
}

TEST(Diff, keeps_a_rewritten_block_together) {
  const std::string before = "def f():\n    a\n\n    b\n\nend\n";
  const std::string after = "def f():\n    c\n\n    d\n\nend\n";
  EXPECT_EQ(diff(before, after), "--- a\n+++ b\n@@ -1,6 +1,6 @@\n def f():\n-    a\n-\n-    b\n+    c\n+\n+    d\n \n end\n");
}

}  // namespace tilewright::cli
