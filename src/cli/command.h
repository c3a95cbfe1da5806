// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line as tables. A command is a row of constants and a function; reading arguments, --help, shell completion and
// docs/cli.md all come from the same rows, so they cannot disagree. A command's file in src/cli/commands is its only home.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tilewright::cli {

// Scripts rely on these numbers.
enum class Status : int {
  Done = 0,      // every kernel done, or none there
  Findings = 1,  // a refusal, or `--check`/`--diff` with something to change
  Trouble = 2,   // wrong usage, a file that cannot be read or written
  Bug = 70,      // of ours
};

Status worse(Status a, Status b);

struct Option {
  std::string_view name;          // "--output"
  char letter = 0;                // 'o' for -o
  std::string_view value = {};    // what follows, as shown in the help; empty: nothing follows
  std::string_view choices = {};  // "strict|default|fast": anything else is wrong usage
  std::string_view help;
};

enum class Operands { None, OptionalOne, One, Many };  // Many: at least one

class Arguments;

struct Command {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view operands;  // as shown in the help
  Operands count;
  std::string_view about;  // what --help says below the usage line
  std::span<const Option> options;
  Status (*run)(const Arguments&);
};

// All of them, by name. Written by cmake/commands.cmake.
std::span<const Command* const> all_commands();

// What the user gave, already checked against the command's table.
class Arguments {
 public:
  std::vector<std::string> operands;
  std::vector<std::pair<std::string_view, std::string>> options;

  bool has(std::string_view option) const { return find(option) != nullptr; }
  // The last one wins, as in `cc -O0 … -O2`.
  std::string value(std::string_view option, std::string_view fallback) const;

 private:
  const std::string* find(std::string_view option) const;
};

// Reads `words`; the reason says what is wrong with them.
Result<Arguments> read_arguments(const Command& command, std::span<const char* const> words);

std::string help();                        // `tilewright --help`
std::string help(const Command& command);  // `tilewright convert --help`
std::string reference();                   // docs/cli.md

enum class Shell { Bash, Zsh, Fish };
std::string completion(Shell shell);

// The candidate that `word` was probably meant to be; empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace tilewright::cli
