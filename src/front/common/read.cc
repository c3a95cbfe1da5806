// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/common/read.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "front/common/dialect.h"
#include "front/common/reader.h"

namespace tilewright::front {

namespace {

bool says_keep(const syntax::Tree& tree, NodeId function) {
  const auto keeps = [](const syntax::Comment& comment) {
    return comment.text.find("tilewright: keep") != std::string_view::npos;
  };
  const syntax::Comments leading = tree.leading_comments(function);
  if (std::any_of(leading.begin(), leading.end(), keeps)) return true;
  const syntax::Comments inner = tree.inner_comments(function);
  if (std::any_of(inner.begin(), inner.end(), keeps)) return true;
  const auto trailing = tree.trailing_comment(function);
  return trailing && keeps(*trailing);
}

// The dtypes of scalar parameters that the reading took for granted.
void note_scalars(Reader& reader, Kernel& kernel) {
  const ir::Function& function = reader.program.functions[kernel.function];
  for (uint32_t i = 0; i < function.params.size(); ++i) {
    const Knowledge& known = reader.knowledge[i];
    if (function.params[i].kind == ir::ParamKind::Scalar && known.scalar) kernel.scalars.push_back({i, *known.scalar});
  }
}

// What is known of a kernel's parameters before anything is read.
void know_hints(Reader& reader, const Module& module, const Kernel& kernel) {
  const std::vector<NodeId> parameters = parameters_of(*module.tree, kernel.node);
  reader.knowledge.assign(parameters.size(), {});
  reader.splits.clear();
  reader.awaited.clear();
  if (reader.options.scalar_hints.empty()) return;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string name(module.tree->as<syntax::Arg>(parameters[i]).arg);
    const auto hint = reader.options.scalar_hints.find({kernel.name, name});
    if (hint != reader.options.scalar_hints.end()) reader.knowledge[i].scalar = hint->second;
  }
}

struct Attempt {
  ir::Function function = {};
  diag::Diagnostics diagnostics = {};
  bool taught = false;  // something that it should have known
};

Attempt read_once(Reader& reader, Module& module, Kernel& kernel) {
  Attempt attempt;
  reader.sink = &attempt.diagnostics;
  reader.errors = 0;
  reader.learned = false;
  reader.confirmed = {};
  reader.handed_on.clear();
  kernel.assumes.clear();
  reader.rank_uses.clear();

  Frame frame;
  frame.module = &module;
  frame.tree = module.tree;
  frame.node = kernel.node;
  frame.is_kernel = true;
  if (reader.options.live) frame.running = 0;
  frame.statement = kernel.node;
  ir::Function& function = attempt.function;
  function.name = kernel.name;
  function.kind = ir::FunctionKind::Kernel;
  function.span = kernel.span;
  function.node = {kernel.node.index};
  function.hints = reader.dialect.hints(reader, module, kernel.node);
  frame.block = function.body = new_block(reader);
  frame.made = &function;
  reader.frame = &frame;
  reader.stack = {&frame};
  enter_locals(reader, frame);
  reader.dialect.make_parameters(reader, frame);
  const std::vector<Knowledge> known_before = reader.knowledge;
  const size_t splits_before = reader.splits.size();
  if (reader.errors == 0) read_statements(reader, module.tree->as<syntax::FunctionDef>(kernel.node).body);
  reader.integers = std::move(frame.integers);
  reader.frame = nullptr;
  reader.stack.clear();
  const bool learned = reader.learned || std::any_of(reader.handed_on.begin(), reader.handed_on.end(), [&](uint32_t index) {
                         return reader.knowledge[index].kind != Knowledge::Kind::Unknown;
                       });
  attempt.taught = learned && (reader.knowledge != known_before || reader.splits.size() != splits_before);
  return attempt;
}

// The last of as many readings as it takes.
Attempt read_repeatedly(Reader& reader, Module& module, Kernel& kernel, const ir::Mark& start) {
  constexpr int attempts_limit = 20;
  Attempt attempt = read_once(reader, module, kernel);
  for (int count = 1; attempt.taught && count < attempts_limit; ++count) {
    forget(reader, start);
    attempt = read_once(reader, module, kernel);
  }
  return attempt;
}

}  // namespace

void read_kernel(Reader& reader, Module& module, Kernel& kernel) {
  const ir::Mark start = ir::mark(reader.program);
  diag::Diagnostics* const sink = reader.sink;
  auto constants = std::exchange(reader.constants, {});
  auto read_names = std::exchange(reader.read_names, {});
  reader.kernel = &kernel;

  know_hints(reader, module, kernel);
  const bool foresight = foresee_parameters(reader, module, kernel.node);
  Attempt attempt = read_repeatedly(reader, module, kernel, start);
  if (foresight && (!attempt.diagnostics.empty() || !is_confirmed(reader))) {
    forget(reader, start);
    reader.constants.clear();
    reader.read_names.clear();
    know_hints(reader, module, kernel);
    attempt = read_repeatedly(reader, module, kernel, start);
  }

  sink->insert(sink->end(), attempt.diagnostics.begin(), attempt.diagnostics.end());
  reader.sink = sink;
  if (reader.errors > 0) {
    forget(reader, start);
    kernel.status = KernelStatus::Refused;
  } else {
    if (reader.dialect.constants_are_untyped) attempt.function.assumes = kernel.assumes;
    kernel.function = reader.program.functions.add(std::move(attempt.function));
    note_scalars(reader, kernel);
    std::sort(kernel.assumes.begin(), kernel.assumes.end());
    kernel.assumes.erase(std::unique(kernel.assumes.begin(), kernel.assumes.end()), kernel.assumes.end());
    kernel.status = KernelStatus::Read;
    tidy(reader.program, start);
    ir::compact(reader.program, start);
    constants.merge(reader.constants);
    read_names.merge(reader.read_names);
  }
  reader.constants = std::move(constants);
  reader.read_names = std::move(read_names);
  reader.kernel = nullptr;
}

// The functions that kernels call, by the places of their definitions.
static std::vector<Helper> helpers_of(const Reader& reader) {
  std::vector<const Instance*> instances;
  instances.reserve(reader.instances.size());
  for (const auto& [key, instance] : reader.instances) instances.push_back(&instance);
  const auto place = [](const Instance* instance) { return std::pair(instance->module->tree->file(), instance->node); };
  std::sort(instances.begin(), instances.end(), [&](const Instance* a, const Instance* b) {
    return std::tuple(place(a), a->function) < std::tuple(place(b), b->function);
  });
  std::vector<Helper> helpers;
  helpers.reserve(reader.instance_counts.size());
  for (const Instance* instance : instances) {
    const auto [file, node] = place(instance);
    if (helpers.empty() || helpers.back().file != file || helpers.back().node != node) {
      const std::string name(instance->module->tree->as<syntax::FunctionDef>(node).name);
      helpers.push_back({.name = name, .file = file, .node = node, .instances = {}});
    }
    helpers.back().instances.push_back(instance->function);
  }
  return helpers;
}

ReadResult read(const Dialect& dialect, const syntax::Tree& tree, const ImportResolver& resolver, const Options& options) {
  ReadResult result;
  Reader reader{.dialect = dialect, .program = result.program, .resolver = resolver, .options = options, .modules = {}};
  reader.sink = &result.diagnostics;
  Module& module = reader.modules.of(tree);

  for (const std::string_view name : module.order) {
    const Global& global = module.globals.at(name);
    switch (global.kind) {
      case Global::Kind::Assign:
        if (global_value(reader, module, name)->is(ValKind::Annotation))
          result.module.annotations[std::string(name)] = tree.text(global.value);
        break;
      case Global::Kind::Import:
      case Global::Kind::ImportFrom: {
        // A module of the library, or one that holds it: `from cuda import tile`.
        const std::string whole = global.attribute.empty() ? global.dotted : global.dotted + "." + global.attribute;
        const bool of_library = whole == dialect.library || whole.starts_with(std::string(dialect.library) + ".") ||
                                dialect.library.starts_with(whole + ".");
        if (global.level == 0 && of_library) result.module.library_names[std::string(name)] = whole;
        break;
      }
      case Global::Kind::Function:
      case Global::Kind::Class:
      case Global::Kind::Ambiguous: break;
    }
  }

  each_function(tree, [&](NodeId node, Inside inside) {
    const bool is_meant = options.live ? node == options.live->kernel
                                       : dialect.is_kernel(reader, module, node) || options.made_kernels.contains(node);
    if (!is_meant) return;
    Kernel& kernel = result.kernels.emplace_back();
    kernel.name = std::string(tree.as<syntax::FunctionDef>(node).name);
    kernel.node = node;
    kernel.span = tree.decorated_span(node);
    if (says_keep(tree, node)) {
      kernel.status = KernelStatus::Kept;
    } else if (inside != Inside::Module && !options.live) {
      const bool in_class = inside == Inside::Class;
      diag::Diagnostic diagnostic = diag::report(diag::Severity::Error, tree.as<syntax::FunctionDef>(node).name_span,
                                                 in_class ? messages::kernel_in_class : messages::nested_kernel, kernel.name);
      diagnostic.notes.push_back(in_class ? std::string("move it to module level and launch it by its name alone")
                                          : std::string(dialect.on_nested_kernels));
      diagnostic.kernel = kernel.name;
      result.diagnostics.push_back(std::move(diagnostic));
    } else {
      read_kernel(reader, module, kernel);
    }
  });

  for (const auto& [key, constant] : reader.constants) result.module.constants.push_back(constant);
  result.module.read_by_devices.assign(reader.read_names.begin(), reader.read_names.end());
  result.module.helpers = helpers_of(reader);
  diag::sort(result.diagnostics);
  return result;
}

}  // namespace tilewright::front
