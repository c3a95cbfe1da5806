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
enum class Autotune : uint8_t { Candidates, Pinned };  // Pinned: the formula's choice alone

struct Options {
  Numerics numerics = Numerics::Default;
  Autotune autotune = Autotune::Candidates;
  std::vector<uint32_t> gpus = {80, 90, 100, 120};  // compute capabilities that every launch must run on
  Style style;
};

Result<Numerics> numerics_named(std::string_view word);                        // "strict"
Result<std::vector<uint32_t>> gpus_named(std::span<const std::string> words);  // "sm_90"

}  // namespace tilewright::driver
