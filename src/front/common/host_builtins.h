// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Python's own functions and classes that device code of no dialect knows.

#pragma once

#include <optional>
#include <string_view>

#include "front/common/value.h"

namespace tilewright::front {

// A builtin that only the host can call, whatever its name.
Val builtin_of_host(std::string_view name);

// The same if `name` is one in every dialect.
std::optional<Val> host_builtin(std::string_view name);

}  // namespace tilewright::front
