// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace tilewright::cli {

// What leads from `before` to `after`, as `diff -u` and `patch` write it; empty if nothing does.
std::string unified_diff(std::string_view before_name, std::string_view before, std::string_view after_name,
                         std::string_view after);

}  // namespace tilewright::cli
