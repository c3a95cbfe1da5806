// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions, scans and matrix products (cutile.md, 3.6 and 3.8).

#include <algorithm>

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::ValueId;
using Shape = std::vector<sym::ExprId>;

namespace {

// What is reduced, in the dtype in which it is.
std::optional<ValueId> reduced(Reader& reader, const Call& call) {
  const auto x = as_number(reader, call.at("x"), call.value("x"), "the argument of `" + std::string(call.builtin->name) + "`");
  if (!x) return std::nullopt;
  if (class_of(reader, *x) == ir::ScalarClass::Restricted) {
    error_with(reader, call.node, "convert it first: `.astype(ct.float32)`", messages::restricted_arithmetic, call.builtin->name,
               dtype_text(reader, own_dtype(reader, *x)));
    return std::nullopt;
  }
  return implicit_cast(reader, call.node, *x, reader.types().count_of(own_dtype(reader, *x)));
}

bool read_options(Reader& reader, const Call& call, ir::Attrs& attrs, ir::DtypeId dtype) {
  return read_float_options(reader, call, OpKind::Add, attrs) && check_float_options(reader, call, dtype, attrs);
}

}  // namespace

Val read_reduce(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  attrs.rare.edit().reduction = static_cast<ir::Reduction>(call.builtin->variant);
  const bool position = attrs.rare->reduction == ir::Reduction::ArgMax || attrs.rare->reduction == ir::Reduction::ArgMin;
  const auto x = reduced(reader, call);
  if (!x) return {};
  if (is_const(reader, *x) && !position) return ir_val(*x);
  if (is_const(reader, *x))
    return error(reader, call.node, messages::unconverted_argument, "`" + std::string(call.builtin->name) + "` of a constant");
  const Shape from = shape_of(reader, *x);
  const auto rank = static_cast<uint32_t>(from.size());
  RareList<uint32_t>& axes = attrs.rare.edit().axes;
  if (!call.given("axis")) {
    attrs.all_axes = true;
    for (uint32_t i = 0; i < rank; ++i) axes.push_back(i);
  } else {
    const Val& axis = call.value("axis");
    const NodeId at = call.at("axis");
    const auto add = [&](const Val& item) {
      const auto one = as_axis(reader, at, item, rank);
      if (!one) return false;
      if (std::find(axes.begin(), axes.end(), *one) != axes.end()) {
        error(reader, at, messages::bad_axis, "axis " + std::to_string(*one) + " is reduced twice");
        return false;
      }
      axes.push_back(*one);
      return true;
    };
    if (axis.is(ValKind::Tuple) && !position) {
      for (const Val& item : *axis.items) {
        if (!add(item)) return {};
      }
    } else if (!add(axis)) {
      return {};
    }
    std::sort(axes.begin(), axes.end());
  }
  if (call.has("keepdims")) {
    const auto keep = as_known_bool(reader, call.at("keepdims"), call.value("keepdims"), "`keepdims`");
    if (!keep) return {};
    attrs.keep_dims = *keep;
  }
  const ir::DtypeId dtype = own_dtype(reader, *x);
  if (!read_options(reader, call, attrs, dtype)) return {};
  Shape shape;
  for (uint32_t i = 0; i < rank; ++i) {
    const bool gone = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!gone)
      shape.push_back(from[i]);
    else if (attrs.keep_dims)
      shape.push_back(reader.arena().integer(1));
  }
  const ir::DtypeId result = position ? reader.types().known(ir::Scalar::I32) : dtype;
  return ir_val(emit(reader, call.node, OpKind::Reduce, {*x}, reader.types().tile(result, shape), std::move(attrs)));
}

Val read_scan(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  attrs.rare.edit().reduction = static_cast<ir::Reduction>(call.builtin->variant);
  auto x = reduced(reader, call);
  if (x) x = as_tile(reader, call.node, ir_val(*x), "the tile");
  if (!x) return {};
  const Shape shape = shape_of(reader, *x);
  const auto rank = static_cast<uint32_t>(shape.size());
  if (call.has("axis")) {
    const auto axis = as_axis(reader, call.at("axis"), call.value("axis"), rank);
    if (!axis) return {};
    attrs.axis = *axis;
  } else if (rank == 0) {
    return error(reader, call.node, messages::bad_axis, "axis 0 is out of range for rank 0");
  }
  if (call.has("reverse")) {
    const auto reverse = as_known_bool(reader, call.at("reverse"), call.value("reverse"), "`reverse`");
    if (!reverse) return {};
    attrs.reverse = *reverse;
  }
  const ir::DtypeId dtype = own_dtype(reader, *x);
  if (!read_options(reader, call, attrs, dtype)) return {};
  return ir_val(emit(reader, call.node, OpKind::Scan, {*x}, reader.types().tile(dtype, shape), std::move(attrs)));
}

namespace {

// The shape of x @ y for ranks of at least two.
std::optional<Shape> product_shape(Reader& reader, NodeId node, const Shape& x, const Shape& y) {
  if (!same_extent(reader, x[x.size() - 1], y[y.size() - 2])) {
    error(reader, node, messages::bad_product,
          "the inner extents of " + shape_text(reader, x) + " and " + shape_text(reader, y) + " differ");
    return std::nullopt;
  }
  auto shape = broadcast(reader, node, Shape(x.begin(), x.end() - 2), Shape(y.begin(), y.end() - 2));
  if (!shape) return std::nullopt;
  shape->push_back(x[x.size() - 2]);
  shape->push_back(y[y.size() - 1]);
  return shape;
}

bool multiplies(ir::Scalar x, ir::Scalar y) {
  const auto byte = [](ir::Scalar s) { return s == ir::Scalar::I8 || s == ir::Scalar::U8; };
  if (byte(x) && byte(y)) return true;
  return x == y && ir::accumulator_of(x).has_value();
}

bool accumulates(ir::Scalar x, ir::Scalar acc) {
  if (ir::accumulator_of(x) == acc) return true;
  const bool half = x == ir::Scalar::F16 || x == ir::Scalar::F8E4M3 || x == ir::Scalar::F8E5M2;
  return half && acc == ir::Scalar::F32;
}

}  // namespace

Val read_mma(Reader& reader, const Call& call) {
  const auto x = as_tile(reader, call.at("x"), call.value("x"), "a factor of `mma`");
  const auto y = as_tile(reader, call.at("y"), call.value("y"), "a factor of `mma`");
  const auto acc = as_tile(reader, call.at("acc"), call.value("acc"), "the accumulator of `mma`");
  if (!x || !y || !acc) return {};
  if (call.has("use_fast_acc")) {
    const auto fast = as_known_bool(reader, call.at("use_fast_acc"), call.value("use_fast_acc"), "`use_fast_acc`");
    if (!fast) return {};
  }
  const Shape left = shape_of(reader, *x);
  const Shape right = shape_of(reader, *y);
  if (left.size() < 2 || right.size() < 2) {
    return error(reader, call.node, messages::bad_product,
                 "`mma` needs tiles of at least two axes, not " + shape_text(reader, left) + " and " + shape_text(reader, right));
  }
  const auto shape = product_shape(reader, call.node, left, right);
  if (!shape) return {};
  const Shape of_acc = shape_of(reader, *acc);
  bool fitting = of_acc.size() == shape->size();
  for (size_t i = 0; fitting && i < shape->size(); ++i) fitting = same_extent(reader, of_acc[i], (*shape)[i]);
  if (!fitting) {
    return error(reader, call.at("acc"), messages::bad_product,
                 "the accumulator has shape " + shape_text(reader, of_acc) + ", the product " + shape_text(reader, *shape));
  }
  const ir::DtypeId dx = own_dtype(reader, *x);
  const ir::DtypeId dy = own_dtype(reader, *y);
  const ir::DtypeId da = own_dtype(reader, *acc);
  const auto sx = reader.types().scalar_of(dx);
  const auto sy = reader.types().scalar_of(dy);
  const auto sa = reader.types().scalar_of(da);
  if (sx && sy && !multiplies(*sx, *sy)) {
    return error_with(reader, call.node, "convert one of them: `.astype(…)`", messages::bad_product,
                      std::string("`mma` has no form for ") + ir::name_of(*sx) + " and " + ir::name_of(*sy));
  }
  if (sx && sa && !accumulates(*sx, *sa)) {
    return error(reader, call.at("acc"), messages::bad_product,
                 std::string("a product of ") + ir::name_of(*sx) + " cannot be accumulated in " + ir::name_of(*sa));
  }
  return ir_val(emit(reader, call.node, OpKind::Dot, {*x, *y, *acc}, reader.types().tile(da, of_acc)));
}

Val matmul(Reader& reader, NodeId node, const Val& left, const Val& right, ir::Attrs attrs) {
  const auto a = as_tile(reader, node, left, "a factor of `@`");
  const auto b = as_tile(reader, node, right, "a factor of `@`");
  if (!a || !b) return {};
  Shape x = shape_of(reader, *a);
  Shape y = shape_of(reader, *b);
  if (x.empty() || y.empty()) return error(reader, node, messages::bad_product, "a scalar has no matrix product; use `*`");
  const auto dtype = common_dtype(reader, node, *a, *b);
  if (!dtype) return {};
  if (const auto scalar = reader.types().scalar_of(*dtype); scalar && !ir::accumulator_of(*scalar)) {
    return error(reader, node, messages::bad_product, std::string("there is no product of ") + ir::name_of(*scalar));
  }
  // Vectors are matrices of one row or column, whose axis disappears again.
  const bool row = x.size() == 1;
  const bool column = y.size() == 1;
  const auto lifted = [&](ValueId value, const Shape& shape, uint32_t axis) {
    ir::Attrs expand;
    expand.rare.edit().axes = {axis};
    return emit(reader, node, OpKind::ExpandDims, {value}, reader.types().tile(own_dtype(reader, value), shape),
                std::move(expand));
  };
  const sym::ExprId one = reader.arena().integer(1);
  ValueId p = implicit_cast(reader, node, *a, *dtype);
  ValueId q = implicit_cast(reader, node, *b, *dtype);
  if (row) p = lifted(p, x = Shape{one, x[0]}, 0);
  if (column) q = lifted(q, y = Shape{y[0], one}, 1);
  const auto shape = product_shape(reader, node, x, y);
  if (!shape) return {};
  const ir::DtypeId accumulator = reader.types().accumulator(*dtype);
  ValueId result = emit(reader, node, OpKind::Dot, {p, q}, reader.types().tile(accumulator, *shape), std::move(attrs));
  if (row || column) {
    Extents extents;
    for (uint32_t i = 0; i < shape->size(); ++i) {
      const bool gone = (row && i + 2 == shape->size()) || (column && i + 1 == shape->size());
      if (gone) continue;
      const auto known = reader.arena().integer_of((*shape)[i]);
      extents.values.push_back(known ? integer(reader, node, *known) : tile_dim(reader, node, result, i));
      extents.shape.push_back((*shape)[i]);
    }
    std::vector<ValueId> operands{result};
    operands.insert(operands.end(), extents.values.begin(), extents.values.end());
    result = emit(reader, node, OpKind::Reshape, std::move(operands), reader.types().tile(accumulator, extents.shape));
  }
  // The product is rounded to, or cut off at, its operands' dtype, whatever it is used for.
  return ir_val(accumulator == *dtype ? result : explicit_cast(reader, node, result, *dtype, {}));
}

Val read_matmul(Reader& reader, const Call& call) { return matmul(reader, call.node, call.value("x"), call.value("y"), {}); }

}  // namespace tilewright::front::cutile
