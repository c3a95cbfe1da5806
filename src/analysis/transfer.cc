// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What one op gives, from what is known of its operands.

#include <limits>

#include "analysis/walk.h"
#include "ir/operands.h"
#include "sym/parse.h"

namespace tilewright::analysis {

using ir::OpKind;
using ir::ScalarClass;
using ir::TypeKind;
using ir::ValueId;
using sym::ExprId;
using sym::ExprKind;

namespace {

constexpr int64_t largest_grid = (int64_t{1} << 24) - 1;
// Multipliers of hashes are larger; extents of tiles and sizes of groups are not.
constexpr int64_t largest_factor = 65536;

}  // namespace

bool Walk::is_index(ir::TypeId id) const {
  const ir::Type& type = program_.types[id];
  if (type.kind != TypeKind::Tile || !type.shape.empty()) return false;
  const std::optional<ScalarClass> kind = program_.types.class_of(type.dtype);
  // A number of the launch whose dtype is open: where it is used as an index it is an integer.
  if (!kind) return program_.types[type.dtype].kind == ir::DtypeKind::Argument;
  return *kind == ScalarClass::Signed && program_.types.scalar_of(type.dtype).value_or(ir::Scalar::I32) >= ir::Scalar::I32;
}

// A range as the dtype can hold it.
Range Walk::fitted(ir::TypeId id, const Range& range) const {
  const ir::Type& type = program_.types[id];
  if (type.kind != TypeKind::Tile) return range;
  const std::optional<ScalarClass> kind = program_.types.class_of(type.dtype);
  if (!kind) return range.non_negative() || program_.types[type.dtype].kind == ir::DtypeKind::Argument ? range : Range{};
  const std::optional<ir::Scalar> scalar = program_.types.scalar_of(type.dtype);
  const int bits = scalar ? ir::bits_of(*scalar) : 0;
  switch (*kind) {
    case ScalarClass::Bool: return {0, 1};
    case ScalarClass::Unsigned: {
      const std::optional<int64_t> most = bits > 0 && bits < 64 ? std::optional{(int64_t{1} << bits) - 1} : std::nullopt;
      const bool holds = range.non_negative() && range.high && (!most || *range.high <= *most);
      return holds ? range : Range{0, most};
    }
    case ScalarClass::Signed: {
      if (bits == 0 || bits == 64) return range;
      const int64_t most = (int64_t{1} << (bits - 1)) - 1;
      const bool high_fits = range.high && *range.high <= most;
      const bool low_fits = range.low && *range.low >= -most - 1;
      if (bits < 32) return high_fits && low_fits ? range : Range{};  // bytes wrap, indices do not
      return {low_fits ? range.low : std::nullopt, high_fits ? range.high : std::nullopt};
    }
    case ScalarClass::Float:
    case ScalarClass::Restricted: return {};
  }
  return {};
}

Known Walk::named(ValueId value, const std::string& what, Known known) {
  const uint32_t context = frames_.back().context;
  known.symbol = symbols_.atom("%" + what + std::to_string(value.index) + "@" + std::to_string(context), known.ranges);
  if (known.assumes) {
    hopes_[known.symbol] = known.assumes;
  } else {
    hopes_.erase(known.symbol);
  }
  return known;
}

// What the hoped ranges of an expression's atoms assume.
ConditionsId Walk::hopes_of(ExprId expression) {
  ConditionsId out;
  for (const ExprId atom : symbols_.arena().atoms_in(expression)) {
    if (const auto hope = hopes_.find(atom); hope != hopes_.end()) assume(out, hope->second);
    if (conditions_ > 0 || !parameters_.contains(atom)) continue;
    const auto positive = positive_.find(atom);
    if (positive != positive_.end() && positive->second > 0) continue;
    const auto [condition, is_new] = not_negative_.try_emplace(atom);
    if (is_new) condition->second = found_.conditions.of({kernel_, sym::quoted(symbols_.arena().atom_of(atom)) + " >= 0"});
    assume(out, condition->second);
  }
  return out;
}

// An expression in what a launch knows; nullopt if it reads anything else.
std::optional<std::string> Walk::launch_text(ExprId expression) const {
  for (const ExprId atom : symbols_.arena().atoms_in(expression)) {
    if (!parameters_.contains(atom) && !launch_names_.contains(atom)) return std::nullopt;
  }
  return symbols_.arena().text(expression, [&](const sym::Atom& atom) {
    for (const auto& [id, name] : launch_names_) {
      if (symbols_.arena().atom_of(id).key == atom.key) return sym::quoted({.key = name});
    }
    return sym::quoted(atom);
  });
}

// What an expression is known to be, as far as its ranges.
Known Walk::symbolic(ExprId symbol) {
  const Range certain = symbols_.range(symbol, Strength::Certain);
  Known out{certainly(certain), {}, hopes_of(symbol)};
  if (!out.assumes && certain.non_negative()) return out;
  Range& hoped = out.ranges.hoped;
  hoped = symbols_.range(symbol, Strength::Hoped);
  // The grid is as large as the author's host code makes it. Where only that decides, the launch is asked.
  const std::optional<Symbols::Wish> wish = symbols_.take_wish();
  if (wish && !hoped.non_negative() && conditions_ == 0) {
    if (const std::optional<std::string> bound = launch_text(wish->bound)) {
      symbols_.grant(wish->program, wish->bound);
      program_bounds_[wish->program] = found_.conditions.of({kernel_, "\"grid[0]\" <= " + *bound});
      hoped = symbols_.range(symbol, Strength::Hoped);
      symbols_.take_wish();
    }
  }
  for (const ExprId atom : symbols_.take_used()) {
    if (const auto grid = program_bounds_.find(atom); grid != program_bounds_.end()) assume(out.assumes, grid->second);
    assume(out.assumes, hopes_of(*symbols_.bound_of(atom)));
  }
  return kept(out);
}

Known Walk::constant(const ir::Type& type) {
  Known out;
  if (type.loose == ir::LooseKind::Float) return out;
  out.symbol = type.value;
  if (type.loose == ir::LooseKind::Bool) {
    out.ranges = certainly({0, 1});
  } else if (const std::optional<int64_t> literal = program_.arena.integer_of(type.value)) {
    out.ranges = certainly(exactly(*literal));
  } else {
    out = symbolic(type.value);
    out.symbol = type.value;
  }
  return out;
}

// The expression of an op on scalars; none() if it is not arithmetic that stays one.
ExprId Walk::symbol(const ir::Op& op) {
  std::vector<ExprId> operands;
  for (const ValueId operand : op.operands) {
    const bool is_number = is_index(program_.values[operand].type) || is_constant(operand);
    if (!is_number && op.kind != OpKind::ArrayDim && op.kind != OpKind::NumTiles) return {};
    if (!of(operand).symbol) return {};
    operands.push_back(of(operand).symbol);
  }
  const auto make = [&](ExprKind kind) { return symbols_.arena().make(kind, operands); };
  const auto both_natural = [&] {
    return of(op.operands[0]).ranges.certain.non_negative() && of(op.operands[1]).ranges.certain.non_negative();
  };
  const auto extent = [&](uint32_t axis) {
    const ExprId atom =
        symbols_.atom("%extent " + std::to_string(axis) + " of " + symbols_.arena().text(operands[0]), certainly(at_least(0)));
    const auto array = launch_names_.find(operands[0]);
    if (array != launch_names_.end()) launch_names_[atom] = array->second + ".shape[" + std::to_string(axis) + "]";
    return atom;
  };
  static constexpr std::pair<OpKind, ExprKind> arithmetic[] = {
      {OpKind::Add, ExprKind::Add},           {OpKind::Sub, ExprKind::Sub},
      {OpKind::Mul, ExprKind::Mul},           {OpKind::Neg, ExprKind::Neg},
      {OpKind::FloorDiv, ExprKind::FloorDiv}, {OpKind::FloorMod, ExprKind::Mod},
      {OpKind::CeilDiv, ExprKind::CeilDiv},   {OpKind::CeilDivPositive, ExprKind::CeilDiv},
      {OpKind::Min, ExprKind::Min},           {OpKind::Max, ExprKind::Max},
  };
  for (const auto& [kind, expression] : arithmetic) {
    if (op.kind == kind) return make(expression);
  }
  if (op.kind == OpKind::ProgramId) {
    const ExprId atom = symbols_.atom("%program " + std::to_string(op.attrs.axis), certainly(transfer(op, Strength::Certain)));
    if (op.attrs.axis == 0) symbols_.program(atom);
    return atom;
  }
  if (op.kind == OpKind::NumPrograms)
    return symbols_.atom("%grid " + std::to_string(op.attrs.axis), certainly(transfer(op, Strength::Certain)));
  if (op.kind == OpKind::Copy || op.kind == OpKind::Cast) return operands[0];
  if (op.kind == OpKind::TruncDiv) return both_natural() ? make(ExprKind::FloorDiv) : ExprId::none();
  if (op.kind == OpKind::TruncMod) return both_natural() ? make(ExprKind::Mod) : ExprId::none();
  if (op.kind == OpKind::ArrayDim) return extent(op.attrs.axis);
  if (op.kind == OpKind::NumTiles) {
    const uint32_t axis = op.attrs.rare->order.empty() ? op.attrs.axis : op.attrs.rare->order[op.attrs.axis];
    return symbols_.arena().make(ExprKind::CeilDiv, {extent(axis), operands[1 + op.attrs.axis]});
  }
  return {};
}

Known Walk::evaluate(ir::OpId id) {
  const ir::Op& op = program_.ops[id];
  const ValueId result = op.results[0];
  const ir::TypeId type = program_.values[result].type;
  if (is_constant(result)) return constant(program_.types[type]);
  if (program_.types[type].kind == TypeKind::Array) {
    // A slice has extents of its own.
    return op.kind == OpKind::Copy ? of(op.operands[0]) : named(result, "array", {});
  }
  if (program_.types[type].kind != TypeKind::Tile) return {};
  if (program_.types.class_of(program_.types[type].dtype) == ScalarClass::Float) return {};
  Known out;
  for (const ValueId operand : op.operands) assume(out.assumes, of(operand).assumes);
  const auto fill = [&](const auto& range_of) {
    out.ranges.certain = range_of(Strength::Certain);
    out.ranges.hoped = out.assumes ? meet(range_of(Strength::Hoped), out.ranges.certain) : out.ranges.certain;
  };
  // What may be a hash wraps, and whatever is said of it afterwards is about another number.
  bool may_wrap = op.kind == OpKind::Shl || op.kind == OpKind::Pow;
  if (op.kind == OpKind::Mul) {
    for (const ValueId operand : op.operands) {
      const Range& range = of(operand).ranges.certain;
      may_wrap |= range.low == range.high && range.low && (*range.low > largest_factor || *range.low < -largest_factor);
    }
  }
  if (may_wrap) {
    fill([&](Strength strength) {
      const Range range = transfer(op, strength);
      const bool small = range.low && range.high && *range.low >= std::numeric_limits<int32_t>::min() &&
                         *range.high <= std::numeric_limits<int32_t>::max();
      return fitted(type, small ? range : Range{});
    });
    return is_index(type) ? named(result, "value", kept(out)) : kept(out);
  }
  fill([&](Strength strength) { return fitted(type, transfer(op, strength)); });
  if (!is_index(type)) return kept(out);
  out.symbol = symbol(op);
  if (!out.symbol) return named(result, "value", kept(out));
  const Known known = symbolic(out.symbol);
  assume(out.assumes, known.assumes);
  out.ranges.certain = meet(out.ranges.certain, fitted(type, known.ranges.certain));
  out.ranges.hoped = meet(meet(out.ranges.hoped, fitted(type, known.ranges.hoped)), out.ranges.certain);
  return kept(out);
}

Range Walk::transfer(const ir::Op& op, Strength strength) const {
  const auto x = [&](size_t i = 0) -> const Range& { return of(op.operands[i]).ranges[strength]; };
  const auto natural = [&] { return x(0).non_negative() && x(1).non_negative(); };
  switch (op.kind) {
    case OpKind::ProgramId: return {0, largest_grid - 1};
    case OpKind::NumPrograms: return {1, largest_grid};
    case OpKind::ArrayDim:
    case OpKind::ArrayStride:
    case OpKind::WindowDim:
    case OpKind::WindowStride:
    case OpKind::NumTiles: return at_least(0);
    case OpKind::ListLen: return at_least(1);
    case OpKind::Iota: return {0, subtract(x(), exactly(1)).high};
    case OpKind::Full: return x(op.operands.size() - 1);
    case OpKind::Copy:
    case OpKind::Reshape:
    case OpKind::ExpandDims:
    case OpKind::Permute:
    case OpKind::Broadcast:
    case OpKind::Flip:
    case OpKind::Extract:
    case OpKind::Floor:
    case OpKind::Ceil: return x();
    case OpKind::Cast: {
      // A float has no range, so neither has what it becomes; a narrower integer keeps what fits.
      const ir::Type& from = program_.types[program_.values[op.operands[0]].type];
      const ir::Type& to = program_.types[program_.values[op.results[0]].type];
      const std::optional<ir::Scalar> a = program_.types.scalar_of(from.dtype);
      const std::optional<ir::Scalar> b = program_.types.scalar_of(to.dtype);
      const bool is_number = from.kind == TypeKind::Const || program_.types[from.dtype].kind == ir::DtypeKind::Argument;
      const bool widens = is_number || (a && b && ir::bits_of(*a) <= ir::bits_of(*b) &&
                                        (ir::class_of(*a) == ir::class_of(*b) || ir::bits_of(*a) < ir::bits_of(*b)));
      const bool small = x().low && x().high && *x().low >= std::numeric_limits<int32_t>::min() &&
                         *x().high <= std::numeric_limits<int32_t>::max();
      return widens || small ? x() : Range{};
    }
    case OpKind::Cat:
    case OpKind::Min:
    case OpKind::Max:
    case OpKind::Where: {
      if (op.kind == OpKind::Min) return smaller(x(0), x(1));
      if (op.kind == OpKind::Max) return larger(x(0), x(1));
      return op.kind == OpKind::Where ? analysis::join(x(1), x(2)) : analysis::join(x(0), x(1));
    }
    case OpKind::Reduce:
    case OpKind::Scan:
      switch (op.attrs.rare->reduction) {
        case ir::Reduction::Max:
        case ir::Reduction::Min: return x();
        case ir::Reduction::ArgMax:
        case ir::Reduction::ArgMin: return at_least(0);
        case ir::Reduction::Sum:
        case ir::Reduction::Prod:
        case ir::Reduction::Xor:
        case ir::Reduction::Or: return x().non_negative() ? at_least(0) : Range{};
      }
      return {};
    case OpKind::Add: return add(x(0), x(1));
    case OpKind::Sub: return subtract(x(0), x(1));
    case OpKind::Mul: return multiply(x(0), x(1));
    case OpKind::FloorDiv: return floor_divide(x(0), x(1));
    case OpKind::TruncDiv: return trunc_divide(x(0), x(1));
    case OpKind::CeilDiv:
    case OpKind::CeilDivPositive: return ceil_divide(x(0), x(1));
    case OpKind::FloorMod: return floor_modulo(x(0), x(1));
    case OpKind::TruncMod: return trunc_modulo(x(0), x(1));
    case OpKind::Neg: return negate(x());
    case OpKind::Abs: return absolute(x());
    case OpKind::BitAnd:
      if (natural()) return {0, smaller(x(0), x(1)).high};
      if (x(0).non_negative()) return {0, x(0).high};
      if (x(1).non_negative()) return {0, x(1).high};
      return {};
    case OpKind::BitOr:
    case OpKind::BitXor: return natural() ? at_least(0) : Range{};
    case OpKind::Shl: {
      if (!natural() || !x(1).high || *x(1).high > 30) return {};
      return multiply(x(0), {1, int64_t{1} << *x(1).high});
    }
    case OpKind::Shr: return x(0).non_negative() ? Range{0, x(0).high} : Range{};
    case OpKind::AndThen:
    case OpKind::OrElse:
    case OpKind::CmpEq:
    case OpKind::CmpNe:
    case OpKind::CmpLt:
    case OpKind::CmpLe:
    case OpKind::CmpGt:
    case OpKind::CmpGe:
    case OpKind::Not:
    case OpKind::IsInf:
    case OpKind::IsNan: return {0, 1};
    case OpKind::Literal:
    case OpKind::Symbol:
    case OpKind::DtypeName:
    case OpKind::DtypeOf:
    case OpKind::TileDim:
    case OpKind::Get:
    case OpKind::Set:
    case OpKind::If:
    case OpKind::For:
    case OpKind::While:
    case OpKind::Break:
    case OpKind::Continue:
    case OpKind::Return:
    case OpKind::Yield:
    case OpKind::Ternary:
    case OpKind::Call:
    case OpKind::Unsupported:
    case OpKind::Mark:
    case OpKind::ArraySlice:
    case OpKind::ListItem:
    case OpKind::LoadTile:
    case OpKind::StoreTile:
    case OpKind::Gather:
    case OpKind::Scatter:
    case OpKind::AtomicRmw:
    case OpKind::AtomicCas:
    case OpKind::Bitcast:
    case OpKind::Pow:
    case OpKind::Atan2:
    case OpKind::TrueDiv:
    case OpKind::BitNot:
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
    case OpKind::PtrAdd:
    case OpKind::PtrLoad:
    case OpKind::PtrStore:
    case OpKind::PtrAtomicRmw:
    case OpKind::PtrAtomicCas:
    case OpKind::MakeWindow:
    case OpKind::WindowMove:
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
    case OpKind::Take:
    case OpKind::MulHigh:
    case OpKind::Erf:
    case OpKind::Log1p:
    case OpKind::Expm1:
    case OpKind::Asin:
    case OpKind::Acos:
    case OpKind::Atan:
    case OpKind::Rint:
    case OpKind::Trunc:
    case OpKind::Fma:
    case OpKind::ReduceBy:
    case OpKind::ScanBy:
    case OpKind::MapBy:
    case OpKind::Sort:
    case OpKind::TopK:
    case OpKind::Histogram:
    case OpKind::Dot: return {};
  }
  return {};
}

}  // namespace tilewright::analysis
