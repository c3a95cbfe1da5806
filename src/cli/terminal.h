// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The two streams. Standard output carries what was asked for (a converted file, a diff, a document), standard error what a
// person should know; only the latter is ever coloured.

#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "diag/text.h"

namespace tilewright::cli {

// Colour on a terminal, unless NO_COLOR is set to something or the terminal says that it is dumb.
diag::Colour colour();

// To standard error, in one piece.
void tell(std::string_view text);
// "tilewright: …" on a line of its own.
void complain(std::string_view reason);

// To standard output. Trouble (a full disk) is complained about.
Status put(std::string_view text);

// Somebody sits at a terminal and may wait.
bool is_watched();

// "12 of 90 files" on a terminal, once it has taken more than a second.
class Progress {
 public:
  explicit Progress(size_t total);
  void tick(size_t done);
  void clear();

 private:
  size_t total_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point shown_;
  enum class Line { Absent, Shown } line_ = Line::Absent;
};

}  // namespace tilewright::cli
