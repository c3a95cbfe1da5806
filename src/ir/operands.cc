// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/operands.h"

namespace tilewright::ir {
namespace {

enum class Count : uint8_t { One, Optional, Any, Rank };

struct Slot {
  std::string_view name;
  Count count = Count::One;
};

// Reads "array index*rank extent* padding?".
std::vector<Slot> slots_of(std::string_view text) {
  std::vector<Slot> out;
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
    out.push_back(slot);
  }
  return out;
}

}  // namespace

std::optional<std::vector<NamedOperands>> named_operands(const Op& op) {
  const std::vector<Slot> slots = slots_of(info(op.kind).operands);
  const size_t rank = op.attrs.rank;
  // An optional operand is there if an attribute says so, else (a dot's accumulator) if the list is long enough.
  const auto is_there = [&](const Slot& slot, size_t left) {
    if (slot.name == "padding") return op.attrs.has_padding;
    if (slot.name == "mask") return op.attrs.has_mask;
    return left > 0;
  };
  std::vector<NamedOperands> out;
  const std::span<const ValueId> all(op.operands);
  size_t at = 0;
  for (const Slot& slot : slots) {
    size_t count = 1;
    switch (slot.count) {
      case Count::One: break;
      case Count::Optional: count = is_there(slot, all.size() - at) ? 1 : 0; break;
      case Count::Any: count = all.size() - at; break;
      case Count::Rank: count = rank; break;
    }
    if (at + count > all.size()) return std::nullopt;
    out.push_back({slot.name, all.subspan(at, count)});
    at += count;
  }
  if (at != all.size()) return std::nullopt;
  return out;
}

std::span<const ValueId> operands_named(const Op& op, std::string_view name) {
  const std::optional<std::vector<NamedOperands>> all = named_operands(op);
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
