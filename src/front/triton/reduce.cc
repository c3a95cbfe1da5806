// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions, scans, sorting and products.

#include <algorithm>

#include "front/triton/builtins.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::ScalarClass;
using ir::ValueId;

namespace {

std::optional<ValueId> operand(Reader& reader, const Call& call) {
  const BoundArgument& first = call.arguments[0];
  const auto value = as_number(reader, first.node, *first.value, "the operand of `tl." + std::string(call.builtin->name) + "`");
  return value ? std::optional(as_tensor(reader, first.node, *value)) : std::nullopt;
}

// The axis, or none for all of the tile. False after an error.
bool read_axis(Reader& reader, const Call& call, ValueId x, std::optional<uint32_t>& axis) {
  if (!call.given("axis")) return true;
  axis = as_axis(reader, call.at("axis"), call.value("axis"), static_cast<uint32_t>(shape_of(reader, x).size()));
  return axis.has_value();
}

// An index along the axis, or into the tile.
ValueId index_of(Reader& reader, NodeId node, ValueId x, ir::Reduction reduction, std::optional<uint32_t> axis, bool keep_dims) {
  const ir::Type type = type_of(reader, x);
  ir::Attrs attrs;
  attrs.rare.edit().reduction = reduction;
  attrs.all_axes = !axis;
  if (axis) attrs.rare.edit().axes = {*axis};
  attrs.keep_dims = keep_dims;
  Shape shape;
  for (uint32_t i = 0; i < type.shape.size(); ++i) {
    const bool gone = !axis || *axis == i;
    if (!gone) shape.push_back(type.shape[i]);
    if (gone && keep_dims) shape.push_back(reader.arena().integer(1));
  }
  const ir::TypeId made = reader.types().tile(reader.types().known(ir::Scalar::I32), shape);
  return emit(reader, node, OpKind::Reduce, {x}, made, std::move(attrs));
}

}  // namespace

ValueId reduced(Reader& reader, NodeId node, ValueId x, ir::Reduction reduction, std::optional<uint32_t> axis, bool keep_dims) {
  const ir::Type type = type_of(reader, x);
  ir::Attrs attrs;
  attrs.rare.edit().reduction = reduction;
  attrs.all_axes = !axis;
  if (axis) attrs.rare.edit().axes = {*axis};
  attrs.keep_dims = keep_dims;
  // Each step is rounded to the dtype of the tile.
  if (reduction == ir::Reduction::Sum || reduction == ir::Reduction::Prod) attrs.rare.edit().accumulator = type.dtype;
  Shape shape;
  for (uint32_t i = 0; i < type.shape.size(); ++i) {
    const bool gone = !axis || *axis == i;
    if (!gone) shape.push_back(type.shape[i]);
    if (gone && keep_dims) shape.push_back(reader.arena().integer(1));
  }
  return emit(reader, node, OpKind::Reduce, {x}, reader.types().tile(type.dtype, shape), std::move(attrs));
}

Val read_sum(Reader& reader, const Call& call) {
  auto x = operand(reader, call);
  if (!x) return {};
  std::optional<uint32_t> axis;
  const auto keep = as_flag(reader, call, "keep_dims", false);
  if (!keep || !read_axis(reader, call, *x, axis)) return {};
  ir::DtypeId dtype = reader.types().widened(dtype_of(reader, *x), ir::Widening::Sum);
  if (call.given("dtype")) {
    const auto given = dtype_argument(reader, call.at("dtype"), call.value("dtype"), "the dtype");
    if (!given) return {};
    dtype = *given;
  }
  return ir_val(reduced(reader, call.node, converted(reader, call.node, *x, dtype), ir::Reduction::Sum, axis, *keep));
}

Val read_extreme(Reader& reader, const Call& call) {
  auto x = operand(reader, call);
  if (!x) return {};
  std::optional<uint32_t> axis;
  const auto keep = as_flag(reader, call, "keep_dims", false);
  const auto indices = as_flag(reader, call, "return_indices", false);
  if (!keep || !indices || !read_axis(reader, call, *x, axis)) return {};
  const auto reduction = static_cast<ir::Reduction>(call.builtin->variant);
  const ir::Widening widening = *indices ? ir::Widening::Bfloats : ir::Widening::Extreme;
  const ValueId wide = converted(reader, call.node, *x, reader.types().widened(dtype_of(reader, *x), widening));
  const ValueId value = reduced(reader, call.node, wide, reduction, axis, *keep);
  if (!*indices) return ir_val(value);
  const ir::Reduction of_index = reduction == ir::Reduction::Max ? ir::Reduction::ArgMax : ir::Reduction::ArgMin;
  return tuple_val({ir_val(value), ir_val(index_of(reader, call.node, wide, of_index, axis, *keep))});
}

Val read_argument_of_extreme(Reader& reader, const Call& call) {
  auto x = operand(reader, call);
  if (!x) return {};
  std::optional<uint32_t> axis;
  const auto keep = as_flag(reader, call, "keep_dims", false);
  if (!keep || !read_axis(reader, call, *x, axis)) return {};
  const ValueId wide = converted(reader, call.node, *x, reader.types().widened(dtype_of(reader, *x), ir::Widening::Bfloats));
  return ir_val(index_of(reader, call.node, wide, static_cast<ir::Reduction>(call.builtin->variant), axis, *keep));
}

Val read_bit_reduction(Reader& reader, const Call& call) {
  auto x = operand(reader, call);
  if (!x) return {};
  std::optional<uint32_t> axis;
  const auto keep = as_flag(reader, call, "keep_dims", false);
  if (!keep || !read_axis(reader, call, *x, axis)) return {};
  if (class_of(reader, *x) == ScalarClass::Float)
    return error(reader, call.node, messages::wrong_dtype, call.builtin->name, "integers", describe(reader, ir_val(*x)));
  return ir_val(reduced(reader, call.node, *x, static_cast<ir::Reduction>(call.builtin->variant), axis, *keep));
}

Val read_cumulative(Reader& reader, const Call& call) {
  auto x = operand(reader, call);
  if (!x) return {};
  std::optional<uint32_t> axis;
  const auto reverse = as_flag(reader, call, "reverse", false);
  if (!reverse || !read_axis(reader, call, *x, axis)) return {};
  ir::DtypeId dtype = reader.types().widened(dtype_of(reader, *x), ir::Widening::Bfloats);
  const auto reduction = static_cast<ir::Reduction>(call.builtin->variant);
  if (reduction == ir::Reduction::Sum) {
    dtype = reader.types().widened(dtype, ir::Widening::Sum);
    if (call.given("dtype")) {
      const auto given = dtype_argument(reader, call.at("dtype"), call.value("dtype"), "the dtype");
      if (!given) return {};
      dtype = *given;
    }
  }
  const ValueId wide = converted(reader, call.node, *x, dtype);
  ir::Attrs attrs;
  attrs.rare.edit().reduction = reduction;
  attrs.axis = axis.value_or(0);
  attrs.reverse = *reverse;
  attrs.rare.edit().accumulator = dtype;
  return ir_val(emit(reader, call.node, OpKind::Scan, {wide}, type_id(reader, wide), std::move(attrs)));
}

namespace {

// The tiles that a function is applied to, one or a tuple of them.
std::optional<std::vector<ValueId>> tiles_of(Reader& reader, NodeId node, const Val& val) {
  std::vector<ValueId> tiles;
  for (const Val& item : items_of(val)) {
    const auto value = as_number(reader, node, item, "an operand");
    if (!value) return std::nullopt;
    tiles.push_back(as_tensor(reader, node, *value));
  }
  return tiles;
}

// The instance of the function for elements of the tiles, each as often as `times` says.
std::optional<ir::FunctionId> function_of_elements(Reader& reader, const Call& call, std::string_view name,
                                                   const std::vector<ValueId>& tiles, int times) {
  const Val& function = call.value(name);
  if (!function.is(ValKind::Function)) {
    error(reader, call.at(name), messages::wrong_kind, "`" + std::string(name) + "`", "a jitted function",
          describe(reader, function));
    return std::nullopt;
  }
  std::vector<Argument> given;
  for (int i = 0; i < times; ++i) {
    for (const ValueId tile : tiles) {
      const ir::TypeId element = reader.types().tile(dtype_of(reader, tile), {});
      given.push_back({{}, ir_val(reader.program.values.add({.type = element, .definition = {}, .name = {}})), call.at(name)});
    }
  }
  std::vector<Val> arguments;
  const auto instance = instance_of(reader, call.node, function, given, arguments);
  return instance ? std::optional(instance->function) : std::nullopt;
}

Val results_of(const Reader& reader, ir::OpId op, const Val& operand) {
  std::vector<Val> items;
  for (const ValueId result : reader.program.ops[op].results) items.push_back(ir_val(result));
  return operand.is(ValKind::Tuple) ? tuple_val(std::move(items)) : items[0];
}

}  // namespace

Val read_reduce_by(Reader& reader, const Call& call) {
  const auto tiles = tiles_of(reader, call.at("input"), call.value("input"));
  if (!tiles || tiles->empty()) return {};
  std::optional<uint32_t> axis;
  const auto keep = as_flag(reader, call, "keep_dims", false);
  if (!keep || !read_axis(reader, call, tiles->front(), axis)) return {};
  const auto function = function_of_elements(reader, call, "combine_fn", *tiles, 2);
  if (!function) return {};
  ir::Attrs attrs;
  attrs.rare.edit().function = *function;
  attrs.all_axes = !axis;
  attrs.axis = axis.value_or(0);
  attrs.keep_dims = *keep;
  std::vector<ir::TypeId> types;
  for (const ValueId tile : *tiles) {
    const ir::Type type = type_of(reader, tile);
    Shape shape;
    for (uint32_t i = 0; i < type.shape.size(); ++i) {
      const bool gone = !axis || *axis == i;
      if (!gone) shape.push_back(type.shape[i]);
      if (gone && *keep) shape.push_back(reader.arena().integer(1));
    }
    types.push_back(reader.types().tile(type.dtype, shape));
  }
  const ir::OpId op = emit_op(reader, call.node, OpKind::ReduceBy, *tiles, types, std::move(attrs));
  return results_of(reader, op, call.value("input"));
}

Val read_scan_by(Reader& reader, const Call& call) {
  const auto tiles = tiles_of(reader, call.at("input"), call.value("input"));
  if (!tiles || tiles->empty()) return {};
  std::optional<uint32_t> axis;
  const auto reverse = as_flag(reader, call, "reverse", false);
  if (!reverse || !read_axis(reader, call, tiles->front(), axis)) return {};
  const auto function = function_of_elements(reader, call, "combine_fn", *tiles, 2);
  if (!function) return {};
  ir::Attrs attrs;
  attrs.rare.edit().function = *function;
  attrs.axis = axis.value_or(0);
  attrs.reverse = *reverse;
  std::vector<ir::TypeId> types;
  for (const ValueId tile : *tiles) types.push_back(type_id(reader, tile));
  const ir::OpId op = emit_op(reader, call.node, OpKind::ScanBy, *tiles, types, std::move(attrs));
  return results_of(reader, op, call.value("input"));
}

Val read_map_by(Reader& reader, const Call& call) {
  const auto tiles = tiles_of(reader, call.at("args"), call.value("args"));
  if (!tiles || tiles->empty()) return {};
  Shape shape;
  for (const ValueId tile : *tiles) {
    const auto both = broadcast(reader, call.node, shape, shape_of(reader, tile));
    if (!both) return {};
    shape = *both;
  }
  const auto function = function_of_elements(reader, call, "scalar_fn", *tiles, 1);
  if (!function) return {};
  ir::Attrs attrs;
  attrs.rare.edit().function = *function;
  std::vector<ir::TypeId> types;
  for (const ir::TypeId result : reader.program.functions[*function].results)
    types.push_back(reader.types().tile(own_dtype(reader, result), shape));
  const bool one = types.size() == 1;
  const ir::OpId op = emit_op(reader, call.node, OpKind::MapBy, *tiles, types, std::move(attrs));
  return results_of(reader, op, one ? Val{} : tuple_val({}));
}

Val read_sort(Reader& reader, const Call& call) {
  auto x = operand(reader, call);
  if (!x) return {};
  const ir::Type type = type_of(reader, *x);
  const bool top = call.builtin->op == OpKind::TopK;
  const auto rank = static_cast<uint32_t>(type.shape.size());
  if (rank == 0) return error(reader, call.node, messages::bad_shape, "a scalar cannot be sorted");
  ir::Attrs attrs;
  attrs.axis = rank - 1;
  if (call.given("dim")) {
    const auto axis = as_axis(reader, call.at("dim"), call.value("dim"), rank);
    if (!axis) return {};
    if (*axis != rank - 1) return error(reader, call.at("dim"), messages::bad_axis, "only the last axis can be sorted");
  }
  if (top) {
    const auto extent = as_extent(reader, call.at("k"), call.value("k"));
    if (!extent) return {};
    const ValueId wide = converted(reader, call.node, *x, reader.types().widened(type.dtype, ir::Widening::Extreme));
    Shape shape = type.shape;
    shape.back() = type_of(reader, *extent).value;
    attrs.reverse = true;
    const ir::TypeId made = reader.types().tile(dtype_of(reader, wide), shape);
    return ir_val(emit(reader, call.node, OpKind::TopK, {wide, *extent}, made, std::move(attrs)));
  }
  const auto descending = as_flag(reader, call, "descending", false);
  if (!descending) return {};
  attrs.reverse = *descending;
  return ir_val(emit(reader, call.node, OpKind::Sort, {*x}, type_id(reader, *x), std::move(attrs)));
}

Val read_histogram(Reader& reader, const Call& call) {
  auto x = operand(reader, call);
  const auto bins = as_extent(reader, call.at("num_bins"), call.value("num_bins"));
  if (!x || !bins) return {};
  std::vector<ValueId> operands{*x, *bins};
  ir::Attrs attrs;
  if (call.given("mask")) {
    const auto mask = as_mask(reader, call.at("mask"), call.value("mask"));
    if (!mask) return {};
    operands.push_back(*mask);
    attrs.has_mask = true;
  }
  const ir::TypeId type = reader.types().tile(reader.types().known(ir::Scalar::I32), {type_of(reader, *bins).value});
  return ir_val(emit(reader, call.node, OpKind::Histogram, std::move(operands), type, std::move(attrs)));
}

namespace {

// float32 factors are tfloat32 where nothing else is said.
std::optional<ir::Precision> read_precision(Reader& reader, const Call& call) {
  const auto word = as_string(reader, call, "input_precision");
  if (!word) return std::nullopt;
  if (word->empty()) {
    if (!call.given("allow_tf32")) return ir::Precision::Tf32;
    const auto allowed = as_flag(reader, call, "allow_tf32", true);
    if (!allowed) return std::nullopt;
    return *allowed ? ir::Precision::Tf32 : ir::Precision::Full;
  }
  static constexpr std::pair<std::string_view, ir::Precision> words[] = {{"tf32", ir::Precision::Tf32},
                                                                         {"tf32x3", ir::Precision::Tf32x3},
                                                                         {"ieee", ir::Precision::Full},
                                                                         {"bf16x3", ir::Precision::Bf16x3},
                                                                         {"bf16x6", ir::Precision::Bf16x6}};
  for (const auto& [name, precision] : words) {
    if (name == *word) return precision;
  }
  error(reader, call.at("input_precision"), messages::bad_option, "input_precision", "one that Triton has", "\"" + *word + "\"");
  return std::nullopt;
}

}  // namespace

Val read_dot(Reader& reader, const Call& call) {
  const auto x = tensor_argument(reader, call, "input");
  const auto y = tensor_argument(reader, call, "other");
  if (!x || !y) return {};
  const ir::Type a = type_of(reader, *x);
  const ir::Type b = type_of(reader, *y);
  if (a.shape.size() < 2 || a.shape.size() != b.shape.size())
    return error(
        reader, call.node, messages::bad_product,
        "tiles of shapes " + shape_text(reader, a.shape) + " and " + shape_text(reader, b.shape) + " cannot be multiplied");
  const size_t rank = a.shape.size();
  if (!same_extent(reader, a.shape[rank - 1], b.shape[rank - 2]))
    return error(
        reader, call.node, messages::bad_product,
        "tiles of shapes " + shape_text(reader, a.shape) + " and " + shape_text(reader, b.shape) + " cannot be multiplied");
  const auto known_a = reader.types().scalar_of(a.dtype);
  const auto known_b = reader.types().scalar_of(b.dtype);
  const auto is_float8 = [](auto s) { return s == ir::Scalar::F8E4M3 || s == ir::Scalar::F8E5M2; };
  if (known_a && known_b && *known_a != *known_b && !(is_float8(known_a) && is_float8(known_b)))
    return error(reader, call.node, messages::bad_product,
                 std::string("a ") + ir::name_of(*known_a) + " tile is multiplied by a " + ir::name_of(*known_b) + " one");
  const auto precision = read_precision(reader, call);
  if (!precision) return {};
  ir::Attrs attrs;
  attrs.rare.edit().precision = *precision;
  if (call.given("max_num_imprecise_acc"))
    attrs.rare.edit().hint = "max_num_imprecise_acc=" + std::string(reader.tree().text(call.at("max_num_imprecise_acc")));
  // In float32, but float64 and int8 have sums of their own and float16 may be summed in float16.
  ir::DtypeId dtype = reader.types().widened(a.dtype, ir::Widening::Extreme);
  if (call.given("out_dtype")) {
    const auto given = dtype_argument(reader, call.at("out_dtype"), call.value("out_dtype"), "`out_dtype`");
    if (!given) return {};
    const bool halves = known_a == ir::Scalar::F16 || is_float8(known_a);
    const bool fixed = known_a && !halves;
    if (!fixed) dtype = *given;
  }
  std::vector<ValueId> operands{*x, *y};
  Shape shape(a.shape.begin(), a.shape.end() - 1);
  shape.push_back(b.shape.back());
  if (call.given("acc")) {
    const auto acc = as_number(reader, call.at("acc"), call.value("acc"), "`acc`");
    if (!acc) return {};
    if (!is_const(reader, *acc)) {
      const ir::Type sum = type_of(reader, *acc);
      const bool fits = sum.shape.size() == shape.size() &&
                        std::equal(shape.begin(), shape.end(), sum.shape.begin(),
                                   [&](sym::ExprId one, sym::ExprId other) { return same_extent(reader, one, other); });
      if (!fits)
        return error(
            reader, call.at("acc"), messages::bad_product,
            "the accumulator has shape " + shape_text(reader, sum.shape) + " and the product " + shape_text(reader, shape));
      operands.push_back(*acc);
      dtype = sum.dtype;
      shape = sum.shape;
    } else if (reader.arena().integer_of(type_of(reader, *acc).value) != 0) {
      return error(reader, call.at("acc"), messages::wrong_kind, "`acc`", "a tile", describe(reader, ir_val(*acc)));
    }
  }
  return ir_val(emit(reader, call.node, OpKind::Dot, std::move(operands), reader.types().tile(dtype, shape), std::move(attrs)));
}

}  // namespace tilewright::front::triton
