// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans. The order of a reduction is a halving tree: the second half of the elements along the axis is combined
// with the first, element by element, until one is left; of several axes the last is first. A scan goes from one end to the
// other.

#include <algorithm>

#include "base/check.h"
#include "interp/algebra.h"
#include "interp/arithmetic.h"
#include "interp/lanes.h"
#include "interp/machine.h"
#include "interp/rounding_mode.h"

namespace tilewright::interp {
namespace {

// A tile as outer × axis × inner elements.
struct Box {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

Box box_of(const Extents& extents, size_t axis) {
  const std::span<const int64_t> all(extents);
  return {.outer = count_of(all.first(axis)), .length = extents[axis], .inner = count_of(all.subspan(axis + 1))};
}

// Leaves outer × inner elements at the start of `elements`.
template <class F, class T>
void fold(T* elements, const Box& box, const F& f = {}) {
  for (int64_t i = 0; i < box.outer; ++i) {
    T* row = elements + i * box.length * box.inner;
    for (int64_t left = box.length; left > 1;) {
      const int64_t kept = (left + 1) / 2;
      const int64_t combined = (left - kept) * box.inner;
      const T* second = row + kept * box.inner;
      for (int64_t k = 0; k < combined; ++k) row[k] = f.of(row[k], second[k]);
      left = kept;
    }
    std::copy_n(row, box.inner, elements + i * box.inner);
  }
}

struct FirstMark {
  static Mark of(Mark x, Mark y) { return x ? x : y; }
};

// Denormal operands and results are zeros; only of float32 (docs/ir.md).
template <class F>
struct Flushing {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::is_same_v<T, float>) return flushed(F::of(flushed(x), flushed(y)));
    return F::of(x, y);
  }
};

// Bits of integers; front refuses them of floats.
template <class F>
struct OfBits {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::is_integral_v<T>) return F::of(x, y);
    TW_CHECK(false, "bits of floats are combined");
  }
};

// Each step is rounded to the dtype of the elements, which are halves.
template <class F, class Element>
struct Stepwise {
  template <class T>
  static T of(T x, T y) {
    return Element::decode(Element::encode(F::of(x, y)));
  }
};

// use(F{}) of what combines two elements.
template <class Element, class Use>
auto combined(const ir::Attrs& attrs, Use&& use) {
  namespace a = arithmetic;
  const auto flushing = [&](auto f) {
    if constexpr (SmallFloat<Element>) {
      if (attrs.rare->accumulator) return use(Stepwise<decltype(f), Element>{});
    }
    return attrs.flush == ir::Flush::ToZero ? use(Flushing<decltype(f)>{}) : use(f);
  };
  const bool propagates = attrs.nan == ir::NanRule::Propagate;
  switch (attrs.rare->reduction) {
    case ir::Reduction::Sum: return flushing(a::Add{});
    case ir::Reduction::Prod: return flushing(a::Mul{});
    case ir::Reduction::Max: return propagates ? flushing(a::Propagating<a::Max>{}) : flushing(a::Max{});
    case ir::Reduction::Min: return propagates ? flushing(a::Propagating<a::Min>{}) : flushing(a::Min{});
    case ir::Reduction::Xor: return use(OfBits<a::BitXor>{});
    case ir::Reduction::Or: return use(OfBits<a::BitOr>{});
    case ir::Reduction::ArgMax:
    case ir::Reduction::ArgMin: break;
  }
  TW_CHECK(false, "indices are not combined");
}

// Whether x, at a smaller index, stays before y: it is better, or as good.
template <class T>
bool stays(const ir::Attrs& attrs, T x, T y) {
  using arithmetic::is_nan;
  const bool nan_is_best = attrs.nan == ir::NanRule::Propagate;
  if (is_nan(x) || is_nan(y)) return nan_is_best ? is_nan(x) : is_nan(y);
  return attrs.rare->reduction == ir::Reduction::ArgMax ? x >= y : x <= y;
}

template <class T>
void indices(const ir::Attrs& attrs, const T* elements, const Box& box, int32_t* out) {
  for (int64_t i = 0; i < box.outer; ++i) {
    for (int64_t k = 0; k < box.inner; ++k) {
      const T* row = elements + i * box.length * box.inner + k;
      int64_t best = 0;
      for (int64_t j = 1; j < box.length; ++j) {
        if (!stays(attrs, row[best * box.inner], row[j * box.inner])) best = j;
      }
      out[i * box.inner + k] = static_cast<int32_t>(best);
    }
  }
}

template <class Element>
Buffer decoded(Machine& machine, const Tile& x) {
  using T = typename Element::Computed;
  Buffer out = machine.bytes(static_cast<size_t>(x.count()) * sizeof(T));
  Reader<Element> reader(x);
  each_chunk(x.count(), [&](int64_t begin, size_t count) { std::copy_n(reader.at(begin, count), count, out.as<T>() + begin); });
  return out;
}

template <class Element>
void encoded(const typename Element::Computed* from, const Tile& out, ir::Rounding rounding) {
  Writer<Element> writer(out, rounding);
  each_chunk(out.count(), [&](int64_t begin, size_t count) {
    std::copy_n(from + begin, count, writer.at(begin));
    writer.finish(begin, count);
  });
}

bool is_index(ir::Reduction reduction) { return reduction == ir::Reduction::ArgMax || reduction == ir::Reduction::ArgMin; }

// The elements of the reduced axes, seen as one axis each, the last first.
template <class T, class Visit>
void each_axis(Extents extents, const ShortList<uint32_t>& axes, Visit&& visit) {
  for (size_t i = axes.size(); i-- > 0;) {
    visit(box_of(extents, axes[i]));
    extents[axes[i]] = 1;
  }
}

template <class F, class T>
void prefixes(T* elements, const Box& box, bool reverse, const F& f = {}) {
  for (int64_t i = 0; i < box.outer; ++i) {
    T* row = elements + i * box.length * box.inner;
    for (int64_t j = 1; j < box.length; ++j) {
      const int64_t at = reverse ? box.length - 1 - j : j;
      T* to = row + at * box.inner;
      const T* before = to + (reverse ? box.inner : -box.inner);
      for (int64_t k = 0; k < box.inner; ++k) to[k] = f.of(before[k], to[k]);
    }
  }
}

Buffer marks_copied(Machine& machine, const Tile& x) {
  Buffer out = machine.bytes(static_cast<size_t>(x.count()));
  std::copy_n(x.undefined.as<const Mark>(), x.count(), out.as<Mark>());
  return out;
}

void mark_reduced(Machine& machine, const Tile& x, const ShortList<uint32_t>& axes, Tile& out) {
  if (!x.undefined) return;
  out.undefined = marks_copied(machine, x);
  each_axis<Mark>(x.extents(), axes, [&](const Box& box) { fold<FirstMark>(out.undefined.as<Mark>(), box); });
}

void mark_scanned(Machine& machine, const ir::Op& op, const Tile& x, const Box& box, Tile& out) {
  if (!x.undefined) return;
  out.undefined = marks_copied(machine, x);
  prefixes<FirstMark>(out.undefined.as<Mark>(), box, op.attrs.reverse);
}

template <class BoxOfIndices>
void reduce_reals(Machine& machine, const ir::Op& op, const Tile& x, const ShortList<uint32_t>& axes,
                  BoxOfIndices&& box_of_indices, Tile out) {
  const Field& field = *machine.field();
  mark_reduced(machine, x, axes, out);
  if (is_index(op.attrs.rare->reduction)) {
    const Box box = box_of_indices();
    for (int64_t i = 0; i < out.count(); ++i) {
      const Real* first = x.data.as<const Real>() + i / box.inner * box.length * box.inner + i % box.inner;
      const std::optional<int32_t> best = algebra::index_of_best(field, op.attrs, first, box.length, box.inner);
      out.data.as<int32_t>()[i] = best.value_or(0);
      if (!best) algebra::mark_element(machine, op, out, i, Reason::Undecided);
    }
    return machine.set(op.results[0], std::move(out));
  }
  const Buffer elements = machine.bytes(x.type->bytes());
  std::copy_n(x.data.as<const Real>(), x.count(), elements.as<Real>());
  const algebra::Combination combination{field, op.attrs};
  each_axis<Real>(x.extents(), axes, [&](const Box& box) { fold(elements.as<Real>(), box, combination); });
  std::copy_n(elements.as<const Real>(), out.count(), out.data.as<Real>());
  algebra::mark_unknown(machine, op, out);
  machine.set(op.results[0], std::move(out));
}

}  // namespace

void reduce(Machine& machine, const ir::Op& op) {
  const Tile x = machine.tile(op.operands[0], machine.plan().tile_type(op.results[0]).dtype);
  if (machine.stopped()) return;
  Tile out = machine.make(op.results[0]);
  ShortList<uint32_t> axes = op.attrs.rare->axes;
  if (op.attrs.all_axes) {
    axes.clear();
    for (uint32_t axis = 0; axis < x.extents().size(); ++axis) axes.push_back(axis);
  }
  const bool is_flat = axes.size() == x.extents().size();
  const auto box_of_indices = [&] {
    return is_flat ? Box{.outer = 1, .length = x.count(), .inner = 1} : box_of(x.extents(), axes[0]);
  };
  if (x.type->kept == Kept::Real) return reduce_reals(machine, op, x, axes, box_of_indices, std::move(out));
  with_element(x.dtype(), [&](auto element) {
    using Element = decltype(element);
    using T = typename Element::Computed;
    const Buffer elements = decoded<Element>(machine, x);
    if (is_index(op.attrs.rare->reduction)) {
      indices<T>(op.attrs, elements.as<T>(), box_of_indices(), out.data.as<int32_t>());
      return;
    }
    using Folding = void (*)(T*, const Box&);
    const Folding folding =
        combined<Element>(op.attrs, [](auto f) -> Folding { return [](T* of, const Box& box) { fold<decltype(f)>(of, box); }; });
    {
      const RoundingMode mode(op.attrs.rounding);
      each_axis<T>(x.extents(), axes, [&](const Box& box) { folding(elements.as<T>(), box); });
    }
    encoded<Element>(elements.as<T>(), out, op.attrs.rounding);
  });
  mark_reduced(machine, x, axes, out);
  machine.set(op.results[0], std::move(out));
}

void scan(Machine& machine, const ir::Op& op) {
  const Tile& x = machine.tile(op.operands[0]);
  Tile out = machine.make(op.results[0]);
  const Box box = box_of(x.extents(), op.attrs.axis);
  if (x.type->kept == Kept::Real) {
    std::copy_n(x.data.as<const Real>(), x.count(), out.data.as<Real>());
    prefixes(out.data.as<Real>(), box, op.attrs.reverse, algebra::Combination{*machine.field(), op.attrs});
    mark_scanned(machine, op, x, box, out);
    algebra::mark_unknown(machine, op, out);
    return machine.set(op.results[0], std::move(out));
  }
  with_element(x.dtype(), [&](auto element) {
    using Element = decltype(element);
    using T = typename Element::Computed;
    const Buffer elements = decoded<Element>(machine, x);
    using Scanning = void (*)(T*, const Box&, bool);
    const Scanning scanning = combined<Element>(op.attrs, [](auto f) -> Scanning {
      return [](T* of, const Box& along, bool reverse) { prefixes<decltype(f)>(of, along, reverse); };
    });
    {
      const RoundingMode mode(op.attrs.rounding);
      scanning(elements.as<T>(), box, op.attrs.reverse);
    }
    encoded<Element>(elements.as<T>(), out, op.attrs.rounding);
  });
  mark_scanned(machine, op, x, box, out);
  machine.set(op.results[0], std::move(out));
}

}  // namespace tilewright::interp
