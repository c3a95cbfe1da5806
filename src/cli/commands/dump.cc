// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/terminal.h"
#include "driver/batch.h"

namespace tilewright::cli::commands {

static Status complain_of(const std::string& reason) {
  complain(reason);
  return Status::Trouble;
}

static Status run(const Arguments& arguments) {
  driver::DumpOptions options;
  if (arguments.value("--stage", "tree") == "ir") options.stage = driver::Stage::Ir;
  if (arguments.value("--format", "text") == "json") options.format = driver::Format::Json;
  const std::string launch = arguments.value("--specialize", "");
  if (arguments.has("--specialize")) {
    if (options.stage != driver::Stage::Ir) return complain_of("`--specialize` goes with `--stage ir`");
    auto text = source::read_bytes(launch);
    if (!text) return complain_of(text.reason());
    options.launch = std::move(*text);
  } else if (options.format == driver::Format::Json) {
    return complain_of("`--format json` goes with `--specialize`");
  }

  const std::string& path = arguments.operands[0];
  const bool standard_input = path == driver::standard_stream;
  auto text = standard_input ? source::read_standard_input() : source::read_bytes(path);
  if (!text) return complain_of(text.reason());
  const auto dumped = driver::dump(standard_input ? "<stdin>" : path, std::move(*text), options);
  if (!dumped.trouble.empty()) return complain_of("`" + launch + "`: " + dumped.trouble);
  Status status = put(dumped.text);
  for (const auto& d : dumped.diagnostics) {
    tell(diag::render_text(dumped.files, d, colour()));
    if (d.severity == diag::Severity::Error) status = worse(status, Status::Findings);
  }
  return status;
}

static constexpr Option options[] = {
    {.name = "--stage",
     .value = "STAGE",
     .choices = "tree|ir",
     .help = "tree: the syntax tree, as `ast.dump` prints it (default); ir: what its kernels mean (docs/ir.md)"},
    {.name = "--specialize",
     .value = "LAUNCH.json",
     .help = "one kernel of the ir, as the launch described in this file sees it"},
    {.name = "--format",
     .value = "FORMAT",
     .choices = "text|json",
     .help = "json: the specialised kernel's ops as rows, by their place"},
};

extern constinit const Command dump{
    .name = "dump",
    .summary = "Show what the compiler sees of a file",
    .operands = "FILE",
    .count = Operands::One,
    .about = "Prints FILE (`-` is standard input) as one of the compiler's stages sees it.\n",
    .options = options,
    .run = run,
};

}  // namespace tilewright::cli::commands
