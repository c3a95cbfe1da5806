// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Conditions, branches and loops, and what becomes of names where paths meet.
//
// Three kinds of condition. One that is known here decides what is read at all. One that is a constant of the launch leaves both
// branches, each read under its assumption, and what differs afterwards is Conditional: `if CAUSAL: mask = …` may be followed by
// another `if CAUSAL:` that uses it. One at run time demands that types agree, as cuTile does.

#include <algorithm>

#include "front/cutile/builtins.h"
#include "front/cutile/reader.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::TypeId;
using ir::TypeKind;
using ir::ValueId;
using syntax::NodeList;

// Constant truth --------------------------------------------------------------------------------------------------------------

sym::ExprId constant_condition(Reader& reader, const Val& val) {
  const auto known = [&](bool value) { return reader.arena().literal(value); };
  switch (val.kind) {
    case ValKind::None: return known(false);
    case ValKind::String: return known(!val.text.empty());
    case ValKind::Tuple: return known(!val.items->empty());
    case ValKind::Ellipsis: case ValKind::Slice: case ValKind::Enum: case ValKind::Namespace: case ValKind::File: case ValKind::Builtin:
    case ValKind::Method: case ValKind::Function: case ValKind::Dtype: case ValKind::View: case ValKind::IndexSlice:
      return known(true);
    case ValKind::Ir: {
      const ir::Type& type = type_of(reader, val.value);
      if (type.kind == TypeKind::DtypeConst) return known(true);
      if (type.kind != TypeKind::Const) return sym::ExprId::none();
      if (type.loose == ir::LooseKind::Bool) return type.value;
      const sym::ExprId value = type.value;
      return reader.arena().make(sym::ExprKind::Ne, {value, reader.arena().integer(0)});
    }
    case ValKind::Poison: case ValKind::Number: case ValKind::Parameter: case ValKind::Kernel: case ValKind::Annotation:
    case ValKind::Conditional: case ValKind::Foreign:
      return sym::ExprId::none();
  }
  return sym::ExprId::none();
}

namespace {

// Expressions share parts, so a small program can make one that is large when written out: each part is looked at once.
class Replacing {
 public:
  Replacing(sym::Arena& arena, sym::ExprId from, sym::ExprId to) : arena_(arena) { done_[from] = to; }

  sym::ExprId operator()(sym::ExprId expr) {
    if (const auto found = done_.find(expr); found != done_.end()) return found->second;
    const sym::Expr row = arena_[expr];
    std::vector<sym::ExprId> operands;
    for (const sym::ExprId operand : row.operands) operands.push_back((*this)(operand));
    const sym::ExprId result = operands == row.operands ? expr : arena_.make(row.kind, std::move(operands));
    done_[expr] = result;
    return result;
  }

 private:
  sym::Arena& arena_;
  std::map<sym::ExprId, sym::ExprId> done_;
};

// The expression where the condition holds: `if PAGES == 1:` says what PAGES is.
sym::ExprId under(Reader& reader, sym::ExprId expr, sym::ExprId condition) {
  sym::Arena& arena = reader.arena();
  const sym::Expr given = arena[condition];
  if (given.kind != sym::ExprKind::Eq) return expr;
  const bool literal_first = arena.literal_of(given.operands[0]).has_value();
  const sym::ExprId value = given.operands[literal_first ? 0 : 1];
  const sym::ExprId name = given.operands[literal_first ? 1 : 0];
  return arena.literal_of(value) && !arena.literal_of(name) ? Replacing(arena, name, value)(expr) : expr;
}

std::optional<bool> truth_within(Reader& reader, sym::ExprId condition, int& steps) {
  sym::Arena& arena = reader.arena();
  if (--steps < 0) return std::nullopt;
  if (const auto known = arena.truth_of(condition)) return known;
  if (reader.frame->assumptions.empty()) return std::nullopt;
  const sym::ExprId negated = arena.make(sym::ExprKind::Not, {condition});
  for (const auto& [assumed, holds] : reader.frame->assumptions) {
    if (assumed == condition) return holds;
    if (assumed == negated) return !holds;
  }
  const sym::Expr expr = arena[condition];
  if (expr.kind == sym::ExprKind::Not) {
    const auto operand = truth_within(reader, expr.operands[0], steps);
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  if (expr.kind == sym::ExprKind::And || expr.kind == sym::ExprKind::Or) {
    const bool deciding = expr.kind == sym::ExprKind::Or;
    bool all_known = true;
    for (const sym::ExprId operand : expr.operands) {
      const auto part = truth_within(reader, operand, steps);
      if (part == deciding) return deciding;
      all_known &= part.has_value();
    }
    if (all_known) return !deciding;
  }
  for (const auto& [assumed, holds] : reader.frame->assumptions) {
    if (!holds) continue;
    const sym::ExprId simpler = under(reader, condition, assumed);
    if (simpler == condition) continue;
    if (const auto known = arena.truth_of(simpler)) return known;
  }
  return std::nullopt;
}

}  // namespace

std::optional<bool> truth(Reader& reader, sym::ExprId condition) {
  int steps = 1000;
  return truth_within(reader, condition, steps);
}

std::optional<bool> truth(Reader& reader, const Val& val) {
  const sym::ExprId condition = constant_condition(reader, val);
  if (!condition) return std::nullopt;
  return truth(reader, condition);
}

namespace {

void assume(Reader& reader, sym::ExprId condition, bool holds) {
  const sym::Expr expr = reader.arena()[condition];
  reader.frame->assumptions.push_back({condition, holds});
  if (expr.kind == sym::ExprKind::Not) assume(reader, expr.operands[0], !holds);
  if (expr.kind == (holds ? sym::ExprKind::And : sym::ExprKind::Or)) {
    for (const sym::ExprId operand : expr.operands) assume(reader, operand, holds);
  }
}

// Where paths meet ------------------------------------------------------------------------------------------------------------

ir::DtypeId own_dtype_of(Reader& reader, TypeId id) {
  const ir::Type type = reader.types()[id];
  if (type.kind != TypeKind::Const || type.strict) return type.dtype;
  switch (type.loose) {
    case ir::LooseKind::Bool: return reader.types().known(ir::Scalar::Bool);
    case ir::LooseKind::Int: {
      const auto known = reader.arena().integer_of(type.value);
      const bool wide = known && (*known > INT32_MAX || *known < INT32_MIN);
      return reader.types().known(wide ? ir::Scalar::I64 : ir::Scalar::I32);
    }
    case ir::LooseKind::Float: return reader.types().known(ir::Scalar::F32);
  }
  return type.dtype;
}

bool is_numeric(Reader& reader, TypeId type) {
  const TypeKind kind = reader.types()[type].kind;
  return kind == TypeKind::Tile || kind == TypeKind::Const;
}

// What a constant is once it is a variable of the program.
TypeId strict(Reader& reader, TypeId type) {
  if (reader.types()[type].kind != TypeKind::Const) return type;
  return reader.types().tile(own_dtype_of(reader, type), {});
}

bool may_be_equal(Reader& reader, ir::DtypeId a, ir::DtypeId b) {
  if (a == b) return true;
  if (reader.types().scalar_of(a) && reader.types().scalar_of(b)) return false;
  const auto x = reader.types().class_of(a);
  const auto y = reader.types().class_of(b);
  return !x || !y || *x == *y;
}

// A parameter whose dtype nothing says yet, where a plain number may stand in its place: a number of that kind.
void learn_from_number(Reader& reader, const ir::Type& a, const ir::Type& b) {
  for (const auto& [number, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (number->kind != TypeKind::Const || number->strict || other->kind != TypeKind::Tile) continue;
    const ir::Dtype& dtype = reader.types()[other->dtype];
    if (dtype.kind != ir::DtypeKind::Argument || number->loose == ir::LooseKind::Bool || reader.knowledge[dtype.index].scalar) continue;
    reader.knowledge[dtype.index].scalar = number->loose == ir::LooseKind::Int ? ir::Scalar::I32 : ir::Scalar::F32;
    reader.learned = true;
  }
}

// The type of a variable that has either type, decided at run time.
std::optional<TypeId> merge_types(Reader& reader, TypeId a, TypeId b) {
  if (a == b) return a;
  if (!is_numeric(reader, a) || !is_numeric(reader, b)) return std::nullopt;
  learn_from_number(reader, ir::Type(reader.types()[a]), ir::Type(reader.types()[b]));
  const TypeId x = strict(reader, a);
  const TypeId y = strict(reader, b);
  if (x == y) return x;
  const ir::Type tx = reader.types()[x];
  const ir::Type ty = reader.types()[y];
  if (tx.shape != ty.shape || !may_be_equal(reader, tx.dtype, ty.dtype)) return std::nullopt;
  return x;
}

// The same, decided by a constant of the launch. `loose`: it is a plain Python number in some launches.
std::optional<TypeId> select_types(Reader& reader, sym::ExprId condition, TypeId a, TypeId b, bool& loose) {
  if (a == b) return a;
  ir::Types& types = reader.types();
  const ir::Type ta = types[a];
  const ir::Type tb = types[b];
  if (ta.kind == TypeKind::DtypeConst && tb.kind == TypeKind::DtypeConst) return types.dtype_constant(types.select(condition, ta.dtype, tb.dtype));
  if (ta.kind == TypeKind::Const && tb.kind == TypeKind::Const && !ta.strict && !tb.strict) {
    if (ta.loose != tb.loose) return std::nullopt;
    return types.constant(ta.loose, reader.arena().make(sym::ExprKind::Select, {condition, ta.value, tb.value}));
  }
  if (!is_numeric(reader, a) || !is_numeric(reader, b)) return std::nullopt;
  learn_from_number(reader, ta, tb);
  const ir::Type sa = types[strict(reader, a)];
  const ir::Type sb = types[strict(reader, b)];
  std::vector<sym::ExprId> shape = sa.shape;
  if (shape.size() != sb.shape.size()) return std::nullopt;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == sb.shape[i] || under(reader, sb.shape[i], condition) == shape[i]) {
      shape[i] = sb.shape[i];
      continue;
    }
    if (under(reader, shape[i], reader.arena().make(sym::ExprKind::Not, {condition})) == sb.shape[i]) continue;
    // A row in some launches, a tile of many in others: what is broadcast anyway.
    const sym::ExprId one = reader.arena().integer(1);
    if (shape[i] != one && sb.shape[i] != one) return std::nullopt;
    shape[i] = reader.arena().make(sym::ExprKind::Select, {condition, shape[i], sb.shape[i]});
  }
  loose |= (ta.kind == TypeKind::Const && !ta.strict) || (tb.kind == TypeKind::Const && !tb.strict);
  return types.tile(types.select(condition, sa.dtype, sb.dtype), shape);
}

bool same_binding(const Binding& a, const Binding& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Binding::Kind::Unusable: return a.why == b.why;
    case Binding::Kind::Value: return same(a.value, b.value);
    case Binding::Kind::Variable: return a.type == b.type && a.may_be_loose == b.may_be_loose;
    case Binding::Kind::Conditional:
      return a.condition == b.condition && same_binding(a.branches->first, b.branches->first) && same_binding(a.branches->second, b.branches->second);
  }
  return false;
}

std::vector<uint32_t> united(std::vector<uint32_t> a, const std::vector<uint32_t>& b) {
  for (const uint32_t serial : b) {
    if (std::find(a.begin(), a.end(), serial) == a.end()) a.push_back(serial);
  }
  return a;
}

std::string describe(Reader& reader, const Binding& binding) {
  switch (binding.kind) {
    case Binding::Kind::Unusable: return "nothing";
    case Binding::Kind::Value: return cutile::describe(reader, binding.value);
    case Binding::Kind::Variable: return cutile::describe(reader, binding.type);
    case Binding::Kind::Conditional: return "a value that depends on a constant of the launch";
  }
  return "";
}

bool is_poison(const Binding& binding) { return binding.kind == Binding::Kind::Value && binding.value.poison(); }

Binding unusable(Unusable why, std::string detail = {}) {
  Binding binding;
  binding.why = why;
  binding.detail = std::move(detail);
  return binding;
}

Binding merge_bindings(Reader& reader, const Binding& a, const Binding& b) {
  Binding merged;
  if (same_binding(a, b) || is_poison(a)) {
    merged = a;
  } else if (is_poison(b)) {
    merged = b;
  } else if (a.kind == Binding::Kind::Conditional || b.kind == Binding::Kind::Conditional) {
    const Binding& split = a.kind == Binding::Kind::Conditional ? a : b;
    const Binding& other = a.kind == Binding::Kind::Conditional ? b : a;
    const bool both = other.kind == Binding::Kind::Conditional && other.condition == split.condition;
    merged.kind = Binding::Kind::Conditional;
    merged.condition = split.condition;
    merged.origin = split.origin;
    merged.branches = std::make_shared<const std::pair<Binding, Binding>>(
        merge_bindings(reader, split.branches->first, both ? other.branches->first : other),
        merge_bindings(reader, split.branches->second, both ? other.branches->second : other));
  } else if (a.kind == Binding::Kind::Unusable || b.kind == Binding::Kind::Unusable) {
    const Binding& bad = a.kind == Binding::Kind::Unusable ? a : b;
    const bool unbound = bad.why == Unusable::Unbound && a.kind != b.kind;
    merged = unbound ? unusable(Unusable::Sometimes) : bad;
  } else if (a.kind == Binding::Kind::Variable && b.kind == Binding::Kind::Variable) {
    if (const auto type = merge_types(reader, a.type, b.type)) {
      merged = a;
      merged.type = *type;
      merged.may_be_loose = a.may_be_loose || b.may_be_loose;
    } else {
      merged = unusable(Unusable::DifferentTypes, describe(reader, a) + " or " + describe(reader, b));
    }
  } else if (a.kind == b.kind) {
    merged = unusable(Unusable::DifferentValues, describe(reader, a));
  } else {
    merged = unusable(Unusable::DifferentTypes, describe(reader, a) + " or " + describe(reader, b));
  }
  merged.headers = united(a.headers, b.headers);
  return merged;
}

Environment choose(const Environment& a, const Environment& b, sym::ExprId condition, NodeId origin) {
  if (!a.reachable) return b;
  if (!b.reachable) return a;
  Environment merged = a;
  for (size_t i = 0; i < merged.bindings.size(); ++i) {
    const Binding& x = a.bindings[i];
    const Binding& y = b.bindings[i];
    if (same_binding(x, y)) {
      merged.bindings[i].headers = united(x.headers, y.headers);
      continue;
    }
    Binding& out = merged.bindings[i];
    if (is_poison(x) || is_poison(y)) {
      out = is_poison(x) ? x : y;
      continue;
    }
    out = {};
    out.kind = Binding::Kind::Conditional;
    out.condition = condition;
    out.origin = origin;
    out.branches = std::make_shared<const std::pair<Binding, Binding>>(x, y);
    out.headers = united(x.headers, y.headers);
  }
  return merged;
}

// Regions ---------------------------------------------------------------------------------------------------------------------

struct Region {
  ir::BlockId block;
  Environment environment;
  Val value;
  bool failed = false;
  std::string reason = {};
};

bool is_refusal_of_ours(std::string_view code) { return code >= "TW150"; }

// Reads something in a block of its own.
template <class Body>
Region read_region(Reader& reader, Body body) {
  Frame& frame = *reader.frame;
  const ir::BlockId outer = frame.block;
  const Environment before = frame.environment;
  const size_t assumptions = frame.assumptions.size();
  Region region;
  region.block = frame.block = new_block(reader);
  region.value = body();
  region.environment = std::move(frame.environment);
  frame.environment = before;
  frame.assumptions.resize(assumptions);
  frame.block = outer;
  return region;
}

// The same under a constant condition. What cuTile refuses in it concerns only launches that cuTile refuses, so that it is no
// error of the kernel: the region says so instead.
template <class Body>
Region read_assuming(Reader& reader, NodeId node, sym::ExprId condition, bool holds, Body body) {
  Frame& frame = *reader.frame;
  const Frame saved_frame = frame;
  const std::vector<ValueId> saved_parameters = reader.parameter_values;
  diag::Diagnostics* const outer_sink = reader.sink;
  const uint32_t outer_errors = reader.errors;
  diag::Diagnostics own;
  const Mark start = mark(reader);
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
  const auto first = std::find_if(own.begin(), own.end(), [](const diag::Diagnostic& d) { return d.severity == diag::Severity::Error; });
  const diag::Diagnostic cause = *first;
  forget(reader, start);
  frame = saved_frame;
  reader.parameter_values = saved_parameters;
  forget_parameters(reader);
  Region dead = read_region(reader, [&] {
    ir::Attrs attrs;
    attrs.text = cause.message;
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

// The condition of an if, while or ternary at run time.
std::optional<ValueId> runtime_condition(Reader& reader, NodeId node, const Val& test) {
  if (test.poison()) return std::nullopt;
  if (test.is(ValKind::Conditional)) {
    error(reader, node, messages::depends_on_launch, "the condition");
    return std::nullopt;
  }
  if (test.is(ValKind::Foreign) || test.is(ValKind::Kernel) || test.is(ValKind::Annotation)) {
    error(reader, node, messages::condition_not_scalar, cutile::describe(reader, test));
    return std::nullopt;
  }
  if (test.is(ValKind::Ir) && !is_numeric(reader, type_id(reader, test.value))) {
    error(reader, node, messages::condition_not_scalar, cutile::describe(reader, test));
    return std::nullopt;
  }
  const auto value = as_number(reader, node, test, "the condition");
  if (!value) return std::nullopt;
  if (!is_scalar(reader, *value)) {
    error_with(reader, node, "reduce it first, or select lane by lane with `ct.where`", messages::condition_not_scalar,
               cutile::describe(reader, ir_val(*value)));
    return std::nullopt;
  }
  return is_const(reader, *value) ? *value : to_bool(reader, node, *value);
}

}  // namespace

Environment merge(Reader& reader, const Environment& a, const Environment& b) {
  if (!a.reachable) return b;
  if (!b.reachable) return a;
  Environment merged = a;
  for (size_t i = 0; i < merged.bindings.size(); ++i) merged.bindings[i] = merge_bindings(reader, a.bindings[i], b.bindings[i]);
  return merged;
}

Val read_conditional(Reader& reader, NodeId node, uint32_t slot, const Binding& binding) {
  Frame& frame = *reader.frame;
  const std::string_view name = frame.slot_names[slot];
  // The type of a variable under each constant condition that is still open here, joined.
  bool loose = false;
  const auto type = [&](const auto& self, const Binding& at) -> std::optional<TypeId> {
    if (at.kind == Binding::Kind::Variable) {
      loose |= at.may_be_loose;
      return at.type;
    }
    if (at.kind != Binding::Kind::Conditional) return std::nullopt;
    const auto known = truth(reader, at.condition);
    if (known) return self(self, *known ? at.branches->first : at.branches->second);
    const auto first = self(self, at.branches->first);
    const auto second = self(self, at.branches->second);
    if (!first || !second) return std::nullopt;
    return select_types(reader, at.condition, *first, *second, loose);
  };
  if (const auto joined = type(type, binding)) {
    ir::Attrs attrs;
    attrs.var = frame.vars[slot];
    const ValueId value = emit(reader, node, OpKind::Get, {}, *joined, std::move(attrs));
    if (loose) frame.loose.insert(value);
    return ir_val(value);
  }
  const Binding& first = binding.branches->first;
  const Binding& second = binding.branches->second;
  if (first.kind == Binding::Kind::Value && second.kind == Binding::Kind::Value && !first.value.is(ValKind::Tuple)) {
    return {.kind = ValKind::Conditional,
            .condition = binding.condition,
            .items = std::make_shared<const std::vector<Val>>(std::vector<Val>{materialise(reader, node, first.value), materialise(reader, node, second.value)})};
  }
  if (ask_for_split(reader, binding.origin, binding.condition)) return {};
  const std::string condition = reader.arena().text(binding.condition);
  for (const bool which : {true, false}) {
    const Binding& side = which ? first : second;
    if (side.kind != Binding::Kind::Unusable) continue;
    if (side.why == Unusable::DifferentTypes || side.why == Unusable::DifferentValues) return read_binding(reader, node, slot, side);
    return error(reader, node, messages::maybe_undefined, name, "it is not assigned if `" + condition + "` is " + (which ? "true" : "false"));
  }
  return error_with(reader, node, "it is " + describe(reader, first) + " if `" + condition + "`, else " + describe(reader, second),
                    messages::depends_on_launch, "the type of `" + std::string(name) + "`");
}

std::optional<Val> merge_results(Reader& reader, const Val& a, const Val& b, sym::ExprId condition) {
  if (same(a, b)) return a;
  if (a.is(ValKind::Ir) && b.is(ValKind::Ir)) {
    const TypeId x = type_id(reader, a.value);
    const TypeId y = type_id(reader, b.value);
    bool loose = false;
    const auto type = condition ? select_types(reader, condition, x, y, loose) : merge_types(reader, x, y);
    if (!type || loose) return std::nullopt;
    if (*type == x) return a;
    if (*type == y) return b;
    // No op gives this value: it stands for the results of all returns.
    return ir_val(reader.program.values.add({.type = *type, .name = {}, .definition = {}}));
  }
  return std::nullopt;
}

void read_if(Reader& reader, NodeId node) {
  const auto statement = reader.tree().as<syntax::If>(node);
  Frame& frame = *reader.frame;
  const Val test = materialise(reader, statement.test, read_expression(reader, statement.test));
  const sym::ExprId condition = constant_condition(reader, test);
  if (condition) {
    if (const auto known = truth(reader, condition)) {
      emit_mark(reader, node);
      read_statements(reader, *known ? statement.body : statement.orelse);
      return;
    }
  }
  const auto value = runtime_condition(reader, statement.test, test);
  const auto branch = [&](NodeList body) {
    return [&reader, body] {
      read_statements(reader, body);
      return Val{};
    };
  };
  Region then;
  Region otherwise;
  if (condition) {
    then = read_assuming(reader, node, condition, true, branch(statement.body));
    otherwise = read_assuming(reader, node, condition, false, branch(statement.orelse));
    if (then.failed && otherwise.failed) {
      error(reader, statement.test, messages::type_differs, "this program", then.reason + "; " + otherwise.reason);
      frame.environment.reachable = false;
      return;
    }
  } else {
    std::vector<std::pair<sym::ExprId, bool>> implied;
    if (value) {
      if (const auto found = frame.implied.find(*value); found != frame.implied.end()) implied = found->second;
    }
    then = read_region(reader, [&] {
      for (const auto& [part, holds] : implied) assume(reader, part, holds);
      read_statements(reader, statement.body);
      return Val{};
    });
    otherwise = read_region(reader, branch(statement.orelse));
  }
  frame.statement = node;
  if (value) emit_op(reader, node, OpKind::If, {*value}, {}, {}, {then.block, otherwise.block});
  if (condition) {
    frame.environment = choose(then.environment, otherwise.environment, condition, node);
    // What follows runs only where the other branch was taken.
    if (!then.environment.reachable) assume(reader, condition, false);
    else if (!otherwise.environment.reachable) assume(reader, condition, true);
  } else {
    frame.environment = merge(reader, then.environment, otherwise.environment);
  }
  if (!then.environment.reachable && !otherwise.environment.reachable) frame.environment.reachable = false;
}

bool ask_for_split(Reader& reader, NodeId origin, sym::ExprId condition) {
  Frame& frame = *reader.frame;
  constexpr size_t splits_limit = 3;  // each may double what follows it
  if (!origin || reader.splits.size() >= splits_limit) return false;
  const source::Span span = frame.tree->span(origin);
  for (auto block = frame.blocks.rbegin(); block != frame.blocks.rend(); ++block) {
    for (size_t i = 0; i <= block->second && i < block->first.size(); ++i) {
      const NodeId statement = block->first[i];
      if (!frame.tree->span(statement).contains(span)) continue;
      for (const Split& split : reader.splits) {
        if (split.tree == frame.tree && split.statement == statement && split.condition == condition) return false;
      }
      // The condition is a value at the `if` itself; elsewhere it must be made.
      reader.splits.push_back({frame.tree, statement, condition});
      reader.learned = true;
      return true;
    }
  }
  return false;
}

std::optional<ValueId> constant_value(Reader& reader, NodeId node, sym::ExprId value) {
  for (const ir::Param& param : reader.frame->made->params) {
    if (!param.value) continue;
    const ir::Type& type = type_of(reader, param.value);
    if (type.kind == TypeKind::Const && !type.strict && type.value == value) return param.value;
  }
  const sym::Expr expr = reader.arena()[value];
  if (expr.kind == sym::ExprKind::Literal) {
    return std::visit([&](auto v) { return literal(reader, node, ir::Literal{v}); }, expr.value);
  }
  static constexpr std::pair<sym::ExprKind, OpKind> operations[] = {
      {sym::ExprKind::Add, OpKind::Add},      {sym::ExprKind::Sub, OpKind::Sub},     {sym::ExprKind::Mul, OpKind::Mul},
      {sym::ExprKind::FloorDiv, OpKind::FloorDiv}, {sym::ExprKind::Mod, OpKind::FloorMod}, {sym::ExprKind::CeilDiv, OpKind::CeilDiv},
      {sym::ExprKind::Min, OpKind::Min},      {sym::ExprKind::Max, OpKind::Max},     {sym::ExprKind::Eq, OpKind::CmpEq},
      {sym::ExprKind::Ne, OpKind::CmpNe},     {sym::ExprKind::Lt, OpKind::CmpLt},    {sym::ExprKind::Le, OpKind::CmpLe},
      {sym::ExprKind::Gt, OpKind::CmpGt},     {sym::ExprKind::Ge, OpKind::CmpGe},    {sym::ExprKind::And, OpKind::BitAnd},
      {sym::ExprKind::Or, OpKind::BitOr},     {sym::ExprKind::Not, OpKind::Not},
  };
  for (const auto& [from, op] : operations) {
    if (expr.kind != from) continue;
    std::optional<ValueId> made;
    for (const sym::ExprId operand : expr.operands) {
      const auto part = constant_value(reader, node, operand);
      if (!part) return std::nullopt;
      if (op == OpKind::Not) {
        const Val negated = logical_not(reader, node, ir_val(*part));
        return negated.is(ValKind::Ir) ? std::optional(negated.value) : std::nullopt;
      }
      if (!made) {
        made = part;
        continue;
      }
      const bool comparison = op >= OpKind::CmpEq && op <= OpKind::CmpGe;
      const Val joined = comparison ? compare(reader, node, op, ir_val(*made), ir_val(*part)) : binary(reader, node, op, ir_val(*made), ir_val(*part));
      if (!joined.is(ValKind::Ir)) return std::nullopt;
      made = joined.value;
    }
    return made;
  }
  return std::nullopt;
}

bool read_split(Reader& reader, const Split& given, NodeList rest) {
  const Split split = given;
  Frame& frame = *reader.frame;
  const NodeId node = rest[0];
  frame.statement = node;
  std::optional<ValueId> value;
  if (const auto statement = reader.tree().get_if<syntax::If>(node)) {
    const Val test = materialise(reader, statement->test, read_expression(reader, statement->test));
    if (test.is(ValKind::Ir) && is_const(reader, test.value) && constant_condition(reader, test) == split.condition) value = test.value;
  }
  if (!value) value = constant_value(reader, node, split.condition);
  if (!value) return false;
  const auto side = [&] {
    read_statements(reader, rest);
    return Val{};
  };
  const Region then = read_assuming(reader, node, split.condition, true, side);
  const Region otherwise = read_assuming(reader, node, split.condition, false, side);
  if (then.failed && otherwise.failed) {
    error(reader, node, messages::type_differs, "this program", then.reason + "; " + otherwise.reason);
    frame.environment.reachable = false;
    return true;
  }
  frame.statement = node;
  ir::Attrs attrs;
  attrs.spelling = "split";
  emit_op(reader, node, OpKind::If, {*value}, {}, std::move(attrs), {then.block, otherwise.block});
  frame.environment = choose(then.environment, otherwise.environment, split.condition, node);
  if (!then.environment.reachable && !otherwise.environment.reachable) frame.environment.reachable = false;
  return true;
}

// Loops -----------------------------------------------------------------------------------------------------------------------

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
  if (now.kind == Binding::Kind::Conditional) return carries(reader, header, now.branches->first) && carries(reader, header, now.branches->second);
  if (header.kind != now.kind) return false;
  if (header.kind == Binding::Kind::Value) return same(header.value, now.value);
  return merge_types(reader, header.type, now.type) == header.type;
}

// After the body: which names kept their type, and what they are after the loop.
void close_loop(Reader& reader, NodeId node, const Environment& header, Loop loop, const std::set<uint32_t>& assigned, bool endless) {
  Frame& frame = *reader.frame;
  std::vector<Environment> ends = std::move(loop.continues);
  ends.push_back(frame.environment);
  Environment exit = header;
  for (const uint32_t slot : assigned) {
    const Binding& start = header.bindings[slot];
    for (const Environment& end : ends) {
      if (!end.reachable || carries(reader, start, end.bindings[slot])) continue;
      const Binding& now = end.bindings[slot];
      const bool values = start.kind == Binding::Kind::Value && now.kind == Binding::Kind::Value;
      const std::string detail = values ? describe(reader, start) : describe(reader, start) + " before the loop, " + describe(reader, now) + " after an iteration";
      const auto read = loop.read_at_header.find(slot);
      const NodeId place = read != loop.read_at_header.end() ? read->second : node;
      const std::string name(frame.slot_names[slot]);
      const bool numbers = start.kind != Binding::Kind::Value && now.kind != Binding::Kind::Value;
      if (numbers) error(reader, place, messages::type_differs, "`" + name + "`", detail);
      else if (read != loop.read_at_header.end()) error(reader, place, messages::changing_value, name, describe(reader, start));
      exit.bindings[slot] = unusable(start.kind == Binding::Kind::Value ? Unusable::DifferentValues : Unusable::DifferentTypes, detail);
      break;
    }
    if (start.kind == Binding::Kind::Unusable && start.why == Unusable::Unbound) exit.bindings[slot] = unusable(Unusable::AfterLoop);
  }
  exit.reachable = !endless;
  for (const Environment& leave : loop.breaks) {
    if (!exit.reachable) {
      exit = leave;
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
  frame.environment = std::move(exit);
  frame.statement = node;
}

Environment loop_header(Reader& reader, const std::set<uint32_t>& assigned, uint32_t serial) {
  Environment header = reader.frame->environment;
  for (const uint32_t slot : assigned) header.bindings[slot] = at_header(reader, header.bindings[slot], serial);
  return header;
}

struct Range {
  ValueId start, stop, step;
  std::string spelling;
};

std::optional<Range> read_range(Reader& reader, NodeId iter) {
  const syntax::Tree& tree = reader.tree();
  const auto call = tree.get_if<syntax::Call>(iter);
  if (!call) {
    const Val val = read_expression(reader, iter);
    if (!val.poison()) error_with(reader, iter, "loop over `range(…)`", messages::bad_range, "a loop must be over a range, not over " + cutile::describe(reader, val));
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
  const bool starred = std::any_of(call->args.begin(), call->args.end(), [&](NodeId argument) { return tree.is(argument, NodeKind::Starred); });
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
  if (values.size() == 1) return Range{integer(reader, iter, 0), values[0], integer(reader, iter, 1), "stop"};
  if (values.size() == 2) return Range{values[0], values[1], integer(reader, iter, 1), "start stop"};
  return Range{values[0], values[1], values[2], "start stop step"};
}

}  // namespace

void read_for(Reader& reader, NodeId node) {
  const auto statement = reader.tree().as<syntax::For>(node);
  Frame& frame = *reader.frame;
  if (!statement.orelse.empty()) {
    error(reader, statement.orelse[0], messages::loop_else, "for … else");
    return;
  }
  const auto range = read_range(reader, statement.iter);
  if (!reader.tree().is(statement.target, NodeKind::Name)) {
    error(reader, statement.target, messages::bad_range, "the target of a loop must be a name");
    return;
  }
  std::set<uint32_t> assigned = assigned_slots(frame, statement.body);
  const uint32_t target = frame.slots.at(reader.tree().as<syntax::Name>(statement.target).id);
  assigned.insert(target);

  Loop loop{.kind = Loop::Kind::For, .serial = ++frame.loop_serial};
  const Environment header = loop_header(reader, assigned, loop.serial);
  const size_t assumptions = frame.assumptions.size();
  const ir::BlockId outer = frame.block;
  const ir::BlockId body = new_block(reader);
  const ValueId induction = reader.program.values.add({.type = int32_type(reader), .name = {}, .definition = {}});
  reader.program.blocks[body].arguments.push_back(induction);
  frame.block = body;
  frame.environment = header;
  frame.loops.push_back(std::move(loop));
  Binding bound = set_variable(reader, statement.target, target, induction, "target");
  frame.environment.bindings[target] = std::move(bound);
  read_statements(reader, statement.body);
  loop = std::move(frame.loops.back());
  frame.loops.pop_back();
  frame.block = outer;
  frame.assumptions.resize(assumptions);
  close_loop(reader, node, header, std::move(loop), assigned, false);
  if (range) {
    ir::Attrs attrs;
    attrs.spelling = range->spelling;
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
  Loop loop{.kind = Loop::Kind::While, .serial = ++frame.loop_serial};
  const Environment header = loop_header(reader, assigned, loop.serial);
  const size_t assumptions = frame.assumptions.size();
  const ir::BlockId outer = frame.block;
  frame.environment = header;
  frame.loops.push_back(std::move(loop));

  const ir::BlockId condition = frame.block = new_block(reader);
  const Val test = materialise(reader, statement.test, read_expression(reader, statement.test));
  const auto known = truth(reader, test);
  const auto value = runtime_condition(reader, statement.test, known ? ir_val(literal(reader, statement.test, ir::Literal{*known})) : test);
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
  close_loop(reader, node, header, std::move(loop), assigned, known == true);
  if (value) emit_op(reader, node, OpKind::While, {}, {}, {}, {condition, body});
}

// Conditions inside of expressions ---------------------------------------------------------------------------------------------

Val read_ternary(Reader& reader, NodeId node) {
  const auto expression = reader.tree().as<syntax::IfExp>(node);
  const Val test = materialise(reader, expression.test, read_expression(reader, expression.test));
  const sym::ExprId condition = constant_condition(reader, test);
  if (condition) {
    if (const auto known = truth(reader, condition)) {
      return read_expression(reader, *known ? expression.body : expression.orelse);
    }
  }
  const auto value = runtime_condition(reader, expression.test, test);
  const auto arm = [&](NodeId at) {
    return [&reader, at] { return materialise(reader, at, read_expression(reader, at)); };
  };
  Region then = condition ? read_assuming(reader, node, condition, true, arm(expression.body)) : read_region(reader, arm(expression.body));
  Region otherwise = condition ? read_assuming(reader, node, condition, false, arm(expression.orelse)) : read_region(reader, arm(expression.orelse));
  if (!value) return {};
  if (then.failed && otherwise.failed) {
    return error(reader, expression.test, messages::type_differs, "this expression", then.reason + "; " + otherwise.reason);
  }
  if (then.failed || otherwise.failed) {
    const Region& live = then.failed ? otherwise : then;
    append_block(reader, live.block);
    return live.value;
  }
  if (then.value.poison() || otherwise.value.poison()) return {};
  // A parameter of which nothing is known yet is a number beside a number, or where the choice is made at run time.
  const auto number = [&](Region& region, const Region& other, NodeId at) {
    const bool beside = other.value.is(ValKind::Ir) && is_numeric(reader, type_id(reader, other.value.value));
    if (!region.value.is(ValKind::Parameter) || !(beside || !condition)) return true;
    const auto made = as_number(reader, at, region.value, "a value of `if … else`");
    if (made) region.value = ir_val(*made);
    return made.has_value();
  };
  if (!number(then, otherwise, expression.body) || !number(otherwise, then, expression.orelse)) return {};
  if (then.value.is(ValKind::Ir) && otherwise.value.is(ValKind::Ir)) {
    const TypeId a = type_id(reader, then.value.value);
    const TypeId b = type_id(reader, otherwise.value.value);
    bool loose = false;
    const auto type = condition ? select_types(reader, condition, a, b, loose) : merge_types(reader, a, b);
    if (!type) {
      const std::string detail = cutile::describe(reader, a) + " or " + cutile::describe(reader, b);
      return error(reader, node, messages::type_differs, "this expression", detail);
    }
    for (const Region* region : {&then, &otherwise}) {
      const ir::BlockId outer = reader.frame->block;
      reader.frame->block = region->block;
      ValueId value_of_arm = region->value.value;
      if (is_const(reader, value_of_arm) && strict(reader, type_id(reader, value_of_arm)) != *type && type_id(reader, value_of_arm) != *type &&
          reader.types()[*type].kind == TypeKind::Tile) {
        value_of_arm = *as_tile(reader, node, region->value, "a value of `if … else`");
      }
      // Two open dtypes: a launch that cuTile accepts has the same in both.
      if (!condition && reader.types()[*type].kind == TypeKind::Tile) value_of_arm = implicit_cast(reader, node, value_of_arm, reader.types()[*type].dtype);
      emit_op(reader, node, OpKind::Yield, {value_of_arm}, {});
      reader.frame->block = outer;
    }
    const ir::OpId op = emit_op(reader, node, OpKind::Ternary, {*value}, {*type}, {}, {then.block, otherwise.block});
    const ValueId result = reader.program.ops[op].results[0];
    if (loose) reader.frame->loose.insert(result);
    return ir_val(result);
  }
  append_block(reader, then.block);
  append_block(reader, otherwise.block);
  if (same(then.value, otherwise.value)) return then.value;
  if (condition) {
    return {.kind = ValKind::Conditional,
            .condition = condition,
            .items = std::make_shared<const std::vector<Val>>(std::vector<Val>{then.value, otherwise.value})};
  }
  const std::string detail = cutile::describe(reader, then.value) + " or " + cutile::describe(reader, otherwise.value);
  return error(reader, node, messages::type_differs, "this expression", detail);
}

namespace {

Val read_bool(Reader& reader, NodeId node, syntax::BoolOperator op, NodeList values, size_t i) {
  const bool is_and = op == syntax::BoolOperator::And;
  const NodeId at = values[i];
  const Val first = materialise(reader, at, read_expression(reader, at));
  if (first.poison()) return {};
  const sym::ExprId condition = constant_condition(reader, first);
  const auto known = condition ? truth(reader, condition) : std::nullopt;
  if (i + 1 == values.size()) {
    if (condition) {
      // `and` and `or` give a bool, not the operand.
      if (first.is(ValKind::Ir) && is_const(reader, first.value) && type_of(reader, first.value).loose == ir::LooseKind::Bool) return first;
      if (known) return ir_val(literal(reader, at, ir::Literal{*known}));
      const TypeId type = reader.types().constant(ir::LooseKind::Bool, condition);
      return ir_val(emit(reader, at, OpKind::CmpNe, {first.value, integer(reader, at, 0)}, type));
    }
    const auto value = runtime_condition(reader, at, first);
    return value ? ir_val(*value) : Val{};
  }
  if (known) {
    if (*known != is_and) return ir_val(literal(reader, at, ir::Literal{*known}));
    return read_bool(reader, node, op, values, i + 1);
  }
  const auto value = runtime_condition(reader, at, first);
  if (!value) return {};
  const auto rest = [&] { return read_bool(reader, node, op, values, i + 1); };
  const Region region = condition ? read_assuming(reader, node, condition, is_and, rest) : read_region(reader, rest);
  if (region.failed || region.value.poison()) return {};
  const ir::BlockId outer = reader.frame->block;
  reader.frame->block = region.block;
  emit_op(reader, node, OpKind::Yield, {region.value.value}, {});
  reader.frame->block = outer;
  const sym::ExprId second = constant_condition(reader, region.value);
  TypeId type = bool_type(reader);
  if (condition && second) {
    type = reader.types().constant(ir::LooseKind::Bool, reader.arena().make(is_and ? sym::ExprKind::And : sym::ExprKind::Or, {condition, second}));
  }
  const ir::OpId made = emit_op(reader, node, is_and ? OpKind::AndThen : OpKind::OrElse, {*value}, {type}, {}, {region.block});
  const ValueId result = reader.program.ops[made].results[0];
  if (is_and && !(condition && second)) {
    std::vector<std::pair<sym::ExprId, bool>> implied;
    if (condition) implied.push_back({condition, true});
    if (second) implied.push_back({second, true});
    for (const ValueId part : {*value, region.value.value}) {
      if (const auto found = reader.frame->implied.find(part); found != reader.frame->implied.end()) {
        implied.insert(implied.end(), found->second.begin(), found->second.end());
      }
    }
    if (!implied.empty()) reader.frame->implied[result] = std::move(implied);
  }
  return ir_val(result);
}

}  // namespace

Val read_bool_op(Reader& reader, NodeId node) {
  const auto operation = reader.tree().as<syntax::BoolOp>(node);
  constexpr size_t operand_limit = 200;  // each is a region inside of the one before
  if (operation.values.size() > operand_limit) return error(reader, node, messages::too_deep);
  return read_bool(reader, node, operation.op, operation.values, 0);
}

Val logical_not(Reader& reader, NodeId node, const Val& given) {
  const Val operand = materialise(reader, node, given);
  if (operand.poison()) return {};
  const sym::ExprId condition = constant_condition(reader, operand);
  if (condition) {
    if (!operand.is(ValKind::Ir) || !is_const(reader, operand.value)) {
      return ir_val(literal(reader, node, ir::Literal{!*reader.arena().truth_of(condition)}));
    }
    const TypeId type = reader.types().constant(ir::LooseKind::Bool, reader.arena().make(sym::ExprKind::Not, {condition}));
    return ir_val(emit(reader, node, OpKind::Not, {operand.value}, type));
  }
  const auto value = as_number(reader, node, operand, "the operand of `not`");
  if (!value) return {};
  return ir_val(emit(reader, node, OpKind::Not, {*value}, bool_type(reader, shape_of(reader, *value))));
}

}  // namespace tilewright::front::cutile
