// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which writes reach a read. Variables are few and control flow is structured, so one walk over a function answers it for every
// read; verification, specialisation and facts about values all ask here.

#pragma once

#include <map>
#include <vector>

#include "ir/program.h"

namespace tilewright::ir {

struct Reach {
  std::vector<OpId> writes;  // each may be the last before the read; in the order of ids
  bool certain = false;      // no path comes to the read without a write

  friend bool operator==(const Reach&, const Reach&) = default;
};

// By the `get` op; reads that no path comes to are missing.
using Reaches = std::map<OpId, Reach>;

Reaches reaching_writes(const Program& program, FunctionId function);

// Whether a variable has been written when control comes to a read, by the `get` op; reads that no path comes to are missing.
// The same question, but without a list of writes that may grow with every branch.
enum class IsWritten : uint8_t { Never, Sometimes, Always };
std::map<OpId, IsWritten> written_before(const Program& program, FunctionId function);

// The value that a write gives to a variable.
ValueId written(const Program& program, OpId set, VarId var);

}  // namespace tilewright::ir
