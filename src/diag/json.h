// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics for a program; docs/convert.schema.json describes what comes out. A label becomes a note that has a span.

#pragma once

#include "base/json.h"
#include "diag/diagnostic.h"
#include "source/file.h"

namespace tilewright::diag {

// `home` is the file whose diagnostics are listed: a span elsewhere (in an imported helper) also carries its path.
Json to_json(const source::Files& files, source::FileId home, const Diagnostic& diagnostic);

}  // namespace tilewright::diag
