// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The fields of Attrs by name, once: the printer, the reader and whatever maps ids from one program to another visit them.

#pragma once

#include <type_traits>

#include "ir/program.h"

namespace tilewright::ir {

// What few ops say, to be read or written as the attributes are.
inline const RareAttrs& rare_of(const Attrs& attrs) { return *attrs.rare; }
inline RareAttrs& rare_of(Attrs& attrs) { return attrs.rare.edit(); }

// Calls visit(name, field) for each field; AttrsType is Attrs or const Attrs.
template <class AttrsType, class Visit>
void each_attr(AttrsType& attrs, Visit&& visit) {
  auto& rare = rare_of(attrs);
  // No reference binds to a bit.
  const auto bit = [&](const char* name, bool field, auto store) {
    visit(name, field);
    if constexpr (!std::is_const_v<AttrsType>) store(attrs, field);
  };
#define TW_BIT(field) bit(#field, attrs.field, [](auto& to, bool value) { to.field = value; })
  visit("dtype", attrs.dtype);
  visit("rounding", attrs.rounding);
  visit("flush", attrs.flush);
  visit("nan", attrs.nan);
  visit("padding", attrs.padding);
  visit("bounds", rare.bounds);
  visit("bounds_if", rare.bounds_if);
  visit("reduction", rare.reduction);
  visit("atomic", rare.atomic);
  visit("order_of_memory", rare.order_of_memory);
  visit("scope", rare.scope);
  visit("axis", attrs.axis);
  visit("axes", rare.axes);
  visit("order", rare.order);
  visit("rank", attrs.rank);
  visit("precision", rare.precision);
  visit("accumulator", rare.accumulator);
  TW_BIT(has_padding);
  TW_BIT(has_mask);
  TW_BIT(keep_dims);
  TW_BIT(all_axes);
  TW_BIT(reverse);
  TW_BIT(implicit);
  TW_BIT(asserted);
  visit("name", rare.name);
  visit("text", rare.text);
  visit("var", attrs.var);
  visit("vars", rare.vars);
  visit("function", rare.function);
  visit("latency", rare.latency);
  visit("allow_tma", rare.allow_tma);
  visit("hint", rare.hint);
  visit("spelling", attrs.spelling);
#undef TW_BIT
}

// Calls visit(value) for each value that is among the attributes.
template <class AttrsType, class Visit>
void each_value(AttrsType& attrs, Visit&& visit) {
  if (!attrs.rare) return;
  auto& rare = rare_of(attrs);
  for (auto* value : {&rare.bounds_if, &rare.latency, &rare.allow_tma}) {
    if (*value) visit(*value);
  }
}

}  // namespace tilewright::ir
