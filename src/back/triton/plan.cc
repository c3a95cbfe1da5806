// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What is decided of a function before anything of it is printed: names, what is printed at all, what inside of its user, and
// where its threads wait for each other.

#include <algorithm>
#include <iterator>
#include <utility>

#include "back/triton/lower.h"
#include "base/check.h"
#include "ir/needed_names.h"
#include "ir/walk.h"
#include "syntax/token.h"

namespace tilewright::back::triton {
namespace {

using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;

bool is_expression_region(OpKind kind) { return kind == OpKind::Ternary || kind == OpKind::AndThen || kind == OpKind::OrElse; }

}  // namespace

// --- names

bool Lowering::is_taken(std::string_view name) const {
  return locals_.contains(name) || settings_.names.taken.contains(name) || ir::needed(name) ||
         syntax::keyword(name) != syntax::TokenKind::Name;
}

LocalId Lowering::fresh_local(std::string_view base) {
  std::string name(base);
  if (is_taken(name)) {
    int& suffix = last_suffix_.try_emplace(name).first->second;
    do {
      name = std::string(base) + "_" + std::to_string(++suffix);
    } while (is_taken(name));
  }
  return locals_.add(name);
}

LocalId Lowering::name_or(ValueId value, std::string_view base) {
  LocalId& name = value_names_[value.index];
  if (!name) name = fresh_local(base);
  return name;
}

PyId Lowering::atom(LocalId local) {
  mentioned_[local] = true;
  if (!atoms_.at(local)) atoms_[local] = python_.atom(locals_[local]);
  return atoms_.at(local);
}

bool Lowering::in_while(OpId id) const {
  for (OpId at = uses_.owner[uses_.where[id.index].block.index]; at; at = uses_.owner[uses_.where[at.index].block.index]) {
    if (op(at).kind == OpKind::While) return true;
  }
  return false;
}

void Lowering::plan_names() {
  std::map<std::string_view, LocalId> instead;
  const auto printed = [&](std::string_view name) {
    const ir::NeededName* needed = ir::needed(name);
    if (!needed || !needed->in_kernel) return locals_.add(name);
    const auto [found, inserted] = instead.try_emplace(name);
    if (inserted) found->second = fresh_local(std::string(name) + "_");
    return found->second;
  };
  const auto printed_of = [&](ValueId value) {
    const std::string_view name = program_.values[value].name.string();
    return name.empty() ? LocalId{} : printed(name);
  };
  for (const ir::Param& param : program_.functions[function_].params) {
    const LocalId name = printed(param.name.string());
    if (param.value) value_names_[param.value.index] = name;
  }
  for (const OpId id : ops_) {
    for (const ValueId result : op(id).results) {
      const ir::TypeKind kind = type(result).kind;
      // A compile-time name in a `while` would be bound twice before Triton 3.5.
      const bool unnamed = kind == ir::TypeKind::DtypeConst || (kind == ir::TypeKind::Const && in_while(id));
      if (!unnamed) value_names_[result.index] = printed_of(result);
    }
    for (const ir::VarId var : ir::written_vars(op(id))) {
      if (LocalId& name = var_names_[var.index]; !name) name = printed(program_.vars[var].name);
    }
    for (const ir::BlockId region : op(id).regions) {
      for (const ValueId argument : program_.blocks[region].arguments) {
        value_names_[argument.index] = printed_of(argument);
        name_or(argument, "i");
      }
    }
    if (op(id).kind == OpKind::Set) sets_.push_back(id);
    if (op(id).kind == OpKind::Set && op(id).attrs.spelling == ir::Spelling::Parameter)
      given_.insert(ir::written_vars(op(id)).begin(), ir::written_vars(op(id)).end());
  }
  copy_assigned_numbers();
  plan_renamings();
}

// A number that is 1 is a compile-time constant in Triton, which takes no other value in a loop or branch. So a parameter that is
// assigned there has its value in a variable of another name: `n_1 = n`.
void Lowering::copy_assigned_numbers() {
  const std::set<ir::VarId> inner = assigned_in_regions(program_.functions[function_].body);
  for (const OpId id : sets_) {
    const Op& set = op(id);
    if (set.attrs.spelling != ir::Spelling::Parameter || !inner.contains(ir::written_vars(set)[0])) continue;
    const ir::Type& given = type(set.operands[0]);
    const bool number = given.kind == ir::TypeKind::Tile && given.shape.empty();
    if (!number || program_.types.class_of(given.dtype) == ir::ScalarClass::Float) continue;
    LocalId& name = var_names_[ir::written_vars(set)[0].index];
    name = fresh_local(locals_[name]);
  }
}

// Variables that are set in a loop or in a branch that is taken at run time.
std::set<ir::VarId> Lowering::assigned_in_regions(ir::BlockId block) const {
  std::set<ir::VarId> out;
  for (const OpId id : program_.blocks[block].ops) {
    const bool settled = op(id).kind == OpKind::If && is_const(op(id).operands[0]);
    for (const ir::BlockId region : op(id).regions) {
      if (settled) {
        out.merge(assigned_in_regions(region));
        continue;
      }
      ir::each_op(program_, region, [&](OpId inner) {
        if (op(inner).kind == OpKind::Set) out.insert(ir::written_vars(op(inner)).begin(), ir::written_vars(op(inner)).end());
      });
    }
  }
  return out;
}

// `a_2d = a_3d.reshape(…)`, where the unit axes are never there: the tile has the second name from the start.
void Lowering::plan_renamings() {
  const auto drops_axes = [&](OpId id) {
    const Op& current = op(id);
    if (current.kind != OpKind::Reshape || !has_name(current.results[0])) return false;
    const ValueId from = current.operands[0];
    const ValueId to = current.results[0];
    return !is_const(from) && type(to).shape.size() < type(from).shape.size() && uses_.count(from) == 1 &&
           shape(from) == shape(to);
  };
  std::vector<OpId> reshapes;
  std::copy_if(ops_.begin(), ops_.end(), std::back_inserter(reshapes), drops_axes);
  if (reshapes.empty()) return;
  OfLocals<int> owners;
  std::map<ir::VarId, int> gets;
  for (const OpId id : ops_) {
    for (const ValueId result : op(id).results) {
      if (has_name(result)) ++owners[value_names_[result.index]];
    }
    for (const ir::VarId var : ir::written_vars(op(id))) ++owners[var_names_[var.index]];
    if (op(id).kind == OpKind::Get) ++gets[op(id).attrs.var];
  }
  for (const OpId id : reshapes) {
    const ValueId from = op(id).operands[0];
    const LocalId name = value_names_[op(id).results[0].index];
    if (owners[name] != 1) continue;
    const OpId made = program_.values[from].definition;
    if (!made) continue;
    if (op(made).kind == OpKind::Get && gets[op(made).attrs.var] == 1) {
      var_names_[op(made).attrs.var.index] = name;
    } else if (has_name(from)) {
      value_names_[from.index] = name;
    }
  }
}

// Triton wants one type per name and scope: what a loop or branch assigns must have the type that the name had before it. A name
// that means something else inside gets a name of its own there. A compile-time name can be bound once.
void Lowering::plan_scopes() {
  struct Bound {
    uint64_t who = ~uint64_t{0};  // value or variable; all ones: the name is not bound
    ir::TypeId type;
    bool squeezed = false;
    bool constant = false;
    bool is_bound() const { return ~who != 0; }
  };
  const auto value_of = [&](ValueId value) {
    return Bound{uint64_t{value.index} << 1, program_.values[value].type, squeezed_(value), is_const(value)};
  };
  std::map<ir::VarId, ir::TypeId> var_types;
  for (const OpId id : ops_) {
    if (op(id).kind == OpKind::Get) var_types[op(id).attrs.var] = program_.values[op(id).results[0]].type;
  }
  for (const OpId id : sets_) {
    for (size_t i = 0; i < ir::written_vars(op(id)).size(); ++i) {
      ir::TypeId& type = var_types[ir::written_vars(op(id))[i]];
      if (!type) type = program_.values[op(id).operands[i]].type;
    }
  }
  const auto var_of = [&](ir::VarId var) {
    return Bound{(uint64_t{var.index} << 1) | 1, var_types[var], squeezed_.vars[var.index], false};
  };

  struct Walker {
    Lowering& self;
    const decltype(value_of)& of_value;
    const decltype(var_of)& of_var;
    OfLocals<Bound> scope = {};
    std::vector<std::pair<LocalId, Bound>> left = {};  // what names meant before the regions around gave them other meanings
    OfLocals<uint64_t> constants = {};                 // the compile-time value that has the name, and one; 0 if none has

    using Assigned = std::pair<LocalId*, Bound>;
    void add_assigned(OpId id, std::vector<Assigned>& out) {
      const Op& op = self.op(id);
      for (const ValueId result : op.results) {
        if (self.has_name(result)) out.emplace_back(&self.value_names_[result.index], of_value(result));
      }
      for (const ir::VarId var : ir::written_vars(op)) out.emplace_back(&self.var_names_[var.index], of_var(var));
      for (const ir::BlockId region : op.regions) {
        for (const OpId inner : self.program_.blocks[region].ops) add_assigned(inner, out);
      }
    }

    void set(LocalId name, const Bound& bound) {
      left.emplace_back(name, scope[name]);
      scope[name] = bound;
    }

    void bind(LocalId& name, const Bound& bound, bool loop) {
      const Bound outer = scope[name];
      const bool other = outer.is_bound() && outer.who != bound.who;
      if (bound.constant) {
        uint64_t& first = constants[name];
        if (first == 0) first = bound.who + 1;
        if (first != bound.who + 1 || other) {
          name = self.fresh_local(self.locals_[name]);
          constants[name] = bound.who + 1;
        }
      } else if (other && constants[name] != 0) {
        name = self.fresh_local(self.locals_[name]);
      }
      // What a loop binds first is unknown behind it.
      if (!loop || scope[name].is_bound()) set(name, bound);
    }

    void block(ir::BlockId id) {
      std::vector<Assigned> names;
      for (const OpId op_id : self.program_.blocks[id].ops) {
        const Op& op = self.op(op_id);
        // An `if` on a constant is no scope: only one of its branches is ever there.
        if (op.kind == OpKind::If && self.is_const(op.operands[0])) {
          for (const ir::BlockId region : op.regions) block(region);
          continue;
        }
        names.clear();
        add_assigned(op_id, names);
        if (!op.regions.empty() && !is_expression_region(op.kind)) {
          for (auto& [name, bound] : names) {
            const Bound outer = scope[*name];
            if (!outer.is_bound() || outer.who == bound.who) continue;
            if (outer.type != bound.type || outer.squeezed != bound.squeezed) *name = self.fresh_local(self.locals_[*name]);
          }
          for (const ir::BlockId region : op.regions) {
            const size_t outside = left.size();
            block(region);
            for (; left.size() > outside; left.pop_back()) scope[left.back().first] = left.back().second;
          }
        }
        const bool loop = ir::is_loop(op.kind);
        for (auto& [name, bound] : names) bind(*name, bound, loop);
      }
    }
  };
  Walker walker{*this, value_of, var_of};
  for (const ir::Param& param : program_.functions[function_].params) {
    if (!param.value) continue;
    const Bound bound = value_of(param.value);
    walker.scope[value_names_[param.value.index]] = bound;
    if (bound.constant) walker.constants[value_names_[param.value.index]] = bound.who + 1;
  }
  walker.block(program_.functions[function_].body);

  written_before_ = {0};
  for (const OpId id : ops_) {
    uint32_t written = written_before_.back();
    const auto writes = [&](LocalId name) {
      writers_[name].push_back(uses_.where[id.index].order);
      ++written;
    };
    for (const ValueId result : op(id).results) {
      if (has_name(result)) writes(value_names_[result.index]);
    }
    for (const ir::VarId var : ir::written_vars(op(id))) writes(var_names_[var.index]);
    written_before_.push_back(written);
  }
}

// --- what is printed at all

void Lowering::plan_liveness() {
  std::map<ir::VarId, std::vector<OpId>> setters;
  for (const OpId id : sets_) {
    for (const ir::VarId var : ir::written_vars(op(id))) setters[var].push_back(id);
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
      root = root || (has_name(result) && kind == ir::TypeKind::Tile);
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
  const auto written = [&](LocalId name) { return uses_.any_between(program_, writers_.at(name), from, to); };
  std::vector<OpId> work = {from};
  while (!work.empty()) {
    const OpId id = work.back();
    work.pop_back();
    const Op& current = op(id);
    if (current.kind == OpKind::Get && written(var_names_[current.attrs.var.index])) return true;
    ShortList<ValueId> operands = current.operands;
    for (const ir::BlockId region : current.regions) {
      for (const OpId inner : program_.blocks[region].ops) work.push_back(inner);
    }
    for (const ValueId operand : operands) {
      if (const LocalId name = value_names_[operand.index]) {
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
    if (only_asserts(current)) continue;
    if (kind == ir::TypeKind::DtypeConst) {
      inline_[id.index] = true;
      continue;
    }
    if (has_name(result)) continue;
    if (kind == ir::TypeKind::Const) {
      inline_[id.index] = true;
      continue;
    }
    if (kind == ir::TypeKind::Array || kind == ir::TypeKind::ArrayList || kind == ir::TypeKind::None) continue;
    const std::span<const OpId> users = uses_.users(result);
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
    if (!has_name(to) || uses_.count(to) != 1 || is_const(from) || shape(from) != shape(to)) continue;
    const OpId made = program_.values[from].definition;
    const bool named = has_name(from) || (made && op(made).kind == OpKind::Get && inlines(made));
    if (!named || reaches(id, uses_.users(to)[0])) continue;
    value_names_[to.index] = {};
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
      const std::span<const OpId> users = uses_.users(op(printed).results[0]);
      if (users.empty()) break;
      printed = users[0];
    }
    barriers_.insert(printed);
  }
}

bool Lowering::only_asserts(const Op& op) const {
  if (op.kind != OpKind::Call || op.results.size() != 1 || has_name(op.results[0])) return false;
  if (!callees_.at(op.attrs.rare->function).asserts) return false;
  return is_const(op.results[0]) || uses_.count(op.results[0]) == 0;
}

bool Lowering::inlines(OpId id) const { return inline_[id.index]; }

}  // namespace tilewright::back::triton
