// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops over ranges and conditions, and what an iteration must leave as it was.

#include <algorithm>

#include "front/common/control.h"

namespace tilewright::front {

using ir::OpKind;
using ir::TypeId;
using ir::ValueId;

namespace {

// A name at the start of a loop that assigns it: a variable, never a constant.
Binding at_header(Reader& reader, Binding binding, uint32_t serial) {
  if (binding.kind == Binding::Kind::Variable) {
    binding.type = strict(reader, binding.type);
    binding.may_be_loose = false;
  }
  if (binding.kind == Binding::Kind::Conditional) {
    binding.branches = std::make_shared<const std::pair<Binding, Binding>>(at_header(reader, binding.branches->first, serial),
                                                                           at_header(reader, binding.branches->second, serial));
  }
  binding.headers.push_back(serial);
  return binding;
}

// Whether a name may have `now` at the end of an iteration after it had `header` at the start of the loop.
bool carries(Reader& reader, const Binding& header, const Binding& now) {
  if (header.kind == Binding::Kind::Unusable || is_poison(header) || is_poison(now)) return true;
  if (header.kind == Binding::Kind::Conditional) {
    const bool both = now.kind == Binding::Kind::Conditional && now.condition == header.condition;
    return carries(reader, header.branches->first, both ? now.branches->first : now) &&
           carries(reader, header.branches->second, both ? now.branches->second : now);
  }
  if (now.kind == Binding::Kind::Conditional)
    return carries(reader, header, now.branches->first) && carries(reader, header, now.branches->second);
  if (header.kind != now.kind) return false;
  if (header.kind == Binding::Kind::Value) return same(header.value, now.value);
  return merge_types(reader, header.type, now.type) == header.type;
}

// After the body: which names kept their type, and what they are after the loop.
void close_loop(Reader& reader, NodeId node, Environment header, Loop loop, const std::set<uint32_t>& assigned, bool endless,
                size_t values_before) {
  Frame& frame = *reader.frame;
  std::vector<Environment> ends = std::move(loop.continues);
  ends.push_back(std::move(frame.environment));
  Environment exit = std::move(header);
  for (const uint32_t slot : assigned) {
    const Binding start = exit.bindings[slot];
    for (const Environment& end : ends) {
      if (!end.reachable || carries(reader, start, end.bindings[slot])) continue;
      const Binding& now = end.bindings[slot];
      const bool values = start.kind == Binding::Kind::Value && now.kind == Binding::Kind::Value;
      const std::string detail =
          values ? describe(reader, start)
                 : describe(reader, start) + " before the loop, " + describe(reader, now) + " after an iteration";
      const auto read = loop.read_at_header.find(slot);
      const NodeId place = read != loop.read_at_header.end() ? read->second : node;
      const std::string name(frame.slot_names[slot]);
      const bool numbers = start.kind != Binding::Kind::Value && now.kind != Binding::Kind::Value;
      if (numbers)
        error(reader, place, messages::type_differs, "`" + name + "`", detail);
      else if (read != loop.read_at_header.end())
        error(reader, place, messages::changing_value, name, describe(reader, start));
      exit.bindings[slot] =
          unusable(start.kind == Binding::Kind::Value ? Unusable::DifferentValues : Unusable::DifferentTypes, detail);
      break;
    }
    if (start.kind == Binding::Kind::Unusable && start.why == Unusable::Unbound)
      exit.bindings[slot] = unusable(Unusable::AfterLoop);
  }
  exit.reachable = !endless;
  for (Environment& leave : loop.breaks) {
    if (!exit.reachable) {
      exit = std::move(leave);
      continue;
    }
    // A name that only the loop binds is not bound by a `break` either: the loop may end without one.
    Environment merged = merge(reader, exit, leave);
    for (const uint32_t slot : assigned) {
      if (exit.bindings[slot].kind == Binding::Kind::Unusable) merged.bindings[slot] = exit.bindings[slot];
    }
    exit = std::move(merged);
  }
  for (Binding& binding : exit.bindings) std::erase(binding.headers, loop.serial);
  leave_block(reader, exit, values_before);
  frame.environment = std::move(exit);
  frame.statement = node;
}

Environment loop_header(Reader& reader, const std::set<uint32_t>& assigned, uint32_t serial) {
  Environment header = reader.frame->environment;
  for (const uint32_t slot : assigned) header.bindings[slot] = at_header(reader, header.bindings[slot], serial);
  return header;
}

}  // namespace

void read_range_loop(Reader& reader, NodeId node, const std::optional<Range>& range) {
  const auto statement = reader.tree().as<syntax::For>(node);
  Frame& frame = *reader.frame;
  if (!reader.tree().is(statement.target, NodeKind::Name)) {
    error(reader, statement.target, messages::bad_range, "the target of a loop must be a name");
    return;
  }
  std::set<uint32_t> assigned = assigned_slots(frame, statement.body);
  const uint32_t target = slot_of(frame, reader.tree().as<syntax::Name>(statement.target).id);
  assigned.insert(target);

  const size_t values = reader.program.values.size();
  Loop loop{.kind = Loop::Kind::For, .serial = ++frame.loop_serial};
  Environment header = loop_header(reader, assigned, loop.serial);
  const size_t assumptions = frame.assumptions.size();
  const ir::BlockId outer = frame.block;
  const ir::BlockId body = new_block(reader);
  const TypeId counter = range ? range->induction : int32_type(reader);
  const ValueId induction = reader.program.values.add({.type = counter, .definition = {}, .name = {}});
  reader.program.blocks[body].arguments.push_back(induction);
  frame.block = body;
  frame.environment = header;
  frame.loops.push_back(std::move(loop));
  Binding bound = set_variable(reader, statement.target, target, induction, ir::Spelling::Target);
  frame.environment.bindings[target] = std::move(bound);
  read_statements(reader, statement.body);
  loop = std::move(frame.loops.back());
  frame.loops.pop_back();
  frame.block = outer;
  frame.assumptions.resize(assumptions);
  close_loop(reader, node, std::move(header), std::move(loop), assigned, false, values);
  if (range) {
    ir::Attrs attrs;
    attrs.spelling = range->spelling;
    if (!range->hint.empty()) attrs.rare.edit().hint = range->hint;
    emit_op(reader, node, OpKind::For, {range->start, range->stop, range->step}, {}, std::move(attrs), {body});
  }
}

void read_while(Reader& reader, NodeId node) {
  const auto statement = reader.tree().as<syntax::While>(node);
  Frame& frame = *reader.frame;
  if (!statement.orelse.empty()) {
    error(reader, statement.orelse[0], messages::loop_else, "while … else");
    return;
  }
  const std::set<uint32_t> assigned = assigned_slots(frame, statement.body);
  const size_t values = reader.program.values.size();
  Loop loop{.kind = Loop::Kind::While, .serial = ++frame.loop_serial};
  Environment header = loop_header(reader, assigned, loop.serial);
  const size_t assumptions = frame.assumptions.size();
  const ir::BlockId outer = frame.block;
  frame.environment = header;
  frame.loops.push_back(std::move(loop));

  const ir::BlockId condition = frame.block = new_block(reader);
  const Val test = materialise(reader, statement.test, read_expression(reader, statement.test));
  const auto known = truth(reader, test);
  const auto value =
      runtime_condition(reader, statement.test, known ? ir_val(literal(reader, statement.test, sym::Value{*known})) : test);
  if (value) emit_op(reader, statement.test, OpKind::Yield, {*value}, {});
  const ir::BlockId body = frame.block = new_block(reader);
  if (known != false) read_statements(reader, statement.body);
  loop = std::move(frame.loops.back());
  frame.loops.pop_back();
  frame.block = outer;
  frame.assumptions.resize(assumptions);
  if (known == false) {
    emit_mark(reader, node);
    return;
  }
  close_loop(reader, node, std::move(header), std::move(loop), assigned, known == true, values);
  if (value) emit_op(reader, node, OpKind::While, {}, {}, {}, {condition, body});
}

}  // namespace tilewright::front
