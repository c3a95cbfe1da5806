// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The fields of Attrs by name, once: the printer, the reader and whatever maps ids from one program to another visit them.

#pragma once

#include "ir/program.h"

namespace tilewright::ir {

// Calls visit(name, field) for each field; AttrsType is Attrs or const Attrs.
template <class AttrsType, class Visit>
void each_attr(AttrsType& attrs, Visit&& visit) {
  visit("dtype", attrs.dtype);
  visit("rounding", attrs.rounding);
  visit("flush", attrs.flush);
  visit("nan", attrs.nan);
  visit("padding", attrs.padding);
  visit("bounds", attrs.bounds);
  visit("bounds_if", attrs.bounds_if);
  visit("reduction", attrs.reduction);
  visit("atomic", attrs.atomic);
  visit("order_of_memory", attrs.order_of_memory);
  visit("scope", attrs.scope);
  visit("axis", attrs.axis);
  visit("axes", attrs.axes);
  visit("order", attrs.order);
  visit("rank", attrs.rank);
  visit("has_padding", attrs.has_padding);
  visit("has_mask", attrs.has_mask);
  visit("keep_dims", attrs.keep_dims);
  visit("all_axes", attrs.all_axes);
  visit("reverse", attrs.reverse);
  visit("implicit", attrs.implicit);
  visit("literal", attrs.literal);
  visit("name", attrs.name);
  visit("text", attrs.text);
  visit("var", attrs.var);
  visit("vars", attrs.vars);
  visit("function", attrs.function);
  visit("latency", attrs.latency);
  visit("allow_tma", attrs.allow_tma);
  visit("spelling", attrs.spelling);
}

}  // namespace tilewright::ir
