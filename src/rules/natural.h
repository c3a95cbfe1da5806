// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the rules about numbers that are never negative have in common.

#pragma once

#include <string>
#include <vector>

#include "rules/rule.h"

namespace tilewright::rules {

// Whether an op calculates in signed integers that are known only at run time. Unsigned ones have no sign to prove, floats
// have no rule, and constants are calculated by Python.
bool is_signed_arithmetic(const ir::Program& program, ir::OpId op);

// `n`, or the text of the op: what a user calls a value.
std::string called(const ir::Program& program, ir::ValueId value);

// The conditions of a proof as edits.
void assume(const Context& context, const analysis::Proof& proof, ir::Plan& plan);

// Points at the value at which a proof ends.
void point(const ir::Program& program, ir::ValueId gap, diag::Diagnostic& diagnostic);

// SetKind{op, kind} if no operand is ever negative.
Verdict natural(const Context& context, ir::OpId op, OpKind kind, const Message<>& found,
                const Message<std::string_view>& missed);

// The same of a quotient, whose dividend may also be negative where nobody tells the result from 0.
Verdict quotient(const Context& context, ir::OpId op, OpKind kind, const Message<>& found, const Message<>& clamped,
                 const Message<std::string_view>& missed);

}  // namespace tilewright::rules
