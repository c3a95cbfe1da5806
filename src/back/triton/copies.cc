// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies in loops that Triton would lose.
//
// Triton reads a loop's body once to see which variables change: those that are another SSA value at its end. After
//
//     b = a
//     while …:
//         a = b
//         b += 1
//
// it says of `a` that it stays as it was, since on the first way `a` and `b` are one value (code_generator.py, _find_carries; 3.6
// to 3.9). An integer is copied by a sum there, which is a value of its own; of anything else we say that we cannot.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "back/triton/legalize.h"
#include "base/disjoint_sets.h"
#include "ir/insert.h"
#include "ir/walk.h"

namespace tilewright::back::triton {
namespace {

using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using ir::VarId;

constexpr diag::Message<std::string_view, std::string_view> lost_copy(
    "TW211", "`{}` and `{}` may be one value before this loop, and Triton would take them for one in it");

// An assignment of a variable, and the variable that it may be a mere copy of.
struct Copy {
  OpId set;
  size_t operand = 0;
  VarId to;
  VarId from;
};

class Copies {
 public:
  Copies(ir::Program& program, ir::FunctionId function, diag::Diagnostics& diagnostics)
      : program_(program), function_(function), diagnostics_(diagnostics) {}

  void run() {
    std::vector<OpId> loops;
    ir::each_op(program_, body(), [&](OpId id) {
      const OpKind kind = program_.ops[id].kind;
      if (ir::is_loop(kind)) loops.push_back(id);
      if (kind == OpKind::Set) sets_.push_back(id);
    });
    if (std::none_of(sets_.begin(), sets_.end(), [&](OpId set) { return copies_variable(set); })) return;
    std::vector<Copy> lost;
    for (const OpId loop : loops) find_lost(loop, lost);
    for (const Copy& copy : lost) mend(copy);
  }

 private:
  ir::BlockId body() const { return program_.functions[function_].body; }
  const Op& op(OpId id) const { return program_.ops[id]; }

  // What a value may be the same SSA value as, in Triton: conversions to the dtype and the shape that it has leave it alone.
  ValueId source(ValueId value) const {
    while (const OpId definition = program_.values[value].definition) {
      const OpKind kind = op(definition).kind;
      if (kind != OpKind::Copy && kind != OpKind::Cast && kind != OpKind::Reshape && kind != OpKind::Broadcast &&
          kind != OpKind::Permute && kind != OpKind::ExpandDims) {
        break;
      }
      value = op(definition).operands[0];
    }
    return value;
  }
  VarId copied(ValueId value) const {
    const OpId definition = program_.values[source(value)].definition;
    return definition && op(definition).kind == OpKind::Get ? op(definition).attrs.var : VarId::none();
  }
  bool copies_variable(OpId set) const {
    const auto& operands = op(set).operands;
    return std::any_of(operands.begin(), operands.end(), [&](ValueId value) { return copied(value).valid(); });
  }

  void find_lost(OpId loop, std::vector<Copy>& lost) {
    std::set<OpId> inside;
    bool copies_any = false;
    for (const ir::BlockId region : op(loop).regions) {
      ir::each_op(program_, region, [&](OpId id) {
        if (op(id).kind != OpKind::Set) return;
        inside.insert(id);
        copies_any |= copies_variable(id);
      });
    }
    if (!copies_any) return;
    std::map<VarId, uint32_t> variables;  // by number, those that have a value before the loop, or behind it
    std::map<ValueId, uint32_t> values;
    DisjointSets alike;
    const auto number = [&](auto& numbers, auto id) {
      const auto [found, is_new] = numbers.try_emplace(id, static_cast<uint32_t>(variables.size() + values.size()));
      if (is_new) alike.add();
      return found->second;
    };
    std::set<VarId> changed;
    std::vector<Copy> copies;
    for (const OpId set : sets_) {
      for (size_t i = 0; i < op(set).operands.size(); ++i) {
        const ValueId value = op(set).operands[i];
        const VarId to = ir::written_vars(op(set))[i];
        const VarId from = copied(value);
        if (inside.contains(set)) {
          changed.insert(to);
          if (from && from != to) copies.push_back({set, i, to, from});
        } else {
          const uint32_t a = number(variables, to);
          alike.join(a, from ? number(variables, from) : number(values, source(value)));
        }
      }
    }
    for (const Copy& copy : copies) {
      const auto to = variables.find(copy.to);
      const auto from = variables.find(copy.from);
      if (to == variables.end() || from == variables.end() || !changed.contains(copy.from)) continue;
      const auto same = [&](const Copy& other) { return other.set == copy.set && other.operand == copy.operand; };
      if (alike.find(to->second) == alike.find(from->second) && std::none_of(lost.begin(), lost.end(), same))
        lost.push_back(copy);
    }
  }

  void mend(const Copy& copy) {
    const ValueId value = op(copy.set).operands[copy.operand];
    const ir::TypeId type = program_.values[value].type;
    const ir::Type& tile = program_.types[type];
    if (tile.kind != ir::TypeKind::Tile || program_.types.class_of(tile.dtype) != ir::ScalarClass::Signed) {
      diagnostics_.push_back(diag::report(diag::Severity::Error, op(copy.set).span, lost_copy, program_.vars[copy.to].name,
                                          program_.vars[copy.from].name));
      diagnostics_.back().kernel = program_.functions[function_].name;
      return;
    }
    const ir::BlockId block = ir::Structure(program_).block_of(copy.set);
    const ValueId nothing = ir::insert(program_, block, copy.set, {.kind = OpKind::Literal},
                                       program_.types.constant(ir::LooseKind::Int, program_.arena.integer(0)));
    const ir::DtypeId dtype = program_.types[type].dtype;
    const ValueId sum = ir::insert(program_, block, copy.set,
                                   {.kind = OpKind::Add, .operands = {value, nothing}, .attrs = {.dtype = dtype}}, type);
    program_.ops[copy.set].operands[copy.operand] = sum;
  }

  ir::Program& program_;
  ir::FunctionId function_;
  diag::Diagnostics& diagnostics_;
  std::vector<OpId> sets_;
};

}  // namespace

void keep_copies(ir::Program& program, ir::FunctionId function, diag::Diagnostics& diagnostics) {
  if (program.functions[function].body) Copies(program, function, diagnostics).run();
}

}  // namespace tilewright::back::triton
