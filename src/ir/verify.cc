// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Structure: regions, definitions before uses, jumps, variables. What the results of single ops must be is in verify_types.cc.

#include "ir/verify.h"

#include <algorithm>

#include "ir/attrs.h"
#include "ir/reach.h"
#include "ir/text.h"
#include "ir/verify_types.h"
#include "ir/walk.h"

namespace tilewright::ir {
namespace {

// Whether a value can be read at a place. A name that is bound under a compile-time condition may be read under the same
// condition elsewhere: `if HAS_BIAS: bias = …`, and later `if HAS_BIAS: acc += bias`.
enum class Visible : uint8_t { No, UnderCondition, Yes };

struct RegionCount {
  size_t least = 0;
  size_t most = 0;
};

RegionCount regions_of(OpKind kind) {
  switch (kind) {
    case OpKind::If: return {1, 2};
    case OpKind::For:
    case OpKind::AndThen:
    case OpKind::OrElse: return {1, 1};
    case OpKind::While:
    case OpKind::Ternary: return {2, 2};
    case OpKind::Literal:
    case OpKind::Symbol:
    case OpKind::DtypeName:
    case OpKind::DtypeOf:
    case OpKind::TileDim:
    case OpKind::Copy:
    case OpKind::Get:
    case OpKind::Set:
    case OpKind::Break:
    case OpKind::Continue:
    case OpKind::Return:
    case OpKind::Yield:
    case OpKind::Call:
    case OpKind::Unsupported:
    case OpKind::Mark:
    case OpKind::ProgramId:
    case OpKind::NumPrograms:
    case OpKind::ArrayDim:
    case OpKind::ArrayStride:
    case OpKind::NumTiles:
    case OpKind::ArraySlice:
    case OpKind::ListItem:
    case OpKind::ListLen:
    case OpKind::LoadTile:
    case OpKind::StoreTile:
    case OpKind::Gather:
    case OpKind::Scatter:
    case OpKind::AtomicRmw:
    case OpKind::AtomicCas:
    case OpKind::Iota:
    case OpKind::Full:
    case OpKind::Cast:
    case OpKind::Bitcast:
    case OpKind::Reshape:
    case OpKind::ExpandDims:
    case OpKind::Permute:
    case OpKind::Broadcast:
    case OpKind::Cat:
    case OpKind::Extract:
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::TrueDiv:
    case OpKind::FloorDiv:
    case OpKind::TruncDiv:
    case OpKind::CeilDiv:
    case OpKind::CeilDivPositive:
    case OpKind::FloorMod:
    case OpKind::TruncMod:
    case OpKind::Pow:
    case OpKind::Min:
    case OpKind::Max:
    case OpKind::BitAnd:
    case OpKind::BitOr:
    case OpKind::BitXor:
    case OpKind::Shl:
    case OpKind::Shr:
    case OpKind::Atan2:
    case OpKind::CmpEq:
    case OpKind::CmpNe:
    case OpKind::CmpLt:
    case OpKind::CmpLe:
    case OpKind::CmpGt:
    case OpKind::CmpGe:
    case OpKind::Neg:
    case OpKind::Not:
    case OpKind::BitNot:
    case OpKind::Abs:
    case OpKind::Exp:
    case OpKind::Exp2:
    case OpKind::Log:
    case OpKind::Log2:
    case OpKind::Sqrt:
    case OpKind::Rsqrt:
    case OpKind::Sin:
    case OpKind::Cos:
    case OpKind::Tan:
    case OpKind::Sinh:
    case OpKind::Cosh:
    case OpKind::Tanh:
    case OpKind::Floor:
    case OpKind::Ceil:
    case OpKind::IsNan:
    case OpKind::Where:
    case OpKind::Reduce:
    case OpKind::Scan:
    case OpKind::PtrAdd:
    case OpKind::PtrLoad:
    case OpKind::PtrStore:
    case OpKind::PtrAtomicRmw:
    case OpKind::PtrAtomicCas:
    case OpKind::MakeWindow:
    case OpKind::WindowMove:
    case OpKind::WindowDim:
    case OpKind::WindowStride:
    case OpKind::WindowLoad:
    case OpKind::WindowStore:
    case OpKind::WindowAtomic:
    case OpKind::WindowGather:
    case OpKind::WindowScatter:
    case OpKind::Barrier:
    case OpKind::Assume:
    case OpKind::DeviceAssert:
    case OpKind::Join:
    case OpKind::Split:
    case OpKind::Flip:
    case OpKind::Take:
    case OpKind::ReduceBy:
    case OpKind::ScanBy:
    case OpKind::MapBy:
    case OpKind::Sort:
    case OpKind::TopK:
    case OpKind::Histogram:
    case OpKind::MulHigh:
    case OpKind::Erf:
    case OpKind::Log1p:
    case OpKind::Expm1:
    case OpKind::Asin:
    case OpKind::Acos:
    case OpKind::Atan:
    case OpKind::Rint:
    case OpKind::Trunc:
    case OpKind::IsInf:
    case OpKind::Fma:
    case OpKind::Dot: return {0, 0};
  }
  return {0, 0};
}

class Verifier {
 public:
  Verifier(const Program& program, Form form)
      : program_(program), form_(form), visible_(program.values.size(), Visible::No), stands_(program.ops.size(), false) {}

  std::vector<Violation> run() {
    for (uint32_t i = 0; i < program_.functions.size(); ++i) {
      function_ = FunctionId{i};
      op_ = OpId::none();
      function();
    }
    return std::move(violations_);
  }

 private:
  void report(std::string what) {
    std::string prefix = program_.functions[function_].name + ": ";
    if (op_) prefix += "`" + text(program_, op_) + "`: ";
    violations_.push_back({function_, op_, prefix + what});
  }

  void define(ValueId value, OpId definition) {
    if (!value.valid() || value.index >= program_.values.size()) return report("defines no value");
    if (program_.values[value].definition != definition) report("a value does not name its definition");
    if (!program_.values[value].type) report("a value without a type");
    visible_[value.index] = Visible::Yes;
    defined_.push_back(value);
  }

  void function() {
    const Function& f = program_.functions[function_];
    if (!f.body) return report("a function without a body");
    const size_t before = defined_.size();
    for (const Param& param : f.params) {
      const bool has_value = param.kind != ParamKind::Erased && param.kind != ParamKind::Unused;
      if (has_value != param.value.valid()) report("parameter `" + param.name.string() + "` has a value iff it is passed");
      if (param.value) define(param.value, OpId::none());
    }
    if (f.kind == FunctionKind::Kernel && !f.results.empty()) report("a kernel with results");
    reads_ = written_before(program_, function_);
    block(f.body);
    hide(before, Visible::No);
  }

  void hide(size_t from, Visible how) {
    for (size_t i = from; i < defined_.size(); ++i) visible_[defined_[i].index] = how;
    if (how == Visible::No) defined_.resize(from);
  }

  void block(BlockId id) {
    for (const ValueId argument : program_.blocks[id].arguments) define(argument, OpId::none());
    const std::vector<OpId>& ops = program_.blocks[id].ops;
    for (size_t i = 0; i < ops.size(); ++i) {
      op_ = ops[i];
      if (stands_[op_.index]) {
        report("stands in two places");
        continue;
      }
      stands_[op_.index] = true;
      if (program_.ops[op_].kind == OpKind::Yield && i + 1 != ops.size()) report("is not the end of its region");
      op(ops[i]);
    }
  }

  void use(ValueId value) {
    if (!value.valid() || value.index >= program_.values.size()) return report("an operand is missing");
    const Visible visible = visible_[value.index];
    if (visible == Visible::Yes || (visible == Visible::UnderCondition && form_ == Form::Open)) return;
    report("an operand is not defined before it");
  }

  void op(OpId id) {
    const Op& o = program_.ops[id];
    for (const ValueId operand : o.operands) use(operand);
    each_value(o.attrs, [&](ValueId extra) { use(extra); });
    const auto [least, most] = regions_of(o.kind);
    if (o.regions.size() < least || o.regions.size() > most) return report("has the wrong number of regions");
    jumps(o);
    assertion(o);
    variables(id, o);
    regions(id, o);
    op_ = id;
    for (const ValueId result : o.results) define(result, id);
    if (violations_.empty()) {
      if (std::optional<std::string> wrong = mistyped(program_, function_, id, form_)) report(std::move(*wrong));
    }
  }

  void jumps(const Op& o) {
    if ((o.kind == OpKind::Break || o.kind == OpKind::Continue) && loops_ == 0) report("is not in a loop");
    if (o.kind == OpKind::Return) {
      if (o.operands.size() != program_.functions[function_].results.size())
        report("returns another number of values than its function");
      if (yields_ > 0) report("leaves the function from within an expression");
    }
    if (o.kind == OpKind::Yield && yields_ == 0) report("is in no region that yields");
    if (o.kind == OpKind::Unsupported && form_ == Form::Closed) report("is left in a closed program");
  }

  void assertion(const Op& o) {
    if (o.kind != OpKind::If || !o.attrs.asserted) return;
    const bool holds = o.regions.size() == 2 && program_.blocks[o.regions[0]].ops.empty();
    const bool breaks = holds && !program_.blocks[o.regions[1]].ops.empty();
    const Op* broken = breaks ? &program_.ops[program_.blocks[o.regions[1]].ops.back()] : nullptr;
    if (!broken || broken->kind != OpKind::Unsupported || !broken->attrs.asserted) report("is no assertion");
  }

  void variables(OpId id, const Op& o) {
    if (o.kind == OpKind::Set) {
      if (written_vars(o).empty() || written_vars(o).size() != o.operands.size())
        report("has another number of variables than operands");
      for (const VarId var : written_vars(o)) known(var);
    }
    if (o.kind != OpKind::Get) return;
    known(o.attrs.var);
    const auto found = reads_.find(id);
    if (found == reads_.end()) return;  // dead code
    if (found->second == IsWritten::Never) report("no write reaches it");
    if (form_ == Form::Closed && found->second != IsWritten::Always) report("may come before every write");
  }

  void known(VarId var) {
    if (!var.valid() || var.index >= program_.vars.size()) report("names no variable");
  }

  bool yields(const Op& o, size_t region) const {
    return o.kind == OpKind::Ternary || o.kind == OpKind::AndThen || o.kind == OpKind::OrElse ||
           (o.kind == OpKind::While && region == 0);
  }

  void regions(OpId id, const Op& o) {
    const bool loops = is_loop(o.kind);
    const bool constant = o.kind == OpKind::If && !o.operands.empty() &&
                          program_.types[program_.values[o.operands[0]].type].kind == TypeKind::Const;
    const size_t before = defined_.size();
    for (size_t i = 0; i < o.regions.size(); ++i) {
      op_ = id;
      const BlockId region = o.regions[i];
      if (program_.blocks[region].arguments.size() != (o.kind == OpKind::For ? 1u : 0u))
        report("a region has the wrong number of arguments");
      const std::vector<OpId>& ops = program_.blocks[region].ops;
      if (yields(o, i)) {
        const bool ends_well =
            !ops.empty() && (program_.ops[ops.back()].kind == OpKind::Unsupported ||
                             (program_.ops[ops.back()].kind == OpKind::Yield && program_.ops[ops.back()].operands.size() == 1));
        if (!ends_well) report("a region does not end in the yield of one value");
      }
      const size_t outer_loops = loops_;
      const size_t outer_yields = yields_;
      loops_ = loops && !yields(o, i) ? loops_ + 1 : yields(o, i) ? 0 : loops_;
      yields_ = yields(o, i) ? yields_ + 1 : loops ? 0 : yields_;
      const size_t start = defined_.size();
      block(region);
      // What a while's condition defines holds in its body.
      if (!(o.kind == OpKind::While && i == 0)) hide(start, constant ? Visible::UnderCondition : Visible::No);
      loops_ = outer_loops;
      yields_ = outer_yields;
    }
    if (!constant) hide(before, Visible::No);
  }

  const Program& program_;
  Form form_;
  std::vector<Violation> violations_;
  std::vector<Visible> visible_;  // by value
  std::vector<bool> stands_;      // by op
  std::vector<ValueId> defined_;  // those whose scope has not ended
  std::map<OpId, IsWritten> reads_;
  FunctionId function_;
  OpId op_;
  size_t loops_ = 0;   // loops that a break may leave
  size_t yields_ = 0;  // regions that a yield may end
};

}  // namespace

std::vector<Violation> verify(const Program& program, Form form) { return Verifier(program, form).run(); }

std::string text(const std::vector<Violation>& violations) {
  std::string out;
  for (const Violation& violation : violations) out += violation.what + "\n";
  return out;
}

}  // namespace tilewright::ir
