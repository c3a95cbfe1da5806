// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/module.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "front/cutile/builtins.h"
#include "front/cutile/reader.h"

namespace tilewright::front::cutile {

using syntax::NodeList;
using syntax::Tree;

namespace {

constexpr uint32_t evaluation_limit = 200;  // nesting of module-level expressions that are looked into

void bind(Module& module, std::string_view name, Global global) {
  const auto [at, fresh] = module.globals.try_emplace(name, global);
  if (fresh) {
    module.order.push_back(name);
    return;
  }
  // `try: import cuda.tile as ct` / `except ImportError: ct = None` keeps the import; a function that is defined twice under
  // two conditions, or a constant that is assigned twice, is not ours to choose.
  const bool was_import = at->second.kind == Global::Kind::Import || at->second.kind == Global::Kind::ImportFrom;
  const bool is_none = global.kind == Global::Kind::Assign && module.tree->is_constant(global.value, syntax::ConstantKind::None);
  if (was_import && is_none) return;
  const bool is_import = global.kind == Global::Kind::Import || global.kind == Global::Kind::ImportFrom;
  if (is_import && was_import && at->second.dotted == global.dotted && at->second.attribute == global.attribute) return;
  global.kind = Global::Kind::Ambiguous;
  at->second = global;
}

void bind_target(Module& module, NodeId statement, NodeId target, NodeId value) {
  const Tree& tree = *module.tree;
  if (const auto name = tree.get_if<syntax::Name>(target)) {
    bind(module, name->id,
         {.kind = Global::Kind::Assign, .node = statement, .value = value, .dotted = {}, .attribute = {}, .val = {}});
    return;
  }
  const auto each = [&](NodeList elements) {
    const bool parallel =
        value && (tree.is(value, NodeKind::Tuple) && tree.as<syntax::Tuple>(value).elts.size() == elements.size());
    for (size_t i = 0; i < elements.size(); ++i) {
      bind_target(module, statement, elements[i], parallel ? tree.as<syntax::Tuple>(value).elts[i] : NodeId::none());
    }
  };
  if (const auto tuple = tree.get_if<syntax::Tuple>(target)) each(tuple->elts);
  if (const auto list = tree.get_if<syntax::List>(target)) each(list->elts);
  if (const auto star = tree.get_if<syntax::Starred>(target)) bind_target(module, statement, star->value, NodeId::none());
}

void scan(Module& module, NodeList body, uint32_t depth);

void scan_statement(Module& module, NodeId node, uint32_t depth) {
  const Tree& tree = *module.tree;
  if (const auto def = tree.get_if<syntax::FunctionDef>(node)) {
    bind(module, def->name,
         {.kind = Global::Kind::Function, .node = node, .value = {}, .dotted = {}, .attribute = {}, .val = {}});
  } else if (const auto cls = tree.get_if<syntax::ClassDef>(node)) {
    bind(module, cls->name, {.kind = Global::Kind::Class, .node = node, .value = {}, .dotted = {}, .attribute = {}, .val = {}});
  } else if (const auto assign = tree.get_if<syntax::Assign>(node)) {
    for (const NodeId target : assign->targets) bind_target(module, node, target, assign->value);
  } else if (const auto annotated = tree.get_if<syntax::AnnAssign>(node)) {
    if (annotated->value) bind_target(module, node, annotated->target, annotated->value);
  } else if (const auto augmented = tree.get_if<syntax::AugAssign>(node)) {
    bind_target(module, node, augmented->target, NodeId::none());
  } else if (const auto import = tree.get_if<syntax::Import>(node)) {
    for (const NodeId item : import->names) {
      const auto alias = tree.as<syntax::Alias>(item);
      Global global{
          .kind = Global::Kind::Import, .node = node, .value = {}, .dotted = std::string(alias.name), .attribute = {}, .val = {}};
      std::string_view name = alias.asname;
      if (name.empty()) {
        name = alias.name.substr(0, alias.name.find('.'));
        global.dotted = std::string(name);
      }
      bind(module, name, std::move(global));
    }
  } else if (const auto from = tree.get_if<syntax::ImportFrom>(node)) {
    for (const NodeId item : from->names) {
      const auto alias = tree.as<syntax::Alias>(item);
      bind(module, alias.asname.empty() ? alias.name : alias.asname,
           {.kind = Global::Kind::ImportFrom,
            .node = node,
            .value = {},
            .dotted = std::string(from->module),
            .attribute = std::string(alias.name),
            .level = static_cast<uint32_t>(from->level),
            .val = {}});
    }
  } else if (const auto branch = tree.get_if<syntax::If>(node)) {
    scan(module, branch->body, depth + 1);
    scan(module, branch->orelse, depth + 1);
  } else if (const auto attempt = tree.get_if<syntax::Try>(node)) {
    scan(module, attempt->body, depth + 1);
    for (const NodeId handler : attempt->handlers) scan(module, tree.as<syntax::ExceptHandler>(handler).body, depth + 1);
    scan(module, attempt->orelse, depth + 1);
    scan(module, attempt->finalbody, depth + 1);
  } else if (const auto with = tree.get_if<syntax::With>(node)) {
    scan(module, with->body, depth + 1);
  } else if (const auto loop = tree.get_if<syntax::For>(node)) {
    bind_target(module, node, loop->target, NodeId::none());
    scan(module, loop->body, depth + 1);
    scan(module, loop->orelse, depth + 1);
  } else if (const auto loop_while = tree.get_if<syntax::While>(node)) {
    scan(module, loop_while->body, depth + 1);
  }
}

void scan(Module& module, NodeList body, uint32_t depth) {
  if (depth > evaluation_limit) return;
  for (const NodeId node : body) {
    // `elif` ladders are chains of one If in another's orelse; walk them here instead of recursing.
    NodeId at = node;
    while (module.tree->is(at, NodeKind::If)) {
      const auto branch = module.tree->as<syntax::If>(at);
      if (branch.orelse.size() != 1 || !module.tree->is(branch.orelse[0], NodeKind::If)) break;
      scan(module, branch.body, depth + 1);
      at = branch.orelse[0];
    }
    scan_statement(module, at, depth);
  }
}

// Numbers ---------------------------------------------------------------------------------------------------------------------

Val number_val(sym::Value value) {
  Val val{.kind = ValKind::Number};
  val.number = value;
  return val;
}

Val dtype_val(Reader& reader, ir::Scalar scalar) {
  Val val{.kind = ValKind::Dtype};
  val.dtype = reader.types().known(scalar);
  return val;
}

Val namespace_val(std::string dotted) { return {.kind = ValKind::Namespace, .text = std::move(dotted)}; }

std::optional<double> as_double(const Val& val) {
  if (!val.is(ValKind::Number) || !val.number) return std::nullopt;
  return std::visit([](auto v) { return static_cast<double>(v); }, *val.number);
}

std::optional<sym::ExprKind> expression_kind(syntax::Operator op) {
  switch (op) {
    case syntax::Operator::Add: return sym::ExprKind::Add;
    case syntax::Operator::Sub: return sym::ExprKind::Sub;
    case syntax::Operator::Mult: return sym::ExprKind::Mul;
    case syntax::Operator::MatMult: return std::nullopt;
    case syntax::Operator::Div: return sym::ExprKind::TrueDiv;
    case syntax::Operator::Mod: return sym::ExprKind::Mod;
    case syntax::Operator::Pow: return sym::ExprKind::Pow;
    case syntax::Operator::LShift: return sym::ExprKind::Shl;
    case syntax::Operator::RShift: return sym::ExprKind::Shr;
    case syntax::Operator::BitOr: return sym::ExprKind::BitOr;
    case syntax::Operator::BitXor: return sym::ExprKind::BitXor;
    case syntax::Operator::BitAnd: return sym::ExprKind::BitAnd;
    case syntax::Operator::FloorDiv: return sym::ExprKind::FloorDiv;
  }
  return std::nullopt;
}

Val folded(Reader& reader, sym::ExprKind kind, const std::vector<Val>& operands) {
  std::vector<sym::ExprId> ids;
  for (const Val& operand : operands) {
    if (!operand.is(ValKind::Number) || !operand.number) return foreign_val("a value that is calculated on the host");
    ids.push_back(reader.arena().literal(*operand.number));
  }
  if (const auto value = reader.arena().literal_of(reader.arena().make(kind, ids))) return number_val(*value);
  return foreign_val("a value that is calculated on the host");
}

// Calls of functions without side effects on known numbers: `math.log(2)`, `float("inf")`, `int(4.0)`.
Val evaluated_call(const std::string& function, const std::vector<Val>& arguments) {
  const Val unknown = foreign_val("a value that is calculated on the host");
  if (arguments.size() == 1 && arguments[0].is(ValKind::String) && function == "float") {
    std::string text = arguments[0].text;
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const double infinity = std::numeric_limits<double>::infinity();
    if (text == "inf" || text == "+inf" || text == "infinity") return number_val(infinity);
    if (text == "-inf" || text == "-infinity") return number_val(-infinity);
    if (text == "nan") return number_val(std::numeric_limits<double>::quiet_NaN());
    return unknown;
  }
  std::vector<double> x;
  for (const Val& argument : arguments) {
    const auto value = as_double(argument);
    if (!value) return unknown;
    x.push_back(*value);
  }
  const auto integer = [&](double value) {
    return std::isfinite(value) && std::abs(value) < 0x1p62 ? number_val(static_cast<int64_t>(value)) : unknown;
  };
  if (x.size() == 1) {
    if (function == "math.log") return x[0] > 0 ? number_val(std::log(x[0])) : unknown;
    if (function == "math.log2") return x[0] > 0 ? number_val(std::log2(x[0])) : unknown;
    if (function == "math.log10") return x[0] > 0 ? number_val(std::log10(x[0])) : unknown;
    if (function == "math.sqrt") return x[0] >= 0 ? number_val(std::sqrt(x[0])) : unknown;
    if (function == "math.exp") return number_val(std::exp(x[0]));
    if (function == "math.floor") return integer(std::floor(x[0]));
    if (function == "math.ceil") return integer(std::ceil(x[0]));
    if (function == "float") return number_val(x[0]);
    if (function == "int") {
      return std::holds_alternative<double>(*arguments[0].number) ? integer(std::trunc(x[0]))
             : std::holds_alternative<bool>(*arguments[0].number) ? integer(x[0])
                                                                  : arguments[0];
    }
    if (function == "bool") return number_val(x[0] != 0);
    if (function == "abs" && std::holds_alternative<double>(*arguments[0].number)) return number_val(std::abs(x[0]));
  }
  if (x.size() == 2) {
    if (function == "math.pow") return number_val(std::pow(x[0], x[1]));
    if (function == "math.log" && x[0] > 0 && x[1] > 0) return number_val(std::log(x[0]) / std::log(x[1]));
    if (function == "min") return x[1] < x[0] ? arguments[1] : arguments[0];
    if (function == "max") return x[1] > x[0] ? arguments[1] : arguments[0];
  }
  return unknown;
}

// What kind of number an expression gives whose value is not known: `int(os.environ[…])`.
Val unknown_number(Module& module, NodeId node) {
  const Tree& tree = *module.tree;
  if (const auto call = tree.get_if<syntax::Call>(node)) {
    if (const auto name = tree.get_if<syntax::Name>(call->func)) {
      Val val{.kind = ValKind::Number};
      if (name->id == "int" || name->id == "len")
        val.index = static_cast<uint32_t>(ir::LooseKind::Int);
      else if (name->id == "float")
        val.index = static_cast<uint32_t>(ir::LooseKind::Float);
      else if (name->id == "bool")
        val.index = static_cast<uint32_t>(ir::LooseKind::Bool);
      else
        return foreign_val("a value that is calculated on the host");
      return val;
    }
  }
  if (const auto compare = tree.get_if<syntax::Compare>(node); compare && compare->ops.size() == 1) {
    Val val{.kind = ValKind::Number};
    val.index = static_cast<uint32_t>(ir::LooseKind::Bool);
    return val;
  }
  return foreign_val("a value that is calculated on the host");
}

}  // namespace

Module& Modules::of(const Tree& tree) {
  for (Module& module : modules_) {
    if (module.tree == &tree) return module;
  }
  Module& module = modules_.emplace_back();
  module.tree = &tree;
  module.is_main = modules_.size() == 1;
  if (tree.is(tree.root(), NodeKind::Module)) scan(module, tree.as<syntax::Module>(tree.root()).body, 0);
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    if (const auto statement = tree.get_if<syntax::Global>(NodeId{i})) {
      for (const syntax::Identifier name : statement->names) module.reassigned.insert(name.text);
    }
  }
  return module;
}

std::optional<Val> python_name(std::string_view name) {
  if (const Builtin* builtin = find_builtin(BuiltinSet::Python, name)) {
    return Val{.kind = ValKind::Builtin, .builtin = builtin};
  }
  if (name == "None") return none_val();
  for (const std::string_view host : {"sum",
                                      "pow",
                                      "round",
                                      "isinstance",
                                      "type",
                                      "list",
                                      "dict",
                                      "zip",
                                      "enumerate",
                                      "map",
                                      "open",
                                      "set",
                                      "sorted",
                                      "any",
                                      "all",
                                      "filter",
                                      "hasattr",
                                      "getattr",
                                      "reversed",
                                      "object",
                                      "complex",
                                      "bytes",
                                      "id",
                                      "input",
                                      "iter",
                                      "next",
                                      "super",
                                      "vars",
                                      "ValueError",
                                      "TypeError",
                                      "RuntimeError",
                                      "Exception",
                                      "NotImplementedError",
                                      "AssertionError",
                                      "property",
                                      "staticmethod",
                                      "classmethod",
                                      "slice"}) {
    if (name == host) return foreign_val("the Python builtin `" + std::string(name) + "`");
  }
  return std::nullopt;
}

std::optional<Val> namespace_attribute(Reader& reader, const std::string& text, std::string_view name) {
  const std::string dotted = text + "." + std::string(name);
  if (text == "cuda") return name == "tile" ? namespace_val("cuda.tile") : foreign_val("`" + dotted + "`");
  if (text == "cuda.tile") {
    if (const auto scalar = ir::scalar_named(name)) return dtype_val(reader, *scalar);
    if (name == "PaddingMode" || name == "RoundingMode" || name == "MemoryOrder" || name == "MemoryScope")
      return namespace_val(dotted);
    if (name == "Constant" || name == "IndexedWithInt64" || name == "ScalarInt64" || name == "Array") {
      return Val{.kind = ValKind::Annotation, .text = dotted};
    }
    if (const Builtin* builtin = find_builtin(BuiltinSet::CuTile, name)) return Val{.kind = ValKind::Builtin, .builtin = builtin};
    if (is_host_name(name) || unconverted_reason(name)) return foreign_val(dotted);
    return std::nullopt;
  }
  const auto member = [&](Enumeration enumeration,
                          std::initializer_list<std::pair<std::string_view, uint32_t>> members) -> std::optional<Val> {
    for (const auto& [member_name, index] : members) {
      if (member_name == name) return enum_val(enumeration, index);
    }
    return std::nullopt;
  };
  const auto at = [](auto value) { return static_cast<uint32_t>(value); };
  if (text == "cuda.tile.PaddingMode") {
    using ir::Padding;
    return member(Enumeration::Padding, {{"UNDETERMINED", at(Padding::Undetermined)},
                                         {"ZERO", at(Padding::Zero)},
                                         {"NEG_ZERO", at(Padding::NegZero)},
                                         {"NAN", at(Padding::Nan)},
                                         {"POS_INF", at(Padding::PosInf)},
                                         {"NEG_INF", at(Padding::NegInf)}});
  }
  if (text == "cuda.tile.RoundingMode") {
    using ir::Rounding;
    return member(Enumeration::Rounding, {{"RN", at(Rounding::Nearest)},
                                          {"RZ", at(Rounding::Zero)},
                                          {"RM", at(Rounding::MinusInf)},
                                          {"RP", at(Rounding::PlusInf)},
                                          {"FULL", at(Rounding::Full)},
                                          {"APPROX", at(Rounding::Approx)}});
  }
  if (text == "cuda.tile.MemoryOrder") {
    using ir::MemoryOrder;
    return member(Enumeration::MemoryOrder, {{"WEAK", at(MemoryOrder::Weak)},
                                             {"RELAXED", at(MemoryOrder::Relaxed)},
                                             {"ACQUIRE", at(MemoryOrder::Acquire)},
                                             {"RELEASE", at(MemoryOrder::Release)},
                                             {"ACQ_REL", at(MemoryOrder::AcqRel)}});
  }
  if (text == "cuda.tile.MemoryScope") {
    using ir::MemoryScope;
    return member(Enumeration::MemoryScope, {{"NONE", at(MemoryScope::None)},
                                             {"BLOCK", at(MemoryScope::Block)},
                                             {"DEVICE", at(MemoryScope::Device)},
                                             {"SYS", at(MemoryScope::Sys)}});
  }
  if (text == "math") {
    if (name == "pi") return number_val(std::numbers::pi);
    if (name == "e") return number_val(std::numbers::e);
    if (name == "tau") return number_val(2 * std::numbers::pi);
    if (name == "inf") return number_val(std::numeric_limits<double>::infinity());
    if (name == "nan") return number_val(std::numeric_limits<double>::quiet_NaN());
    return foreign_val(dotted);
  }
  if (text == "torch" || text == "numpy" || text == "ml_dtypes") {
    std::string_view dtype = name;
    if (text == "torch") {
      if (name == "half") dtype = "float16";
      if (name == "float") dtype = "float32";
      if (name == "double") dtype = "float64";
      if (name == "int") dtype = "int32";
      if (name == "long") dtype = "int64";
      if (name == "short") dtype = "int16";
      if (name == "bool") dtype = "bool_";
    } else {
      if (name == "half") dtype = "float16";
      if (name == "single") dtype = "float32";
      if (name == "double") dtype = "float64";
      if (name == "newaxis") return none_val();
    }
    const bool not_theirs = dtype == "tfloat32" || (dtype == "bool_" && text == "torch" && name == "bool_");
    if (const auto scalar = ir::scalar_named(dtype); scalar && !not_theirs) return dtype_val(reader, *scalar);
    if (name == "inf") return number_val(std::numeric_limits<double>::infinity());
    if (name == "nan") return number_val(std::numeric_limits<double>::quiet_NaN());
    if (name == "pi") return number_val(std::numbers::pi);
    if (name == "e") return number_val(std::numbers::e);
    return foreign_val("`" + dotted + "`");
  }
  if (text == "builtins") {
    if (auto val = python_name(name)) return val;
  }
  return foreign_val("`" + dotted + "`");
}

std::optional<Val> file_attribute(Reader& reader, Module& module, std::string_view name) {
  if (auto val = global_value(reader, module, name)) return val;
  // A package's submodule is an attribute of it once somebody has imported it.
  if (const Tree* tree =
          reader.resolver ? reader.resolver({.from = module.tree->file(), .level = 1, .module = std::string(name)}) : nullptr) {
    return Val{.kind = ValKind::File, .module = &reader.modules.of(*tree)};
  }
  return std::nullopt;
}

namespace {

bool is_known_package(std::string_view dotted) {
  for (const std::string_view known :
       {"cuda", "cuda.tile", "math", "torch", "numpy", "ml_dtypes", "builtins", "operator", "functools", "typing", "os", "sys"}) {
    if (dotted == known) return true;
  }
  return dotted.starts_with("cuda.tile.");
}

Val imported_module(Reader& reader, Module& from, uint32_t level, const std::string& dotted) {
  if (level == 0 && is_known_package(dotted)) return namespace_val(dotted);
  if (reader.resolver) {
    if (const Tree* tree = reader.resolver({.from = from.tree->file(), .level = level, .module = dotted})) {
      return {.kind = ValKind::File, .module = &reader.modules.of(*tree)};
    }
  }
  return namespace_val(std::string(level, '.') + dotted);
}

Val unread_global(Reader& reader, Module& module, std::string_view name, const Global& global) {
  const Tree& tree = *module.tree;
  switch (global.kind) {
    case Global::Kind::Import: return imported_module(reader, module, 0, global.dotted);
    case Global::Kind::ImportFrom: {
      const Val from = imported_module(reader, module, global.level, global.dotted);
      if (from.is(ValKind::File)) {
        if (auto val = file_attribute(reader, *from.module, global.attribute)) return *val;
        return foreign_val("imported from `" + global.dotted + "`, which does not define it");
      }
      // `from . import utils` and `from package import module`
      if (reader.resolver && !is_known_package(from.text)) {
        const std::string submodule = global.dotted.empty() ? global.attribute : global.dotted + "." + global.attribute;
        if (const Tree* found = reader.resolver({.from = tree.file(), .level = global.level, .module = submodule})) {
          return {.kind = ValKind::File, .module = &reader.modules.of(*found)};
        }
      }
      if (!is_known_package(from.text)) return foreign_val("imported from `" + from.text + "`");
      if (auto val = namespace_attribute(reader, from.text, global.attribute)) return *val;
      return foreign_val("imported from `" + from.text + "`, which has no such name");
    }
    case Global::Kind::Function: {
      if (is_kernel(reader, module, global.node)) return {.kind = ValKind::Kernel, .text = std::string(name)};
      const auto def = tree.as<syntax::FunctionDef>(global.node);
      for (const NodeId decorator : def.decorator_list) {
        NodeId at = decorator;
        if (const auto call = tree.get_if<syntax::Call>(at)) at = call->func;
        const Val val = evaluate(reader, module, at);
        if (!val.is(ValKind::Foreign) || val.text != "cuda.tile.function") {
          return {.kind = ValKind::Foreign, .node = global.node, .text = "decorated"};
        }
      }
      return {.kind = ValKind::Function, .module = &module, .node = global.node, .text = std::string(name)};
    }
    case Global::Kind::Class: return foreign_val("the class `" + std::string(name) + "`");
    case Global::Kind::Ambiguous: return foreign_val("bound more than once");
    case Global::Kind::Assign: {
      if (!global.value || module.reassigned.contains(name)) return foreign_val("a variable of the host");
      Val val = evaluate(reader, module, global.value);
      if (val.is(ValKind::Foreign) && val.text == "a value that is calculated on the host")
        val = unknown_number(module, global.value);
      return val;
    }
  }
  return foreign_val("unknown");
}

}  // namespace

std::optional<Val> global_value(Reader& reader, Module& module, std::string_view name) {
  const auto found = module.globals.find(name);
  if (found == module.globals.end()) return std::nullopt;
  Global& global = found->second;
  if (global.state == Global::State::Reading) return foreign_val("defined by itself");
  if (global.state == Global::State::Unread) {
    global.state = Global::State::Reading;
    Val val = unread_global(reader, module, name, global);
    global.val = std::move(val);
    global.state = Global::State::Read;
  }
  return global.val;
}

Val evaluate(Reader& reader, Module& module, NodeId node, uint32_t depth) {
  const Tree& tree = *module.tree;
  const Val host = foreign_val("a value that is calculated on the host");
  if (depth > evaluation_limit) return host;
  const NodeKind kind = tree.kind(node);
  if (kind == NodeKind::Constant) {
    switch (tree.constant_kind(node)) {
      case syntax::ConstantKind::None: return none_val();
      case syntax::ConstantKind::True: return number_val(true);
      case syntax::ConstantKind::False: return number_val(false);
      case syntax::ConstantKind::Ellipsis: return {.kind = ValKind::Ellipsis};
      case syntax::ConstantKind::Int: {
        const auto value = tree.int_value(node);
        return value ? number_val(*value) : host;
      }
      case syntax::ConstantKind::Float: return number_val(tree.float_value(node));
      case syntax::ConstantKind::Str: return string_val(std::string(tree.string_value(node)));
      case syntax::ConstantKind::Complex:
      case syntax::ConstantKind::Bytes: return host;
    }
  }
  if (kind == NodeKind::Name) {
    const auto name = tree.as<syntax::Name>(node);
    if (auto val = global_value(reader, module, name.id)) return *val;
    if (auto val = python_name(name.id)) return *val;
    return host;
  }
  if (kind == NodeKind::Attribute) {
    const auto attribute = tree.as<syntax::Attribute>(node);
    const Val from = evaluate(reader, module, attribute.value, depth + 1);
    std::optional<Val> val;
    if (from.is(ValKind::Namespace)) val = namespace_attribute(reader, from.text, attribute.attr);
    if (from.is(ValKind::File)) val = file_attribute(reader, *from.module, attribute.attr);
    return val ? *val : host;
  }
  if (kind == NodeKind::UnaryOp) {
    const auto unary_op = tree.as<syntax::UnaryOp>(node);
    const Val operand = evaluate(reader, module, unary_op.operand, depth + 1);
    switch (unary_op.op) {
      case syntax::UnaryOperator::USub: return folded(reader, sym::ExprKind::Neg, {operand});
      case syntax::UnaryOperator::UAdd: return operand.is(ValKind::Number) ? operand : host;
      case syntax::UnaryOperator::Not: return folded(reader, sym::ExprKind::Not, {operand});
      case syntax::UnaryOperator::Invert: return folded(reader, sym::ExprKind::Invert, {operand});
    }
  }
  if (kind == NodeKind::BinOp) {
    const auto operation = tree.as<syntax::BinOp>(node);
    const auto op = expression_kind(operation.op);
    if (!op) return host;
    return folded(reader, *op,
                  {evaluate(reader, module, operation.left, depth + 1), evaluate(reader, module, operation.right, depth + 1)});
  }
  if (kind == NodeKind::Tuple) {
    std::vector<Val> items;
    for (const NodeId element : tree.as<syntax::Tuple>(node).elts) items.push_back(evaluate(reader, module, element, depth + 1));
    return tuple_val(std::move(items));
  }
  if (kind == NodeKind::Subscript) {
    const auto subscript = tree.as<syntax::Subscript>(node);
    const Val from = evaluate(reader, module, subscript.value, depth + 1);
    if (from.is(ValKind::Annotation)) return {.kind = ValKind::Annotation, .text = from.text};
    if (from.is(ValKind::Tuple)) {
      const Val index = evaluate(reader, module, subscript.slice, depth + 1);
      if (index.is(ValKind::Number) && index.number && std::holds_alternative<int64_t>(*index.number)) {
        const auto size = static_cast<int64_t>(from.items->size());
        int64_t i = std::get<int64_t>(*index.number);
        if (i < 0) i += size;
        if (i >= 0 && i < size) return (*from.items)[static_cast<size_t>(i)];
      }
    }
    return host;
  }
  if (kind == NodeKind::Call) {
    const auto call = tree.as<syntax::Call>(node);
    if (!call.keywords.empty()) return host;
    const Val callee = evaluate(reader, module, call.func, depth + 1);
    std::vector<Val> arguments;
    for (const NodeId argument : call.args) arguments.push_back(evaluate(reader, module, argument, depth + 1));
    if (callee.is(ValKind::Foreign)) return evaluated_call(callee.text, arguments);
    if (callee.is(ValKind::Builtin) && callee.builtin->set == BuiltinSet::Python) {
      return evaluated_call(std::string(callee.builtin->name), arguments);
    }
    return host;
  }
  return host;
}

bool is_kernel(Reader& reader, Module& module, NodeId function) {
  const Tree& tree = *module.tree;
  for (NodeId decorator : tree.as<syntax::FunctionDef>(function).decorator_list) {
    if (const auto call = tree.get_if<syntax::Call>(decorator)) decorator = call->func;
    const Val val = evaluate(reader, module, decorator);
    if (val.is(ValKind::Foreign) && val.text == "cuda.tile.kernel") return true;
  }
  return false;
}

void each_function(const Tree& tree, const std::function<void(NodeId node, bool nested)>& visit) {
  std::vector<std::pair<NodeId, bool>> found;
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    const NodeId node{i};
    if (!tree.is(node, NodeKind::FunctionDef)) continue;
    bool nested = false;
    bool reached = false;
    for (NodeId at = tree.parent(node); at; at = tree.parent(at)) {
      if (at == tree.root()) reached = true;
      nested |= tree.is(at, NodeKind::FunctionDef) || tree.is(at, NodeKind::AsyncFunctionDef) || tree.is(at, NodeKind::Lambda) ||
                tree.is(at, NodeKind::ClassDef);
    }
    if (reached) found.push_back({node, nested});
  }
  std::sort(found.begin(), found.end(),
            [&](const auto& a, const auto& b) { return tree.span(a.first).begin < tree.span(b.first).begin; });
  for (const auto& [node, nested] : found) visit(node, nested);
}

}  // namespace tilewright::front::cutile
