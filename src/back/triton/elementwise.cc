// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic. The program says the dtype in which an op calculates; Triton derives it from the operands by rules of its own.
// Where both agree nothing is written; where they do not, a conversion is. Functions that Triton has for float32 only are
// calculated there and rounded once, as cuTile does for 16-bit floats.

#include <cmath>

#include "back/triton/floats8.h"
#include "back/triton/lower.h"
#include "back/triton/messages.h"
#include "ir/constants.h"
#include "ir/names.h"
#include "ir/rounding.h"

namespace tilewright::back::triton {

using ir::DtypeId;
using ir::LooseKind;
using ir::Op;
using ir::OpKind;
using ir::Scalar;
using ir::ValueId;

// --- operands

// `peel`: without the conversion that the author did not write.
Operand Lowering::operand(ValueId value, bool peel) {
  if (is_const(value)) {
    Operand out{.py = this->value(value), .dtype = {}, .weak = true, .loose = type(value).loose, .number = {}};
    if (const std::optional<sym::Value> number = program_.arena.literal_of(type(value).value)) {
      out.number = std::visit([](auto v) { return static_cast<double>(v); }, *number);
    }
    return out;
  }
  const Op* made = definition(value);
  if (peel && made && made->kind == OpKind::Cast && made->attrs.implicit && !has_name(value) &&
      inlines(program_.values[value].definition) && made->attrs.rounding == ir::Rounding::Default &&
      (is_const(made->operands[0]) || program_.types.class_of(type(made->operands[0]).dtype) != ir::ScalarClass::Bool)) {
    return operand(made->operands[0], true);
  }
  return {.py = this->value(value), .dtype = type(value).dtype, .weak = false, .loose = LooseKind::Int, .number = {}};
}

// Whether it depends on an array's dtype, so that what has it is a tensor; an argument may be a constant for Triton.
bool Lowering::of_array(DtypeId dtype) const {
  std::set<uint32_t> elements;
  add_elements(program_.types, dtype, elements);
  return !elements.empty();
}

std::optional<DtypeId> Lowering::triton_dtype(const Operand& a, const Operand& b) {
  if (a.weak && b.weak) {
    const LooseKind loose = std::max(a.loose, b.loose);
    return program_.types.known(loose == LooseKind::Float ? Scalar::F32 : loose == LooseKind::Int ? Scalar::I32 : Scalar::Bool);
  }
  if (a.weak) return triton_dtype(b, a);
  if (b.weak) return program_.types.adapt(a.dtype, b.loose);
  return program_.types.promote(a.dtype, b.dtype);
}

bool Lowering::agrees(const Operand& a, const Operand& b, DtypeId wanted) {
  const std::optional<DtypeId> found = triton_dtype(a, b);
  if (!found) return false;
  if (*found == wanted) return true;
  if (program_.types[*found].kind == ir::DtypeKind::Promote && program_.types.scalar_of(program_.types[*found].a) &&
      program_.types.scalar_of(program_.types[*found].b)) {
    return false;
  }
  return physical(*found) == physical(wanted);
}

// Both operands, so that Triton calculates in the op's dtype; zeros have their signs.
std::pair<Operand, Operand> Lowering::operands(const Op& op) {
  auto [a, b] = agreeing_operands(op);
  keep_signs(a, b, calculated_in(op), op.span);
  return {a, b};
}

std::pair<Operand, Operand> Lowering::agreeing_operands(const Op& op) {
  const DtypeId wanted = calculated_in(op);
  // An integer argument that happens to be 1 is a constant for Triton, and then gives way to a narrow integer.
  const auto gives_way = [&](ValueId value) {
    const std::optional<Scalar> known = program_.types.scalar_of(type(value).dtype);
    return is_tile(value) && known && ir::class_of(*known) != ir::ScalarClass::Float && ir::bits_of(*known) < 32;
  };
  Operand a = operand(op.operands[0], true);
  Operand b = operand(op.operands[1], true);
  const Op* first = definition(op.operands[0]);
  const Op* second = definition(op.operands[1]);
  const bool narrow = (first && first->kind == OpKind::Cast && gives_way(first->operands[0])) ||
                      (second && second->kind == OpKind::Cast && gives_way(second->operands[0]));
  if (!narrow && agrees(a, b, wanted)) return {a, b};
  a = operand(op.operands[0], false);
  b = operand(op.operands[1], false);
  if (agrees(a, b, wanted)) return {a, b};
  if (a.weak && !b.weak) a = {.py = strict(a, wanted, op.span), .dtype = wanted, .weak = false, .loose = {}, .number = {}};
  if (b.weak && !a.weak) b = {.py = strict(b, wanted, op.span), .dtype = wanted, .weak = false, .loose = {}, .number = {}};
  return {a, b};
}

PyId Lowering::strict(const Operand& operand, DtypeId dtype, source::Span where) {
  if (!operand.weak) return operand.py;
  const PyId kept = with_sign(operand, dtype, where);
  return kept == operand.py ? python_.call("tl.cast", {operand.py, this->dtype(dtype, where)}) : kept;
}

// Rounding and flushing to zero that an op asks for and Triton does not have.
void Lowering::check_float_options(const Op& op) {
  const ir::Rounding rounding = op.attrs.rounding;
  const bool folds = op.kind == OpKind::Reduce || op.kind == OpKind::Scan;
  const std::string name = (op.kind == OpKind::Scan ? "cum" : "") +
                           std::string(folds ? ir::name_of(op.attrs.rare->reduction) : ir::info(op.kind).text);
  if (ir::is_directed(rounding)) refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_rounding, name));
  const bool flushes = op.kind == OpKind::Exp2 || op.kind == OpKind::Rsqrt ||
                       (op.kind == OpKind::Sqrt && rounding == ir::Rounding::Approx) ||
                       (op.kind == OpKind::TrueDiv && settings_.options.numerics != Numerics::Strict);
  if (op.attrs.flush == ir::Flush::ToZero && !flushes) note(diag::report(diag::Severity::Note, op.span, keeps_denormals, name));
}

// A constant as a dtype has it. It is converted only where that may change it.
PyId Lowering::held(const Operand& constant, DtypeId dtype, source::Span where) {
  const auto holds = [&](Scalar scalar) {
    if (!constant.number) return false;
    const std::optional<sym::Value> kept = ir::constant_of(scalar, *constant.number);
    const double* number = kept ? std::get_if<double>(&*kept) : nullptr;
    return std::isnan(*constant.number) || (number && *number == *constant.number);
  };
  const std::optional<Scalar> known = program_.types.scalar_of(dtype);
  const bool exact = !may_be_narrow(dtype) || (known ? holds(*known) : holds(Scalar::F16) && holds(Scalar::BF16));
  return exact ? constant.py : strict(constant, dtype, where);
}

// Triton makes 0.0 of a constant -0.0, and -0.0 of a float64 that is too small for a float32.
PyId Lowering::negative_zero() {
  return python_.call("tl.cast", {python_.prefix("-", python_.atom("1e-300")), python_.atom("tl.float32")});
}

// An operand whose sign counts also where it is a zero: of float32 if the op that takes it converts by itself, else of `dtype`.
PyId Lowering::with_sign(const Operand& operand, DtypeId dtype, source::Span where) {
  const bool is_negative_zero = operand.number == 0.0 && std::signbit(*operand.number);
  if (!operand.weak || !is_negative_zero) return operand.py;
  const PyId zero = negative_zero();
  return !dtype || dtype == f32() ? zero : cast(zero, true, dtype, where);
}

void Lowering::keep_signs(Operand& a, Operand& b, DtypeId dtype, source::Span where) {
  a.py = with_sign(a, dtype, where);
  b.py = with_sign(b, dtype, where);
}

PyId Lowering::infix(const Op& op, std::string_view word) {
  const auto [a, b] = operands(op);
  return python_.infix(a.py, word, b.py);
}

PyId Lowering::compare(const Op& op, std::string_view word) {
  auto [a, b] = operands(op);
  // A float constant is compared as float32: where a narrow float would round it, it is rounded first.
  const DtypeId wanted = op.attrs.dtype;
  if (wanted) {
    if (a.weak && !b.weak && a.loose == LooseKind::Float) a.py = held(a, wanted, op.span);
    if (b.weak && !a.weak && b.loose == LooseKind::Float) b.py = held(b, wanted, op.span);
  }
  return python_.infix(a.py, word, b.py);
}

// --- what Triton has for float32 only

// The value in float32 if it may be narrower.
PyId Lowering::widened(ValueId value, DtypeId dtype, source::Span where) {
  Operand x = operand(value, true);
  if (x.weak) {
    const PyId kept =
        with_sign({.py = held(x, dtype, where), .dtype = {}, .weak = true, .loose = x.loose, .number = x.number}, {}, where);
    return kept == x.py ? kept : cast(kept, true, f32(), where);
  }
  const std::optional<ir::ScalarClass> kind = program_.types.class_of(x.dtype);
  const bool rounds = may_be_narrow(dtype) && (kind == ir::ScalarClass::Signed || kind == ir::ScalarClass::Unsigned);
  if (rounds) x = operand(value, false);
  const bool convert = may_be_narrow(x.dtype) || plain(x.dtype) != plain(dtype);
  if (!convert) return x.py;
  if (!may_be_narrow(dtype)) return cast(x.py, method_on(value), dtype, where);
  if (!program_.types.scalar_of(dtype)) guard_not_float64(dtype);
  return cast(x.py, method_on(value), f32(), where);
}

PyId Lowering::narrowed(PyId py, DtypeId dtype, source::Span where, const ShortList<ValueId>& alike) {
  return may_be_narrow(dtype) ? cast_like(py, dtype, where, alike) : py;
}

PyId Lowering::unary(const Op& op, std::string_view function) {
  const DtypeId dtype = calculated_in(op);
  return narrowed(unary_of(op, widened(op.operands[0], dtype, op.span), function), dtype, op.span, op.operands);
}

PyId Lowering::unary_of(const Op& op, PyId argument, std::string_view function) {
  const bool strict = settings_.options.numerics == Numerics::Strict;
  const bool flushes = op.kind == OpKind::Exp2 || op.kind == OpKind::Rsqrt || op.kind == OpKind::Tan ||
                       op.kind == OpKind::Floor || op.kind == OpKind::Ceil;
  if (strict && flushes && op.attrs.flush == ir::Flush::Keep) {
    note(diag::report(diag::Severity::Note, op.span, flushes_denormals, ir::info(op.kind).text));
  }
  const bool approximate = op.kind == OpKind::Exp || op.kind == OpKind::Exp2 || op.kind == OpKind::Log ||
                           op.kind == OpKind::Log2 || op.kind == OpKind::Rsqrt || op.kind == OpKind::Sin ||
                           op.kind == OpKind::Cos || op.kind == OpKind::Tan || op.kind == OpKind::Sinh ||
                           op.kind == OpKind::Cosh || op.kind == OpKind::Tanh;
  if (strict && approximate) note(diag::report(diag::Severity::Note, op.span, own_approximation, ir::info(op.kind).text));
  if (function.substr(0, 3) == "tl.") return python_.call(function, {argument});
  return python_.call(support(function), {argument});
}

PyId Lowering::divide(const Op& op) {
  const DtypeId dtype = calculated_in(op);
  // Of arrays that may hold integers as well: the quotient is a float32 then.
  const Operand a = operand(op.operands[0], true);
  const Operand b = operand(op.operands[1], true);
  const auto may_be_whole = [&](const Operand& x) { return !x.weak && !program_.types.class_of(x.dtype); };
  const bool open = a.weak || b.weak ? may_be_whole(a) || may_be_whole(b)
                                     : program_.types[dtype].kind == ir::DtypeKind::FloatOf &&
                                           plain(program_.types.promote(a.dtype, b.dtype)) != plain(dtype);
  const auto fits = [&](const Operand& x, ValueId value) { return x.weak ? x.number != 0.0 : method_on(value); };
  const bool exact = ir::is_nearest(op.attrs.rounding);
  if (open && exact && fits(a, op.operands[0]) && fits(b, op.operands[1])) {
    guard_not_float64(dtype);
    return python_.call(support("true_div"), {a.py, b.py});
  }
  const PyId x = widened(op.operands[0], dtype, op.span);
  const PyId y = widened(op.operands[1], dtype, op.span);
  const bool doubles = program_.types.scalar_of(dtype) == Scalar::F64;  // `/` of doubles is correctly rounded
  if (!exact || doubles || settings_.options.numerics == Numerics::Fast)
    return narrowed(python_.infix(x, "/", y), dtype, op.span, op.operands);
  return narrowed(python_.call("tl.div_rn", {x, y}), dtype, op.span, op.operands);
}

// --- integers

PyId Lowering::floor_divide(const Op& op) {
  const DtypeId dtype = calculated_in(op);
  const auto [a, b] = operands(op);
  if (op.kind == OpKind::CeilDivPositive) return python_.call("tl.cdiv", {a.py, b.py});
  const std::optional<ir::ScalarClass> kind = program_.types.class_of(dtype);
  if ((!kind || kind == ir::ScalarClass::Float) && op.kind != OpKind::CeilDiv) {
    if (op.kind == OpKind::FloorMod) note(diag::report(diag::Severity::Note, op.span, short_quotient));
    if (settings_.options.numerics == Numerics::Strict)
      note(diag::report(diag::Severity::Note, op.span, flushes_denormals, op.kind == OpKind::FloorMod ? "%" : "//"));
  }
  if (kind == ir::ScalarClass::Float) {
    const char* name = op.kind == OpKind::FloorDiv ? "float_floor_div" : "float_floor_mod";
    if (op.kind == OpKind::CeilDiv || program_.types.scalar_of(dtype) == Scalar::F64) {
      refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_function, ir::info(op.kind).text));
      return a.py;
    }
    if (!program_.types.scalar_of(dtype)) guard_not_float64(dtype);
    return python_.call(support(name), {a.py, b.py});
  }
  if (kind == ir::ScalarClass::Unsigned) {
    if (op.kind == OpKind::CeilDiv) return python_.call("tl.cdiv", {a.py, b.py});
    return python_.infix(a.py, op.kind == OpKind::FloorDiv ? "//" : "%", b.py);
  }
  const char* name = op.kind == OpKind::FloorDiv ? "floor_div" : op.kind == OpKind::FloorMod ? "floor_mod" : "ceil_div";
  // Integers or floats, as the launch has it.
  if (kind || op.kind == OpKind::CeilDiv) return python_.call(support(name), {a.py, b.py});
  guard_not_float64(dtype);
  return python_.call(support(std::string("any_") + name), {a.py, b.py});
}

PyId Lowering::minmax(const Op& op) {
  const DtypeId wanted = calculated_in(op);
  const auto [a, b] = operands(op);
  const bool lower = op.kind == OpKind::Min;
  const std::optional<ir::ScalarClass> kind = program_.types.class_of(wanted);
  const bool whole = kind == ir::ScalarClass::Signed || (!kind && op.attrs.spelling == ir::Spelling::Builtin);
  std::vector<PyId> arguments = {a.py, b.py};
  if (op.attrs.nan == ir::NanRule::Propagate) {
    arguments.push_back(python_.keyword("propagate_nan", python_.atom("tl.PropagateNan.ALL")));
  } else if (type(op.results[0]).shape.empty() && whole) {
    return python_.call(lower ? "min" : "max", arguments);
  }
  PyId out = python_.call(lower ? "tl.minimum" : "tl.maximum", arguments);
  // A constant counts as float32 or int32 here, and bfloat16 is calculated as float32.
  const auto small = program_.types.scalar_of(wanted);
  const bool widens = may_be_narrow(wanted) || ((a.weak || b.weak) && (!small || ir::bits_of(*small) < 32));
  if (!widens) return out;
  // The value is right as it is; a conversion keeps what is calculated with it in its dtype.
  const bool simple = python_[a.py].kind == PyKind::Atom && python_[b.py].kind == PyKind::Atom;
  if (simple && !a.weak && !b.weak && program_.types[physical(wanted)].kind == ir::DtypeKind::Promote)
    return python_.method(out, "to", {python_.attribute(python_.infix(a.py, "+", b.py), "dtype")});
  const std::optional<PyId> target = try_dtype(wanted, op.operands);
  return target ? python_.method(out, "to", {*target}) : out;
}

PyId Lowering::power(const Op& op) {
  const DtypeId dtype = calculated_in(op);
  const Operand exponent = operand(op.operands[1], true);
  const Operand base = operand(op.operands[0], true);
  // The dtype of a product is that of its factors.
  const std::optional<ir::ScalarClass> kind = base.weak ? std::nullopt : program_.types.class_of(base.dtype);
  const bool multiplies = !base.weak && exponent.weak && python_[base.py].kind == PyKind::Atom &&
                          program_.types.adapt(base.dtype, exponent.loose) == dtype &&
                          (exponent.loose != LooseKind::Float || !kind || kind == ir::ScalarClass::Float);
  if (multiplies && (exponent.number == 2.0 || exponent.number == 3.0)) {
    if (exponent.loose == LooseKind::Float && !kind) guard_float(base.dtype);
    const PyId x = base.py;
    if (exponent.number == 2.0) return python_.infix(x, "*", x);
    if (!may_be_narrow(dtype)) return python_.infix(python_.infix(x, "*", x), "*", x);
    return python_.call(support("cube"), {x});
  }
  return narrowed(
      python_.call(support("power"), {widened(op.operands[0], dtype, op.span), widened(op.operands[1], dtype, op.span)}), dtype,
      op.span, op.operands);
}

PyId Lowering::shift(const Op& op, std::string_view word) {
  const DtypeId dtype = calculated_in(op);
  const auto [a, b] = operands(op);
  const std::optional<Scalar> known = program_.types.scalar_of(dtype);
  const bool in_range = b.number && known && *b.number >= 0 && *b.number < ir::bits_of(*known);
  if (in_range) return python_.infix(a.py, word, b.py);
  const std::string name = op.kind == OpKind::Shl ? "shift_left" : "shift_right";
  // A constant count is an int32 once it is tested, and would widen what is narrower.
  const bool narrow = known && ir::bits_of(*known) < 32 && !(a.weak && b.weak);
  if (narrow || (!known && of_array(dtype))) return python_.call(support("any_" + name), {a.py, b.py});
  return python_.call(support(name), {a.py, b.py, python_.number(known ? ir::bits_of(*known) : 32)});
}

// --- the rest

PyId Lowering::where(const Op& op) {
  const DtypeId wanted = calculated_in(op);
  Operand a = operand(op.operands[1], true);
  Operand b = operand(op.operands[2], true);
  if (!agrees(a, b, wanted)) {
    a = operand(op.operands[1], false);
    b = operand(op.operands[2], false);
  }
  if (!agrees(a, b, wanted)) {
    a.py = strict(a, wanted, op.span);
    b.py = strict(b, wanted, op.span);
  }
  keep_signs(a, b, wanted, op.span);
  return python_.call("tl.where", {truth(value(op.operands[0]), op.operands[0]), a.py, b.py});
}

PyId Lowering::negate(const Op& op) {
  const Operand x = operand(op.operands[0], true);
  const std::optional<ir::ScalarClass> kind = x.dtype ? program_.types.class_of(x.dtype) : std::nullopt;
  const bool integer = kind && kind != ir::ScalarClass::Float;
  const DtypeId dtype = calculated_in(op);
  if (!kind && program_.types[dtype].kind == ir::DtypeKind::CountOf) guard_not_bool(dtype);
  if (integer || !signs_of_zero_.counts(op.results[0])) return python_.prefix("-", x.py);
  if (!kind && x.dtype && of_array(x.dtype)) return python_.call(support("negative"), {x.py});
  // The compiler makes a change of sign of it, as of `-x` from Triton 3.8 on. A number of the launch may be an integer.
  return python_.infix(x.py, "*", python_.prefix("-", kind ? python_.atom("1.0") : python_.number(1)));
}

PyId Lowering::logical_not(const Op& op) {
  const ValueId x = op.operands[0];
  const bool flag = is_const(x) || program_.types.class_of(type(x).dtype) == ir::ScalarClass::Bool;
  if (!flag && is_float8(type(x).dtype)) return python_.prefix("~", any_bit(x));
  if (!flag) return python_.infix(value(x), "==", python_.number(0));
  const bool scalar = is_const(x) || type(x).shape.empty();
  return scalar ? python_.prefix("not", value(x)) : python_.prefix("~", value(x));
}

bool Lowering::is_float8(DtypeId dtype) { return may_be_float8(program_.types, plain(dtype), calculated_); }

// Whether a number that may be a float8 counts as true.
PyId Lowering::any_bit(ValueId value) { return python_.call(support("any_bit"), {this->value(value)}); }

// A truth value: an integer is compared with zero.
PyId Lowering::truth(PyId py, ValueId value) {
  if (is_const(value)) return py;
  if (program_.types.class_of(type(value).dtype) == ir::ScalarClass::Bool) return py;
  return python_.infix(py, "!=", python_.number(0));
}

// Tensor cores cut off what a tf32 does not have; a conversion rounds. `py` is stored as `to` already.
PyId Lowering::rounded_to_tf32(PyId py, DtypeId from, DtypeId to, source::Span where) {
  const std::optional<Scalar> origin = program_.types.scalar_of(from);
  const bool exact = origin == Scalar::F16 || origin == Scalar::BF16 || (origin && ir::bits_of(*origin) <= 8);
  const sym::ExprId when = tf32_when(to);
  if (exact || tf32_when(from) == when) return py;
  if (settings_.options.numerics == Numerics::Fast) {
    note(diag::report(diag::Severity::Note, where, tf32_truncates));
    return py;
  }
  const bool always = program_.arena.truth_of(when).has_value();
  return always ? python_.call(support("round_to_tf32"), {py}) : python_.call(support("round_to_tf32_if"), {constant(when), py});
}

PyId Lowering::convert(const Op& op) {
  const ValueId x = op.operands[0];
  const DtypeId to = calculated_in(op);
  PyId py = value(x);
  const DtypeId from = is_const(x) ? f32() : type(x).dtype;
  const std::optional<Scalar> target = program_.types.scalar_of(to);
  if (tf32_when(to)) {
    const bool stored_so = !pythonic(x) && physical(from) == physical(to);
    return rounded_to_tf32(stored_so ? py : cast(py, method_on(x), physical(to), op.span), is_const(x) ? f32() : from, to,
                           op.span);
  }
  if (is_const(x)) return strict(operand(x, false), to, op.span);
  if (physical(from) == physical(to)) return py;
  if (target == Scalar::Bool) return is_float8(from) ? any_bit(x) : python_.infix(py, "!=", python_.number(0));
  std::optional<ir::ScalarClass> kind = program_.types.class_of(from);
  bool method = method_on(x);
  if (target == Scalar::F8E4M3 || target == Scalar::F8E5M2) {
    const std::optional<Scalar> source = program_.types.scalar_of(from);
    const bool rounded =
        source == Scalar::F16 || source == Scalar::BF16 || source == Scalar::F32 || (!source && kind == ir::ScalarClass::Float);
    if (!rounded && method) py = python_.call(support("float8_source"), {py});
  } else if (target && is_float8(from) && target != Scalar::F16 && target != Scalar::F32) {
    py = program_.types.scalar_of(from) ? cast(py, method, f32(), op.span) : python_.call(support("wide_float8"), {py});
    if (program_.types.scalar_of(from)) kind = ir::ScalarClass::Float;
    method = true;
  }
  const bool from_float = kind == ir::ScalarClass::Float || !kind;
  // A float that does not fit a small integer saturates; Triton's conversion does that for 32 bits only.
  if (from_float && target &&
      (ir::class_of(*target) == ir::ScalarClass::Signed || ir::class_of(*target) == ir::ScalarClass::Unsigned) &&
      ir::bits_of(*target) < 32) {
    const int bits = ir::bits_of(*target);
    const bool is_signed = ir::class_of(*target) == ir::ScalarClass::Signed;
    const int64_t high = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
    const int64_t low = is_signed ? -high - 1 : 0;
    if (!kind) {
      const PyId tensor = method ? py : python_.call("tl.add", {py, python_.number(0)});
      return python_.call(support("saturated"), {tensor, dtype(to, op.span), python_.number(low), python_.number(high)});
    }
    const PyId wide = cast(py, method, program_.types.known(Scalar::I32), op.span);
    const PyId clamped =
        python_.call("tl.minimum", {python_.call("tl.maximum", {wide, python_.number(low)}), python_.number(high)});
    return cast(clamped, true, to, op.span);
  }
  if (from_float && target == Scalar::I64) {
    const PyId zero = kind ? python_.atom("0.0") : python_.number(0);
    const PyId number = python_.call("tl.where", {python_.infix(py, "==", py), py, zero});
    return cast(number, true, to, op.span);
  }
  return cast(py, method, to, op.span);
}

PyId Lowering::const_ceiling(PyId dividend, PyId divisor, bool is_positive) {
  if (!is_positive) return python_.prefix("-", python_.infix(python_.prefix("-", dividend), "//", divisor));
  return python_.infix(python_.infix(python_.infix(dividend, "+", divisor), "-", python_.number(1)), "//", divisor);
}

// Compile-time arithmetic is Python's own.
PyId Lowering::const_op(const Op& op) {
  // … but for constants of a dtype, which are rounded and wrapped after each operation.
  const bool typed = std::any_of(op.operands.begin(), op.operands.end(),
                                 [&](ValueId operand) { return is_const(operand) && type(operand).strict; });
  if (typed && program_.arena.literal_of(type(op.results[0]).value)) return constant(type(op.results[0]).value);
  const auto at = [&](size_t i) { return value(op.operands[i]); };
  const auto in = [&](std::string_view word) { return python_.infix(at(0), word, at(1)); };
  switch (op.kind) {
    case OpKind::Add: return in("+");
    case OpKind::Sub: return in("-");
    case OpKind::Mul: return in("*");
    case OpKind::TrueDiv: return in("/");
    case OpKind::FloorDiv:
    case OpKind::TruncDiv: return in("//");
    case OpKind::FloorMod:
    case OpKind::TruncMod: return in("%");
    case OpKind::Pow: return in("**");
    case OpKind::BitAnd: return in("&");
    case OpKind::BitOr: return in("|");
    case OpKind::BitXor: return in("^");
    case OpKind::Shl: return in("<<");
    case OpKind::Shr: return in(">>");
    case OpKind::CmpEq: return in("==");
    case OpKind::CmpNe: return in("!=");
    case OpKind::CmpLt: return in("<");
    case OpKind::CmpLe: return in("<=");
    case OpKind::CmpGt: return in(">");
    case OpKind::CmpGe: return in(">=");
    case OpKind::CeilDiv:
      return const_ceiling(at(0), at(1), program_.arena.integer_of(type(op.operands[1]).value).value_or(0) > 0);
    case OpKind::CeilDivPositive: return const_ceiling(at(0), at(1), true);
    case OpKind::Min: return python_.conditional(at(0), in("<"), at(1));
    case OpKind::Max: return python_.conditional(at(0), in(">"), at(1));
    case OpKind::Neg: return python_.prefix("-", at(0));
    case OpKind::Not: return python_.prefix("not", at(0));
    case OpKind::BitNot: return python_.prefix("~", at(0));
    case OpKind::Cast:
    case OpKind::Bitcast:
    case OpKind::Atan2:
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
    case OpKind::Literal:
    case OpKind::Symbol:
    case OpKind::DtypeName:
    case OpKind::DtypeOf:
    case OpKind::TileDim:
    case OpKind::Copy:
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
    case OpKind::AndThen:
    case OpKind::OrElse:
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
    case OpKind::Reshape:
    case OpKind::ExpandDims:
    case OpKind::Permute:
    case OpKind::Broadcast:
    case OpKind::Cat:
    case OpKind::Extract:
    case OpKind::Reduce:
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
    case OpKind::ReduceBy:
    case OpKind::ScanBy:
    case OpKind::MapBy:
    case OpKind::Sort:
    case OpKind::TopK:
    case OpKind::Histogram:
    case OpKind::Scan:
    case OpKind::Dot: break;
  }
  return constant(type(op.results[0]).value);
}

}  // namespace tilewright::back::triton
