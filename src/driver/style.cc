// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/style.h"

#include <algorithm>
#include <optional>

#include "driver/toml.h"
#include "source/file.h"

namespace tilewright::driver {

namespace fs = std::filesystem;

static constexpr uint32_t formatters_own = 88;  // ruff's and black's width where none is set

static bool has_style(const Toml& toml) {
  const auto first = toml.values.lower_bound("tool.black");
  const auto is_ours = [](const auto& row) {
    return row.first == "tool.black" || row.first == "tool.ruff" || row.first.starts_with("tool.black.") ||
           row.first.starts_with("tool.ruff.");
  };
  return std::any_of(first, toml.values.end(), is_ours);
}

static Style style_of(const Toml& toml) {
  const bool black = toml.find<bool>("tool.black");
  const bool formats = black || toml.find<bool>("tool.ruff.format");
  Style style;
  if (formats) style.line_width = formatters_own;
  for (const std::string_view name : {"tool.black.line-length", "tool.ruff.line-length", "tool.ruff.format.line-length"}) {
    if (const auto* width = toml.find<int64_t>(name); width && *width > 0 && *width <= 1000)
      style.line_width = static_cast<uint32_t>(*width);
  }

  if (formats) style.quotes = Quotes::Double;
  if (const auto* skip = toml.find<bool>("tool.black.skip-string-normalization"); skip && *skip) style.quotes = Quotes::AsInFile;
  if (const auto* quotes = toml.find<std::string>("tool.ruff.format.quote-style")) {
    style.quotes = *quotes == "single" ? Quotes::Single : *quotes == "preserve" ? Quotes::AsInFile : Quotes::Double;
  }
  return style;
}

Result<Style> style_from(std::string_view pyproject) {
  const auto toml = parse_toml(pyproject);
  if (!toml) return Trouble{toml.reason()};
  return style_of(*toml);
}

// Nothing where the search goes on.
static std::optional<Styles::Found> look_in(const fs::path& folder) {
  const fs::path path = folder / "pyproject.toml";
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    const auto text = source::read_bytes(path.string());
    if (!text) return Styles::Found{.style = {}, .trouble = text.reason()};
    const auto toml = parse_toml(*text);
    if (!toml) return Styles::Found{.style = {}, .trouble = "cannot read `" + path.string() + "`: " + toml.reason()};
    if (has_style(*toml)) return Styles::Found{.style = style_of(*toml), .trouble = {}};
  }
  if (fs::exists(folder / ".git", error) || !folder.has_relative_path()) return Styles::Found{};
  return std::nullopt;
}

const Styles::Found& Styles::of(const fs::path& folder) {
  std::error_code error;
  const fs::path start = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  const auto known = known_.find(start);
  if (known != known_.end()) return known->second;
  const auto found = look_in(start);
  const Found result = found ? *found : of(start.parent_path());
  return known_.emplace(start, result).first->second;
}

}  // namespace tilewright::driver
