// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks that are read on their own: the branches of an `if`, the arms of an expression.

#include <algorithm>

#include "front/common/control.h"
#include "front/common/dialect.h"

namespace tilewright::front {

using ir::OpKind;
using ir::ValueId;

namespace {

// Of each hundred codes the second half (front/common/messages.h).
bool is_refusal_of_ours(std::string_view code) { return code.size() > 3 && code[3] >= '5'; }

}  // namespace

Region read_region(Reader& reader, const Body& body) {
  Frame& frame = *reader.frame;
  const ir::BlockId outer = frame.block;
  Environment before = frame.environment;
  const size_t assumptions = frame.assumptions.size();
  Region region;
  region.block = frame.block = new_block(reader);
  region.value = body();
  region.environment = std::move(frame.environment);
  frame.environment = std::move(before);
  frame.assumptions.resize(assumptions);
  frame.block = outer;
  return region;
}

Region read_assuming(Reader& reader, NodeId node, sym::ExprId condition, bool holds, const Body& body) {
  Frame& frame = *reader.frame;
  const Progress progress = frame;
  const std::vector<ParameterValue> saved_parameters = reader.parameter_values;
  diag::Diagnostics* const outer_sink = reader.sink;
  const uint32_t outer_errors = reader.errors;
  diag::Diagnostics own;
  const ir::Mark start = ir::mark(reader.program);
  const size_t rank_uses = reader.rank_uses.size();
  reader.sink = &own;
  reader.errors = 0;
  Region region = read_region(reader, [&] {
    assume(reader, condition, holds);
    return body();
  });
  const uint32_t errors = reader.errors;
  reader.sink = outer_sink;
  reader.errors = outer_errors;
  const bool ours = std::any_of(own.begin(), own.end(), [](const diag::Diagnostic& diagnostic) {
    return diagnostic.severity == diag::Severity::Error && is_refusal_of_ours(diagnostic.code);
  });
  if (errors == 0 || ours) {
    reader.errors += errors;
    outer_sink->insert(outer_sink->end(), own.begin(), own.end());
    return region;
  }
  const auto first =
      std::find_if(own.begin(), own.end(), [](const diag::Diagnostic& d) { return d.severity == diag::Severity::Error; });
  diag::Diagnostic cause = *first;
  forget(reader, start);
  reader.rank_uses.resize(rank_uses);
  static_cast<Progress&>(frame) = progress;
  reader.parameter_values = saved_parameters;
  forget_parameters(reader);
  Region dead = read_region(reader, [&] {
    ir::Attrs attrs;
    attrs.rare.edit().text = cause.message;
    emit_op(reader, node, OpKind::Unsupported, {}, {}, std::move(attrs));
    return Val{};
  });
  dead.environment.reachable = false;
  dead.failed = true;
  dead.reason = cause.message;
  diag::Diagnostic note = diag::report(diag::Severity::Note, cause.span, messages::dead_branch, cause.message);
  if (reader.kernel) note.kernel = reader.kernel->name;
  outer_sink->push_back(std::move(note));
  return dead;
}

void append_block(Reader& reader, ir::BlockId from) {
  std::vector<ir::OpId>& to = reader.program.blocks[reader.frame->block].ops;
  const std::vector<ir::OpId>& ops = reader.program.blocks[from].ops;
  to.insert(to.end(), ops.begin(), ops.end());
}

std::optional<ValueId> runtime_condition(Reader& reader, NodeId node, const Val& test) {
  if (test.poison()) return std::nullopt;
  if (test.is(ValKind::Conditional)) {
    error(reader, node, messages::depends_on_launch, "the condition");
    return std::nullopt;
  }
  if (test.is(ValKind::Foreign) || test.is(ValKind::Kernel) || test.is(ValKind::Annotation)) {
    error(reader, node, messages::condition_not_scalar, describe(reader, test));
    return std::nullopt;
  }
  if (test.is(ValKind::Ir) && !is_numeric(reader, type_id(reader, test.value))) {
    error(reader, node, messages::condition_not_scalar, describe(reader, test));
    return std::nullopt;
  }
  const auto value = as_number(reader, node, test, "the condition");
  if (!value) return std::nullopt;
  if (!is_scalar(reader, *value)) {
    error_with(reader, node, std::string(reader.dialect.on_tile_conditions), messages::condition_not_scalar,
               describe(reader, ir_val(*value)));
    return std::nullopt;
  }
  return is_const(reader, *value) ? *value : to_bool(reader, node, *value);
}

}  // namespace tilewright::front
