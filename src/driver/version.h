// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

namespace tilewright::driver {

std::string_view version();  // "0.1.0"; CMakeLists.txt has the number

}  // namespace tilewright::driver
