// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON as a plain value. The library behind it costs seconds for every file that includes it, so it is included in json.cc
// and nowhere else; objects keep the order in which they were filled, so that the same input gives the same bytes.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace tilewright {

struct Json {
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  std::variant<std::nullptr_t, bool, int64_t, double, std::string, Array, Object> value = nullptr;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
  // The member of an object; null where this is no object or has no such member.
  const Json* find(std::string_view key) const;

  friend bool operator==(const Json&, const Json&) = default;
};

// The reason names the place: "line 3, column 5: …".
Result<Json> parse_json(std::string_view text);

// Two spaces a level, a line break at the end. Bytes that are not UTF-8 become U+FFFD.
std::string write_json(const Json& json);

}  // namespace tilewright
