// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/style.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace tilewright::driver {

namespace fs = std::filesystem;

TEST(Style, follows_ruff_then_black_then_their_own_default) {
  EXPECT_EQ(style_from("[tool.ruff]\nline-length = 120\n[tool.black]\nline-length = 79\n")->line_width, 120u);
  EXPECT_EQ(style_from("[tool.black]\nline-length = 79\n")->line_width, 79u);
  EXPECT_EQ(style_from("[tool.black]\n")->line_width, 88u);
  EXPECT_EQ(style_from("[tool.ruff.format]\n")->line_width, 88u);
  EXPECT_EQ(style_from("[tool.ruff.lint]\n")->line_width, 100u);
  EXPECT_EQ(style_from("[tool.ruff]\nline-length = -3\n")->line_width, 100u);
}

TEST(Style, keeps_the_quotes_of_the_file_unless_a_formatter_changes_them) {
  EXPECT_EQ(style_from("[tool.ruff]\nline-length = 120\n")->quotes, Quotes::AsInFile);
  EXPECT_EQ(style_from("[tool.black]\n")->quotes, Quotes::Double);
  EXPECT_EQ(style_from("[tool.black]\nskip-string-normalization = true\n")->quotes, Quotes::AsInFile);
  EXPECT_EQ(style_from("[tool.ruff.format]\nquote-style = \"single\"\n")->quotes, Quotes::Single);
  EXPECT_EQ(style_from("[tool.ruff.format]\nquote-style = \"preserve\"\n")->quotes, Quotes::AsInFile);
}

struct Folder {
  fs::path path = fs::temp_directory_path() / ("tilewright_style_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
};

TEST(Style, takes_the_nearest_pyproject_that_has_a_table_of_ruff_or_black) {
  const Folder folder;
  folder.write("a/pyproject.toml", "[tool.ruff]\nline-length = 111\n");
  folder.write("a/b/pyproject.toml", "[project]\nname = 'x'\n");
  folder.write("a/b/c/x.py", "");
  folder.write("a/b/d/pyproject.toml", "[tool.black]\nline-length = 66\n");
  Styles styles;
  EXPECT_EQ(styles.of(folder.path / "a/b/c").style.line_width, 111u);
  EXPECT_EQ(styles.of(folder.path / "a/b/d").style.line_width, 66u);
}

TEST(Style, does_not_look_beyond_the_repository) {
  const Folder folder;
  folder.write("a/pyproject.toml", "[tool.ruff]\nline-length = 111\n");
  folder.write("a/b/.git/HEAD", "");
  Styles styles;
  EXPECT_EQ(styles.of(folder.path / "a/b").style.line_width, 100u);
}

TEST(Style, reports_a_pyproject_that_cannot_be_read_and_goes_on_with_the_default) {
  const Folder folder;
  folder.write("pyproject.toml", "[tool.ruff\n");
  Styles styles;
  const auto& found = styles.of(folder.path);
  EXPECT_EQ(found.style.line_width, 100u);
  EXPECT_NE(found.trouble.find("pyproject.toml`: line 1"), std::string::npos) << found.trouble;
}

}  // namespace tilewright::driver
