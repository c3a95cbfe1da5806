// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Making tiles, and their shapes.

#include <algorithm>
#include <numeric>

#include "front/triton/builtins.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::ValueId;

namespace {

std::optional<ValueId> tile_argument(Reader& reader, const Call& call) {
  const BoundArgument& first = call.arguments[0];
  const auto value = as_number(reader, first.node, *first.value, "the operand of `tl." + std::string(call.builtin->name) + "`");
  if (!value) return std::nullopt;
  return as_tensor(reader, first.node, *value);
}

ir::Attrs spelled() {
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Function;
  return attrs;
}

Val reshaped(Reader& reader, NodeId node, ValueId tile, const Extents& extents, ir::Attrs attrs) {
  std::vector<ValueId> operands{tile};
  operands.insert(operands.end(), extents.values.begin(), extents.values.end());
  const ir::TypeId type = reader.types().tile(type_of(reader, tile).dtype, extents.shape);
  return ir_val(emit(reader, node, OpKind::Reshape, std::move(operands), type, std::move(attrs)));
}

Val permuted(Reader& reader, NodeId node, ValueId tile, std::vector<uint32_t> axes, ir::Attrs attrs) {
  const ir::Type type = type_of(reader, tile);
  Shape shape;
  for (const uint32_t axis : axes) shape.push_back(type.shape[axis]);
  attrs.rare.edit().axes = std::move(axes);
  return ir_val(emit(reader, node, OpKind::Permute, {tile}, reader.types().tile(type.dtype, shape), std::move(attrs)));
}

}  // namespace

Val read_arange(Reader& reader, const Call& call) {
  const auto start = as_const_int(reader, call.at("start"), call.value("start"), "the start of `tl.arange`");
  const auto end = as_const_int(reader, call.at("end"), call.value("end"), "the end of `tl.arange`");
  if (!start || !end) return {};
  const bool from_zero = reader.arena().integer_of(type_of(reader, *start).value) == 0;
  Val size = ir_val(*end);
  if (!from_zero) size = fold(reader, call.node, OpKind::Sub, *end, *start, {});
  if (size.poison()) return {};
  const auto extent = as_extent(reader, call.at("end"), size);
  if (!extent) return {};
  ir::Attrs attrs;
  attrs.dtype = reader.types().known(ir::Scalar::I32);
  const ir::TypeId type = reader.types().tile(attrs.dtype, {type_of(reader, *extent).value});
  const Val lanes = ir_val(emit(reader, call.node, OpKind::Iota, {*extent}, type, std::move(attrs)));
  if (from_zero) return lanes;
  ir::Attrs moved;
  moved.spelling = ir::Spelling::Library;
  return binary(reader, call.node, OpKind::Add, lanes, ir_val(*start), std::move(moved));
}

Val read_full(Reader& reader, const Call& call) {
  const auto extents = as_shape(reader, call.at("shape"), call.value("shape"), IntForm::Allowed);
  const auto dtype = dtype_argument(reader, call.at("dtype"), call.value("dtype"), "the dtype");
  if (!extents || !dtype) return {};
  std::optional<ValueId> value;
  if (call.builtin->variant == 0) {
    value = integer(reader, call.node, 0);
  } else {
    value = as_number(reader, call.at("value"), call.value("value"), "the value");
  }
  if (!value) return {};
  if (!shape_of(reader, *value).empty()) {
    // A tile of one element counts as its element.
    value = emit(reader, call.node, OpKind::Reshape, {*value}, reader.types().tile(type_of(reader, *value).dtype, {}));
  }
  std::vector<ValueId> operands = extents->values;
  operands.push_back(*value);
  ir::Attrs attrs;
  attrs.dtype = *dtype;
  attrs.rank = static_cast<uint32_t>(extents->values.size());
  attrs.spelling = ir::Spelling::Function;
  return ir_val(
      emit(reader, call.node, OpKind::Full, std::move(operands), reader.types().tile(*dtype, extents->shape), std::move(attrs)));
}

Val read_zeros_like(Reader& reader, const Call& call) {
  const auto x = tile_argument(reader, call);
  if (!x) return {};
  const Extents extents = extents_of(reader, call.node, *x);
  std::vector<ValueId> operands = extents.values;
  operands.push_back(integer(reader, call.node, 0));
  ir::Attrs attrs = spelled();
  attrs.dtype = dtype_of(reader, *x);
  attrs.rank = static_cast<uint32_t>(extents.values.size());
  const ir::TypeId type = reader.types().tile(attrs.dtype, extents.shape);
  return ir_val(emit(reader, call.node, OpKind::Full, std::move(operands), type, std::move(attrs)));
}

Val read_reshape(Reader& reader, const Call& call) {
  const auto x = tile_argument(reader, call);
  const auto extents = as_shape(reader, call.at("shape"), call.value("shape"), IntForm::Allowed);
  if (!x || !extents) return {};
  return reshaped(reader, call.node, *x, *extents, spelled());
}

Val read_ravel(Reader& reader, const Call& call) {
  const auto x = tile_argument(reader, call);
  if (!x) return {};
  const Extents extents = extents_of(reader, call.node, *x);
  if (extents.values.size() == 1) return ir_val(*x);
  Val all = extents.values.empty() ? ir_val(integer(reader, call.node, 1)) : ir_val(extents.values[0]);
  for (size_t i = 1; i < extents.values.size() && !all.poison(); ++i)
    all = fold(reader, call.node, OpKind::Mul, all.value, extents.values[i], {});
  if (all.poison()) return {};
  return reshaped(reader, call.node, *x, {.values = {all.value}, .shape = {type_of(reader, all.value).value}}, spelled());
}

Val read_item(Reader& reader, const Call& call) {
  const auto x = tile_argument(reader, call);
  if (!x) return {};
  return reshaped(reader, call.node, *x, {}, spelled());
}

Val read_permute(Reader& reader, const Call& call) {
  const auto x = tile_argument(reader, call);
  if (!x) return {};
  const auto rank = static_cast<uint32_t>(shape_of(reader, *x).size());
  std::vector<uint32_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0u);
  if (call.given("dims") && !items_of(call.value("dims")).empty()) {
    const auto given = as_axes(reader, call.at("dims"), call.value("dims"), rank);
    if (!given) return {};
    std::vector<uint32_t> sorted = *given;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != axes) return error(reader, call.at("dims"), messages::bad_axis, "the axes are no permutation");
    axes = *given;
  } else if (rank < 2) {
    return error(reader, call.node, messages::bad_shape, "a tile of rank " + std::to_string(rank) + " cannot be transposed");
  } else {
    std::swap(axes[rank - 1], axes[rank - 2]);
  }
  return permuted(reader, call.node, *x, std::move(axes), spelled());
}

Val read_expand_dims(Reader& reader, const Call& call) {
  const auto x = tile_argument(reader, call);
  if (!x) return {};
  const ir::Type type = type_of(reader, *x);
  const size_t added = items_of(call.value("axis")).size();
  if (!has_few_axes(reader, call.node, type.shape.size() + added)) return {};
  auto axes = as_axes(reader, call.at("axis"), call.value("axis"), static_cast<uint32_t>(type.shape.size() + added));
  if (!axes) return {};
  std::sort(axes->begin(), axes->end());
  Shape shape;
  size_t next = 0;
  for (uint32_t axis = 0; axis < type.shape.size() + added; ++axis) {
    const bool is_new = std::find(axes->begin(), axes->end(), axis) != axes->end();
    if (!is_new && next == type.shape.size()) return error(reader, call.at("axis"), messages::bad_axis, "an axis is named twice");
    shape.push_back(is_new ? reader.arena().integer(1) : type.shape[next++]);
  }
  ir::Attrs attrs = spelled();
  attrs.rare.edit().axes = *axes;
  return ir_val(emit(reader, call.node, OpKind::ExpandDims, {*x}, reader.types().tile(type.dtype, shape), std::move(attrs)));
}

namespace {

Val broadcasted(Reader& reader, NodeId node, ValueId tile, const Extents& extents, ir::Attrs attrs) {
  const auto shape = broadcast(reader, node, shape_of(reader, tile), extents.shape);
  if (!shape) return {};
  if (shape->size() != extents.shape.size())
    return error(reader, node, messages::not_broadcastable, shape_text(reader, shape_of(reader, tile)),
                 shape_text(reader, extents.shape));
  std::vector<ValueId> operands{tile};
  operands.insert(operands.end(), extents.values.begin(), extents.values.end());
  const ir::TypeId type = reader.types().tile(type_of(reader, tile).dtype, extents.shape);
  return ir_val(emit(reader, node, OpKind::Broadcast, std::move(operands), type, std::move(attrs)));
}

}  // namespace

Val read_broadcast_to(Reader& reader, const Call& call) {
  const auto x = tile_argument(reader, call);
  const auto extents = as_shape(reader, call.at("shape"), call.value("shape"), IntForm::Allowed);
  if (!x || !extents) return {};
  return broadcasted(reader, call.node, *x, *extents, spelled());
}

Val read_broadcast(Reader& reader, const Call& call) {
  const auto a = tensor_argument(reader, call, "input");
  const auto b = tensor_argument(reader, call, "other");
  if (!a || !b) return {};
  const auto shape = broadcast(reader, call.node, shape_of(reader, *a), shape_of(reader, *b));
  if (!shape) return {};
  // Each extent is that of the operand that has it.
  Extents extents{.values = {}, .shape = *shape};
  const Extents of_a = extents_of(reader, call.node, *a);
  const Extents of_b = extents_of(reader, call.node, *b);
  for (size_t i = 0; i < shape->size(); ++i) {
    const auto find = [&](const Extents& from) -> std::optional<ValueId> {
      if (i + from.shape.size() < shape->size()) return std::nullopt;
      const size_t at = i + from.shape.size() - shape->size();
      return from.shape[at] == (*shape)[i] ? std::optional(from.values[at]) : std::nullopt;
    };
    const auto value = find(of_a) ? find(of_a) : find(of_b);
    if (!value) return error(reader, call.node, messages::bad_shape, "the common shape of two tiles depends on the launch");
    extents.values.push_back(*value);
  }
  const Val x = broadcasted(reader, call.node, *a, extents, spelled());
  const Val y = broadcasted(reader, call.node, *b, extents, spelled());
  return x.poison() || y.poison() ? Val{} : tuple_val({x, y});
}

Val read_join(Reader& reader, const Call& call) {
  const auto a = tensor_argument(reader, call, "a");
  const auto b = tensor_argument(reader, call, "b");
  if (!a || !b) return {};
  auto shape = broadcast(reader, call.node, shape_of(reader, *a), shape_of(reader, *b));
  if (!shape || !has_few_axes(reader, call.node, shape->size() + 1)) return {};
  shape->push_back(reader.arena().integer(2));
  const ir::DtypeId dtype = dtype_of(reader, *a);
  const ValueId other = converted(reader, call.at("b"), *b, dtype);
  return ir_val(emit(reader, call.node, OpKind::Join, {*a, other}, reader.types().tile(dtype, *shape), spelled()));
}

Val read_split(Reader& reader, const Call& call) {
  const auto x = tile_argument(reader, call);
  if (!x) return {};
  const ir::Type type = type_of(reader, *x);
  if (type.shape.empty() || reader.arena().integer_of(type.shape.back()).value_or(2) != 2)
    return error(reader, call.node, messages::bad_shape,
                 "the last extent of a tile that is split must be 2, but its shape is " + shape_text(reader, type.shape));
  Shape shape(type.shape.begin(), type.shape.end() - 1);
  const ir::TypeId half = reader.types().tile(type.dtype, shape);
  const ir::OpId op = emit_op(reader, call.node, OpKind::Split, {*x}, {half, half}, spelled());
  const auto& results = reader.program.ops[op].results;
  return tuple_val({ir_val(results[0]), ir_val(results[1])});
}

Val read_interleave(Reader& reader, const Call& call) {
  const Val both = read_join(reader, call);
  if (both.poison()) return {};
  const Extents joined = extents_of(reader, call.node, both.value);
  if (joined.values.size() < 2) return both;
  const size_t rank = joined.values.size();
  const Val last = fold(reader, call.node, OpKind::Mul, joined.values[rank - 2], joined.values[rank - 1], {});
  if (last.poison()) return {};
  Extents extents;
  extents.values.assign(joined.values.begin(), joined.values.end() - 2);
  extents.shape.assign(joined.shape.begin(), joined.shape.end() - 2);
  extents.values.push_back(last.value);
  extents.shape.push_back(type_of(reader, last.value).value);
  return reshaped(reader, call.node, both.value, extents, spelled());
}

Val read_flip(Reader& reader, const Call& call) {
  const auto x = tile_argument(reader, call);
  if (!x) return {};
  const ir::Type type = type_of(reader, *x);
  const auto rank = static_cast<uint32_t>(type.shape.size());
  ir::Attrs attrs = spelled();
  attrs.axis = rank - 1;
  if (call.given("dim")) {
    const auto axis = as_axis(reader, call.at("dim"), call.value("dim"), rank);
    if (!axis) return {};
    attrs.axis = *axis;
  }
  return ir_val(emit(reader, call.node, OpKind::Flip, {*x}, type_id(reader, *x), std::move(attrs)));
}

Val read_take(Reader& reader, const Call& call) {
  const auto x = tensor_argument(reader, call, "src");
  const auto index = tensor_argument(reader, call, "index");
  if (!x || !index) return {};
  const ir::Type type = type_of(reader, *x);
  const auto axis = as_axis(reader, call.at("axis"), call.value("axis"), static_cast<uint32_t>(type.shape.size()));
  if (!axis) return {};
  ir::Attrs attrs = spelled();
  attrs.axis = *axis;
  const ir::TypeId made = reader.types().tile(type.dtype, shape_of(reader, *index));
  return ir_val(emit(reader, call.node, OpKind::Take, {*x, *index}, made, std::move(attrs)));
}

}  // namespace tilewright::front::triton
