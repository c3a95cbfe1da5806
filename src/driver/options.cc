// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/options.h"

#include <charconv>

namespace tilewright::driver {

Result<Numerics> numerics_named(std::string_view word) {
  if (word == "strict") return Numerics::Strict;
  if (word == "default") return Numerics::Default;
  if (word == "fast") return Numerics::Fast;
  return Trouble{"numerics are `strict`, `default` or `fast`, not `" + std::string(word) + "`"};
}

Result<std::vector<uint32_t>> gpus_named(std::span<const std::string> words) {
  static constexpr uint32_t oldest = 80, newest = 129;  // what both cuTile and Triton compile for
  std::vector<uint32_t> out;
  for (const std::string& word : words) {
    uint32_t number = 0;
    const char* end = word.data() + word.size();
    const bool named = word.starts_with("sm_") && std::from_chars(word.data() + 3, end, number).ptr == end;
    if (!named || number < oldest || number > newest)
      return Trouble{"GPUs have names like `sm_80` or `sm_120`, not `" + word + "`"};
    out.push_back(number);
  }
  return out;
}

}  // namespace tilewright::driver
