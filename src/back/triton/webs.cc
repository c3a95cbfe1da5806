// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which assignments meet at a use: one walk over structured code with a set of reaching assignments per variable.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "back/triton/legalize.h"

namespace tilewright::back::triton {
namespace {

using ir::BlockId;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using ir::VarId;

struct Definition {
  OpId set;
  size_t slot = 0;
};

using Reaching = std::map<VarId, std::set<uint32_t>>;  // by variable: indices of definitions

class Walk {
 public:
  Walk(const ir::Program& program) : program_(program) {}

  // Whether the end of the block can be reached.
  bool block(BlockId id, Reaching& state) {
    for (const OpId op : program_.blocks[id].ops) {
      if (!visit(op, state)) return false;
    }
    return true;
  }

  const std::vector<Definition>& definitions() const { return definitions_; }
  const std::map<OpId, std::set<uint32_t>>& reads() const { return reads_; }
  uint32_t definition(OpId set, size_t slot) {
    const auto [found, inserted] = index_.try_emplace({set, slot}, static_cast<uint32_t>(definitions_.size()));
    if (inserted) definitions_.push_back({set, slot});
    return found->second;
  }

 private:
  static void merge(Reaching& into, const Reaching& from) {
    for (const auto& [var, set] : from) into[var].insert(set.begin(), set.end());
  }

  // Regions of which any number may run, each at most once: what reaches the end is what any of them leaves, or nothing changed.
  bool alternatives(const Op& op, Reaching& state, bool may_skip) {
    const Reaching before = state;
    Reaching after;
    bool reached = may_skip;
    if (may_skip) after = before;
    for (const BlockId region : op.regions) {
      Reaching inner = before;
      if (!block(region, inner)) continue;
      merge(after, inner);
      reached = true;
    }
    state = std::move(after);
    return reached;
  }

  bool visit(OpId id, Reaching& state) {
    const Op& op = program_.ops[id];
    const OpKind kind = op.kind;
    if (kind == OpKind::Set) {
      for (size_t i = 0; i < op.attrs.vars.size(); ++i) state[op.attrs.vars[i]] = {definition(id, i)};
    } else if (kind == OpKind::Get) {
      const std::set<uint32_t>& now = state[op.attrs.var];
      reads_[id].insert(now.begin(), now.end());
    } else if (kind == OpKind::If || kind == OpKind::Ternary) {
      return alternatives(op, state, op.regions.size() < 2);
    } else if (kind == OpKind::AndThen || kind == OpKind::OrElse) {
      return alternatives(op, state, true);
    } else if (kind == OpKind::For || kind == OpKind::While) {
      for (Reaching before;;) {
        before = state;
        Reaching inner = state;
        bool reached = true;
        for (const BlockId region : op.regions) reached = reached && block(region, inner);
        if (reached) merge(state, inner);
        if (state == before) break;
      }
    } else if (kind == OpKind::Break || kind == OpKind::Continue || kind == OpKind::Return) {
      return false;
    }
    return true;
  }

  const ir::Program& program_;
  std::vector<Definition> definitions_;
  std::map<std::pair<OpId, size_t>, uint32_t> index_;
  std::map<OpId, std::set<uint32_t>> reads_;
};

class Groups {
 public:
  explicit Groups(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }
  uint32_t find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(uint32_t a, uint32_t b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<uint32_t> parent_;
};

void replace(ir::Program& program, const std::vector<OpId>& ops, const std::map<ValueId, ValueId>& by) {
  const auto swap = [&](ValueId& value) {
    for (auto found = by.find(value); found != by.end(); found = by.find(value)) value = found->second;
  };
  for (const OpId id : ops) {
    Op& op = program.ops[id];
    for (ValueId& operand : op.operands) swap(operand);
    swap(op.attrs.bounds_if);
    swap(op.attrs.latency);
    swap(op.attrs.allow_tma);
  }
}

void collect(const ir::Program& program, BlockId block, std::vector<OpId>& out) {
  for (const OpId id : program.blocks[block].ops) {
    out.push_back(id);
    for (const BlockId region : program.ops[id].regions) collect(program, region, out);
  }
}

// Removes ops from every block below this one.
void erase(ir::Program& program, BlockId block, const std::set<OpId>& gone) {
  std::vector<OpId>& ops = program.blocks[block].ops;
  std::erase_if(ops, [&](OpId id) { return gone.contains(id); });
  for (const OpId id : std::vector<OpId>(ops)) {
    for (const BlockId region : program.ops[id].regions) erase(program, region, gone);
  }
}

}  // namespace

void split_variables(ir::Program& program, ir::FunctionId function) {
  const BlockId body = program.functions[function].body;
  Walk walk(program);
  Reaching start;
  walk.block(body, start);
  std::vector<OpId> ops;
  collect(program, body, ops);
  for (const OpId id : ops) {  // unreachable ones too
    if (program.ops[id].kind != OpKind::Set) continue;
    for (size_t i = 0; i < program.ops[id].attrs.vars.size(); ++i) walk.definition(id, i);
  }

  Groups groups(walk.definitions().size());
  for (const auto& [get, reaching] : walk.reads()) {
    for (const uint32_t definition : reaching) groups.join(*reaching.begin(), definition);
  }
  const std::vector<Definition>& definitions = walk.definitions();
  std::vector<uint32_t> sizes(definitions.size());
  for (uint32_t i = 0; i < definitions.size(); ++i) ++sizes[groups.find(i)];
  std::map<uint32_t, std::vector<OpId>> gets;
  for (const auto& [get, reaching] : walk.reads()) {
    if (!reaching.empty()) gets[groups.find(*reaching.begin())].push_back(get);
  }

  // A group becomes a value if it has one assignment and every read has the type that was assigned.
  std::vector<uint32_t> use_count(program.values.size());
  for (const OpId id : ops) {
    for (const ValueId operand : program.ops[id].operands) ++use_count[operand.index];
  }
  std::vector<bool> plain(definitions.size());
  for (uint32_t i = 0; i < definitions.size(); ++i) {
    const uint32_t group = groups.find(i);
    if (sizes[group] != 1) continue;
    const ir::TypeId type = program.values[program.ops[definitions[i].set].operands[definitions[i].slot]].type;
    plain[i] = true;
    for (const OpId get : gets[group]) plain[i] = plain[i] && program.values[program.ops[get].results[0]].type == type;
  }
  // `a, b = b, a` stays one statement.
  for (const OpId id : ops) {
    if (program.ops[id].kind != OpKind::Set || program.ops[id].attrs.vars.size() == 1) continue;
    bool all = true;
    for (size_t i = 0; i < program.ops[id].attrs.vars.size(); ++i) all = all && plain[walk.definition(id, i)];
    for (size_t i = 0; i < program.ops[id].attrs.vars.size(); ++i) plain[walk.definition(id, i)] = all;
  }

  std::map<ValueId, ValueId> renamed;
  std::set<OpId> gone;
  std::map<uint32_t, VarId> fresh;
  for (uint32_t i = 0; i < definitions.size(); ++i) {
    const uint32_t group = groups.find(i);
    const auto [set, slot] = definitions[i];
    const VarId var = program.ops[set].attrs.vars[slot];
    if (!plain[i]) {
      const auto [found, inserted] = fresh.try_emplace(group, VarId{});
      if (inserted) found->second = program.vars.add({.name = program.vars[var].name});
      program.ops[set].attrs.vars[slot] = found->second;
      for (const OpId get : gets[group]) program.ops[get].attrs.var = found->second;
      continue;
    }
    const ValueId value = program.ops[set].operands[slot];
    const OpId definition = program.values[value].definition;
    const bool own = program.ops[set].attrs.vars.size() == 1 && definition && program.values[value].name.empty() &&
                     use_count[value.index] == 1 && program.ops[definition].kind != OpKind::Get &&
                     program.ops[definition].statement == program.ops[set].statement;
    ValueId result = value;
    if (own) {
      program.values[value].name = program.vars[var].name;
      gone.insert(set);
    } else if (program.ops[set].attrs.vars.size() == 1) {
      Op& op = program.ops[set];
      op.kind = OpKind::Copy;
      op.attrs.vars.clear();
      result = program.values.add({.type = program.values[value].type, .name = program.vars[var].name, .definition = set});
      program.ops[set].results = {result};
    } else {
      // One name of several: a variable that is read as one.
      const auto [found, inserted] = fresh.try_emplace(group, VarId{});
      if (inserted) found->second = program.vars.add({.name = program.vars[var].name});
      program.ops[set].attrs.vars[slot] = found->second;
      for (const OpId get : gets[group]) program.ops[get].attrs.var = found->second;
      continue;
    }
    for (const OpId get : gets[group]) {
      renamed[program.ops[get].results[0]] = result;
      gone.insert(get);
    }
  }
  replace(program, ops, renamed);
  erase(program, body, gone);
}

void legalize(ir::Program& program, diag::Diagnostics& diagnostics) {
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    remove_jumps(program, ir::FunctionId{i}, diagnostics);
    split_variables(program, ir::FunctionId{i});
  }
}

}  // namespace tilewright::back::triton
