// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "diag/diagnostic.h"

#include <algorithm>
#include <tuple>

namespace tilewright::diag {

void sort(Diagnostics& diagnostics) {
  const auto key = [](const Diagnostic& d) {
    return std::tie(d.span.file, d.span.begin, d.span.end, d.severity, d.code, d.message, d.kernel);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end(), same), diagnostics.end());
}

}  // namespace tilewright::diag
