// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/terminal.h"

namespace tilewright::cli::commands {

static Status run(const Arguments& arguments) {
  const std::string& word = arguments.operands[0];
  std::string text;
  if (word == "bash") text = cli::completion(Shell::Bash);
  if (word == "zsh") text = cli::completion(Shell::Zsh);
  if (word == "fish") text = cli::completion(Shell::Fish);
  if (word == "markdown") text = reference();
  if (text.empty()) {
    complain("`completion` knows `bash`, `zsh`, `fish` and `markdown`, not `" + word + "`");
    return Status::Trouble;
  }
  return put(text);
}

extern constinit const Command completion{
    .name = "completion",
    .summary = "Print the completion script of a shell",
    .operands = "bash|zsh|fish|markdown",
    .count = Operands::One,
    .about = "For example `source <(tilewright completion bash)`. `markdown` prints docs/cli.md instead.\n",
    .options = {},
    .run = run,
};

}  // namespace tilewright::cli::commands
