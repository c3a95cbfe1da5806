// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/interpret.h"

#include <algorithm>

#include "base/check.h"
#include "driver/modules.h"
#include "driver/reading.h"
#include "front/cutile/host.h"
#include "ir/specialize.h"

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

  const cutile::Kernel* kernel_of(const CpuLaunch& launch) const;
  diag::Diagnostics refusal_of(const cutile::Kernel& kernel) const;
};

Runnable::Runnable(std::string path, std::string text, const LiveNames& live) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.main = state.files.add(source::File(std::move(path), std::move(text)));
  Modules modules(state.files);
  const syntax::Tree& tree = modules.parse(state.main);
  state.errors = tree.errors();
  if (!tree.ok()) return;
  const auto host = cutile::read_host(tree);
  cutile::Options options{.made_kernels = kernels_of(host.sites)};
  if (live) {
    options.live = [&](source::FileId file, std::string_view name) { return live(state.files[file].path(), name); };
  }
  state.read = cutile::read(tree, resolver(modules), options);
  check(state.read.program);
}

Runnable::~Runnable() = default;
Runnable::Runnable(Runnable&&) noexcept = default;
Runnable& Runnable::operator=(Runnable&&) noexcept = default;

const source::Files& Runnable::files() const { return state_->files; }
source::FileId Runnable::main() const { return state_->main; }

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

// The kernel that a launch means; null if the file has none.
const cutile::Kernel* Runnable::State::kernel_of(const CpuLaunch& launch) const {
  const source::File& file = files[main];
  const auto is_meant = [&](const cutile::Kernel& kernel) {
    if (kernel.name != launch.kernel) return false;
    return launch.line == 0 || (file.line_of(kernel.span.begin) <= launch.line && launch.line <= file.line_of(kernel.span.end));
  };
  const auto found = std::find_if(read.kernels.begin(), read.kernels.end(), is_meant);
  return found == read.kernels.end() ? nullptr : &*found;
}

// Why a kernel is not in the program; empty if it is.
diag::Diagnostics Runnable::State::refusal_of(const cutile::Kernel& kernel) const {
  switch (kernel.status) {
    case cutile::KernelStatus::Read: return {};
    case cutile::KernelStatus::Kept: return {diag::report(diag::Severity::Error, kernel.span, kept_kernel, kernel.name)};
    case cutile::KernelStatus::Refused: break;
  }
  diag::Diagnostics out;
  for (const diag::Diagnostic& diagnostic : read.diagnostics) {
    const bool is_its_own = diagnostic.kernel.empty() || diagnostic.kernel == kernel.name;
    if (is_its_own && diagnostic.severity == diag::Severity::Error) out.push_back(diagnostic);
  }
  return out;
}

interp::Report Runnable::launch(const CpuLaunch& launch, const interp::Options& options) const {
  const State& state = *state_;
  if (has_errors(state.errors)) return {.diagnostics = state.errors};
  const cutile::Kernel* kernel = state.kernel_of(launch);
  if (!kernel) {
    const std::string what = "`" + launch.kernel + "`" + (launch.line ? " at line " + std::to_string(launch.line) : "");
    return {.diagnostics = {diag::report(diag::Severity::Error, {state.main, 0, 0}, no_such_kernel, what)}};
  }
  if (kernel->status != cutile::KernelStatus::Read) return {.diagnostics = state.refusal_of(*kernel)};
  ir::LaunchSpec spec{.kernel = launch.kernel, .arguments = {}};
  for (const interp::Argument& argument : launch.arguments) spec.arguments.push_back(as_seen(argument));
  ir::Specialized special = ir::specialize(state.read.program, kernel->function, std::move(spec));
  if (has_errors(special.diagnostics)) return {.diagnostics = special.diagnostics};
  check(special.program, ir::Form::Closed);
  return interp::run(special.program, special.kernel, launch.arguments, launch.grid, options);
}

Result<interp::Numbers> numbers_named(std::string_view name) {
  if (name == "ieee") return interp::Numbers::Ieee;
  if (name == "poison") return interp::Numbers::Poison;
  return Trouble{"number systems are `ieee` and `poison`, not `" + std::string(name) + "`"};
}

}  // namespace tilewright::driver
