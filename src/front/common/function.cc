// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions and their statements.

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "front/common/dialect.h"
#include "front/common/live.h"
#include "front/common/reader.h"
#include "ir/constants.h"
#include "ir/insert.h"

namespace tilewright::front {

using ir::OpKind;
using syntax::NodeList;

namespace {

constexpr uint32_t block_limit = 100;  // of nested blocks

std::string where_bound(Unusable why) {
  switch (why) {
    case Unusable::Unbound: return "nothing was assigned to it before";
    case Unusable::Sometimes: return "it is not assigned on every path";
    case Unusable::AfterLoop: return "it is assigned only inside of a loop, which may not run";
    case Unusable::DifferentTypes:
    case Unusable::DifferentValues: break;
  }
  return "";
}

// Says what the name holds from here on.
void hold(Local& local, const Val& val) {
  if (val.is(ValKind::Ir))
    local.value = val.value;
  else
    local.other = val;
}

// The value by this name: another one if it has a name already.
ir::ValueId named(Reader& reader, NodeId node, ir::ValueId value, std::string_view name) {
  if (!reader.program.values[value].name.empty()) {
    Frame& frame = *reader.frame;
    const ir::ValueId copy = emit(reader, node, OpKind::Copy, {value}, type_id(reader, value));
    if (frame.loose.contains(value)) frame.loose.insert(copy);
    if (const auto implied = frame.implied.find(value); implied != frame.implied.end())
      frame.implied.emplace(copy, Assumptions(implied->second));
    value = copy;
  }
  reader.program.values[value].name = std::string(name);
  return value;
}

// `display` is the targets as written.
bool unpack(Reader& reader, NodeId node, NodeId display, NodeList targets, Val value) {
  const auto give_up = [&] {
    for (const NodeId target : targets) assign(reader, node, target, {});
    return false;
  };
  if (value.poison()) return give_up();
  const ir::ValueId array = value.is(ValKind::Tuple) ? value.value : ir::ValueId::none();
  if (array && type_of(reader, array).rank == ir::unknown_rank) {
    // `m, n = x.shape`
    if (!learn_rank(reader, node, array, static_cast<uint32_t>(targets.size()))) return give_up();
    std::vector<Val> items;
    for (uint32_t axis = 0; axis < targets.size(); ++axis) {
      ir::Attrs attrs;
      attrs.axis = axis;
      const OpKind op = value.text == "shape" ? OpKind::ArrayDim : OpKind::ArrayStride;
      items.push_back(ir_val(emit(reader, node, op, {array}, dim_type(reader, array), std::move(attrs))));
    }
    value = tuple_val(std::move(items));
  }
  if (!value.is(ValKind::Tuple)) {
    error(reader, node, messages::wrong_kind, "the value to unpack", "a tuple", describe(reader, value));
    return give_up();
  }
  for (const NodeId target : targets) {
    if (reader.tree().is(target, NodeKind::Starred)) {
      error(reader, target, messages::unsupported_syntax, "a starred target");
      return false;
    }
  }
  if (value.items->size() != targets.size()) {
    error(reader, display, messages::unpack_count, static_cast<int64_t>(value.items->size()),
          static_cast<int64_t>(targets.size()));
    return give_up();
  }
  if (array) {
    confirm_rank(reader, array);
    // All of the extents: the launch's array has as many.
    for (const Val& item : *value.items)
      reader.program.ops[reader.program.values[item.value].definition].attrs.rank = static_cast<uint32_t>(targets.size());
  }
  bool given = false;
  for (size_t i = 0; i < targets.size(); ++i) given |= assign(reader, node, targets[i], (*value.items)[i]);
  return given;
}

// Sets that one statement makes one after another become one set of several variables: `a, b = b, a`.
void join_sets(Reader& reader, size_t first_op) {
  ir::Program& program = reader.program;
  std::vector<ir::OpId>& ops = program.blocks[reader.frame->block].ops;
  std::vector<ir::OpId> sets;
  for (size_t i = first_op; i < ops.size(); ++i) {
    if (program.ops[ops[i]].kind == OpKind::Set) sets.push_back(ops[i]);
  }
  if (sets.size() < 2) return;
  ir::Op joined = program.ops[sets.back()];
  joined.operands.clear();
  std::vector<ir::VarId> vars;
  for (const ir::OpId set : sets) {
    joined.operands.push_back(program.ops[set].operands[0]);
    vars.push_back(ir::written_vars(program.ops[set])[0]);
  }
  ir::write_to(joined.attrs, vars);
  program.ops[sets.back()] = std::move(joined);
  std::erase_if(ops, [&](ir::OpId op) { return op != sets.back() && std::find(sets.begin(), sets.end(), op) != sets.end(); });
}

void read_assign(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  const auto assignment = tree.as<syntax::Assign>(node);
  const Val value = read_expression(reader, assignment.value);
  const size_t first = reader.program.blocks[reader.frame->block].ops.size();
  bool given = false;
  for (const NodeId target : assignment.targets) given |= assign(reader, node, target, value);
  join_sets(reader, first);
  if (!given && reader.program.blocks[reader.frame->block].ops.size() == first) emit_mark(reader, node);
}

void read_augmented(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  const auto assignment = tree.as<syntax::AugAssign>(node);
  const auto name = tree.get_if<syntax::Name>(assignment.target);
  if (!name) {
    error(reader, assignment.target, messages::unsupported_syntax, "an assignment to a part of something");
    return;
  }
  const Val left = read_name(reader, assignment.target, name->id);
  const Val right = read_expression(reader, assignment.value);
  assign(reader, node, assignment.target, apply_operator(reader, node, assignment.op, left, right));
}

void read_return(Reader& reader, NodeId node) {
  Frame& frame = *reader.frame;
  const auto statement = reader.tree().as<syntax::Return>(node);
  Val value = statement.value ? read_expression(reader, statement.value) : none_val();
  if (value.poison()) {
    frame.environment.reachable = false;
    return;
  }
  if (frame.is_kernel) {
    if (!value.is(ValKind::None)) {
      error_with(reader, node, "store the result in an array", messages::kernel_returns);
      return;
    }
  }
  Returned returned{.condition = {}, .span = span_of(reader, node)};
  for (const auto& [condition, holds] : frame.assumptions) {
    const sym::ExprId part = holds ? condition : reader.arena().make(sym::ExprKind::Not, {condition});
    returned.condition = returned.condition ? reader.arena().make(sym::ExprKind::And, {returned.condition, part}) : part;
  }
  std::vector<ir::ValueId> operands;
  returned.value = with_leaves(value, [&](const Val& part) {
    Val made = materialise(reader, node, part);
    if (made.is(ValKind::Ir)) operands.push_back(made.value);
    return made;
  });
  returned.block = frame.block;
  returned.op = emit_op(reader, node, OpKind::Return, std::move(operands), {});
  if (!frame.is_kernel) frame.returns.push_back(std::move(returned));
  frame.environment.reachable = false;
}

void read_jump(Reader& reader, NodeId node, OpKind kind) {
  Frame& frame = *reader.frame;
  if (frame.loops.empty()) {
    error(reader, node, messages::outside_loop, kind == OpKind::Break ? "break" : "continue");
    return;
  }
  Loop& loop = frame.loops.back();
  (kind == OpKind::Break ? loop.breaks : loop.continues).push_back(frame.environment);
  emit_op(reader, node, kind, {}, {});
  frame.environment.reachable = false;
}

void read_statement(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  const NodeKind kind = tree.kind(node);
  Frame& frame = *reader.frame;
  frame.statement = node;
  const auto refuse = [&](std::string_view what) { error(reader, node, messages::unsupported_syntax, what); };
  if (reader.dialect.own_statement(reader, node)) return;
  if (kind == NodeKind::Expr) {
    const NodeId value = tree.as<syntax::Expr>(node).value;
    const size_t first = reader.program.blocks[frame.block].ops.size();
    if (!tree.is(value, NodeKind::Constant)) read_expression(reader, value);
    if (reader.program.blocks[frame.block].ops.size() == first) emit_mark(reader, node);
  } else if (kind == NodeKind::Assign) {
    read_assign(reader, node);
  } else if (kind == NodeKind::AugAssign) {
    read_augmented(reader, node);
  } else if (kind == NodeKind::AnnAssign) {
    const auto assignment = tree.as<syntax::AnnAssign>(node);
    if (assignment.value) {
      const Val value = read_expression(reader, assignment.value);
      const size_t first = reader.program.blocks[frame.block].ops.size();
      const bool given = assign(reader, node, assignment.target, value);
      if (!given && reader.program.blocks[frame.block].ops.size() == first) emit_mark(reader, node);
    } else {
      emit_mark(reader, node);
    }
  } else if (kind == NodeKind::If) {
    read_if(reader, node);
  } else if (kind == NodeKind::For) {
    reader.dialect.read_for(reader, node);
  } else if (kind == NodeKind::While) {
    read_while(reader, node);
  } else if (kind == NodeKind::Return) {
    read_return(reader, node);
  } else if (kind == NodeKind::Pass) {
    emit_mark(reader, node);
  } else if (kind == NodeKind::Break) {
    read_jump(reader, node, OpKind::Break);
  } else if (kind == NodeKind::Continue) {
    read_jump(reader, node, OpKind::Continue);
  } else if (kind == NodeKind::FunctionDef) {
    error(reader, node, messages::unconverted_syntax, "a function inside of device code");
  } else if (kind == NodeKind::With) {
    error(reader, tree.as<syntax::With>(node).items[0], messages::unconverted_syntax, "`with` in device code");
  } else if (kind == NodeKind::Assert) {
    refuse("`assert`");
  } else if (kind == NodeKind::Raise) {
    refuse("`raise`");
  } else if (kind == NodeKind::Try || kind == NodeKind::TryStar) {
    refuse("`try`");
  } else if (kind == NodeKind::Global || kind == NodeKind::Nonlocal) {
    refuse(kind == NodeKind::Global ? "`global`" : "`nonlocal`");
  } else if (kind == NodeKind::Import || kind == NodeKind::ImportFrom) {
    refuse("`import`");
  } else if (kind == NodeKind::Delete) {
    refuse("`del`");
  } else if (kind == NodeKind::ClassDef) {
    refuse("a class");
  } else if (kind == NodeKind::Match) {
    refuse("`match`");
  } else {
    refuse("this statement");
  }
}

const Split* split_at(Reader& reader, NodeId statement) {
  for (const Split& split : reader.splits) {
    if (split.tree == reader.frame->tree && split.statement == statement && (!split.condition || !truth(reader, split.condition)))
      return &split;
  }
  return nullptr;
}

}  // namespace

std::set<uint32_t> assigned_slots(Frame& frame, NodeList body) {
  std::set<uint32_t> slots;
  for (const std::string_view name : names_bound_in(*frame.tree, body)) slots.insert(slot_of(frame, name));
  return slots;
}

uint32_t slot_of(Frame& frame, std::string_view name) {
  const Local* const local = find_local(frame.locals, name);
  TW_CHECK(local && local->depends_on_path(), "a name that is assigned in a block of its own has one value");
  return local->slot;
}

void enter_locals(const Reader& reader, Frame& frame) {
  const NodeList body = frame.tree->as<syntax::FunctionDef>(frame.node).body;
  size_t plain = body.size();
  for (const Split& split : reader.splits) {
    if (split.tree != frame.tree) continue;
    // One in an unrolled loop splits what follows the loop too.
    const auto is_split = [&](NodeId statement) {
      return statement == split.statement ||
             (!split.condition && frame.tree->span(statement).contains(frame.tree->span(split.statement)));
    };
    plain = std::min<size_t>(plain, std::find_if(body.begin(), body.end(), is_split) - body.begin());
  }
  frame.locals = locals_of(*frame.tree, frame.node, plain);
  for (const Local& local : frame.locals) {
    if (local.depends_on_path()) frame.slot_names.push_back(local.name);
  }
  frame.vars.resize(frame.slot_names.size());
  frame.environment.bindings.resize(frame.slot_names.size());
}

void bind_parameter(Reader& reader, NodeId node, std::string_view name, const Val& val) {
  Frame& frame = *reader.frame;
  Local& local = *find_local(frame.locals, name);
  if (!local.depends_on_path()) return hold(local, val);
  Binding binding;
  binding.kind = Binding::Kind::Value;
  binding.value = val;
  if (val.is(ValKind::Ir)) binding = set_variable(reader, node, local.slot, val.value, ir::Spelling::Parameter);
  frame.environment.bindings[local.slot] = std::move(binding);
}

Binding set_variable(Reader& reader, NodeId node, uint32_t slot, ir::ValueId value, ir::Spelling spelling) {
  Frame& frame = *reader.frame;
  if (!frame.vars[slot]) frame.vars[slot] = reader.program.vars.add({std::string(frame.slot_names[slot])});
  ir::Attrs attrs;
  attrs.var = frame.vars[slot];
  attrs.spelling = spelling;
  emit_op(reader, node, OpKind::Set, {value}, {}, std::move(attrs));
  if (awaits_integers(reader)) {
    const auto [sole, is_new] = frame.sole_values.try_emplace(frame.vars[slot], value);
    if (!is_new && sole->second != value) sole->second = {};
  }
  Binding binding;
  binding.kind = Binding::Kind::Variable;
  binding.type = type_id(reader, value);
  binding.may_be_loose = frame.loose.contains(value);
  return binding;
}

bool assign(Reader& reader, NodeId node, NodeId target, const Val& given) {
  const syntax::Tree& tree = reader.tree();
  Frame& frame = *reader.frame;
  if (const auto tuple = tree.get_if<syntax::Tuple>(target)) return unpack(reader, node, target, tuple->elts, given);
  if (const auto list = tree.get_if<syntax::List>(target)) return unpack(reader, node, target, list->elts, given);
  const auto name = tree.get_if<syntax::Name>(target);
  if (!name) {
    if (tree.is(target, NodeKind::Starred))
      error(reader, target, messages::unsupported_syntax, "a starred target");
    else if (tree.is(target, NodeKind::Subscript))
      error_with(reader, target, std::string(reader.dialect.on_subscript_targets), messages::unsupported_syntax,
                 "an assignment to a subscript");
    else
      error(reader, target, messages::unsupported_syntax, "an assignment to an attribute");
    return false;
  }
  Local* const local = find_local(frame.locals, name->id);
  TW_CHECK(local, "an assigned name is not among the locals");
  const Val value = reader.dialect.assigned(reader, node, target, materialise(reader, node, given));
  if (value.is(ValKind::Parameter)) reader.handed_on.insert(value.index);
  const bool of_program = value.is(ValKind::Ir);
  if (!local->depends_on_path()) {
    hold(*local, of_program ? ir_val(named(reader, node, value.value, name->id)) : value);
    return of_program;
  }
  Binding next;
  next.kind = Binding::Kind::Value;
  next.value = value;
  if (of_program) next = set_variable(reader, node, local->slot, value.value, {});
  frame.environment.bindings[local->slot] = std::move(next);
  return of_program;
}

Val read_binding(Reader& reader, NodeId node, uint32_t slot, const Binding& binding) {
  Frame& frame = *reader.frame;
  const std::string_view name = frame.slot_names[slot];
  for (Loop& loop : frame.loops) {
    if (std::find(binding.headers.begin(), binding.headers.end(), loop.serial) != binding.headers.end()) {
      loop.read_at_header.try_emplace(slot, node);
    }
  }
  switch (binding.kind) {
    case Binding::Kind::Value: return materialise(reader, node, binding.value);
    case Binding::Kind::Variable: {
      ir::Attrs attrs;
      attrs.var = frame.vars[slot];
      const ir::ValueId value = emit(reader, node, OpKind::Get, {}, binding.type, std::move(attrs));
      if (binding.may_be_loose) frame.loose.insert(value);
      return ir_val(value);
    }
    case Binding::Kind::Conditional: {
      const auto known = truth(reader, binding.condition);
      if (known) return read_binding(reader, node, slot, *known ? binding.branches->first : binding.branches->second);
      return read_conditional(reader, node, slot, binding);
    }
    case Binding::Kind::Unusable:
      switch (binding.why) {
        case Unusable::Unbound:
        case Unusable::Sometimes:
        case Unusable::AfterLoop: return error(reader, node, messages::maybe_undefined, name, where_bound(binding.why));
        case Unusable::DifferentTypes:
          return error(reader, node, messages::type_differs, "`" + std::string(name) + "`", binding.detail);
        case Unusable::DifferentValues: return error(reader, node, messages::changing_value, name, binding.detail);
      }
  }
  return {};
}

static Val read_local(Reader& reader, NodeId node, const Local& local) {
  if (local.depends_on_path()) return read_binding(reader, node, local.slot, reader.frame->environment.bindings[local.slot]);
  if (local.value) return ir_val(local.value);
  if (local.other) return materialise(reader, node, *local.other);
  return error(reader, node, messages::maybe_undefined, local.name, where_bound(Unusable::Unbound));
}

Val read_name(Reader& reader, NodeId node, std::string_view name) {
  Frame& frame = *reader.frame;
  if (const Local* const local = find_local(frame.locals, name)) return read_local(reader, node, *local);
  if (const auto val = enclosing_value(reader, name)) {
    if (!val->is(ValKind::Foreign)) return materialise(reader, node, *val);
    return error_with(reader, node, std::string(reader.dialect.on_outer_names), messages::not_in_view, name, val->text);
  }
  if (const auto val = global_value(reader, *frame.module, name)) {
    return materialise(reader, node, read_global(reader, node, *frame.module, name, *val));
  }
  if (const auto val = reader.dialect.python_name(name)) {
    if (val->is(ValKind::Foreign)) {
      if (reader.dialect.refuse_unconverted(reader, node, name, *val)) return {};
      return error(reader, node, messages::host_in_device, val->text);
    }
    return *val;
  }
  return error(reader, node, messages::undefined_name, name);
}

Val read_global(Reader& reader, NodeId node, Module& module, std::string_view name, Val val) {
  Frame& frame = *reader.frame;
  const std::string_view last = name.substr(name.rfind('.') + 1);
  val = as_it_lives(reader, module, last, std::move(val));
  if (frame.module->is_main && &module == frame.module && !reader.read_names.contains(name)) reader.read_names.emplace(name);
  if (val.is(ValKind::Foreign)) {
    if (val.text == "decorated") return error(reader, node, messages::decorated_helper, name);
    if (is_out_of_view(val)) {
      return error_with(reader, node, std::string(reader.dialect.on_outer_names), messages::not_in_view, name, val.text);
    }
    if (reader.dialect.refuse_unconverted(reader, node, name, val)) return {};
    return error(reader, node, messages::host_in_device, "`" + std::string(name) + "`");
  }
  if (val.is(ValKind::Number) || val.is(ValKind::Dtype)) {
    val.text = std::string(name);
    Constant constant{.file = frame.tree->file(), .name = val.text, .value = val.number, .dtype = {}, .definition = {}};
    if (val.is(ValKind::Dtype)) constant.dtype = reader.types().scalar_of(val.dtype);
    if (const auto global = module.globals.find(last); global != module.globals.end()) {
      constant.definition = module.tree->span(global->second.node);
    }
    reader.constants.try_emplace({constant.file, constant.name}, constant);
  }
  return val;
}

void read_statements(Reader& reader, NodeList body) {
  Frame& frame = *reader.frame;
  if (frame.depth >= block_limit + 100) {
    if (!body.empty()) error(reader, body[0], messages::too_deep);
    return;
  }
  frame.depth += 2;
  const NodeId outer = frame.statement;
  frame.blocks.push_back({body, 0});
  for (size_t i = 0; i < body.size(); ++i) {
    if (!frame.environment.reachable) break;  // cuTile does not compile it either
    const Split* split = split_at(reader, body[i]);
    if (split && read_split(reader, *split, body.subspan(i))) break;
    frame.blocks.back().second = i;
    read_statement(reader, body[i]);
    if (std::exchange(frame.rest_is_read, false)) break;
  }
  frame.blocks.pop_back();
  frame.statement = outer;
  frame.depth -= 2;
}

namespace {

// Converts what a `return` gives to the dtype that all returns have together: two open dtypes that a launch must make equal.
void convert_returned(Reader& reader, const Returned& returned, size_t result, ir::TypeId wanted) {
  ir::Program& program = reader.program;
  const ir::ValueId value = program.ops[returned.op].operands[result];
  const ir::Type from = type_of(reader, value);
  const ir::Type to = program.types[wanted];
  if (to.kind != ir::TypeKind::Tile) return;
  const auto put_before = [&](ir::Op op, ir::TypeId type) {
    const ir::ValueId converted = ir::insert(program, returned.block, returned.op, std::move(op), type);
    program.ops[returned.op].operands[result] = converted;
  };
  if (ir::needs_dtype(program.types, from)) {
    put_before(ir::typed_number(program, program.ops[returned.op], value), program.types.tile(from.dtype, {}));
  } else if (from.kind == ir::TypeKind::Tile && from.dtype != to.dtype && !returned.condition) {
    ir::Op cast = program.ops[returned.op];
    cast.kind = OpKind::Cast;
    cast.operands = {value};
    cast.attrs.dtype = to.dtype;
    cast.attrs.implicit = true;
    put_before(std::move(cast), program.types.tile(to.dtype, from.shape));
  }
}

// What two returns give, as one; nullopt if they differ, with the difference in words.
std::optional<Val> both_returned(Reader& reader, const Val& a, const Val& b, sym::ExprId condition, std::string& difference) {
  if (a.is(ValKind::None) != b.is(ValKind::None)) {
    difference = "None on one, a value on another";
    return std::nullopt;
  }
  if (!a.is(ValKind::Tuple) && !b.is(ValKind::Tuple)) {
    std::optional<Val> one = merge_results(reader, a, b, condition);
    if (!one) difference = describe(reader, a) + " on one, " + describe(reader, b) + " on another";
    return one;
  }
  if (a.is(ValKind::Tuple) != b.is(ValKind::Tuple) || a.items->size() != b.items->size()) {
    difference = "different numbers of values";
    return std::nullopt;
  }
  std::vector<Val> items;
  for (size_t i = 0; i < a.items->size(); ++i) {
    std::optional<Val> one = both_returned(reader, (*a.items)[i], (*b.items)[i], condition, difference);
    if (!one) return std::nullopt;
    items.push_back(std::move(*one));
  }
  return tuple_val(std::move(items));
}

}  // namespace

// Several returns are one result, as several assignments to a variable are.
std::optional<Val> finish_returns(Reader& reader, Frame& frame) {
  ir::Function& function = *frame.made;
  if (frame.environment.reachable && !frame.returns.empty()) {
    Returned fall{.condition = {}, .span = {}};
    for (const Returned& returned : frame.returns) {
      if (!returned.condition) continue;
      const sym::ExprId missed = reader.arena().make(sym::ExprKind::Not, {returned.condition});
      fall.condition = fall.condition ? reader.arena().make(sym::ExprKind::And, {fall.condition, missed}) : missed;
    }
    frame.returns.push_back(std::move(fall));
  }
  if (frame.returns.empty()) return none_val();
  const bool by_launch = std::any_of(frame.returns.begin(), frame.returns.end(),
                                     [](const Returned& returned) { return returned.condition.valid(); });
  const auto differs = [&](std::string detail) {
    const std::string what = "the result of `" + function.name + "`";
    if (by_launch)
      error_with(reader, frame.node, detail, messages::depends_on_launch, "the type of " + what);
    else
      error(reader, frame.node, messages::type_differs, what, detail);
    return std::nullopt;
  };
  Val merged = frame.returns.back().value;
  for (size_t i = frame.returns.size() - 1; i-- > 0;) {
    const Returned& other = frame.returns[i];
    std::string difference;
    const auto both = both_returned(reader, other.value, merged, other.condition, difference);
    if (!both) return differs(difference);
    merged = *both;
  }
  bool arrays = false;
  Val result = with_leaves(merged, [&](const Val& value) {
    if (!value.is(ValKind::Ir)) return value;
    const ir::Type& type = type_of(reader, value.value);
    arrays |= type.kind == ir::TypeKind::Array || type.kind == ir::TypeKind::ArrayList;
    const auto position = static_cast<uint32_t>(function.results.size());
    function.results.push_back(type_id(reader, value.value));
    for (const Returned& returned : frame.returns) {
      if (returned.op) convert_returned(reader, returned, position, function.results.back());
    }
    return ir_val({position});
  });
  if (!arrays) return result;
  error(reader, frame.node, messages::unconverted_argument, "`" + function.name + "` returns an array");
  return std::nullopt;
}

}  // namespace tilewright::front
