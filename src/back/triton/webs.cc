// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which assignments meet at a use.

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "back/triton/legalize.h"
#include "back/triton/uses.h"
#include "base/disjoint_sets.h"
#include "base/rare_list.h"
#include "ir/attrs.h"
#include "ir/flow.h"

namespace tilewright::back::triton {
namespace {

using ir::BlockId;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using ir::VarId;

// What stands where in one function. Hints of a memory op are uses of it, too.
class Layout {
 public:
  Layout(const ir::Program& program, const Uses& uses, ir::FunctionId function) : uses_(uses), ops_(uses.ops[function.index]) {
    for (const OpId id : ops_) {
      const ir::Attrs& attrs = program.ops[id].attrs;
      ir::each_value(attrs, [&](ValueId hint) { hinted_.emplace(hint, id); });
    }
  }

  const std::vector<OpId>& ops() const { return ops_; }
  uint32_t at(OpId id) const { return uses_.where[id.index].order; }

  size_t count_users(ValueId value) const { return uses_.count(value) + hinted_.count(value); }
  template <class Test>
  bool any_user(ValueId value, const Test& test) const {
    const auto [begin, end] = hinted_.equal_range(value);
    const std::span<const OpId> users = uses_.users(value);
    return std::any_of(users.begin(), users.end(), test) ||
           std::any_of(begin, end, [&](const auto& hint) { return test(hint.second); });
  }

 private:
  const Uses& uses_;
  const std::vector<OpId>& ops_;
  std::multimap<ValueId, OpId> hinted_;
};

// An assignment, or a place where several meet: no set, but what may come there.
struct Definition {
  OpId set = {};
  uint32_t slot = 0;
  RareList<uint32_t> meeting = {};
};

// Assignments that meet at a use are one group. Where paths meet nothing is copied: the place is a definition of its own, and
// only a use makes those that come to it one.
class Webs {
 public:
  using Fact = uint32_t;  // the definition that is the last
  static constexpr uint32_t none = ~uint32_t{0};

  Webs(const ir::Program& program, const Layout& layout)
      : program_(program), layout_(layout), of_set_(layout.ops().size(), none), reads_(layout.ops().size(), none) {}

  uint32_t definition(OpId set, size_t slot) {
    uint32_t& first = of_set_[layout_.at(set)];
    if (first == none) {
      first = size();
      for (uint32_t i = 0; i < ir::written_vars(program_.ops[set]).size(); ++i) add({set, i, {}});
    }
    return first + static_cast<uint32_t>(slot);
  }
  const std::vector<Definition>& definitions() const { return definitions_; }
  // By the place of a `get`: a definition that reaches it, or none.
  const std::vector<uint32_t>& reads() const { return reads_; }
  uint32_t group(uint32_t definition) { return groups_.find(definition); }
  // When the flow has come to its end: from then on only groups are asked for.
  void forget_paths() {
    of_pair_ = {};
    of_loop_ = {};
    for (Definition& definition : definitions_) definition.meeting.clear();
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
      for (size_t i = 0; i < ir::written_vars(op).size(); ++i) flow.write(ir::written_vars(op)[i], definition(id, i));
    } else if (op.kind == OpKind::Get) {
      const Fact reaching = flow.read(op.attrs.var);
      if (reaching == none) return;
      use(reaching);
      uint32_t& read = reads_[layout_.at(id)];
      if (read == none) {
        read = reaching;
      } else {
        groups_.join(read, reaching);
      }
    }
  }
  void enter(OpId, size_t) const {}
  void leave(OpId, size_t) const {}

 private:
  uint32_t size() const { return static_cast<uint32_t>(definitions_.size()); }
  void add(Definition definition) {
    groups_.add();
    used_.push_back(false);
    definitions_.push_back(std::move(definition));
  }
  void meet(uint32_t place, Fact fact) {
    RareList<uint32_t>& meeting = definitions_[place].meeting;
    if (fact == none || fact == place || std::find(meeting.begin(), meeting.end(), fact) != meeting.end()) return;
    meeting.push_back(fact);
    if (!used_[place]) return;
    groups_.join(place, fact);
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
        groups_.join(at, other);
        work.push_back(other);
      }
    }
  }

  const ir::Program& program_;
  const Layout& layout_;
  std::vector<Definition> definitions_;
  std::vector<uint32_t> of_set_;  // by the place of a `set`: its first definition
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> of_pair_;
  std::map<std::pair<OpId, VarId>, uint32_t> of_loop_;
  DisjointSets groups_;
  std::vector<bool> used_;
  std::vector<uint32_t> reads_;
};

// The reads of each group, in order.
class Gets {
 public:
  Gets(const Layout& layout, Webs& webs) : ends_(webs.definitions().size() + 1) {
    const auto each = [&](const auto& visit) {
      for (const OpId id : layout.ops()) {
        const uint32_t read = webs.reads()[layout.at(id)];
        if (read != Webs::none) visit(id, webs.group(read));
      }
    };
    each([&](OpId, uint32_t group) { ++ends_[group + 1]; });
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    ops_.resize(ends_.back());
    // An end is where the group begins until its ops are there.
    each([&](OpId id, uint32_t group) { ops_[ends_[group]++] = id; });
  }

  std::span<const OpId> operator[](uint32_t group) const {
    const uint32_t begin = group == 0 ? 0 : ends_[group - 1];
    return std::span(ops_).subspan(begin, ends_[group] - begin);
  }

 private:
  std::vector<uint32_t> ends_;
  std::vector<OpId> ops_;
};

// `by`: values by the value that they take the place of, or none().
void replace(ir::Program& program, const std::vector<OpId>& ops, const std::vector<ValueId>& by) {
  const auto swap = [&](ValueId& value) {
    while (value && by[value.index]) value = by[value.index];
  };
  for (const OpId id : ops) {
    Op& op = program.ops[id];
    for (ValueId& operand : op.operands) swap(operand);
    ir::each_value(op.attrs, swap);
  }
}

// Removes ops from every block below this one.
void erase(ir::Program& program, BlockId block, const Layout& layout, const std::vector<bool>& gone) {
  std::erase_if(program.blocks[block].ops, [&](OpId id) { return gone[layout.at(id)]; });
  for (const OpId id : program.blocks[block].ops) {
    for (const BlockId region : program.ops[id].regions) erase(program, region, layout, gone);
  }
}

// `renamed`: what `replace` takes, for all values there are; a function leaves it with entries of its own values alone.
void split_variables(ir::Program& program, const Uses& uses, ir::FunctionId function, std::vector<ValueId>& renamed) {
  const BlockId body = program.functions[function].body;
  const Layout layout(program, uses, function);
  const std::vector<OpId>& ops = layout.ops();
  Webs webs(program, layout);
  ir::Flow<Webs>(program, webs).run(body);
  webs.forget_paths();
  for (const OpId id : ops) {  // unreachable ones too
    if (program.ops[id].kind != OpKind::Set) continue;
    for (size_t i = 0; i < ir::written_vars(program.ops[id]).size(); ++i) webs.definition(id, i);
  }

  const std::vector<Definition>& definitions = webs.definitions();
  std::vector<uint32_t> sizes(definitions.size());
  for (uint32_t i = 0; i < definitions.size(); ++i) {
    if (definitions[i].set) ++sizes[webs.group(i)];
  }
  const Gets gets(layout, webs);

  // A group becomes a value if it has one assignment and every read has the type that was assigned.
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
    if (program.ops[id].kind != OpKind::Set || ir::written_vars(program.ops[id]).size() == 1) continue;
    bool all = true;
    for (size_t i = 0; i < ir::written_vars(program.ops[id]).size(); ++i) all = all && plain[webs.definition(id, i)];
    for (size_t i = 0; i < ir::written_vars(program.ops[id]).size(); ++i) plain[webs.definition(id, i)] = all;
  }

  // Whether a variable of this name is touched after `from` and before `to`: in `a, c = a - 1, a + 5` the first is not yet `a`.
  const auto touched = [&](const std::string& name, OpId from, OpId to) {
    const auto reads = [&](ValueId value) {
      const OpId made = program.values[value].definition;
      return made && program.ops[made].kind == OpKind::Get && program.vars[program.ops[made].attrs.var].name == name;
    };
    for (uint32_t i = layout.at(from) + 1; i < layout.at(to); ++i) {
      const Op& op = program.ops[ops[i]];
      if (op.kind == OpKind::Get && program.vars[op.attrs.var].name == name) return true;
      if (std::any_of(op.operands.begin(), op.operands.end(), reads)) return true;
      for (const VarId var : ir::written_vars(op)) {
        if (program.vars[var].name == name) return true;
      }
      for (const ValueId result : op.results) {
        if (program.values[result].name == name) return true;
      }
    }
    return false;
  };

  std::vector<bool> gone(ops.size());            // by place
  std::vector<VarId> fresh(definitions.size());  // by group
  for (uint32_t i = 0; i < definitions.size(); ++i) {
    if (!definitions[i].set) continue;
    const uint32_t group = webs.group(i);
    const OpId set = definitions[i].set;
    const size_t slot = definitions[i].slot;
    const VarId var = ir::written_vars(program.ops[set])[slot];
    const auto stay_variable = [&] {
      if (!fresh[group]) {
        fresh[group] = program.vars.add({.name = program.vars[var].name});
        for (const OpId get : gets[group]) program.ops[get].attrs.var = fresh[group];
      }
      ir::written_vars(program.ops[set])[slot] = fresh[group];
    };
    if (!plain[i]) {
      stay_variable();
      continue;
    }
    const ValueId value = program.ops[set].operands[slot];
    const OpId definition = program.values[value].definition;
    const bool own = ir::written_vars(program.ops[set]).size() == 1 && definition && program.values[value].name.empty() &&
                     layout.count_users(value) == 1 && program.ops[definition].kind != OpKind::Get &&
                     program.ops[definition].statement == program.ops[set].statement &&
                     !touched(program.vars[var].name, definition, set);
    ValueId result = value;
    if (own) {
      program.values[value].name = program.vars[var].name;
      gone[layout.at(set)] = true;
    } else if (ir::written_vars(program.ops[set]).size() == 1) {
      Op& op = program.ops[set];
      op.kind = OpKind::Copy;
      op.attrs.var = {};
      result = program.values.add({.type = program.values[value].type, .definition = set, .name = program.vars[var].name});
      program.ops[set].results = {result};
    } else {
      stay_variable();  // one name of several: a variable that is read as one
      continue;
    }
    for (const OpId get : gets[group]) renamed[program.ops[get].results[0].index] = result;
  }

  renamed.resize(program.values.size());

  // A read whose name means something else where it is used is a copy.
  std::unordered_map<std::string_view, std::vector<uint32_t>> writers;
  for (const OpId id : ops) {
    if (gone[layout.at(id)]) continue;
    const Op& op = program.ops[id];
    for (const ValueId result : op.results) {
      if (!program.values[result].name.empty()) writers[program.values[result].name.string()].push_back(layout.at(id));
    }
    for (const VarId var : ir::written_vars(op)) writers[program.vars[var].name].push_back(layout.at(id));
  }
  for (const OpId id : ops) {
    Op& op = program.ops[id];
    if (op.kind != OpKind::Get || op.results.empty()) continue;
    const ValueId read = op.results[0];
    const ValueId instead = renamed[read.index];
    if (!instead) continue;
    const std::vector<uint32_t>& places = writers[program.values[instead].name.string()];
    const auto overwritten = [&](OpId user) { return uses.any_between(program, places, id, user); };
    if (program.types[program.values[read].type].kind == ir::TypeKind::Tile && layout.any_user(read, overwritten)) {
      op.kind = OpKind::Copy;
      op.operands = {instead};
      op.attrs.var = {};
      renamed[read.index] = {};
    } else {
      gone[layout.at(id)] = true;
    }
  }
  replace(program, ops, renamed);
  erase(program, body, layout, gone);
}

}  // namespace

void split_variables(ir::Program& program) {
  const Uses uses = uses_of(program);
  std::vector<ValueId> renamed(program.values.size());
  for (uint32_t i = 0; i < program.functions.size(); ++i) split_variables(program, uses, ir::FunctionId{i}, renamed);
}

}  // namespace tilewright::back::triton
