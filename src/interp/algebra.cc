// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/algebra.h"

#include <algorithm>

#include "base/check.h"
#include "interp/lanes.h"

namespace tilewright::interp::algebra {
namespace {

using ir::OpKind;

Real extreme(const Field& field, const Real& x, const Real& y, Order better, ir::NanRule nan) {
  switch (field.order(x, y)) {
    case Order::Undecided: return !x.is_known() ? x : !y.is_known() ? y : Real::unknown(Reason::Undecided);
    case Order::Unordered: return x.is_nan() == (nan == ir::NanRule::Propagate) ? x : y;
    case Order::Equal: return x.has_exponent() ? x : y;
    case Order::Less: return better == Order::Less ? x : y;
    case Order::Greater: return better == Order::Greater ? x : y;
  }
  return x;
}

// The remainder of x / y, the quotient rounded so.
Real remainder(const Field& field, const Real& x, const Real& y, Whole how) {
  if (!x.is_finite() || !y.is_finite()) {
    return !x.is_known() ? x : !y.is_known() ? y : Real::unknown(Reason::Undecided);
  }
  return field.sub(x, field.mul(field.whole(field.div(x, y), how), y));
}

// nullopt if these elements do not have the op.
std::optional<Real> result_of(const Field& field, OpKind kind, const Real& x) {
  if (kind == OpKind::Neg) return field.neg(x);
  if (kind == OpKind::Abs) return field.abs(x);
  if (kind == OpKind::Floor) return field.whole(x, Whole::Floor);
  if (kind == OpKind::Ceil) return field.whole(x, Whole::Ceil);
  if (kind == OpKind::Exp) return field.exp(x);
  if (kind == OpKind::Exp2) return field.exp2(x);
  if (kind == OpKind::Log) return field.log(x);
  if (kind == OpKind::Log2) return field.log2(x);
  if (kind == OpKind::Sqrt) return field.sqrt(x);
  if (kind == OpKind::Rsqrt) return field.div(field.of(1.0), field.sqrt(x));
  if (kind == OpKind::Sin) return field.sin(x);
  if (kind == OpKind::Cos) return field.cos(x);
  if (kind == OpKind::Tan) return field.div(field.sin(x), field.cos(x));
  if (kind == OpKind::Sinh) return field.sinh(x);
  if (kind == OpKind::Cosh) return field.cosh(x);
  if (kind == OpKind::Tanh) return field.tanh(x);
  return std::nullopt;
}

std::optional<Real> result_of(const Field& field, OpKind kind, ir::NanRule nan, const Real& x, const Real& y) {
  if (kind == OpKind::Add) return field.add(x, y);
  if (kind == OpKind::Sub) return field.sub(x, y);
  if (kind == OpKind::Mul) return field.mul(x, y);
  if (kind == OpKind::TrueDiv) return field.div(x, y);
  if (kind == OpKind::FloorDiv) return field.whole(field.div(x, y), Whole::Floor);
  if (kind == OpKind::TruncDiv) return field.whole(field.div(x, y), Whole::Trunc);
  if (kind == OpKind::CeilDiv || kind == OpKind::CeilDivPositive) return field.whole(field.div(x, y), Whole::Ceil);
  if (kind == OpKind::FloorMod) return remainder(field, x, y, Whole::Floor);
  if (kind == OpKind::TruncMod) return remainder(field, x, y, Whole::Trunc);
  if (kind == OpKind::Pow) return field.pow(x, y);
  if (kind == OpKind::Atan2) return field.atan2(x, y);
  if (kind == OpKind::Max) return extreme(field, x, y, Order::Greater, nan);
  if (kind == OpKind::Min) return extreme(field, x, y, Order::Less, nan);
  return std::nullopt;
}

// nullopt if the order is not known; with a NaN only `ne` is true.
std::optional<bool> compared(OpKind kind, Order order) {
  if (order == Order::Undecided) return std::nullopt;
  if (kind == OpKind::CmpEq) return order == Order::Equal;
  if (kind == OpKind::CmpNe) return order != Order::Equal;
  if (kind == OpKind::CmpLt) return order == Order::Less;
  if (kind == OpKind::CmpLe) return order == Order::Less || order == Order::Equal;
  if (kind == OpKind::CmpGt) return order == Order::Greater;
  return order == Order::Greater || order == Order::Equal;
}

std::optional<bool> is_not_zero(const Field& field, const Real& x) { return compared(OpKind::CmpNe, field.order(x, {})); }

bool is_comparison(OpKind kind) { return kind >= OpKind::CmpEq && kind <= OpKind::CmpGe; }

// The elements of a tile of Reals; those of a tile of one are repeated.
class Elements {
 public:
  explicit Elements(const Tile& tile) : elements_(tile.data.as<const Real>()), step_(tile.count() == 1 ? 0 : 1) {}
  const Real& operator[](int64_t i) const { return elements_[i * step_]; }

 private:
  const Real* elements_;
  int64_t step_;
};

// Fills a tile of bools with what `test` says of each element.
template <class Test>
void test_all(Machine& machine, const ir::Op& op, Tile& out, Test&& test) {
  for (int64_t i = 0; i < out.count(); ++i) {
    const std::optional<bool> result = test(i);
    out.data.as<uint8_t>()[i] = result.value_or(false);
    if (!result) mark_element(machine, op, out, i, Reason::Undecided);
  }
}

Tile real_operand(Machine& machine, ir::ValueId value, ir::Scalar dtype, const TileType& result) {
  const Tile tile = spread(machine, machine.tile(value, dtype), result);
  return tile.type->kept == Kept::Real ? tile : converted(machine, tile, machine.type_of(dtype, *tile.type));
}

void unary(Machine& machine, const ir::Op& op, const Tile& x, Tile& out) {
  const Field& field = *machine.field();
  const Elements elements(x);
  take_marks(machine, x, out);
  if (op.kind == OpKind::Not || op.kind == OpKind::IsNan) {
    return test_all(machine, op, out, [&](int64_t i) -> std::optional<bool> {
      if (op.kind == OpKind::IsNan) return elements[i].is_nan();
      const std::optional<bool> truth = is_not_zero(field, elements[i]);
      return truth ? std::optional(!*truth) : std::nullopt;
    });
  }
  for (int64_t i = 0; i < out.count(); ++i) {
    const std::optional<Real> result = result_of(field, op.kind, elements[i]);
    TW_CHECK(result.has_value(), "an op that floats do not have");
    out.data.as<Real>()[i] = *result;
  }
  mark_unknown(machine, op, out);
}

void binary(Machine& machine, const ir::Op& op, const Tile& x, const Tile& y, Tile& out) {
  const Field& field = *machine.field();
  const Elements a(x);
  const Elements b(y);
  take_marks(machine, x, out);
  take_marks(machine, y, out);
  if (is_comparison(op.kind)) {
    return test_all(machine, op, out, [&](int64_t i) { return compared(op.kind, field.order(a[i], b[i])); });
  }
  Divider divider(field);
  for (int64_t i = 0; i < out.count(); ++i) {
    Real& to = out.data.as<Real>()[i];
    if (op.kind == OpKind::TrueDiv) {
      to = divider(a[i], b[i]);
      continue;
    }
    const std::optional<Real> result = result_of(field, op.kind, op.attrs.nan, a[i], b[i]);
    TW_CHECK(result.has_value(), "an op that floats do not have");
    to = *result;
  }
  mark_unknown(machine, op, out);
}

// An integer of a dtype as a Real, or a float that is kept as bits.
template <class Element>
void lift(const Field& field, const Tile& from, const Tile& to) {
  Reader<Element> reader(from);
  each_chunk(to.count(), [&](int64_t begin, size_t count) {
    const auto* values = reader.at(begin, count);
    for (size_t i = 0; i < count; ++i) {
      Real& out = to.data.as<Real>()[begin + static_cast<int64_t>(i)];
      if constexpr (std::floating_point<typename Element::Computed>) {
        out = field.of(static_cast<double>(values[i]));
      } else {
        out = field.of(values[i]);
      }
    }
  });
}

void lift(const Field& field, const Tile& from, const Tile& to) {
  with_element(from.dtype(), [&](auto element) { lift<decltype(element)>(field, from, to); });
}

// Reals as integers or bools of a dtype.
template <class Element>
void lower(Machine& machine, const Tile& from, Tile& to) {
  using T = typename Element::Computed;
  for (int64_t i = 0; i < to.count(); ++i) {
    const Real& x = from.data.as<const Real>()[i];
    std::optional<T> integer;
    if constexpr (std::is_same_v<Element, Bool>) {
      integer = is_not_zero(*machine.field(), x);
    } else if constexpr (std::integral<T>) {
      integer = machine.field()->template integer<T>(x);
    }
    if (!integer) {
      const bool is_bool = std::is_same_v<Element, Bool>;
      mark_element(machine, machine.current(), to, i, is_bool ? Reason::Undecided : Reason::UndecidedInteger);
    }
    to.data.as<typename Element::Stored>()[i] = Element::encode(integer.value_or(T{}));
  }
}

}  // namespace

Real constant(const Field& field, const sym::Value& value) {
  struct Visitor {
    const Field& field;
    Real operator()(bool number) const { return field.of(int64_t{number}); }
    Real operator()(int64_t number) const { return field.of(number); }
    Real operator()(double number) const { return field.constant(number); }
  };
  return std::visit(Visitor{field}, value);
}

std::optional<Tile> constant(Machine& machine, const ir::Op& op) {
  const auto* known = std::get_if<sym::Value>(&machine.slot(op.results[0]));
  if (!known || !std::holds_alternative<double>(*known) || op.operands.size() > 2) return std::nullopt;
  constexpr ir::Scalar dtype = ir::Scalar::F64;
  Real operands[2];
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const Value& content = machine.slot(op.operands[i]);
    if (!std::holds_alternative<sym::Value>(content) && !std::holds_alternative<Tile>(content)) return std::nullopt;
    operands[i] = *machine.tile(op.operands[i], dtype).data.as<const Real>();
  }
  const Field& field = *machine.field();
  const std::optional<Real> result = op.kind == OpKind::Cast ? std::optional(operands[0])
                                     : op.operands.size() == 1
                                         ? result_of(field, op.kind, operands[0])
                                         : result_of(field, op.kind, op.attrs.nan, operands[0], operands[1]);
  if (!result || !result->is_known()) return std::nullopt;
  Tile out = machine.make(machine.plan().scalar(dtype));
  *out.data.as<Real>() = *result;
  return out;
}

bool truth(Machine& machine, const ir::Op& op, const Tile& scalar) {
  const std::optional<bool> result = is_not_zero(*machine.field(), *scalar.data.as<const Real>());
  if (!result) machine.fail_undefined(op, machine.mark(op, Reason::Undecided), "decides a branch");
  return result.value_or(false);
}

bool elementwise(Machine& machine, const ir::Op& op) {
  const ir::Type& first = machine.plan().type_of(op.operands[0]);
  if (!op.attrs.dtype && first.kind != ir::TypeKind::Tile) return false;
  const ir::Scalar dtype = op.attrs.dtype ? machine.plan().dtype(op.attrs.dtype) : machine.plan().tile_type(op.operands[0]).dtype;
  if (machine.plan().kept(dtype) != Kept::Real) return false;
  Tile out = machine.make(op.results[0]);
  const Tile x = real_operand(machine, op.operands[0], dtype, *out.type);
  if (machine.stopped()) return true;
  if (op.operands.size() == 1) {
    unary(machine, op, x, out);
  } else {
    const Tile y = real_operand(machine, op.operands[1], dtype, *out.type);
    if (machine.stopped()) return true;
    binary(machine, op, x, y, out);
  }
  machine.set(op.results[0], std::move(out));
  return true;
}

// A float has no bits here; those of an integer are those of a float that is known.
bool bitcast(Machine& machine, const ir::Op& op) {
  const TileType& type = machine.plan().tile_type(op.results[0]);
  const ir::Type& given = machine.plan().type_of(op.operands[0]);
  const Tile x = machine.tile(op.operands[0], given.dtype ? machine.plan().dtype(given.dtype) : type.dtype);
  if (machine.stopped() || (x.type->kept == Kept::Bits && type.kept == Kept::Bits)) return machine.stopped();
  Tile out = machine.make(type);
  take_marks(machine, x, out);
  if (x.type->kept == Kept::Bits) {
    const TileType as_bits{.dtype = type.dtype, .extents = type.extents, .count = type.count, .kept = Kept::Bits};
    lift(*machine.field(), Tile{.type = &as_bits, .data = x.data, .undefined = {}}, out);
  } else if (x.dtype() == type.dtype) {
    out.data = x.data;
  } else {
    std::fill_n(out.data.data(), type.bytes(), std::byte{0});
    for (int64_t i = 0; i < out.count(); ++i) mark_element(machine, op, out, i, Reason::Bits);
  }
  machine.set(op.results[0], std::move(out));
  return true;
}

Tile converted(Machine& machine, const Tile& tile, const TileType& type) {
  if (tile.type->kept == type.kept) return {.type = &type, .data = tile.data, .undefined = tile.undefined};
  Tile out = machine.make(type);
  take_marks(machine, tile, out);
  if (type.kept == Kept::Real) {
    lift(*machine.field(), tile, out);
  } else {
    with_element(type.dtype, [&](auto element) { lower<decltype(element)>(machine, tile, out); });
  }
  return out;
}

Tile iota(Machine& machine, const TileType& type) {
  Tile out = machine.make(type);
  for (int64_t i = 0; i < out.count(); ++i) out.data.as<Real>()[i] = machine.field()->of(i);
  return out;
}

void mark_element(Machine& machine, const ir::Op& op, Tile& out, int64_t at, Reason reason) {
  if (!out.undefined) out.undefined = machine.no_marks(out.count());
  Mark& mark = out.undefined.as<Mark>()[at];
  if (!mark) mark = machine.mark(op, reason);
}

void mark_unknown(Machine& machine, const ir::Op& op, Tile& out) {
  const auto* elements = out.data.as<const Real>();
  for (int64_t i = 0; i < out.count(); ++i) {
    if (!elements[i].is_known()) mark_element(machine, op, out, i, elements[i].reason());
  }
}

Real Combination::of(const Real& x, const Real& y) const {
  switch (attrs.rare->reduction) {
    case ir::Reduction::Sum: return field.add(x, y);
    case ir::Reduction::Prod: return field.mul(x, y);
    case ir::Reduction::Max: return extreme(field, x, y, Order::Greater, attrs.nan);
    case ir::Reduction::Min: return extreme(field, x, y, Order::Less, attrs.nan);
    case ir::Reduction::Xor:
    case ir::Reduction::Or:
    case ir::Reduction::ArgMax:
    case ir::Reduction::ArgMin: break;
  }
  TW_CHECK(false, "indices and bits of floats are not combined");
}

std::optional<int32_t> index_of_best(const Field& field, const ir::Attrs& attrs, const Real* elements, int64_t length,
                                     int64_t step) {
  const Order better = attrs.rare->reduction == ir::Reduction::ArgMax ? Order::Greater : Order::Less;
  const bool nan_is_best = attrs.nan == ir::NanRule::Propagate;
  int64_t best = 0;
  for (int64_t i = 1; i < length; ++i) {
    const Real& x = elements[best * step];
    const Real& y = elements[i * step];
    const Order order = field.order(y, x);
    if (order == Order::Undecided) return std::nullopt;
    const bool is_better = order == Order::Unordered ? !x.is_nan() && nan_is_best : order == better;
    const bool was_absent = order == Order::Unordered && !nan_is_best && x.is_nan() && !y.is_nan();
    if (is_better || was_absent) best = i;
  }
  return static_cast<int32_t>(best);
}

Real updated(const Field& field, ir::Atomic kind, const Real& old, const Real& value) {
  switch (kind) {
    case ir::Atomic::Exchange: return value;
    case ir::Atomic::Add: return field.add(old, value);
    case ir::Atomic::Max: return extreme(field, old, value, Order::Greater, {});
    case ir::Atomic::Min: return extreme(field, old, value, Order::Less, {});
    case ir::Atomic::And:
    case ir::Atomic::Or:
    case ir::Atomic::Xor: break;
  }
  TW_CHECK(false, "a bit operation on floats");
}

}  // namespace tilewright::interp::algebra
