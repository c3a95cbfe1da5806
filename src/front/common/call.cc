// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls. Dialects inline every function; we keep the author's, one instance for each combination of argument types that it is
// called with (and of what cannot be passed at run time: padding modes, functions, None).

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "front/common/dialect.h"
#include "front/common/reader.h"

namespace tilewright::front {

using ir::OpKind;
using ir::ParamKind;
using ir::TypeKind;

namespace {

constexpr size_t stack_limit = 60;  // functions that call functions

struct Parameter {
  std::string_view name;
  bool positional = true;
  bool keyword = true;
  bool optional = false;
};

// Assigns arguments to parameters as Python does; the result has an entry for each parameter. nullopt after a report.
std::optional<std::vector<const Argument*>> bind_arguments(Reader& reader, NodeId node, std::string_view function,
                                                           const std::vector<Parameter>& parameters,
                                                           const std::vector<Argument>& arguments) {
  std::vector<const Argument*> bound(parameters.size(), nullptr);
  size_t position = 0;
  for (const Argument& argument : arguments) {
    if (argument.name.empty()) {
      while (position < parameters.size() && !parameters[position].positional) ++position;
      if (position == parameters.size()) {
        error(reader, argument.node, messages::bad_argument, function, "so many positional arguments");
        return std::nullopt;
      }
      bound[position++] = &argument;
      continue;
    }
    const auto at = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const Parameter& parameter) { return parameter.name == argument.name; });
    if (at == parameters.end()) {
      error(reader, argument.node, messages::bad_argument, function, "an argument `" + std::string(argument.name) + "`");
      return std::nullopt;
    }
    if (!at->keyword) {
      error(reader, argument.node, messages::bad_argument, function,
            "`" + std::string(argument.name) + "` as a keyword, it is positional only");
      return std::nullopt;
    }
    const Argument*& place = bound[static_cast<size_t>(at - parameters.begin())];
    if (place) {
      error(reader, argument.node, messages::bad_argument, function, "two values for `" + std::string(argument.name) + "`");
      return std::nullopt;
    }
    place = &argument;
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (bound[i] || parameters[i].optional) continue;
    error(reader, node, messages::missing_argument, function, parameters[i].name);
    return std::nullopt;
  }
  return bound;
}

std::vector<Parameter> parse_signature(std::string_view signature) {
  std::vector<Parameter> parameters;
  parameters.reserve(static_cast<size_t>(std::count(signature.begin(), signature.end(), ',')) + 1);
  bool keyword_only = false;
  while (!signature.empty()) {
    const size_t comma = signature.find(',');
    std::string_view word = signature.substr(0, comma);
    signature.remove_prefix(comma == std::string_view::npos ? signature.size() : comma + 1);
    while (word.starts_with(' ')) word.remove_prefix(1);
    if (word == "/") {
      for (Parameter& parameter : parameters) parameter.keyword = false;
    } else if (word == "*") {
      keyword_only = true;
    } else if (word.starts_with('*')) {
      parameters.push_back({.name = word.substr(1), .positional = false, .keyword = true, .optional = false});
    } else {
      const bool optional = word.ends_with('=');
      if (optional) word.remove_suffix(1);
      parameters.push_back({.name = word, .positional = !keyword_only, .keyword = true, .optional = optional});
    }
  }
  return parameters;
}

// A parameter of the kernel that some function asks whether it is None: the answer is the parameter's.
bool asked_for_none(const Reader& reader, const Val& val) {
  const auto parameter = kernel_parameter(reader, val);
  return parameter && reader.knowledge[*parameter].may_be_none;
}

// What an argument looks like to the callee, as text: equal keys share an instance.
std::string key_of(Reader& reader, const Val& val) {
  switch (val.kind) {
    case ValKind::Ir:
      return "v" + std::to_string(type_id(reader, val.value).index) + (reader.frame->loose.contains(val.value) ? "?" : "") +
             (asked_for_none(reader, val) ? "p" + std::to_string(*kernel_parameter(reader, val)) : "");
    case ValKind::Number:
      return "n" + val.text + "=" + (val.number ? reader.arena().text(reader.arena().literal(*val.number)) : "");
    case ValKind::Dtype: return "d" + std::to_string(val.dtype.index);
    case ValKind::Parameter: return "p" + std::to_string(val.index);
    case ValKind::None: return "none";
    case ValKind::Ellipsis: return "...";
    case ValKind::String: return "s" + std::to_string(val.text.size()) + ":" + val.text;
    case ValKind::Tuple:
    case ValKind::Slice:
    case ValKind::Conditional:
    case ValKind::View:
    case ValKind::IndexSlice: {
      std::string text = val.is(ValKind::Tuple)   ? "("
                         : val.is(ValKind::Slice) ? "["
                                                  : "?" + std::to_string(val.condition.index) + "(";
      for (const Val& item : *val.items) text += key_of(reader, item) + ",";
      return text + ")";
    }
    case ValKind::Enum: return "e" + std::to_string(static_cast<int>(val.enumeration)) + "." + std::to_string(val.index);
    case ValKind::Builtin:
    case ValKind::Method: return "b" + std::string(val.builtin->name);
    case ValKind::Function:
      return "f" + std::to_string(val.module->tree->file().index) + "." + std::to_string(val.node.index) + "." +
             std::to_string(val.index);
    case ValKind::Namespace: return "m" + val.text;
    case ValKind::File: return "M" + std::to_string(val.module->tree->file().index);
    case ValKind::Poison:
    case ValKind::Kernel:
    case ValKind::Annotation:
    case ValKind::Foreign: return "x" + val.text;
  }
  return "";
}

bool holds_program_values(const Val& val) {
  if (val.is(ValKind::Ir)) return true;
  if (!val.items) return false;
  return std::any_of(val.items->begin(), val.items->end(), [](const Val& item) { return holds_program_values(item); });
}

struct Callee {
  const syntax::Tree* tree;
  syntax::FunctionDef def;
  syntax::Arguments arguments;
  std::vector<Parameter> parameters;
  std::vector<NodeId> nodes;     // Args
  std::vector<NodeId> defaults;  // or none()
};

Callee callee_of(const Val& function) {
  Callee callee;
  callee.tree = function.module->tree;
  callee.def = callee.tree->as<syntax::FunctionDef>(function.node);
  callee.arguments = callee.tree->as<syntax::Arguments>(callee.def.args);
  const syntax::Arguments& a = callee.arguments;
  const size_t positional = a.posonlyargs.size() + a.args.size();
  const auto add = [&](NodeId node, bool is_positional, bool is_keyword, NodeId fallback) {
    callee.parameters.push_back({.name = callee.tree->as<syntax::Arg>(node).arg,
                                 .positional = is_positional,
                                 .keyword = is_keyword,
                                 .optional = fallback.valid()});
    callee.nodes.push_back(node);
    callee.defaults.push_back(fallback);
  };
  for (size_t i = 0; i < positional; ++i) {
    const size_t without = positional - a.defaults.size();
    const NodeId fallback = i >= without ? a.defaults[i - without] : NodeId::none();
    const bool only = i < a.posonlyargs.size();
    add(only ? a.posonlyargs[i] : a.args[i - a.posonlyargs.size()], true, !only, fallback);
  }
  for (size_t i = 0; i < a.kwonlyargs.size(); ++i) add(a.kwonlyargs[i], false, true, a.kw_defaults[i]);
  return callee;
}

// Reads the body of a helper for these arguments.
std::optional<Instance> read_instance(Reader& reader, const Val& function, const Callee& callee,
                                      const std::vector<Val>& arguments) {
  Frame frame;
  frame.module = function.module;
  frame.tree = callee.tree;
  frame.node = function.node;
  if (function.index != 0) frame.running = function.index;
  const size_t assumes_before = reader.kernel->assumes.size();
  const size_t rank_uses_before = reader.rank_uses.size();

  ir::Function made;
  made.name = std::string(callee.def.name);
  made.kind = ir::FunctionKind::Helper;
  made.span = callee.tree->decorated_span(function.node);
  made.node = {function.node.index};
  frame.made = &made;
  frame.block = made.body = new_block(reader);
  enter_locals(reader, frame);
  Frame* const caller = reader.frame;
  std::vector<bool> loose_arguments;
  std::vector<std::optional<uint32_t>> passed;
  for (const Val& argument : arguments) passed.push_back(kernel_parameter(reader, argument));
  for (const Val& argument : arguments)
    loose_arguments.push_back(argument.is(ValKind::Ir) && caller->loose.contains(argument.value));
  reader.frame = &frame;
  reader.stack.push_back(&frame);
  frame.statement = function.node;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view name = callee.parameters[i].name;
    ir::Param param{.name = std::string(name),
                    .kind = ParamKind::Erased,
                    .value = {},
                    .span = callee.tree->span(callee.nodes[i]),
                    .node = {callee.nodes[i].index}};
    Val val = arguments[i];
    if (val.is(ValKind::Ir)) {
      const ir::Type& type = type_of(reader, val.value);
      switch (type.kind) {
        case TypeKind::Tile: param.kind = type.shape.empty() ? ParamKind::Scalar : ParamKind::Tile; break;
        case TypeKind::Const: param.kind = ParamKind::Constant; break;
        case TypeKind::DtypeConst: param.kind = ParamKind::Dtype; break;
        case TypeKind::Array: param.kind = ParamKind::Array; break;
        case TypeKind::ArrayList: param.kind = ParamKind::ArrayList; break;
        case TypeKind::Window: param.kind = ParamKind::Window; break;
        case TypeKind::None: break;
      }
      param.value = reader.program.values.add({.type = type_id(reader, val.value), .definition = {}, .name = std::string(name)});
      if (loose_arguments[i]) frame.loose.insert(param.value);
      if (passed[i]) frame.kernel_parameters[param.value] = *passed[i];
      val = ir_val(param.value);
    }
    made.params.push_back(std::move(param));
    bind_parameter(reader, callee.nodes[i], name, val);
  }
  const uint32_t errors = reader.errors;
  const Confirmed confirmed_before = std::exchange(reader.confirmed, {});
  read_statements(reader, callee.def.body);
  std::optional<Instance> instance;
  if (reader.errors == errors) {
    const auto result = finish_returns(reader, frame);
    if (result) {
      made.instance = reader.instance_counts[{function.module, function.node}]++;
      const ir::FunctionId id = reader.program.functions.add(std::move(made));
      instance = Instance{.function = id, .result = *result, .module = function.module, .node = function.node};
      instance->assumes = ShortList(std::span<const sym::ExprId>(reader.kernel->assumes).subspan(assumes_before));
    }
  }
  reader.stack.pop_back();
  reader.frame = caller;
  if (instance) {
    if (reader.rank_uses.size() > rank_uses_before) instance->rank_uses = rank_uses_since(reader, rank_uses_before);
    if (!reader.confirmed.empty()) instance->confirmed = reader.confirmed;
    for (const uint32_t integer : frame.integers) instance->integers.push_back(integer);
  }
  reader.confirmed.add(confirmed_before);
  return instance;
}

}  // namespace

// Names in the default of a function inside of another one may be that one's.
static Val default_of(Reader& reader, const Val& function, NodeId node) {
  const bool is_known = function.index == 0 || function.module->tree->is(node, NodeKind::Constant);
  return is_known ? evaluate(reader, *function.module, node) : calculated_val();
}

const Instance* instance_of(Reader& reader, NodeId node, const Val& function, const std::vector<Argument>& given,
                            std::vector<Val>& arguments) {
  const auto refused = [](const Val&) { return nullptr; };
  const Callee callee = callee_of(function);
  const std::string name(callee.def.name);
  if (callee.arguments.vararg || callee.arguments.kwarg)
    return refused(error(reader, node, messages::unconverted_syntax, "a helper with `*args` or `**kwargs`"));
  const auto bound = bind_arguments(reader, node, name, callee.parameters, given);
  if (!bound) return nullptr;
  for (const Frame* frame : reader.stack) {
    if (frame->node == function.node && frame->tree == callee.tree)
      return refused(error(reader, node, messages::recursion, name));
  }
  if (reader.stack.size() >= stack_limit) return refused(error(reader, node, messages::too_deep));
  const Module* const module = function.module;
  if (module->is_main) reader.read_names.insert(name);

  for (size_t i = 0; i < bound->size(); ++i) {
    Val val = (*bound)[i] ? (*bound)[i]->value : default_of(reader, function, callee.defaults[i]);
    const NodeId at = (*bound)[i] ? (*bound)[i]->node : node;
    if (!(*bound)[i] && (val.is(ValKind::Foreign) || (val.is(ValKind::Number) && !val.number))) {
      return refused(error(reader, node, messages::unconverted_argument,
                           "the default of `" + std::string(callee.parameters[i].name) + "` is not a constant known here"));
    }
    if (val.poison()) return nullptr;
    if (!(*bound)[i]) val.text.clear();
    if (val.is(ValKind::Parameter)) reader.handed_on.insert(val.index);
    val = materialise(reader, at, val);
    if (!val.is(ValKind::Ir) && holds_program_values(val)) {
      return refused(error_with(reader, at, "pass its items one by one", messages::unconverted_argument,
                                "a tuple of run-time values is passed to `" + name + "`"));
    }
    arguments.push_back(std::move(val));
  }
  std::string key = key_of(reader, function) + ":";
  for (const Val& argument : arguments) key += key_of(reader, argument) + ";";
  auto found = reader.instances.find(key);
  if (found == reader.instances.end()) {
    auto instance = read_instance(reader, function, callee, arguments);
    if (!instance) return nullptr;
    found = reader.instances.emplace(key, std::move(*instance)).first;
  } else {
    reader.confirmed.add(*found->second.confirmed);
    reader.kernel->assumes.insert(reader.kernel->assumes.end(), found->second.assumes.begin(), found->second.assumes.end());
    if (!repeat_rank_uses(reader, node, *found->second.rank_uses)) return nullptr;
  }
  for (const uint32_t integer : found->second.integers) confirm_integer(reader, arguments[integer].value);
  return &found->second;
}

namespace {

Val call_helper(Reader& reader, NodeId node, const Val& function, const std::vector<Argument>& given) {
  std::vector<Val> arguments;
  const Instance* read = instance_of(reader, node, function, given, arguments);
  if (!read) return {};
  const Instance& instance = *read;
  std::vector<ir::ValueId> operands;
  for (const Val& argument : arguments) {
    if (argument.is(ValKind::Ir)) operands.push_back(argument.value);
  }
  ir::Attrs attrs;
  attrs.rare.edit().function = instance.function;
  const ShortList<ir::TypeId> results = reader.program.functions[instance.function].results;
  const ir::OpId op = emit_op(reader, node, OpKind::Call, operands, results, std::move(attrs));
  return with_leaves(instance.result, [&](const Val& val) {
    return val.is(ValKind::Ir) ? ir_val(reader.program.ops[op].results[val.value.index]) : val;
  });
}

}  // namespace

const BoundArgument& Call::operator[](std::string_view name) const {
  for (const BoundArgument& argument : arguments) {
    if (argument.name == name) return argument;
  }
  TW_CHECK(false, "a handler asks for an argument that its signature does not have");
}

// `*shape` in a signature takes the positional arguments from its place on: one tuple, or its items one by one.
static std::vector<Argument> gathered(std::string_view signature, NodeId node, std::vector<Argument> arguments) {
  const size_t star = signature.find('*');
  if (star == std::string_view::npos || star + 1 == signature.size() || signature[star + 1] == ',') return arguments;
  const auto before =
      static_cast<size_t>(std::count(signature.begin(), signature.begin() + static_cast<std::ptrdiff_t>(star), ','));
  const size_t end = std::min(signature.find(',', star), signature.size());
  const std::string_view name = signature.substr(star + 1, end - star - 1);
  const auto is_named = [&](const Argument& argument) { return argument.name == name; };
  if (std::any_of(arguments.begin(), arguments.end(), is_named)) return arguments;
  std::vector<Argument> out;
  std::vector<Val> items;
  NodeId first = node;
  size_t position = 0;
  for (Argument& argument : arguments) {
    if (!argument.name.empty() || position++ < before) {
      out.push_back(std::move(argument));
      continue;
    }
    if (items.empty()) first = argument.node;
    items.push_back(std::move(argument.value));
  }
  const bool whole = items.size() == 1 && items[0].is(ValKind::Tuple);
  out.push_back({name, whole ? items[0] : tuple_val(std::move(items)), first});
  return out;
}

Val call_builtin(Reader& reader, NodeId node, const Builtin& builtin, std::vector<Argument> arguments) {
  arguments = gathered(builtin.signature, node, std::move(arguments));
  const std::vector<Parameter> parameters = parse_signature(builtin.signature);
  const auto bound = bind_arguments(reader, node, builtin.name, parameters, arguments);
  if (!bound) return {};
  Call call{.node = node, .builtin = &builtin, .arguments = {}};
  call.arguments.reserve(parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Argument* argument = (*bound)[i];
    if (argument && argument->value.poison()) return {};
    call.arguments.push_back(
        {parameters[i].name, argument ? std::optional(argument->value) : std::nullopt, argument ? argument->node : node});
  }
  return builtin.handler(reader, call);
}

// What a call calls: the narrowest place of a refusal to call it.
static NodeId called(const Reader& reader, NodeId node) {
  const auto call = reader.tree().get_if<syntax::Call>(node);
  return call ? call->func : node;
}

Val call_function(Reader& reader, NodeId node, const Val& callee, std::vector<Argument> arguments) {
  switch (callee.kind) {
    case ValKind::Builtin: return call_builtin(reader, node, *callee.builtin, std::move(arguments));
    case ValKind::Method:
      arguments.insert(arguments.begin(), Argument{{}, (*callee.items)[0], node});
      return call_builtin(reader, node, *callee.builtin, std::move(arguments));
    case ValKind::Function: return call_helper(reader, node, callee, arguments);
    case ValKind::Dtype: return reader.dialect.call_dtype(reader, node, callee.dtype, arguments);
    case ValKind::Ir:
      if (const auto dtype = dtype_value(reader, node, callee))
        return reader.dialect.call_dtype(reader, node, type_of(reader, *dtype).dtype, arguments);
      break;
    case ValKind::Conditional: return error(reader, node, messages::depends_on_launch, "the function that is called");
    case ValKind::Foreign: return reader.dialect.call_foreign(reader, node, callee);
    case ValKind::Kernel:
      return error_with(reader, called(reader, node), "move what both need into a helper function", messages::not_callable,
                        describe(reader, callee));
    case ValKind::Poison: return {};
    case ValKind::Number:
    case ValKind::Parameter:
    case ValKind::None:
    case ValKind::Ellipsis:
    case ValKind::String:
    case ValKind::Tuple:
    case ValKind::Slice:
    case ValKind::Enum:
    case ValKind::Namespace:
    case ValKind::File:
    case ValKind::Annotation:
    case ValKind::View:
    case ValKind::IndexSlice: break;
  }
  return error(reader, called(reader, node), messages::not_callable, describe(reader, callee));
}

Val read_call(Reader& reader, NodeId node) {
  const syntax::Tree& tree = reader.tree();
  const auto call = tree.as<syntax::Call>(node);
  const Val callee = read_expression(reader, call.func);
  if (callee.poison()) return {};
  if (const auto read = reader.dialect.own_call(reader, node, callee)) return *read;
  if (callee.is(ValKind::Foreign)) return call_function(reader, node, callee, {});
  std::vector<Argument> arguments;
  arguments.reserve(call.args.size() + call.keywords.size() + 1);  // and what a method is called on
  bool poison = false;
  for (const NodeId argument : call.args) {
    if (const auto star = tree.get_if<syntax::Starred>(argument)) {
      const Val items = read_expression(reader, star->value);
      if (items.poison()) return {};
      if (!items.is(ValKind::Tuple))
        return error(reader, argument, messages::wrong_kind, "a starred argument", "a tuple", describe(reader, items));
      for (const Val& item : *items.items) arguments.push_back({{}, item, star->value});
      continue;
    }
    arguments.push_back({{}, read_expression(reader, argument), argument});
    poison |= arguments.back().value.poison();
  }
  for (const NodeId word : call.keywords) {
    const auto keyword = tree.as<syntax::Keyword>(word);
    if (keyword.arg.empty()) return error(reader, word, messages::unconverted_syntax, "`**` in a call");
    arguments.push_back({keyword.arg, read_expression(reader, keyword.value), keyword.value});
    poison |= arguments.back().value.poison();
  }
  if (poison) return {};
  return call_function(reader, node, callee, std::move(arguments));
}

}  // namespace tilewright::front
