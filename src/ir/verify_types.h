// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "ir/program.h"
#include "ir/verify.h"

namespace tilewright::ir {

// What is wrong with the types of one op, if anything: kinds of operands, and results that do not follow from them.
std::optional<std::string> mistyped(const Program& program, FunctionId function, OpId op, Form form);

}  // namespace tilewright::ir
