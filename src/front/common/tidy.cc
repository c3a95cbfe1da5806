// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The reader makes a variable of every name whose value may depend on the path (locals.h). Many are assigned once, where every
// read can see it: those become named values, and what was only looked at while reading (axes, dtypes, literals of a shape)
// disappears.

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/short_list.h"
#include "base/stretch.h"
#include "front/common/reader.h"
#include "ir/attrs.h"
#include "ir/constants.h"

namespace tilewright::front {

namespace {

using ir::BlockId;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using ir::VarId;

struct Place {
  BlockId block;
  uint32_t position = 0;
};

struct Definition {
  OpId op;
  uint32_t operand = 0;
  Place place;
  ShortList<OpId> reads = {};  // the Gets that this is for
};

struct Use {
  OpId op;
  Place place;
};

// One that is set twice, and not by loops alone, stays a variable: nothing more is kept of it.
struct Variable {
  bool stays = false;
  bool by_loops = true;               // its sets are all of loops
  std::vector<Definition> sets = {};  // in the order of the text
  std::vector<Use> gets = {};

  void add(Definition set, bool by_loop) {
    if (stays) return;
    by_loops &= by_loop;
    sets.push_back(std::move(set));
    if (sets.size() > 1 && !by_loops) *this = {.stays = true};
  }
  void add(Use get) {
    if (!stays) gets.push_back(get);
  }
};

// The variables, blocks and values of some functions; each function has its own among them.
struct Tables {
  Tables(const ir::Program& program, const ir::Mark& since)
      : variables(Stretch<VarId>::between(since.vars, program.vars.size())),
        parents(Stretch<BlockId>::between(since.blocks, program.blocks.size())),
        replaced(Stretch<ValueId>::between(since.values, program.values.size())),
        uses(Stretch<ValueId>::between(since.values, program.values.size())) {}

  RowsOf<VarId, Variable> variables;
  RowsOf<BlockId, Place> parents;  // where the op is that owns the block
  RowsOf<ValueId, ValueId> replaced;
  RowsOf<ValueId, uint32_t> uses;
};

// The variables that the block sets, in the order of the text, and where each is set and read.
void walk(const ir::Program& program, BlockId block, Tables& tables, std::vector<VarId>& order) {
  const std::vector<OpId>& ops = program.blocks[block].ops;
  for (uint32_t i = 0; i < ops.size(); ++i) {
    const ir::Op& op = program.ops[ops[i]];
    if (op.kind == OpKind::Set) {
      for (uint32_t k = 0; k < ir::written_vars(op).size(); ++k) {
        const VarId var = ir::written_vars(op)[k];
        Variable& variable = tables.variables[var];
        if (variable.sets.empty() && !variable.stays) order.push_back(var);
        variable.add({ops[i], k, {block, i}}, op.attrs.spelling == ir::Spelling::Target);
      }
    }
    if (op.kind == OpKind::Get) tables.variables[op.attrs.var].add({ops[i], {block, i}});
    for (const BlockId region : op.regions) {
      tables.parents[region] = {block, i};
      walk(program, region, tables, order);
    }
  }
}

using SetsByPlace = std::vector<Definition*>;  // of one variable, by block and position

// The last definition that the use comes after on every path: before it in its block, or before an op that it is inside of.
Definition* dominating(const Tables& tables, const SetsByPlace& sets, Place use) {
  for (; use.block; use = tables.parents[use.block]) {
    const auto after = std::partition_point(sets.begin(), sets.end(), [&](const Definition* set) {
      return set->place.block < use.block || (set->place.block == use.block && set->place.position < use.position);
    });
    if (after != sets.begin() && (*std::prev(after))->place.block == use.block) return *std::prev(after);
  }
  return nullptr;
}

// Blocks with a loop inside that assigns the variable: what a definition in one of them gave may be lost behind the loop.
std::set<BlockId> blocks_around(const Tables& tables, const SetsByPlace& sets) {
  std::set<BlockId> out;
  for (const Definition* set : sets) {
    BlockId at = tables.parents[set->place.block].block;
    while (at && out.insert(at).second) at = tables.parents[at].block;
  }
  return out;
}

class Tidying {
 public:
  Tidying(ir::Program& program, ir::FunctionId function, Tables& tables)
      : program_(program), body_(program.functions[function].body), tables_(tables) {
    for (const ir::Param& param : program.functions[function].params) {
      if (param.value) parameters_.push_back(param.value);
    }
    walk(program, body_, tables_, order_);
  }

  void run() {
    for (const VarId var : order_) promote(var);
    std::sort(dropped_.begin(), dropped_.end());
    rename(body_);
    count(body_);
    sweep(body_);
  }

 private:
  void promote(VarId var) {
    if (tables_.variables[var].stays) return;
    std::vector<Definition>& sets = tables_.variables[var].sets;
    SetsByPlace by_place;
    for (Definition& set : sets) by_place.push_back(&set);
    std::sort(by_place.begin(), by_place.end(), [](const Definition* a, const Definition* b) {
      return std::pair(a->place.block, a->place.position) < std::pair(b->place.block, b->place.position);
    });
    const std::set<BlockId> around = blocks_around(tables_, by_place);
    for (const Use& get : tables_.variables[var].gets) {
      Definition* const found = dominating(tables_, by_place, get.place);  // of loops, the innermost
      if (!found || around.contains(found->place.block)) return;
      const ValueId value = program_.ops[found->op].operands[found->operand];
      if (program_.values[value].type != program_.values[program_.ops[get.op].results[0]].type) return;
      found->reads.push_back(get.op);
    }
    for (const Definition& set : sets) {
      const ir::Op& op = program_.ops[set.op];
      const ValueId value = resolved(op.operands[set.operand]);
      const bool from_parameter = op.attrs.spelling == ir::Spelling::Parameter;
      ir::Value& row = program_.values[value];
      const bool is_parameter = std::find(parameters_.begin(), parameters_.end(), value) != parameters_.end();
      ValueId named = value;
      if (!from_parameter && (is_parameter || !row.name.empty())) {
        // A second name for the same value.
        ir::Op copy = op;
        copy.kind = OpKind::Copy;
        copy.operands = {value};
        copy.attrs = {};
        const OpId id{static_cast<uint32_t>(program_.ops.size())};
        named = program_.values.add({.type = row.type, .definition = id, .name = program_.vars[var].name});
        copy.results = {named};
        program_.ops.add(std::move(copy));
        copies_[set.op].push_back(id);
      } else if (!from_parameter) {
        row.name = program_.vars[var].name;
      }
      dropped_.emplace_back(set.op, set.operand);
      for (const OpId get : set.reads) read_as(get, named);
    }
  }

  // A read that has a name of its own is a second name for the value.
  void read_as(OpId get, ValueId value) {
    ir::Op& op = program_.ops[get];
    if (program_.values[op.results[0]].name.empty()) {
      tables_.replaced[op.results[0]] = value;
      return;
    }
    op.kind = OpKind::Copy;
    op.operands = {value};
    op.attrs = {};
  }

  ValueId resolved(ValueId value) const {
    while (tables_.replaced.covers(value) && tables_.replaced[value]) value = tables_.replaced[value];
    return value;
  }

  // What is set is a value of the program: a constant of a dtype that its number does not say is made one.
  void make_values(OpId id, std::vector<OpId>& before) {
    for (size_t k = 0; k < program_.ops[id].operands.size(); ++k) {
      const ir::Op set = program_.ops[id];
      const ir::Type type = program_.types[program_.values[set.operands[k]].type];
      if (set.attrs.spelling == ir::Spelling::Parameter || !ir::needs_dtype(program_.types, type)) continue;
      const OpId made{static_cast<uint32_t>(program_.ops.size())};
      ir::Op full = ir::typed_number(program_, set, set.operands[k]);
      full.results = {program_.values.add({.type = program_.types.tile(type.dtype, {}), .definition = made, .name = {}})};
      program_.ops[id].operands[k] = full.results[0];
      program_.ops.add(std::move(full));
      before.push_back(made);
    }
  }

  // Replaces operands, and takes the promoted sets and reads out of the blocks.
  void rename(BlockId block) {
    const std::vector<OpId> ops = std::move(program_.blocks[block].ops);
    std::vector<OpId> kept;
    kept.reserve(ops.size());
    for (const OpId id : ops) {
      ir::Op& op = program_.ops[id];
      if (op.kind == OpKind::Get && tables_.replaced[op.results[0]]) continue;
      for (ValueId& operand : op.operands) operand = resolved(operand);
      ir::each_value(op.attrs, [&](ValueId& hint) { hint = resolved(hint); });
      if (op.kind == OpKind::Set && !rename_set(id, kept)) continue;
      kept.push_back(id);
      for (size_t i = 0; i < program_.ops[id].regions.size(); ++i) rename(program_.ops[id].regions[i]);
    }
    program_.blocks[block].ops = std::move(kept);
  }

  // False if nothing is left of it.
  bool rename_set(OpId id, std::vector<OpId>& kept) {
    if (const auto copies = copies_.find(id); copies != copies_.end()) {
      for (const OpId copy : copies->second) {
        for (ValueId& operand : program_.ops[copy].operands) operand = resolved(operand);
        kept.push_back(copy);
      }
    }
    ir::Op& op = program_.ops[id];
    for (auto at = std::lower_bound(dropped_.begin(), dropped_.end(), std::pair(OpId{id.index + 1}, uint32_t{0}));
         at != dropped_.begin() && std::prev(at)->first == id; --at) {
      const uint32_t k = std::prev(at)->second;
      op.operands.erase(op.operands.begin() + k);
      std::vector<VarId> vars(ir::written_vars(op).begin(), ir::written_vars(op).end());
      vars.erase(vars.begin() + k);
      ir::write_to(op.attrs, vars);
    }
    if (op.operands.empty()) return false;
    make_values(id, kept);
    return true;
  }

  template <class Visit>
  void each_use(const ir::Op& op, Visit visit) {
    for (const ValueId operand : op.operands) visit(operand);
    ir::each_value(op.attrs, visit);
  }

  uint32_t& uses(ValueId value) { return tables_.uses.covers(value) ? tables_.uses[value] : later_uses_[value]; }

  void count(BlockId block) {
    for (const OpId id : program_.blocks[block].ops) {
      const ir::Op& op = program_.ops[id];
      each_use(op, [&](ValueId value) { ++uses(value); });
      for (const BlockId region : op.regions) count(region);
    }
  }

  void sweep(BlockId block) {
    const std::vector<OpId> ops = std::move(program_.blocks[block].ops);
    std::vector<OpId> kept;
    kept.reserve(ops.size());
    for (auto at = ops.rbegin(); at != ops.rend(); ++at) {
      const ir::Op& op = program_.ops[*at];
      for (const BlockId region : op.regions) sweep(region);
      const bool looked_at = op.kind == OpKind::Literal || op.kind == OpKind::Symbol || op.kind == OpKind::DtypeName ||
                             op.kind == OpKind::DtypeOf || op.kind == OpKind::TileDim || op.kind == OpKind::Get ||
                             op.kind == OpKind::ArrayDim || op.kind == OpKind::ArrayStride;
      if (looked_at && program_.values[op.results[0]].name.empty() && uses(op.results[0]) == 0) {
        each_use(op, [&](ValueId value) { --uses(value); });
        continue;
      }
      kept.push_back(*at);
    }
    std::reverse(kept.begin(), kept.end());
    program_.blocks[block].ops = std::move(kept);
  }

  ir::Program& program_;
  BlockId body_;
  Tables& tables_;
  std::vector<VarId> order_;
  std::vector<ValueId> parameters_;
  std::vector<std::pair<OpId, uint32_t>> dropped_;      // operands of Sets, by op when all are promoted
  std::unordered_map<OpId, std::vector<OpId>> copies_;  // before Sets
  std::unordered_map<ValueId, uint32_t> later_uses_;    // of values that are made here
};

}  // namespace

void tidy(ir::Program& program, const ir::Mark& since) {
  Tables tables(program, since);
  for (size_t i = since.functions; i < program.functions.size(); ++i) {
    Tidying(program, {static_cast<uint32_t>(i)}, tables).run();
  }
}

}  // namespace tilewright::front
