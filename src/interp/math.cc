// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise ops: a loop per op and calculated type (arithmetic.h), over chunks of elements (lanes.h).

#include <array>

#include "base/check.h"
#include "interp/algebra.h"
#include "interp/arithmetic.h"
#include "interp/lanes.h"
#include "interp/machine.h"
#include "interp/rounding_mode.h"

namespace tilewright::interp {
namespace {

using ir::OpKind;

template <class T, class Out = T>
using Loop1 = void (*)(const T*, Out*, size_t);
template <class T, class Out = T>
using Loop2 = void (*)(const T*, const T*, Out*, size_t);

template <class T, class F>
void loop1(const T* x, T* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = F::of(x[i]);
}

template <class T, class F>
void loop2(const T* x, const T* y, T* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = F::of(x[i], y[i]);
}

template <class T, class F>
void compare(const T* x, const T* y, uint8_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = F{}(x[i], y[i]);
}

// An op that has no meaning for these elements is one that the reader of the program would not have made.
template <class Loop>
Loop no_loop(OpKind kind) {
  TW_CHECK(false, "`" + std::string(ir::info(kind).text) + "` of elements that it has no meaning for");
}

template <class T>
Loop2<T> integer_loop(OpKind kind) {
  namespace a = arithmetic;
  if (kind == OpKind::BitAnd) return loop2<T, a::BitAnd>;
  if (kind == OpKind::BitOr) return loop2<T, a::BitOr>;
  if (kind == OpKind::BitXor) return loop2<T, a::BitXor>;
  if (kind == OpKind::Shl) return loop2<T, a::Shl>;
  if (kind == OpKind::Shr) return loop2<T, a::Shr>;
  if (kind == OpKind::MulHigh) return loop2<T, a::MulHigh>;
  return no_loop<Loop2<T>>(kind);
}

template <class T>
Loop2<T> float_loop(OpKind kind) {
  namespace a = arithmetic;
  if (kind == OpKind::TrueDiv) return loop2<T, a::TrueDiv>;
  if (kind == OpKind::Atan2) return loop2<T, a::Atan2>;
  return no_loop<Loop2<T>>(kind);
}

template <class T>
Loop2<T> binary_loop(OpKind kind, ir::NanRule nan) {
  namespace a = arithmetic;
  const bool propagates = nan == ir::NanRule::Propagate;
  if (kind == OpKind::Add) return loop2<T, a::Add>;
  if (kind == OpKind::Sub) return loop2<T, a::Sub>;
  if (kind == OpKind::Mul) return loop2<T, a::Mul>;
  if (kind == OpKind::FloorDiv) return loop2<T, a::FloorDiv>;
  if (kind == OpKind::TruncDiv) return loop2<T, a::TruncDiv>;
  if (kind == OpKind::CeilDiv || kind == OpKind::CeilDivPositive) return loop2<T, a::CeilDiv>;
  if (kind == OpKind::FloorMod) return loop2<T, a::FloorMod>;
  if (kind == OpKind::TruncMod) return loop2<T, a::TruncMod>;
  if (kind == OpKind::Min) return propagates ? loop2<T, a::Propagating<a::Min>> : loop2<T, a::Min>;
  if (kind == OpKind::Max) return propagates ? loop2<T, a::Propagating<a::Max>> : loop2<T, a::Max>;
  if (kind == OpKind::Pow) return loop2<T, a::Pow>;
  if constexpr (std::integral<T>) return integer_loop<T>(kind);
  if constexpr (std::floating_point<T>) return float_loop<T>(kind);
}

template <class T>
Loop2<T, uint8_t> comparison_loop(OpKind kind) {
  if (kind == OpKind::CmpEq) return compare<T, std::equal_to<>>;
  if (kind == OpKind::CmpNe) return compare<T, std::not_equal_to<>>;
  if (kind == OpKind::CmpLt) return compare<T, std::less<>>;
  if (kind == OpKind::CmpLe) return compare<T, std::less_equal<>>;
  if (kind == OpKind::CmpGt) return compare<T, std::greater<>>;
  if (kind == OpKind::CmpGe) return compare<T, std::greater_equal<>>;
  return no_loop<Loop2<T, uint8_t>>(kind);
}

template <class T>
Loop1<T> unary_loop(OpKind kind) {
  namespace a = arithmetic;
  if (kind == OpKind::Neg) return loop1<T, a::Neg>;
  if (kind == OpKind::Abs) return loop1<T, a::Abs>;
  if (kind == OpKind::Floor) return loop1<T, a::Floor>;
  if (kind == OpKind::Ceil) return loop1<T, a::Ceil>;
  if constexpr (std::integral<T>) {
    if (kind == OpKind::BitNot) return loop1<T, a::BitNot>;
  } else {
    if (kind == OpKind::Exp) return loop1<T, a::Exp>;
    if (kind == OpKind::Exp2) return loop1<T, a::Exp2>;
    if (kind == OpKind::Log) return loop1<T, a::Log>;
    if (kind == OpKind::Log2) return loop1<T, a::Log2>;
    if (kind == OpKind::Sqrt) return loop1<T, a::Sqrt>;
    if (kind == OpKind::Rsqrt) return loop1<T, a::Rsqrt>;
    if (kind == OpKind::Sin) return loop1<T, a::Sin>;
    if (kind == OpKind::Cos) return loop1<T, a::Cos>;
    if (kind == OpKind::Tan) return loop1<T, a::Tan>;
    if (kind == OpKind::Sinh) return loop1<T, a::Sinh>;
    if (kind == OpKind::Cosh) return loop1<T, a::Cosh>;
    if (kind == OpKind::Tanh) return loop1<T, a::Tanh>;
    if (kind == OpKind::Erf) return loop1<T, a::Erf>;
    if (kind == OpKind::Log1p) return loop1<T, a::Log1p>;
    if (kind == OpKind::Expm1) return loop1<T, a::Expm1>;
    if (kind == OpKind::Asin) return loop1<T, a::Asin>;
    if (kind == OpKind::Acos) return loop1<T, a::Acos>;
    if (kind == OpKind::Atan) return loop1<T, a::Atan>;
    if (kind == OpKind::Rint) return loop1<T, a::Rint>;
    if (kind == OpKind::Trunc) return loop1<T, a::Trunc>;
  }
  return no_loop<Loop1<T>>(kind);
}

template <class T>
Loop1<T, uint8_t> test_loop(OpKind kind) {
  if (kind == OpKind::IsNan) {
    return [](const T* x, uint8_t* out, size_t count) {
      for (size_t i = 0; i < count; ++i) out[i] = arithmetic::is_nan(x[i]);
    };
  }
  if (kind == OpKind::IsInf) {
    return [](const T* x, uint8_t* out, size_t count) {
      for (size_t i = 0; i < count; ++i) out[i] = arithmetic::is_infinite(x[i]);
    };
  }
  return [](const T* x, uint8_t* out, size_t count) {  // `not`, and `bit_not` of a bool
    for (size_t i = 0; i < count; ++i) out[i] = x[i] == T{0};
  };
}

template <class Element>
void run1(OpKind kind, const ir::Attrs& attrs, const Tile& x, const Tile& out) {
  using T = typename Element::Computed;
  const Loop1<T> loop = unary_loop<T>(kind);
  Reader<Element> reader(x, attrs.flush);
  Writer<Element> writer(out, attrs.rounding, attrs.flush);
  each_chunk(out.count(), [&](int64_t begin, size_t count) {
    const T* from = reader.at(begin, count);
    {
      const RoundingMode mode(attrs.rounding);
      loop(from, writer.at(begin), count);
    }
    writer.finish(begin, count);
  });
}

template <class Element>
void run2(OpKind kind, const ir::Attrs& attrs, const Tile& x, const Tile& y, const Tile& out) {
  using T = typename Element::Computed;
  const Loop2<T> loop = binary_loop<T>(kind, attrs.nan);
  Reader<Element> left(x, attrs.flush);
  Reader<Element> right(y, attrs.flush);
  Writer<Element> writer(out, attrs.rounding, attrs.flush);
  each_chunk(out.count(), [&](int64_t begin, size_t count) {
    const T* a = left.at(begin, count);
    const T* b = right.at(begin, count);
    {
      const RoundingMode mode(attrs.rounding);
      loop(a, b, writer.at(begin), count);
    }
    writer.finish(begin, count);
  });
}

template <class Element>
void test1(const ir::Op& op, const Tile& x, const Tile& out) {
  using T = typename Element::Computed;
  const Loop1<T, uint8_t> loop = test_loop<T>(op.kind);
  Reader<Element> reader(x);
  auto* bools = out.data.as<uint8_t>();
  each_chunk(out.count(), [&](int64_t begin, size_t count) { loop(reader.at(begin, count), bools + begin, count); });
}

template <class Element>
void test2(const ir::Op& op, const Tile& x, const Tile& y, const Tile& out) {
  using T = typename Element::Computed;
  const Loop2<T, uint8_t> loop = comparison_loop<T>(op.kind);
  Reader<Element> left(x);
  Reader<Element> right(y);
  auto* bools = out.data.as<uint8_t>();
  each_chunk(out.count(),
             [&](int64_t begin, size_t count) { loop(left.at(begin, count), right.at(begin, count), bools + begin, count); });
}

bool is_comparison(OpKind kind) { return kind >= OpKind::CmpEq && kind <= OpKind::CmpGe; }
bool is_test(OpKind kind) { return kind == OpKind::Not || kind == OpKind::IsNan || kind == OpKind::IsInf; }

// y of x ** y may be of another dtype: both as float64, and the result rounded once.
void power_of_mixed(Machine& machine, const ir::Op& op, const Tile& x, const Tile& y, Tile& out) {
  const TileType wide{.dtype = ir::Scalar::F64, .extents = out.extents(), .count = out.count()};
  const TileType wide_x{.dtype = ir::Scalar::F64, .extents = x.extents(), .count = x.count()};
  const TileType wide_y{.dtype = ir::Scalar::F64, .extents = y.extents(), .count = y.count()};
  const Tile result = machine.make(wide);
  run2<Plain<double>>(op.kind, op.attrs, converted(machine, x, wide_x, {}), converted(machine, y, wide_y, {}), result);
  out.data = converted(machine, result, *out.type, {}).data;
}

}  // namespace

Tile spread(Machine& machine, Tile tile, const TileType& to) {
  if (tile.count() == to.count || tile.count() == 1) return tile;
  return broadcast_to(machine, tile, machine.type_of(tile.dtype(), to));
}

// An element has no meaning if one of those that it is made of has none.
void take_marks(Machine& machine, const Tile& from, Tile& out) {
  if (!from.undefined) return;
  if (!out.undefined) out.undefined = machine.no_marks(out.count());
  const auto* marks = from.undefined.as<const Mark>();
  auto* to = out.undefined.as<Mark>();
  const bool repeats = from.count() == 1;
  for (int64_t i = 0; i < out.count(); ++i) to[i] = to[i] ? to[i] : marks[repeats ? 0 : i];
}

void elementwise(Machine& machine, const ir::Op& op) {
  const ir::ValueId result = op.results[0];
  if (machine.field() && algebra::elementwise(machine, op)) return;
  Tile out = machine.make(result);
  // `not` has no dtype of its own.
  const auto dtype_of = [&](ir::ValueId value) {
    const ir::Type& type = machine.plan().type_of(value);
    return op.attrs.dtype                    ? machine.plan().dtype(op.attrs.dtype)
           : type.kind == ir::TypeKind::Tile ? machine.plan().tile_type(value).dtype
                                             : ir::Scalar::I32;
  };
  const ir::Scalar dtype = dtype_of(op.operands[0]);
  const Tile x = spread(machine, machine.tile(op.operands[0], dtype), *out.type);
  if (op.operands.size() == 1) {
    if (machine.stopped()) return;
    with_element(op.kind == OpKind::Not ? x.dtype() : dtype, [&](auto element) {
      using Element = decltype(element);
      if (is_test(op.kind) || (op.kind == OpKind::BitNot && dtype == ir::Scalar::Bool)) {
        test1<Element>(op, x, out);
      } else {
        run1<Element>(op.kind, op.attrs, x, out);
      }
    });
    take_marks(machine, x, out);
    return machine.set(result, std::move(out));
  }
  const Tile y = spread(machine, machine.tile(op.operands[1], dtype), *out.type);
  if (machine.stopped()) return;
  if (op.kind == OpKind::Pow && x.dtype() != y.dtype()) {
    power_of_mixed(machine, op, x, y, out);
  } else {
    with_element(dtype, [&](auto element) {
      using Element = decltype(element);
      if (is_comparison(op.kind)) {
        test2<Element>(op, x, y, out);
      } else if (op.kind == OpKind::FloorDiv && SmallFloat<Element>) {
        // The quotient is rounded to its dtype before it is floored.
        run2<Element>(OpKind::TrueDiv, op.attrs, x, y, out);
        run1<Element>(OpKind::Floor, op.attrs, out, out);
      } else {
        run2<Element>(op.kind, op.attrs, x, y, out);
      }
    });
  }
  take_marks(machine, x, out);
  take_marks(machine, y, out);
  machine.set(result, std::move(out));
}

// Halves are multiplied and added as doubles, which hold their products exactly.
void multiply_add(Machine& machine, const ir::Op& op) {
  Tile out = machine.make(op.results[0]);
  std::array<Tile, 3> parts;
  for (size_t i = 0; i < parts.size(); ++i) parts[i] = spread(machine, machine.tile(op.operands[i], out.dtype()), *out.type);
  if (machine.stopped()) return;
  with_element(out.dtype(), [&](auto element) {
    using Element = decltype(element);
    const auto at = [&](const Tile& tile, int64_t lane) {
      return Element::decode(tile.data.as<const typename Element::Stored>()[tile.count() == 1 ? 0 : lane]);
    };
    for (int64_t lane = 0; lane < out.count(); ++lane) {
      const auto x = at(parts[0], lane);
      if constexpr (std::is_floating_point_v<decltype(x)> || std::is_same_v<std::remove_const_t<decltype(x)>, float>) {
        out.data.as<typename Element::Stored>()[lane] = Element::encode(std::fma(x, at(parts[1], lane), at(parts[2], lane)));
      } else {
        TW_CHECK(false, "fma of integers");
      }
    }
  });
  for (const Tile& part : parts) take_marks(machine, part, out);
  machine.set(op.results[0], std::move(out));
}

void where(Machine& machine, const ir::Op& op) {
  const ir::ValueId result = op.results[0];
  Tile out = machine.make(result);
  const ir::Scalar dtype = out.dtype();
  const Tile condition = spread(machine, machine.tile(op.operands[0], ir::Scalar::Bool), *out.type);
  const Tile x = spread(machine, machine.tile(op.operands[1], dtype), *out.type);
  const Tile y = spread(machine, machine.tile(op.operands[2], dtype), *out.type);
  if (machine.stopped()) return;
  Reader<Bool> conditions(condition);
  with_width(out.type->width(), [&](auto width) {
    using T = decltype(width);
    const auto* a = x.data.as<const T>();
    const auto* b = y.data.as<const T>();
    const int64_t step_a = x.count() == 1 ? 0 : 1;
    const int64_t step_b = y.count() == 1 ? 0 : 1;
    auto* to = out.data.as<T>();
    each_chunk(out.count(), [&](int64_t begin, size_t count) {
      const uint8_t* chosen = conditions.at(begin, count);
      for (size_t i = 0; i < count; ++i) {
        const int64_t lane = begin + static_cast<int64_t>(i);
        to[lane] = chosen[i] ? a[lane * step_a] : b[lane * step_b];
      }
    });
  });
  // What is not chosen need not have a meaning.
  if (x.undefined || y.undefined) {
    out.undefined = machine.no_marks(out.count());
    auto* marks = out.undefined.as<Mark>();
    const auto mark_of = [](const Tile& tile, int64_t lane) {
      return tile.undefined ? tile.undefined.as<const Mark>()[tile.count() == 1 ? 0 : lane] : no_mark;
    };
    each_chunk(out.count(), [&](int64_t begin, size_t count) {
      const uint8_t* chosen = conditions.at(begin, count);
      for (size_t i = 0; i < count; ++i) {
        const int64_t lane = begin + static_cast<int64_t>(i);
        marks[lane] = chosen[i] ? mark_of(x, lane) : mark_of(y, lane);
      }
    });
  }
  take_marks(machine, condition, out);
  machine.set(result, std::move(out));
}

}  // namespace tilewright::interp
