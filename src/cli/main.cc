// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/check.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "driver/version.h"

namespace tilewright::cli {

static Status wrong_usage(const std::string& reason, std::string_view command) {
  complain(reason);
  tell("`tilewright" + std::string(command.empty() ? "" : " ") + std::string(command) + " --help` shows what there is\n");
  return Status::Trouble;
}

static Status run(std::span<const char* const> words) {
  if (words.empty()) return tell(help()), Status::Trouble;
  const std::string_view first = words[0];
  if (first == "--help" || first == "-h" || first == "help") return put(help());
  if (first == "--version" || first == "-V") return put("tilewright " + std::string(driver::version()) + "\n");

  std::vector<std::string_view> names;
  for (const Command* command : all_commands()) {
    names.push_back(command->name);
    if (command->name != first) continue;
    const auto rest = words.subspan(1);
    const auto asks_help = [](std::string_view word) { return word == "--help" || word == "-h"; };
    const auto end = std::find(rest.begin(), rest.end(), std::string_view("--"));
    if (std::any_of(rest.begin(), end, asks_help)) return put(help(*command));
    const auto arguments = read_arguments(*command, rest);
    return arguments ? command->run(*arguments) : wrong_usage(arguments.reason(), first);
  }
  const auto meant = nearest(first, names);
  return wrong_usage(
      "unknown command `" + std::string(first) + "`" + (meant.empty() ? "" : "; did you mean `" + std::string(meant) + "`?"), "");
}

}  // namespace tilewright::cli

int main(int count, char** words) {
  const std::vector<const char*> all(words + std::min(count, 1), words + count);
  try {
    return static_cast<int>(tilewright::cli::run(all));
  } catch (const tilewright::InternalError& error) {
    tilewright::cli::complain("internal error: " + std::string(error.what()));
    tilewright::cli::tell("this is a bug of Tilewright, not of your code; please send the command line and its files\n");
    return static_cast<int>(tilewright::cli::Status::Bug);
  }
}
