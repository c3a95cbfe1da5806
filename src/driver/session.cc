// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/session.h"

#include <algorithm>
#include <set>

#include "back/host/edit.h"
#include "back/host/name.h"
#include "back/triton/print.h"
#include "driver/launch_spec.h"
#include "driver/modules.h"
#include "driver/reading.h"
#include "front/cutile/host.h"
#include "front/cutile/read.h"
#include "front/triton/read.h"
#include "ir/rows.h"
#include "ir/specialize.h"
#include "ir/text.h"
#include "optimize/prove.h"
#include "syntax/parse.h"

namespace tilewright::driver {

namespace cutile = front::cutile;

static void append(diag::Diagnostics& all, const diag::Diagnostics& more) { all.insert(all.end(), more.begin(), more.end()); }

static back::triton::Numerics numerics(Numerics chosen) {
  switch (chosen) {
    case Numerics::Strict: return back::triton::Numerics::Strict;
    case Numerics::Default: return back::triton::Numerics::Default;
    case Numerics::Fast: return back::triton::Numerics::Fast;
  }
  return back::triton::Numerics::Strict;
}

static std::optional<char> quote_of(Quotes quotes) {
  switch (quotes) {
    case Quotes::AsInFile: return std::nullopt;
    case Quotes::Double: return '"';
    case Quotes::Single: return '\'';
  }
  return std::nullopt;
}

// Names and texts depend on each other: a kernel that turns out not to be printable stays cuTile, and so may its neighbours,
// until all that is named is printed.
struct Written {
  back::host::Functions functions;
  back::host::Naming naming;
  back::triton::Printed printed;
  diag::Diagnostics diagnostics;
};

// The trees are away while there is much else: ops being spelled or printed.
static Written write(Modules& modules, source::FileId main, const ir::HostSites& sites, ir::Program program,
                     const Options& options) {
  Written out;
  const std::vector<const syntax::Tree*> trees = modules.trees();
  const back::triton::Author author(program, trees);
  const back::host::Look look{.line_width = options.style.line_width, .quote = quote_of(options.style.quotes)};
  std::set<ir::FunctionId> refused;
  out.naming = back::host::name(trees, main, sites, program, refused, look);
  modules.let_go(program.ops.size());
  back::triton::Legal legal = back::triton::legalize(std::move(program));
  while (true) {
    out.printed = back::triton::print(legal, author, out.naming.names, {.numerics = numerics(options.numerics)});
    const size_t before = refused.size();
    refused.insert(out.printed.refused.begin(), out.printed.refused.end());
    if (refused.size() == before) break;
    for (const auto& d : out.printed.diagnostics) {
      if (d.severity == diag::Severity::Error) out.diagnostics.push_back(d);
    }
    modules.bring_back();
    out.naming = back::host::name(trees, main, sites, legal.program, refused, look);
    modules.let_go(legal.program.ops.size());
  }
  append(out.diagnostics, out.naming.diagnostics);
  append(out.diagnostics, out.printed.diagnostics);
  out.functions = std::move(legal.program.functions);
  return out;
}

static Status status_of(const front::Kernel& kernel, const back::host::Naming& naming) {
  switch (kernel.status) {
    case front::KernelStatus::Kept: return Status::Unchanged;
    case front::KernelStatus::Refused: return Status::Refused;
    case front::KernelStatus::Read: return naming.names.launches.contains(kernel.function) ? Status::Converted : Status::Refused;
  }
  return Status::Refused;
}

static Status status_of(const std::vector<Kernel>& kernels, const diag::Diagnostics& diagnostics) {
  const auto any = [&](Status status) {
    return std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& kernel) { return kernel.status == status; });
  };
  const bool trouble = any(Status::Refused) || has_errors(diagnostics);
  if (any(Status::Converted)) return trouble ? Status::Partly : Status::Converted;
  return trouble ? Status::Refused : Status::Unchanged;
}

// What changes in the file, nothing if it is no Python; tells `out` of kernels and diagnostics. All that was made to find it out
// is gone with the call.
static std::optional<std::vector<source::Edit>> edits_of(Conversion& out, const Options& options) {
  Modules modules(out.files);
  const syntax::Tree& tree = modules.parse(out.main);
  append(out.diagnostics, tree.errors());
  if (!tree.ok()) return std::nullopt;
  // The tree is Python's own from here on.

  const auto host = cutile::read_host(tree);
  auto device = cutile::read(tree, resolver(modules), {.made_kernels = kernels_of(host.sites)});
  append(out.diagnostics, device.diagnostics);
  append(out.diagnostics, host.diagnostics);
  check(device.program);
  device.module = {};  // nobody here asks for it, and there may be much of it
  // The program says all that its kernels mean: no stage asks for cuTile's rules any more.

  optimize::prove(device.program);
  check(device.program);
  // What is proved is said by the ops themselves: the printer spells what it is given.

  const Written written = write(modules, out.main, host.sites, std::move(device.program), options);
  append(out.diagnostics, written.diagnostics);
  modules.bring_back();
  // Every name is decided and every function is text: the ops are gone, what is left is to put the texts in their places.

  for (const front::Kernel& kernel : device.kernels) {
    const uint32_t line = out.files[out.main].line_of(tree.span(kernel.node).begin);
    out.kernels.push_back({.name = kernel.name, .status = status_of(kernel, written.naming), .line = line});
  }
  const auto is_converted = [](const Kernel& kernel) { return kernel.status == Status::Converted; };
  if (std::none_of(out.kernels.begin(), out.kernels.end(), is_converted)) return std::vector<source::Edit>();
  auto edited = back::host::edit(out.files[out.main], modules.trees(), out.main, host.sites, written.functions, written.naming,
                                 written.printed);
  append(out.diagnostics, edited.diagnostics);
  return std::move(edited.edits);
}

Conversion convert(std::string path, std::string text, const Options& options) {
  Conversion out;
  out.main = out.files.add(source::File(std::move(path), std::move(text)));
  if (std::optional<std::vector<source::Edit>> edits = edits_of(out, options)) {
    out.status = status_of(out.kernels, out.diagnostics);
    if (out.status != Status::Refused) out.text = source::apply(out.files[out.main].text(), std::move(*edits));
  }
  diag::sort(out.diagnostics);
  return out;
}

// Whether anything imports cuTile.
static bool mentions_cutile(const syntax::Tree& tree) {
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    const syntax::NodeId node{i};
    if (const auto from = tree.get_if<syntax::ImportFrom>(node); from && from->module.starts_with("cuda")) return true;
    if (const auto import = tree.get_if<syntax::Import>(node)) {
      for (const syntax::NodeId item : import->names) {
        if (tree.as<syntax::Alias>(item).name.starts_with("cuda.tile")) return true;
      }
    }
  }
  return false;
}

static std::string specialized(const std::vector<front::ReadResult>& read, const DumpOptions& options, Dump& out) {
  const auto launch = read_launch(*options.launch);
  if (!launch) {
    out.trouble = launch.reason();
    return {};
  }
  const front::ReadResult* owner = nullptr;
  std::optional<ir::FunctionId> kernel;
  for (const front::ReadResult& device : read) {
    if (kernel) break;
    kernel = ir::kernel_named(device.program, launch->kernel);
    owner = &device;
  }
  if (!kernel) {
    out.trouble = "there is no kernel `" + launch->kernel + "`, or it was refused";
    return {};
  }
  const auto special = ir::specialize(owner->program, *kernel, *launch);
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
      // A file that has kernels of both dialects is read as each of them.
      const bool is_triton = front::triton::imports_triton(tree);
      std::vector<front::ReadResult> read;
      if (!is_triton || mentions_cutile(tree)) read.push_back(cutile::read(tree, resolver(modules)));
      if (is_triton) read.push_back(front::triton::read(tree, resolver(modules)));
      for (const front::ReadResult& device : read) {
        append(out.diagnostics, device.diagnostics);
        check(device.program);
      }
      if (options.launch) {
        out.text = specialized(read, options, out);
      } else {
        for (const front::ReadResult& device : read) out.text += ir::text(device.program);
      }
      break;
    }
  }
  diag::sort(out.diagnostics);
  return out;
}

}  // namespace tilewright::driver
