// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/modules.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace tilewright::driver {

namespace fs = std::filesystem;

struct Package {
  fs::path path = fs::temp_directory_path() / ("tilewright_modules_" + std::to_string(::getpid()));
  Package() {
    for (const char* name :
         {"top/__init__.py", "top/a.py", "top/sub/__init__.py", "top/sub/k.py", "top/sub/utils.py", "script.py", "beside.py"}) {
      fs::create_directories((path / name).parent_path());
      EXPECT_TRUE(source::write_bytes((path / name).string(), "X = 1\n"));
    }
  }
  ~Package() { fs::remove_all(path); }
  std::string find(const std::string& from, uint32_t level, std::string_view module) const {
    const auto found = find_module((path / from).string(), level, module);
    return found ? fs::path(*found).lexically_relative(path).string() : "none";
  }
};

TEST(FindModule, follows_relative_imports_from_the_file_s_folder) {
  const Package package;
  EXPECT_EQ(package.find("top/sub/k.py", 1, "utils"), "top/sub/utils.py");
  EXPECT_EQ(package.find("top/sub/k.py", 1, ""), "top/sub/__init__.py");
  EXPECT_EQ(package.find("top/sub/k.py", 2, "a"), "top/a.py");
  EXPECT_EQ(package.find("top/sub/k.py", 2, "sub.utils"), "top/sub/utils.py");
  EXPECT_EQ(package.find("top/sub/k.py", 1, "a"), "none");
}

TEST(FindModule, follows_absolute_imports_from_where_the_package_lies) {
  const Package package;
  EXPECT_EQ(package.find("top/sub/k.py", 0, "top.sub.utils"), "top/sub/utils.py");
  EXPECT_EQ(package.find("top/sub/k.py", 0, "top"), "top/__init__.py");
  EXPECT_EQ(package.find("top/sub/k.py", 0, "utils"), "none");
  EXPECT_EQ(package.find("script.py", 0, "beside"), "beside.py");
}

TEST(FindModule, finds_nothing_for_a_text_without_a_place) {
  EXPECT_FALSE(find_module("<stdin>", 1, "beside"));
  EXPECT_FALSE(find_module("missing.py", 0, "beside"));
}

}  // namespace tilewright::driver
