// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/version.h"

namespace tilewright::driver {

std::string_view version() { return TILEWRIGHT_VERSION; }

}  // namespace tilewright::driver
