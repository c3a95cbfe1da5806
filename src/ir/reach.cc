// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/reach.h"

#include <algorithm>

namespace tilewright::ir {
namespace {

using State = std::map<VarId, Reach>;

Reach join(const Reach& a, const Reach& b) {
  Reach out;
  std::set_union(a.writes.begin(), a.writes.end(), b.writes.begin(), b.writes.end(), std::back_inserter(out.writes));
  out.certain = a.certain && b.certain;
  return out;
}

// What a region changed, and whether control leaves it at its end.
struct Outcome {
  State changed;
  bool reachable = true;
};

// Branches are undone by a log, so a region costs what it writes and not what there is.
class Walk {
 public:
  explicit Walk(const Program& program) : program_(program) {}

  Reaches run(BlockId body) {
    block(body);
    return std::move(reaches_);
  }

 private:
  struct Loop {
    size_t mark = 0;
    std::vector<Outcome> breaks;
    std::vector<Outcome> continues;
  };

  Reach current(VarId var) const {
    const auto found = current_.find(var);
    return found == current_.end() ? Reach{} : found->second;
  }

  void assign(VarId var, Reach reach) {
    log_.emplace_back(var, current(var));
    current_[var] = std::move(reach);
  }

  State changed_since(size_t mark) const {
    State out;
    for (size_t i = mark; i < log_.size(); ++i) out.emplace(log_[i].first, current(log_[i].first));
    return out;
  }

  void undo_to(size_t mark) {
    while (log_.size() > mark) {
      current_[log_.back().first] = std::move(log_.back().second);
      log_.pop_back();
    }
  }

  Outcome region(BlockId id) {
    const size_t mark = log_.size();
    block(id);
    Outcome out{changed_since(mark), reachable_};
    undo_to(mark);
    reachable_ = true;
    return out;
  }

  void merge(const std::vector<Outcome>& outcomes) {
    State joined;
    for (const Outcome& outcome : outcomes) {
      if (!outcome.reachable) continue;
      for (const auto& [var, reach] : outcome.changed) joined.emplace(var, Reach{});
    }
    for (auto& [var, reach] : joined) {
      bool first = true;
      for (const Outcome& outcome : outcomes) {
        if (!outcome.reachable) continue;
        const auto found = outcome.changed.find(var);
        const Reach arriving = found == outcome.changed.end() ? current(var) : found->second;
        reach = first ? arriving : join(reach, arriving);
        first = false;
      }
    }
    reachable_ = std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return outcome.reachable; });
    for (auto& [var, reach] : joined) assign(var, std::move(reach));
  }

  void block(BlockId id) {
    for (const OpId op : program_.blocks[id].ops) {
      if (!reachable_) return;
      step(op);
    }
  }

  void step(OpId id) {
    const Op& op = program_.ops[id];
    if (op.kind == OpKind::Get) {
      const auto [found, is_new] = reaches_.emplace(id, current(op.attrs.var));
      if (!is_new) found->second = join(found->second, current(op.attrs.var));
    } else if (op.kind == OpKind::Set) {
      for (const VarId var : op.attrs.vars) assign(var, {.writes = {id}, .certain = true});
    } else if (op.kind == OpKind::For || op.kind == OpKind::While) {
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
      for (const BlockId inner : op.regions) outcomes.push_back(region(inner));
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
      for (const auto& [var, reach] : coming_round_[id]) assign(var, join(current(var), reach));
      loops_.push_back({mark, {}, {}});
      if (op.kind == OpKind::While) block(op.regions[0]);
      if (reachable_ && (op.kind == OpKind::For || !is_endless(op))) exits.push_back({changed_since(mark), true});
      block(op.regions.back());
      Loop ended = std::move(loops_.back());
      loops_.pop_back();
      if (reachable_) ended.continues.push_back({changed_since(mark), true});
      for (Outcome& exit : ended.breaks) exits.push_back(std::move(exit));
      undo_to(mark);
      reachable_ = true;
      for (const Outcome& outcome : ended.continues) {
        for (const auto& [var, reach] : outcome.changed) {
          const auto [found, is_new] = coming_round_[id].emplace(var, reach);
          if (is_new) {
            grew = true;
          } else if (Reach joined = join(found->second, reach); joined != found->second) {
            found->second = std::move(joined);
            grew = true;
          }
        }
      }
    }
    merge(exits);
  }

  const Program& program_;
  State current_;
  std::vector<std::pair<VarId, Reach>> log_;
  std::vector<Loop> loops_;
  std::map<OpId, State> coming_round_;
  bool reachable_ = true;
  Reaches reaches_;
};

}  // namespace

Reaches reaching_writes(const Program& program, FunctionId function) {
  return Walk(program).run(program.functions[function].body);
}

ValueId written(const Program& program, OpId set, VarId var) {
  const Op& op = program.ops[set];
  for (size_t i = op.attrs.vars.size(); i-- > 0;) {
    if (op.attrs.vars[i] == var) return op.operands[i];
  }
  return ValueId::none();
}

}  // namespace tilewright::ir
