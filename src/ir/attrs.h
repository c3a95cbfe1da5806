// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The fields of Attrs by name, once: the printer, the reader and whatever maps ids from one program to another visit them.

#pragma once

#include "ir/program.h"

namespace tilewright::ir {

// What few ops say, to be read or written as the attributes are.
inline const RareAttrs& rare_of(const Attrs& attrs) { return *attrs.rare; }
inline RareAttrs& rare_of(Attrs& attrs) { return attrs.rare.edit(); }

// Calls visit(name, field) for each field; AttrsType is Attrs or const Attrs.
template <class AttrsType, class Visit>
void each_attr(AttrsType& attrs, Visit&& visit) {
  auto& rare = rare_of(attrs);
  visit("dtype", attrs.dtype);
  visit("rounding", attrs.rounding);
  visit("flush", attrs.flush);
  visit("nan", attrs.nan);
  visit("padding", attrs.padding);
  visit("bounds", attrs.bounds);
  visit("bounds_if", rare.bounds_if);
  visit("reduction", attrs.reduction);
  visit("atomic", attrs.atomic);
  visit("order_of_memory", attrs.order_of_memory);
  visit("scope", attrs.scope);
  visit("axis", attrs.axis);
  visit("axes", rare.axes);
  visit("order", rare.order);
  visit("rank", attrs.rank);
  visit("has_padding", attrs.has_padding);
  visit("has_mask", attrs.has_mask);
  visit("keep_dims", attrs.keep_dims);
  visit("all_axes", attrs.all_axes);
  visit("reverse", attrs.reverse);
  visit("implicit", attrs.implicit);
  visit("asserted", attrs.asserted);
  visit("literal", rare.literal);
  visit("name", rare.name);
  visit("text", rare.text);
  visit("var", attrs.var);
  visit("vars", attrs.vars);
  visit("function", rare.function);
  visit("latency", rare.latency);
  visit("allow_tma", rare.allow_tma);
  visit("spelling", attrs.spelling);
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
