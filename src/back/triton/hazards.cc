// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/hazards.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "back/triton/places.h"
#include "ir/use.h"
#include "ir/walk.h"

namespace tilewright::back::triton {
namespace {

using ir::BlockId;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;

// More of either is no kernel that somebody wrote, and what costs linear time elsewhere should do so here.
constexpr size_t most_pending = 128;
constexpr size_t most_calls = 4096;

// Which loaded values are only calculated with lane by lane, and stored.
class Flows {
 public:
  Flows(const ir::Program& program, const Uses& uses) : program_(program), uses_(uses), structure_(program) {
    for (const std::vector<OpId>& ops : uses.ops) {
      for (const OpId id : ops) {
        const Op& op = program.ops[id];
        if (op.kind == OpKind::Get) gets_[op.attrs.var].push_back(op.results[0]);
        if (op.kind == OpKind::Call) calls_[op.attrs.rare->function].push_back(id);
      }
    }
  }

  bool stays_in_lanes(ValueId loaded) const {
    std::vector<ValueId> work{loaded};
    std::set<ValueId> seen{loaded};
    const auto go_on = [&](ValueId value) {
      if (seen.insert(value).second) work.push_back(value);
    };
    while (!work.empty()) {
      const ValueId value = work.back();
      work.pop_back();
      for (const OpId id : uses_.users(value)) {
        const Op& op = program_.ops[id];
        if (is_store(op.kind)) {
          const bool stored =
              op.operands[1 + op.attrs.rank] == value && std::count(op.operands.begin(), op.operands.end(), value) == 1;
          if (!stored) return false;
        } else if (op.kind == OpKind::Set) {
          for (size_t i = 0; i < op.operands.size(); ++i) {
            if (op.operands[i] != value) continue;
            const auto reads = gets_.find(ir::written_vars(op)[i]);
            if (reads != gets_.end()) std::for_each(reads->second.begin(), reads->second.end(), go_on);
          }
        } else if (op.kind == OpKind::Call) {
          size_t operand = 0;
          for (const ir::Param& param : program_.functions[op.attrs.rare->function].params) {
            if (param.value && op.operands[operand++] == value) go_on(param.value);
          }
        } else if (op.kind == OpKind::Return) {
          const auto calls = calls_.find(structure_.function_of(id));
          if (calls == calls_.end()) return false;
          for (const OpId call : calls->second) {
            for (size_t i = 0; i < op.operands.size(); ++i) {
              if (op.operands[i] == value) go_on(program_.ops[call].results[i]);
            }
          }
        } else if (ir::info(op.kind).family == ir::Family::Math || op.kind == OpKind::Copy || keeps_lanes(op)) {
          if (lanes(op.results[0]) != lanes(value)) return false;
          go_on(op.results[0]);
        } else if (op.kind != OpKind::TileDim && op.kind != OpKind::DtypeOf) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  std::vector<sym::ExprId> lanes(ValueId value) const {
    std::vector<sym::ExprId> out = program_.types[program_.values[value].type].shape;
    std::erase(out, program_.arena.one());
    return out;
  }

  bool keeps_lanes(const Op& op) const { return op.kind == OpKind::Reshape || op.kind == OpKind::ExpandDims; }

  const ir::Program& program_;
  const Uses& uses_;
  ir::Structure structure_;
  std::map<ir::FunctionId, std::vector<OpId>> calls_;
  std::map<ir::VarId, std::vector<ValueId>> gets_;
};

// Accesses since the last barrier, and the loop that has come round since, if one has.
struct Access {
  uint32_t place = 0;
  LoopNumber carrier = 0;
  friend auto operator<=>(const Access&, const Access&) = default;
};
using Pending = std::set<Access>;

class Sequence {
 public:
  Sequence(const ir::Program& program, const Uses& uses, const AllEffects& effects)
      : program_(program), effects_(effects), places_(program, effects), flows_(program, uses), used_(ir::used_ops(program)) {}

  // A barrier before a loop or a call changes what is pending from there on: the walk begins anew.
  void kernel(ir::FunctionId function) {
    kernel_ = function;
    calls_before_ = places_.calls();
    do {
      again_ = false;
      Pending pending;
      exits_.clear();
      returns_.clear();
      conditions_ = 0;
      block({}, program_.functions[function].body, pending);
    } while (again_ && !has_too_many_calls());
    if (has_too_many_calls()) everywhere();
  }

  Hazards take() { return std::move(out_); }

 private:
  struct Exits {
    Pending breaks;
    Pending continues;
  };

  // Whether control comes out at the end.
  bool block(const Context& context, BlockId id, Pending& pending) {
    for (const OpId op : program_.blocks[id].ops) {
      if (again_ || !visit(context, op, pending)) return false;
    }
    return true;
  }

  bool visit(const Context& context, OpId id, Pending& pending) {
    const Op& op = program_.ops[id];
    if (out_.barriers.contains(id)) pending.clear();
    if (is_store(op.kind) || is_atomic(op.kind) || (is_load(op.kind) && used_[id.index])) {
      access(context, id, pending);
      return true;
    }
    if (op.kind == OpKind::Call) {
      if (!matters(context, op)) return true;
      if (has_too_many_calls()) again_ = true;
      returns_.emplace_back();
      if (block(places_.enter(context, id), program_.functions[op.attrs.rare->function].body, pending))
        returns_.back().merge(pending);
      pending = std::move(returns_.back());
      returns_.pop_back();
      return true;
    }
    if (ir::is_loop(op.kind)) {
      loop(context, id, pending);
      return true;
    }
    if (op.kind == OpKind::Break || op.kind == OpKind::Continue) {
      if (!exits_.empty())
        (op.kind == OpKind::Break ? exits_.back().breaks : exits_.back().continues).insert(pending.begin(), pending.end());
      return false;
    }
    if (op.kind == OpKind::Return && !returns_.empty()) returns_.back().insert(pending.begin(), pending.end());
    if (op.kind == OpKind::Return || op.kind == OpKind::Unsupported) return false;
    return op.regions.empty() || branches(context, op, pending);
  }

  bool branches(const Context& context, const Op& op, Pending& pending) {
    Pending joined;
    bool reachable = op.regions.size() == 1;
    if (reachable) joined = pending;
    for (const BlockId region : op.regions) {
      Pending inner = pending;
      if (!block(context, region, inner)) continue;
      reachable = true;
      joined.insert(inner.begin(), inner.end());
    }
    pending = std::move(joined);
    return reachable;
  }

  void loop(const Context& context, OpId id, Pending& pending) {
    const Op& op = program_.ops[id];
    const LoopNumber number = places_.loop(context, id);
    const auto is_inside = [&](const Access& access, LoopNumber loop) {
      const std::vector<LoopNumber>& loops = places_[access.place].loops;
      return std::find(loops.begin(), loops.end(), loop) != loops.end();
    };
    // The outermost loop that has come round counts: the iterations of those inside of it have nothing to do with each other
    // then.
    const auto came_round = [&](Access access) {
      const std::vector<LoopNumber>& loops = places_[access.place].loops;
      const auto own = std::find(loops.begin(), loops.end(), number);
      if (own != loops.end() && (access.carrier == 0 || std::find(own, loops.end(), access.carrier) != loops.end()))
        access.carrier = number;
      return access;
    };
    Pending head = pending;
    Pending exit;
    for (bool grew = true; grew && !again_;) {
      exits_.emplace_back();
      Pending inside = head;
      if (op.kind == OpKind::While) {
        ++conditions_;
        block(context, op.regions[0], inside);
        --conditions_;
      }
      exit = inside;
      if (block(context, op.regions.back(), inside)) exits_.back().continues.insert(inside.begin(), inside.end());
      exit.insert(exits_.back().breaks.begin(), exits_.back().breaks.end());
      const size_t before = head.size();
      for (const Access& access : exits_.back().continues) head.insert(came_round(access));
      exits_.pop_back();
      grew = head.size() != before;
    }
    pending.clear();
    for (Access access : exit) {
      if (access.carrier == number && is_inside(access, number)) access.carrier = 0;
      pending.insert(access);
    }
  }

  // Whether a call touches an array that the kernel writes.
  bool matters(const Context& context, const Op& call) {
    const Effects& callee = effects_[call.attrs.rare->function];
    if (effects_[kernel_].releases) return !callee.touched.empty();
    size_t operand = 0;
    for (const ir::Param& param : program_.functions[call.attrs.rare->function].params) {
      if (!param.value) continue;
      const ValueId passed = call.operands[operand++];
      if (callee.touched.contains(param.value) && is_written(places_.root(context, passed))) return true;
    }
    return false;
  }

  bool is_written(ValueId root) const { return !root || effects_[kernel_].written.contains(root); }

  void access(const Context& context, OpId id, Pending& pending) {
    const Op& op = program_.ops[id];
    if (is_load(op.kind) && !effects_[kernel_].releases && !is_written(places_.root(context, op.operands[0]))) return;
    const uint32_t place = places_.place(context, id);
    for (const Access& earlier : pending) {
      if (!conflict(earlier, place)) continue;
      if (separate(earlier, place) == id) break;
      again_ = true;
      return;
    }
    if (pending.size() >= most_pending) out_.barriers.insert(id);
    if (out_.barriers.contains(id)) pending.clear();
    pending.insert({place, 0});
  }

  bool conflict(const Access& earlier, uint32_t place) {
    const Op& first = program_.ops[places_[earlier.place].access()];
    const Op& second = program_.ops[places_[place].access()];
    // An atomic that a loop waits for is no sign for others.
    if (conditions_ == 0 && releases(program_, second) && !is_atomic(first.kind)) return true;
    const auto [at, is_new] = meeting_.try_emplace({earlier, place}, false);
    if (is_new) at->second = meet(earlier, place);
    return at->second;
  }

  // Whether the two may touch one element, and a thread not its own.
  bool meet(const Access& earlier, uint32_t place) {
    const OpId first_id = places_[earlier.place].access();
    const OpId second_id = places_[place].access();
    const Op& first = program_.ops[first_id];
    const Op& second = program_.ops[second_id];
    if (is_load(first.kind) && is_load(second.kind)) return false;
    if (is_atomic(first.kind) && is_atomic(second.kind)) return false;
    if (places_.disjoint(earlier.place, earlier.carrier, place)) return false;
    if (is_store(first.kind) && is_store(second.kind)) {
      if (!places_.same_or_disjoint(earlier.place, earlier.carrier, place)) return true;
      return first_id != second_id && places_.same(earlier.place, earlier.carrier, place);
    }
    const bool in_place = is_load(first.kind) && is_store(second.kind) && places_.same(earlier.place, earlier.carrier, place);
    return !(in_place && flows_.stays_in_lanes(first.results[0]));
  }

  // A barrier where the ways to the two part: before the access, or before the call that leads to it, and outside of loops that
  // only the later one is in.
  OpId separate(const Access& earlier, uint32_t later) {
    const std::vector<OpId>& from = places_[earlier.place].path;
    const std::vector<OpId>& to = places_[later].path;
    auto part = std::mismatch(to.begin(), to.end() - 1, from.begin(), from.end()).first;
    // What comes round in a loop of the kernel is a matter of the kernel.
    if (earlier.carrier)
      part = std::find_if(to.begin(), part, [&](OpId step) { return places_.encloses(earlier.carrier, step); });
    const LoopNumber loop = places_.outermost_own_loop(earlier.place, earlier.carrier, later);
    if (loop && std::any_of(to.begin(), part + 1, [&](OpId step) { return places_.encloses(loop, step); })) {
      out_.barriers.insert(places_.op_of(loop));
      return places_.op_of(loop);
    }
    out_.barriers.insert(*part);
    const OpId first = from[static_cast<size_t>(part - to.begin())];
    if (first != *part && program_.ops[first].statement == program_.ops[*part].statement) out_.apart.insert(first);
    return *part;
  }

  bool has_too_many_calls() const { return places_.calls() - calls_before_ > most_calls; }

  void everywhere() {
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      const OpKind kind = program_.ops[OpId{i}].kind;
      if (is_load(kind) || is_store(kind) || is_atomic(kind)) out_.barriers.insert(OpId{i});
      if (is_load(kind) || is_atomic(kind)) out_.apart.insert(OpId{i});
    }
  }

  const ir::Program& program_;
  const AllEffects& effects_;
  Places places_;
  Flows flows_;
  std::vector<bool> used_;
  std::map<std::pair<Access, uint32_t>, bool> meeting_;  // of the pairs asked so far
  std::vector<Exits> exits_;                             // of the loops around
  std::vector<Pending> returns_;                         // of the calls around
  int conditions_ = 0;                                   // of loops, that are being walked
  Hazards out_;
  size_t calls_before_ = 0;
  bool again_ = false;
  ir::FunctionId kernel_;  // that is walked
};

}  // namespace

Hazards hazards(const ir::Program& program, const Uses& uses) {
  const AllEffects effects(program);
  Sequence sequence(program, uses, effects);
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[ir::FunctionId{i}];
    if (function.kind == ir::FunctionKind::Kernel && function.body) sequence.kernel(ir::FunctionId{i});
  }
  Hazards out = sequence.take();
  // All instances of a helper wait alike, so that one text serves them all.
  const auto in_all_instances = [&](std::set<OpId>& ops) {
    std::set<std::tuple<ir::OriginId, source::Span, OpKind>> places;
    const auto place = [&](OpId id) { return std::tuple{program.ops[id].node, program.ops[id].span, program.ops[id].kind}; };
    for (const OpId id : ops) places.insert(place(id));
    for (uint32_t i = 0; i < program.ops.size(); ++i) {
      if (program.ops[OpId{i}].node && places.contains(place(OpId{i}))) ops.insert(OpId{i});
    }
  };
  in_all_instances(out.barriers);
  in_all_instances(out.apart);
  return out;
}

}  // namespace tilewright::back::triton
