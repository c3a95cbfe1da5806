// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The reader makes a variable of every name that is assigned. Most are assigned once, where every read can see it: those become
// named values, and what was only looked at while reading (axes, dtypes, literals of a shape) disappears.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "front/cutile/reader.h"
#include "ir/constants.h"

namespace tilewright::front::cutile {

namespace {

using ir::BlockId;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using ir::VarId;

struct Place {
  BlockId block;
  size_t position = 0;
};

struct Definition {
  OpId op;
  size_t operand = 0;
  Place place;
};

struct Use {
  OpId op;
  Place place;
};

struct Walk {
  std::unordered_map<VarId, std::vector<Definition>> sets;
  std::unordered_map<VarId, std::vector<Use>> gets;
  std::unordered_map<BlockId, Place> parents;  // where the op is that owns the block
  std::vector<VarId> order;
};

void walk(const ir::Program& program, BlockId block, Walk& out) {
  const std::vector<OpId>& ops = program.blocks[block].ops;
  for (size_t i = 0; i < ops.size(); ++i) {
    const ir::Op& op = program.ops[ops[i]];
    if (op.kind == OpKind::Set) {
      for (size_t k = 0; k < op.attrs.vars.size(); ++k) {
        auto& sets = out.sets[op.attrs.vars[k]];
        if (sets.empty()) out.order.push_back(op.attrs.vars[k]);
        sets.push_back({ops[i], k, {block, i}});
      }
    }
    if (op.kind == OpKind::Get) out.gets[op.attrs.var].push_back({ops[i], {block, i}});
    for (const BlockId region : op.regions) {
      out.parents[region] = {block, i};
      walk(program, region, out);
    }
  }
}

using SetsByBlock = std::unordered_map<BlockId, std::vector<const Definition*>>;  // of one variable, in the order of the text

// The last definition that the use comes after on every path: before it in its block, or before an op that it is inside of.
const Definition* dominating(const Walk& walk, const SetsByBlock& sets, Place use) {
  while (true) {
    if (const auto here = sets.find(use.block); here != sets.end()) {
      const auto after = std::partition_point(here->second.begin(), here->second.end(),
                                              [&](const Definition* set) { return set->place.position < use.position; });
      if (after != here->second.begin()) return *std::prev(after);
    }
    const auto parent = walk.parents.find(use.block);
    if (parent == walk.parents.end()) return nullptr;
    use = parent->second;
  }
}

// Blocks with a loop inside that assigns the variable: what a definition in one of them gave may be lost behind the loop.
std::unordered_set<BlockId> blocks_around(const Walk& walk, const SetsByBlock& sets) {
  std::unordered_set<BlockId> out;
  for (const auto& [block, unused] : sets) {
    auto at = walk.parents.find(block);
    while (at != walk.parents.end() && out.insert(at->second.block).second) at = walk.parents.find(at->second.block);
  }
  return out;
}

class Tidying {
 public:
  Tidying(ir::Program& program, ir::FunctionId function) : program_(program), body_(program.functions[function].body) {
    for (const ir::Param& param : program.functions[function].params) {
      if (param.value) parameters_.push_back(param.value);
    }
    walk(program, body_, walk_);
  }

  void run() {
    for (const VarId var : walk_.order) promote(var);
    for (auto& [get, value] : replaced_) value = resolved(value);
    rename(body_);
    count(body_);
    sweep(body_);
  }

 private:
  void promote(VarId var) {
    const std::vector<Definition>& sets = walk_.sets[var];
    const auto& gets = walk_.gets[var];
    const bool targets = std::all_of(sets.begin(), sets.end(),
                                     [&](const Definition& set) { return program_.ops[set.op].attrs.spelling == "target"; });
    if (sets.size() != 1 && !targets) return;
    SetsByBlock by_block;
    for (const Definition& set : sets) by_block[set.place.block].push_back(&set);
    const std::unordered_set<BlockId> around = blocks_around(walk_, by_block);
    std::unordered_map<const Definition*, std::vector<OpId>> reads;
    for (const Use& get : gets) {
      const Definition* const found = dominating(walk_, by_block, get.place);  // of loops, the innermost
      if (!found || around.contains(found->place.block)) return;
      const ValueId value = program_.ops[found->op].operands[found->operand];
      if (program_.values[value].type != program_.values[program_.ops[get.op].results[0]].type) return;
      reads[found].push_back(get.op);
    }
    for (const Definition& set : sets) {
      const ir::Op& op = program_.ops[set.op];
      const ValueId value = resolved(op.operands[set.operand]);
      const bool from_parameter = op.attrs.spelling == "parameter";
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
        named = program_.values.add({.type = row.type, .name = program_.vars[var].name, .definition = id});
        copy.results = {named};
        program_.ops.add(std::move(copy));
        copies_[set.op].push_back(id);
      } else if (!from_parameter) {
        row.name = program_.vars[var].name;
      }
      dropped_[set.op].push_back(set.operand);
      for (const OpId get : reads[&set]) replaced_[program_.ops[get].results[0]] = named;
    }
  }

  ValueId resolved(ValueId value) const {
    for (auto found = replaced_.find(value); found != replaced_.end(); found = replaced_.find(value)) value = found->second;
    return value;
  }

  // What is set is a value of the program: a constant of a dtype that its number does not say is made one.
  void make_values(OpId id, std::vector<OpId>& before) {
    for (size_t k = 0; k < program_.ops[id].operands.size(); ++k) {
      const ir::Op set = program_.ops[id];
      const ir::Type type = program_.types[program_.values[set.operands[k]].type];
      if (set.attrs.spelling == "parameter" || !ir::needs_dtype(program_.types, type)) continue;
      const OpId made{static_cast<uint32_t>(program_.ops.size())};
      ir::Op full = ir::typed_number(program_, set, set.operands[k]);
      full.results = {program_.values.add({.type = program_.types.tile(type.dtype, {}), .name = {}, .definition = made})};
      program_.ops[id].operands[k] = full.results[0];
      program_.ops.add(std::move(full));
      before.push_back(made);
    }
  }

  // Replaces operands, and takes the promoted sets and reads out of the blocks.
  void rename(BlockId block) {
    std::vector<OpId> kept;
    const std::vector<OpId> ops = program_.blocks[block].ops;
    for (const OpId id : ops) {
      ir::Op& op = program_.ops[id];
      if (op.kind == OpKind::Get && replaced_.contains(op.results[0])) continue;
      for (ValueId& operand : op.operands) operand = resolved(operand);
      for (ValueId* hint : {&op.attrs.latency, &op.attrs.allow_tma, &op.attrs.bounds_if}) {
        if (hint->valid()) *hint = resolved(*hint);
      }
      if (const auto copies = copies_.find(id); copies != copies_.end()) {
        for (const OpId copy : copies->second) {
          for (ValueId& operand : program_.ops[copy].operands) operand = resolved(operand);
          kept.push_back(copy);
        }
      }
      if (const auto dropped = dropped_.find(id); dropped != dropped_.end()) {
        std::vector<size_t> operands = dropped->second;
        std::sort(operands.rbegin(), operands.rend());
        for (const size_t k : operands) {
          op.operands.erase(op.operands.begin() + static_cast<std::ptrdiff_t>(k));
          op.attrs.vars.erase(op.attrs.vars.begin() + static_cast<std::ptrdiff_t>(k));
        }
        if (op.operands.empty()) continue;
      }
      if (op.kind == OpKind::Set) make_values(id, kept);
      kept.push_back(id);
      const ShortList<BlockId> regions = program_.ops[id].regions;
      for (const BlockId region : regions) rename(region);
    }
    program_.blocks[block].ops = std::move(kept);
  }

  template <class Visit>
  void each_use(const ir::Op& op, Visit visit) {
    for (const ValueId operand : op.operands) visit(operand);
    for (const ValueId hint : {op.attrs.latency, op.attrs.allow_tma, op.attrs.bounds_if}) {
      if (hint) visit(hint);
    }
  }

  void count(BlockId block) {
    for (const OpId id : program_.blocks[block].ops) {
      const ir::Op& op = program_.ops[id];
      each_use(op, [&](ValueId value) { ++uses_[value]; });
      for (const BlockId region : op.regions) count(region);
    }
  }

  void sweep(BlockId block) {
    std::vector<OpId> kept;
    const std::vector<OpId> ops = program_.blocks[block].ops;
    for (auto at = ops.rbegin(); at != ops.rend(); ++at) {
      const ir::Op& op = program_.ops[*at];
      const ShortList<BlockId> regions = op.regions;
      for (const BlockId region : regions) sweep(region);
      const bool looked_at = op.kind == OpKind::Literal || op.kind == OpKind::Symbol || op.kind == OpKind::DtypeName ||
                             op.kind == OpKind::DtypeOf || op.kind == OpKind::TileDim || op.kind == OpKind::Get ||
                             op.kind == OpKind::ArrayDim || op.kind == OpKind::ArrayStride;
      if (looked_at && program_.values[op.results[0]].name.empty() && uses_[op.results[0]] == 0) {
        each_use(op, [&](ValueId value) { --uses_[value]; });
        continue;
      }
      kept.push_back(*at);
    }
    std::reverse(kept.begin(), kept.end());
    program_.blocks[block].ops = std::move(kept);
  }

  ir::Program& program_;
  BlockId body_;
  Walk walk_;
  std::vector<ValueId> parameters_;
  std::unordered_map<ValueId, ValueId> replaced_;
  std::unordered_map<OpId, std::vector<size_t>> dropped_;
  std::unordered_map<OpId, std::vector<OpId>> copies_;
  std::unordered_map<ValueId, uint32_t> uses_;
};

}  // namespace

void tidy(ir::Program& program, ir::FunctionId function) { Tidying(program, function).run(); }

}  // namespace tilewright::front::cutile
