// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts that come from the tables: --help for people at a terminal, docs/cli.md for readers, completion for shells.

#include <algorithm>

#include "cli/command.h"

namespace tilewright::cli {

static constexpr std::string_view statuses =
    "  0   every kernel done (notes do not count), or no kernels there\n"
    "  1   something was refused, or `--check`/`--diff` found something to change\n"
    "  2   wrong usage, or a file that cannot be read or written\n"
    "  70  a bug of ours; the message names the file to send\n";

static constexpr Option help_option{.name = "--help", .letter = 'h', .help = "show this text"};
static constexpr Option version_option{.name = "--version", .letter = 'V', .help = "show the version"};

static std::string flag(const Option& option) {
  std::string out = option.letter ? std::string("-") + option.letter + ", " : "    ";
  out += option.name;
  if (!option.value.empty()) out.append(" ").append(option.choices.empty() ? option.value : option.choices);
  return out;
}

// In code points: "…" takes one column.
static size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

static std::string padded(std::string text, size_t width) {
  const size_t has = width_of(text);
  return text + std::string(width > has ? width - has : 0, ' ');
}

static void rows(std::string& out, std::span<const Option> options) {
  size_t width = width_of(flag(help_option));
  for (const Option& option : options) width = std::max(width, width_of(flag(option)));
  const auto row = [&](const Option& option) {
    out += "  " + padded(flag(option), width) + "  " + std::string(option.help) + "\n";
  };
  for (const Option& option : options) row(option);
  row(help_option);
}

static std::string usage(const Command& command) {
  std::string out = "tilewright " + std::string(command.name);
  if (!command.operands.empty()) out.append(" ").append(command.operands);
  return out + (command.options.empty() ? "" : " [OPTION…]");
}

std::string help() {
  std::string out =
      "Converts cuTile (`import cuda.tile as ct`) kernel files to Triton.\n\nusage: tilewright COMMAND …\n\ncommands:\n";
  size_t width = 0;
  for (const Command* command : all_commands()) width = std::max(width, command->name.size());
  for (const Command* command : all_commands()) {
    out += "  " + padded(std::string(command->name), width) + "  " + std::string(command->summary) + "\n";
  }
  out += "\noptions:\n";
  const Option both[] = {version_option};
  rows(out, both);
  return out + "\n`tilewright COMMAND --help` shows what a command takes.\n\nexit status:\n" + std::string(statuses);
}

std::string help(const Command& command) {
  std::string out =
      std::string(command.summary) + "\n\nusage: " + usage(command) + "\n\n" + std::string(command.about) + "\noptions:\n";
  rows(out, command.options);
  return out;
}

std::string reference() {
  std::string out =
      "# Command line\n\n"
      "<!-- Written by tools/update from the tables in src/cli: edit those. -->\n\n"
      "Exit status:\n\n| status | meaning |\n|---|---|\n"
      "| 0 | every kernel done (notes do not count), or no kernels there |\n"
      "| 1 | something was refused, or `--check`/`--diff` found something to change |\n"
      "| 2 | wrong usage, or a file that cannot be read or written |\n"
      "| 70 | a bug of ours; the message names the file to send |\n";
  for (const Command* command : all_commands()) {
    out += "\n## tilewright " + std::string(command->name) + "\n\n";
    out += std::string(command->summary) + ".\n\n    " + usage(*command) + "\n\n" + std::string(command->about);
    if (command->options.empty()) continue;
    out += "\n| option | meaning |\n|---|---|\n";
    for (const Option& option : command->options) {
      std::string name = flag(option);
      name.erase(0, name.find_first_not_of(' '));
      for (size_t at = 0; (at = name.find('|', at)) != std::string::npos; at += 2) name.insert(at, "\\");
      out += "| `" + name + "` | " + std::string(option.help) + " |\n";
    }
  }
  return out;
}

static std::string joined(std::string_view choices) {
  std::string out(choices);
  std::replace(out.begin(), out.end(), '|', ' ');
  return out;
}

static std::string words_of(const Command& command) {
  std::string out = "--help";
  for (const Option& option : command.options) out.append(" ").append(option.name);
  return out;
}

static std::string names() {
  std::string out;
  for (const Command* command : all_commands()) out.append(command->name).append(" ");
  return out + "--help --version";
}

static std::string bash() {
  std::string out =
      "_tilewright() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W '" +
      names() +
      "' -- \"$word\")); return; fi\n"
      "  case ${COMP_WORDS[1]}:$before in\n";
  for (const Command* command : all_commands()) {
    for (const Option& option : command->options) {
      if (option.choices.empty()) continue;
      out += "    " + std::string(command->name) + ":" + std::string(option.name) + ") COMPREPLY=($(compgen -W '" +
             joined(option.choices) + "' -- \"$word\")); return ;;\n";
    }
  }
  out +=
      "  esac\n  case $word in\n    -*) ;;\n    *) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n  esac\n  case "
      "${COMP_WORDS[1]} in\n";
  for (const Command* command : all_commands()) {
    out += "    " + std::string(command->name) + ") COMPREPLY=($(compgen -W '" + words_of(*command) + "' -- \"$word\")) ;;\n";
  }
  return out + "  esac\n}\ncomplete -o filenames -F _tilewright tilewright\n";
}

// zsh runs bash's function through its own bridge.
static std::string zsh() { return "#compdef tilewright\nautoload -U +X bashcompinit && bashcompinit\n" + bash(); }

static std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("\\'") : std::string(1, c);
  return out + "'";
}

static std::string fish() {
  std::string out;
  for (const Command* command : all_commands()) {
    const std::string name(command->name);
    out += "complete -c tilewright -n __fish_use_subcommand -a " + name + " -d " + single_quoted(command->summary) + "\n";
    for (const Option& option : command->options) {
      out += "complete -c tilewright -n '__fish_seen_subcommand_from " + name + "' -l " + std::string(option.name.substr(2));
      if (option.letter) out += std::string(" -s ") + option.letter;
      if (!option.value.empty()) out += " -r";
      if (!option.choices.empty()) out += " -f -a " + single_quoted(joined(option.choices));
      out += " -d " + single_quoted(option.help) + "\n";
    }
  }
  return out;
}

std::string completion(Shell shell) {
  switch (shell) {
    case Shell::Bash: return bash();
    case Shell::Zsh: return zsh();
    case Shell::Fish: return fish();
  }
  return {};
}

}  // namespace tilewright::cli
