// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// As much of TOML as finding settings in a pyproject.toml takes: every construct is stepped over correctly, and numbers, strings
// and truth values come out under their full dotted names. Values in arrays are not kept; what else is wrong with the file is
// for other tools to say.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"

namespace tilewright::driver {

struct Toml {
  using Value = std::variant<int64_t, bool, std::string>;
  std::map<std::string, Value, std::less<>> values;  // "tool.ruff.line-length"; a table itself is there as true

  template <class T>
  const T* find(std::string_view name) const {
    const auto it = values.find(name);
    return it == values.end() ? nullptr : std::get_if<T>(&it->second);
  }
};

// The reason names the line: "line 3: …".
Result<Toml> parse_toml(std::string_view text);

}  // namespace tilewright::driver
