// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// How a call that we write is broken into lines: as black does it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::back::host {

struct Argument {
  std::string text;                         // may have several lines
  std::optional<std::string> margin;        // what its further lines are indented by now, if that may change
  std::vector<std::string> comments_above;  // whole comments, `# …`
  std::string comment;                      // behind it on its line
};

struct Place {
  std::string indent;   // of the statement
  uint32_t column = 0;  // where the call begins
  uint32_t behind = 0;  // characters that follow it on its line
  uint32_t width = 100;
};

// `callee(a, b)` on one line; or its arguments on one line of their own; or one argument to a line.
std::string lay_out(std::string_view callee, const std::vector<Argument>& arguments, const Place& place);

// Columns that a text takes: code points.
uint32_t columns(std::string_view text);

// Puts an indent before every line but the first and those that are empty.
std::string indented(std::string text, std::string_view indent);

}  // namespace tilewright::back::host
