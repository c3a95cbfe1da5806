// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel's parameters. cuTile decides what they are by what is passed; the text says it only for constants. So the rest is
// learned from use: what is loaded from is an array, what is added is a number, an index is an integer.

#include <algorithm>

#include "base/check.h"
#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

namespace {

struct Annotation {
  enum class Kind : uint8_t { None, Constant, Int64Index, Int64Scalar, Int, Float, Bool, Unconverted };
  Kind kind = Kind::None;
  std::optional<ir::LooseKind> loose;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<ir::LooseKind> loose_named(std::string_view name) {
  if (name == "int") return ir::LooseKind::Int;
  if (name == "float") return ir::LooseKind::Float;
  if (name == "bool") return ir::LooseKind::Bool;
  return std::nullopt;
}

// `a.b.c`, in the module's names.
Val dotted_value(Reader& reader, Module& module, std::string_view text) {
  std::optional<Val> val;
  bool first = true;
  while (!text.empty()) {
    const size_t dot = text.find('.');
    const std::string_view word = trimmed(text.substr(0, dot));
    text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
    if (first) {
      val = global_value(reader, module, word);
      if (!val) val = python_name(word);
    } else if (val->is(ValKind::Namespace)) {
      val = namespace_attribute(reader, val->text, word);
    } else if (val->is(ValKind::File)) {
      val = file_attribute(reader, *val->module, word);
    } else {
      val = std::nullopt;
    }
    if (!val) return foreign_val("an annotation");
    first = false;
  }
  return val ? *val : foreign_val("an annotation");
}

// An annotation's text, also that of an alias: `ct.Constant[int]`.
Annotation annotation_of(Reader& reader, Module& module, std::string_view text, uint32_t depth = 0) {
  using Kind = Annotation::Kind;
  text = trimmed(text);
  const size_t bracket = text.find('[');
  const std::string_view name = trimmed(text.substr(0, bracket));
  std::string_view inner;
  if (bracket != std::string_view::npos && text.ends_with(']'))
    inner = trimmed(text.substr(bracket + 1, text.size() - bracket - 2));
  const Val val = dotted_value(reader, module, name);
  if (val.is(ValKind::Annotation)) {
    if (val.text == "cuda.tile.IndexedWithInt64") return {.kind = Kind::Int64Index, .loose = {}};
    if (val.text == "cuda.tile.ScalarInt64") return {.kind = Kind::Int64Scalar, .loose = {}};
    if (val.text == "cuda.tile.Constant") {
      // An alias says the type where it is defined.
      const auto global = module.globals.find(name);
      if (inner.empty() && global != module.globals.end() && global->second.kind == Global::Kind::Assign && depth < 8) {
        return annotation_of(reader, module, module.tree->text(global->second.value), depth + 1);
      }
      if (inner.empty() && global != module.globals.end() && global->second.kind == Global::Kind::ImportFrom && depth < 8) {
        if (const auto found = alias_text(reader, module, name))
          return annotation_of(reader, *found->first, found->second, depth + 1);
      }
      if (!inner.empty() && !loose_named(inner)) return {.kind = Kind::Unconverted, .loose = {}};
      return {.kind = Kind::Constant, .loose = loose_named(inner)};
    }
    return {};
  }
  if (val.is(ValKind::Builtin) && val.builtin->set == BuiltinSet::Python) {
    if (name == "int") return {.kind = Kind::Int, .loose = {}};
    if (name == "float") return {.kind = Kind::Float, .loose = {}};
    if (name == "bool") return {.kind = Kind::Bool, .loose = {}};
    if (name == "tuple" && !inner.empty()) return {.kind = Kind::Unconverted, .loose = {}};
  }
  if (name.ends_with("Annotated") && inner.find("Annotation") != std::string_view::npos) {
    if (inner.find("ConstantAnnotation") != std::string_view::npos)
      return {.kind = Kind::Constant, .loose = loose_named(trimmed(inner.substr(0, inner.find(','))))};
    return {.kind = Kind::Unconverted, .loose = {}};
  }
  return {};
}

}  // namespace

std::optional<std::pair<Module*, std::string_view>> alias_text(Reader& reader, Module& module, std::string_view name) {
  Module* at = &module;
  for (int step = 0; step < 8; ++step) {
    const auto global = at->globals.find(name);
    if (global == at->globals.end()) return std::nullopt;
    if (global->second.kind == Global::Kind::Assign && global->second.value)
      return std::pair{at, at->tree->text(global->second.value)};
    if (global->second.kind != Global::Kind::ImportFrom || !reader.resolver) return std::nullopt;
    const syntax::Tree* tree =
        reader.resolver({.from = at->tree->file(), .level = global->second.level, .module = global->second.dotted});
    if (!tree) return std::nullopt;
    name = global->second.attribute;
    at = &reader.modules.of(*tree);
  }
  return std::nullopt;
}

void make_parameters(Reader& reader, Frame& frame) {
  const syntax::Tree& tree = *frame.tree;
  const auto def = tree.as<syntax::FunctionDef>(frame.node);
  const auto arguments = tree.as<syntax::Arguments>(def.args);
  for (const NodeId variadic : {arguments.vararg, arguments.kwarg}) {
    if (variadic) error(reader, variadic, messages::variadic_kernel, tree.as<syntax::Arg>(variadic).arg);
  }
  const std::vector<NodeId> nodes = parameters_of(tree, frame.node);
  reader.parameter_values.assign(nodes.size(), {});

  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto argument = tree.as<syntax::Arg>(nodes[i]);
    const std::string name(argument.arg);
    Knowledge& known = reader.knowledge[i];
    Annotation annotation;
    if (argument.annotation) {
      std::string_view text = tree.text(argument.annotation);
      if (tree.is_constant(argument.annotation, syntax::ConstantKind::Str)) text = tree.string_value(argument.annotation);
      annotation = annotation_of(reader, *frame.module, text);
    }
    ir::Param param{
        .name = name, .kind = ir::ParamKind::Unused, .value = {}, .span = tree.span(nodes[i]), .node = {nodes[i].index}};
    Val val{.kind = ValKind::Parameter, .index = i};
    switch (annotation.kind) {
      case Annotation::Kind::None: break;
      case Annotation::Kind::Constant: {
        known = {.kind = Knowledge::Kind::Constant};
        const ir::TypeId type = reader.types().constant(annotation.loose.value_or(ir::LooseKind::Int), reader.arena().atom(name));
        param.kind = ir::ParamKind::Constant;
        param.value = reader.program.values.add({.type = type, .definition = {}, .name = name});
        val = ir_val(param.value);
        break;
      }
      case Annotation::Kind::Int64Index: known.index_int64 = true; break;
      case Annotation::Kind::Int64Scalar: known.scalar = ir::Scalar::I64; break;
      case Annotation::Kind::Int: known.scalar = ir::Scalar::I32; break;
      case Annotation::Kind::Float: known.scalar = ir::Scalar::F32; break;
      case Annotation::Kind::Bool: known.scalar = ir::Scalar::Bool; break;
      case Annotation::Kind::Unconverted:
        error(reader, argument.annotation, messages::unconverted_annotation, tree.text(argument.annotation));
        break;
    }
    if (known.index_int64) param.index_int64 = true;
    if (known.kind == Knowledge::Kind::Unknown && std::exchange(known.kind_foreseen, false) && known.scalar)
      known.kind = Knowledge::Kind::Scalar;
    if (known.kind == Knowledge::Kind::Scalar && known.scalar) known.kind_foreseen = false;  // its annotation says the same
    frame.made->params.push_back(std::move(param));
    // What earlier attempts learned. The value itself is made at the first use, so that an unused parameter stays without, but
    // one that is assigned again is a variable from the start.
    if (find_local(frame.locals, argument.arg)->depends_on_path()) val = materialise(reader, nodes[i], val);
    bind_parameter(reader, nodes[i], argument.arg, val);
  }
}

ir::ValueId parameter_value(Reader& reader, uint32_t index) {
  ir::ValueId& value = reader.parameter_values[index].value;
  if (value) return value;
  const Knowledge& known = reader.knowledge[index];
  reader.parameter_values[index].ops_before = reader.program.ops.size();
  ir::Types& types = reader.types();
  ir::Function& function = *reader.stack.front()->made;
  ir::Param& param = function.params[index];
  ir::TypeId type;
  switch (known.kind) {
    case Knowledge::Kind::Unknown: TW_CHECK(false, "a parameter whose kind is not known has no value");
    case Knowledge::Kind::Array:
      type = types.array(types.element(index), known.ranks_differ ? ir::unknown_rank : known.rank);
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
    case Knowledge::Kind::Pointer:
    case Knowledge::Kind::Window: TW_CHECK(false, "cuTile passes arrays");
    case Knowledge::Kind::Constant: TW_CHECK(false, "constants have their values from the start");
  }
  param.index_int64 = known.index_int64;
  value = reader.program.values.add({.type = type, .definition = {}, .name = param.name});
  param.value = value;
  return value;
}

}  // namespace tilewright::front::cutile
