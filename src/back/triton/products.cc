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
  }
  return "";
}

}  // namespace

// Triton counts bools as int32 by itself: the conversion that says so is not written.
ValueId Lowering::uncounted(ValueId value) const {
  const Op* made = definition(value);
  const bool counts = made && made->kind == OpKind::Cast && made->attrs.implicit && value_names_[value.index].empty() &&
                      inlines(program_.values[value].definition);
  return counts ? made->operands[0] : value;
}

// As it is to be added up: 16-bit floats in float32, whatever else the array may hold in its own dtype.
PyId Lowering::accumulable(PyId py, DtypeId dtype) {
  if (program_.types.scalar_of(dtype)) return cast(py, true, f32(), {});
  return python_.call(support("widened"), {py});
}

PyId Lowering::reduce(const Op& op) {
  const ValueId x = uncounted(op.operands[0]);
  const DtypeId from = type(x).dtype;
  const DtypeId to = type(op.results[0]).dtype;
  const size_t rank = type(x).shape.size();
  const Reduction kind = op.attrs.reduction;
  PyId py = value(x);
  bool widened = false;
  const bool adds = kind == Reduction::Sum || kind == Reduction::Prod;
  if (adds && may_be_narrow(from)) {
    py = accumulable(py, from);
    widened = true;
  }
  std::vector<uint32_t> axes = op.attrs.axes;
  if (axes.empty()) {
    for (uint32_t i = 0; i < rank; ++i) axes.push_back(i);
  }
  if (rank == 0) return py;
  const bool all = axes.size() == rank && rank > 1;
  const bool arg = kind == Reduction::ArgMax || kind == Reduction::ArgMin;
  if (op.attrs.nan == ir::NanRule::Propagate && (kind == Reduction::Max || kind == Reduction::Min || arg)) {
    refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_function, "propagate_nan in a reduction"));
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
  if (arg && all) {
    // An index into the flattened tile.
    std::vector<PyId> extents;
    sym::ExprId size = program_.arena.integer(1);
    for (const sym::ExprId extent : type(x).shape) size = program_.arena.make(sym::ExprKind::Mul, {size, extent});
    py = one(python_.call("tl.reshape", {py, python_.tuple({extent(size)})}), 0, false);
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
  const std::optional<Scalar> known = program_.types.scalar_of(from);
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
  if (op.attrs.reduction != Reduction::Sum && op.attrs.reduction != Reduction::Prod) {
    refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_function, "this scan"));
    return py;
  }
  std::vector<PyId> arguments = {py, python_.keyword("axis", python_.number(op.attrs.axis))};
  if (op.attrs.reverse) arguments.push_back(python_.keyword("reverse", python_.atom("True")));
  py = python_.call(op.attrs.reduction == Reduction::Sum ? "tl.cumsum" : "tl.cumprod", arguments);
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
  const std::vector<sym::ExprId> product = shape(op.results[0]);
  if (known == Scalar::U8 || program_.types.scalar_of(type(y).dtype) == Scalar::U8) {
    refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_function, "mma of uint8"));
    return value(x);
  }
  if (left.size() != right.size() || left.size() < 2 || left.size() > 3 || (left.size() == 3 && left[0] != right[0])) {
    refuse(op.span,
           diag::report(diag::Severity::Error, op.span, no_such_function, "mma with broadcast or more than one batch axis"));
    return value(x);
  }
  const bool eight_bits = known && ir::bits_of(*known) == 8;
  const std::optional<int64_t> depth = program_.arena.integer_of(left.back());
  const auto is_one = [&](sym::ExprId extent) { return program_.arena.integer_of(extent) == 1; };
  const bool is_row = left.size() == 2 && (is_one(left[0]) || is_one(right[1]));
  const bool full_floats = known ? known == Scalar::F16 || known == Scalar::BF16 || known == Scalar::F32 : sum == Scalar::F32;
  if (depth ? *depth < (eight_bits ? 32 : 16) : is_row && full_floats) {
    // Too thin for Triton's dot, or perhaps so and nothing for tensor cores anyway: products, summed. The right operand comes
    // first because of a compiler bug (triton#9609).
    std::string behind = left.size() == 3 ? ":, :, :, None" : ":, :, None";
    std::string before = left.size() == 3 ? ":, None, :, :" : "None, :, :";
    const bool integer = known && ir::class_of(*known) != ir::ScalarClass::Float;
    const DtypeId wide = integer || known == Scalar::F64 ? to : f32();
    const auto operand_of = [&](ValueId value) {
      return type(value).dtype == wide ? this->value(value) : cast(this->value(value), true, wide, op.span);
    };
    const PyId products = python_.infix(python_.index(operand_of(y), before), "*", python_.index(operand_of(x), behind));
    PyId total =
        python_.call("tl.sum", {products, python_.keyword("axis", python_.number(static_cast<int64_t>(left.size()) - 1))});
    if (accumulates) total = python_.infix(value(op.operands[2]), "+", total);
    return to == wide ? total : cast(total, true, to, op.span);
  }
  std::vector<PyId> arguments = {value(x), value(y)};
  if (accumulates) arguments.push_back(value(op.operands[2]));
  if (!known || known == Scalar::F32 || known == Scalar::TF32)
    arguments.push_back(python_.keyword("input_precision", precision(from)));
  if (sum == Scalar::F32 && may_be_float8(program_.types, plain(from), calculated_)) {
    arguments.push_back(python_.keyword("max_num_imprecise_acc", float8_depth(op, {arguments[0], arguments[1]})));
  }
  if (sum && *sum != Scalar::F32) arguments.push_back(python_.keyword("out_dtype", dtype(to, op.span)));
  if (!sum && program_.types[to].kind == ir::DtypeKind::Accumulator) {
    // The author asked for the sum's own dtype, float16 for float16; float32 is nearer and what the rest of the world does.
    note(diag::report(diag::Severity::Note, op.span, wider_accumulator));
    guard_float(from);
    guard_not_float64(from);
  }
  return python_.call("tl.dot", arguments);
}

}  // namespace tilewright::back::triton
