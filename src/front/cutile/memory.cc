// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores by tile, gathers and scatters by element, and views of arrays (cutile.md, 3.2 and 3.3).

#include <algorithm>

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::TypeKind;
using ir::ValueId;

namespace {

// The items of a tuple, or a single value; with the node of each.
std::vector<std::pair<Val, NodeId>> items_of(Reader& reader, NodeId node, const Val& val) {
  if (!val.is(ValKind::Tuple)) return {{val, node}};
  std::vector<std::pair<Val, NodeId>> items;
  const auto display = reader.tree().get_if<syntax::Tuple>(node);
  const bool matches = display && display->elts.size() == val.items->size();
  for (size_t i = 0; i < val.items->size(); ++i) items.emplace_back((*val.items)[i], matches ? display->elts[i] : node);
  return items;
}

}  // namespace

std::optional<std::vector<ValueId>> tile_index(Reader& reader, NodeId node, const Val& val, ValueId array) {
  if (val.poison()) return std::nullopt;
  const auto items = items_of(reader, node, val);
  if (!check_rank(reader, node, array, "the index", items.size())) return std::nullopt;
  std::vector<ValueId> index;
  for (const auto& [item, at] : items) {
    const auto value = as_signed_scalar(reader, at, item, "the index");
    if (!value) return std::nullopt;
    index.push_back(*value);
  }
  return index;
}

namespace {

// `order` as a permutation; the identity is left empty.
bool read_order(Reader& reader, const Call& call, uint32_t rank, ir::Attrs& attrs) {
  if (!call.has("order")) return true;
  const Val& val = call.value("order");
  const NodeId at = call.at("order");
  RareList<uint32_t>& order = attrs.rare.edit().order;
  if (val.is(ValKind::String)) {
    if (val.text == "C") return true;
    if (val.text != "F") {
      error(reader, at, messages::wrong_kind, "the order", "\"C\", \"F\" or a permutation", describe(reader, val));
      return false;
    }
    for (uint32_t i = rank; i-- > 0;) order.push_back(i);
  } else if (val.is(ValKind::Tuple)) {
    if (val.items->size() != rank) {
      error(reader, at, messages::rank_mismatch, "the order", static_cast<int64_t>(val.items->size()), "the array",
            static_cast<int64_t>(rank));
      return false;
    }
    for (const auto& [item, node] : items_of(reader, at, val)) {
      const auto axis = as_axis(reader, node, item, rank);
      if (!axis) return false;
      if (std::find(order.begin(), order.end(), *axis) != order.end()) {
        error(reader, node, messages::bad_axis, "axis " + std::to_string(*axis) + " stands twice in the order");
        return false;
      }
      order.push_back(*axis);
    }
  } else {
    error(reader, at, messages::wrong_kind, "the order", "\"C\", \"F\" or a permutation", describe(reader, val));
    return false;
  }
  bool identity = true;
  for (uint32_t i = 0; i < order.size(); ++i) identity &= order[i] == i;
  if (identity) order.clear();
  return true;
}

}  // namespace

bool read_hints(Reader& reader, const Call& call, ir::Attrs& attrs, HasTma has_tma) {
  if (call.given("latency")) {
    const auto latency = as_const_int(reader, call.at("latency"), call.value("latency"), "the latency");
    if (!latency) return false;
    const auto known = reader.arena().integer_of(type_of(reader, *latency).value);
    if (known && (*known < 1 || *known > 10)) {
      error(reader, call.at("latency"), messages::hint_range, "latency", 1, 10, *known);
      return false;
    }
    attrs.rare.edit().latency = *latency;
  }
  if (has_tma == HasTma::Yes && call.given("allow_tma")) {
    const Val val = materialise(reader, call.at("allow_tma"), call.value("allow_tma"));
    const bool constant =
        val.is(ValKind::Ir) && is_const(reader, val.value) && type_of(reader, val.value).loose == ir::LooseKind::Bool;
    if (!constant) {
      if (!val.poison())
        error(reader, call.at("allow_tma"), messages::wrong_kind, "`allow_tma`", "a constant bool", describe(reader, val));
      return false;
    }
    attrs.rare.edit().allow_tma = val.value;
  }
  return true;
}

bool read_bounds(Reader& reader, const Call& call, ir::Attrs& attrs) {
  if (!call.has("check_bounds")) return true;
  const NodeId at = call.at("check_bounds");
  const Val val = materialise(reader, at, call.value("check_bounds"));
  if (val.poison()) return false;
  if (!val.is(ValKind::Ir) || !is_const(reader, val.value)) {
    const bool runtime = val.is(ValKind::Parameter) || (val.is(ValKind::Ir) && type_of(reader, val.value).kind == TypeKind::Tile);
    if (runtime)
      error(reader, at, messages::not_constant, "`check_bounds`", "a constant bool");
    else
      error(reader, at, messages::wrong_kind, "`check_bounds`", "a constant bool", describe(reader, val));
    return false;
  }
  const ir::Type& type = type_of(reader, val.value);
  if (type.loose != ir::LooseKind::Bool) {
    error_with(reader, at, "write a comparison or `bool(…)`", messages::wrong_kind, "`check_bounds`", "a constant bool",
               describe(reader, val));
    return false;
  }
  if (const auto known = truth(reader, val)) {
    if (!*known) attrs.rare.edit().bounds = ir::Bounds::Never;
  } else {
    attrs.rare.edit().bounds_if = val.value;
  }
  return true;
}

namespace {

bool read_memory_order(Reader& reader, const Call& call, ir::Attrs& attrs, ir::MemoryOrder own) {
  if (call.has("memory_order")) {
    const auto order =
        as_enum(reader, call.at("memory_order"), call.value("memory_order"), Enumeration::MemoryOrder, "the memory order");
    if (!order) return false;
    attrs.rare.edit().order_of_memory = static_cast<ir::MemoryOrder>(*order);
  }
  if (call.has("memory_scope")) {
    const auto scope =
        as_enum(reader, call.at("memory_scope"), call.value("memory_scope"), Enumeration::MemoryScope, "the memory scope");
    if (!scope) return false;
    attrs.rare.edit().scope = static_cast<ir::MemoryScope>(*scope);
  }
  const ir::MemoryOrder order = attrs.rare->order_of_memory;
  if (order != ir::MemoryOrder::Weak && order != ir::MemoryOrder::Relaxed && order != own) {
    error(reader, call.at("memory_order"), messages::bad_memory_order,
          "`" + std::string(call.builtin->name) + "` does not have this memory order");
    return false;
  }
  if ((order == ir::MemoryOrder::Weak) != (attrs.rare->scope == ir::MemoryScope::None)) {
    const NodeId at = call.has("memory_order") ? call.at("memory_order") : call.at("memory_scope");
    error(reader, at, messages::bad_memory_order,
          order == ir::MemoryOrder::Weak ? "a weak access has no memory scope" : "this memory order needs a memory scope");
    return false;
  }
  return true;
}

}  // namespace

Val read_load(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.at("array"), call.value("array"), "the first argument of `load`");
  if (!array) return {};
  const auto index = tile_index(reader, call.at("index"), call.value("index"), *array);
  auto extents = as_shape(reader, call.at("shape"), call.value("shape"), IntForm::Allowed);
  if (!index || !extents) return {};
  const auto rank = static_cast<uint32_t>(index->size());
  std::vector<sym::ExprId> shape = extents->shape;
  if (shape.empty()) {
    // One element: extents of 1, a scalar.
    for (uint32_t i = 0; i < rank; ++i) extents->values.push_back(integer(reader, call.at("shape"), 1));
  } else if (!check_rank(reader, call.at("shape"), *array, "the shape", shape.size())) {
    return {};
  } else if (shape.size() != rank) {
    return error(reader, call.at("shape"), messages::rank_mismatch, "the shape", static_cast<int64_t>(shape.size()), "the array",
                 static_cast<int64_t>(rank));
  }
  ir::Attrs attrs;
  attrs.rank = rank;
  if (!read_order(reader, call, rank, attrs) || !read_bounds(reader, call, attrs) ||
      !read_hints(reader, call, attrs, HasTma::Yes) || !read_memory_order(reader, call, attrs, ir::MemoryOrder::Acquire)) {
    return {};
  }
  if (call.has("padding_mode")) {
    const auto padding =
        as_enum(reader, call.at("padding_mode"), call.value("padding_mode"), Enumeration::Padding, "the padding mode");
    if (!padding) return {};
    attrs.padding = static_cast<ir::Padding>(*padding);
  }
  std::vector<ValueId> operands{*array};
  operands.insert(operands.end(), index->begin(), index->end());
  operands.insert(operands.end(), extents->values.begin(), extents->values.end());
  const ir::TypeId type = reader.types().tile(type_of(reader, *array).dtype, shape);
  return ir_val(emit(reader, call.node, OpKind::LoadTile, std::move(operands), type, std::move(attrs)));
}

Val read_store(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.at("array"), call.value("array"), "the first argument of `store`");
  if (!array) return {};
  const auto index = tile_index(reader, call.at("index"), call.value("index"), *array);
  const auto tile = as_number(reader, call.at("tile"), call.value("tile"), "the stored tile");
  if (!index || !tile) return {};
  const auto rank = static_cast<uint32_t>(index->size());
  const auto tile_rank = shape_of(reader, *tile).size();
  if (tile_rank != 0 && tile_rank != rank) {
    return error_with(reader, call.at("tile"), "reshape the tile", messages::rank_mismatch, "the shape of the tile",
                      static_cast<int64_t>(tile_rank), "the array", static_cast<int64_t>(rank));
  }
  ir::Attrs attrs;
  attrs.rank = rank;
  if (!read_order(reader, call, rank, attrs) || !read_bounds(reader, call, attrs) ||
      !read_hints(reader, call, attrs, HasTma::Yes) || !read_memory_order(reader, call, attrs, ir::MemoryOrder::Release)) {
    return {};
  }
  const auto value = store_cast(reader, call.node, call.at("tile"), *tile, type_of(reader, *array).dtype, "a stored tile");
  if (!value) return {};
  std::vector<ValueId> operands{*array};
  operands.insert(operands.end(), index->begin(), index->end());
  operands.push_back(*value);
  emit_op(reader, call.node, OpKind::StoreTile, std::move(operands), {}, std::move(attrs));
  return none_val();
}

Val read_num_tiles(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.at("array"), call.value("array"), "the first argument of `num_tiles`");
  auto extents = as_shape(reader, call.at("shape"), call.value("shape"), IntForm::Allowed);
  if (!array || !extents) return {};
  if (extents->shape.empty()) {
    const uint32_t rank = type_of(reader, *array).rank;
    if (rank == ir::unknown_rank) return rank_unsaid(reader, call.at("array"), *array, "an array whose rank nothing else says");
    for (uint32_t i = 0; i < rank; ++i) extents->values.push_back(integer(reader, call.at("shape"), 1));
  } else if (!check_rank(reader, call.at("shape"), *array, "the shape", extents->shape.size())) {
    return {};
  }
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(extents->values.size());
  const auto axis = as_axis(reader, call.at("axis"), call.value("axis"), attrs.rank);
  if (!axis || !read_order(reader, call, attrs.rank, attrs)) return {};
  attrs.axis = *axis;
  std::vector<ValueId> operands{*array};
  operands.insert(operands.end(), extents->values.begin(), extents->values.end());
  return ir_val(emit(reader, call.node, OpKind::NumTiles, std::move(operands), int32_type(reader), std::move(attrs)));
}

std::optional<ElementIndex> element_index(Reader& reader, NodeId node, const Val& val, ValueId array) {
  if (val.poison()) return std::nullopt;
  const auto items = items_of(reader, node, val);
  if (!check_rank(reader, node, array, "the index", items.size())) return std::nullopt;
  ElementIndex index;
  for (const auto& [item, at] : items) {
    const auto value = as_integer(reader, at, item, "the index");
    if (!value) return std::nullopt;
    const auto shape = broadcast(reader, node, index.shape, shape_of(reader, *value));
    if (!shape) return std::nullopt;
    index.shape = *shape;
    index.values.push_back(*value);
  }
  return index;
}

// A value that must broadcast to the shape of the index.
bool fits(Reader& reader, NodeId node, ValueId value, const std::vector<sym::ExprId>& shape) {
  const auto own = shape_of(reader, value);
  const auto both = own.size() <= shape.size() ? broadcast(reader, node, shape, own) : std::nullopt;
  if (both && *both == shape) return true;
  if (both || own.size() > shape.size())
    error(reader, node, messages::not_broadcastable, shape_text(reader, own), shape_text(reader, shape));
  return false;
}

std::optional<ValueId> read_mask(Reader& reader, const Call& call, const std::vector<sym::ExprId>& shape) {
  const NodeId at = call.at("mask");
  const auto mask = as_number(reader, at, call.value("mask"), "the mask");
  if (!mask) return std::nullopt;
  const auto kind = class_of(reader, *mask);
  if (kind && *kind != ir::ScalarClass::Bool) {
    error_with(reader, at, "compare it: `mask != 0`", messages::wrong_kind, "the mask", "a bool",
               describe(reader, ir_val(*mask)));
    return std::nullopt;
  }
  if (!fits(reader, at, *mask, shape)) return std::nullopt;
  return mask;
}

Val read_gather(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.at("array"), call.value("array"), "the first argument of `gather`");
  if (!array) return {};
  const auto index = element_index(reader, call.at("indices"), call.value("indices"), *array);
  if (!index) return {};
  const ir::DtypeId dtype = type_of(reader, *array).dtype;
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(index->values.size());
  if (!read_bounds(reader, call, attrs) || !read_hints(reader, call, attrs, HasTma::No)) return {};
  std::vector<ValueId> operands{*array};
  operands.insert(operands.end(), index->values.begin(), index->values.end());
  if (call.has("padding_value")) {
    const NodeId at = call.at("padding_value");
    const auto padding = as_number(reader, at, call.value("padding_value"), "the padding value");
    if (!padding || !fits(reader, at, *padding, index->shape)) return {};
    const auto value = store_cast(reader, call.node, at, *padding, dtype, "a padding value");
    if (!value) return {};
    operands.push_back(*value);
    attrs.has_padding = true;
  }
  if (call.given("mask")) {
    const auto mask = read_mask(reader, call, index->shape);
    if (!mask) return {};
    operands.push_back(*mask);
    attrs.has_mask = true;
  }
  return ir_val(
      emit(reader, call.node, OpKind::Gather, std::move(operands), reader.types().tile(dtype, index->shape), std::move(attrs)));
}

Val read_scatter(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.at("array"), call.value("array"), "the first argument of `scatter`");
  if (!array) return {};
  const auto index = element_index(reader, call.at("indices"), call.value("indices"), *array);
  const auto stored = as_number(reader, call.at("value"), call.value("value"), "the stored value");
  if (!index || !stored || !fits(reader, call.at("value"), *stored, index->shape)) return {};
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(index->values.size());
  if (!read_bounds(reader, call, attrs) || !read_hints(reader, call, attrs, HasTma::No)) return {};
  const auto value = store_cast(reader, call.node, call.at("value"), *stored, type_of(reader, *array).dtype, "a stored value");
  if (!value) return {};
  std::vector<ValueId> operands{*array};
  operands.insert(operands.end(), index->values.begin(), index->values.end());
  operands.push_back(*value);
  if (call.given("mask")) {
    const auto mask = read_mask(reader, call, index->shape);
    if (!mask) return {};
    operands.push_back(*mask);
    attrs.has_mask = true;
  }
  emit_op(reader, call.node, OpKind::Scatter, std::move(operands), {}, std::move(attrs));
  return none_val();
}

Val read_slice_method(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.node, call.value("array"), "the sliced value");
  if (!array) return {};
  const uint32_t rank = type_of(reader, *array).rank;
  ir::Attrs attrs;
  if (rank == ir::unknown_rank) {
    const auto axis = as_known_int(reader, call.at("axis"), call.value("axis"), "the axis");
    if (!axis) return {};
    // Goes on for the use of the slice, which may say it for the next attempt.
    if (*axis < 0) rank_unsaid(reader, call.node, *array, "an array whose rank nothing else says");
    if (*axis >= 0 && !has_few_axes(reader, call.node, static_cast<size_t>(*axis) + 1)) return {};
    attrs.axis = *axis < 0 ? 0 : static_cast<uint8_t>(*axis);
  } else {
    const auto axis = as_axis(reader, call.at("axis"), call.value("axis"), rank);
    if (!axis) return {};
    attrs.axis = *axis;
  }
  const auto start = as_signed_scalar(reader, call.at("start"), call.value("start"), "the start of a slice");
  const auto stop = as_signed_scalar(reader, call.at("stop"), call.value("stop"), "the stop of a slice");
  if (!start || !stop) return {};
  std::optional<int64_t> first;
  std::optional<int64_t> last;
  if (is_const(reader, *start)) first = reader.arena().integer_of(type_of(reader, *start).value);
  if (is_const(reader, *stop)) last = reader.arena().integer_of(type_of(reader, *stop).value);
  if (first.value_or(0) < 0 || last.value_or(0) < 0 || (first && last && *last < *first)) {
    return error(reader, call.node, messages::bad_extract,
                 "a slice from " + (first ? std::to_string(*first) : "?") + " to " + (last ? std::to_string(*last) : "?"));
  }
  return ir_val(emit(reader, call.node, OpKind::ArraySlice, {*array, *start, *stop}, type_id(reader, *array), std::move(attrs)));
}

Val read_list_item(Reader& reader, NodeId node, ValueId list, const Val& index, NodeId index_node) {
  const auto value = as_integer(reader, index_node, index, "the index of a list");
  if (!value) return {};
  if (!is_scalar(reader, *value))
    return error(reader, index_node, messages::wrong_kind, "the index of a list", "a scalar", describe(reader, index));
  const ir::Type& type = type_of(reader, list);
  return ir_val(emit(reader, node, OpKind::ListItem, {list, *value}, reader.types().array(type.dtype, type.rank)));
}

}  // namespace tilewright::front::cutile
