// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// One walk over structured control flow, for every question about variables: what is known of each where control goes on.
//
// The domain says what a fact is, how two join, and what single ops do:
//
//     using Fact = …;                                      // with operator==
//     Fact unwritten();                                    // of a variable that nothing wrote
//     Fact join(const Fact&, const Fact&);                 // either may hold
//     Fact coming_round(OpId loop, VarId, before, after);  // join for the head of a loop; must stop growing
//     void visit(Flow<Domain>&, OpId);                     // every op that is reached, before its regions
//     void enter(OpId owner, size_t region);               // a region is about to be walked, and has been
//     void leave(OpId owner, size_t region);
//
// `visit` reads and writes variables by flow.read(var) and flow.write(var, fact); Set is the domain's to handle. A region is
// walked as often as loops around it need.

#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace tilewright::ir {

template <class Domain>
class Flow {
 public:
  using Fact = typename Domain::Fact;

  Flow(const Program& program, Domain& domain) : program_(program), domain_(domain) {}

  // Whether control comes out at the end.
  bool run(BlockId body) {
    block(body);
    return reachable_;
  }

  Fact read(VarId var) const {
    const auto found = current_.find(var);
    return found == current_.end() ? domain_.unwritten() : found->second;
  }

  void write(VarId var, Fact fact) {
    log_.emplace_back(var, read(var));
    current_[var] = std::move(fact);
  }

 private:
  using State = std::map<VarId, Fact>;

  // What a region changed, and whether control leaves it at its end.
  struct Outcome {
    State changed = {};
    bool reachable = true;
  };

  struct Loop {
    size_t mark = 0;
    std::vector<Outcome> breaks = {};
    std::vector<Outcome> continues = {};
  };

  // Branches are undone by a log, so a region costs what it writes and not what there is.
  State changed_since(size_t mark) const {
    State out;
    for (size_t i = mark; i < log_.size(); ++i) out.emplace(log_[i].first, read(log_[i].first));
    return out;
  }

  void undo_to(size_t mark) {
    while (log_.size() > mark) {
      current_[log_.back().first] = std::move(log_.back().second);
      log_.pop_back();
    }
  }

  Outcome region(OpId owner, size_t index) {
    const size_t mark = log_.size();
    domain_.enter(owner, index);
    block(program_.ops[owner].regions[index]);
    domain_.leave(owner, index);
    Outcome out{changed_since(mark), reachable_};
    undo_to(mark);
    reachable_ = true;
    return out;
  }

  void merge(const std::vector<Outcome>& outcomes) {
    State joined;
    for (const Outcome& outcome : outcomes) {
      if (!outcome.reachable) continue;
      for (const auto& [var, fact] : outcome.changed) joined.emplace(var, fact);
    }
    for (auto& [var, fact] : joined) {
      bool first = true;
      for (const Outcome& outcome : outcomes) {
        if (!outcome.reachable) continue;
        const auto found = outcome.changed.find(var);
        const Fact arriving = found == outcome.changed.end() ? read(var) : found->second;
        fact = first ? arriving : domain_.join(fact, arriving);
        first = false;
      }
    }
    reachable_ = std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return outcome.reachable; });
    for (auto& [var, fact] : joined) write(var, std::move(fact));
  }

  void block(BlockId id) {
    for (const OpId op : program_.blocks[id].ops) {
      if (!reachable_) return;
      step(op);
    }
  }

  void step(OpId id) {
    const Op& op = program_.ops[id];
    domain_.visit(*this, id);
    if (op.kind == OpKind::For || op.kind == OpKind::While) {
      loop(id);
    } else if (op.kind == OpKind::Break || op.kind == OpKind::Continue) {
      if (!loops_.empty()) {
        Loop& inner = loops_.back();
        (op.kind == OpKind::Break ? inner.breaks : inner.continues).push_back({changed_since(inner.mark), true});
      }
      reachable_ = false;
    } else if (op.kind == OpKind::Return || op.kind == OpKind::Unsupported) {
      reachable_ = false;
    } else if (!op.regions.empty()) {
      std::vector<Outcome> outcomes;
      for (size_t i = 0; i < op.regions.size(); ++i) outcomes.push_back(region(id, i));
      if (op.regions.size() == 1) outcomes.emplace_back();  // a region that may be passed by
      merge(outcomes);
    }
  }

  // Whether a while's condition is True for ever.
  bool is_endless(const Op& op) const {
    const Block& condition = program_.blocks[op.regions[0]];
    if (condition.ops.empty() || program_.ops[condition.ops.back()].operands.size() != 1) return false;
    const Type& type = program_.types[program_.values[program_.ops[condition.ops.back()].operands[0]].type];
    return type.kind == TypeKind::Const && program_.arena.truth_of(type.value) == true;
  }

  // What comes round from the end of the body only grows, so inner loops go on from where they were when an outer one repeats.
  void loop(OpId id) {
    const Op& op = program_.ops[id];
    std::vector<Outcome> exits;
    bool grew = true;
    while (grew) {
      grew = false;
      exits.clear();
      const size_t mark = log_.size();
      for (const auto& [var, fact] : coming_round_[id]) write(var, domain_.join(read(var), fact));
      loops_.push_back({mark});
      if (op.kind == OpKind::While) {
        domain_.enter(id, 0);
        block(op.regions[0]);
        domain_.leave(id, 0);
      }
      if (reachable_ && (op.kind == OpKind::For || !is_endless(op))) exits.push_back({changed_since(mark), true});
      domain_.enter(id, op.regions.size() - 1);
      block(op.regions.back());
      domain_.leave(id, op.regions.size() - 1);
      Loop ended = std::move(loops_.back());
      loops_.pop_back();
      if (reachable_) ended.continues.push_back({changed_since(mark), true});
      for (Outcome& exit : ended.breaks) exits.push_back(std::move(exit));
      undo_to(mark);
      reachable_ = true;
      for (const Outcome& outcome : ended.continues) {
        for (const auto& [var, fact] : outcome.changed) {
          const auto found = coming_round_[id].find(var);
          const Fact before = found == coming_round_[id].end() ? read(var) : found->second;
          Fact after = domain_.coming_round(id, var, before, fact);
          if (found != coming_round_[id].end() && after == before) continue;
          coming_round_[id].insert_or_assign(var, std::move(after));
          grew = true;
        }
      }
    }
    merge(exits);
  }

  const Program& program_;
  Domain& domain_;
  State current_;
  std::vector<std::pair<VarId, Fact>> log_;
  std::vector<Loop> loops_;
  std::map<OpId, State> coming_round_;
  bool reachable_ = true;
};

}  // namespace tilewright::ir
