// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/operands.h"

#include <algorithm>

namespace tilewright::ir {
namespace {

enum class Count : uint8_t { One, Optional, Any, Rank };

struct Slot {
  std::string_view name = {};
  Count count = Count::One;
};

struct Slots {
  std::array<Slot, most_names> list = {};
  size_t size = 0;
};

// Reads "array index*rank extent* padding?".
constexpr Slots slots_of(std::string_view text) {
  Slots out;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    Slot slot{word, Count::One};
    if (word.ends_with("*rank")) {
      slot = {word.substr(0, word.size() - 5), Count::Rank};
    } else if (word.ends_with('*')) {
      slot = {word.substr(0, word.size() - 1), Count::Any};
    } else if (word.ends_with('?')) {
      slot = {word.substr(0, word.size() - 1), Count::Optional};
    }
    out.list[out.size++] = slot;
  }
  return out;
}

constexpr Slots slots[] = {
#define OP(name, text, family, effect, operands, meaning) slots_of(operands),
#include "ir/ops.def"
#undef OP
};

}  // namespace

std::optional<OperandList> named_operands(const Op& op) {
  const Slots& wanted = slots[static_cast<size_t>(op.kind)];
  const size_t rank = op.attrs.rank;
  // An optional operand is there if an attribute says so, else (a dot's accumulator) if the list is long enough.
  const auto is_there = [&](const Slot& slot, size_t left) {
    if (slot.name == "padding") return op.attrs.has_padding;
    if (slot.name == "mask") return op.attrs.has_mask;
    return left > 0;
  };
  OperandList out;
  const std::span<const ValueId> all(op.operands);
  size_t at = 0;
  for (size_t i = 0; i < wanted.size; ++i) {
    const Slot& slot = wanted.list[i];
    size_t count = 1;
    switch (slot.count) {
      case Count::One: break;
      case Count::Optional: count = is_there(slot, all.size() - at) ? 1 : 0; break;
      case Count::Any: count = all.size() - at; break;
      case Count::Rank: count = rank; break;
    }
    if (at + count > all.size()) return std::nullopt;
    out.names[out.size++] = {slot.name, all.subspan(at, count)};
    at += count;
  }
  if (at != all.size()) return std::nullopt;
  return out;
}

std::span<const ValueId> operands_named(const Op& op, std::string_view name) {
  const Slots& wanted = slots[static_cast<size_t>(op.kind)];
  const auto* end = wanted.list.data() + wanted.size;
  if (std::none_of(wanted.list.data(), end, [&](const Slot& slot) { return slot.name == name; })) return {};
  const std::optional<OperandList> all = named_operands(op);
  if (!all) return {};
  for (const NamedOperands& named : *all) {
    if (named.name == name) return named.values;
  }
  return {};
}

ValueId operand_named(const Op& op, std::string_view name) {
  const std::span<const ValueId> found = operands_named(op, name);
  return found.size() == 1 ? found[0] : ValueId::none();
}

}  // namespace tilewright::ir
