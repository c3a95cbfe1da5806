// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where paths meet: one type, one binding, one environment of two.
//
// Paths that a constant of the launch chooses between leave what differs Conditional: `if CAUSAL: mask = …` may be followed by
// another `if CAUSAL:` that uses it. Paths that are chosen between at run time must agree in types, as cuTile demands.

#include <algorithm>

#include "front/common/control.h"

namespace tilewright::front {

using ir::OpKind;
using ir::TypeId;
using ir::TypeKind;
using ir::ValueId;

bool is_numeric(Reader& reader, TypeId type) {
  const TypeKind kind = reader.types()[type].kind;
  return kind == TypeKind::Tile || kind == TypeKind::Const;
}

TypeId strict(Reader& reader, TypeId type) {
  if (reader.types()[type].kind != TypeKind::Const) return type;
  return reader.types().tile(own_dtype(reader, type), {});
}

namespace {

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
    if (dtype.kind != ir::DtypeKind::Argument || number->loose == ir::LooseKind::Bool || reader.knowledge[dtype.index].scalar)
      continue;
    reader.knowledge[dtype.index].scalar = number->loose == ir::LooseKind::Int ? ir::Scalar::I32 : ir::Scalar::F32;
    reader.learned = true;
  }
}

}  // namespace

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

std::optional<TypeId> select_types(Reader& reader, sym::ExprId condition, TypeId a, TypeId b, bool& loose) {
  if (a == b) return a;
  ir::Types& types = reader.types();
  const ir::Type ta = types[a];
  const ir::Type tb = types[b];
  if (ta.kind == TypeKind::DtypeConst && tb.kind == TypeKind::DtypeConst)
    return types.dtype_constant(types.select(condition, ta.dtype, tb.dtype));
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

namespace {

bool same_binding(const Binding& a, const Binding& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Binding::Kind::Unusable: return a.why == b.why;
    case Binding::Kind::Value: return same(a.value, b.value);
    case Binding::Kind::Variable: return a.type == b.type && a.may_be_loose == b.may_be_loose;
    case Binding::Kind::Conditional:
      return a.condition == b.condition && same_binding(a.branches->first, b.branches->first) &&
             same_binding(a.branches->second, b.branches->second);
  }
  return false;
}

std::vector<uint32_t> united(std::vector<uint32_t> a, const std::vector<uint32_t>& b) {
  for (const uint32_t serial : b) {
    if (std::find(a.begin(), a.end(), serial) == a.end()) a.push_back(serial);
  }
  return a;
}

}  // namespace

std::string describe(Reader& reader, const Binding& binding) {
  switch (binding.kind) {
    case Binding::Kind::Unusable: return "nothing";
    case Binding::Kind::Value: return describe(reader, binding.value);
    case Binding::Kind::Variable: return describe(reader, binding.type);
    case Binding::Kind::Conditional: return "a value that depends on a constant of the launch";
  }
  return "";
}

bool is_poison(const Binding& binding) { return binding.kind == Binding::Kind::Value && binding.value.poison(); }

Binding unusable(Unusable why, std::string detail) {
  Binding binding;
  binding.why = why;
  binding.detail = std::move(detail);
  return binding;
}

namespace {

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

}  // namespace

Environment choose(Environment a, Environment b, sym::ExprId condition, NodeId origin) {
  if (!a.reachable) return b;
  if (!b.reachable) return a;
  for (size_t i = 0; i < a.bindings.size(); ++i) {
    Binding& x = a.bindings[i];
    Binding& y = b.bindings[i];
    if (same_binding(x, y)) {
      if (x.headers != y.headers) x.headers = united(std::move(x.headers), y.headers);
      continue;
    }
    if (is_poison(x)) continue;
    if (is_poison(y)) {
      x = std::move(y);
      continue;
    }
    Binding either;
    either.kind = Binding::Kind::Conditional;
    either.condition = condition;
    either.origin = origin;
    either.headers = united(x.headers, y.headers);
    either.branches = std::make_shared<const std::pair<Binding, Binding>>(std::move(x), std::move(y));
    x = std::move(either);
  }
  return a;
}

static bool is_made_since(const Val& val, size_t values) {
  if (val.value && val.value.index >= values) return true;
  return val.items &&
         std::any_of(val.items->begin(), val.items->end(), [&](const Val& item) { return is_made_since(item, values); });
}

void leave_block(Reader& reader, Environment& environment, size_t values) {
  for (Binding& binding : environment.bindings) {
    if (binding.kind != Binding::Kind::Value || !is_made_since(binding.value, values)) continue;
    const std::string what = describe(reader, binding.value);
    binding = unusable(Unusable::DifferentValues, what);
  }
}

Environment merge(Reader& reader, Environment a, const Environment& b) {
  if (!a.reachable) return b;
  if (!b.reachable) return a;
  for (size_t i = 0; i < a.bindings.size(); ++i) {
    Binding& x = a.bindings[i];
    const Binding& y = b.bindings[i];
    if (x.headers != y.headers || !same_binding(x, y)) x = merge_bindings(reader, x, y);
  }
  return a;
}

namespace {

// The bindings that a conditional one may be here.
void each_possible(Reader& reader, const Binding& binding, const std::function<void(const Binding&)>& visit) {
  if (binding.kind != Binding::Kind::Conditional) return visit(binding);
  const auto known = truth(reader, binding.condition);
  if (known != false) each_possible(reader, binding.branches->first, visit);
  if (known != true) each_possible(reader, binding.branches->second, visit);
}

// A parameter of which nothing is known yet is a number where a number may stand in its place. True if there was one: it has been
// learned.
bool settle_beside_numbers(Reader& reader, NodeId node, const Binding& binding) {
  bool numbers = false;
  std::vector<Val> parameters;
  each_possible(reader, binding, [&](const Binding& at) {
    numbers |= at.kind == Binding::Kind::Variable && is_numeric(reader, at.type);
    if (at.kind == Binding::Kind::Value && at.value.is(ValKind::Parameter)) parameters.push_back(at.value);
  });
  if (!numbers || parameters.empty()) return false;
  for (const Val& parameter : parameters) as_number(reader, node, parameter, "a value of this name");
  return true;
}

}  // namespace

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
  if (settle_beside_numbers(reader, node, binding)) return {};
  const Binding& first = binding.branches->first;
  const Binding& second = binding.branches->second;
  if (first.kind == Binding::Kind::Value && second.kind == Binding::Kind::Value && !first.value.is(ValKind::Tuple)) {
    return {.kind = ValKind::Conditional,
            .condition = binding.condition,
            .items = std::make_shared<const std::vector<Val>>(
                std::vector<Val>{materialise(reader, node, first.value), materialise(reader, node, second.value)})};
  }
  if (ask_for_split(reader, binding.origin, binding.condition)) return {};
  const std::string condition = reader.arena().text(binding.condition);
  for (const bool which : {true, false}) {
    const Binding& side = which ? first : second;
    if (side.kind != Binding::Kind::Unusable) continue;
    if (side.why == Unusable::DifferentTypes || side.why == Unusable::DifferentValues)
      return read_binding(reader, node, slot, side);
    return error(reader, node, messages::maybe_undefined, name,
                 "it is not assigned if `" + condition + "` is " + (which ? "true" : "false"));
  }
  return error_with(reader, node,
                    "it is " + describe(reader, first) + " if `" + condition + "`, else " + describe(reader, second),
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
    return ir_val(reader.program.values.add({.type = *type, .definition = {}, .name = {}}));
  }
  return std::nullopt;
}

}  // namespace tilewright::front
