// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Control flow, calls and conditions; what single ops give is in transfer.cc.

#include "analysis/walk.h"

#include <algorithm>

#include "ir/operands.h"
#include "ir/walk.h"
#include "sym/parse.h"

namespace tilewright::analysis {

using ir::OpKind;
using ir::TypeKind;
using ir::ValueId;
using sym::ExprId;
using sym::ExprKind;

Walk::Walk(const ir::Program& program, Stretch<ir::OpId> ops, Stretch<ValueId> values, sym::Arena& arena,
           PositiveExtents& positive)
    : program_(program),
      positive_extents_(positive),
      symbols_(arena),
      found_{.values = RowsOf<ValueId, std::optional<Known>>(values),
             .conditional = RowsOf<ir::OpId, bool>(ops),
             .operands = {},
             .conditions = {},
             .unaskable = {}},
      now_(values) {}

void Walk::kernel(ir::FunctionId function) {
  const ir::Function& f = program_.functions[function];
  kernel_ = function;
  parameters_.clear();
  positive_.clear();
  evaluated_.clear();
  scalars_.clear();
  launch_names_.clear();
  symbols_.take_back_grants();
  program_bounds_.clear();
  not_negative_.clear();
  hopes_.clear();
  sizes_.clear();
  for (const ExprId atom : positive_extents_.of(f.body)) positive_[atom] = 1;
  for (const ir::Param& param : f.params) {
    if (!param.value) continue;
    const ir::Type& type = program_.types[program_.values[param.value].type];
    const bool is_number = type.kind == TypeKind::Const && type.loose == ir::LooseKind::Int;
    if (is_number && program_.arena[type.value].kind == ExprKind::Atom) parameters_.insert(type.value);
  }
  update_constants();
  std::vector<Known> arguments;
  for (uint32_t i = 0; i < f.params.size(); ++i) {
    const ir::Param& param = f.params[i];
    if (!param.value) continue;
    const ir::TypeId type = program_.values[param.value].type;
    Known known;
    if (program_.types[type].kind == TypeKind::Const) {
      known = constant(program_.types[type]);
    } else if (is_index(type) || program_.types[type].kind == TypeKind::Array) {
      const std::string name = "%" + std::to_string(param.value.index) + "@" + std::to_string(next_context_);
      if (is_index(type)) {
        Condition condition{kernel_, sym::quoted({.key = param.name}) + " >= 0"};
        known.ranges.certain = fitted(type, {});
        known.ranges.hoped = meet(known.ranges.certain, at_least(0));
        known.assumes = found_.conditions.of(condition);
        known.symbol = symbols_.atom(name, known.ranges);
        hopes_[known.symbol] = known.assumes;
        scalars_.emplace(known.symbol, std::move(condition));
      } else {
        known.symbol = symbols_.atom(name, {});
      }
      launch_names_[known.symbol] = param.name;
    }
    arguments.push_back(std::move(known));
  }
  ++next_context_;
  call(function, arguments);
  for (auto& [atom, condition] : scalars_) {
    if (!sizes_.contains(atom)) found_.unaskable.insert(std::move(condition));
  }
}

void Walk::update_constants() {
  std::map<ExprId, Ranges> ranges;
  if (conditions_ == 0) {
    for (const ExprId atom : parameters_) ranges[atom].hoped = at_least(0);
  }
  for (const auto& [atom, count] : positive_) {
    if (count > 0) ranges[atom] = certainly(at_least(1));
  }
  symbols_.set_constants(std::move(ranges));
}

Known Walk::join(const Known& a, const Known& b) {
  return kept({analysis::join(a.ranges, b.ranges), a.symbol == b.symbol ? a.symbol : ExprId::none(),
               found_.conditions.both(a.assumes, b.assumes)});
}

// Nothing has to be asked for what holds anyway.
Known Walk::kept(Known known) {
  if (known.ranges.hoped == known.ranges.certain) known.assumes = {};
  return known;
}

Known Walk::coming_round(ir::OpId loop, ir::VarId var, const Known& before, const Known& after) {
  Known out = join(before, after);
  if (out.ranges == before.ranges) return out;
  if (multiplies_itself(loop, var)) {
    out.ranges = {};
    return kept(out);
  }
  // What moved once may move on; zero is a place to stop at once more.
  const auto widen = [](Range& range, const Range& old) {
    if (range.low != old.low) range.low = range.non_negative() ? std::optional<int64_t>{0} : std::nullopt;
    if (range.high != old.high) range.high.reset();
  };
  widen(out.ranges.certain, before.ranges.certain);
  widen(out.ranges.hoped, before.ranges.hoped);
  out.ranges.hoped = meet(out.ranges.hoped, out.ranges.certain);
  return kept(out);
}

bool Walk::multiplies_itself(ir::OpId loop, ir::VarId var) {
  const auto [found, is_new] = multiplying_.emplace(std::pair{loop, var}, false);
  if (!is_new) return found->second;
  bool answer = false;
  // A product or a shift on the way from a read of the variable to a write of it.
  std::map<std::pair<ValueId, bool>, bool> seen;
  const auto reads = [&](auto&& self, ValueId value, bool multiplied) -> void {
    const ir::OpId definition = program_.values[value].definition;
    if (answer || !definition || !seen.emplace(std::pair{value, multiplied}, true).second) return;
    const ir::Op& op = program_.ops[definition];
    if (op.kind == OpKind::Get && op.attrs.var == var && multiplied) answer = true;
    if (ir::info(op.kind).effect != ir::Effect::Pure) return;
    const bool product = op.kind == OpKind::Mul || op.kind == OpKind::Shl || op.kind == OpKind::Pow;
    for (const ValueId operand : op.operands) self(self, operand, multiplied || product);
  };
  for (const ir::BlockId region : program_.ops[loop].regions) {
    ir::each_op(program_, region, [&](ir::OpId id) {
      const ir::Op& op = program_.ops[id];
      for (size_t i = 0; op.kind == OpKind::Set && i < ir::written_vars(op).size(); ++i) {
        if (ir::written_vars(op)[i] == var) reads(reads, op.operands[i], false);
      }
    });
  }
  multiplying_[{loop, var}] = answer;
  return answer;
}

void Walk::record(ValueId value, Known known) {
  std::optional<Known>& all = found_.values[value];
  all = all ? join(*all, known) : known;
  now_[value] = std::move(known);
}

void Walk::visit(ir::Flow<Walk>& flow, ir::OpId id) {
  const ir::Op& op = program_.ops[id];
  if (conditions_ > 0) found_.conditional[id] = true;
  if (op.kind == OpKind::FloorDiv || op.kind == OpKind::FloorMod || op.kind == OpKind::CeilDiv || op.kind == OpKind::Gather ||
      op.kind == OpKind::Scatter || op.kind == OpKind::AtomicRmw || op.kind == OpKind::AtomicCas) {
    std::vector<Known> operands;
    for (const ValueId operand : op.operands) operands.push_back(of(operand));
    const auto [found, is_new] = found_.operands.emplace(id, operands);
    for (size_t i = 0; !is_new && i < operands.size(); ++i) found->second[i] = join(found->second[i], operands[i]);
    if (op.kind == OpKind::CeilDiv) note_size(op.operands[0]);
    if (op.kind == OpKind::CeilDiv || op.kind == OpKind::FloorDiv || op.kind == OpKind::FloorMod) note_size(op.operands[1]);
  }
  if (op.kind == OpKind::Get) {
    Known known = flow.read(op.attrs.var);
    if (!known.symbol && is_index(program_.values[op.results[0]].type)) {
      known = named(op.results[0], "get", std::move(known));
      flow.write(op.attrs.var, known);  // until the next write, it is this
    }
    record(op.results[0], std::move(known));
  } else if (op.kind == OpKind::Set) {
    for (size_t i = 0; i < ir::written_vars(op).size(); ++i) flow.write(ir::written_vars(op)[i], of(op.operands[i]));
  } else if (op.kind == OpKind::Return) {
    Frame& frame = frames_.back();
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (frame.returned) {
        frame.results[i] = join(frame.results[i], of(op.operands[i]));
      } else {
        frame.results.push_back(of(op.operands[i]));
      }
    }
    frame.returned = true;
  } else if (op.kind == OpKind::Call) {
    called(id);
  } else if (op.results.size() == 1 && op.kind != OpKind::Ternary) {
    record(op.results[0], evaluate(id));
  } else {
    for (const ValueId result : op.results) record(result, {});
  }
}

// A number of the launch that something is divided by, or that is divided into tiles.
void Walk::note_size(ValueId value) {
  const ExprId symbol = of(value).symbol;
  if (conditions_ == 0 && scalars_.contains(symbol)) sizes_.insert(symbol);
}

void Walk::called(ir::OpId id) {
  const ir::Op& op = program_.ops[id];
  std::vector<Known> arguments;
  for (const ValueId operand : op.operands) arguments.push_back(of(operand));
  const Evaluated evaluated = call(op.attrs.rare->function, arguments);
  for (size_t i = 0; i < op.results.size(); ++i) {
    Known known = i < evaluated.results.size() ? evaluated.results[i] : Known{};
    // What was named within a call may be another value in the next one.
    bool inner = false;
    if (known.symbol) {
      for (const ExprId atom : symbols_.arena().atoms_in(known.symbol)) {
        const std::string& key = symbols_.arena().atom_of(atom).key;
        const size_t mark = key.rfind('@');
        inner |= key[0] == '%' && mark != std::string::npos && std::stoul(key.substr(mark + 1)) >= evaluated.context;
      }
    }
    if (inner) {
      known.symbol = {};
      if (is_index(program_.values[op.results[i]].type)) known = named(op.results[i], "call", std::move(known));
    }
    record(op.results[i], std::move(known));
  }
}

Walk::Evaluated Walk::call(ir::FunctionId function, const std::vector<Known>& arguments) {
  Atoms positive;
  for (const auto& [atom, count] : positive_) {
    if (count > 0) positive.insert(atom);
  }
  const auto key = std::tuple{function, arguments, positive, conditions_ > 0};
  if (const auto found = evaluated_.find(key); found != evaluated_.end()) return found->second;
  const ir::Function& f = program_.functions[function];
  frames_.push_back({.context = next_context_++});
  size_t next = 0;
  for (const ir::Param& param : f.params) {
    if (param.value && next < arguments.size()) record(param.value, arguments[next++]);
  }
  ir::Flow<Walk>(program_, *this).run(f.body);
  Evaluated out{frames_.back().context, std::move(frames_.back().results)};
  frames_.pop_back();
  evaluated_.emplace(key, out);
  return out;
}

bool Walk::is_constant(ValueId value) const { return program_.types[program_.values[value].type].kind == TypeKind::Const; }

void Walk::enter(ir::OpId owner, size_t index) {
  const ir::Op& op = program_.ops[owner];
  Region region;
  const ir::BlockId block = op.regions[index];
  if (op.kind == OpKind::For) {
    const ValueId variable = program_.blocks[block].arguments[0];
    const Known start = of(op.operands[0]);
    const Known stop = of(op.operands[1]);
    const auto between = [&](Strength strength) {
      return Range{start.ranges[strength].low, subtract(stop.ranges[strength], exactly(1)).high};
    };
    Known known{{between(Strength::Certain), between(Strength::Hoped)}, {}, found_.conditions.both(start.assumes, stop.assumes)};
    known = named(variable, "for", kept(known));
    if (stop.symbol) symbols_.bound(known.symbol, stop.symbol);
    record(variable, std::move(known));
  } else if (!op.operands.empty() && is_constant(op.operands[0])) {
    region.condition = true;
    region.positive = positive_extents_.of(block);
    ++conditions_;
    for (const ExprId atom : region.positive) ++positive_[atom];
    update_constants();
  }
  if (op.kind == OpKind::If || op.kind == OpKind::Ternary) refine(op.operands[0], index == 0, region);
  if (op.kind == OpKind::AndThen || op.kind == OpKind::OrElse) refine(op.operands[0], op.kind == OpKind::AndThen, region);
  if (op.kind == OpKind::While && index == 1) {
    const ir::OpId yield = program_.blocks[op.regions[0]].ops.back();
    if (!program_.ops[yield].operands.empty()) refine(program_.ops[yield].operands[0], true, region);
  }
  regions_.push_back(std::move(region));
}

void Walk::leave(ir::OpId owner, size_t index) {
  const Region region = std::move(regions_.back());
  regions_.pop_back();
  for (auto it = region.before.rbegin(); it != region.before.rend(); ++it) now_[it->first] = it->second;
  if (region.condition) {
    --conditions_;
    for (const ExprId atom : region.positive) --positive_[atom];
    update_constants();
  }
  const ir::Op& op = program_.ops[owner];
  if (op.kind != OpKind::Ternary || index != 1) return;
  std::optional<Known> either;
  for (const ir::BlockId arm : op.regions) {
    const ir::OpId last = program_.blocks[arm].ops.back();
    if (program_.ops[last].kind != OpKind::Yield) continue;
    const Known& known = of(program_.ops[last].operands[0]);
    either = either ? join(*either, known) : known;
  }
  Known known = either.value_or(Known{});
  if (!known.symbol && is_index(program_.values[op.results[0]].type)) known = named(op.results[0], "either", std::move(known));
  record(op.results[0], std::move(known));
}

void Walk::refine(ValueId value, const Ranges& ranges, ConditionsId assumes, Region& region) {
  Known better = now_[value];
  better.ranges.certain = meet(better.ranges.certain, ranges.certain);
  better.ranges.hoped = meet(better.ranges.hoped, ranges.certain);
  if (const Range hoped = meet(better.ranges.hoped, ranges.hoped); hoped != better.ranges.hoped) {
    better.ranges.hoped = hoped;
    assume(better.assumes, assumes);
  }
  better = kept(better);
  if (better == now_[value]) return;
  region.before.emplace_back(value, std::exchange(now_[value], better));
}

void Walk::refine(ValueId condition, bool holds, Region& region) {
  const ir::OpId definition = program_.values[condition].definition;
  if (!definition) return;
  const ir::Op& op = program_.ops[definition];
  if (op.kind == OpKind::AndThen && holds) {
    refine(op.operands[0], true, region);
    const ir::OpId yield = program_.blocks[op.regions[0]].ops.back();
    if (!program_.ops[yield].operands.empty()) refine(program_.ops[yield].operands[0], true, region);
    return;
  }
  if (op.kind < OpKind::CmpEq || op.kind > OpKind::CmpGe) return;
  const ValueId left = op.operands[0];
  const ValueId right = op.operands[1];
  const auto is_scalar = [&](ValueId value) { return is_index(program_.values[value].type) || is_constant(value); };
  if (!is_scalar(left) || !is_scalar(right)) return;
  // Of floats the negation of a comparison is no comparison, and 0.5 lies between two integers.
  for (const ValueId side : {left, right}) {
    const ir::Type& type = program_.types[program_.values[side].type];
    if (type.kind == TypeKind::Const && type.loose == ir::LooseKind::Float) return;
    if (type.kind == TypeKind::Tile && program_.types.class_of(type.dtype) != ir::ScalarClass::Signed) return;
  }
  const Known x = of(left);
  const Known y = of(right);
  const auto below = [&](ValueId small, const Known& of_small, ValueId large, const Known& of_large, int64_t gap) {
    const auto most = [&](Strength strength) { return Range{{}, subtract(of_large.ranges[strength], exactly(gap)).high}; };
    const auto least = [&](Strength strength) { return Range{add(of_small.ranges[strength], exactly(gap)).low, {}}; };
    refine(small, {most(Strength::Certain), most(Strength::Hoped)}, of_large.assumes, region);
    refine(large, {least(Strength::Certain), least(Strength::Hoped)}, of_small.assumes, region);
  };
  if (op.kind == OpKind::CmpLt) return holds ? below(left, x, right, y, 1) : below(right, y, left, x, 0);
  if (op.kind == OpKind::CmpLe) return holds ? below(left, x, right, y, 0) : below(right, y, left, x, 1);
  if (op.kind == OpKind::CmpGt) return holds ? below(right, y, left, x, 1) : below(left, x, right, y, 0);
  if (op.kind == OpKind::CmpGe) return holds ? below(right, y, left, x, 0) : below(left, x, right, y, 1);
  if ((op.kind == OpKind::CmpEq) == holds) {
    refine(left, y.ranges, y.assumes, region);
    refine(right, x.ranges, x.assumes, region);
  }
}

}  // namespace tilewright::analysis
