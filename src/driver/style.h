// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// How a project wants its Python to look: the line width and quotes that ruff or black are told in the nearest pyproject.toml.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"

namespace tilewright::driver {

enum class Quotes : uint8_t { AsInFile, Double, Single };

struct Style {
  uint32_t line_width = 100;
  Quotes quotes = Quotes::AsInFile;
};

// What one pyproject.toml says; a file that sets neither leaves the defaults.
Result<Style> style_from(std::string_view pyproject);

// Looks upwards from a folder, up to the root of its repository, for the first pyproject.toml that has a table of ruff or black.
class Styles {
 public:
  struct Found {
    Style style;
    std::string trouble;  // a pyproject.toml that could not be read: "`a/pyproject.toml`: line 3: …"
  };
  const Found& of(const std::filesystem::path& folder);

 private:
  std::map<std::filesystem::path, Found> known_;
};

}  // namespace tilewright::driver
