// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What we read, as a table: a row for each op of a specialised kernel and of its helpers, at its place in the source. It is
// compared with what NVIDIA's front end read (tests/oracle/agreement.py).
//
//     {"file": "softmax.py", "line": 31, "column": 8, "op": "load_tile", "attrs": {"padding": "zero"},
//      "type": "tile<float16, [1, 1024]>", "operands": ["array<float16, 2>", …], "unused": false}
//
// Lines count from 1 and columns, in bytes, from 0, as Python's `ast` does. Attributes stand there if the op has a use for them.

#pragma once

#include "base/json.h"
#include "ir/program.h"
#include "source/file.h"

namespace tilewright::ir {

Json rows(const Program& program, const source::Files& files);

}  // namespace tilewright::ir
