// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "diag/json.h"

#include <gtest/gtest.h>

namespace tilewright::diag {

static constexpr Message<std::string_view> found{"TW999", "found `{}`"};

TEST(DiagnosticJson, counts_columns_in_code_points_and_offsets_in_bytes) {
  source::Files files;
  const auto file = files.add(source::File("a.py", "ok\n'漢' + bad\n"));
  const Json json = to_json(files, file, report(Severity::Warning, {file, 11, 14}, found, "it"));
  const Json* start = json.find("span")->find("start");
  EXPECT_EQ(*start->find("line")->as<int64_t>(), 2);
  EXPECT_EQ(*start->find("column")->as<int64_t>(), 7);
  EXPECT_EQ(*start->find("offset")->as<int64_t>(), 11);
  EXPECT_EQ(*json.find("severity")->as<std::string>(), "warning");
  EXPECT_EQ(json.find("span")->find("path"), nullptr);
}

TEST(DiagnosticJson, tells_labels_by_their_span_and_other_files_by_their_path) {
  source::Files files;
  const auto file = files.add(source::File("a.py", "bad\n"));
  const auto other = files.add(source::File("b.py", "helper\n"));
  Diagnostic d = report(Severity::Error, {file, 0, 3}, found, "it");
  d.labels.push_back({{other, 0, 6}, "called here"});
  d.notes.push_back("rename it");
  const Json json = to_json(files, file, d);
  const auto& notes = *json.find("notes")->as<Json::Array>();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(*notes[0].find("span")->find("path")->as<std::string>(), "b.py");
  EXPECT_EQ(notes[1].find("span"), nullptr);
  EXPECT_EQ(*notes[1].find("message")->as<std::string>(), "rename it");
}

}  // namespace tilewright::diag
