// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which assignments meet at a use.

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "back/triton/legalize.h"
#include "ir/flow.h"

namespace tilewright::back::triton {
namespace {

using ir::BlockId;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using ir::VarId;

// An assignment, or a place where several meet: no set, but what may come there.
struct Definition {
  OpId set = {};
  size_t slot = 0;
  std::vector<uint32_t> meeting = {};
};

// Assignments that meet at a use are one group. Where paths meet nothing is copied: the place is a definition of its own, and
// only a use makes those that come to it one.
class Webs {
 public:
  using Fact = uint32_t;  // the definition that is the last
  static constexpr uint32_t none = ~uint32_t{0};

  explicit Webs(const ir::Program& program) : program_(program) {}

  uint32_t definition(OpId set, size_t slot) {
    const auto [found, is_new] = of_set_.try_emplace({set, slot}, size());
    if (is_new) add({set, slot, {}});
    return found->second;
  }
  const std::vector<Definition>& definitions() const { return definitions_; }
  // By the `get` op: a definition that reaches it.
  const std::map<OpId, uint32_t>& reads() const { return reads_; }
  uint32_t group(uint32_t definition) {
    while (parent_[definition] != definition) definition = parent_[definition] = parent_[parent_[definition]];
    return definition;
  }

  // The domain of ir::Flow.
  Fact unwritten() const { return none; }
  Fact join(Fact a, Fact b) {
    if (a == b || b == none) return a;
    if (a == none) return b;
    const auto [found, is_new] = of_pair_.try_emplace(std::minmax(a, b), size());
    if (is_new) add({{}, 0, {a, b}});
    return found->second;
  }
  Fact coming_round(OpId loop, VarId var, Fact before, Fact after) {
    const auto [found, is_new] = of_loop_.try_emplace({loop, var}, size());
    if (is_new) add({});
    for (const Fact fact : {before, after}) meet(found->second, fact);
    return found->second;
  }
  void visit(ir::Flow<Webs>& flow, OpId id) {
    const Op& op = program_.ops[id];
    if (op.kind == OpKind::Set) {
      for (size_t i = 0; i < op.attrs.vars.size(); ++i) flow.write(op.attrs.vars[i], definition(id, i));
    } else if (op.kind == OpKind::Get) {
      const Fact reaching = flow.read(op.attrs.var);
      if (reaching == none) return;
      use(reaching);
      const auto [found, is_new] = reads_.try_emplace(id, reaching);
      if (!is_new) unite(found->second, reaching);
    }
  }
  void enter(OpId, size_t) const {}
  void leave(OpId, size_t) const {}

 private:
  uint32_t size() const { return static_cast<uint32_t>(definitions_.size()); }
  void add(Definition definition) {
    parent_.push_back(size());
    used_.push_back(false);
    definitions_.push_back(std::move(definition));
  }
  void unite(uint32_t a, uint32_t b) { parent_[std::max(group(a), group(b))] = std::min(group(a), group(b)); }
  void meet(uint32_t place, Fact fact) {
    std::vector<uint32_t>& meeting = definitions_[place].meeting;
    if (fact == none || fact == place || std::find(meeting.begin(), meeting.end(), fact) != meeting.end()) return;
    meeting.push_back(fact);
    if (!used_[place]) return;
    unite(place, fact);
    use(fact);
  }
  void use(uint32_t definition) {
    std::vector<uint32_t> work = {definition};
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      if (used_[at]) continue;
      used_[at] = true;
      for (const uint32_t other : definitions_[at].meeting) {
        unite(at, other);
        work.push_back(other);
      }
    }
  }

  const ir::Program& program_;
  std::vector<Definition> definitions_;
  std::map<std::pair<OpId, size_t>, uint32_t> of_set_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> of_pair_;
  std::map<std::pair<OpId, VarId>, uint32_t> of_loop_;
  std::vector<uint32_t> parent_;  // of groups
  std::vector<bool> used_;
  std::map<OpId, uint32_t> reads_;
};

struct Place {
  size_t last = 0;  // the place of the last op below
  OpId around = {};
};

// Where ops stand in the text of a function, counted from its start, and what is around them.
class Layout {
 public:
  Layout(const ir::Program& program, BlockId body) : program_(program) { block(body, {}); }

  const std::vector<OpId>& ops() const { return ops_; }
  size_t at(OpId id) const { return at_.at(id); }

  // Whether what stands at `writer` runs between `from` and `to`, where `from` dominates `to`. In a loop that holds only `to`,
  // what stands behind it runs before it too.
  bool between(size_t writer, OpId from, OpId to) const {
    const size_t begin = at(from);
    if (writer > begin && writer < at(to)) return true;
    for (OpId id = places_[at(to)].around; id && at(id) > begin; id = places_[at(id)].around) {
      const bool loop = program_.ops[id].kind == OpKind::For || program_.ops[id].kind == OpKind::While;
      if (loop && writer >= at(id) && writer <= places_[at(id)].last) return true;
    }
    return false;
  }

 private:
  void block(BlockId id, OpId around) {
    for (const OpId op : program_.blocks[id].ops) {
      const size_t place = ops_.size();
      at_.emplace(op, place);
      ops_.push_back(op);
      places_.push_back({place, around});
      for (const BlockId region : program_.ops[op].regions) block(region, op);
      places_[place].last = ops_.size() - 1;
    }
  }

  const ir::Program& program_;
  std::vector<OpId> ops_;
  std::vector<Place> places_;
  std::unordered_map<OpId, size_t> at_;
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
  Webs webs(program);
  ir::Flow<Webs>(program, webs).run(body);
  const Layout layout(program, body);
  const std::vector<OpId>& ops = layout.ops();
  for (const OpId id : ops) {  // unreachable ones too
    if (program.ops[id].kind != OpKind::Set) continue;
    for (size_t i = 0; i < program.ops[id].attrs.vars.size(); ++i) webs.definition(id, i);
  }

  const std::vector<Definition>& definitions = webs.definitions();
  std::vector<uint32_t> sizes(definitions.size());
  for (uint32_t i = 0; i < definitions.size(); ++i) {
    if (definitions[i].set) ++sizes[webs.group(i)];
  }
  std::map<uint32_t, std::vector<OpId>> gets;
  for (const auto& [get, definition] : webs.reads()) gets[webs.group(definition)].push_back(get);

  // A group becomes a value if it has one assignment and every read has the type that was assigned.
  std::unordered_map<ValueId, std::vector<OpId>> users;
  for (const OpId id : ops) {
    const Op& op = program.ops[id];
    for (const ValueId operand : op.operands) users[operand].push_back(id);
    for (const ValueId hint : {op.attrs.bounds_if, op.attrs.latency, op.attrs.allow_tma}) {
      if (hint) users[hint].push_back(id);
    }
  }
  std::vector<bool> plain(definitions.size());
  for (uint32_t i = 0; i < definitions.size(); ++i) {
    const uint32_t group = webs.group(i);
    if (!definitions[i].set || sizes[group] != 1) continue;
    const ir::TypeId type = program.values[program.ops[definitions[i].set].operands[definitions[i].slot]].type;
    plain[i] = true;
    for (const OpId get : gets[group]) plain[i] = plain[i] && program.values[program.ops[get].results[0]].type == type;
  }
  // `a, b = b, a` stays one statement.
  for (const OpId id : ops) {
    if (program.ops[id].kind != OpKind::Set || program.ops[id].attrs.vars.size() == 1) continue;
    bool all = true;
    for (size_t i = 0; i < program.ops[id].attrs.vars.size(); ++i) all = all && plain[webs.definition(id, i)];
    for (size_t i = 0; i < program.ops[id].attrs.vars.size(); ++i) plain[webs.definition(id, i)] = all;
  }

  // Whether a variable of this name is touched after `from` and before `to`: in `a, c = a - 1, a + 5` the first is not yet `a`.
  const auto touched = [&](const std::string& name, OpId from, OpId to) {
    const auto reads = [&](ValueId value) {
      const OpId made = program.values[value].definition;
      return made && program.ops[made].kind == OpKind::Get && program.vars[program.ops[made].attrs.var].name == name;
    };
    for (size_t i = layout.at(from) + 1; i < layout.at(to); ++i) {
      const Op& op = program.ops[ops[i]];
      if (op.kind == OpKind::Get && program.vars[op.attrs.var].name == name) return true;
      if (std::any_of(op.operands.begin(), op.operands.end(), reads)) return true;
      for (const VarId var : op.attrs.vars) {
        if (program.vars[var].name == name) return true;
      }
      for (const ValueId result : op.results) {
        if (program.values[result].name == name) return true;
      }
    }
    return false;
  };

  std::map<ValueId, ValueId> renamed;
  std::set<OpId> gone;
  std::map<uint32_t, VarId> fresh;
  for (uint32_t i = 0; i < definitions.size(); ++i) {
    if (!definitions[i].set) continue;
    const uint32_t group = webs.group(i);
    const OpId set = definitions[i].set;
    const size_t slot = definitions[i].slot;
    const VarId var = program.ops[set].attrs.vars[slot];
    const auto stay_variable = [&] {
      const auto [found, is_new] = fresh.try_emplace(group, VarId{});
      if (is_new) {
        found->second = program.vars.add({.name = program.vars[var].name});
        for (const OpId get : gets[group]) program.ops[get].attrs.var = found->second;
      }
      program.ops[set].attrs.vars[slot] = found->second;
    };
    if (!plain[i]) {
      stay_variable();
      continue;
    }
    const ValueId value = program.ops[set].operands[slot];
    const OpId definition = program.values[value].definition;
    const bool own = program.ops[set].attrs.vars.size() == 1 && definition && program.values[value].name.empty() &&
                     users[value].size() == 1 && program.ops[definition].kind != OpKind::Get &&
                     program.ops[definition].statement == program.ops[set].statement &&
                     !touched(program.vars[var].name, definition, set);
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
      stay_variable();  // one name of several: a variable that is read as one
      continue;
    }
    for (const OpId get : gets[group]) renamed[program.ops[get].results[0]] = result;
  }

  // A read whose name means something else where it is used is a copy.
  std::map<std::string, std::vector<size_t>> writers;
  for (const OpId id : ops) {
    if (gone.contains(id)) continue;
    const Op& op = program.ops[id];
    for (const ValueId result : op.results) {
      if (!program.values[result].name.empty()) writers[program.values[result].name].push_back(layout.at(id));
    }
    for (const VarId var : op.attrs.vars) writers[program.vars[var].name].push_back(layout.at(id));
  }
  for (const OpId id : ops) {
    Op& op = program.ops[id];
    if (op.kind != OpKind::Get || op.results.empty()) continue;
    const ValueId read = op.results[0];
    const auto found = renamed.find(read);
    if (found == renamed.end()) continue;
    const auto overwritten = [&](OpId user) {
      const std::vector<size_t>& places = writers[program.values[found->second].name];
      return std::any_of(places.begin(), places.end(), [&](size_t place) { return layout.between(place, id, user); });
    };
    const std::vector<OpId>& all = users[read];
    if (program.types[program.values[read].type].kind == ir::TypeKind::Tile && std::any_of(all.begin(), all.end(), overwritten)) {
      op.kind = OpKind::Copy;
      op.operands = {found->second};
      op.attrs.var = {};
      renamed.erase(found);
    } else {
      gone.insert(id);
    }
  }
  replace(program, ops, renamed);
  erase(program, body, gone);
}

}  // namespace tilewright::back::triton
