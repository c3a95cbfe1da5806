// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What every program keeps to, whoever made it: the reader, a rule's plan, a specialisation. A violation is a bug of ours, so
// there are sentences here and no diagnostics; the driver CHECKs that there are none.
//
// An open program is verified as far as its forms decide: two extents that are different symbols may be equal at a launch.
// A closed one (ir/specialize.h) is verified completely.

#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace tilewright::ir {

enum class Form : uint8_t { Open, Closed };

struct Violation {
  FunctionId function;
  OpId op;           // none() if it is about the function
  std::string what;  // "`add %x, %y`: the result is not a tile"
};

std::vector<Violation> verify(const Program& program, Form form = Form::Open);

// All of them, a line each, for a CHECK.
std::string text(const std::vector<Violation>& violations);

}  // namespace tilewright::ir
