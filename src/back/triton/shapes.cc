// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "back/triton/lower.h"
#include "back/triton/messages.h"

namespace tilewright::back::triton {

using ir::Op;
using ir::OpKind;
using ir::Scalar;
using ir::ValueId;

namespace {

// "None, :" for a tile of one axis that is the second of two.
std::string newaxis(size_t rank, const std::vector<bool>& kept) {
  std::string out;
  for (size_t i = 0; i < rank; ++i) out += (i > 0 ? ", " : "") + std::string(kept[i] ? ":" : "None");
  return out;
}

}  // namespace

PyId Lowering::full(const Op& op) {
  const ValueId filled = op.operands.back();
  const ir::DtypeId to = calculated_in(op);
  const bool scalar = type(op.results[0]).shape.empty();
  const std::optional<Scalar> known = program_.types.scalar_of(to);
  const PyId target = dtype(to, op.span);
  std::optional<double> number;
  if (is_const(filled)) {
    if (const std::optional<sym::Value> found = program_.arena.literal_of(type(filled).value)) {
      number = std::visit([](auto v) { return static_cast<double>(v); }, *found);
    }
  }
  const auto rounded = [&](PyId py) {
    return tf32_when(to) ? rounded_to_tf32(py, is_const(filled) ? f32() : type(filled).dtype, to, op.span) : py;
  };
  if (scalar && !is_const(filled)) {
    if (type(filled).dtype == to) return value(filled);
    return rounded(cast(value(filled), method_on(filled), to, op.span));
  }
  std::vector<PyId> extents;
  for (size_t i = 0; i + 1 < op.operands.size(); ++i) {
    if (squeezed_(op.results[0]) && is_unit(program_, type(op.results[0]).shape[i])) continue;
    extents.push_back(value(op.operands[i]));
  }
  const PyId shape = python_.tuple(extents);
  const bool integer = known && ir::class_of(*known) != ir::ScalarClass::Float && *known != Scalar::TF32;
  if (number == 0.0 && !std::signbit(*number) && !scalar)
    return python_.call("tl.zeros", {shape, python_.keyword("dtype", target)});
  PyId content = with_sign(operand(filled, false), {}, op.span);
  if (number && integer && type(filled).loose == ir::LooseKind::Float) content = python_.number(static_cast<int64_t>(*number));
  const bool is_unsigned = known && ir::class_of(*known) == ir::ScalarClass::Unsigned;
  if (number && is_unsigned && *number < 0 && *number >= -0x1p53) {
    // Triton takes no negative number for an unsigned dtype.
    const uint64_t bits = ~uint64_t{0} >> (64 - ir::bits_of(*known));
    content = python_.atom(std::to_string(static_cast<uint64_t>(static_cast<int64_t>(*number)) & bits));
  }
  return rounded(python_.call("tl.full", {shape, content, python_.keyword("dtype", target)}));
}

PyId Lowering::iota(const Op& op) {
  const PyId range = python_.call("tl.arange", {python_.number(0), value(op.operands[0])});
  const ir::DtypeId to = calculated_in(op);
  if (program_.types.scalar_of(to) == Scalar::I32) return range;
  return cast(range, true, to, op.span);
}

// One shape as another. Axes of extent 1 come by indexing.
PyId Lowering::reshaped(PyId py, const std::vector<sym::ExprId>& from, const std::vector<sym::ExprId>& to, const Op& op) {
  if (from == to) return py;
  std::vector<bool> kept;
  size_t at = 0;
  for (const sym::ExprId extent : to) {
    const bool same = at < from.size() && from[at] == extent;
    // A unit that the tile has already is kept, unless more of them are needed.
    kept.push_back(same);
    at += same;
  }
  bool inserts = at == from.size();
  for (size_t i = 0; i < to.size(); ++i) inserts = inserts && (kept[i] || is_unit(program_, to[i]));
  if (inserts) return python_.index(py, newaxis(to.size(), kept));
  std::vector<PyId> extents;
  const bool authored = op.kind == OpKind::Reshape && op.operands.size() == to.size() + 1;
  for (size_t i = 0; i < to.size(); ++i) extents.push_back(authored ? value(op.operands[1 + i]) : extent(to[i]));
  if (op.attrs.spelling == ir::Spelling::Method && !extents.empty()) return python_.method(py, "reshape", extents);
  return python_.call("tl.reshape", {py, python_.tuple(extents)});
}

PyId Lowering::reshape(const Op& op) {
  const ValueId from = op.operands[0];
  const std::vector<sym::ExprId> wanted = shape(op.results[0]);
  // A load that only this reshape reads is made in the wanted shape.
  const ir::OpId made = program_.values[from].definition;
  if (made && this->op(made).kind == OpKind::LoadTile && inlines(made) && uses_.count(from) == 1) {
    const std::vector<uint32_t> kept = kept_axes(program_, program_.values[from].type);
    std::vector<sym::ExprId> dense;
    for (const sym::ExprId extent : wanted) {
      if (!is_unit(program_, extent)) dense.push_back(extent);
    }
    std::vector<sym::ExprId> loaded;
    for (const uint32_t axis : kept) loaded.push_back(type(from).shape[axis]);
    if (dense == loaded) return load_tile(made, wanted);
  }
  if (is_const(from)) return full(op);
  return reshaped(value(from), shape(from), wanted, op);
}

PyId Lowering::expand_dims(const Op& op) {
  const ValueId from = op.operands[0];
  const std::vector<sym::ExprId>& to = type(op.results[0]).shape;
  std::vector<bool> kept(to.size(), true);
  for (const uint32_t axis : op.attrs.rare->axes) kept[axis] = false;
  if (op.attrs.spelling != ir::Spelling::Newaxis && op.attrs.rare->axes.size() == 1 && !type(from).shape.empty()) {
    return python_.call("tl.expand_dims", {value(from), python_.number(op.attrs.rare->axes[0])});
  }
  return python_.index(value(from), newaxis(to.size(), kept));
}

PyId Lowering::permute(const Op& op) {
  const ValueId from = op.operands[0];
  ShortList<uint32_t> axes = op.attrs.rare->axes;
  if (squeezed_(from)) {
    // Axes that are left, renumbered.
    const std::vector<uint32_t> kept = kept_axes(program_, program_.values[from].type);
    std::vector<uint32_t> number(type(from).shape.size(), ~uint32_t{0});
    for (uint32_t i = 0; i < kept.size(); ++i) number[kept[i]] = i;
    std::vector<uint32_t> left;
    for (const uint32_t axis : axes) {
      if (number[axis] != ~uint32_t{0}) left.push_back(number[axis]);
    }
    axes = left;
  }
  bool identity = true;
  for (uint32_t i = 0; i < axes.size(); ++i) identity = identity && axes[i] == i;
  if (identity) return value(from);
  if (axes.size() == 2) return python_.call("tl.trans", {value(from)});
  std::vector<PyId> order;
  for (const uint32_t axis : axes) order.push_back(python_.number(axis));
  return python_.call("tl.permute", {value(from), python_.tuple(order)});
}

PyId Lowering::broadcast(const Op& op) {
  const ValueId from = op.operands[0];
  std::vector<PyId> extents;
  for (size_t i = 1; i < op.operands.size(); ++i) extents.push_back(value(op.operands[i]));
  const PyId to = python_.tuple(extents);
  const std::vector<sym::ExprId> have = shape(from);
  if (have.empty()) {
    const ir::DtypeId element = type(op.results[0]).dtype;
    return python_.call("tl.full", {to, value(from), python_.keyword("dtype", dtype(element, op.span))});
  }
  PyId py = value(from);
  if (have.size() < extents.size()) {
    std::vector<bool> kept(extents.size(), true);
    for (size_t i = 0; i < extents.size() - have.size(); ++i) kept[i] = false;
    py = python_.index(py, newaxis(extents.size(), kept));
  }
  return python_.call("tl.broadcast_to", {py, to});
}

// Two tiles side by side: joined on a new last axis, which then moves before the axis that grows.
PyId Lowering::cat(const Op& op) {
  const ValueId a = op.operands[0];
  if (op.operands.size() == 1) return value(a);
  const ValueId b = op.operands[1];
  const size_t rank = type(a).shape.size();
  if (type(a).shape != type(b).shape) {
    refuse(op.span, diag::report(diag::Severity::Error, op.span, unequal_cat));
    return value(a);
  }
  PyId joined = python_.call("tl.join", {value(a), value(b)});
  std::vector<PyId> order;
  for (size_t i = 0; i < rank; ++i) {
    if (i == op.attrs.axis) order.push_back(python_.number(static_cast<int64_t>(rank)));
    order.push_back(python_.number(static_cast<int64_t>(i)));
  }
  joined = python_.call("tl.permute", {joined, python_.tuple(order)});
  std::vector<PyId> extents;
  for (const sym::ExprId extent : type(op.results[0]).shape) extents.push_back(this->extent(extent));
  return python_.call("tl.reshape", {joined, python_.tuple(extents)});
}

// A part of a tile, axis by axis: the elements are gathered along it.
PyId Lowering::extract(const Op& op) {
  const ValueId from = op.operands[0];
  const size_t rank = type(from).shape.size();
  std::vector<sym::ExprId> now = type(from).shape;
  const std::vector<sym::ExprId> wanted = [&] {
    std::vector<sym::ExprId> out;
    for (size_t axis = 0; axis < rank; ++axis) out.push_back(type(op.operands[1 + rank + axis]).value);
    return out;
  }();
  PyId py = value(from);
  for (size_t axis = 0; axis < rank; ++axis) {
    if (now[axis] == wanted[axis]) continue;
    now[axis] = wanted[axis];
    const PyId extent_py = value(op.operands[1 + rank + axis]);
    const ValueId index = op.operands[1 + axis];
    PyId lanes = python_.call("tl.arange", {python_.number(0), extent_py});
    if (!is_zero(program_, index)) {
      const bool one = is_const(index) && program_.arena.integer_of(type(index).value) == 1;
      lanes = python_.infix(one ? extent_py : python_.infix(value(index), "*", extent_py), "+", lanes);
    }
    std::vector<bool> kept(rank, false);
    kept[axis] = true;
    if (rank > 1) lanes = python_.index(lanes, newaxis(rank, kept));
    std::vector<PyId> extents;
    for (size_t i = 0; i < rank; ++i) extents.push_back(this->extent(now[i]));
    if (rank > 1) lanes = python_.call("tl.broadcast_to", {lanes, python_.tuple(extents)});
    py = python_.call("tl.gather", {py, lanes, python_.number(static_cast<int64_t>(axis))});
  }
  return reshaped(py, now, shape(op.results[0]), op);
}

}  // namespace tilewright::back::triton
