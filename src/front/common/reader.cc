// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/common/reader.h"

#include <algorithm>

#include "base/check.h"
#include "front/common/dialect.h"

namespace tilewright::front {

using ir::OpKind;
using ir::ScalarClass;
using ir::TypeKind;
using ir::ValueId;

bool same(const Val& a, const Val& b) {
  if (a.kind != b.kind) return false;
  const auto same_items = [&] {
    if (!a.items || !b.items) return !a.items && !b.items;
    return std::equal(a.items->begin(), a.items->end(), b.items->begin(), b.items->end(),
                      [](const Val& x, const Val& y) { return same(x, y); });
  };
  return a.value == b.value && a.number == b.number && a.dtype == b.dtype && a.index == b.index &&
         a.enumeration == b.enumeration && a.condition == b.condition && a.builtin == b.builtin && a.module == b.module &&
         a.node == b.node && a.text == b.text && same_items();
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

namespace {

// A message is one line, also where it quotes an expression of several.
std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) > ' ')
      out += c;
    else if (!out.ends_with(' '))
      out += ' ';
  }
  return out;
}

}  // namespace

void add_error(Reader& reader, diag::Diagnostic diagnostic) {
  diagnostic.message = one_line(diagnostic.message);
  ++reader.errors;
  constexpr uint32_t errors_shown = 10;  // of one kernel; what follows from an error is rarely news
  if (reader.errors > errors_shown) return;
  if (reader.kernel) diagnostic.kernel = reader.kernel->name;
  reader.sink->push_back(std::move(diagnostic));
}

// Emitting --------------------------------------------------------------------------------------------------------------------

void forget(Reader& reader, const ir::Mark& since) {
  const bool had_functions = reader.program.functions.size() > since.functions;
  ir::forget(reader.program, since);
  if (!had_functions) return;
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
    if (param.kind == ir::ParamKind::Constant || reader.parameter_values[i].value) continue;
    param.kind = ir::ParamKind::Unused;
    param.value = {};
  }
}

ir::OpId emit_op(Reader& reader, NodeId node, OpKind kind, ShortList<ValueId> operands, const ShortList<ir::TypeId>& results,
                 ir::Attrs attrs, RareList<ir::BlockId> regions) {
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

ValueId emit(Reader& reader, NodeId node, OpKind kind, ShortList<ValueId> operands, ir::TypeId result, ir::Attrs attrs) {
  const ir::OpId op = emit_op(reader, node, kind, std::move(operands), {result}, std::move(attrs));
  return reader.program.ops[op].results[0];
}

void emit_mark(Reader& reader, NodeId node) { emit_op(reader, node, OpKind::Mark, {}, {}); }

ir::BlockId new_block(Reader& reader) { return reader.program.blocks.add({}); }

ValueId literal(Reader& reader, NodeId node, const sym::Value& value) {
  const auto kind = std::holds_alternative<bool>(value)      ? ir::LooseKind::Bool
                    : std::holds_alternative<int64_t>(value) ? ir::LooseKind::Int
                                                             : ir::LooseKind::Float;
  return emit(reader, node, OpKind::Literal, {}, reader.types().constant(kind, reader.arena().literal(value)));
}

ValueId integer(Reader& reader, NodeId node, int64_t value) { return literal(reader, node, sym::Value{value}); }

// Types -----------------------------------------------------------------------------------------------------------------------

const ir::Type& type_of(const Reader& reader, ValueId value) { return reader.program.types[reader.program.values[value].type]; }
bool is_const(const Reader& reader, ValueId value) { return type_of(reader, value).kind == TypeKind::Const; }
bool is_scalar(const Reader& reader, ValueId value) { return type_of(reader, value).shape.empty(); }
std::vector<sym::ExprId> shape_of(const Reader& reader, ValueId value) { return type_of(reader, value).shape; }

ir::DtypeId own_dtype(Reader& reader, ir::TypeId id) {
  const ir::Type& type = reader.types()[id];
  if (type.kind != TypeKind::Const || type.strict) return type.dtype;
  return reader.dialect.number_dtype(reader, type);
}

ir::DtypeId own_dtype(Reader& reader, ValueId value) { return own_dtype(reader, type_id(reader, value)); }

ir::TypeId scalar_type(Reader& reader, ir::Scalar scalar) { return reader.types().tile(reader.types().known(scalar), {}); }
ir::TypeId int32_type(Reader& reader) { return scalar_type(reader, ir::Scalar::I32); }
ir::TypeId dim_type(Reader& reader, ValueId array) {
  const ir::Type& type = type_of(reader, array);
  const ir::Dtype& dtype = reader.program.types[type.dtype];
  const bool wide =
      dtype.kind == ir::DtypeKind::Element && dtype.index < reader.knowledge.size() && reader.knowledge[dtype.index].index_int64;
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
      if (index < params.size()) text.replace(at, end + 1 - at, params[index].name.string() + suffix);
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
    case TypeKind::Window: return "a window of " + shape_text(reader, type.shape) + " elements";
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
    case ValKind::Slice:
    case ValKind::IndexSlice: return "a slice";
    case ValKind::View: return "a tiled view";
    case ValKind::Enum:
      switch (val.enumeration) {
        case Enumeration::Padding: return "a PaddingMode";
        case Enumeration::Rounding: return "a RoundingMode";
        case Enumeration::MemoryOrder: return "a MemoryOrder";
        case Enumeration::MemoryScope: return "a MemoryScope";
        case Enumeration::NanRule: return "a PropagateNan";
      }
      return "";
    case ValKind::Namespace:
    case ValKind::File: return "a module";
    case ValKind::Builtin:
    case ValKind::Method: return "the function `" + std::string(val.builtin->name) + "`";
    case ValKind::Function: return "the function `" + val.text + "`";
    case ValKind::Kernel: return "the kernel `" + val.text + "`";
    case ValKind::Annotation: return "an annotation";
    case ValKind::Conditional: return "a value that depends on a constant of the launch";
    case ValKind::Foreign: return val.text.starts_with("the ") || val.text.starts_with("`") ? val.text : "a value of the host";
  }
  return "";
}

}  // namespace tilewright::front
