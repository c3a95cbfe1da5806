// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string_view>

namespace tilewright::cli {

struct Page {
  std::string_view code;  // "TW101", or the name of a rule
  std::string_view text;  // docs/codes/<code>.md, src/rules/<group>/<rule>.md
};

// By code, then by rule. Written by cmake/write_pages.cmake.
std::span<const Page> pages();

}  // namespace tilewright::cli
