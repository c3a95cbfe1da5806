// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops without `break`, `continue` and `return`, which Triton does not know.
//
// What follows an `if` that jumps away moves into its other branch; a jump that is then the last thing of its loop's body goes.
// Where only some paths of an `if` jump, a flag remembers. A loop that can be left becomes a `while` that asks the flag first.
//
// Triton reads on behind an `if` on a constant that returns, wants one type of all returns that it reads, and knows only names of
// the branch that it read: where types differ, or what follows reads what only the other branch assigns, it moves into that
// branch too.

#include <map>
#include <optional>
#include <set>
#include <span>

#include "back/triton/legalize.h"
#include "ir/insert.h"
#include "ir/walk.h"

namespace tilewright::back::triton {
namespace {

using ir::BlockId;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;
using ir::VarId;

constexpr diag::Message<> return_in_loop("TW204", "a helper returns a value from inside of a loop, which Triton cannot say");

struct Jumps {
  bool leaves = false;   // break, or return, out of the loop
  bool skips = false;    // continue
  bool returns = false;  // return from inside of the loop
};

class Jumper {
 public:
  Jumper(ir::Program& program, ir::FunctionId function, diag::Diagnostics& diagnostics)
      : program_(program), function_(function), diagnostics_(diagnostics) {}

  void run() {
    const ir::Function& function = program_.functions[function_];
    loops(function.body);
    returns(function.body);
  }

 private:
  Op& op(OpId id) { return program_.ops[id]; }
  std::vector<OpId>& ops(BlockId id) { return program_.blocks[id].ops; }

  // Jumps below the block that concern the innermost loop around it. A loop inside keeps its own.
  Jumps jumps_in(BlockId block) {
    Jumps out;
    for (const OpId id : ops(block)) {
      const OpKind kind = op(id).kind;
      const bool loop = ir::is_loop(kind);
      out.leaves |= kind == OpKind::Break || kind == OpKind::Return;
      out.returns |= kind == OpKind::Return;
      out.skips |= kind == OpKind::Continue;
      for (const BlockId region : op(id).regions) {
        const Jumps inner = jumps_in(region);
        out.leaves |= loop ? inner.returns : inner.leaves;
        out.skips |= !loop && inner.skips;
        out.returns |= inner.returns;
      }
    }
    return out;
  }

  bool falls_through(BlockId block) {
    for (const OpId id : ops(block)) {
      const OpKind kind = op(id).kind;
      if (kind == OpKind::Break || kind == OpKind::Continue || kind == OpKind::Return) return false;
      if (kind == OpKind::If && op(id).regions.size() == 2 && !falls_through(op(id).regions[0]) &&
          !falls_through(op(id).regions[1])) {
        return false;
      }
    }
    return true;
  }

  // An op of ours at the end of a block, as part of the statement of `like`.
  OpId emit(BlockId block, const Op& like, Op made) { return ir::append(program_, block, like, std::move(made)); }
  ValueId emit_value(BlockId block, const Op& like, Op made, ir::TypeId type) {
    return ir::append(program_, block, like, std::move(made), type);
  }
  ValueId literal(BlockId block, const Op& like, bool value) {
    return emit_value(block, like, {.kind = OpKind::Literal},
                      program_.types.constant(ir::LooseKind::Bool, program_.arena.literal(value)));
  }
  void set(BlockId block, const Op& like, VarId var, ValueId value) {
    emit(block, like, {.kind = OpKind::Set, .operands = {value}, .attrs = {.var = var}});
  }
  ir::TypeId scalar(ir::Scalar kind) { return program_.types.tile(program_.types.known(kind), {}); }
  ValueId get(BlockId block, const Op& like, VarId var, ir::TypeId type) {
    return emit_value(block, like, {.kind = OpKind::Get, .attrs = {.var = var}}, type);
  }

  // Every name that the function says.
  void take_names(BlockId block) {
    for (const ValueId argument : program_.blocks[block].arguments) taken_.insert(program_.values[argument].name);
    for (const OpId id : ops(block)) {
      const Op& at = op(id);
      taken_.insert(at.attrs.rare->name);
      for (const ValueId result : at.results) taken_.insert(program_.values[result].name);
      for (const VarId var : ir::written_vars(at)) taken_.insert(program_.vars[var].name);
      if (at.kind == OpKind::Call) taken_.insert(program_.functions[at.attrs.rare->function].name);
      for (const BlockId region : at.regions) take_names(region);
    }
  }
  // A variable of ours, whose name nothing else in the function has.
  VarId fresh(const std::string& base) {
    if (taken_.empty()) {
      for (const ir::Param& param : program_.functions[function_].params) taken_.insert(param.name);
      take_names(program_.functions[function_].body);
    }
    std::string name = base;
    for (int i = 1; !taken_.insert(name).second; ++i) name = base + "_" + std::to_string(i);
    return program_.vars.add({.name = name});
  }

  // Every loop below the block, innermost first.
  void loops(BlockId block) {
    for (size_t i = 0; i < ops(block).size(); ++i) {
      const OpId id = ops(block)[i];
      const bool loop = ir::is_loop(op(id).kind);
      const RareList<BlockId> regions = op(id).regions;
      for (const BlockId region : regions) loops(region);
      if (!loop) continue;
      const BlockId body = regions.back();
      const Jumps jumps = jumps_in(body);
      if (!jumps.leaves && !jumps.skips) continue;
      i = rewrite(block, i, body, jumps);
    }
  }

  // Rewrites the loop at `position`; answers where it stands now.
  size_t rewrite(BlockId block, size_t position, BlockId body, const Jumps& jumps) {
    const OpId loop = ops(block)[position];
    const Op original = op(loop);
    std::optional<VarId> left;
    std::optional<VarId> returned;
    if (jumps.leaves) left = fresh("done");
    if (jumps.returns) {
      if (program_.functions[function_].kind == ir::FunctionKind::Helper && !program_.functions[function_].results.empty()) {
        diag::Diagnostic report = diag::report(diag::Severity::Error, original.span, return_in_loop);
        report.kernel = program_.functions[function_].name;
        diagnostics_.push_back(std::move(report));
        return position;
      }
      returned = fresh("returned");
    }
    settle(body, body, left, returned);
    std::optional<VarId> index;  // chosen while every reader still stands in its block
    if (left && original.kind == OpKind::For) index = counter(body, program_.blocks[body].arguments[0]);

    const std::vector<OpId> after(ops(block).begin() + static_cast<ptrdiff_t>(position) + 1, ops(block).end());
    ops(block).resize(position);
    if (left) set(block, original, *left, literal(block, original, false));
    if (returned) set(block, original, *returned, literal(block, original, false));
    if (left) leave_when(block, loop, *left, index);
    ops(block).push_back(loop);
    const size_t at = ops(block).size() - 1;
    if (returned) {
      const ValueId condition = get(block, original, *returned, scalar(ir::Scalar::Bool));
      const BlockId then = program_.blocks.add({});
      emit(then, original, {.kind = OpKind::Return, .attrs = {}});
      emit(block, original,
           {.kind = OpKind::If, .operands = {condition}, .regions = {then, program_.blocks.add({})}, .attrs = {}});
    }
    ops(block).insert(ops(block).end(), after.begin(), after.end());
    return at;
  }

  // Makes the loop ask `left` before each iteration. A `for` becomes a `while` that counts in `counter`.
  void leave_when(BlockId block, OpId loop, VarId left, std::optional<VarId> counter) {
    const Op original = op(loop);
    if (!counter) {
      const BlockId condition = original.regions[0];
      const BlockId inner = program_.blocks.add({});
      ops(inner) = ops(condition);
      ops(condition).clear();
      const ValueId last = op(ops(inner).back()).operands[0];
      ValueId stays = not_flag(condition, original, left);
      const ir::Type& type = program_.types[program_.values[last].type];
      const bool always = type.kind == ir::TypeKind::Const && program_.arena.truth_of(type.value) == true;
      if (!always) {
        const OpId both =
            emit(condition, original, {.kind = OpKind::AndThen, .operands = {stays}, .regions = {inner}, .attrs = {}});
        stays = program_.values.add({.type = scalar(ir::Scalar::Bool), .definition = both, .name = {}});
        op(both).results = {stays};
      }
      emit(condition, original, {.kind = OpKind::Yield, .operands = {stays}, .attrs = {}});
      return;
    }
    const BlockId body = original.regions[0];
    const ValueId argument = program_.blocks[body].arguments[0];
    const ir::TypeId i32 = scalar(ir::Scalar::I32);
    const VarId index = *counter;
    set(block, original, index, original.operands[0]);

    const BlockId condition = program_.blocks.add({});
    const ValueId stays = not_flag(condition, original, left);
    const BlockId inner = program_.blocks.add({});
    const ValueId now = get(inner, original, index, i32);
    const ValueId below = emit_value(inner, original,
                                     {.kind = OpKind::CmpLt,
                                      .operands = {now, original.operands[1]},
                                      .attrs = {.dtype = program_.types.known(ir::Scalar::I32)}},
                                     scalar(ir::Scalar::Bool));
    emit(inner, original, {.kind = OpKind::Yield, .operands = {below}, .attrs = {}});
    const ValueId both =
        emit_value(condition, original, {.kind = OpKind::AndThen, .operands = {stays}, .regions = {inner}, .attrs = {}},
                   scalar(ir::Scalar::Bool));
    emit(condition, original, {.kind = OpKind::Yield, .operands = {both}, .attrs = {}});

    // The body reads the variable wherever it read the induction variable.
    rename(body, argument, index, i32);
    const ValueId current = get(body, original, index, i32);
    const ValueId next = emit_value(body, original,
                                    {.kind = OpKind::Add,
                                     .operands = {current, original.operands[2]},
                                     .attrs = {.dtype = program_.types.known(ir::Scalar::I32)}},
                                    i32);
    emit(body, original, {.kind = OpKind::Set, .operands = {next}, .attrs = {.var = index, .spelling = ir::Spelling::Augmented}});
    program_.blocks[body].arguments.clear();
    Op& made = op(loop);
    made.kind = OpKind::While;
    made.operands.clear();
    made.regions = {condition, body};
  }

  // The variable that counts in the place of the induction variable. It has the author's name unless that means something else.
  VarId counter(BlockId body, ValueId argument) {
    const std::optional<VarId> target = target_of(body);
    const std::string name = target ? program_.vars[*target].name : program_.values[argument].name.string();
    if (name.empty()) return fresh("i");
    const size_t own = target ? 1 : 0;
    const bool lost = target && read_elsewhere(program_.functions[function_].body, body, *target);
    const bool shared = !lost && assignments(name, body) == own;
    return shared ? program_.vars.add({.name = name}) : fresh(name == "_" ? "i" : name);
  }
  // What the author's `for` assigns its number to, where that is a variable.
  std::optional<VarId> target_of(BlockId body) {
    for (const OpId id : ops(body)) {
      if (op(id).kind == OpKind::Set && op(id).attrs.spelling == ir::Spelling::Target) return ir::written_vars(op(id))[0];
    }
    return std::nullopt;
  }
  // How often the name is assigned below the block, by loops there too.
  size_t assignments(const std::string& name, BlockId block) {
    size_t out = 0;
    for (const OpId id : ops(block)) {
      for (const VarId var : ir::written_vars(op(id))) out += program_.vars[var].name == name ? 1 : 0;
      for (const BlockId region : op(id).regions) {
        for (const ValueId argument : program_.blocks[region].arguments) out += program_.values[argument].name == name ? 1 : 0;
        out += assignments(name, region);
      }
    }
    return out;
  }
  // Whether anything outside of `body` reads the target of its loop. A loop beside it that assigns the target first does not.
  bool read_elsewhere(BlockId block, BlockId body, VarId target) {
    for (const OpId id : ops(block)) {
      if (op(id).kind == OpKind::Get && op(id).attrs.var == target) return true;
      const bool loop = ir::is_loop(op(id).kind);
      for (const BlockId region : op(id).regions) {
        if (region == body || (loop && target_of(region) == target && !holds(region, body))) continue;
        if (read_elsewhere(region, body, target)) return true;
      }
    }
    return false;
  }
  bool holds(BlockId block, BlockId inner) {
    for (const OpId id : ops(block)) {
      for (const BlockId region : op(id).regions) {
        if (region == inner || holds(region, inner)) return true;
      }
    }
    return false;
  }

  ValueId not_flag(BlockId block, const Op& like, VarId left) {
    const ValueId value = get(block, like, left, scalar(ir::Scalar::Bool));
    return emit_value(block, like, {.kind = OpKind::Not, .operands = {value}, .attrs = {}}, scalar(ir::Scalar::Bool));
  }

  void rename(BlockId block, ValueId from, VarId to, ir::TypeId type) {
    std::vector<OpId> out;
    for (const OpId id : std::vector<OpId>(ops(block))) {
      for (size_t i = 0; i < op(id).operands.size(); ++i) {
        if (op(id).operands[i] != from) continue;
        const Op like = op(id);
        const OpId read = program_.ops.add(
            {.kind = OpKind::Get, .span = like.span, .statement = like.statement, .node = like.node, .attrs = {.var = to}});
        const ValueId value = program_.values.add({.type = type, .definition = read, .name = {}});
        op(read).results = {value};
        op(id).operands[i] = value;
        out.push_back(read);
      }
      out.push_back(id);
      for (const BlockId region : RareList<BlockId>(op(id).regions)) rename(region, from, to, type);
    }
    ops(block) = std::move(out);
  }

  // Removes the jumps of one loop from a block whose end is the end of the loop's body.
  void settle(BlockId block, BlockId body, std::optional<VarId> left, std::optional<VarId> returned) {
    for (size_t i = 0; i < ops(block).size(); ++i) {
      const OpId id = ops(block)[i];
      const OpKind kind = op(id).kind;
      if (kind == OpKind::Continue || kind == OpKind::Break || kind == OpKind::Return) {
        const Op like = op(id);
        ops(block).resize(i);
        if (kind != OpKind::Continue) set(block, like, *left, literal(block, like, true));
        if (kind == OpKind::Return) set(block, like, *returned, literal(block, like, true));
        return;
      }
      if (kind != OpKind::If) continue;
      const Jumps jumps = both(op(id).regions);
      if (!jumps.leaves && !jumps.skips) continue;
      while (op(id).regions.size() < 2) {
        const BlockId empty = program_.blocks.add({});
        op(id).regions.push_back(empty);
      }
      const BlockId then = op(id).regions[0];
      const BlockId otherwise = op(id).regions[1];
      std::vector<OpId> rest(ops(block).begin() + static_cast<ptrdiff_t>(i) + 1, ops(block).end());
      ops(block).resize(i + 1);
      const bool then_ends = !falls_through(then);
      const bool else_ends = !falls_through(otherwise);
      if (then_ends && !else_ends) {
        ops(otherwise).insert(ops(otherwise).end(), rest.begin(), rest.end());
      } else if (else_ends && !then_ends) {
        ops(then).insert(ops(then).end(), rest.begin(), rest.end());
      } else if (!then_ends && !rest.empty()) {
        guard(block, i, id, std::move(rest), left, returned, body);
        return;
      }
      settle(then, body, left, returned);
      settle(otherwise, body, left, returned);
      return;
    }
  }

  // Some paths of the `if` jump: a flag says whether this one did.
  void guard(BlockId block, size_t position, OpId branch, std::vector<OpId> rest, std::optional<VarId> left,
             std::optional<VarId> returned, BlockId body) {
    const Op like = op(branch);
    const VarId skip = fresh("skip");
    ops(block).resize(position);
    set(block, like, skip, literal(block, like, false));
    ops(block).push_back(branch);
    for (const BlockId region : op(branch).regions) mark(region, skip);
    for (const BlockId region : RareList<BlockId>(op(branch).regions)) settle(region, body, left, returned);
    const ValueId condition = not_flag(block, like, skip);
    const BlockId inner = program_.blocks.add({});
    ops(inner) = std::move(rest);
    emit(block, like, {.kind = OpKind::If, .operands = {condition}, .regions = {inner, program_.blocks.add({})}, .attrs = {}});
    settle(inner, body, left, returned);
  }

  // Before each jump below: the flag.
  void mark(BlockId block, VarId skip) {
    for (size_t i = 0; i < ops(block).size(); ++i) {
      const OpId id = ops(block)[i];
      const Op like = op(id);
      if (like.kind == OpKind::Continue || like.kind == OpKind::Break || like.kind == OpKind::Return) {
        ops(block).resize(i);
        set(block, like, skip, literal(block, like, true));
        ops(block).push_back(id);
        return;
      }
      if (like.kind == OpKind::If) {
        for (const BlockId region : like.regions) mark(region, skip);
      }
    }
  }

  bool is_settled(OpId id) {
    return op(id).kind == OpKind::If && program_.types[program_.values[op(id).operands[0]].type].kind == ir::TypeKind::Const;
  }

  using ReturnTypes = std::set<std::vector<ir::TypeId>>;
  void add_return_types(OpId id, ReturnTypes& out) {
    if (op(id).kind == OpKind::Return) {
      std::vector<ir::TypeId> types;
      for (const ValueId value : op(id).operands) types.push_back(program_.values[value].type);
      out.insert(std::move(types));
    }
    for (const BlockId region : op(id).regions) {
      for (const OpId inner : ops(region)) add_return_types(inner, out);
    }
  }

  // Whether ops read a variable that nothing but `branch` and they themselves assign.
  bool read_only_from(BlockId branch, std::span<const OpId> rest) {
    std::map<VarId, int> writes;  // outside of both
    const auto count = [&](int step) {
      return [this, &writes, step](OpId id) {
        for (const VarId var : ir::written_vars(op(id))) writes[var] += step;
      };
    };
    const auto each_of_rest = [&](const auto& visit) {
      for (const OpId id : rest) {
        visit(id);
        for (const BlockId region : op(id).regions) ir::each_op(program_, region, visit);
      }
    };
    std::set<VarId> assigned;
    ir::each_op(program_, branch, [&](OpId id) {
      const std::span<const VarId> vars = ir::written_vars(program_.ops[id]);
      assigned.insert(vars.begin(), vars.end());
    });
    if (assigned.empty()) return false;
    ir::each_op(program_, program_.functions[function_].body, count(1));
    ir::each_op(program_, branch, count(-1));
    each_of_rest(count(-1));
    bool reads = false;
    each_of_rest([&](OpId id) {
      const VarId var = op(id).kind == OpKind::Get ? op(id).attrs.var : VarId::none();
      reads = reads || (var && assigned.contains(var) && writes[var] == 0);
    });
    return reads;
  }

  void returns(BlockId block) {
    for (size_t i = 0; i < ops(block).size(); ++i) {
      const OpId id = ops(block)[i];
      if (is_settled(id) && op(id).regions.size() == 2) {
        const bool then_ends = !falls_through(op(id).regions[0]);
        const bool else_ends = !falls_through(op(id).regions[1]);
        ReturnTypes types;
        for (size_t at = i; at < ops(block).size(); ++at) add_return_types(ops(block)[at], types);
        const BlockId other = op(id).regions[then_ends ? 1 : 0];
        const std::vector<OpId> rest(ops(block).begin() + static_cast<ptrdiff_t>(i) + 1, ops(block).end());
        if (then_ends != else_ends && (types.size() > 1 || read_only_from(other, rest))) {
          ops(other).insert(ops(other).end(), rest.begin(), rest.end());
          ops(block).resize(i + 1);
        }
      }
      for (const BlockId region : RareList<BlockId>(op(id).regions)) returns(region);
    }
  }

  Jumps both(const ShortList<BlockId>& regions) {
    Jumps out;
    for (const BlockId region : regions) {
      const Jumps inner = jumps_in(region);
      out.leaves |= inner.leaves;
      out.skips |= inner.skips;
      out.returns |= inner.returns;
    }
    return out;
  }

  ir::Program& program_;
  ir::FunctionId function_;
  diag::Diagnostics& diagnostics_;
  std::set<std::string> taken_;  // empty until the first name is made
};

}  // namespace

void remove_jumps(ir::Program& program, ir::FunctionId function, diag::Diagnostics& diagnostics) {
  Jumper(program, function, diagnostics).run();
}

}  // namespace tilewright::back::triton
