// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/interpret.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/check.h"
#include "driver/modules.h"
#include "driver/reading.h"
#include "driver/trace.h"
#include "front/common/module.h"
#include "front/triton/read.h"
#include "interp/lift.h"
#include "interp/messages.h"
#include "ir/specialize.h"

namespace tilewright::driver {

using diag::Message;

static constexpr Message<std::string_view> no_such_kernel{"TW408", "there is no kernel {}"};
static constexpr Message<std::string_view> kept_kernel{"TW409", "`{}` is marked `tilewright: keep`, so it was not read"};

struct Runnable::State {
  source::Files files;
  source::FileId main;
  Dialect dialect = Dialect::CuTile;
  front::ReadResult read;
  diag::Diagnostics errors;  // why nothing was read
};

// By the line where they begin, decorators included.
static std::map<uint32_t, syntax::NodeId> functions_of(const source::File& file, const syntax::Tree& tree) {
  std::map<uint32_t, syntax::NodeId> out;
  front::each_function(
      tree, [&](syntax::NodeId node, front::Inside) { out.emplace(file.line_of(tree.decorated_span(node).begin), node); });
  return out;
}

Runnable::Runnable(std::string path, std::string text, const LiveKernel& kernel) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.main = state.files.add(source::File(std::move(path), std::move(text)));
  Modules modules(state.files);
  const syntax::Tree& tree = modules.parse(state.main);
  state.errors = tree.errors();
  if (!tree.ok()) return;

  front::LiveNames live{
      .global = [&](source::FileId file, std::string_view name) { return kernel.global(state.files[file].path(), name); },
      .enclosing = kernel.enclosing,
      .functions = functions_of(state.files[state.main], tree)};
  const auto at = live.functions.find(kernel.line);
  if (at == live.functions.end() || tree.as<syntax::FunctionDef>(at->second).name != kernel.name) {
    const std::string what = "`" + kernel.name + "` at line " + std::to_string(kernel.line);
    state.errors = {diag::report(diag::Severity::Error, {state.main, 0, 0}, no_such_kernel, what)};
    return;
  }
  live.kernel = at->second;
  state.dialect = kernel.dialect;
  const front::Options options{.texts = kernel.texts, .live = std::move(live)};
  state.read = kernel.dialect == Dialect::Triton ? front::triton::read(tree, resolver(modules), options)
                                                 : front::cutile::read(tree, resolver(modules), options);
  check(state.read.program);
  const front::Kernel& read = state.read.kernels.front();
  switch (read.status) {
    case front::KernelStatus::Read: break;
    case front::KernelStatus::Kept:
      state.errors = {diag::report(diag::Severity::Error, read.span, kept_kernel, read.name)};
      break;
    case front::KernelStatus::Refused:
      std::copy_if(state.read.diagnostics.begin(), state.read.diagnostics.end(), std::back_inserter(state.errors),
                   [](const diag::Diagnostic& found) { return found.severity == diag::Severity::Error; });
      break;
  }
}

Runnable::~Runnable() = default;
Runnable::Runnable(Runnable&&) noexcept = default;
Runnable& Runnable::operator=(Runnable&&) noexcept = default;

const source::Files& Runnable::files() const { return state_->files; }
source::FileId Runnable::main() const { return state_->main; }

std::optional<interp::Trace> Runnable::trace_of(uint32_t line, const interp::Grid& program) const {
  return driver::trace_of(state_->files, state_->main, line, program);
}

static ir::Argument as_seen(Dialect dialect, const interp::Argument& argument) {
  struct Visitor {
    Dialect dialect;

    ir::Argument operator()(const interp::Nothing&) const {
      return {.kind = dialect == Dialect::Triton ? ir::ArgumentKind::None : ir::ArgumentKind::Other};
    }
    ir::Argument operator()(const interp::Descriptor& descriptor) const {
      ir::Argument out = (*this)(descriptor.array);
      out.kind = ir::ArgumentKind::Window;
      out.block = descriptor.extents;
      out.padding = descriptor.padding;
      return out;
    }
    ir::Argument operator()(const interp::Text& text) const { return {.kind = ir::ArgumentKind::String, .text = text.text}; }
    ir::Argument operator()(ir::Scalar dtype) const { return {.kind = ir::ArgumentKind::Dtype, .dtype = dtype}; }
    ir::Argument operator()(const sym::Value& value) const {
      const ir::ArgumentKind kind = std::holds_alternative<bool>(value)      ? ir::ArgumentKind::Bool
                                    : std::holds_alternative<int64_t>(value) ? ir::ArgumentKind::Int
                                                                             : ir::ArgumentKind::Float;
      return {.kind = kind, .value = value};
    }
    ir::Argument operator()(const interp::Array& array) const {
      return {.kind = ir::ArgumentKind::Array,
              .dtype = array.dtype,
              .rank = static_cast<uint32_t>(array.extents.size()),
              .shape = array.extents,
              .strides = array.strides};
    }
    ir::Argument operator()(const interp::ArrayList& list) const {
      if (list.empty()) return {};
      const interp::Array& first = list[0];
      const auto is_alike = [&](const interp::Array& array) {
        return array.dtype == first.dtype && array.extents.size() == first.extents.size();
      };
      TW_CHECK(std::all_of(list.begin(), list.end(), is_alike), "a list of unlike arrays is launched");
      return {.kind = ir::ArgumentKind::ArrayList, .dtype = first.dtype, .rank = static_cast<uint32_t>(first.extents.size())};
    }
  };
  return std::visit(Visitor{dialect}, argument);
}

interp::Report Runnable::launch(const CpuLaunch& launch, const interp::Options& options) const {
  return this->launch(launch, launch.arguments, options);
}

// `arguments` are what is run, those of `launch` what the program is made for.
interp::Report Runnable::launch(const CpuLaunch& launch, const std::vector<interp::Argument>& arguments,
                                const interp::Options& options) const {
  const State& state = *state_;
  if (has_errors(state.errors)) return {.diagnostics = state.errors};
  const front::Kernel& kernel = state.read.kernels.front();
  ir::LaunchSpec spec{.kernel = kernel.name, .arguments = {}};
  for (const interp::Argument& argument : launch.arguments) spec.arguments.push_back(as_seen(state.dialect, argument));
  ir::Specialized special = ir::specialize(state.read.program, kernel.function, std::move(spec));
  if (has_errors(special.diagnostics)) return {.diagnostics = special.diagnostics};
  check(special.program, ir::Form::Closed);
  return interp::run(special.program, special.kernel, arguments, launch.grid, options);
}

static AlgebraArray result_of(const interp::Field& field, const interp::Array& array) {
  AlgebraArray out;
  if (array.kept == interp::Kept::Bits) out.bytes = interp::bytes_of(array);
  for (const interp::Real& element : interp::reals_of(array)) {
    out.numbers.push_back(field.numbers_of(element));
    out.values.push_back(element.value);
    out.errors.push_back(element.error);
  }
  return out;
}

AlgebraReport Runnable::launch_in_algebra(const CpuLaunch& launch, interp::Options options, uint64_t seed) const {
  const interp::Field field(seed);
  const interp::LiftedArguments lifted(field, launch.arguments);
  if (const std::optional<size_t> mixed = lifted.mixed(); mixed && !has_errors(state_->errors)) {
    const front::Kernel& kernel = state_->read.kernels.front();
    const std::string& name = state_->read.program.functions[kernel.function].params[*mixed].name;
    return {.report = {.diagnostics = {diag::report(diag::Severity::Error, kernel.span, interp::messages::mixed_memory, name)}},
            .arrays = {}};
  }
  options.numbers = interp::Numbers::Algebra;
  options.field = &field;
  AlgebraReport out{.report = this->launch(launch, lifted.arguments(), options), .arrays = {}};
  if (has_errors(out.report.diagnostics)) return out;
  for (const interp::Argument& argument : lifted.arguments()) {
    std::vector<AlgebraArray>& results = out.arrays.emplace_back();
    if (const auto* array = std::get_if<interp::Array>(&argument)) results.push_back(result_of(field, *array));
    if (const auto* list = std::get_if<interp::ArrayList>(&argument)) {
      for (const interp::Array& item : *list) results.push_back(result_of(field, item));
    }
  }
  return out;
}

Result<interp::Numbers> numbers_named(std::string_view name) {
  if (name == "ieee") return interp::Numbers::Ieee;
  if (name == "poison") return interp::Numbers::Poison;
  if (name == "algebra") return interp::Numbers::Algebra;
  return Trouble{"number systems are `ieee`, `poison` and `algebra`, not `" + std::string(name) + "`"};
}

}  // namespace tilewright::driver
