// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/terminal.h"
#include "driver/batch.h"

namespace tilewright::cli::commands {

static Status run(const Arguments& arguments) {
  const std::string& path = arguments.operands[0];
  const bool standard_input = path == driver::standard_stream;
  auto text = standard_input ? source::read_standard_input() : source::read_bytes(path);
  if (!text) {
    complain(text.reason());
    return Status::Trouble;
  }
  const auto dumped = driver::dump(standard_input ? "<stdin>" : path, std::move(*text), driver::Stage::Tree);
  Status status = put(dumped.text);
  for (const auto& d : dumped.diagnostics) {
    tell(diag::render_text(dumped.files, d, colour()));
    if (d.severity == diag::Severity::Error) status = worse(status, Status::Findings);
  }
  return status;
}

static constexpr Option options[] = {
    {.name = "--stage", .value = "STAGE", .choices = "tree", .help = "tree: the syntax tree as `ast.dump` prints it (default)"},
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
