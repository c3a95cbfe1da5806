// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/reader.h"

#include <algorithm>

#include "base/check.h"
#include "front/cutile/builtins.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::ScalarClass;
using ir::TypeKind;
using ir::ValueId;

bool same(const Val& a, const Val& b) {
  if (a.kind != b.kind) return false;
  const auto same_items = [&] {
    if (!a.items || !b.items) return !a.items && !b.items;
    return std::equal(a.items->begin(), a.items->end(), b.items->begin(), b.items->end(), [](const Val& x, const Val& y) { return same(x, y); });
  };
  return a.value == b.value && a.number == b.number && a.dtype == b.dtype && a.index == b.index && a.enumeration == b.enumeration &&
         a.condition == b.condition && a.builtin == b.builtin && a.module == b.module && a.node == b.node && a.text == b.text && same_items();
}

// Diagnostics -----------------------------------------------------------------------------------------------------------------

source::Span span_of(const Reader& reader, NodeId node) {
  if (!reader.frame) return {};
  const syntax::Tree& tree = reader.tree();
  if (!node) node = reader.frame->node;
  // A def is its header as far as messages go.
  if (const auto def = tree.get_if<syntax::FunctionDef>(node)) return def->name_span;
  return tree.span(node);
}

void add_error(Reader& reader, diag::Diagnostic diagnostic) {
  ++reader.errors;
  constexpr uint32_t errors_shown = 10;  // of one kernel; what follows from an error is rarely news
  if (reader.errors > errors_shown) return;
  if (reader.kernel) diagnostic.kernel = reader.kernel->name;
  reader.sink->push_back(std::move(diagnostic));
}

// Emitting --------------------------------------------------------------------------------------------------------------------

Mark mark(const Reader& reader) {
  const ir::Program& program = reader.program;
  return {program.ops.size(), program.values.size(), program.blocks.size(), program.vars.size(), program.functions.size()};
}

void forget(Reader& reader, const Mark& since) {
  ir::Program& program = reader.program;
  program.ops.truncate(since.ops);
  program.values.truncate(since.values);
  program.blocks.truncate(since.blocks);
  program.vars.truncate(since.vars);
  program.functions.truncate(since.functions);
  for (auto at = reader.instances.begin(); at != reader.instances.end();) {
    if (at->second.function.index < since.functions) {
      ++at;
      continue;
    }
    --reader.instance_counts[{at->second.module, at->second.node}];
    at = reader.instances.erase(at);
  }
}

void forget_parameters(Reader& reader) {
  for (size_t i = 0; i < reader.parameter_values.size(); ++i) {
    ir::Param& param = reader.stack.front()->made->params[i];
    if (param.kind == ir::ParamKind::Constant || reader.parameter_values[i]) continue;
    param.kind = ir::ParamKind::Unused;
    param.value = {};
  }
}

ir::OpId emit_op(Reader& reader, NodeId node, OpKind kind, std::vector<ValueId> operands, const std::vector<ir::TypeId>& results,
                 ir::Attrs attrs, std::vector<ir::BlockId> regions) {
  Frame& frame = *reader.frame;
  ir::Op op;
  op.kind = kind;
  op.span = frame.tree->span(node);
  op.statement = {frame.statement.valid() ? frame.statement.index : node.index};
  op.node = {node.index};
  op.operands = std::move(operands);
  op.regions = std::move(regions);
  op.attrs = std::move(attrs);
  return ir::append(reader.program, frame.block, std::move(op), results);
}

ValueId emit(Reader& reader, NodeId node, OpKind kind, std::vector<ValueId> operands, ir::TypeId result, ir::Attrs attrs) {
  const ir::OpId op = emit_op(reader, node, kind, std::move(operands), {result}, std::move(attrs));
  return reader.program.ops[op].results[0];
}

void emit_mark(Reader& reader, NodeId node) { emit_op(reader, node, OpKind::Mark, {}, {}); }

ir::BlockId new_block(Reader& reader) { return reader.program.blocks.add({}); }

ValueId literal(Reader& reader, NodeId node, ir::Literal value, std::string spelling) {
  ir::TypeId type;
  if (const auto* boolean = std::get_if<bool>(&value)) {
    type = reader.types().constant(ir::LooseKind::Bool, reader.arena().literal(*boolean));
  } else if (const auto* number = std::get_if<int64_t>(&value)) {
    type = reader.types().constant(ir::LooseKind::Int, reader.arena().literal(*number));
  } else if (const auto* real = std::get_if<double>(&value)) {
    type = reader.types().constant(ir::LooseKind::Float, reader.arena().literal(*real));
  } else {
    TW_CHECK(false, "a literal that is no number");
  }
  ir::Attrs attrs;
  attrs.literal = std::move(value);
  attrs.spelling = std::move(spelling);
  return emit(reader, node, OpKind::Literal, {}, type, std::move(attrs));
}

ValueId integer(Reader& reader, NodeId node, int64_t value) { return literal(reader, node, ir::Literal{value}); }

// Types -----------------------------------------------------------------------------------------------------------------------

const ir::Type& type_of(const Reader& reader, ValueId value) { return reader.program.types[reader.program.values[value].type]; }
bool is_const(const Reader& reader, ValueId value) { return type_of(reader, value).kind == TypeKind::Const; }
bool is_scalar(const Reader& reader, ValueId value) { return type_of(reader, value).shape.empty(); }
std::vector<sym::ExprId> shape_of(const Reader& reader, ValueId value) { return type_of(reader, value).shape; }

ir::DtypeId own_dtype(Reader& reader, ValueId value) {
  const ir::Type& type = type_of(reader, value);
  if (type.kind != TypeKind::Const || type.strict) return type.dtype;
  switch (type.loose) {
    case ir::LooseKind::Bool: return reader.types().known(ir::Scalar::Bool);
    case ir::LooseKind::Int: {
      const auto known = reader.arena().integer_of(type.value);
      const bool wide = known && (*known > INT32_MAX || *known < INT32_MIN);
      return reader.types().known(wide ? ir::Scalar::I64 : ir::Scalar::I32);
    }
    case ir::LooseKind::Float: return reader.types().known(ir::Scalar::F32);
  }
  return type.dtype;
}

ir::TypeId scalar_type(Reader& reader, ir::Scalar scalar) { return reader.types().tile(reader.types().known(scalar), {}); }
ir::TypeId int32_type(Reader& reader) { return scalar_type(reader, ir::Scalar::I32); }
ir::TypeId dim_type(Reader& reader, ValueId array) {
  const ir::Type& type = type_of(reader, array);
  const ir::Dtype& dtype = reader.program.types[type.dtype];
  const bool wide = dtype.kind == ir::DtypeKind::Element && dtype.index < reader.knowledge.size() && reader.knowledge[dtype.index].index_int64;
  return scalar_type(reader, wide ? ir::Scalar::I64 : ir::Scalar::I32);
}
ir::TypeId bool_type(Reader& reader, std::vector<sym::ExprId> shape) {
  return reader.types().tile(reader.types().known(ir::Scalar::Bool), std::move(shape));
}

std::optional<ScalarClass> class_of(Reader& reader, ValueId value) { return reader.types().class_of(own_dtype(reader, value)); }

std::string shape_text(const Reader& reader, const std::vector<sym::ExprId>& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + reader.program.arena.text(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

// "promote(x.dtype, float32)": with the kernel's own names.
std::string dtype_text(const Reader& reader, ir::DtypeId dtype) {
  std::string text = reader.program.types.text(dtype);
  if (reader.stack.empty()) return text;
  const std::vector<ir::Param>& params = reader.stack.front()->made->params;
  for (const auto& [open, suffix] : {std::pair{"elem(", ".dtype"}, std::pair{"arg(", ".dtype"}}) {
    for (size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
      const size_t begin = at + std::string_view(open).size();
      const size_t end = text.find(')', begin);
      const size_t index = std::stoul(text.substr(begin, end - begin));
      if (index < params.size()) text.replace(at, end + 1 - at, params[index].name + suffix);
    }
  }
  return text;
}

std::string describe(Reader& reader, ir::TypeId id) {
  const ir::Type type = reader.types()[id];
  switch (type.kind) {
    case TypeKind::Tile:
      if (type.shape.empty()) return "a scalar of " + dtype_text(reader, type.dtype);
      return "a tile of " + dtype_text(reader, type.dtype) + " with shape " + shape_text(reader, type.shape);
    case TypeKind::Const: return "the constant " + reader.arena().text(type.value);
    case TypeKind::DtypeConst: return "the dtype " + dtype_text(reader, type.dtype);
    case TypeKind::Array: return "an array";
    case TypeKind::ArrayList: return "a list of arrays";
    case TypeKind::None: return "None";
  }
  return "";
}

std::string describe(Reader& reader, const Val& val) {
  switch (val.kind) {
    case ValKind::Poison: return "an error";
    case ValKind::Ir: return describe(reader, type_id(reader, val.value));
    case ValKind::Number: return "a constant";
    case ValKind::Dtype: return "the dtype " + dtype_text(reader, val.dtype);
    case ValKind::Parameter: return "a parameter";
    case ValKind::None: return "None";
    case ValKind::Ellipsis: return "an ellipsis";
    case ValKind::String: return "the string \"" + val.text + "\"";
    case ValKind::Tuple: return "a tuple";
    case ValKind::Slice: case ValKind::IndexSlice: return "a slice";
    case ValKind::View: return "a tiled view";
    case ValKind::Enum:
      switch (val.enumeration) {
        case Enumeration::Padding: return "a PaddingMode";
        case Enumeration::Rounding: return "a RoundingMode";
        case Enumeration::MemoryOrder: return "a MemoryOrder";
        case Enumeration::MemoryScope: return "a MemoryScope";
      }
      return "";
    case ValKind::Namespace: case ValKind::File: return "a module";
    case ValKind::Builtin: case ValKind::Method: return "the function `" + std::string(val.builtin->name) + "`";
    case ValKind::Function: return "the function `" + val.text + "`";
    case ValKind::Kernel: return "the kernel `" + val.text + "`";
    case ValKind::Annotation: return "an annotation";
    case ValKind::Conditional: return "a value that depends on a constant of the launch";
    case ValKind::Foreign: return val.text.starts_with("the ") || val.text.starts_with("`") ? val.text : "a value of the host";
  }
  return "";
}

// Uses ------------------------------------------------------------------------------------------------------------------------

namespace {

// The parameter of the kernel that a dtype is about, if it is one.
std::optional<uint32_t> element_parameter(const Reader& reader, ir::DtypeId dtype) {
  if (!dtype) return std::nullopt;
  const ir::Dtype& row = reader.program.types[dtype];
  if (row.kind != ir::DtypeKind::Element) return std::nullopt;
  return row.index;
}

ValueId parameter_value(Reader& reader, uint32_t index) {
  ValueId& value = reader.parameter_values[index];
  if (value) return value;
  const Knowledge& known = reader.knowledge[index];
  ir::Types& types = reader.types();
  ir::Function& function = *reader.stack.front()->made;
  ir::Param& param = function.params[index];
  ir::TypeId type;
  switch (known.kind) {
    case Knowledge::Kind::Unknown: TW_CHECK(false, "a parameter whose kind is not known has no value");
    case Knowledge::Kind::Array:
      type = types.array(types.element(index), known.rank);
      param.kind = ir::ParamKind::Array;
      break;
    case Knowledge::Kind::ArrayList:
      type = types.array_list(types.element(index), known.rank);
      param.kind = ir::ParamKind::ArrayList;
      break;
    case Knowledge::Kind::Scalar:
      type = types.tile(known.scalar ? types.known(*known.scalar) : types.argument(index), {});
      param.kind = ir::ParamKind::Scalar;
      break;
    case Knowledge::Kind::Constant: TW_CHECK(false, "constants have their values from the start");
  }
  param.index_int64 = known.index_int64;
  value = reader.program.values.add({.type = type, .name = param.name, .definition = {}});
  param.value = value;
  return value;
}

// Says that the parameter is an array, a list or a number, and gives its value.
std::optional<ValueId> settle_parameter(Reader& reader, NodeId node, uint32_t index, Knowledge::Kind kind) {
  Knowledge& known = reader.knowledge[index];
  if (known.kind == Knowledge::Kind::Unknown || (known.guessed && kind != known.kind)) {
    known.kind = kind;
    known.guessed = false;
    reader.learned = true;
    reader.parameter_values[index] = {};
  }
  if (known.kind != kind) {
    const ir::Param& param = reader.stack.front()->made->params[index];
    error(reader, node, messages::two_kinds, param.name);
    return std::nullopt;
  }
  return parameter_value(reader, index);
}

}  // namespace

Val materialise(Reader& reader, NodeId node, Val val) {
  if (val.is(ValKind::Parameter)) {
    const Knowledge& known = reader.knowledge[val.index];
    if (known.kind != Knowledge::Kind::Unknown) return ir_val(parameter_value(reader, val.index));
    return val;
  }
  ir::Attrs attrs;
  attrs.name = val.text;
  if (val.is(ValKind::Dtype)) {
    const ir::TypeId type = reader.types().dtype_constant(val.dtype);
    return ir_val(emit(reader, node, val.text.empty() ? OpKind::DtypeName : OpKind::Symbol, {}, type, std::move(attrs)));
  }
  if (!val.is(ValKind::Number)) return val;
  if (val.text.empty() && val.number) {
    const NodeKind kind = reader.tree().kind(node);
    const bool written_here = kind == NodeKind::Name || kind == NodeKind::Attribute;  // `math.pi`, not the default of a parameter
    const std::string spelling(written_here ? reader.tree().text(node) : std::string_view());
    return ir_val(std::visit([&](auto v) { return literal(reader, node, ir::Literal{v}, spelling); }, *val.number));
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
  return emit(reader, node, OpKind::Full, {*value}, reader.types().tile(attrs.dtype, {}), std::move(attrs));
}

std::optional<ValueId> as_scalar(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  const auto value = as_number(reader, node, val, what);
  if (!value || is_scalar(reader, *value)) return value;
  error(reader, node, messages::wrong_kind, what, "a scalar", describe(reader, ir_val(*value)));
  return std::nullopt;
}

void learn_integer(Reader& reader, ir::DtypeId dtype) {
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
      learn_integer(reader, row.a);
      learn_integer(reader, row.b);
      return;
    case ir::DtypeKind::Adapt: case ir::DtypeKind::CountOf: learn_integer(reader, row.a); return;
    case ir::DtypeKind::Known: case ir::DtypeKind::Element: case ir::DtypeKind::FloatOf: case ir::DtypeKind::Accumulator:
    case ir::DtypeKind::Select: return;
  }
}

std::optional<ValueId> as_integer(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  const auto value = as_number(reader, node, val, what);
  if (!value) return std::nullopt;
  const ir::DtypeId dtype = own_dtype(reader, *value);
  learn_integer(reader, dtype);
  const auto kind = reader.types().class_of(dtype);
  if (!kind || *kind == ScalarClass::Signed || *kind == ScalarClass::Unsigned) return value;
  error(reader, node, messages::wrong_kind, what, "an integer", describe(reader, ir_val(*value)));
  return std::nullopt;
}

std::optional<ValueId> as_signed_scalar(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  const auto value = as_number(reader, node, val, what);
  if (!value) return std::nullopt;
  const ir::DtypeId dtype = own_dtype(reader, *value);
  learn_integer(reader, dtype);
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
      if (const auto index = element_parameter(reader, type.dtype)) reader.knowledge[*index].guessed = false;
      return val.value;
    }
    // A parameter that was read as a number before.
    if (type.kind == TypeKind::Tile && reader.types()[type.dtype].kind == ir::DtypeKind::Argument) {
      error(reader, node, messages::two_kinds, reader.program.values[val.value].name);
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

void learn_rank(Reader& reader, NodeId node, ValueId array, uint32_t rank) {
  const ir::Type& type = type_of(reader, array);
  if (type.rank == rank) return;
  const auto index = element_parameter(reader, type.dtype);
  if (!index) return;
  Knowledge& known = reader.knowledge[*index];
  const std::string& name = reader.stack.front()->made->params[*index].name;
  if (type.rank != ir::unknown_rank || (known.rank != ir::unknown_rank && known.rank != rank)) {
    error(reader, node, messages::two_ranks, name);
    return;
  }
  if (known.rank == rank) return;
  known.rank = rank;
  reader.learned = true;
}

std::optional<ValueId> dtype_value(Reader& reader, NodeId node, const Val& given) {
  const Val val = materialise(reader, node, given);
  if (val.is(ValKind::Ir) && type_of(reader, val.value).kind == TypeKind::DtypeConst) return val.value;
  // Python's own types stand for dtypes nowhere in cuTile.
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

std::optional<ValueId> as_const_int(Reader& reader, NodeId node, const Val& given, std::string_view what) {
  if (given.is(ValKind::Parameter)) {
    const std::string name = reader.stack.front()->made->params[given.index].name;
    error_with(reader, node, "annotate the parameter: `" + name + ": ct.Constant[int]`", messages::not_constant, what, "a constant integer");
    return std::nullopt;
  }
  const Val val = materialise(reader, node, given);
  if (val.poison()) return std::nullopt;
  if (val.is(ValKind::Ir)) {
    const ir::Type& type = type_of(reader, val.value);
    if (type.kind == TypeKind::Const && type.loose == ir::LooseKind::Int) return val.value;
    if (type.kind == TypeKind::Tile) {
      if (reader.types()[type.dtype].kind == ir::DtypeKind::Argument || !reader.program.values[val.value].definition) {
        const std::string name = reader.program.values[val.value].name;
        error_with(reader, node, "a kernel's parameter is a constant if it is annotated: `" + name + ": ct.Constant[int]`",
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

std::optional<Extents> as_shape(Reader& reader, NodeId node, const Val& given, IntForm form) {
  const Val val = materialise(reader, node, given);
  if (val.poison()) return std::nullopt;
  Extents extents;
  const auto add = [&](const Val& item, NodeId at) {
    const auto value = as_const_int(reader, at, item, "an extent");
    if (!value) return false;
    const sym::ExprId extent = type_of(reader, *value).value;
    if (const auto known = reader.arena().integer_of(extent)) {
      if (*known <= 0 || (*known & (*known - 1)) != 0) {
        error(reader, at, messages::bad_extent, std::to_string(*known), *known <= 0 ? "positive" : "a power of two");
        return false;
      }
    }
    extents.values.push_back(*value);
    extents.shape.push_back(extent);
    return true;
  };
  if (val.is(ValKind::Tuple)) {
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
  attrs.axis = axis;
  const ir::TypeId type = reader.types().constant(ir::LooseKind::Int, shape_of(reader, tile)[axis]);
  return emit(reader, node, OpKind::TileDim, {tile}, type, std::move(attrs));
}

}  // namespace tilewright::front::cutile
