// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a user may choose, and the words for it.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "driver/style.h"

namespace tilewright::driver {

enum class Numerics : uint8_t { Strict, Default, Fast };

struct Options {
  Numerics numerics = Numerics::Default;
  Style style;
};

Result<Numerics> numerics_named(std::string_view word);  // "strict"
// "sm_90": compute capabilities. What is converted fits all that both compilers know, so nothing depends on them yet.
Result<std::vector<uint32_t>> gpus_named(std::span<const std::string> words);

}  // namespace tilewright::driver
