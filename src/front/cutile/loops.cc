// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What cuTile's `for` loops over.

#include <algorithm>

#include "front/common/control.h"
#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

using ir::ValueId;

namespace {

// A loop counts in int64 where a bound or its step is known to be one, else in int32.
ir::TypeId counter_type(Reader& reader, const std::vector<ValueId>& bounds) {
  const auto is_long = [&](ValueId value) {
    const ir::Type& bound = type_of(reader, value);
    return bound.kind == ir::TypeKind::Tile && reader.program.types.scalar_of(bound.dtype) == ir::Scalar::I64;
  };
  const bool any = std::any_of(bounds.begin(), bounds.end(), is_long);
  return scalar_type(reader, any ? ir::Scalar::I64 : ir::Scalar::I32);
}

std::optional<Range> read_range(Reader& reader, NodeId iter) {
  const syntax::Tree& tree = reader.tree();
  const auto call = tree.get_if<syntax::Call>(iter);
  if (!call) {
    const Val val = read_expression(reader, iter);
    if (!val.poison())
      error_with(reader, iter, "loop over `range(…)`", messages::bad_range,
                 "a loop must be over a range, not over " + describe(reader, val));
    return std::nullopt;
  }
  const Val callee = read_expression(reader, call->func);
  if (callee.poison()) return std::nullopt;
  if (!callee.is(ValKind::Builtin) || callee.builtin->set != BuiltinSet::Python || callee.builtin->name != "range") {
    if (callee.is(ValKind::Foreign) && callee.text == "cuda.tile.static_iter") {
      error(reader, iter, messages::not_converted, "ct.static_iter");
    } else {
      error_with(reader, iter, "loop over `range(…)`", messages::bad_range, "a loop must be over a range");
    }
    return std::nullopt;
  }
  const bool starred =
      std::any_of(call->args.begin(), call->args.end(), [&](NodeId argument) { return tree.is(argument, NodeKind::Starred); });
  if (!call->keywords.empty() || starred || call->args.empty() || call->args.size() > 3) {
    error(reader, iter, messages::bad_range, "`range` takes one to three positional arguments");
    return std::nullopt;
  }
  std::vector<ValueId> values;
  for (const NodeId argument : call->args) {
    const auto value = as_signed_scalar(reader, argument, read_expression(reader, argument), "an argument of `range`");
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() == 3 && is_const(reader, values[2])) {
    const auto step = reader.arena().integer_of(type_of(reader, values[2]).value);
    if (step && *step <= 0) {
      error(reader, call->args[2], messages::bad_range, "the step of a range must be positive, but is " + std::to_string(*step));
      return std::nullopt;
    }
  }
  static constexpr ir::Spelling spellings[] = {ir::Spelling::Stop, ir::Spelling::StartStop, ir::Spelling::StartStopStep};
  const ir::Spelling spelling = spellings[values.size() - 1];
  if (values.size() == 1) values.insert(values.begin(), integer(reader, iter, 0));
  if (values.size() == 2) values.push_back(integer(reader, iter, 1));
  return Range{values[0], values[1], values[2], spelling, counter_type(reader, values)};
}

}  // namespace

void read_for(Reader& reader, NodeId node) {
  const auto statement = reader.tree().as<syntax::For>(node);
  if (!statement.orelse.empty()) {
    error(reader, statement.orelse[0], messages::loop_else, "for … else");
    return;
  }
  read_range_loop(reader, node, read_range(reader, statement.iter));
}

}  // namespace tilewright::front::cutile
