// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions, scans and matrix products.
//
// cuTile sums 16-bit floats in more precision and rounds once; Triton adds them in 16 bits. cuTile multiplies float32 matrices in
// float32; Triton's default is tf32. Both are said explicitly.

#include <algorithm>

#include "back/triton/floats8.h"
#include "back/triton/lower.h"
#include "back/triton/messages.h"

namespace tilewright::back::triton {

using ir::DtypeId;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::Reduction;
using ir::Scalar;
using ir::ValueId;

namespace {

const char* word(Reduction reduction) {
  switch (reduction) {
    case Reduction::Sum: return "tl.sum";
    case Reduction::Max: return "tl.max";
    case Reduction::Min: return "tl.min";
    case Reduction::ArgMax: return "tl.argmax";
    case Reduction::ArgMin: return "tl.argmin";
    case Reduction::Prod: return "tl.reduce";
    case Reduction::Xor: return "tl.xor_sum";
    case Reduction::Or: return "tl.reduce_or";
  }
  return "";
}

}  // namespace

// Triton counts bools as int32 by itself: the conversion that says so is not written.
ValueId Lowering::uncounted(ValueId value) const {
  const Op* made = definition(value);
  const bool counts = made && made->kind == OpKind::Cast && made->attrs.implicit && !has_name(value) &&
                      inlines(program_.values[value].definition);
  return counts ? made->operands[0] : value;
}

// As it is to be added up: 16-bit floats in float32, whatever else the array may hold in its own dtype.
PyId Lowering::accumulable(PyId py, DtypeId dtype) {
  if (program_.types.scalar_of(dtype)) return cast(py, true, f32(), {});
  return python_.call(support("widened"), {py});
}

// Whether a row or column of what a tile was reduced to went into it, near enough to see.
bool Lowering::is_reduced(ValueId value) const {
  constexpr size_t near = 64;
  std::vector<ValueId> seen = {value};
  const auto look = [&](ValueId next) {
    if (std::find(seen.begin(), seen.end(), next) == seen.end()) seen.push_back(next);
  };
  for (size_t i = 0; i < seen.size() && i < near; ++i) {
    if (!program_.values[seen[i]].definition) continue;
    const Op& op = program_.ops[program_.values[seen[i]].definition];
    if (op.kind == OpKind::Reduce && type(op.operands[0]).shape.size() > 1) return true;
    if (ir::info(op.kind).family == ir::Family::Math) std::for_each(op.operands.begin(), op.operands.end(), look);
    if (op.kind != OpKind::Get) continue;
    for (const OpId id : sets_) {
      const Op& set = program_.ops[id];
      const auto var = std::find(ir::written_vars(set).begin(), ir::written_vars(set).end(), op.attrs.var);
      if (var != ir::written_vars(set).end()) look(set.operands[static_cast<size_t>(var - ir::written_vars(set).begin())]);
    }
  }
  return false;
}

// Whether Triton may see the vector reshaped from another tile, with nothing calculated since.
bool Lowering::may_be_reshaped(ValueId value) const {
  if (program_.types.class_of(type(value).dtype) == ir::ScalarClass::Float) return false;  // put in order first
  const Op* made = definition(value);
  return !made || (made->kind != OpKind::LoadTile && made->kind != OpKind::Gather && made->kind != OpKind::Iota);
}

PyId Lowering::reduce(const Op& op) {
  const ValueId x = uncounted(op.operands[0]);
  const DtypeId from = type(x).dtype;
  const DtypeId to = type(op.results[0]).dtype;
  const size_t rank = type(x).shape.size();
  const Reduction kind = op.attrs.rare->reduction;
  PyId py = value(x);
  bool widened = false;
  const bool adds = kind == Reduction::Sum || kind == Reduction::Prod;
  if (adds && may_be_narrow(from)) {
    py = accumulable(py, from);
    widened = true;
  }
  const std::optional<Scalar> known = program_.types.scalar_of(from);
  const bool arg = kind == Reduction::ArgMax || kind == Reduction::ArgMin;
  if (arg && (!known || ir::class_of(*known) == ir::ScalarClass::Float)) {
    const bool nan_first = (kind == Reduction::ArgMax) != (op.attrs.nan == ir::NanRule::Propagate);
    py = python_.call(support("in_order"), {py, python_.keyword("nan_first", python_.atom(nan_first ? "True" : "False"))});
  }
  ShortList<uint32_t> axes = op.attrs.rare->axes;
  if (axes.empty()) {
    for (uint32_t i = 0; i < rank; ++i) axes.push_back(i);
  }
  if (rank == 0) return py;
  // The last axis of several is not named either: Triton 3.6 does not compile it on sm_100 where the first was one of a dot's.
  const bool all = axes.size() == rank && (rank > 1 || (!arg && is_reduced(x)));
  if (op.attrs.nan == ir::NanRule::Propagate && (kind == Reduction::Max || kind == Reduction::Min)) {
    refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_form, "`propagate_nan` in a reduction"));
  }
  const auto one = [&](PyId operand, std::optional<uint32_t> axis, bool keep) {
    std::vector<PyId> arguments = {operand};
    if (axis) arguments.push_back(python_.keyword("axis", python_.number(*axis)));
    if (kind == Reduction::Prod) {
      if (!axis) arguments.push_back(python_.keyword("axis", python_.atom("None")));
      arguments.push_back(python_.keyword("combine_fn", python_.atom(support("multiply"))));
    }
    if (keep) arguments.push_back(python_.keyword("keep_dims", python_.atom("True")));
    return python_.call(word(kind), arguments);
  };
  if (arg && (all || (rank == 1 && may_be_reshaped(x)))) {
    py = python_.call(support(kind == Reduction::ArgMax ? "argmax_of_all" : "argmin_of_all"), {py});
    if (op.attrs.keep_dims) {
      std::string index;
      for (size_t i = 0; i < rank; ++i) index += i > 0 ? ", None" : "None";
      py = python_.index(py, index);
    }
  } else if (all && kind != Reduction::Prod) {
    py = one(py, std::nullopt, op.attrs.keep_dims);
  } else {
    // Several axes from the last to the first, so that numbers stay right.
    for (size_t i = axes.size(); i-- > 0;) py = one(py, axes[i], op.attrs.keep_dims);
  }
  const bool small_integer =
      known && *known != Scalar::Bool && ir::class_of(*known) != ir::ScalarClass::Float && ir::bits_of(*known) < 32;
  const bool float_extreme = !adds && !arg && may_be_narrow(from);  // Triton's max of 16-bit floats is a float32
  if (widened || float_extreme || (small_integer && !arg)) return cast_like(py, to, op.span, {x});
  return py;
}

PyId Lowering::scan(const Op& op) {
  const ValueId x = uncounted(op.operands[0]);
  const DtypeId from = type(x).dtype;
  const bool narrow = may_be_narrow(from);
  PyId py = value(x);
  if (narrow) py = accumulable(py, from);
  if (op.attrs.rare->reduction != Reduction::Sum && op.attrs.rare->reduction != Reduction::Prod) {
    refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_form, "this scan"));
    return py;
  }
  std::vector<PyId> arguments = {py, python_.keyword("axis", python_.number(op.attrs.axis))};
  if (op.attrs.reverse) arguments.push_back(python_.keyword("reverse", python_.atom("True")));
  py = python_.call(op.attrs.rare->reduction == Reduction::Sum ? "tl.cumsum" : "tl.cumprod", arguments);
  const std::optional<Scalar> known = program_.types.scalar_of(from);
  const bool small_integer = known && ir::class_of(*known) != ir::ScalarClass::Float && ir::bits_of(*known) < 32;
  return narrow || small_integer ? cast_like(py, type(op.results[0]).dtype, op.span, {x}) : py;
}

// float32 operands are multiplied as they are, unless the author made them tf32.
PyId Lowering::precision(DtypeId operand) {
  const PyId full = python_.atom("\"ieee\"");
  const PyId tf32 = python_.atom("\"tf32\"");
  const sym::ExprId when = tf32_when(operand);
  if (!when) return full;
  return program_.arena.truth_of(when) ? tf32 : python_.conditional(tf32, constant(when), full);
}

// How many products of float8 tensor cores may add up by themselves: on Hopper such a sum has 14 bits, so it is to be moved to
// the accumulator again and again. cuTile does so after 128 of them or at the end of a tile. 0 would say never, and do without
// these tensor cores. Triton takes no more than the tile has, and asks only where operands are float8.
PyId Lowering::float8_depth(const Op& op, const std::vector<PyId>& operands) {
  constexpr int64_t most = 128;
  constexpr int64_t least = 32;  // the thinnest tile of float8 that can be multiplied
  const sym::ExprId depth = shape(op.operands[0]).back();
  if (const std::optional<int64_t> number = program_.arena.integer_of(depth)) return python_.number(std::min(*number, most));
  const std::vector<sym::ExprId> atoms = program_.arena.atoms_in(depth);
  const bool at_hand = program_.functions[function_].kind == ir::FunctionKind::Kernel ||
                       std::all_of(atoms.begin(), atoms.end(), [&](sym::ExprId atom) { return constants_.contains(atom); });
  std::optional<PyId> size;
  if (at_hand) size = constant(depth);
  for (size_t side = 0; side < 2 && !size; ++side) {
    const size_t axis = shape(op.operands[side]).size() - 1 - side;
    if (python_[operands[side]].kind != PyKind::Atom) continue;
    size = python_.index(python_.attribute(operands[side], "shape"), std::to_string(axis));
  }
  if (!size) return python_.number(least);
  if (settings_.options.numerics != Numerics::Strict) return *size;
  return python_.conditional(*size, python_.infix(*size, "<", python_.number(most)), python_.number(most));
}

// Whether a dtype may be this one. Of what arrays hold nothing is known here.
static bool may_be(const ir::Types& types, DtypeId id, Scalar scalar) {
  const ir::Dtype& dtype = types[id];
  if (dtype.kind == ir::DtypeKind::Known) return dtype.scalar == scalar;
  if (dtype.kind == ir::DtypeKind::Select) return may_be(types, dtype.a, scalar) || may_be(types, dtype.b, scalar);
  return true;
}

// Whether a dtype is a known one, or a constant of the launch chooses between known ones.
static bool is_listed(const ir::Types& types, DtypeId id) {
  const ir::Dtype& dtype = types[id];
  if (dtype.kind == ir::DtypeKind::Select) return is_listed(types, dtype.a) && is_listed(types, dtype.b);
  return dtype.kind == ir::DtypeKind::Known;
}

bool Lowering::factor_may_be(const Op& dot, Scalar scalar) const {
  return may_be(program_.types, type(dot.operands[0]).dtype, scalar) ||
         may_be(program_.types, type(dot.operands[1]).dtype, scalar);
}

// Too thin for Triton's dot, or perhaps so and nothing for tensor cores anyway.
bool Lowering::is_thin(const Op& dot) const {
  const std::vector<sym::ExprId> left = shape(dot.operands[0]);
  const std::vector<sym::ExprId> right = shape(dot.operands[1]);
  const DtypeId from = type(dot.operands[0]).dtype;
  const std::optional<Scalar> known = program_.types.scalar_of(from);
  const std::optional<Scalar> sum = program_.types.scalar_of(type(dot.results[0]).dtype);
  if (const std::optional<int64_t> depth = program_.arena.integer_of(left.back())) {
    const bool eight_bits =
        sum == Scalar::I32 ||
        (is_listed(program_.types, from) &&
         (factor_may_be(dot, Scalar::I8) || factor_may_be(dot, Scalar::F8E4M3) || factor_may_be(dot, Scalar::F8E5M2)));
    return *depth < (eight_bits ? 32 : 16);
  }
  const auto is_one = [&](sym::ExprId extent) { return program_.arena.integer_of(extent) == 1; };
  const bool is_row = left.size() == 2 && (is_one(left[0]) || is_one(right[1]));
  const bool full_floats = known ? known == Scalar::F16 || known == Scalar::BF16 || known == Scalar::F32 : sum == Scalar::F32;
  return is_row && full_floats;
}

// A product whose operands are both loaded for it alone needs room for one tile of each, and cuTile's author chose tiles that
// have it. An operand that is calculated or kept takes more: in another dtype, or on a smaller GPU, all of them may not fit at
// once. Such a function has its products take their depth in parts, one after the other; how many is the launch's to say, one if
// it fits.
void Lowering::plan_parts() {
  const auto loop_around = [&](OpId id) {
    OpId at = uses_.owner[uses_.where[id.index].block.index];
    while (at && op(at).kind != OpKind::For && op(at).kind != OpKind::While) at = uses_.owner[uses_.where[at.index].block.index];
    return at;
  };
  const auto takes_more = [&](OpId id) {
    const Op& current = op(id);
    if (current.kind == OpKind::Call) return takes_parts(callees_.at(current.attrs.rare->function).slots);
    if (current.kind != OpKind::Dot || shape(current.operands[0]).size() != 2 || is_thin(current)) return false;
    return std::any_of(current.operands.begin(), current.operands.begin() + 2, [&](ValueId operand) {
      const OpId made = program_.values[source_of(operand)].definition;
      return made && (!is_loaded(operand) || loop_around(made) != loop_around(id));
    });
  };
  if (std::none_of(ops_.begin(), ops_.end(), [&](OpId id) { return live_[id.index] && takes_more(id); })) return;
  const std::string name(fresh("DOT_PARTS"));
  out_.slots.push_back({Carries::Parts, 0, 0, name, true});
  parts_ = python_.atom(name);
}

// Products, summed.
PyId Lowering::thin_dot(const Op& op) {
  const DtypeId from = type(op.operands[0]).dtype;
  const DtypeId to = type(op.results[0]).dtype;
  const std::optional<Scalar> sum = program_.types.scalar_of(to);
  const bool listed = is_listed(program_.types, from);
  const bool alone = sum == Scalar::I32 || sum == Scalar::F64;  // no other dtype is summed in these
  if (!alone && listed && (factor_may_be(op, Scalar::I8) || factor_may_be(op, Scalar::F64))) {
    refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_form, "`mma` of several dtypes, as thin as this"));
    return value(op.operands[0]);
  }
  if (!sum && !listed) {
    guard_float(from);
    guard_not_float64(from);
  }
  const size_t rank = shape(op.operands[0]).size();
  const DtypeId wide = alone ? to : f32();
  const auto operand_of = [&](ValueId value) {
    return type(value).dtype == wide ? this->value(value) : cast(this->value(value), true, wide, op.span);
  };
  // The right operand comes first because of a compiler bug (triton#9609).
  const PyId left = python_.index(operand_of(op.operands[0]), rank == 3 ? ":, :, :, None" : ":, :, None");
  const PyId right = python_.index(operand_of(op.operands[1]), rank == 3 ? ":, None, :, :" : "None, :, :");
  const PyId axis = python_.keyword("axis", python_.number(static_cast<int64_t>(rank) - 1));
  PyId total = python_.call("tl.sum", {python_.infix(right, "*", left), axis});
  if (op.operands.size() > 2) total = python_.infix(value(op.operands[2]), "+", total);
  return to == wide ? total : cast(total, true, to, op.span);
}

PyId Lowering::dot(const Op& op) {
  const ValueId x = op.operands[0];
  const ValueId y = op.operands[1];
  const bool accumulates = op.operands.size() > 2;
  const DtypeId from = type(x).dtype;
  const DtypeId to = type(op.results[0]).dtype;
  const std::optional<Scalar> known = program_.types.scalar_of(from);
  const std::optional<Scalar> sum = program_.types.scalar_of(to);
  const std::vector<sym::ExprId> left = shape(x);
  const std::vector<sym::ExprId> right = shape(y);
  if (!sum && is_listed(program_.types, from) && factor_may_be(op, Scalar::U8)) {
    refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_form, "`mma` of uint8 in some launches only"));
    return value(x);
  }
  if (left.size() != right.size() || left.size() < 2 || left.size() > 3 || (left.size() == 3 && left[0] != right[0])) {
    refuse(op.span,
           diag::report(diag::Severity::Error, op.span, no_such_form, "`mma` with broadcast or more than one batch axis"));
    return value(x);
  }
  if (is_thin(op)) return thin_dot(op);
  if (sum == Scalar::I32 && factor_may_be(op, Scalar::U8)) {
    const PyId product = python_.call(support("byte_dot"), {value(x), value(y)});
    return accumulates ? python_.infix(value(op.operands[2]), "+", product) : product;
  }
  std::vector<PyId> arguments = {value(x), value(y)};
  if (accumulates) arguments.push_back(value(op.operands[2]));
  // In parts, what is usual is said where they are multiplied.
  const bool in_parts = parts_ && left.size() == 2;
  if (in_parts && !accumulates) arguments.push_back(python_.atom("None"));
  if (in_parts) arguments.push_back(*parts_);
  if ((!known || known == Scalar::F32 || known == Scalar::TF32) && !(in_parts && !tf32_when(from)))
    arguments.push_back(python_.keyword("input_precision", precision(from)));
  const bool as_operands = !sum && program_.types[to].kind == ir::DtypeKind::Accumulator;
  const bool float8 =
      may_be(program_.types, to, Scalar::F32) && !as_operands && may_be_float8(program_.types, plain(from), calculated_);
  if (float8 && !(in_parts && settings_.options.numerics != Numerics::Strict))
    arguments.push_back(python_.keyword("max_num_imprecise_acc", float8_depth(op, {arguments[0], arguments[1]})));
  if (!as_operands) guard_where_plain(to);
  if (!as_operands && physical(to) != f32())
    arguments.push_back(python_.keyword("out_dtype", dtype(to, op.span, {op.operands.back()})));
  if (as_operands) {
    // The author asked for the sum's own dtype, float16 for float16; float32 is nearer and what the rest of the world does.
    note(diag::report(diag::Severity::Note, op.span, wider_accumulator));
    guard_float(from);
    if (program_.types[from].kind != ir::DtypeKind::Element) guard_not_float64(from);
  }
  return python_.call(in_parts ? support("dot_in_parts") : "tl.dot", arguments);
}

}  // namespace tilewright::back::triton
