// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which encoding a file declares (PEP 263), and whether its bytes keep to it.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diag/diagnostic.h"
#include "syntax/tree.h"

namespace tilewright::syntax {

// The encoding that the bytes are in; none, and a report, if they are in none that we read.
std::optional<Encoding> read_encoding(source::FileId file, std::string_view text, diag::Diagnostics& errors);

std::string from_latin1(std::string_view text);

}  // namespace tilewright::syntax
