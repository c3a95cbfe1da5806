// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The operands of an op by the names that ops.def gives them, so that nobody counts positions: the third operand of a gather
// is an index, a padding or a mask, depending on its attributes.

#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "ir/program.h"

namespace tilewright::ir {

struct NamedOperands {
  std::string_view name;            // "index", as in ops.def
  std::span<const ValueId> values;  // none if it is optional and missing
};

constexpr size_t most_names = 5;  // that ops.def gives the operands of an op

struct OperandList {
  std::array<NamedOperands, most_names> names = {};
  size_t size = 0;

  const NamedOperands* begin() const { return names.data(); }
  const NamedOperands* end() const { return names.data() + size; }
};

// nullopt if the op has another number of operands than ops.def and its attributes say.
std::optional<OperandList> named_operands(const Op& op);

// The operands called `name`, none if there are none.
std::span<const ValueId> operands_named(const Op& op, std::string_view name);
// The only operand called `name`, none() if it is missing.
ValueId operand_named(const Op& op, std::string_view name);

}  // namespace tilewright::ir
