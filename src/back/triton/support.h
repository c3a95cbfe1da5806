// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Short functions that a converted file gets where it needs them: what Triton says otherwise (floor division, tanh), and what
// launch functions share.

#pragma once

#include <span>
#include <string_view>

namespace tilewright::back::triton {

struct SupportText {
  std::string_view name;
  std::string_view needs;  // another one that it calls, or empty
  std::string_view text;
};

const SupportText* support_named(std::string_view name);
std::span<const SupportText> support_texts();

}  // namespace tilewright::back::triton
