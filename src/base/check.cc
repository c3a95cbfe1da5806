// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/check.h"

#include <cstring>

namespace tilewright {

void fail_check(const char* file, int line, const std::string& what) {
  const char* name = std::strstr(file, "src/");
  throw InternalError(std::string(name ? name : file) + ":" + std::to_string(line) + ": " + what);
}

}  // namespace tilewright
