// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "cli/command.h"
#include "cli/pages.h"
#include "cli/terminal.h"

namespace tilewright::cli::commands {

// "# TW101: the title" without the first word.
static std::string_view title(const Page& page) {
  const std::string_view line = page.text.substr(0, page.text.find('\n'));
  return line.substr(std::min(line.size(), page.code.size() + 4));
}

static Status run(const Arguments& arguments) {
  if (arguments.operands.empty()) {
    std::string list;
    for (const Page& page : pages()) list.append(page.code).append("  ").append(title(page)).append("\n");
    return put(list);
  }
  const std::string& given = arguments.operands[0];
  std::string code = given;
  std::transform(code.begin(), code.end(), code.begin(),
                 [](char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 32) : c; });
  for (const Page& page : pages()) {
    if (page.code == code || page.code == given) return put(page.text);
  }
  complain("no diagnostic has the code `" + given + "` and no rule the name; `tilewright explain` lists them all");
  return Status::Trouble;
}

extern constinit const Command explain{
    .name = "explain",
    .summary = "Show what a diagnostic code means and what to do about it, or what a rule does",
    .operands = "[CODE|RULE]",
    .count = Operands::OptionalOne,
    .about = "Prints the page of CODE (as in `TW101`) or RULE (as in `natural-quotient`); without it, the list of all.\n",
    .options = {},
    .run = run,
};

}  // namespace tilewright::cli::commands
