// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a value can be used as, and what a use teaches of a parameter (Reader::knowledge).

#include "base/check.h"
#include "front/common/dialect.h"
#include "front/common/reader.h"

namespace tilewright::front {

using ir::OpKind;
using ir::ScalarClass;
using ir::TypeKind;
using ir::ValueId;

namespace {

// Whether the kernel assigns to the parameter's name.
bool is_assigned(Reader& reader, uint32_t index) {
  Frame& kernel = *reader.stack.front();
  return find_local(kernel.locals, kernel.made->params[index].name.string())->depends_on_path();
}

}  // namespace

std::optional<ValueId> settle_parameter(Reader& reader, NodeId node, uint32_t index, Knowledge::Kind kind) {
  Knowledge& known = reader.knowledge[index];
  if (known.kind == Knowledge::Kind::Unknown || (known.guessed && kind != known.kind)) {
    // At its first use nothing has been made of it yet, unless it is a variable or was read as something else.
    if (known.guessed || is_assigned(reader, index)) reader.learned = true;
    known.kind = kind;
    known.guessed = false;
    reader.parameter_values[index] = {};
  }
  if (known.kind == Knowledge::Kind::Pointer && kind == Knowledge::Kind::Scalar)
    return reader.dialect.parameter_value(reader, index);
  if (known.kind != kind) {
    const ir::Param& param = reader.stack.front()->made->params[index];
    error(reader, node, messages::two_kinds, param.name.string());
    return std::nullopt;
  }
  return reader.dialect.parameter_value(reader, index);
}

std::optional<uint32_t> kernel_parameter(const Reader& reader, const Val& val) {
  if (val.is(ValKind::Parameter)) return val.index;
  if (!val.is(ValKind::Ir)) return std::nullopt;
  for (uint32_t i = 0; i < reader.parameter_values.size(); ++i) {
    if (reader.parameter_values[i].value == val.value) return i;
  }
  const auto found = reader.frame->kernel_parameters.find(val.value);
  return found == reader.frame->kernel_parameters.end() ? std::nullopt : std::optional(found->second);
}

Val materialise(Reader& reader, NodeId node, Val val) {
  if (val.is(ValKind::Parameter)) {
    const Knowledge& known = reader.knowledge[val.index];
    if (known.kind == Knowledge::Kind::Constant && known.passes == Knowledge::Passes::String) return val;
    if (known.kind != Knowledge::Kind::Unknown) return ir_val(reader.dialect.parameter_value(reader, val.index));
    return val;
  }
  if (!val.is(ValKind::Dtype) && !val.is(ValKind::Number)) return val;
  ir::Attrs attrs;
  attrs.rare.edit().name = val.text;
  if (val.is(ValKind::Dtype)) {
    const ir::TypeId type = reader.types().dtype_constant(val.dtype);
    return ir_val(emit(reader, node, val.text.empty() ? OpKind::DtypeName : OpKind::Symbol, {}, type, std::move(attrs)));
  }
  if (val.text.empty() && val.number) {
    return ir_val(literal(reader, node, *val.number));
  }
  ir::LooseKind loose = static_cast<ir::LooseKind>(val.index);
  sym::ExprId value;
  if (val.number) {
    loose = std::holds_alternative<bool>(*val.number)      ? ir::LooseKind::Bool
            : std::holds_alternative<int64_t>(*val.number) ? ir::LooseKind::Int
                                                           : ir::LooseKind::Float;
    value = reader.arena().literal(*val.number);
  } else {
    value = reader.arena().atom(val.text);
  }
  return ir_val(emit(reader, node, OpKind::Symbol, {}, reader.types().constant(loose, value), std::move(attrs)));
}

std::optional<ValueId> as_number(Reader& reader, NodeId node, const Val& given, std::string_view what) {
  if (given.is(ValKind::Parameter)) return settle_parameter(reader, node, given.index, Knowledge::Kind::Scalar);
  const Val val = materialise(reader, node, given);
  if (val.poison()) return std::nullopt;
  if (val.is(ValKind::Ir)) {
    const ir::Type& type = type_of(reader, val.value);
    if (type.kind == TypeKind::Tile) confirm_number(reader, type.dtype);
    if (type.kind == TypeKind::Tile || type.kind == TypeKind::Const) return val.value;
    if (type.kind == TypeKind::Array) {
      const auto index = element_parameter(reader, type.dtype);
      if (index && reader.knowledge[*index].guessed) {
        reader.knowledge[*index] = {.kind = Knowledge::Kind::Scalar, .scalar = {}};
        reader.learned = true;
        return std::nullopt;
      }
    }
  }
  if (val.is(ValKind::Conditional)) {
    error(reader, node, messages::depends_on_launch, what);
    return std::nullopt;
  }
  error(reader, node, messages::wrong_kind, what, "a tile or a number", describe(reader, val));
  return std::nullopt;
}

std::optional<ValueId> as_tile(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  const auto value = as_number(reader, node, val, what);
  if (!value || !is_const(reader, *value)) return value;
  ir::Attrs attrs;
  attrs.dtype = own_dtype(reader, *value);
  attrs.implicit = true;
  const ir::TypeId scalar = reader.types().tile(attrs.dtype, {});
  return emit(reader, node, OpKind::Full, {*value}, scalar, std::move(attrs));
}

std::optional<ValueId> as_scalar(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  const auto value = as_number(reader, node, val, what);
  if (!value || is_scalar(reader, *value)) return value;
  error(reader, node, messages::wrong_kind, what, "a scalar", describe(reader, ir_val(*value)));
  return std::nullopt;
}

static void learn_integer(Reader& reader, ir::DtypeId dtype) {
  const ir::Dtype row = reader.types()[dtype];
  switch (row.kind) {
    case ir::DtypeKind::Argument: {
      Knowledge& known = reader.knowledge[row.index];
      if (!known.scalar) {
        known.scalar = ir::Scalar::I32;
        reader.learned = true;
      }
      return;
    }
    case ir::DtypeKind::Promote:
    case ir::DtypeKind::Common:
      learn_integer(reader, row.a);
      learn_integer(reader, row.b);
      return;
    case ir::DtypeKind::Adapt:
    case ir::DtypeKind::CountOf: learn_integer(reader, row.a); return;
    case ir::DtypeKind::Known:
    case ir::DtypeKind::Element:
    case ir::DtypeKind::FloatOf:
    case ir::DtypeKind::Accumulator:
    case ir::DtypeKind::Select:
    case ir::DtypeKind::Widened:
    case ir::DtypeKind::Pointer:
    case ir::DtypeKind::Passed: return;
  }
}

void learn_integer(Reader& reader, ValueId number) {
  learn_integer(reader, own_dtype(reader, number));
  confirm_integer(reader, number);
}

std::optional<ValueId> as_integer(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  const auto value = as_number(reader, node, val, what);
  if (!value) return std::nullopt;
  const ir::DtypeId dtype = own_dtype(reader, *value);
  learn_integer(reader, *value);
  const auto kind = reader.types().class_of(dtype);
  if (!kind || *kind == ScalarClass::Signed || *kind == ScalarClass::Unsigned) return value;
  error(reader, node, messages::wrong_kind, what, "an integer", describe(reader, ir_val(*value)));
  return std::nullopt;
}

std::optional<ValueId> as_signed_scalar(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  const auto value = as_number(reader, node, val, what);
  if (!value) return std::nullopt;
  const ir::DtypeId dtype = own_dtype(reader, *value);
  learn_integer(reader, *value);
  const auto kind = reader.types().class_of(dtype);
  if (is_scalar(reader, *value) && (!kind || *kind == ScalarClass::Signed)) return value;
  error(reader, node, messages::wrong_kind, what, "a signed integer scalar", describe(reader, ir_val(*value)));
  return std::nullopt;
}

std::optional<ValueId> as_array(Reader& reader, NodeId node, const Val& given, std::string_view what) {
  if (given.is(ValKind::Parameter)) return settle_parameter(reader, node, given.index, Knowledge::Kind::Array);
  const Val val = materialise(reader, node, given);
  if (val.poison()) return std::nullopt;
  if (val.is(ValKind::Ir)) {
    const ir::Type& type = type_of(reader, val.value);
    if (type.kind == TypeKind::Array) {
      confirm_array(reader, val.value);
      return val.value;
    }
    // A parameter that was read as a number before.
    if (type.kind == TypeKind::Tile && reader.types()[type.dtype].kind == ir::DtypeKind::Argument) {
      error(reader, node, messages::two_kinds, reader.program.values[val.value].name.string());
      return std::nullopt;
    }
  }
  error(reader, node, messages::wrong_kind, what, "an array", describe(reader, val));
  return std::nullopt;
}

// A list of arrays, where `len(x)` and `x[i]` of a bare parameter say so.
std::optional<ValueId> as_array_list(Reader& reader, NodeId node, const Val& given) {
  if (given.is(ValKind::Parameter)) return settle_parameter(reader, node, given.index, Knowledge::Kind::ArrayList);
  return std::nullopt;
}

std::optional<ValueId> dtype_value(Reader& reader, NodeId node, const Val& given) {
  const Val val = materialise(reader, node, given);
  if (val.is(ValKind::Ir) && type_of(reader, val.value).kind == TypeKind::DtypeConst) return val.value;
  return std::nullopt;
}

std::optional<ir::DtypeId> as_dtype(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  if (val.poison()) return std::nullopt;
  if (val.is(ValKind::Dtype)) return val.dtype;
  if (const auto value = dtype_value(reader, node, val)) return type_of(reader, *value).dtype;
  if (val.is(ValKind::Conditional)) {
    const auto first = as_dtype(reader, node, (*val.items)[0], what);
    const auto second = as_dtype(reader, node, (*val.items)[1], what);
    if (first && second) return reader.types().select(val.condition, *first, *second);
    return std::nullopt;
  }
  error(reader, node, messages::wrong_kind, what, "a dtype", describe(reader, val));
  return std::nullopt;
}

void learn_constant(Reader& reader, sym::ExprId value, ir::LooseKind loose) {
  const std::vector<ir::Param>& params = reader.stack.front()->made->params;
  for (const sym::ExprId atom : reader.arena().atoms_in(value)) {
    const std::string& key = reader.arena().atom_of(atom).key;
    for (size_t i = 0; i < params.size(); ++i) {
      Knowledge& known = reader.knowledge[i];
      if (params[i].name != key || known.loose) continue;
      known.loose = loose;
      reader.learned = true;
    }
  }
}

std::optional<ValueId> as_const_int(Reader& reader, NodeId node, const Val& given, std::string_view what) {
  if (given.is(ValKind::Parameter)) {
    const std::string name = reader.stack.front()->made->params[given.index].name;
    error_with(reader, node, "annotate the parameter: `" + name + ": " + std::string(reader.dialect.constant_annotation) + "`",
               messages::not_constant, what, "a constant integer");
    return std::nullopt;
  }
  const Val val = materialise(reader, node, given);
  if (val.poison()) return std::nullopt;
  if (val.is(ValKind::Ir)) {
    const ir::Type& type = type_of(reader, val.value);
    if (type.kind == TypeKind::Const && type.loose == ir::LooseKind::Int) {
      if (reader.dialect.constants_are_untyped) learn_constant(reader, type.value, ir::LooseKind::Int);
      return val.value;
    }
    if (type.kind == TypeKind::Tile) {
      if (reader.types()[type.dtype].kind == ir::DtypeKind::Argument || !reader.program.values[val.value].definition) {
        const std::string name = reader.program.values[val.value].name;
        error_with(reader, node,
                   "a kernel's parameter is a constant if it is annotated: `" + name + ": " +
                       std::string(reader.dialect.constant_annotation) + "`",
                   messages::not_constant, what, "a constant integer");
        return std::nullopt;
      }
      error(reader, node, messages::not_constant, what, "a constant integer");
      return std::nullopt;
    }
  }
  if (val.is(ValKind::Conditional)) {
    error(reader, node, messages::depends_on_launch, what);
    return std::nullopt;
  }
  error(reader, node, messages::wrong_kind, what, "a constant integer", describe(reader, val));
  return std::nullopt;
}

std::optional<int64_t> as_known_int(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  const auto value = as_const_int(reader, node, val, what);
  if (!value) return std::nullopt;
  if (const auto known = reader.arena().integer_of(type_of(reader, *value).value)) return known;
  error(reader, node, messages::depends_on_launch, what);
  return std::nullopt;
}

std::optional<bool> as_known_bool(Reader& reader, NodeId node, const Val& given, std::string_view what) {
  const Val val = materialise(reader, node, given);
  if (val.poison()) return std::nullopt;
  if (val.is(ValKind::Parameter)) {
    error(reader, node, messages::not_constant, what, "a constant bool");
    return std::nullopt;
  }
  if (val.is(ValKind::Ir)) {
    const ir::Type& type = type_of(reader, val.value);
    if (type.kind == TypeKind::Const && type.loose == ir::LooseKind::Bool) {
      if (const auto known = truth(reader, type.value)) return known;
      error(reader, node, messages::depends_on_launch, what);
      return std::nullopt;
    }
    if (type.kind == TypeKind::Tile) {
      error(reader, node, messages::not_constant, what, "a constant bool");
      return std::nullopt;
    }
  }
  error(reader, node, messages::wrong_kind, what, "a constant bool", describe(reader, val));
  return std::nullopt;
}

std::optional<uint32_t> as_enum(Reader& reader, NodeId node, const Val& val, Enumeration enumeration, std::string_view what) {
  if (val.poison()) return std::nullopt;
  if (val.is(ValKind::Enum) && val.enumeration == enumeration) return val.index;
  if (val.is(ValKind::Conditional)) {
    error(reader, node, messages::depends_on_launch, what);
    return std::nullopt;
  }
  const std::string expected = describe(reader, enum_val(enumeration, 0));
  error(reader, node, messages::wrong_kind, what, expected, describe(reader, val));
  return std::nullopt;
}

std::optional<uint32_t> as_axis(Reader& reader, NodeId node, const Val& val, uint32_t rank) {
  const auto axis = as_known_int(reader, node, val, "the axis");
  if (!axis) return std::nullopt;
  const int64_t normal = *axis < 0 ? *axis + rank : *axis;
  if (normal >= 0 && normal < rank) return static_cast<uint32_t>(normal);
  error(reader, node, messages::bad_axis, "axis " + std::to_string(*axis) + " is out of range for rank " + std::to_string(rank));
  return std::nullopt;
}

std::optional<ValueId> as_extent(Reader& reader, NodeId node, const Val& given) {
  const auto value = as_const_int(reader, node, given, "an extent");
  if (!value) return std::nullopt;
  const auto known = reader.arena().integer_of(type_of(reader, *value).value);
  if (!known || (*known > 0 && (*known & (*known - 1)) == 0)) return value;
  error(reader, node, messages::bad_extent, std::to_string(*known), *known <= 0 ? "positive" : "a power of two");
  return std::nullopt;
}

std::optional<Extents> as_shape(Reader& reader, NodeId node, const Val& given, IntForm form) {
  const Val val = materialise(reader, node, given);
  if (val.poison()) return std::nullopt;
  Extents extents;
  const auto add = [&](const Val& item, NodeId at) {
    const auto value = as_extent(reader, at, item);
    if (!value) return false;
    extents.values.push_back(*value);
    extents.shape.push_back(type_of(reader, *value).value);
    return true;
  };
  if (val.is(ValKind::Tuple)) {
    if (!has_few_axes(reader, node, val.items->size())) return std::nullopt;
    const auto display = reader.tree().get_if<syntax::Tuple>(node);
    for (size_t i = 0; i < val.items->size(); ++i) {
      const bool matches = display && display->elts.size() == val.items->size();
      if (!add((*val.items)[i], matches ? display->elts[i] : node)) return std::nullopt;
    }
    return extents;
  }
  if (form == IntForm::Refused) {
    error(reader, node, messages::wrong_kind, "the shape", "a tuple", describe(reader, val));
    return std::nullopt;
  }
  if (!add(val, node)) return std::nullopt;
  return extents;
}

Extents extents_of(Reader& reader, NodeId node, ValueId tile) {
  Extents extents{.values = {}, .shape = shape_of(reader, tile)};
  for (uint32_t axis = 0; axis < extents.shape.size(); ++axis) {
    if (const auto known = reader.arena().integer_of(extents.shape[axis])) {
      extents.values.push_back(integer(reader, node, *known));
    } else {
      extents.values.push_back(tile_dim(reader, node, tile, axis));
    }
  }
  return extents;
}

ValueId tile_dim(Reader& reader, NodeId node, ValueId tile, uint32_t axis) {
  ir::Attrs attrs;
  attrs.axis = static_cast<uint8_t>(axis);
  const ir::TypeId type = reader.types().constant(ir::LooseKind::Int, shape_of(reader, tile)[axis]);
  return emit(reader, node, OpKind::TileDim, {tile}, type, std::move(attrs));
}

}  // namespace tilewright::front
