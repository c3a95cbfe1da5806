// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What enumerators are called in the text form and in JSON.

#pragma once

#include <optional>
#include <string_view>

#include "ir/program.h"

namespace tilewright::ir {

std::string_view name_of(Padding padding);
std::string_view name_of(Rounding rounding);
std::string_view name_of(Flush flush);
std::string_view name_of(NanRule rule);
std::string_view name_of(Reduction reduction);
std::string_view name_of(Atomic atomic);
std::string_view name_of(MemoryOrder order);
std::string_view name_of(MemoryScope scope);
std::string_view name_of(Bounds bounds);
std::string_view name_of(Spelling spelling);
std::string_view name_of(Precision precision);
std::string_view name_of(Widening widening);
std::string_view name_of(ParamKind kind);
std::string_view name_of(LooseKind loose);
std::string_view name_of(Family family);
std::string_view name_of(Effect effect);

// The enumerator of that name; Enum is one of the above.
template <class Enum>
std::optional<Enum> named(std::string_view name) {
  for (int i = 0; !name_of(static_cast<Enum>(i)).empty(); ++i) {
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace tilewright::ir
