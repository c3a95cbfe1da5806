// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/triton/windows.h"

#include <algorithm>

#include "front/triton/builtins.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::TypeKind;
using ir::ValueId;

namespace {

// Integers, plain or of the program, as many as the rank says.
std::optional<std::vector<ValueId>> as_integers(Reader& reader, NodeId node, const Val& val, size_t rank, std::string_view what) {
  const std::vector<Val> items = items_of(val);
  if (rank != 0 && items.size() != rank) {
    error(reader, node, messages::bad_shape,
          std::string(what) + " has " + std::to_string(items.size()) + " items, and not " + std::to_string(rank));
    return std::nullopt;
  }
  std::vector<ValueId> values;
  for (const Val& item : items) {
    const auto value = as_scalar(reader, node, item, what);
    if (!value) return std::nullopt;
    if (is_const(reader, *value))
      learn_constant(reader, type_of(reader, *value).value, ir::LooseKind::Int);
    else
      learn_number(reader, dtype_of(reader, *value));
    const auto kind = class_of(reader, *value);
    if (kind == ir::ScalarClass::Float || is_pointer(reader, *value)) {
      error(reader, node, messages::wrong_kind, what, "integers", describe(reader, ir_val(*value)));
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

std::optional<ir::Padding> as_padding(Reader& reader, const Call& call, ir::Padding fallback) {
  if (!call.given("padding_option")) return fallback;
  const auto word = as_string(reader, call, "padding_option");
  if (!word) return std::nullopt;
  if (word->empty()) return fallback;
  if (*word == "zero") return ir::Padding::Zero;
  if (*word == "nan") return ir::Padding::Nan;
  error(reader, call.at("padding_option"), messages::bad_option, "padding_option", "`zero` or `nan`", "\"" + *word + "\"");
  return std::nullopt;
}

// The descriptor that a call is of; a parameter is learned to be one of this rank.
std::optional<ValueId> as_descriptor(Reader& reader, const Call& call, size_t rank) {
  const Val& val = call.value("desc");
  if (val.is(ValKind::Parameter)) {
    Knowledge& known = reader.knowledge[val.index];
    if (known.kind == Knowledge::Kind::Unknown || known.rank == ir::unknown_rank) {
      if (rank == 0) {
        error(reader, call.at("desc"), messages::bad_shape, "nothing says the rank of this descriptor");
        return std::nullopt;
      }
      if (!has_few_axes(reader, call.node, rank)) return std::nullopt;
      known.kind = Knowledge::Kind::Window;
      known.rank = static_cast<uint32_t>(rank);
      reader.learned = true;
      return std::nullopt;
    }
  }
  const auto window = window_of(reader, call.at("desc"), val);
  if (!window)
    error(reader, call.at("desc"), messages::wrong_kind, "the descriptor", "a tensor descriptor", describe(reader, val));
  if (window && rank != 0 && type_of(reader, *window).shape.size() != rank) {
    error(reader, call.node, messages::bad_shape,
          "a descriptor of rank " + std::to_string(type_of(reader, *window).shape.size()) + " has " + std::to_string(rank) +
              " offsets");
    return std::nullopt;
  }
  return window;
}

std::optional<std::vector<uint32_t>> tested_axes(Reader& reader, const Call& call, ValueId window) {
  if (!call.given("boundary_check")) return std::vector<uint32_t>{};
  auto axes = as_axes(reader, call.at("boundary_check"), call.value("boundary_check"),
                      static_cast<uint32_t>(type_of(reader, window).shape.size()));
  if (axes) std::sort(axes->begin(), axes->end());
  return axes;
}

std::optional<ValueId> stored_value(Reader& reader, NodeId node, const Val& val, ValueId window) {
  const auto value = as_number(reader, node, val, "what is stored");
  if (!value) return std::nullopt;
  const ir::Type type = type_of(reader, window);
  const ValueId made =
      is_const(reader, *value) ? as_tensor(reader, node, *value, type.dtype) : converted(reader, node, *value, type.dtype);
  return made;
}

// An extent as a constant of the program: calculated from the kernel's constants, or what the launch passes.
ValueId extent_value(Reader& reader, NodeId node, sym::ExprId extent) {
  if (const auto made = constant_value(reader, node, extent)) return *made;
  ir::Attrs attrs;
  attrs.rare.edit().name = reader.arena().text(extent);
  return emit(reader, node, OpKind::Symbol, {}, reader.types().constant(ir::LooseKind::Int, extent), std::move(attrs));
}

Val make_window(Reader& reader, const Call& call, ValueId base, const std::vector<ValueId>& dims,
                const std::vector<ValueId>& strides, const std::vector<ValueId>& starts, const Extents& extents,
                ir::Attrs attrs) {
  std::vector<ValueId> operands{base};
  for (const auto* part : {&dims, &strides, &starts, &extents.values})
    operands.insert(operands.end(), part->begin(), part->end());
  attrs.rank = static_cast<uint32_t>(dims.size());
  const ir::DtypeId dtype = reader.types()[type_of(reader, base).dtype].a;
  const ir::TypeId type = reader.types().window(dtype, extents.shape);
  return ir_val(emit(reader, call.node, OpKind::MakeWindow, std::move(operands), type, std::move(attrs)));
}

}  // namespace

std::optional<ValueId> window_of(Reader& reader, NodeId node, const Val& given) {
  const Val val = materialise(reader, node, given);
  if (val.is(ValKind::Ir) && type_of(reader, val.value).kind == TypeKind::Window) return val.value;
  return std::nullopt;
}

Val window_attribute(Reader& reader, NodeId node, ValueId window, std::string_view name) {
  const ir::Type type = type_of(reader, window);
  if (name == "shape" || name == "strides") {
    const bool dims = name == "shape";
    std::vector<Val> items;
    for (uint32_t axis = 0; axis < type.shape.size(); ++axis) {
      ir::Attrs attrs;
      attrs.axis = axis;
      const ir::TypeId scalar = scalar_type(reader, dims ? ir::Scalar::I32 : ir::Scalar::I64);
      items.push_back(
          ir_val(emit(reader, node, dims ? OpKind::WindowDim : OpKind::WindowStride, {window}, scalar, std::move(attrs))));
    }
    return tuple_val(std::move(items));
  }
  if (name == "block_shape") {
    std::vector<Val> items;
    for (const sym::ExprId extent : type.shape) items.push_back(ir_val(extent_value(reader, node, extent)));
    return tuple_val(std::move(items));
  }
  if (name == "dtype" || name == "type" || name == "block_type") {
    Val val{.kind = ValKind::Dtype};
    val.dtype = type.dtype;
    return materialise(reader, node, val);
  }
  if (const Builtin* builtin = find_builtin(BuiltinSet::ViewMethod, name)) {
    return {.kind = ValKind::Method,
            .builtin = builtin,
            .items = std::make_shared<const std::vector<Val>>(std::vector<Val>{ir_val(window)})};
  }
  return error(reader, node, messages::no_attribute, "a descriptor", name);
}

Val load_block(Reader& reader, const Call& call, ValueId window, ir::Attrs attrs) {
  if (call.given("mask") || call.given("other"))
    return error(reader, call.node, messages::bad_mask, "a block pointer", "loaded without `mask` and `other`");
  const auto axes = tested_axes(reader, call, window);
  const auto padding = as_padding(reader, call, ir::Padding::Undetermined);
  if (!axes || !padding) return {};
  attrs.rare.edit().axes = *axes;
  attrs.padding = *padding;
  attrs.spelling = ir::Spelling::BlockPointer;
  const ir::Type type = type_of(reader, window);
  return ir_val(
      emit(reader, call.node, OpKind::WindowLoad, {window}, reader.types().tile(type.dtype, type.shape), std::move(attrs)));
}

Val store_block(Reader& reader, const Call& call, ValueId window, ir::Attrs attrs) {
  if (call.given("mask")) return error(reader, call.node, messages::bad_mask, "a block pointer", "stored to without `mask`");
  const auto axes = tested_axes(reader, call, window);
  const auto value = stored_value(reader, call.at("value"), call.value("value"), window);
  if (!axes || !value) return {};
  attrs.rare.edit().axes = *axes;
  attrs.spelling = ir::Spelling::BlockPointer;
  emit_op(reader, call.node, OpKind::WindowStore, {window, *value}, {}, std::move(attrs));
  return none_val();
}

Val read_make_block_ptr(Reader& reader, const Call& call) {
  const auto base = as_pointer(reader, call.at("base"), call.value("base"), "the base of a block pointer");
  const auto extents = as_shape(reader, call.at("block_shape"), call.value("block_shape"), IntForm::Allowed);
  if (!base || !extents) return {};
  const size_t rank = extents->values.size();
  const auto dims = as_integers(reader, call.at("shape"), call.value("shape"), rank, "`shape`");
  const auto strides = as_integers(reader, call.at("strides"), call.value("strides"), rank, "`strides`");
  const auto starts = as_integers(reader, call.at("offsets"), call.value("offsets"), rank, "`offsets`");
  const auto order = as_axes(reader, call.at("order"), call.value("order"), static_cast<uint32_t>(rank));
  if (!dims || !strides || !starts || !order) return {};
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::BlockPointer;
  std::string hint;
  for (const uint32_t axis : *order) hint.append(hint.empty() ? "order=" : ", ").append(std::to_string(axis));
  attrs.rare.edit().hint = std::move(hint);
  return make_window(reader, call, *base, *dims, *strides, *starts, *extents, std::move(attrs));
}

Val read_advance(Reader& reader, const Call& call) {
  const auto window = window_of(reader, call.at("base"), call.value("base"));
  if (!window)
    return call.value("base").poison() ? Val{}
                                       : error(reader, call.at("base"), messages::wrong_kind, "the base", "a block pointer",
                                               describe(reader, call.value("base")));
  const size_t rank = type_of(reader, *window).shape.size();
  const auto offsets = as_integers(reader, call.at("offsets"), call.value("offsets"), rank, "`offsets`");
  if (!offsets) return {};
  std::vector<ValueId> operands{*window};
  operands.insert(operands.end(), offsets->begin(), offsets->end());
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(rank);
  return ir_val(emit(reader, call.node, OpKind::WindowMove, std::move(operands), type_id(reader, *window), std::move(attrs)));
}

Val read_make_descriptor(Reader& reader, const Call& call) {
  const auto base = as_pointer(reader, call.at("base"), call.value("base"), "the base of a descriptor");
  const auto extents = as_shape(reader, call.at("block_shape"), call.value("block_shape"), IntForm::Refused);
  if (!base || !extents) return {};
  const size_t rank = extents->values.size();
  const auto dims = as_integers(reader, call.at("shape"), call.value("shape"), rank, "`shape`");
  const auto strides = as_integers(reader, call.at("strides"), call.value("strides"), rank, "`strides`");
  ir::Attrs attrs;
  attrs.padding = ir::Padding::Zero;
  if (call.builtin->signature.find("padding_option") != std::string_view::npos) {
    const auto padding = as_padding(reader, call, ir::Padding::Zero);
    if (!padding) return {};
    attrs.padding = *padding;
  }
  if (!dims || !strides) return {};
  const std::vector<ValueId> starts(rank, integer(reader, call.node, 0));
  return make_window(reader, call, *base, *dims, *strides, starts, *extents, std::move(attrs));
}

Val read_descriptor_load(Reader& reader, const Call& call) {
  const size_t rank = items_of(call.value("offsets")).size();
  const auto window = as_descriptor(reader, call, rank);
  if (!window) return {};
  const auto offsets = as_integers(reader, call.at("offsets"), call.value("offsets"), rank, "`offsets`");
  if (!offsets) return {};
  std::vector<ValueId> operands{*window};
  operands.insert(operands.end(), offsets->begin(), offsets->end());
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(rank);
  attrs.all_axes = true;
  const ir::Type type = type_of(reader, *window);
  return ir_val(emit(reader, call.node, OpKind::WindowLoad, std::move(operands), reader.types().tile(type.dtype, type.shape),
                     std::move(attrs)));
}

namespace {

Val write(Reader& reader, const Call& call, OpKind kind, ir::Attrs attrs) {
  const size_t rank = items_of(call.value("offsets")).size();
  const auto window = as_descriptor(reader, call, rank);
  if (!window) return {};
  const auto offsets = as_integers(reader, call.at("offsets"), call.value("offsets"), rank, "`offsets`");
  const auto value = stored_value(reader, call.at("value"), call.value("value"), *window);
  if (!offsets || !value) return {};
  std::vector<ValueId> operands{*window};
  operands.insert(operands.end(), offsets->begin(), offsets->end());
  operands.push_back(*value);
  attrs.rank = static_cast<uint32_t>(rank);
  attrs.all_axes = true;
  emit_op(reader, call.node, kind, std::move(operands), {}, std::move(attrs));
  return none_val();
}

}  // namespace

Val read_descriptor_store(Reader& reader, const Call& call) { return write(reader, call, OpKind::WindowStore, {}); }

Val read_descriptor_atomic(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  attrs.rare.edit().atomic = static_cast<ir::Atomic>(call.builtin->variant);
  attrs.rare.edit().order_of_memory = ir::MemoryOrder::Relaxed;
  attrs.rare.edit().scope = ir::MemoryScope::Device;
  return write(reader, call, OpKind::WindowAtomic, std::move(attrs));
}

Val read_descriptor_gather(Reader& reader, const Call& call) {
  const auto window = as_descriptor(reader, call, 2);
  if (!window) return {};
  const auto rows = tensor_argument(reader, call, "x_offsets");
  const auto column = as_integers(reader, call.at("y_offset"), call.value("y_offset"), 1, "`y_offset`");
  if (!rows || !column) return {};
  const ir::Type type = type_of(reader, *window);
  Shape shape = shape_of(reader, *rows);
  if (shape.size() != 1) return error(reader, call.at("x_offsets"), messages::bad_shape, "`x_offsets` must have one axis");
  shape.push_back(type.shape[1]);
  return ir_val(
      emit(reader, call.node, OpKind::WindowGather, {*window, *rows, column->front()}, reader.types().tile(type.dtype, shape)));
}

Val read_descriptor_scatter(Reader& reader, const Call& call) {
  const auto window = as_descriptor(reader, call, 2);
  if (!window) return {};
  const auto rows = tensor_argument(reader, call, "x_offsets");
  const auto column = as_integers(reader, call.at("y_offset"), call.value("y_offset"), 1, "`y_offset`");
  const auto value = stored_value(reader, call.at("value"), call.value("value"), *window);
  if (!rows || !column || !value) return {};
  emit_op(reader, call.node, OpKind::WindowScatter, {*window, *rows, column->front(), *value}, {});
  return none_val();
}

}  // namespace tilewright::front::triton
