// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/ids.h"

namespace tilewright::sym {

struct ExprTag;
using ExprId = Id<ExprTag>;  // of an Arena

}  // namespace tilewright::sym
