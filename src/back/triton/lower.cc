// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/lower.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "back/triton/floats8.h"
#include "back/triton/messages.h"
#include "base/check.h"

namespace tilewright::back::triton {
namespace {

using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;

// What generated code says, and Python's own words. A local of the author's that is called so gets another name.
constexpr std::string_view reserved[] = {"tl", "triton", "float", "range"};
constexpr std::string_view keywords[] = {
    "False",    "None",   "True",  "and",  "as",     "assert",   "async",   "await", "break", "class",
    "continue", "def",    "del",   "elif", "else",   "except",   "finally", "for",   "from",  "global",
    "if",       "import", "in",    "is",   "lambda", "nonlocal", "not",     "or",    "pass",  "raise",
    "return",   "try",    "while", "with", "yield",  "min",      "max",     "torch",
};

bool is_expression_region(OpKind kind) { return kind == OpKind::Ternary || kind == OpKind::AndThen || kind == OpKind::OrElse; }

}  // namespace

Lowering::Lowering(ir::Program& program, ir::FunctionId function, const Facts& facts, Decisions& decisions,
                   const std::map<ir::FunctionId, Lowered>& callees, const Settings& settings, diag::Diagnostics& diagnostics)
    : program_(program),
      function_(function),
      uses_(facts.uses),
      ops_(facts.uses.ops[function.index]),
      squeezed_(facts.squeezed),
      demand_(facts.demand),
      callees_(callees),
      settings_(settings),
      diagnostics_(diagnostics),
      value_names_(decisions.value_names),
      var_names_(decisions.var_names),
      live_(decisions.live),
      inline_(decisions.inlined),
      calculated_(calculated_elements(program, function)) {}

Lowered Lowering::run() {
  const ir::Function& function = program_.functions[function_];
  const auto found = settings_.names.functions.find(function_);
  out_.name = found == settings_.names.functions.end() ? function.name : found->second;
  plan_names();
  plan_parameters();
  plan_array_variables();
  plan_scopes();
  plan_liveness();
  plan_forms();
  plan_barriers();
  plan_addresses();
  plan_resources();
  std::vector<StmtId> body = block(function.body);
  // A constant that only hints read, or checks that are always made, is no parameter.
  std::erase_if(out_.slots, [&](const Slot& slot) {
    const ir::ValueId value = function.params[slot.param].value;
    const bool array = is_array(value) || type(value).kind == ir::TypeKind::ArrayList;
    return slot.what == Carries::Author && !array && !mentioned_.contains(slot.name);
  });
  assert_constants(body);
  if (out_.ok) out_.text = definition_text(body);
  return std::move(out_);
}

const Op* Lowering::definition(ValueId value) const {
  const OpId id = program_.values[value].definition;
  return id ? &program_.ops[id] : nullptr;
}

const syntax::Tree* Lowering::tree(source::Span span) const {
  if (!span.file || span.file.index >= settings_.trees.size()) return nullptr;
  return settings_.trees[span.file.index];
}

// --- names

std::string Lowering::fresh(const std::string& base) {
  std::string name = base;
  if (is_taken(name)) {
    int& suffix = last_suffix_[base];
    do {
      name = base + "_" + std::to_string(++suffix);
    } while (is_taken(name));
  }
  taken_.insert(name);
  return name;
}

bool Lowering::in_while(OpId id) const {
  for (OpId at = uses_.owner[uses_.where[id.index].block.index]; at; at = uses_.owner[uses_.where[at.index].block.index]) {
    if (op(at).kind == OpKind::While) return true;
  }
  return false;
}

void Lowering::plan_names() {
  taken_.insert(std::begin(reserved), std::end(reserved));
  taken_.insert(std::begin(keywords), std::end(keywords));

  std::map<std::string, std::string> instead;
  const auto printed = [&](const std::string& name) {
    if (name.empty()) return name;
    const bool clashes = std::find(std::begin(reserved), std::end(reserved), name) != std::end(reserved);
    if (!clashes) {
      taken_.insert(name);
      return name;
    }
    const auto [found, inserted] = instead.try_emplace(name);
    if (inserted) found->second = fresh(name + "_");
    return found->second;
  };
  for (const ir::Param& param : program_.functions[function_].params) {
    const std::string name = printed(param.name);
    if (param.value) value_names_[param.value.index] = name;
  }
  for (const OpId id : ops_) {
    for (const ValueId result : op(id).results) {
      const ir::TypeKind kind = type(result).kind;
      // A compile-time name in a `while` would be bound twice before Triton 3.5.
      const bool unnamed = kind == ir::TypeKind::DtypeConst || (kind == ir::TypeKind::Const && in_while(id));
      if (!unnamed) value_names_[result.index] = printed(program_.values[result].name);
    }
    for (const ir::VarId var : op(id).attrs.vars) var_names_[var.index] = printed(program_.vars[var].name);
    for (const ir::BlockId region : op(id).regions) {
      for (const ValueId argument : program_.blocks[region].arguments) {
        value_names_[argument.index] = printed(program_.values[argument].name);
        if (value_names_[argument.index].empty()) value_names_[argument.index] = fresh("i");
      }
    }
    if (op(id).kind == OpKind::Set) sets_.push_back(id);
    if (op(id).kind == OpKind::Set && op(id).attrs.spelling == "parameter")
      given_.insert(op(id).attrs.vars.begin(), op(id).attrs.vars.end());
  }
  plan_renamings();
}

// `a_2d = a_3d.reshape(…)`, where the unit axes are never there: the tile has the second name from the start.
void Lowering::plan_renamings() {
  std::map<std::string, int> owners;
  std::map<ir::VarId, int> gets;
  for (const OpId id : ops_) {
    for (const ValueId result : op(id).results) ++owners[value_names_[result.index]];
    for (const ir::VarId var : op(id).attrs.vars) ++owners[var_names_[var.index]];
    if (op(id).kind == OpKind::Get) ++gets[op(id).attrs.var];
  }
  for (const OpId id : ops_) {
    const Op& current = op(id);
    if (current.kind != OpKind::Reshape) continue;
    const ValueId from = current.operands[0];
    const ValueId to = current.results[0];
    const std::string name = value_names_[to.index];
    if (name.empty() || owners[name] != 1 || is_const(from) || shape(from) != shape(to)) continue;
    if (type(to).shape.size() >= type(from).shape.size() || uses_.count(from) != 1) continue;
    const OpId made = program_.values[from].definition;
    if (!made) continue;
    if (op(made).kind == OpKind::Get && gets[op(made).attrs.var] == 1) {
      var_names_[op(made).attrs.var.index] = name;
    } else if (!value_names_[from.index].empty()) {
      value_names_[from.index] = name;
    }
  }
}

// Triton wants one type per name and scope: what a loop or branch assigns must have the type that the name had before it. A name
// that means something else inside gets a name of its own there. A compile-time name can be bound once.
void Lowering::plan_scopes() {
  struct Bound {
    uint64_t who = 0;  // value or variable
    ir::TypeId type;
    bool squeezed = false;
  };
  using Scope = std::map<std::string, Bound>;
  std::map<std::string, ValueId> constant_names;

  const auto value_of = [&](ValueId value) {
    return Bound{uint64_t{value.index} << 1, program_.values[value].type, squeezed_(value)};
  };
  std::map<ir::VarId, ir::TypeId> var_types;
  for (const OpId id : ops_) {
    if (op(id).kind == OpKind::Get) var_types[op(id).attrs.var] = program_.values[op(id).results[0]].type;
  }
  for (const OpId id : sets_) {
    for (size_t i = 0; i < op(id).attrs.vars.size(); ++i) {
      ir::TypeId& type = var_types[op(id).attrs.vars[i]];
      if (!type) type = program_.values[op(id).operands[i]].type;
    }
  }
  const auto var_of = [&](ir::VarId var) {
    return Bound{(uint64_t{var.index} << 1) | 1, var_types[var], squeezed_.vars[var.index]};
  };

  struct Walker {
    Lowering& self;
    const decltype(value_of)& of_value;
    const decltype(var_of)& of_var;
    std::map<std::string, ValueId>& constant_names;

    void assigned(OpId id, std::vector<std::pair<std::string*, Bound>>& out) {
      const Op& op = self.op(id);
      for (const ValueId result : op.results) {
        std::string& name = self.value_names_[result.index];
        if (!name.empty()) out.emplace_back(&name, of_value(result));
      }
      for (const ir::VarId var : op.attrs.vars) out.emplace_back(&self.var_names_[var.index], of_var(var));
      for (const ir::BlockId region : op.regions) {
        for (const OpId inner : self.program_.blocks[region].ops) assigned(inner, out);
      }
    }

    void block(ir::BlockId id, Scope& scope) {
      for (const OpId op_id : self.program_.blocks[id].ops) {
        const Op& op = self.op(op_id);
        std::vector<std::pair<std::string*, Bound>> names;
        assigned(op_id, names);
        // An `if` on a constant is no scope: only one of its branches is ever there.
        const bool settled = op.kind == OpKind::If && self.is_const(op.operands[0]);
        if (settled) {
          for (const ir::BlockId region : op.regions) block(region, scope);
        } else if (!op.regions.empty() && !is_expression_region(op.kind)) {
          for (auto& [name, bound] : names) {
            const auto outer = scope.find(*name);
            if (outer == scope.end() || outer->second.who == bound.who) continue;
            if (outer->second.type == bound.type && outer->second.squeezed == bound.squeezed) continue;
            *name = self.fresh(*name);
          }
          for (const ir::BlockId region : op.regions) {
            Scope inner = scope;
            block(region, inner);
          }
        }
        if (settled) continue;
        // What a loop binds first is unknown behind it.
        const bool loop = op.kind == OpKind::For || op.kind == OpKind::While;
        for (auto& [name, bound] : names) {
          const bool constant = (bound.who & 1) == 0 && self.is_const(ValueId{static_cast<uint32_t>(bound.who >> 1)});
          const auto outer = scope.find(*name);
          if (constant) {
            const ValueId value{static_cast<uint32_t>(bound.who >> 1)};
            const auto [first, inserted] = constant_names.try_emplace(*name, value);
            if ((!inserted && first->second != value) || (outer != scope.end() && outer->second.who != bound.who)) {
              *name = self.fresh(*name);
              constant_names.emplace(*name, value);
            }
          } else if (constant_names.contains(*name) && outer != scope.end() && outer->second.who != bound.who) {
            *name = self.fresh(*name);
          }
          if (!loop || scope.contains(*name)) scope[*name] = bound;
        }
      }
    }
  };
  Scope scope;
  for (const ir::Param& param : program_.functions[function_].params) {
    if (param.value) scope[value_names_[param.value.index]] = value_of(param.value);
    if (param.value && is_const(param.value)) constant_names.emplace(value_names_[param.value.index], param.value);
  }
  Walker{*this, value_of, var_of, constant_names}.block(program_.functions[function_].body, scope);

  written_before_ = {0};
  for (const OpId id : ops_) {
    uint32_t written = written_before_.back();
    const auto writes = [&](const std::string& name) {
      writers_[name].push_back(id);
      ++written;
    };
    for (const ValueId result : op(id).results) {
      if (!value_names_[result.index].empty()) writes(value_names_[result.index]);
    }
    for (const ir::VarId var : op(id).attrs.vars) writes(var_names_[var.index]);
    written_before_.push_back(written);
  }
}

// --- what is printed at all

void Lowering::plan_liveness() {
  std::map<ir::VarId, std::vector<OpId>> setters;
  for (const OpId id : sets_) {
    for (const ir::VarId var : op(id).attrs.vars) setters[var].push_back(id);
  }
  std::vector<OpId> work;
  const auto mark = [&](OpId id) {
    if (!id || live_[id.index]) return;
    live_[id.index] = true;
    work.push_back(id);
  };
  for (const OpId id : ops_) {
    const Op& current = op(id);
    const ir::Effect effect = ir::info(current.kind).effect;
    bool root = effect == ir::Effect::Writes || effect == ir::Effect::Jump || effect == ir::Effect::Call ||
                effect == ir::Effect::Structure;
    if (is_expression_region(current.kind)) root = false;
    if (current.kind == OpKind::Set) {
      // A constant that every reader knows needs no variable.
      root = std::any_of(current.operands.begin(), current.operands.end(), [&](ValueId value) { return !is_const(value); });
    }
    for (const ValueId result : current.results) {
      const ir::TypeKind kind = type(result).kind;
      root = root || (!value_names_[result.index].empty() && kind == ir::TypeKind::Tile);
    }
    if (root) mark(id);
  }
  while (!work.empty()) {
    const Op& current = op(work.back());
    mark(uses_.owner[uses_.where[work.back().index].block.index]);
    work.pop_back();
    for (const ValueId operand : current.operands) mark(program_.values[operand].definition);
    if (current.kind == OpKind::Get && !is_const(current.results[0])) {
      for (const OpId set : std::exchange(setters[current.attrs.var], {})) mark(set);
    }
    if (is_expression_region(current.kind) || current.kind == OpKind::While) {
      for (const ir::BlockId region : current.regions) {
        const std::vector<OpId>& inner = program_.blocks[region].ops;
        if (!inner.empty() && op(inner.back()).kind == OpKind::Yield) mark(inner.back());
      }
    }
  }
}

// --- what is printed inside of its user

bool Lowering::reaches(OpId from, OpId to) const {
  // Whether a name that the expression of `from` reads may be assigned before `to` evaluates it.
  const Where& start = uses_.where[from.index];
  const Where& end = uses_.where[to.index];
  if (start.block == end.block && written_before_[start.order + 1] == written_before_[end.order]) return false;  // nothing is
  const auto written = [&](const std::string& name) {
    const auto found = writers_.find(name);
    if (found == writers_.end()) return false;
    for (const OpId writer : found->second) {
      const uint32_t at = uses_.where[writer.index].order;
      if (at > start.order && at < end.order) return true;
      // In a loop that holds the user and not the expression, what stands behind the user runs before it too.
      for (OpId loop = uses_.owner[end.block.index]; loop; loop = uses_.owner[uses_.where[loop.index].block.index]) {
        const Where& around = uses_.where[loop.index];
        const bool repeats = op(loop).kind == OpKind::For || op(loop).kind == OpKind::While;
        if (repeats && around.order > start.order && at >= around.order && at <= around.last) return true;
      }
    }
    return false;
  };
  std::vector<OpId> work = {from};
  while (!work.empty()) {
    const OpId id = work.back();
    work.pop_back();
    const Op& current = op(id);
    if (current.kind == OpKind::Get && written(var_names_[current.attrs.var.index])) return true;
    std::vector<ValueId> operands = current.operands;
    for (const ir::BlockId region : current.regions) {
      for (const OpId inner : program_.blocks[region].ops) work.push_back(inner);
    }
    for (const ValueId operand : operands) {
      const std::string& name = value_names_[operand.index];
      if (!name.empty()) {
        if (written(name)) return true;
      } else if (const OpId definition = program_.values[operand].definition) {
        work.push_back(definition);
      }
    }
  }
  return false;
}

void Lowering::plan_forms() {
  for (const OpId id : ops_) {
    const Op& current = op(id);
    if (current.results.size() != 1) continue;
    const ValueId result = current.results[0];
    const ir::TypeKind kind = type(result).kind;
    if (kind == ir::TypeKind::DtypeConst) {
      inline_[id.index] = true;
      continue;
    }
    if (!value_names_[result.index].empty()) continue;
    if (kind == ir::TypeKind::Const) {
      inline_[id.index] = true;
      continue;
    }
    if (kind == ir::TypeKind::Array || kind == ir::TypeKind::ArrayList || kind == ir::TypeKind::None) continue;
    const std::vector<OpId>& users = uses_.users[result.index];
    if (users.empty()) {
      inline_[id.index] = ir::info(current.kind).effect == ir::Effect::Pure ||
                          ir::info(current.kind).effect == ir::Effect::Reads || is_expression_region(current.kind);
      continue;
    }
    const bool atom = current.kind == OpKind::ProgramId || current.kind == OpKind::NumPrograms ||
                      current.kind == OpKind::ArrayDim || current.kind == OpKind::ArrayStride ||
                      current.kind == OpKind::ListLen || current.kind == OpKind::Get;
    if (!atom && users.size() > 1) continue;
    bool fits = true;
    const bool effects = current.kind == OpKind::LoadTile || current.kind == OpKind::Gather || current.kind == OpKind::Call ||
                         current.kind == OpKind::AtomicRmw || current.kind == OpKind::AtomicCas;
    for (const OpId user : users) {
      fits = fits && !reaches(id, user);
      if (effects) fits = fits && op(user).statement == current.statement;
      // A loop's bounds are evaluated once, what stands in its body every time.
      if (!atom && uses_.where[user.index].block != uses_.where[id.index].block) {
        for (OpId at = uses_.owner[uses_.where[user.index].block.index];
             at && uses_.where[at.index].order > uses_.where[id.index].order;
             at = uses_.owner[uses_.where[at.index].block.index]) {
          fits = fits && is_expression_region(op(at).kind);
        }
      }
    }
    inline_[id.index] = fits && !settings_.hazards.apart.contains(id);
  }
  // A second name for a tile that only lost or got unit axes, used once, is not needed.
  for (const OpId id : ops_) {
    const Op& current = op(id);
    if (current.kind != OpKind::Reshape) continue;
    const ValueId from = current.operands[0];
    const ValueId to = current.results[0];
    if (value_names_[to.index].empty() || uses_.count(to) != 1 || is_const(from) || shape(from) != shape(to)) continue;
    const OpId made = program_.values[from].definition;
    const bool named = !value_names_[from.index].empty() || (made && op(made).kind == OpKind::Get && inlines(made));
    if (!named || reaches(id, uses_.users[to.index][0])) continue;
    value_names_[to.index].clear();
    inline_[id.index] = true;
  }
  // From the inside out: a choice whose parts need statements is a statement.
  for (size_t i = ops_.size(); i-- > 0;) {
    const OpId id = ops_[i];
    if (!is_expression_region(op(id).kind)) continue;
    for (const ir::BlockId region : op(id).regions) {
      if (!region_inlines(region)) inline_[id.index] = false;
    }
  }
}

// A barrier stands before the statement that an access is part of, unless that is what it separates.
void Lowering::plan_barriers() {
  const auto is_apart = [&](OpId id) {
    const std::set<OpId>& apart = settings_.hazards.apart;
    return std::any_of(apart.begin(), apart.end(), [&](OpId other) { return op(other).statement == op(id).statement; });
  };
  for (const OpId id : ops_) {
    if (!settings_.hazards.barriers.contains(id)) continue;
    if (is_apart(id)) inline_[id.index] = false;
    OpId printed = id;
    while (inlines(printed)) {
      const std::vector<OpId>& users = uses_.users[op(printed).results[0].index];
      if (users.empty()) break;
      printed = users[0];
    }
    barriers_.insert(printed);
  }
}

bool Lowering::inlines(OpId id) const { return inline_[id.index]; }

// --- expressions

// Whether Triton's interpreter may hold it as a plain Python number, which has no methods.
bool Lowering::pythonic(ValueId value) const {
  if (is_const(value)) return true;
  if (!is_tile(value) || !type(value).shape.empty()) return false;
  const Op* made = definition(value);
  if (!made) return true;                                // a parameter of a helper, an induction variable
  if (!value_names_[value.index].empty()) return false;  // the interpreter makes tensors of what is assigned
  if (made->kind == OpKind::Get && given_.contains(made->attrs.var)) return true;
  switch (made->kind) {
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::TruncDiv:
    case OpKind::TruncMod:
    case OpKind::FloorDiv:
    case OpKind::FloorMod:
    case OpKind::Neg:
    case OpKind::Min:
    case OpKind::Max:
    case OpKind::BitAnd:
    case OpKind::BitOr:
    case OpKind::BitXor:
    case OpKind::Shl:
    case OpKind::Shr:
    case OpKind::CmpEq:
    case OpKind::CmpNe:
    case OpKind::CmpLt:
    case OpKind::CmpLe:
    case OpKind::CmpGt:
    case OpKind::CmpGe:
    case OpKind::CeilDivPositive:
      return std::all_of(made->operands.begin(), made->operands.end(), [&](ValueId operand) { return pythonic(operand); });
    case OpKind::Not:
    case OpKind::Call:
    case OpKind::Ternary:
    case OpKind::AndThen:
    case OpKind::OrElse: return true;
    case OpKind::Literal:
    case OpKind::Symbol:
    case OpKind::DtypeName:
    case OpKind::DtypeOf:
    case OpKind::TileDim:
    case OpKind::Copy:
    case OpKind::Get:
    case OpKind::Set:
    case OpKind::If:
    case OpKind::For:
    case OpKind::While:
    case OpKind::Break:
    case OpKind::Continue:
    case OpKind::Return:
    case OpKind::Yield:
    case OpKind::Unsupported:
    case OpKind::Mark:
    case OpKind::ProgramId:
    case OpKind::NumPrograms:
    case OpKind::ArrayDim:
    case OpKind::ArrayStride:
    case OpKind::NumTiles:
    case OpKind::ArraySlice:
    case OpKind::ListItem:
    case OpKind::ListLen:
    case OpKind::LoadTile:
    case OpKind::StoreTile:
    case OpKind::Gather:
    case OpKind::Scatter:
    case OpKind::AtomicRmw:
    case OpKind::AtomicCas:
    case OpKind::Iota:
    case OpKind::Full:
    case OpKind::Cast:
    case OpKind::Bitcast:
    case OpKind::Reshape:
    case OpKind::ExpandDims:
    case OpKind::Permute:
    case OpKind::Broadcast:
    case OpKind::Cat:
    case OpKind::Extract:
    case OpKind::TrueDiv:
    case OpKind::CeilDiv:
    case OpKind::Pow:
    case OpKind::Atan2:
    case OpKind::BitNot:
    case OpKind::Abs:
    case OpKind::Exp:
    case OpKind::Exp2:
    case OpKind::Log:
    case OpKind::Log2:
    case OpKind::Sqrt:
    case OpKind::Rsqrt:
    case OpKind::Sin:
    case OpKind::Cos:
    case OpKind::Tan:
    case OpKind::Sinh:
    case OpKind::Cosh:
    case OpKind::Tanh:
    case OpKind::Floor:
    case OpKind::Ceil:
    case OpKind::IsNan:
    case OpKind::Where:
    case OpKind::Reduce:
    case OpKind::Scan:
    case OpKind::Dot: return false;
  }
  return false;
}

PyId Lowering::value(ValueId value) {
  const std::string& name = value_names_[value.index];
  if (!name.empty()) {
    // A constant that is no longer written, because it has another value in another branch, is spelled out.
    const OpId made = program_.values[value].definition;
    if (!made || live_[made.index] || !is_const(value)) {
      mentioned_.insert(name);
      return python_.atom(name);
    }
  }
  const OpId id = program_.values[value].definition;
  TW_CHECK(id.valid(), "a value without a name or a definition");
  const Op& made = op(id);
  if (is_const(value) && (made.kind == OpKind::Get || made.kind == OpKind::Call || !made.regions.empty()))
    return constant(type(value).value);
  return build(id);
}

PyId Lowering::build(OpId id) {
  const Op& current = op(id);
  const auto at = [&](size_t i) { return value(current.operands[i]); };
  const bool constant_result = !current.results.empty() && is_const(current.results[0]);
  if (constant_result && ir::info(current.kind).family == ir::Family::Math) return const_op(current);
  switch (current.kind) {
    case OpKind::Literal: return literal(current.attrs.literal, current.span);
    case OpKind::Symbol: return symbol(current);
    case OpKind::DtypeName:
    case OpKind::DtypeOf: return dtype(type(current.results[0]).dtype, current.span);
    case OpKind::TileDim: return constant(type(current.results[0]).value);
    case OpKind::Copy: return at(0);
    case OpKind::Get: return python_.atom(var_names_[current.attrs.var.index]);
    case OpKind::Ternary: return ternary(current);
    case OpKind::AndThen: return both(current, "and");
    case OpKind::OrElse: return both(current, "or");
    case OpKind::Call: return call(current);
    case OpKind::ProgramId: return python_.call("tl.program_id", {python_.number(current.attrs.axis)});
    case OpKind::NumPrograms: return python_.call("tl.num_programs", {python_.number(current.attrs.axis)});
    case OpKind::ArrayDim:
    case OpKind::ArrayStride: {
      const View& array = view(current.operands[0]);
      const PyId field = (current.kind == OpKind::ArrayDim ? array.extents : array.strides)[current.attrs.axis];
      const bool wide = program_.types.scalar_of(type(current.results[0]).dtype) == ir::Scalar::I64;
      return wide ? cast(field, false, type(current.results[0]).dtype, current.span) : field;
    }
    case OpKind::NumTiles: {
      const View& array = view(current.operands[0]);
      return python_.call("tl.cdiv", {array.extents[array_axis(current, current.attrs.axis)], at(1 + current.attrs.axis)});
    }
    case OpKind::ListLen: {
      for (const Slot& slot : out_.slots) {
        if (slot.what != Carries::Length) continue;
        const ir::Param& param = program_.functions[function_].params[slot.param];
        if (param.value == current.operands[0]) return python_.atom(slot.name);
      }
      break;
    }
    case OpKind::LoadTile: return load_tile(current, shape(current.results[0]));
    case OpKind::StoreTile: return store_tile(current);
    case OpKind::Gather: return gather(current);
    case OpKind::Scatter: return scatter(current);
    case OpKind::AtomicRmw:
    case OpKind::AtomicCas: return atomic(current);
    case OpKind::Iota: return iota(current);
    case OpKind::Full: return full(current);
    case OpKind::Cast: return convert(current);
    case OpKind::Bitcast:
      return python_.method(at(0), "to",
                            {dtype(current.attrs.dtype, current.span), python_.keyword("bitcast", python_.atom("True"))});
    case OpKind::Reshape: return reshape(current);
    case OpKind::ExpandDims: return expand_dims(current);
    case OpKind::Permute: return permute(current);
    case OpKind::Broadcast: return broadcast(current);
    case OpKind::Cat: return cat(current);
    case OpKind::Extract: return extract(current);
    case OpKind::Add: return infix(current, "+");
    case OpKind::Sub: return infix(current, "-");
    case OpKind::Mul: return infix(current, "*");
    case OpKind::TrueDiv: return divide(current);
    case OpKind::TruncDiv: return infix(current, "//");
    case OpKind::TruncMod: return infix(current, "%");
    case OpKind::FloorDiv:
    case OpKind::FloorMod:
    case OpKind::CeilDiv:
    case OpKind::CeilDivPositive: return floor_divide(current);
    case OpKind::Pow: return power(current);
    case OpKind::Min:
    case OpKind::Max: return minmax(current);
    case OpKind::BitAnd: return infix(current, "&");
    case OpKind::BitOr: return infix(current, "|");
    case OpKind::BitXor: return infix(current, "^");
    case OpKind::Shl: return shift(current, "<<");
    case OpKind::Shr: return shift(current, ">>");
    case OpKind::Atan2:
      refuse(current.span, diag::report(diag::Severity::Error, current.span, no_such_function, "atan2"));
      return python_.atom("None");
    case OpKind::CmpEq: return compare(current, "==");
    case OpKind::CmpNe: return compare(current, "!=");
    case OpKind::CmpLt: return compare(current, "<");
    case OpKind::CmpLe: return compare(current, "<=");
    case OpKind::CmpGt: return compare(current, ">");
    case OpKind::CmpGe: return compare(current, ">=");
    case OpKind::Neg: return negate(current);
    case OpKind::Not: return logical_not(current);
    case OpKind::BitNot: return python_.prefix("~", at(0));
    case OpKind::Abs: return python_.call("tl.abs", {at(0)});
    case OpKind::Exp: return unary(current, "tl.exp");
    case OpKind::Exp2: return unary(current, "tl.exp2");
    case OpKind::Log: return unary(current, "tl.log");
    case OpKind::Log2: return unary(current, "tl.log2");
    case OpKind::Sqrt: return unary(current, current.attrs.rounding == ir::Rounding::Approx ? "tl.sqrt" : "tl.sqrt_rn");
    case OpKind::Rsqrt: return unary(current, "tl.rsqrt");
    case OpKind::Sin: return unary(current, "tl.sin");
    case OpKind::Cos: return unary(current, "tl.cos");
    case OpKind::Tan: return unary(current, "tan");
    case OpKind::Sinh: return unary(current, "sinh");
    case OpKind::Cosh: return unary(current, "cosh");
    case OpKind::Tanh: return unary(current, "tanh");
    case OpKind::Floor: return unary(current, "tl.floor");
    case OpKind::Ceil: return unary(current, "tl.ceil");
    case OpKind::IsNan: return python_.infix(at(0), "!=", at(0));
    case OpKind::Where: return where(current);
    case OpKind::Reduce: return reduce(current);
    case OpKind::Scan: return scan(current);
    case OpKind::Dot: return dot(current);
    // Statements and arrays are no expressions.
    case OpKind::Set:
    case OpKind::If:
    case OpKind::For:
    case OpKind::While:
    case OpKind::Break:
    case OpKind::Continue:
    case OpKind::Return:
    case OpKind::Yield:
    case OpKind::Unsupported:
    case OpKind::Mark:
    case OpKind::ArraySlice:
    case OpKind::ListItem: break;
  }
  TW_CHECK(false, "no expression for `" + std::string(ir::info(current.kind).text) + "`");
  return {};
}

// A compile-time value by what it is, in names that are at hand here.
PyId Lowering::constant(sym::ExprId expr) {
  if (const auto found = constants_.find(expr); found != constants_.end()) {
    mentioned_.insert(found->second);
    return python_.atom(found->second);
  }
  const sym::Arena& arena = program_.arena;
  const sym::Expr node = arena[expr];
  const auto part = [&](size_t i) { return constant(node.operands[i]); };
  const auto chain = [&](std::string_view word) {
    PyId out = part(0);
    for (size_t i = 1; i < node.operands.size(); ++i) out = python_.infix(out, word, part(i));
    return out;
  };
  switch (node.kind) {
    case sym::ExprKind::Literal: {
      ir::Literal value;
      if (const bool* flag = std::get_if<bool>(&node.value)) value = *flag;
      if (const int64_t* number = std::get_if<int64_t>(&node.value)) value = *number;
      if (const double* number = std::get_if<double>(&node.value)) value = *number;
      return literal(value, {});
    }
    case sym::ExprKind::Atom: {
      if (const DtypeTest* test = test_of(expr)) {
        const source::Span where = program_.functions[function_].span;
        return python_.infix(dtype(test->a, where), "==", dtype(test->b, where));
      }
      const std::string& key = arena.atom_of(expr).key;
      // In a kernel an atom that is no parameter is a constant of the module.
      if (program_.functions[function_].kind == ir::FunctionKind::Kernel) {
        const ModuleName name{program_.functions[function_].span.file, key};
        out_.constants.insert(name);
        const auto found = settings_.names.constants.find(name);
        return python_.atom(found == settings_.names.constants.end() ? key : found->second);
      }
      refuse(program_.functions[function_].span,
             diag::report(diag::Severity::Error, program_.functions[function_].span, unknown_constant, key));
      return python_.atom(key);
    }
    case sym::ExprKind::Add: {
      // A polynomial's terms; a negative one is subtracted.
      PyId out = part(0);
      for (size_t i = 1; i < node.operands.size(); ++i) {
        const sym::Expr& term = arena[node.operands[i]];
        if (const std::optional<int64_t> number = arena.integer_of(node.operands[i]); number && *number < 0) {
          out = python_.infix(out, "-", python_.number(-*number));
        } else if (term.kind == sym::ExprKind::Mul && arena.integer_of(term.operands[0]) == -1 && term.operands.size() == 2) {
          out = python_.infix(out, "-", constant(term.operands[1]));
        } else {
          out = python_.infix(out, "+", part(i));
        }
      }
      return out;
    }
    case sym::ExprKind::Sub: return chain("-");
    case sym::ExprKind::Mul:
      if (arena.integer_of(node.operands[0]) == -1 && node.operands.size() == 2) return python_.prefix("-", part(1));
      return chain("*");
    case sym::ExprKind::TrueDiv: return chain("/");
    case sym::ExprKind::FloorDiv: return chain("//");
    case sym::ExprKind::Mod: return chain("%");
    case sym::ExprKind::CeilDiv:
      return python_.infix(python_.infix(python_.infix(part(0), "+", part(1)), "-", python_.number(1)), "//", part(1));
    case sym::ExprKind::Pow: return chain("**");
    case sym::ExprKind::Min: return python_.conditional(part(0), python_.infix(part(0), "<", part(1)), part(1));
    case sym::ExprKind::Max: return python_.conditional(part(0), python_.infix(part(0), ">", part(1)), part(1));
    case sym::ExprKind::Neg: return python_.prefix("-", part(0));
    case sym::ExprKind::BitAnd: return chain("&");
    case sym::ExprKind::BitOr: return chain("|");
    case sym::ExprKind::BitXor: return chain("^");
    case sym::ExprKind::Shl: return chain("<<");
    case sym::ExprKind::Shr: return chain(">>");
    case sym::ExprKind::Invert: return python_.prefix("~", part(0));
    case sym::ExprKind::Eq: return chain("==");
    case sym::ExprKind::Ne: return chain("!=");
    case sym::ExprKind::Lt: return chain("<");
    case sym::ExprKind::Le: return chain("<=");
    case sym::ExprKind::Gt: return chain(">");
    case sym::ExprKind::Ge: return chain(">=");
    case sym::ExprKind::And: return chain("and");
    case sym::ExprKind::Or: return chain("or");
    case sym::ExprKind::Not: return python_.prefix("not", part(0));
    case sym::ExprKind::Select: return python_.conditional(part(1), part(0), part(2));
  }
  return python_.atom("None");
}

PyId Lowering::literal(const ir::Literal& literal, source::Span span) {
  if (const bool* flag = std::get_if<bool>(&literal)) return python_.atom(*flag ? "True" : "False");
  if (std::holds_alternative<std::monostate>(literal)) return python_.atom("None");
  if (const std::string* text = std::get_if<std::string>(&literal)) return python_.atom("\"" + *text + "\"");
  // As the author wrote it: 1e-5 rather than 1e-05, 0x7f rather than 127.
  if (const syntax::Tree* source = tree(span); source && span.size() > 0) {
    const std::string_view text = source->text(span);
    const bool number = std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.';
    if (number && std::all_of(text.begin(), text.end(), [](char c) {
          return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' || c == '+';
        })) {
      return python_.atom(text);
    }
  }
  if (const int64_t* number = std::get_if<int64_t>(&literal)) return python_.number(*number);
  const double number = std::get<double>(literal);
  if (std::isnan(number)) return python_.call("float", {python_.atom("\"nan\"")});
  const PyId magnitude = std::isinf(number) ? python_.call("float", {python_.atom("\"inf\"")})
                                            : python_.atom(sym::text(sym::Value{std::abs(number)}));
  return std::signbit(number) ? python_.prefix("-", magnitude) : magnitude;
}

PyId Lowering::symbol(const Op& op) {
  const ModuleName name{op.span.file, op.attrs.name};
  out_.constants.insert(name);
  const auto found = settings_.names.constants.find(name);
  return python_.atom(found == settings_.names.constants.end() ? op.attrs.name : found->second);
}

std::vector<sym::ExprId> Lowering::shape(ValueId value) const {
  std::vector<sym::ExprId> out;
  for (const sym::ExprId extent : type(value).shape) {
    if (!squeezed_(value) || !is_unit(program_, extent)) out.push_back(extent);
  }
  return out;
}

PyId Lowering::extent(sym::ExprId expr) { return constant(expr); }

// --- reports

void Lowering::refuse(source::Span span, diag::Diagnostic report) {
  out_.ok = false;
  report.kernel = program_.functions[function_].name;
  if (!report.span.file) report.span = span;
  diagnostics_.push_back(std::move(report));
}

void Lowering::note(diag::Diagnostic report) {
  if (!noted_.insert(report.code).second) return;  // once a function
  report.severity = diag::Severity::Note;
  report.kernel = program_.functions[function_].name;
  diagnostics_.push_back(std::move(report));
}

}  // namespace tilewright::back::triton
