// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// CHECK is for bugs of ours and for nothing else: a user's mistake is a diagnostic, trouble outside is a Result.
//
// It throws InternalError, which is caught in exactly three places (the driver's loop over files, main, the Python binding), so
// that one bad kernel neither ends a run over many nor a user's interpreter.

#pragma once

#include <stdexcept>
#include <string>

namespace tilewright {

struct InternalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail_check(const char* file, int line, const std::string& what);

}  // namespace tilewright

#define TW_CHECK(condition, what)                                           \
  do {                                                                      \
    if (!(condition)) ::tilewright::fail_check(__FILE__, __LINE__, (what)); \
  } while (false)
