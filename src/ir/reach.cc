// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/reach.h"

#include <algorithm>

#include "ir/flow.h"

namespace tilewright::ir {
namespace {

struct Writes {
  using Fact = Reach;

  const Program& program;
  Reaches reaches = {};

  Reach unwritten() const { return {}; }

  Reach join(const Reach& a, const Reach& b) const {
    Reach out;
    std::set_union(a.writes.begin(), a.writes.end(), b.writes.begin(), b.writes.end(), std::back_inserter(out.writes));
    out.certain = a.certain && b.certain;
    return out;
  }

  Reach coming_round(OpId, VarId, const Reach& before, const Reach& after) const { return join(before, after); }

  void visit(Flow<Writes>& flow, OpId id) {
    const Op& op = program.ops[id];
    if (op.kind == OpKind::Get) {
      const Reach now = flow.read(op.attrs.var);
      const auto [found, is_new] = reaches.emplace(id, now);
      if (!is_new) found->second = join(found->second, now);
    } else if (op.kind == OpKind::Set) {
      for (const VarId var : written_vars(op)) flow.write(var, {.writes = {id}, .certain = true});
    }
  }

  void enter(OpId, size_t) const {}
  void leave(OpId, size_t) const {}
};

struct Presence {
  using Fact = IsWritten;

  const Program& program;
  std::map<OpId, IsWritten> reads = {};

  IsWritten unwritten() const { return IsWritten::Never; }
  IsWritten join(IsWritten a, IsWritten b) const { return a == b ? a : IsWritten::Sometimes; }
  IsWritten coming_round(OpId, VarId, IsWritten before, IsWritten after) const { return join(before, after); }

  void visit(Flow<Presence>& flow, OpId id) {
    const Op& op = program.ops[id];
    if (op.kind == OpKind::Get) {
      const IsWritten now = flow.read(op.attrs.var);
      const auto [found, is_new] = reads.emplace(id, now);
      if (!is_new) found->second = join(found->second, now);
    } else if (op.kind == OpKind::Set) {
      for (const VarId var : written_vars(op)) flow.write(var, IsWritten::Always);
    }
  }

  void enter(OpId, size_t) const {}
  void leave(OpId, size_t) const {}
};

}  // namespace

std::map<OpId, IsWritten> written_before(const Program& program, FunctionId function) {
  Presence presence{program};
  Flow<Presence>(program, presence).run(program.functions[function].body);
  return std::move(presence.reads);
}

Reaches reaching_writes(const Program& program, FunctionId function) {
  Writes writes{program};
  Flow<Writes>(program, writes).run(program.functions[function].body);
  return std::move(writes.reaches);
}

ValueId written(const Program& program, OpId set, VarId var) {
  const Op& op = program.ops[set];
  for (size_t i = written_vars(op).size(); i-- > 0;) {
    if (written_vars(op)[i] == var) return op.operands[i];
  }
  return ValueId::none();
}

}  // namespace tilewright::ir
