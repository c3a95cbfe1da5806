// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/session.h"

#include <algorithm>
#include <set>

#include "back/host/edit.h"
#include "back/host/name.h"
#include "back/triton/print.h"
#include "base/check.h"
#include "driver/launch_spec.h"
#include "driver/modules.h"
#include "front/cutile/host.h"
#include "front/cutile/read.h"
#include "ir/rows.h"
#include "ir/specialize.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "syntax/parse.h"

namespace tilewright::driver {

namespace cutile = front::cutile;

static bool has_errors(const diag::Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const auto& d) { return d.severity == diag::Severity::Error; });
}

static void append(diag::Diagnostics& all, const diag::Diagnostics& more) { all.insert(all.end(), more.begin(), more.end()); }

static void check(const ir::Program& program, ir::Form form = ir::Form::Open) {
  const auto violations = ir::verify(program, form);
  TW_CHECK(violations.empty(), ir::text(violations));
}

static cutile::ImportResolver resolver(Modules& modules) {
  return [&](const cutile::ImportRequest& request) { return modules.import(request.from, request.level, request.module); };
}

static back::triton::Numerics printer_numerics(Numerics numerics) {
  switch (numerics) {
    case Numerics::Strict: return back::triton::Numerics::Strict;
    case Numerics::Default: return back::triton::Numerics::Default;
    case Numerics::Fast: return back::triton::Numerics::Fast;
  }
  return back::triton::Numerics::Default;
}

static Status status_of(const std::vector<Kernel>& kernels, const back::host::Naming& naming) {
  const auto converted = std::count_if(kernels.begin(), kernels.end(), [](const Kernel& k) { return k.status == Status::Converted; });
  if (converted == 0) return Status::Refused;
  return naming.all && converted == static_cast<std::ptrdiff_t>(kernels.size()) ? Status::Converted : Status::Partly;
}

Conversion convert(std::string path, std::string text, const Options& options) {
  Conversion out;
  out.main = out.files.add(source::File(std::move(path), std::move(text)));
  Modules modules(out.files);
  const syntax::Tree& tree = modules.parse(out.main);
  append(out.diagnostics, tree.errors());
  if (!tree.ok()) {
    diag::sort(out.diagnostics);
    return out;
  }

  const auto device = cutile::read(tree, resolver(modules));
  append(out.diagnostics, device.diagnostics);
  check(device.program);
  if (device.kernels.empty()) {
    out.status = Status::Unchanged;
    out.text = out.files[out.main].text();
    diag::sort(out.diagnostics);
    return out;
  }

  // What no kernel of the file can do without is decided together: names first, then the texts, then where they go. A kernel
  // that cannot be printed stays cuTile, and so does what the host does with it, hence the second round.
  const auto host = cutile::read_host(tree);
  append(out.diagnostics, host.diagnostics);
  const auto trees = modules.trees();
  std::set<ir::FunctionId> refused;
  auto naming = back::host::name(trees, out.main, host.sites, device.program, refused, options.style.line_width);
  auto printed = back::triton::print(device.program, trees, naming.names, {.numerics = printer_numerics(options.numerics)});
  while (!printed.refused.empty()) {
    append(out.diagnostics, printed.diagnostics);
    const size_t before = refused.size();
    refused.insert(printed.refused.begin(), printed.refused.end());
    TW_CHECK(refused.size() > before, "a refused kernel was to be printed again");
    naming = back::host::name(trees, out.main, host.sites, device.program, refused, options.style.line_width);
    printed = back::triton::print(device.program, trees, naming.names, {.numerics = printer_numerics(options.numerics)});
  }
  append(out.diagnostics, naming.diagnostics);
  append(out.diagnostics, printed.diagnostics);
  for (const cutile::Kernel& kernel : device.kernels) {
    const bool done = kernel.status == cutile::KernelStatus::Read && naming.names.launches.contains(kernel.function);
    const Status status = done ? Status::Converted : kernel.status == cutile::KernelStatus::Kept ? Status::Unchanged : Status::Refused;
    out.kernels.push_back({kernel.name, status, out.files[out.main].position(kernel.span.begin).line});
  }
  out.status = status_of(out.kernels, naming);
  if (out.status != Status::Refused) {
    auto edited = back::host::edit(out.files[out.main], trees, out.main, host.sites, device.program, naming, printed);
    append(out.diagnostics, edited.diagnostics);
    out.text = source::apply(out.files[out.main].text(), std::move(edited.edits));
  }
  diag::sort(out.diagnostics);
  return out;
}

static std::string specialized(const ir::Program& program, const DumpOptions& options, Dump& out) {
  const auto launch = read_launch(options.launch);
  if (!launch) {
    out.trouble = launch.reason();
    return {};
  }
  const auto kernel = ir::kernel_named(program, launch->kernel);
  if (!kernel) {
    out.trouble = "there is no kernel `" + launch->kernel + "`, or it was refused";
    return {};
  }
  const auto special = ir::specialize(program, *kernel, *launch);
  append(out.diagnostics, special.diagnostics);
  if (has_errors(special.diagnostics)) return {};
  check(special.program, ir::Form::Closed);
  return options.format == Format::Json ? write_json(ir::rows(special.program, out.files)) : ir::text(special.program);
}

Dump dump(std::string path, std::string text, const DumpOptions& options) {
  Dump out;
  const auto file = out.files.add(source::File(std::move(path), std::move(text)));
  Modules modules(out.files);
  const syntax::Tree& tree = modules.parse(file);
  out.diagnostics = tree.errors();
  switch (options.stage) {
    case Stage::Tree: out.text = syntax::dump(tree) + "\n"; break;
    case Stage::Ir: {
      if (!tree.ok()) break;
      const auto device = cutile::read(tree, resolver(modules));
      append(out.diagnostics, device.diagnostics);
      check(device.program);
      out.text = options.launch.empty() ? ir::text(device.program) : specialized(device.program, options, out);
      break;
    }
  }
  diag::sort(out.diagnostics);
  return out;
}

}  // namespace tilewright::driver
