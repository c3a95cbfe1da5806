// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiled views and advanced indexing (cutile.md, 3.2 and 3.3). A view is an array and the extents of its tiles, nothing that runs.
// What has no op of its own is said by element: an atomic update of a tile, a load of scattered rows.

#include <limits>

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::ValueId;
using Shape = std::vector<sym::ExprId>;

namespace {

// start + (0, 1, …), along one axis of a tile of this rank.
ValueId along_axis(Reader& reader, NodeId node, ValueId tile, uint32_t axis, uint32_t rank) {
  Shape shape(rank, reader.arena().integer(1));
  shape[axis] = shape_of(reader, tile)[0];
  ir::Attrs attrs;
  for (uint32_t i = 0; i < rank; ++i) {
    if (i != axis) attrs.rare.edit().axes.push_back(i);
  }
  if (attrs.rare->axes.empty()) return tile;
  attrs.spelling = ir::Spelling::Newaxis;
  return emit(reader, node, OpKind::ExpandDims, {tile}, reader.types().tile(own_dtype(reader, tile), shape), std::move(attrs));
}

ValueId counted(Reader& reader, NodeId node, ValueId extent) {
  ir::Attrs attrs;
  attrs.dtype = reader.types().known(ir::Scalar::I32);
  return emit(reader, node, OpKind::Iota, {extent}, reader.types().tile(attrs.dtype, {type_of(reader, extent).value}), attrs);
}

bool is_one(Reader& reader, ValueId extent) { return reader.arena().integer_of(type_of(reader, extent).value) == 1; }

// The element indices of the tile at a tile index.
std::optional<ElementIndex> elements_of_tile(Reader& reader, NodeId node, const std::vector<ValueId>& index,
                                             const std::vector<ValueId>& extents) {
  ElementIndex elements;
  const auto rank = static_cast<uint32_t>(index.size());
  for (uint32_t axis = 0; axis < rank; ++axis) {
    ValueId element = index[axis];
    if (!is_one(reader, extents[axis])) {
      const Val first = binary(reader, node, OpKind::Mul, ir_val(index[axis]), ir_val(extents[axis]));
      const Val all = binary(reader, node, OpKind::Add, first, ir_val(counted(reader, node, extents[axis])));
      if (!all.is(ValKind::Ir)) return std::nullopt;
      element = along_axis(reader, node, all.value, axis, rank);
    }
    const auto shape = broadcast(reader, node, elements.shape, shape_of(reader, element));
    if (!shape) return std::nullopt;
    elements.shape = *shape;
    elements.values.push_back(element);
  }
  return elements;
}

std::vector<ValueId> extents_of_view(const Val& view) {
  std::vector<ValueId> extents;
  for (const Val& extent : *view.items) extents.push_back(extent.value);
  return extents;
}

Shape shape_of_view(Reader& reader, const Val& view) {
  Shape shape;
  for (const Val& extent : *view.items) shape.push_back(type_of(reader, extent.value).value);
  return shape;
}

}  // namespace

Val read_tiled_view(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.node, call.value("array"), "the viewed value");
  const auto extents = as_shape(reader, call.at("tile_shape"), call.value("tile_shape"), IntForm::Allowed);
  if (!array || !extents) return {};
  if (call.given("traversal_steps")) {
    return error(reader, call.at("traversal_steps"), messages::unconverted_argument, "a view whose tiles overlap");
  }
  if (extents->shape.empty())
    return error(reader, call.at("tile_shape"), messages::unconverted_argument, "a view of single elements");
  if (!check_rank(reader, call.at("tile_shape"), *array, "the shape", extents->shape.size())) return {};
  Val view{.kind = ValKind::View, .value = *array};
  if (call.has("padding_mode")) {
    const auto padding =
        as_enum(reader, call.at("padding_mode"), call.value("padding_mode"), Enumeration::Padding, "the padding mode");
    if (!padding) return {};
    view.index = *padding;
  }
  std::vector<Val> items;
  for (const ValueId extent : extents->values) items.push_back(ir_val(extent));
  view.items = std::make_shared<const std::vector<Val>>(std::move(items));
  return view;
}

Val read_view_load(Reader& reader, const Call& call) {
  const Val& view = call.value("view");
  const auto index = tile_index(reader, call.at("index"), call.value("index"), view.value);
  if (!index) return {};
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(index->size());
  attrs.padding = static_cast<ir::Padding>(view.index);
  if (!read_bounds(reader, call, attrs) || !read_hints(reader, call, attrs, HasTma::Yes)) return {};
  std::vector<ValueId> operands{view.value};
  operands.insert(operands.end(), index->begin(), index->end());
  for (const ValueId extent : extents_of_view(view)) operands.push_back(extent);
  const ir::TypeId type = reader.types().tile(type_of(reader, view.value).dtype, shape_of_view(reader, view));
  return ir_val(emit(reader, call.node, OpKind::LoadTile, std::move(operands), type, std::move(attrs)));
}

Val read_view_store(Reader& reader, const Call& call) {
  const Val& view = call.value("view");
  const auto index = tile_index(reader, call.at("index"), call.value("index"), view.value);
  const auto tile = as_number(reader, call.at("tile"), call.value("tile"), "the stored tile");
  const Shape shape = shape_of_view(reader, view);
  if (!index || !tile || !fits(reader, call.at("tile"), *tile, shape)) return {};
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(index->size());
  if (!read_bounds(reader, call, attrs) || !read_hints(reader, call, attrs, HasTma::Yes)) return {};
  const ir::DtypeId dtype = type_of(reader, view.value).dtype;
  auto value = store_cast(reader, call.node, call.at("tile"), *tile, dtype, "a stored tile");
  if (!value) return {};
  if (is_const(reader, *value)) {
    ir::Attrs fill;
    fill.dtype = dtype;
    fill.rank = static_cast<uint32_t>(shape.size());
    std::vector<ValueId> operands = extents_of_view(view);
    operands.push_back(*value);
    value = emit(reader, call.node, OpKind::Full, std::move(operands), reader.types().tile(dtype, shape), std::move(fill));
  } else if (shape_of(reader, *value) != shape) {
    std::vector<ValueId> operands{*value};
    for (const ValueId extent : extents_of_view(view)) operands.push_back(extent);
    value =
        emit(reader, call.node, OpKind::Broadcast, std::move(operands), reader.types().tile(own_dtype(reader, *value), shape));
  }
  std::vector<ValueId> operands{view.value};
  operands.insert(operands.end(), index->begin(), index->end());
  operands.push_back(*value);
  emit_op(reader, call.node, OpKind::StoreTile, std::move(operands), {}, std::move(attrs));
  return none_val();
}

Val read_view_num_tiles(Reader& reader, const Call& call) {
  const Val& view = call.value("view");
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(view.items->size());
  const auto axis = as_axis(reader, call.at("axis"), call.value("axis"), attrs.rank);
  if (!axis) return {};
  attrs.axis = *axis;
  std::vector<ValueId> operands{view.value};
  for (const ValueId extent : extents_of_view(view)) operands.push_back(extent);
  return ir_val(emit(reader, call.node, OpKind::NumTiles, std::move(operands), int32_type(reader), std::move(attrs)));
}

Val read_view_atomic(Reader& reader, const Call& call) {
  const Val& view = call.value("view");
  const auto index = tile_index(reader, call.at("index"), call.value("index"), view.value);
  auto update = as_number(reader, call.at("update"), call.value("update"), "the update");
  const Shape shape = shape_of_view(reader, view);
  if (!index || !update || !fits(reader, call.at("update"), *update, shape)) return {};
  const auto elements = elements_of_tile(reader, call.node, *index, extents_of_view(view));
  if (!elements) return {};
  ir::Attrs attrs;
  attrs.rare.edit().atomic = static_cast<ir::Atomic>(call.builtin->variant);
  attrs.rare.edit().order_of_memory = ir::MemoryOrder::Relaxed;
  attrs.rare.edit().scope = ir::MemoryScope::Device;
  attrs.rank = static_cast<uint32_t>(index->size());
  const ir::DtypeId dtype = type_of(reader, view.value).dtype;
  if (!check_atomic_dtype(reader, call, dtype, attrs.rare->atomic)) return {};
  auto value = store_cast(reader, call.node, call.at("update"), *update, dtype, "an atomic update");
  if (!value) return {};
  if (elements->shape.empty() && !shape_of(reader, *value).empty()) {
    // A tile of one element: the index has no axes.
    value = emit(reader, call.node, OpKind::Reshape, {*value}, reader.types().tile(own_dtype(reader, *value), {}));
  }
  std::vector<ValueId> operands{view.value};
  operands.insert(operands.end(), elements->values.begin(), elements->values.end());
  operands.push_back(*value);
  emit(reader, call.node, OpKind::AtomicRmw, std::move(operands), reader.types().tile(dtype, elements->shape), std::move(attrs));
  return none_val();
}

Val read_index_slice(Reader&, const Call& call) {
  return {.kind = ValKind::IndexSlice,
          .items = std::make_shared<const std::vector<Val>>(std::vector<Val>{call.value("start"), call.value("length")})};
}

namespace {

// One 1-D tile of row numbers, slices elsewhere: the index of every element.
std::optional<ElementIndex> advanced_index(Reader& reader, const Call& call, ValueId array) {
  const Val& given = call.value("indices");
  const NodeId at = call.at("indices");
  if (!given.is(ValKind::Tuple)) {
    error(reader, at, messages::wrong_kind, "the index", "a tuple", describe(reader, given));
    return std::nullopt;
  }
  const auto rank = static_cast<uint32_t>(given.items->size());
  if (!check_rank(reader, at, array, "the index", rank)) return std::nullopt;
  if (rank < 2) {
    error(reader, at, messages::bad_axis, "advanced indexing needs an array of at least two axes");
    return std::nullopt;
  }
  ElementIndex elements;
  uint32_t tiles = 0;
  for (uint32_t axis = 0; axis < rank; ++axis) {
    const Val& item = (*given.items)[axis];
    ValueId element;
    if (item.is(ValKind::IndexSlice)) {
      const auto start = as_integer(reader, at, (*item.items)[0], "the start of a slice");
      const auto length = as_extent(reader, at, (*item.items)[1]);
      if (!start || !length) return std::nullopt;
      element = *start;
      if (!is_one(reader, *length)) {
        const Val all = binary(reader, call.node, OpKind::Add, ir_val(*start), ir_val(counted(reader, call.node, *length)));
        if (!all.is(ValKind::Ir)) return std::nullopt;
        element = along_axis(reader, call.node, all.value, axis, rank);
      }
    } else {
      const auto rows = as_integer(reader, at, item, "the index");
      if (!rows) return std::nullopt;
      if (shape_of(reader, *rows).size() != 1) {
        error(reader, at, messages::wrong_kind, "an index", "a slice or a tile of one axis", describe(reader, ir_val(*rows)));
        return std::nullopt;
      }
      ++tiles;
      element = along_axis(reader, call.node, *rows, axis, rank);
    }
    const auto shape = broadcast(reader, at, elements.shape, shape_of(reader, element));
    if (!shape) return std::nullopt;
    elements.shape = *shape;
    elements.values.push_back(element);
  }
  if (tiles == 1) return elements;
  error(reader, at, messages::bad_axis, "advanced indexing needs one tile of row numbers, not " + std::to_string(tiles));
  return std::nullopt;
}

}  // namespace

Val read_load_advanced(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.at("array"), call.value("array"), "the first argument of `load_advanced_indexing`");
  if (!array) return {};
  const auto index = advanced_index(reader, call, *array);
  if (!index) return {};
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(index->values.size());
  if (!read_hints(reader, call, attrs, HasTma::No)) return {};
  std::vector<ValueId> operands{*array};
  operands.insert(operands.end(), index->values.begin(), index->values.end());
  if (call.has("padding_mode")) {
    const NodeId at = call.at("padding_mode");
    const auto padding = as_enum(reader, at, call.value("padding_mode"), Enumeration::Padding, "the padding mode");
    if (!padding) return {};
    const double infinity = std::numeric_limits<double>::infinity();
    std::optional<double> value;
    switch (static_cast<ir::Padding>(*padding)) {
      case ir::Padding::Undetermined:
      case ir::Padding::Zero: break;  // 0 is what a gather pads with
      case ir::Padding::NegZero: value = -0.0; break;
      case ir::Padding::Nan: value = std::numeric_limits<double>::quiet_NaN(); break;
      case ir::Padding::PosInf: value = infinity; break;
      case ir::Padding::NegInf: value = -infinity; break;
    }
    if (value) {
      operands.push_back(literal(reader, at, sym::Value{*value}));
      attrs.has_padding = true;
    }
  }
  const ir::TypeId type = reader.types().tile(type_of(reader, *array).dtype, index->shape);
  return ir_val(emit(reader, call.node, OpKind::Gather, std::move(operands), type, std::move(attrs)));
}

Val read_store_advanced(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.at("array"), call.value("array"), "the first argument of `store_advanced_indexing`");
  if (!array) return {};
  const auto index = advanced_index(reader, call, *array);
  const auto tile = as_number(reader, call.at("tile"), call.value("tile"), "the stored tile");
  if (!index || !tile || !fits(reader, call.at("tile"), *tile, index->shape)) return {};
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(index->values.size());
  if (!read_hints(reader, call, attrs, HasTma::No)) return {};
  const auto value = store_cast(reader, call.node, call.at("tile"), *tile, type_of(reader, *array).dtype, "a stored tile");
  if (!value) return {};
  std::vector<ValueId> operands{*array};
  operands.insert(operands.end(), index->values.begin(), index->values.end());
  operands.push_back(*value);
  emit_op(reader, call.node, OpKind::Scatter, std::move(operands), {}, std::move(attrs));
  return none_val();
}

}  // namespace tilewright::front::cutile
