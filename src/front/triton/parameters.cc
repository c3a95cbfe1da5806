// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel's parameters. The launch decides what they are; the text says it only of constants. A parameter that is not known yet
// is read as a number of its own dtype, `arg(i)`. Sums of it carry that dtype along, so that a load shows which parameters its
// address was made of: the one of them that no use has shown to be a number is the pointer, and the kernel is read again.

#include <algorithm>
#include <set>

#include "base/check.h"
#include "front/triton/dialect.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::TypeKind;
using ir::ValueId;

namespace {

void arguments_in(const ir::Types& types, ir::DtypeId id, std::set<uint32_t>& out) {
  if (!id) return;
  const ir::Dtype& dtype = types[id];
  switch (dtype.kind) {
    case ir::DtypeKind::Argument: out.insert(dtype.index); return;
    case ir::DtypeKind::Promote:
    case ir::DtypeKind::Common:
    case ir::DtypeKind::Select:
      arguments_in(types, dtype.a, out);
      arguments_in(types, dtype.b, out);
      return;
    case ir::DtypeKind::Adapt:
    case ir::DtypeKind::FloatOf:
    case ir::DtypeKind::CountOf:
    case ir::DtypeKind::Accumulator:
    case ir::DtypeKind::Widened: arguments_in(types, dtype.a, out); return;
    case ir::DtypeKind::Known:
    case ir::DtypeKind::Element:
    case ir::DtypeKind::Pointer:
    case ir::DtypeKind::Passed: return;
  }
}

std::set<uint32_t> candidates(const Reader& reader, ir::DtypeId dtype) {
  std::set<uint32_t> out;
  arguments_in(reader.program.types, dtype, out);
  std::erase_if(out, [&](uint32_t i) { return reader.knowledge[i].is_number || reader.knowledge[i].scalar; });
  return out;
}

// Which of the candidates the value starts from: people write the pointer first.
std::optional<uint32_t> leftmost(const Reader& reader, ValueId value, const std::set<uint32_t>& among) {
  const ir::Program& program = reader.program;
  for (int steps = 0; steps < 100; ++steps) {
    if (const auto parameter = kernel_parameter(reader, ir_val(value)); parameter && among.contains(*parameter)) return parameter;
    const ir::OpId made = program.values[value].definition;
    if (!made) return std::nullopt;
    const ir::Op& op = program.ops[made];
    if (op.kind == OpKind::Get) {
      // The last value that the variable was given.
      bool found = false;
      for (size_t i = program.ops.size(); i-- > 0 && !found;) {
        const ir::Op& set = program.ops[ir::OpId{static_cast<uint32_t>(i)}];
        if (set.kind != OpKind::Set) continue;
        const std::span<const ir::VarId> written = ir::written_vars(set);
        for (size_t k = 0; k < written.size(); ++k) {
          if (written[k] != op.attrs.var) continue;
          std::set<uint32_t> parts;
          arguments_in(program.types, program.types[program.values[set.operands[k]].type].dtype, parts);
          const bool some = std::any_of(parts.begin(), parts.end(), [&](uint32_t part) { return among.contains(part); });
          // `p += stride` reads the variable itself: look further back.
          const ir::OpId definition = program.values[set.operands[k]].definition;
          if (!some || definition == made || (definition && definition.index > made.index)) continue;
          value = set.operands[k];
          found = true;
          break;
        }
      }
      if (!found) return std::nullopt;
      continue;
    }
    if (op.operands.empty()) return std::nullopt;
    // Of a sum the first side that may hold a pointer.
    size_t next = op.operands.size();
    for (size_t i = 0; i < op.operands.size() && next == op.operands.size(); ++i) {
      const std::set<uint32_t> here = candidates(reader, program.types[program.values[op.operands[i]].type].dtype);
      if (std::any_of(here.begin(), here.end(), [&](uint32_t part) { return among.contains(part); })) next = i;
    }
    if (next == op.operands.size()) return std::nullopt;
    value = op.operands[next];
  }
  return std::nullopt;
}

bool is_constexpr(std::string_view annotation) { return annotation.find("constexpr") != std::string_view::npos; }

std::optional<ir::LooseKind> kind_of(const Val& fallback) {
  if (!fallback.is(ValKind::Number) || !fallback.number) return std::nullopt;
  if (std::holds_alternative<bool>(*fallback.number)) return ir::LooseKind::Bool;
  return std::holds_alternative<int64_t>(*fallback.number) ? std::nullopt : std::optional(ir::LooseKind::Float);
}

}  // namespace

void learn_number(Reader& reader, ir::DtypeId dtype) {
  std::set<uint32_t> all;
  arguments_in(reader.program.types, dtype, all);
  for (const uint32_t i : all) reader.knowledge[i].is_number = true;
}

ValueId parameter_value(Reader& reader, uint32_t index) {
  ValueId& value = reader.parameter_values[index].value;
  if (value) return value;
  reader.parameter_values[index].ops_before = reader.program.ops.size();
  const Knowledge& known = reader.knowledge[index];
  ir::Types& types = reader.types();
  ir::Param& param = reader.stack.front()->made->params[index];
  ir::TypeId type;
  switch (known.kind) {
    case Knowledge::Kind::Unknown:
    case Knowledge::Kind::Array:
    case Knowledge::Kind::ArrayList: TW_CHECK(false, "a parameter of no kind that Triton has");
    case Knowledge::Kind::Pointer:
      type = types.tile(types.pointer(known.scalar ? types.known(*known.scalar) : types.element(index)), {});
      param.kind = ir::ParamKind::Pointer;
      break;
    case Knowledge::Kind::Window: {
      Shape extents;
      for (uint32_t axis = 0; axis < known.rank; ++axis)
        extents.push_back(reader.arena().atom(param.name.string() + ".block_shape[" + std::to_string(axis) + "]"));
      type = types.window(types.element(index), std::move(extents));
      param.kind = ir::ParamKind::Window;
      break;
    }
    case Knowledge::Kind::Scalar:
      type = types.tile(known.scalar ? types.known(*known.scalar) : types.argument(index), {});
      param.kind = ir::ParamKind::Scalar;
      param.any_width = !known.scalar;
      break;
    case Knowledge::Kind::Constant:
      switch (known.passes) {
        case Knowledge::Passes::Number:
          type = types.constant(known.loose.value_or(ir::LooseKind::Int), reader.arena().atom(param.name));
          param.kind = ir::ParamKind::Constant;
          break;
        case Knowledge::Passes::Dtype:
          type = types.dtype_constant(types.passed(index));
          param.kind = ir::ParamKind::Dtype;
          break;
        case Knowledge::Passes::String: TW_CHECK(false, "a string is no value of the program");
      }
      break;
  }
  value = reader.program.values.add({.type = type, .definition = {}, .name = param.name});
  param.value = value;
  return value;
}

std::optional<uint32_t> undecided_parameter(Reader& reader, ValueId value) {
  const ir::Type& type = type_of(reader, value);
  if (type.kind != TypeKind::Tile || reader.types()[type.dtype].kind != ir::DtypeKind::Argument) return std::nullopt;
  const std::set<uint32_t> among = candidates(reader, type.dtype);
  return among.empty() ? std::nullopt : std::optional(*among.begin());
}

std::optional<ValueId> as_pointer(Reader& reader, NodeId node, const Val& given, std::string_view what) {
  if (given.is(ValKind::Parameter)) return settle_parameter(reader, node, given.index, Knowledge::Kind::Pointer);
  const Val val = materialise(reader, node, given);
  if (val.poison()) return std::nullopt;
  if (val.is(ValKind::Ir)) {
    if (is_pointer(reader, val.value)) return val.value;
    const ir::Type type = type_of(reader, val.value);
    if (type.kind == TypeKind::Tile) {
      const std::set<uint32_t> among = candidates(reader, type.dtype);
      std::optional<uint32_t> found;
      if (among.size() == 1) found = *among.begin();
      if (among.size() > 1) found = leftmost(reader, val.value, among);
      if (found) {
        Knowledge& known = reader.knowledge[*found];
        known.kind = Knowledge::Kind::Pointer;
        reader.learned = true;
        return std::nullopt;
      }
      if (!among.empty()) {
        std::string names;
        for (const uint32_t i : among)
          names.append(names.empty() ? "" : ", ").append("`" + reader.stack.front()->made->params[i].name.string() + "`");
        error(reader, node, messages::which_pointer, names);
        return std::nullopt;
      }
    }
  }
  error(reader, node, messages::not_pointer, what, describe(reader, val));
  return std::nullopt;
}

std::optional<ir::DtypeId> dtype_argument(Reader& reader, NodeId node, const Val& val, std::string_view what) {
  const auto parameter = kernel_parameter(reader, val);
  if (parameter && reader.knowledge[*parameter].kind == Knowledge::Kind::Constant) {
    Knowledge& known = reader.knowledge[*parameter];
    if (known.passes != Knowledge::Passes::Dtype) {
      known.passes = Knowledge::Passes::Dtype;
      reader.learned = true;
      return std::nullopt;
    }
  }
  return as_dtype(reader, node, val, what);
}

Val asked_of_launch(Reader& reader, NodeId node, const std::string& question) {
  return asked_of_launch(reader, node, question, reader.arena().atom(question));
}

Val asked_of_launch(Reader& reader, NodeId node, std::string question, sym::ExprId answer) {
  if (const auto known = truth(reader, answer)) return ir_val(literal(reader, node, sym::Value{*known}));
  ir::Attrs attrs;
  attrs.rare.edit().name = std::move(question);
  return ir_val(emit(reader, node, OpKind::Symbol, {}, reader.types().constant(ir::LooseKind::Bool, answer), std::move(attrs)));
}

namespace {

// The defaults of parameters, in their order; none() where there is none.
std::vector<NodeId> defaults_of(const syntax::Tree& tree, NodeId function) {
  const auto arguments = tree.as<syntax::Arguments>(tree.as<syntax::FunctionDef>(function).args);
  std::vector<NodeId> out(arguments.posonlyargs.size() + arguments.args.size());
  std::copy_backward(arguments.defaults.begin(), arguments.defaults.end(), out.end());
  out.resize(out.size() + arguments.kwonlyargs.size());
  return out;
}

// What the annotation of a parameter and its default say of it.
Knowledge declared(Reader& reader, Module& module, std::string_view annotation, NodeId fallback) {
  Knowledge known;
  if (is_constexpr(annotation)) {
    known.kind = Knowledge::Kind::Constant;
    const Val value = fallback ? evaluate(reader, module, fallback) : Val{};
    if (value.is(ValKind::String)) known.passes = Knowledge::Passes::String;
    if (value.is(ValKind::Dtype)) known.passes = Knowledge::Passes::Dtype;
    if (kind_of(value) == ir::LooseKind::Float) known.loose = ir::LooseKind::Float;
  } else if (annotation.find("pointer_type") != std::string_view::npos || annotation.starts_with("*")) {
    known.kind = Knowledge::Kind::Pointer;
  }
  return known;
}

std::string_view annotation_of(const syntax::Tree& tree, NodeId argument) {
  const NodeId annotation = tree.as<syntax::Arg>(argument).annotation;
  if (!annotation) return {};
  return tree.is_constant(annotation, syntax::ConstantKind::Str) ? tree.string_value(annotation) : tree.text(annotation);
}

}  // namespace

void make_parameters(Reader& reader, Frame& frame) {
  const syntax::Tree& tree = *frame.tree;
  const auto arguments = tree.as<syntax::Arguments>(tree.as<syntax::FunctionDef>(frame.node).args);
  for (const NodeId variadic : {arguments.vararg, arguments.kwarg}) {
    if (variadic) error(reader, variadic, messages::variadic_kernel, tree.as<syntax::Arg>(variadic).arg);
  }
  const std::vector<NodeId> nodes = parameters_of(tree, frame.node);
  const std::vector<NodeId> defaults = defaults_of(tree, frame.node);
  reader.parameter_values.assign(nodes.size(), {});

  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const std::string name(tree.as<syntax::Arg>(nodes[i]).arg);
    Knowledge& known = reader.knowledge[i];
    frame.made->params.push_back(
        {.name = name, .kind = ir::ParamKind::Unused, .value = {}, .span = tree.span(nodes[i]), .node = {nodes[i].index}});
    if (known.kind == Knowledge::Kind::Unknown) {
      Knowledge said = declared(reader, *frame.module, annotation_of(tree, nodes[i]), defaults[i]);
      if (said.kind != Knowledge::Kind::Unknown) known = std::move(said);
    }
    if (const auto text = reader.options.texts.find(name); text != reader.options.texts.end()) {
      bind_parameter(reader, nodes[i], tree.as<syntax::Arg>(nodes[i]).arg, string_val(text->second));
      continue;
    }
    Val val{.kind = ValKind::Parameter, .index = i};
    if (known.kind == Knowledge::Kind::Constant && known.passes == Knowledge::Passes::Number) {
      val = ir_val(parameter_value(reader, i));
      if (known.guessed) {
        const sym::ExprId floats = reader.arena().atom(name + " is float");
        assume_of_launch(reader, reader.arena().make(sym::ExprKind::Not, {floats}));
      }
    }
    if (find_local(frame.locals, name)->depends_on_path()) {
      // A parameter that is assigned again is a variable from the start: a number, until it is known to be a pointer.
      if (known.kind == Knowledge::Kind::Unknown) known.kind = Knowledge::Kind::Scalar;
      val = materialise(reader, nodes[i], val);
      if (val.is(ValKind::Ir)) val = ir_val(as_tensor(reader, nodes[i], val.value));
    }
    bind_parameter(reader, nodes[i], tree.as<syntax::Arg>(nodes[i]).arg, val);
  }
}

}  // namespace tilewright::front::triton
