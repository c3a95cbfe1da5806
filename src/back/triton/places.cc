// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/places.h"

#include <algorithm>

#include "back/triton/demand.h"
#include "base/check.h"
#include "ir/walk.h"

namespace tilewright::back::triton {

using ir::BlockId;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using sym::ExprId;
using sym::ExprKind;

namespace {

std::string text(uint32_t number) { return std::to_string(number); }

// Another shape of the same elements.
bool keeps_elements(OpKind kind) { return kind == OpKind::Reshape || kind == OpKind::ExpandDims || kind == OpKind::Permute; }

}  // namespace

Places::Places(const ir::Program& program, const AllEffects& effects)
    : program_(program), effects_(effects), structure_(program), arena_(program.arena) {
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::Iota) not_negative_.insert(type(op.results[0]).shape[0]);
  }
}

Context Places::enter(const Context& caller, OpId call) {
  const auto [found, is_new] = context_of_.try_emplace({caller.number, call}, static_cast<uint32_t>(contexts_.size()));
  if (!is_new) return contexts_[found->second];
  const Op& op = program_.ops[call];
  Context out{.number = found->second, .path = caller.path, .loops = loops_around(caller, structure_.block_of(call))};
  out.path.push_back(call);
  contexts_.push_back(out);
  size_t operand = 0;
  for (const ir::Param& param : program_.functions[op.attrs.rare->function].params) {
    if (param.value) passed_[{out.number, param.value}] = {caller.number, op.operands[operand++]};
  }
  return out;
}

LoopNumber Places::loop(const Context& context, OpId id) {
  const auto [found, is_new] = loop_of_.try_emplace({context.number, id}, static_cast<LoopNumber>(loops_.size()));
  if (!is_new) return found->second;
  const LoopNumber number = found->second;
  loops_.push_back({.op = id, .count = {}, .start = {}, .stop = {}, .step = {}});
  const Op& op = program_.ops[id];
  if (op.kind != OpKind::For) return number;
  std::vector<LoopNumber> around = loops_around(context, structure_.block_of(id));
  around.push_back(number);
  Loop loop{.op = id,
            .count = unknown("loop " + text(number), around),
            .start = integer(context, op.operands[0]),
            .stop = integer(context, op.operands[1]),
            .step = integer(context, op.operands[2])};
  known_[{context.number, program_.blocks[op.regions[0]].arguments[0]}] =
      arena_.make(ExprKind::Add, {loop.start, arena_.make(ExprKind::Mul, {loop.step, loop.count})});
  loops_[number] = loop;
  not_negative_.insert({loop.count, loop.step});
  return number;
}

uint32_t Places::place(const Context& context, OpId access) {
  const auto [found, is_new] = place_of_.try_emplace({context.number, access}, static_cast<uint32_t>(places_.size()));
  if (!is_new) return found->second;
  Place out{.path = context.path,
            .loops = loops_around(context, structure_.block_of(access)),
            .root = root(context, program_.ops[access].operands[0]),
            .context = context.number,
            .axes = std::nullopt,
            .branches = {}};
  out.path.push_back(access);
  for (const OpId step : out.path) {
    BlockId block = structure_.block_of(step);
    for (OpId owner = structure_.owner_of(block); owner; owner = structure_.owner_of(block)) {
      const Op& branch = program_.ops[owner];
      if (branch.kind == OpKind::If && type(branch.operands[0]).kind == ir::TypeKind::Const) {
        const auto region = std::find(branch.regions.begin(), branch.regions.end(), block);
        out.branches.emplace(type(branch.operands[0]).value, static_cast<size_t>(region - branch.regions.begin()));
      }
      block = structure_.block_of(owner);
    }
  }
  places_.push_back(std::move(out));
  return found->second;
}

// Most places are in arrays of their own: nobody asks where in them.
const std::vector<Axis>& Places::axes(uint32_t number) {
  Place& place = places_[number];
  if (place.axes) return *place.axes;
  const Context& context = contexts_[place.context];
  const Op& op = program_.ops[place.access()];
  View array = view(context, op.operands[0]);
  const bool load = op.kind == OpKind::LoadTile;
  const bool tiled = load || op.kind == OpKind::StoreTile;
  const ValueId moved = load ? op.results[0] : tiled ? op.operands[1 + op.attrs.rank] : ValueId{};
  std::vector<Axis> axes(op.attrs.rank);
  for (uint32_t axis = 0; axis < op.attrs.rank; ++axis) {
    const ValueId index = op.operands[1 + axis];
    const uint32_t of = tiled ? array_axis(op, axis) : axis;
    const bool one = tiled && type(moved).shape.empty();  // a scalar is one element
    const ExprId extent = tiled && !one ? type(moved).shape[axis] : arena_.one();
    Axis& where = axes[of];
    where.lanes = tiled ? Span{arena_.make(ExprKind::Mul, {integer(context, index), extent}), extent} : lanes(context, index);
    if (op.attrs.has_mask) where.masked = left_by(context, op.operands.back(), where.lanes, type(index).shape);
    if (!array.is_known) where = {{unknown("place " + text(number), place.loops), {}}, {}};
    if (const auto begins_at = array.begins_at.find(of); begins_at != array.begins_at.end()) {
      for (Span* span : {&where.lanes, &where.masked}) {
        if (span->start) span->start = arena_.make(ExprKind::Add, {span->start, begins_at->second});
      }
    }
  }
  array.items.insert(array.items.end(), axes.begin(), axes.end());
  return place.axes.emplace(std::move(array.items));
}

// --- values

std::vector<LoopNumber> Places::loops_around(const Context& context, BlockId block) {
  std::vector<LoopNumber> inner;
  for (OpId owner = structure_.owner_of(block); owner; owner = structure_.owner_of(structure_.block_of(owner))) {
    if (ir::is_loop(program_.ops[owner].kind)) inner.push_back(loop(context, owner));
  }
  std::vector<LoopNumber> out = context.loops;
  out.insert(out.end(), inner.rbegin(), inner.rend());
  return out;
}

ExprId Places::unknown(const std::string& key, const std::vector<LoopNumber>& varies_in) {
  const ExprId out = arena_.atom("@" + key);
  varies_in_.try_emplace(out, varies_in);
  return out;
}

// An integer scalar.
ExprId Places::integer(const Context& context, ValueId value) {
  if (type(value).kind == ir::TypeKind::Const) return type(value).value;
  const ContextValue key{context.number, value};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const ExprId out = evaluate(context, value);
  known_[key] = out;
  return out;
}

Places::ContextValue Places::passed(const Context& context, ValueId parameter) const {
  const auto found = passed_.find({context.number, parameter});
  return found == passed_.end() ? ContextValue{} : found->second;
}

ExprId Places::evaluate(const Context& context, ValueId value) {
  if (const auto [caller, argument] = passed(context, value); argument) return integer(contexts_[caller], argument);
  const OpId made = program_.values[value].definition;
  const std::string name = "value " + text(context.number) + "." + text(value.index);
  if (!made) return unknown(name, context.loops);
  const Op& op = program_.ops[made];
  const auto part = [&](size_t i) { return integer(context, op.operands[i]); };
  if (op.kind == OpKind::Add) return arena_.make(ExprKind::Add, {part(0), part(1)});
  if (op.kind == OpKind::Sub) return arena_.make(ExprKind::Sub, {part(0), part(1)});
  if (op.kind == OpKind::Mul) return arena_.make(ExprKind::Mul, {part(0), part(1)});
  if (op.kind == OpKind::Neg) return arena_.make(ExprKind::Neg, {part(0)});
  if (op.kind == OpKind::Cast || op.kind == OpKind::Copy) return part(0);
  if (op.kind == OpKind::Get) {
    const ir::FunctionId function = structure_.function_of(made);
    if (numbered_.insert(function).second) versions_.merge(versions_of(program_, function));
    const Version& version = versions_.at(made);
    return unknown("variable " + text(context.number) + "." + text(op.attrs.var.index) + "." + text(version.number),
                   version.made_in ? loops_around(context, version.made_in) : context.loops);
  }
  if (ir::info(op.kind).effect == ir::Effect::Pure && op.regions.empty()) return structure(context, op);
  return unknown(name, loops_around(context, structure_.block_of(made)));
}

// An expression by what it is made of, so that two of the same make are equal.
ExprId Places::structure(const Context& context, const Op& op) {
  std::string key(ir::info(op.kind).text);
  key += " " + text(op.attrs.axis) + "." + text(op.attrs.dtype.index);
  for (const uint32_t axis : op.attrs.rare->axes) key += "." + text(axis);
  for (const ExprId extent : type(op.results[0]).shape) key += "," + text(extent.index);
  std::vector<LoopNumber> varies_in;
  const auto add = [&](ExprId part) {
    key += " " + text(part.index);
    for (const ExprId atom : arena_.atoms_in(part)) {
      const std::vector<LoopNumber>& more = varies_in_[atom];
      varies_in.insert(varies_in.end(), more.begin(), more.end());
    }
  };
  for (const ValueId operand : op.operands) {
    const ir::TypeKind kind = type(operand).kind;
    if (kind == ir::TypeKind::Array || kind == ir::TypeKind::ArrayList) {
      const View array = view(context, operand);
      if (!array.root)
        return unknown("value " + text(context.number) + "." + text(op.results[0].index),
                       loops_around(context, structure_.block_of(program_.values[op.results[0]].definition)));
      key += " array " + text(array.root.index);
      for (const Axis& item : array.items) add(item.lanes.start);
      for (const auto& [axis, begin] : array.begins_at) add(begin);
    } else if (kind == ir::TypeKind::Tile && !type(operand).shape.empty()) {
      const Span part = lanes(context, operand);
      add(part.start);
      if (part.count) add(part.count);
    } else if (kind == ir::TypeKind::DtypeConst) {
      key += " dtype " + text(type(operand).dtype.index);
    } else {
      add(integer(context, operand));
    }
  }
  return unknown(key, varies_in);
}

// The elements that a tile of indices, or a scalar one, stands for.
Span Places::lanes(const Context& context, ValueId value) {
  if (type(value).shape.empty() || type(value).kind == ir::TypeKind::Const) return {integer(context, value), arena_.one()};
  const ContextValue key{context.number, value};
  if (const auto found = known_lanes_.find(key); found != known_lanes_.end()) return found->second;
  const Span out = find_lanes(context, value);
  known_lanes_[key] = out;
  return out;
}

Span Places::find_lanes(const Context& context, ValueId value) {
  if (const auto [caller, argument] = passed(context, value); argument) return lanes(contexts_[caller], argument);
  const OpId made = program_.values[value].definition;
  const auto opaque = [&](ExprId start) { return Span{start, {}}; };
  if (!made || program_.ops[made].kind == OpKind::Get) return opaque(evaluate(context, value));
  const Op& op = program_.ops[made];
  if (op.kind == OpKind::Iota) return {arena_.integer(0), type(value).shape[0]};
  if (op.kind == OpKind::Full) return lanes(context, op.operands.back());
  if (op.kind == OpKind::Cast || op.kind == OpKind::Copy || op.kind == OpKind::Broadcast || keeps_elements(op.kind)) {
    const Span inner = lanes(context, op.operands[0]);
    if (inner.count) return inner;
  }
  if (op.kind == OpKind::Add || op.kind == OpKind::Sub) {
    const Span left = lanes(context, op.operands[0]);
    const Span right = lanes(context, op.operands[1]);
    const ExprKind kind = op.kind == OpKind::Add ? ExprKind::Add : ExprKind::Sub;
    if (left.count && right.count == arena_.one()) return {arena_.make(kind, {left.start, right.start}), left.count};
    if (right.count && left.count == arena_.one() && kind == ExprKind::Add) {
      return {arena_.make(kind, {left.start, right.start}), right.count};
    }
  }
  if (ir::info(op.kind).effect == ir::Effect::Pure && op.regions.empty()) return opaque(structure(context, op));
  return opaque(evaluate(context, value));
}

// `i < n`, perhaps with more conditions, leaves no more than n of the lanes that are laid out as i is.
Span Places::left_by(const Context& context, ValueId mask, const Span& index, const std::vector<ExprId>& shape) {
  const OpId made = program_.values[mask].definition;
  if (!made || !index.count || index.count == arena_.one()) return {};
  const Op& op = program_.ops[made];
  if (op.kind == OpKind::BitAnd) {
    const Span left = left_by(context, op.operands[0], index, shape);
    return left.start ? left : left_by(context, op.operands[1], index, shape);
  }
  if (op.kind != OpKind::CmpLt || type(op.operands[0]).shape != shape) return {};
  const Span counted = lanes(context, op.operands[0]);
  const Span bound = lanes(context, op.operands[1]);
  if (counted.count != index.count || bound.count != arena_.one() || !is_never_negative(counted.start)) return {};
  return {arena_.make(ExprKind::Sub, {index.start, counted.start}), bound.start};
}

bool Places::is_never_negative(ExprId id) const {
  const Terms all = terms(id);
  return std::all_of(all.begin(), all.end(), [&](const auto& term) {
    const auto& [factors, coefficient] = term;
    return coefficient > 0 &&
           std::all_of(factors.begin(), factors.end(), [&](ExprId factor) { return not_negative_.contains(factor); });
  });
}

Places::View Places::view(const Context& context, ValueId array) {
  if (const auto [caller, argument] = passed(context, array); argument) return view(contexts_[caller], argument);
  const OpId made = program_.values[array].definition;
  if (!made) return {.root = array, .items = {}, .begins_at = {}, .is_known = true};
  const Op& op = program_.ops[made];
  if (op.kind == OpKind::Get) {
    std::set<ValueId> roots;
    for (const ValueId parameter : effects_.parameters_of(array)) roots.insert(view(context, parameter).root);
    return {.root = roots.size() == 1 ? *roots.begin() : ValueId{}, .items = {}, .begins_at = {}, .is_known = false};
  }
  if (op.kind != OpKind::Copy && op.kind != OpKind::ArraySlice && op.kind != OpKind::ListItem) return {};
  View out = view(context, op.operands[0]);
  if (op.kind == OpKind::ArraySlice) {
    const ExprId start = integer(context, op.operands[1]);
    const auto [at, is_new] = out.begins_at.try_emplace(op.attrs.axis, start);
    if (!is_new) at->second = arena_.make(ExprKind::Add, {at->second, start});
  }
  if (op.kind == OpKind::ListItem) out.items.push_back({{integer(context, op.operands[1]), arena_.one()}, {}});
  return out;
}

// --- comparisons

Places::Terms Places::terms(ExprId id) const {
  Terms out;
  const auto add = [&](ExprId term) {
    const sym::Operands parts = arena_[term].kind == ExprKind::Mul ? arena_[term].operands : sym::Operands{term};
    std::vector<ExprId> factors(parts.begin(), parts.end());
    int64_t coefficient = 1;
    std::erase_if(factors, [&](ExprId factor) {
      const std::optional<int64_t> number = arena_.integer_of(factor);
      if (number) coefficient *= *number;
      return number.has_value();
    });
    std::sort(factors.begin(), factors.end());
    if (coefficient != 0) out[factors] += coefficient;
  };
  if (arena_[id].kind == ExprKind::Add) {
    for (const ExprId term : arena_[id].operands) add(term);
  } else {
    add(id);
  }
  return out;
}

// Whether all terms are whole multiples of one that is a product.
bool Places::divide(Terms& terms, const Terms& by) {
  if (by.size() != 1) return false;
  const auto& [divisor, number] = *by.begin();
  Terms out;
  for (const auto& [factors, coefficient] : terms) {
    if (coefficient % number != 0) return false;
    std::vector<ExprId> rest = factors;
    for (const ExprId factor : divisor) {
      const auto at = std::find(rest.begin(), rest.end(), factor);
      if (at == rest.end()) return false;
      rest.erase(at);
    }
    out[rest] += coefficient / number;
  }
  terms = std::move(out);
  return true;
}

ExprId Places::of_another_iteration(ExprId id, const std::set<LoopNumber>& loops) {
  if (loops.empty()) return id;
  return arena_.substitute(id, [&](const sym::Atom& atom) -> ExprId {
    const ExprId expr = arena_.atom(atom.key);
    const auto found = varies_in_.find(expr);
    if (found == varies_in_.end()) return {};
    const bool varies =
        std::any_of(found->second.begin(), found->second.end(), [&](LoopNumber loop) { return loops.contains(loop); });
    return varies ? arena_.atom(atom.key + "'") : ExprId{};
  });
}

std::set<LoopNumber> Places::own_loops(const Place& earlier, LoopNumber carrier, const Place& later) const {
  auto own = std::mismatch(later.loops.begin(), later.loops.end(), earlier.loops.begin(), earlier.loops.end()).first;
  if (carrier) own = std::find(later.loops.begin(), later.loops.end(), carrier);
  return {own, later.loops.end()};
}

Places::Terms Places::distance(ExprId from, ExprId to) {
  return from == to ? Terms{} : terms(arena_.make(ExprKind::Sub, {to, from}));
}

std::optional<Places::Terms> Places::in_units(Terms distance, ExprId unit) const {
  if (!divide(distance, terms(unit))) return std::nullopt;
  return distance;
}

// A number, or so many times the step that the loop has made, whatever an inner loop adds within one step of this one.
bool Places::is_never_zero(const Terms& distance, LoopNumber carrier) const {
  const auto is_number = [](const Terms& terms) { return terms.size() == 1 && terms.begin()->first.empty(); };
  if (is_number(distance)) return true;
  const ExprId before = loops_[carrier].count;
  if (!before) return false;
  const auto after_of = [&](ExprId atom) {
    for (const auto& [factors, coefficient] : distance) {
      for (const ExprId factor : factors) {
        if (arena_[factor].kind == ExprKind::Atom && arena_.atom_of(factor).key == arena_.atom_of(atom).key + "'") return factor;
      }
    }
    return ExprId::none();
  };
  // Splits off the multiples of one variable.
  const auto take = [](Terms& from, ExprId variable) {
    Terms out;
    for (auto it = from.begin(); it != from.end();) {
      std::vector<ExprId> rest = it->first;
      const auto at = std::find(rest.begin(), rest.end(), variable);
      if (at == rest.end()) {
        ++it;
        continue;
      }
      rest.erase(at);
      out[rest] += it->second;
      it = from.erase(it);
    }
    return out;
  };
  const auto opposite = [](const Terms& a, const Terms& b) {
    return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const auto& term) {
             const auto found = b.find(term.first);
             return found != b.end() && found->second == -term.second;
           });
  };
  const ExprId after = after_of(before);
  if (!after) return false;
  Terms rest = distance;
  const Terms step = take(rest, after);
  if (step.empty() || !opposite(step, take(rest, before))) return false;
  if (rest.empty()) return is_number(step) || step == terms(loops_[carrier].step);
  return std::any_of(loops_.begin() + 1, loops_.end(), [&](const Loop& inner) {
    const bool counts = inner.count && arena_.integer_of(inner.start) == 0 && arena_.integer_of(inner.step) == 1;
    if (!counts || terms(inner.stop) != step) return false;
    const ExprId inner_after = after_of(inner.count);
    const Terms one = {{{}, 1}};
    Terms left = rest;
    return inner_after && take(left, inner_after) == one && opposite(one, take(left, inner.count)) && left.empty();
  });
}

bool Places::apart(const Span& earlier, LoopNumber carrier, const Span& later) {
  const auto number = [](const std::optional<Terms>& terms) -> int64_t {
    return terms && terms->size() == 1 && terms->begin()->first.empty() ? terms->begin()->second : 0;
  };
  if (!earlier.count || !later.count) return false;
  const Terms distance = this->distance(earlier.start, later.start);
  if (distance.empty()) return false;
  const std::optional<Terms> away = in_units(distance, earlier.count);
  if (number(away) >= 1 || number(in_units(distance, later.count)) <= -1) return true;
  return away && earlier.count == later.count && is_never_zero(*away, carrier);
}

bool Places::disjoint(uint32_t earlier_place, LoopNumber carrier, uint32_t later_place) {
  if (exclude(earlier_place, later_place)) return true;
  const Place& earlier = places_[earlier_place];
  const Place& later = places_[later_place];
  if (!earlier.root || !later.root) return false;
  if (earlier.root != later.root) return true;
  const std::vector<Axis>& earlier_axes = axes(earlier_place);
  const std::vector<Axis>& later_axes = axes(later_place);
  if (earlier_axes.size() != later_axes.size()) return false;
  const std::set<LoopNumber> own = own_loops(earlier, carrier, later);
  for (size_t axis = 0; axis < later_axes.size(); ++axis) {
    for (const Span& span : {later_axes[axis].lanes, later_axes[axis].masked}) {
      if (!span.start || !span.count) continue;
      const Span after{of_another_iteration(span.start, own), of_another_iteration(span.count, own)};
      for (const Span& before : {earlier_axes[axis].lanes, earlier_axes[axis].masked}) {
        if (apart(before, carrier, after)) return true;
      }
    }
  }
  return false;
}

bool Places::exclude(uint32_t a, uint32_t b) const {
  return std::any_of(places_[a].branches.begin(), places_[a].branches.end(), [&](const auto& branch) {
    const auto other = places_[b].branches.find(branch.first);
    return other != places_[b].branches.end() && other->second != branch.second;
  });
}

bool Places::same(uint32_t earlier_place, LoopNumber carrier, uint32_t later_place) {
  const Place& earlier = places_[earlier_place];
  const Place& later = places_[later_place];
  if (!later.root || earlier.root != later.root) return false;
  const std::vector<Axis>& earlier_axes = axes(earlier_place);
  const std::vector<Axis>& later_axes = axes(later_place);
  if (earlier_axes.size() != later_axes.size()) return false;
  const std::set<LoopNumber> own = own_loops(earlier, carrier, later);
  for (size_t axis = 0; axis < later_axes.size(); ++axis) {
    const Span& before = earlier_axes[axis].lanes;
    const Span& after = later_axes[axis].lanes;
    if (before.count != after.count || before.start != of_another_iteration(after.start, own)) return false;
  }
  return true;
}

bool Places::same_or_disjoint(uint32_t earlier_place, LoopNumber carrier, uint32_t later_place) {
  const Place& earlier = places_[earlier_place];
  const Place& later = places_[later_place];
  if (!later.root || earlier.root != later.root || axes(earlier_place) != axes(later_place)) return false;
  const std::set<LoopNumber> own = own_loops(earlier, carrier, later);
  for (const Axis& axis : axes(later_place)) {
    const Span& span = axis.lanes;
    const std::optional<Terms> away =
        in_units(distance(span.start, of_another_iteration(span.start, own)), span.count ? span.count : arena_.one());
    if (!away || (!span.count && !away->empty())) return false;
  }
  return true;
}

LoopNumber Places::outermost_own_loop(uint32_t earlier, LoopNumber carrier, uint32_t later) const {
  const std::set<LoopNumber> own = own_loops(places_[earlier], carrier, places_[later]);
  for (const LoopNumber loop : places_[later].loops) {
    if (own.contains(loop) && loop != carrier) return loop;
  }
  return 0;
}

bool Places::encloses(LoopNumber loop, OpId op) const {
  while (op && op != loops_[loop].op) op = structure_.owner_of(structure_.block_of(op));
  return op.valid();
}

}  // namespace tilewright::back::triton
