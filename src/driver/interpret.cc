// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/interpret.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "driver/modules.h"
#include "driver/reading.h"
#include "front/cutile/host.h"
#include "front/cutile/read.h"
#include "ir/specialize.h"
#include "syntax/parse.h"

namespace tilewright::driver {

namespace cutile = front::cutile;
using diag::Message;

static constexpr Message<std::string_view> no_such_kernel{"TW408", "there is no kernel {}"};
static constexpr Message<std::string_view> kept_kernel{"TW409", "`{}` is marked `tilewright: keep`, so it was not read"};

struct Runnable::State {
  source::Files files;
  source::FileId main;
  cutile::ReadResult read;
  diag::Diagnostics errors;  // of a file that is no Python
};

Runnable::Runnable(std::string path, std::string text) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.main = state.files.add(source::File(std::move(path), std::move(text)));
  Modules modules(state.files);
  const syntax::Tree& tree = modules.parse(state.main);
  state.errors = tree.errors();
  if (!tree.ok()) return;
  const auto host = cutile::read_host(tree);
  state.read = cutile::read(tree, resolver(modules), {.made_kernels = kernels_of(host.sites)});
  check(state.read.program);
}

Runnable::~Runnable() = default;
Runnable::Runnable(Runnable&&) noexcept = default;
Runnable& Runnable::operator=(Runnable&&) noexcept = default;

const source::Files& Runnable::files() const { return state_->files; }
source::FileId Runnable::main() const { return state_->main; }

static bool is_error(const diag::Diagnostic& diagnostic) { return diagnostic.severity == diag::Severity::Error; }

static ir::Argument as_seen(const interp::Argument& argument) {
  struct Visitor {
    ir::Argument operator()(const interp::Nothing&) const { return {}; }
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
  return std::visit(Visitor{}, argument);
}

interp::Report Runnable::launch(const CpuLaunch& launch, const interp::Options& options) const {
  const State& state = *state_;
  if (has_errors(state.errors)) return {.diagnostics = state.errors};
  const source::File& file = state.files[state.main];
  const auto is_meant = [&](const cutile::Kernel& kernel) {
    if (kernel.name != launch.kernel) return false;
    return launch.line == 0 || (file.line_of(kernel.span.begin) <= launch.line && launch.line <= file.line_of(kernel.span.end));
  };
  const auto found = std::find_if(state.read.kernels.begin(), state.read.kernels.end(), is_meant);
  if (found == state.read.kernels.end()) {
    const std::string where = launch.line ? " at line " + std::to_string(launch.line) : "";
    return {.diagnostics = {
                diag::report(diag::Severity::Error, {state.main, 0, 0}, no_such_kernel, "`" + launch.kernel + "`" + where)}};
  }
  switch (found->status) {
    case cutile::KernelStatus::Read: break;
    case cutile::KernelStatus::Kept:
      return {.diagnostics = {diag::report(diag::Severity::Error, found->span, kept_kernel, launch.kernel)}};
    case cutile::KernelStatus::Refused: {
      interp::Report out;
      for (const diag::Diagnostic& diagnostic : state.read.diagnostics) {
        if (is_error(diagnostic) && (diagnostic.kernel.empty() || diagnostic.kernel == launch.kernel))
          out.diagnostics.push_back(diagnostic);
      }
      return out;
    }
  }
  ir::LaunchSpec spec{.kernel = launch.kernel, .arguments = {}, .constants = launch.constants};
  for (const interp::Argument& argument : launch.arguments) spec.arguments.push_back(as_seen(argument));
  ir::Specialized special = ir::specialize(state.read.program, found->function, std::move(spec));
  if (has_errors(special.diagnostics)) return {.diagnostics = special.diagnostics};
  check(special.program, ir::Form::Closed);
  return interp::run(special.program, special.kernel, launch.arguments, launch.grid, options);
}

}  // namespace tilewright::driver
