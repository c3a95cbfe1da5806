// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string_view>

namespace tilewright::cli {

struct Page {
  std::string_view code;
  std::string_view text;  // docs/codes/<code>.md
};

// By code. Written by cmake/write_pages.cmake.
std::span<const Page> pages();

}  // namespace tilewright::cli
