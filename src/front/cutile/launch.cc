// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The grid.

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

Val read_bid(Reader& reader, const Call& call) {
  const auto axis = as_known_int(reader, call.at("axis"), call.value("axis"), "the axis");
  if (!axis) return {};
  if (*axis < 0 || *axis > 2) {
    return error(reader, call.at("axis"), messages::bad_axis,
                 "the axis of the grid must be 0, 1 or 2, but is " + std::to_string(*axis));
  }
  ir::Attrs attrs;
  attrs.axis = static_cast<uint32_t>(*axis);
  return ir_val(emit(reader, call.node, call.builtin->op, {}, int32_type(reader), std::move(attrs)));
}

Val read_range_value(Reader& reader, const Call& call) {
  return error(reader, call.node, messages::bad_range, "a range can only be looped over");
}

}  // namespace tilewright::front::cutile
