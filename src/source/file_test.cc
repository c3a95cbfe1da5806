// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "source/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/check.h"

namespace tilewright::source {

namespace fs = std::filesystem;

static Position at(const File& file, uint32_t offset) { return file.position(offset); }

TEST(File, counts_lines_at_every_kind_of_line_end_and_columns_in_code_points) {
  const File file("a.py", "a\r\nb\rc\n漢x");
  EXPECT_EQ(file.line_count(), 4u);
  EXPECT_EQ(file.line(2), "b");
  EXPECT_EQ(at(file, 5).line, 3u);
  EXPECT_EQ(at(file, 10).line, 4u);
  EXPECT_EQ(at(file, 10).column, 2u);
  EXPECT_EQ(file.byte_column(10), 3u);
}

TEST(File, does_not_count_a_byte_order_mark) {
  const File file("a.py", "\xEF\xBB\xBFx = 1\n");
  EXPECT_EQ(at(file, 3).column, 1u);
  EXPECT_EQ(file.byte_column(7), 4u);
}

TEST(Edits, are_applied_in_order_of_place_and_insertions_in_order_of_writing) {
  const FileId file{0};
  EXPECT_EQ(apply("abcdef", {{{file, 4, 6}, "X"}, {{file, 0, 1}, ""}, {{file, 2, 2}, "1"}, {{file, 2, 2}, "2"}}), "b12cdX");
  EXPECT_EQ(apply("abc", {}), "abc");
  EXPECT_THROW(apply("abc", {{{file, 0, 2}, ""}, {{file, 1, 3}, ""}}), InternalError);
}

struct Folder {
  fs::path path = fs::temp_directory_path() / ("tilewright_file_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
  size_t entries() const { return static_cast<size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator())); }
};

TEST(WriteBytes, replaces_a_file_and_keeps_its_rights) {
  const Folder folder;
  ASSERT_TRUE(write_bytes(folder / "a", "one"));
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0640), 0);
  ASSERT_TRUE(write_bytes(folder / "a", "two"));
  EXPECT_EQ(*read_bytes(folder / "a"), "two");
  EXPECT_EQ(static_cast<int>(fs::status(folder / "a").permissions()), 0640);
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(WriteBytes, writes_through_a_link_and_leaves_the_link) {
  const Folder folder;
  ASSERT_TRUE(write_bytes(folder / "a", "one"));
  fs::create_symlink("a", folder / "link");
  ASSERT_TRUE(write_bytes(folder / "link", "two"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(*read_bytes(folder / "a"), "two");
}

TEST(WriteBytes, never_replaces_a_device) {
  ASSERT_TRUE(write_bytes("/dev/null", "gone"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteBytes, says_why_it_cannot_and_leaves_nothing_behind) {
  const Folder folder;
  EXPECT_EQ(write_bytes(folder / "none/a", "x").reason(),
            "cannot write `" + (folder / "none/a") + "`: No such file or directory");
  EXPECT_EQ(write_bytes(folder.path.string(), "x").reason(), "cannot write `" + folder.path.string() + "`: Is a directory");
  EXPECT_EQ(folder.entries(), 0u);
}

}  // namespace tilewright::source
