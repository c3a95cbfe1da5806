// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A launch as JSON, for `dump --specialize`:
//
//     {"kernel": "softmax_kernel", "arguments": [
//         {"kind": "array", "dtype": "float16", "shape": [64, 1000], "stride": [1000, 1]},
//         {"kind": "list", "items": [{"kind": "array", …}, …]},
//         {"kind": "int", "value": 1024}, {"kind": "float", "value": 0.5}, {"kind": "bool", "value": true},
//         {"kind": "other"}]}
//
// Dtypes have torch's or cuTile's names.

#pragma once

#include <string_view>

#include "base/result.h"
#include "ir/specialize.h"

namespace tilewright::driver {

// The reason says what is wrong with the text.
Result<ir::LaunchSpec> read_launch(std::string_view json);

}  // namespace tilewright::driver
