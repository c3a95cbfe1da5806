// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace tilewright::cli {

using std::chrono::steady_clock;

static std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

diag::Colour colour() {
  if (!environment("NO_COLOR").empty() || environment("TERM") == "dumb") return diag::Colour::Never;
  return ::isatty(STDERR_FILENO) ? diag::Colour::Ansi : diag::Colour::Never;
}

bool is_watched() { return ::isatty(STDERR_FILENO) && environment("TERM") != "dumb"; }

static int write_all(int stream, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(stream, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    text.remove_prefix(static_cast<size_t>(put));
  }
  return 0;
}

void tell(std::string_view text) { write_all(STDERR_FILENO, text); }

void complain(std::string_view reason) { tell("tilewright: " + std::string(reason) + "\n"); }

Status put(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == 0) return Status::Done;
  complain(std::string("cannot write to standard output: ") + std::strerror(error));
  return Status::Trouble;
}

Progress::Progress(size_t total) : total_(total), start_(steady_clock::now()), shown_(start_) {}

void Progress::tick(size_t done) {
  using namespace std::chrono_literals;
  const auto now = steady_clock::now();
  if (now - start_ < 1s || now - shown_ < 100ms) return;
  shown_ = now;
  line_ = Line::Shown;
  tell("\r" + std::to_string(done) + " of " + std::to_string(total_) + (total_ == 1 ? " file" : " files"));
}

void Progress::clear() {
  if (line_ == Line::Shown) tell("\r\x1b[K");
  line_ = Line::Absent;
}

}  // namespace tilewright::cli
