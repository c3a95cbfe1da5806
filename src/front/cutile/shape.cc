// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes (cutile.md, 3.7), and the tuples that describe them.

#include <algorithm>

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::ValueId;
using Shape = std::vector<sym::ExprId>;

namespace {

// A shape as the product of what cancels: the known factor, and the symbolic extents.
struct Product {
  int64_t known = 1;
  std::vector<sym::ExprId> symbols;
};

Product product_of(Reader& reader, const Shape& shape) {
  Product product;
  for (const sym::ExprId extent : shape) {
    if (const auto known = reader.arena().integer_of(extent))
      product.known *= *known;
    else
      product.symbols.push_back(extent);
  }
  return product;
}

void cancel(Product& a, Product& b) {
  for (auto at = a.symbols.begin(); at != a.symbols.end();) {
    const auto found = std::find(b.symbols.begin(), b.symbols.end(), *at);
    if (found == b.symbols.end()) {
      ++at;
      continue;
    }
    b.symbols.erase(found);
    at = a.symbols.erase(at);
  }
}

sym::ExprId expression(Reader& reader, const Product& product) {
  sym::ExprId value = reader.arena().integer(product.known);
  for (const sym::ExprId symbol : product.symbols) value = reader.arena().make(sym::ExprKind::Mul, {value, symbol});
  return value;
}

// Whether two shapes have as many elements; what is not known here is assumed.
bool same_size(Reader& reader, const Shape& a, const Shape& b) {
  Product x = product_of(reader, a);
  Product y = product_of(reader, b);
  cancel(x, y);
  if (x.symbols.empty() && y.symbols.empty()) return x.known == y.known;
  return same_extent(reader, expression(reader, x), expression(reader, y));
}

std::optional<ValueId> tile_argument(Reader& reader, const Call& call) {
  return as_tile(reader, call.at("x"), call.value("x"), "the tile of `" + std::string(call.builtin->name) + "`");
}

ir::Spelling method_spelling(const Call& call) {
  return call.builtin->set == BuiltinSet::TileMethod ? ir::Spelling::Method : ir::Spelling::Usual;
}

Val emit_reshape(Reader& reader, NodeId node, ValueId tile, Extents extents, ir::Spelling spelling) {
  const ir::DtypeId dtype = own_dtype(reader, tile);
  ir::Attrs attrs;
  attrs.spelling = spelling;
  std::vector<ValueId> operands{tile};
  operands.insert(operands.end(), extents.values.begin(), extents.values.end());
  return ir_val(
      emit(reader, node, OpKind::Reshape, std::move(operands), reader.types().tile(dtype, extents.shape), std::move(attrs)));
}

Val emit_permute(Reader& reader, NodeId node, ValueId tile, std::vector<uint32_t> axes, ir::Spelling spelling) {
  const Shape from = shape_of(reader, tile);
  Shape shape;
  for (const uint32_t axis : axes) shape.push_back(from[axis]);
  ir::Attrs attrs;
  attrs.rare.edit().axes = std::move(axes);
  attrs.spelling = spelling;
  return ir_val(
      emit(reader, node, OpKind::Permute, {tile}, reader.types().tile(own_dtype(reader, tile), shape), std::move(attrs)));
}

}  // namespace

Val read_reshape(Reader& reader, const Call& call) {
  const auto tile = tile_argument(reader, call);
  const Val& given = call.value("shape");
  const NodeId at = call.at("shape");
  if (!tile) return {};
  if (!given.is(ValKind::Tuple)) {
    return error_with(reader, at, "write `((a, b))`: one tuple", messages::wrong_kind, "the shape", "a tuple",
                      describe(reader, given));
  }
  if (!has_few_axes(reader, at, given.items->size())) return {};
  // One extent may be -1: what is left.
  const auto display = reader.tree().get_if<syntax::Tuple>(at);
  const Shape from = shape_of(reader, *tile);
  Extents extents;
  std::optional<size_t> open;
  for (size_t i = 0; i < given.items->size(); ++i) {
    const NodeId item_at = display && display->elts.size() == given.items->size() ? display->elts[i] : at;
    const Val item = materialise(reader, item_at, (*given.items)[i]);
    const bool minus_one = item.is(ValKind::Ir) && is_const(reader, item.value) &&
                           reader.arena().integer_of(type_of(reader, item.value).value) == -1;
    if (minus_one) {
      if (open)
        return error(reader, item_at, messages::bad_reshape, shape_text(reader, from), "a shape with two unknown extents");
      open = i;
      extents.values.push_back({});
      extents.shape.push_back(reader.arena().integer(1));
      continue;
    }
    const auto one = as_extent(reader, item_at, item);
    if (!one) return {};
    extents.values.push_back(*one);
    extents.shape.push_back(type_of(reader, *one).value);
  }
  if (open) {
    Product whole = product_of(reader, from);
    Product rest = product_of(reader, extents.shape);
    cancel(whole, rest);
    if (rest.symbols.empty() && rest.known != 0 && whole.known % rest.known == 0) {
      whole.known /= rest.known;
      extents.shape[*open] = expression(reader, whole);
    } else if (rest.symbols.empty() && whole.symbols.empty()) {
      return error(reader, at, messages::bad_reshape, shape_text(reader, from), std::string(reader.tree().text(at)));
    } else {
      extents.shape[*open] = reader.arena().make(sym::ExprKind::FloorDiv, {expression(reader, whole), expression(reader, rest)});
    }
    // As a constant of the program: the product of the tile's extents over the others.
    if (const auto known = reader.arena().integer_of(extents.shape[*open])) {
      extents.values[*open] = integer(reader, at, *known);
    } else {
      const auto combine = [&](OpKind op, sym::ExprKind kind, std::optional<ValueId> a, ValueId b) {
        if (!a) return b;
        const sym::ExprId value = reader.arena().make(kind, {type_of(reader, *a).value, type_of(reader, b).value});
        return emit(reader, at, op, {*a, b}, reader.types().constant(ir::LooseKind::Int, value));
      };
      std::optional<ValueId> all;
      for (uint32_t axis = 0; axis < from.size(); ++axis)
        all = combine(OpKind::Mul, sym::ExprKind::Mul, all, tile_dim(reader, at, *tile, axis));
      std::optional<ValueId> others;
      for (size_t i = 0; i < extents.values.size(); ++i) {
        if (i != *open) others = combine(OpKind::Mul, sym::ExprKind::Mul, others, extents.values[i]);
      }
      if (others) {
        extents.values[*open] = emit(reader, at, OpKind::FloorDiv, {*all, *others},
                                     reader.types().constant(ir::LooseKind::Int, extents.shape[*open]));
      } else {
        extents.values[*open] = *all;
      }
    }
  } else if (!same_size(reader, from, extents.shape)) {
    return error(reader, at, messages::bad_reshape, shape_text(reader, from), shape_text(reader, extents.shape));
  }
  return emit_reshape(reader, call.node, *tile, std::move(extents), method_spelling(call));
}

Val read_item(Reader& reader, const Call& call) {
  const auto tile = tile_argument(reader, call);
  if (!tile) return {};
  if (!same_size(reader, shape_of(reader, *tile), {})) {
    return error_with(reader, call.node, "take one element with `ct.extract`", messages::bad_reshape,
                      shape_text(reader, shape_of(reader, *tile)), "one element");
  }
  if (shape_of(reader, *tile).empty()) return ir_val(*tile);
  return emit_reshape(reader, call.node, *tile, {}, ir::Spelling::Item);
}

Val read_permute(Reader& reader, const Call& call) {
  const auto tile = tile_argument(reader, call);
  const Val& given = call.value("axes");
  const NodeId at = call.at("axes");
  if (!tile) return {};
  if (!given.is(ValKind::Tuple)) return error(reader, at, messages::wrong_kind, "the axes", "a tuple", describe(reader, given));
  const auto rank = static_cast<uint32_t>(shape_of(reader, *tile).size());
  if (given.items->size() != rank) {
    return error(reader, at, messages::rank_mismatch, "the permutation", static_cast<int64_t>(given.items->size()), "the tile",
                 static_cast<int64_t>(rank));
  }
  std::vector<uint32_t> axes;
  for (const Val& item : *given.items) {
    const auto axis = as_axis(reader, at, item, rank);
    if (!axis) return {};
    if (std::find(axes.begin(), axes.end(), *axis) != axes.end()) {
      return error(reader, at, messages::bad_axis, "axis " + std::to_string(*axis) + " stands twice in the permutation");
    }
    axes.push_back(*axis);
  }
  return emit_permute(reader, call.node, *tile, std::move(axes), method_spelling(call));
}

Val read_transpose(Reader& reader, const Call& call) {
  const auto tile = tile_argument(reader, call);
  if (!tile) return {};
  const auto rank = static_cast<uint32_t>(shape_of(reader, *tile).size());
  if (rank < 2)
    return error(reader, call.node, messages::bad_axis, "a tile of rank " + std::to_string(rank) + " cannot be transposed");
  std::vector<uint32_t> axes(rank);
  for (uint32_t i = 0; i < rank; ++i) axes[i] = i;
  const bool first = call.given("axis0");
  const bool second = call.given("axis1");
  if (first != second) return error(reader, call.node, messages::bad_axis, "`transpose` needs both axes or none");
  if (!first) {
    if (rank != 2)
      return error(reader, call.node, messages::bad_axis,
                   "a tile of rank " + std::to_string(rank) + " needs the axes that are swapped");
    return emit_permute(reader, call.node, *tile, {1, 0}, ir::Spelling::Transpose);
  }
  const auto a = as_axis(reader, call.at("axis0"), call.value("axis0"), rank);
  const auto b = as_axis(reader, call.at("axis1"), call.value("axis1"), rank);
  if (!a || !b) return {};
  std::swap(axes[*a], axes[*b]);
  return emit_permute(reader, call.node, *tile, std::move(axes), ir::Spelling::Transpose);
}

namespace {

Val emit_expand(Reader& reader, NodeId node, ValueId tile, std::vector<uint32_t> axes, ir::Spelling spelling) {
  Shape shape = shape_of(reader, tile);
  if (!has_few_axes(reader, node, shape.size() + axes.size())) return {};
  for (const uint32_t axis : axes) shape.insert(shape.begin() + axis, reader.arena().integer(1));
  ir::Attrs attrs;
  attrs.rare.edit().axes = std::move(axes);
  attrs.spelling = spelling;
  return ir_val(
      emit(reader, node, OpKind::ExpandDims, {tile}, reader.types().tile(own_dtype(reader, tile), shape), std::move(attrs)));
}

}  // namespace

Val read_expand_dims(Reader& reader, const Call& call) {
  const auto tile = tile_argument(reader, call);
  if (!tile) return {};
  const auto rank = static_cast<uint32_t>(shape_of(reader, *tile).size()) + 1;
  const auto axis = as_axis(reader, call.at("axis"), call.value("axis"), rank);
  if (!axis) return {};
  return emit_expand(reader, call.node, *tile, {*axis}, ir::Spelling::Usual);
}

Val read_new_axes(Reader& reader, NodeId node, ValueId given, const Val& key) {
  const ValueId tile = *as_tile(reader, node, ir_val(given), "the tile");
  const auto refuse = [&](std::string_view what) {
    return error_with(reader, node, "use `ct.extract` or `.item()`", messages::bad_subscript, what);
  };
  const std::vector<Val> parts = key.is(ValKind::Tuple) ? *key.items : std::vector<Val>{key};
  if (!key.is(ValKind::Tuple) && !key.is(ValKind::None)) return refuse("a tile cannot be indexed");
  const size_t rank = shape_of(reader, tile).size();
  const auto full =
      static_cast<size_t>(std::count_if(parts.begin(), parts.end(), [](const Val& part) { return part.is(ValKind::Slice); }));
  if (full > rank) return refuse("there are more `:` than the tile has axes");
  std::vector<uint32_t> axes;
  uint32_t position = 0;
  bool ellipsis = false;
  for (const Val& part : parts) {
    if (part.is(ValKind::None)) {
      axes.push_back(position++);
    } else if (part.is(ValKind::Slice)) {
      for (const Val& bound : *part.items) {
        if (!bound.is(ValKind::None)) return refuse("a tile cannot be sliced");
      }
      ++position;
    } else if (part.is(ValKind::Ellipsis)) {
      if (ellipsis) return refuse("there is more than one ellipsis");
      ellipsis = true;
      position += static_cast<uint32_t>(rank - full);
    } else {
      return refuse("a tile cannot be indexed");
    }
  }
  if (axes.empty()) return ir_val(tile);
  return emit_expand(reader, node, tile, std::move(axes), ir::Spelling::Newaxis);
}

Val read_broadcast_to(Reader& reader, const Call& call) {
  const auto tile = tile_argument(reader, call);
  const auto extents = as_shape(reader, call.at("shape"), call.value("shape"), IntForm::Refused);
  if (!tile || !extents) return {};
  if (!fits(reader, call.at("shape"), *tile, extents->shape)) return {};
  std::vector<ValueId> operands{*tile};
  operands.insert(operands.end(), extents->values.begin(), extents->values.end());
  return ir_val(emit(reader, call.node, OpKind::Broadcast, std::move(operands),
                     reader.types().tile(own_dtype(reader, *tile), extents->shape)));
}

Val read_cat(Reader& reader, const Call& call) {
  const Val& given = call.value("tiles");
  const NodeId at = call.at("tiles");
  if (!given.is(ValKind::Tuple)) return error(reader, at, messages::wrong_kind, "the tiles", "a tuple", describe(reader, given));
  if (given.items->empty() || given.items->size() > 2) {
    return error(reader, at, messages::bad_cat, "`cat` takes one or two tiles, not " + std::to_string(given.items->size()));
  }
  std::vector<ValueId> tiles;
  for (const Val& item : *given.items) {
    const auto tile = as_tile(reader, at, item, "a tile of `cat`");
    if (!tile) return {};
    tiles.push_back(*tile);
  }
  const ir::DtypeId dtype = own_dtype(reader, tiles[0]);
  Shape shape = shape_of(reader, tiles[0]);
  const auto axis = as_axis(reader, call.at("axis"), call.value("axis"), static_cast<uint32_t>(shape.size()));
  if (!axis) return {};
  if (tiles.size() == 1) return ir_val(tiles[0]);
  const ir::DtypeId other = own_dtype(reader, tiles[1]);
  if (dtype != other && reader.types().scalar_of(dtype) && reader.types().scalar_of(other)) {
    return error(reader, at, messages::bad_cat,
                 "the tiles have different dtypes: " + dtype_text(reader, dtype) + " and " + dtype_text(reader, other));
  }
  const Shape second = shape_of(reader, tiles[1]);
  bool fitting = shape.size() == second.size();
  for (size_t i = 0; fitting && i < shape.size(); ++i) fitting = i == *axis || same_extent(reader, shape[i], second[i]);
  if (!fitting) {
    return error(reader, at, messages::bad_cat,
                 "shapes " + shape_text(reader, shape) + " and " + shape_text(reader, second) + " differ beside the axis");
  }
  shape[*axis] = reader.arena().make(sym::ExprKind::Add, {shape[*axis], second[*axis]});
  if (const auto known = reader.arena().integer_of(shape[*axis]); known && (*known & (*known - 1)) != 0) {
    return error(reader, call.node, messages::bad_extent, std::to_string(*known), "a power of two");
  }
  // Two open dtypes: every launch that cuTile accepts has the same in both.
  tiles[1] = implicit_cast(reader, call.node, tiles[1], dtype);
  ir::Attrs attrs;
  attrs.axis = *axis;
  return ir_val(emit(reader, call.node, OpKind::Cat, std::move(tiles), reader.types().tile(dtype, shape), std::move(attrs)));
}

Val read_extract(Reader& reader, const Call& call) {
  const auto tile = tile_argument(reader, call);
  auto extents = as_shape(reader, call.at("shape"), call.value("shape"), IntForm::Allowed);
  if (!tile || !extents) return {};
  const Shape from = shape_of(reader, *tile);
  const Shape shape = extents->shape;
  const Val& given = call.value("index");
  const NodeId at = call.at("index");
  const std::vector<Val> items = given.is(ValKind::Tuple) ? *given.items : std::vector<Val>{given};
  const auto rank = static_cast<int64_t>(from.size());
  if (static_cast<int64_t>(items.size()) != rank)
    return error(reader, at, messages::rank_mismatch, "the index", static_cast<int64_t>(items.size()), "the tile", rank);
  if (shape.empty()) {
    for (int64_t i = 0; i < rank; ++i) {
      extents->values.push_back(integer(reader, call.at("shape"), 1));
      extents->shape.push_back(reader.arena().integer(1));
    }
  }
  if (static_cast<int64_t>(extents->shape.size()) != rank) {
    return error(reader, call.at("shape"), messages::rank_mismatch, "the shape", static_cast<int64_t>(extents->shape.size()),
                 "the tile", rank);
  }
  std::vector<ValueId> operands{*tile};
  for (size_t i = 0; i < items.size(); ++i) {
    const auto index = as_signed_scalar(reader, at, items[i], "the index");
    if (!index) return {};
    const auto whole = reader.arena().integer_of(from[i]);
    const auto part = reader.arena().integer_of(extents->shape[i]);
    if (whole && part && *whole % *part != 0) {
      return error(reader, call.at("shape"), messages::bad_extract,
                   "extent " + std::to_string(*part) + " does not divide " + std::to_string(*whole));
    }
    const auto known = is_const(reader, *index) ? reader.arena().integer_of(type_of(reader, *index).value) : std::nullopt;
    if (known && (*known < 0 || (whole && part && *known >= *whole / *part))) {
      return error(reader, at, messages::bad_extract, "index " + std::to_string(*known) + " is outside of the tile");
    }
    operands.push_back(*index);
  }
  operands.insert(operands.end(), extents->values.begin(), extents->values.end());
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(rank);
  return ir_val(emit(reader, call.node, OpKind::Extract, std::move(operands),
                     reader.types().tile(own_dtype(reader, *tile), shape), std::move(attrs)));
}

Val read_len(Reader& reader, const Call& call) {
  const NodeId at = call.at("x");
  const Val& x = call.value("x");
  if (x.is(ValKind::Tuple)) {
    if (x.value.valid() && type_of(reader, x.value).rank == ir::unknown_rank) {
      return rank_unsaid(reader, at, x.value, "the shape of an array whose rank nothing else says");
    }
    return ir_val(integer(reader, call.node, static_cast<int64_t>(x.items->size())));
  }
  std::optional<ValueId> list;
  if (x.is(ValKind::Parameter))
    list = as_array_list(reader, at, x);
  else if (x.is(ValKind::Ir) && type_of(reader, x.value).kind == ir::TypeKind::ArrayList)
    list = x.value;
  if (!list)
    return x.is(ValKind::Parameter) ? Val{}
                                    : error(reader, at, messages::wrong_kind, "the argument of `len`",
                                            "a tuple or a list of arrays", describe(reader, x));
  return ir_val(emit(reader, call.node, OpKind::ListLen, {*list}, int32_type(reader)));
}

Val read_tuple(Reader& reader, const Call& call) {
  const Val& x = call.value("x");
  if (x.is(ValKind::Tuple)) return x;
  return error(reader, call.at("x"), messages::wrong_kind, "the argument of `tuple`", "a tuple", describe(reader, x));
}

}  // namespace tilewright::front::cutile
