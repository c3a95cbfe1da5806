// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Matrix products, by Eigen. Narrow floats are multiplied as float32, which holds their products exactly. Sums are made in the
// dtype of the result, of float16 as tensor cores make them: sixteen products at a time in float32, then rounded.

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "interp/algebra.h"
#include "interp/lanes.h"
#include "interp/machine.h"
#include "interp/walk.h"

namespace tilewright::interp {
namespace {

// Integers that wrap around are multiplied as unsigned ones.
template <class T>
using Factor = std::conditional_t<std::is_integral_v<T>, std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>, T>;

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class From, class T>
Buffer factors(Machine& machine, const Tile& tile) {
  Buffer out = machine.bytes(static_cast<size_t>(tile.count()) * sizeof(T));
  Reader<From> reader(tile);
  each_chunk(tile.count(), [&](int64_t begin, size_t count) {
    const auto* values = reader.at(begin, count);
    for (size_t i = 0; i < count; ++i) out.as<T>()[begin + static_cast<int64_t>(i)] = static_cast<T>(values[i]);
  });
  return out;
}

template <class T>
Buffer factors(Machine& machine, const Tile& tile) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool is_integer =
        ir::class_of(tile.dtype()) == ir::ScalarClass::Signed || ir::class_of(tile.dtype()) == ir::ScalarClass::Unsigned;
    TW_CHECK(!is_integer, "a float product of integers");
  }
  return with_element(tile.dtype(), [&](auto element) { return factors<decltype(element), T>(machine, tile); });
}

// sum += x @ y, row-major.
template <class T>
void multiply(const T* x, const T* y, T* sum, const ProductSizes& n) {
  const Eigen::Map<const Matrix<T>> left(x, n.rows, n.inner);
  const Eigen::Map<const Matrix<T>> right(y, n.inner, n.columns);
  Eigen::Map<Matrix<T>> out(sum, n.rows, n.columns);
  out.noalias() += left * right;
}

void multiply_as_float16(const float* x, const float* y, float* sum, const ProductSizes& n) {
  constexpr int64_t products = 16;
  const Eigen::Map<const Matrix<float>> left(x, n.rows, n.inner);
  const Eigen::Map<const Matrix<float>> right(y, n.inner, n.columns);
  Eigen::Map<Matrix<float>> out(sum, n.rows, n.columns);
  for (int64_t begin = 0; begin < n.inner; begin += products) {
    const int64_t count = std::min(products, n.inner - begin);
    out.noalias() += left.middleCols(begin, count) * right.middleRows(begin, count);
    for (int64_t i = 0; i < n.rows * n.columns; ++i) sum[i] = float16_to_float(float_to_float16(sum[i]));
  }
}

// Where the matrices of each batch lie in x and y: their batch axes are broadcast to those of the result.
Extents batch_strides(const Extents& extents, const Extents& result) {
  const size_t rank = result.size();
  Extents out(rank > 2 ? rank - 2 : 0, 0);
  const Extents own = row_major(extents);
  const size_t added = rank - extents.size();
  for (size_t axis = 0; axis + 2 < extents.size(); ++axis) {
    if (extents[axis] != 1) out[added + axis] = own[axis];
  }
  return out;
}

// Calls visit(x, y, number) with the offsets of the matrices of each batch.
template <class Visit>
void each_batch(const Tile& x, const Tile& y, const Extents& result, Visit&& visit) {
  const std::span<const int64_t> batches(result.data(), result.size() > 2 ? result.size() - 2 : 0);
  const Extents from_x = batch_strides(x.extents(), result);
  const Extents from_y = batch_strides(y.extents(), result);
  const Extents own = row_major(batches);
  for (int64_t number = 0; number < count_of(batches); ++number) {
    int64_t at_x = 0;
    int64_t at_y = 0;
    for (size_t axis = 0; axis < batches.size(); ++axis) {
      const int64_t index = number / own[axis] % batches[axis];
      at_x += index * from_x[axis];
      at_y += index * from_y[axis];
    }
    visit(at_x, at_y, number);
  }
}

ProductSizes sizes_of(const Tile& x, const Tile& y) {
  const Extents& a = x.extents();
  const Extents& b = y.extents();
  return {.rows = a[a.size() - 2], .columns = b.back(), .inner = a.back()};
}

template <class Element>
void product(Machine& machine, const Tile& x, const Tile& y, const Tile* acc, const Tile& out) {
  using Computed = typename Element::Computed;
  using T = Factor<Computed>;
  const ProductSizes n = sizes_of(x, y);
  const Buffer left = factors<T>(machine, x);
  const Buffer right = factors<T>(machine, y);
  const Buffer sums = acc ? factors<Element, T>(machine, *acc) : machine.bytes(static_cast<size_t>(out.count()) * sizeof(T));
  if (!acc) std::fill_n(sums.as<T>(), out.count(), T{0});
  each_batch(x, y, out.extents(), [&](int64_t at_x, int64_t at_y, int64_t number) {
    T* sum = sums.as<T>() + number * n.rows * n.columns;
    if constexpr (std::is_same_v<Element, Float16>) {
      multiply_as_float16(left.as<T>() + at_x, right.as<T>() + at_y, sum, n);
    } else {
      multiply(left.as<T>() + at_x, right.as<T>() + at_y, sum, n);
    }
  });
  Writer<Element> writer(out);
  each_chunk(out.count(), [&](int64_t begin, size_t count) {
    Computed* to = writer.at(begin);
    for (size_t i = 0; i < count; ++i) to[i] = static_cast<Computed>(sums.as<T>()[begin + static_cast<int64_t>(i)]);
    writer.finish(begin, count);
  });
}

void product_of_reals(Machine& machine, const Tile& x, const Tile& y, const Tile* acc, const Tile& out) {
  const ProductSizes n = sizes_of(x, y);
  auto* sums = out.data.as<Real>();
  if (acc) std::copy_n(acc->data.as<const Real>(), out.count(), sums);
  if (!acc) std::fill_n(sums, out.count(), Real{});
  each_batch(x, y, out.extents(), [&](int64_t at_x, int64_t at_y, int64_t number) {
    machine.field()->multiply(x.data.as<const Real>() + at_x, y.data.as<const Real>() + at_y, sums + number * n.rows * n.columns,
                              n);
  });
}

// A row of x without a meaning takes it from a row of the result, a column of y from a column.
void mark(Machine& machine, const Tile& x, const Tile& y, const Tile* acc, Tile& out) {
  if (!x.undefined && !y.undefined && !(acc && acc->undefined)) return;
  out.undefined = machine.no_marks(out.count());
  auto* marks = out.undefined.as<Mark>();
  if (acc && acc->undefined) std::copy_n(acc->undefined.as<const Mark>(), out.count(), marks);
  const ProductSizes n = sizes_of(x, y);
  const auto mark_of = [](const Tile& tile, int64_t at) {
    return tile.undefined ? tile.undefined.as<const Mark>()[at] : no_mark;
  };
  each_batch(x, y, out.extents(), [&](int64_t at_x, int64_t at_y, int64_t number) {
    Mark* sum = marks + number * n.rows * n.columns;
    for (int64_t i = 0; i < n.rows; ++i) {
      Mark row = no_mark;
      for (int64_t k = 0; k < n.inner && !row; ++k) row = mark_of(x, at_x + i * n.inner + k);
      if (row) std::fill_n(sum + i * n.columns, n.columns, row);
    }
    for (int64_t k = 0; k < n.inner; ++k) {
      for (int64_t j = 0; j < n.columns; ++j) {
        const Mark column = mark_of(y, at_y + k * n.columns + j);
        for (int64_t i = 0; column && i < n.rows; ++i) sum[i * n.columns + j] = column;
      }
    }
  });
}

}  // namespace

namespace {

// A tile of float32 cut to the bits that tfloat32 or bfloat16 keeps, and what is left of it.
std::pair<Tile, Tile> parted(Machine& machine, const Tile& x, uint32_t kept) {
  Tile head = machine.make(*x.type);
  Tile rest = machine.make(*x.type);
  const auto* from = x.data.as<const float>();
  for (int64_t i = 0; i < x.count(); ++i) {
    head.data.as<float>()[i] = std::bit_cast<float>(std::bit_cast<uint32_t>(from[i]) & kept);
    rest.data.as<float>()[i] = from[i] - head.data.as<float>()[i];
  }
  return {std::move(head), std::move(rest)};
}

constexpr uint32_t tfloat32_bits = 0xffffe000;
constexpr uint32_t bfloat16_bits = 0xffff0000;

// The product of float32 factors as the sum of products of their parts, the least of them first.
void product_in_parts(Machine& machine, const Tile& x, const Tile& y, const Tile* acc, Tile& out, ir::Precision precision) {
  using Float32 = Plain<float>;
  const bool is_tf32 = precision == ir::Precision::Tf32 || precision == ir::Precision::Tf32x3;
  const uint32_t kept = is_tf32 ? tfloat32_bits : bfloat16_bits;
  const auto [x0, x_rest] = parted(machine, x, kept);
  const auto [y0, y_rest] = parted(machine, y, kept);
  if (precision == ir::Precision::Tf32) return product<Float32>(machine, x0, y0, acc, out);
  const auto [x1, x_last] = parted(machine, x_rest, kept);
  const auto [y1, y_last] = parted(machine, y_rest, kept);
  std::vector<std::pair<const Tile*, const Tile*>> products;
  const Tile x2 = parted(machine, x_last, kept).first;
  const Tile y2 = parted(machine, y_last, kept).first;
  if (precision == ir::Precision::Bf16x6) products = {{&x1, &y1}, {&x2, &y0}, {&x0, &y2}};
  products.insert(products.end(), {{&x1, &y0}, {&x0, &y1}, {&x0, &y0}});
  std::optional<Tile> sum;
  if (acc) sum = *acc;
  for (const auto& [a, b] : products) {
    Tile next = machine.make(*out.type);
    product<Float32>(machine, *a, *b, sum ? &*sum : nullptr, next);
    sum = std::move(next);
  }
  out.data = sum->data;
}

}  // namespace

void dot(Machine& machine, const ir::Op& op) {
  Tile out = machine.make(op.results[0]);
  const Tile& x = machine.tile(op.operands[0]);
  const Tile& y = machine.tile(op.operands[1]);
  const Tile* acc = op.operands.size() > 2 ? &machine.tile(op.operands[2]) : nullptr;
  const ir::Precision precision = op.attrs.rare->precision;
  const bool is_float32 = x.dtype() == ir::Scalar::F32 && y.dtype() == ir::Scalar::F32 && out.dtype() == ir::Scalar::F32;
  if (out.type->kept == Kept::Real) {
    product_of_reals(machine, x, y, acc, out);
  } else if (is_float32 && precision != ir::Precision::Full) {
    product_in_parts(machine, x, y, acc, out, precision);
  } else {
    with_element(out.dtype(), [&](auto element) { product<decltype(element)>(machine, x, y, acc, out); });
  }
  mark(machine, x, y, acc, out);
  if (out.type->kept == Kept::Real) algebra::mark_unknown(machine, op, out);
  machine.set(op.results[0], std::move(out));
}

}  // namespace tilewright::interp
