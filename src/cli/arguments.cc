// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "cli/command.h"

namespace tilewright::cli {

Status worse(Status a, Status b) { return std::max(a, b); }

const std::string* Arguments::find(std::string_view option) const {
  const auto last = std::find_if(options.rbegin(), options.rend(), [&](const auto& given) { return given.first == option; });
  return last == options.rend() ? nullptr : &last->second;
}

std::string Arguments::value(std::string_view option, std::string_view fallback) const {
  const std::string* given = find(option);
  return given ? *given : std::string(fallback);
}

static std::string quoted(std::string_view word) { return "`" + std::string(word) + "`"; }

static Trouble unknown(std::string_view what, std::string_view word, std::span<const std::string_view> candidates) {
  std::string reason = "unknown " + std::string(what) + " " + quoted(word);
  if (const auto meant = nearest(word, candidates); !meant.empty()) reason += "; did you mean " + quoted(meant) + "?";
  return {reason};
}

static std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

static Trouble wrong_choice(const Option& option, std::string_view value) {
  std::string reason = quoted(option.name) + " is one of ";
  const auto choices = split(option.choices, '|');
  for (size_t i = 0; i < choices.size(); ++i) {
    reason += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + quoted(choices[i]);
  }
  return {reason + ", not " + quoted(value)};
}

static const Option* find_option(const Command& command, std::string_view name) {
  for (const Option& option : command.options) {
    if (option.name == name || (name.size() == 2 && option.letter && name[1] == option.letter && name[0] == '-')) return &option;
  }
  return nullptr;
}

static Trouble unknown_option(const Command& command, std::string_view name) {
  std::vector<std::string_view> names{"--help"};
  for (const Option& option : command.options) names.push_back(option.name);
  return unknown("option", name, names);
}

static Result<bool> check_count(const Command& command, const Arguments& arguments) {
  const size_t given = arguments.operands.size();
  const auto surplus = [&](size_t most) { return Trouble{"unexpected argument " + quoted(arguments.operands[most])}; };
  const Trouble missing{"missing argument " + std::string(command.operands)};
  switch (command.count) {
    case Operands::None:
      if (given > 0) return surplus(0);
      break;
    case Operands::OptionalOne:
      if (given > 1) return surplus(1);
      break;
    case Operands::One:
      if (given == 0) return missing;
      if (given > 1) return surplus(1);
      break;
    case Operands::Many:
      if (given == 0) return missing;
      break;
  }
  return true;
}

Result<Arguments> read_arguments(const Command& command, std::span<const char* const> words) {
  Arguments out;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--") {  // everything after it is an operand
      for (++i; i < words.size(); ++i) out.operands.emplace_back(words[i]);
      break;
    }
    if (!word.starts_with('-') || word == "-") {
      out.operands.emplace_back(word);
      continue;
    }
    const auto equals = word.starts_with("--") ? word.find('=') : std::string_view::npos;
    const std::string_view name = word.starts_with("--") ? word.substr(0, equals) : word.substr(0, 2);
    const Option* option = find_option(command, name);
    if (!option) return unknown_option(command, word.substr(0, equals));

    if (option->value.empty()) {
      if (equals != std::string_view::npos) return Trouble{quoted(name) + " takes no value"};
      if (word.size() > name.size()) return unknown_option(command, word);
      out.options.emplace_back(option->name, "");
      continue;
    }
    std::string_view value;
    if (equals != std::string_view::npos) {
      value = word.substr(equals + 1);
    } else if (word.size() > name.size()) {
      value = word.substr(name.size());  // -oPATH
    } else if (++i < words.size()) {
      value = words[i];
    } else {
      return Trouble{quoted(name) + " needs a value: " + std::string(option->name) + " " + std::string(option->value)};
    }
    if (!option->choices.empty()) {
      const auto choices = split(option->choices, '|');
      if (std::find(choices.begin(), choices.end(), value) == choices.end()) return wrong_choice(*option, value);
    }
    out.options.emplace_back(option->name, value);
  }
  if (auto counted = check_count(command, out); !counted) return Trouble{counted.reason()};
  return out;
}

static size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > 64) return {};
  std::string_view best;
  size_t least = word.size() / 3 + 1;
  for (const std::string_view candidate : candidates) {
    if (const size_t d = distance(word, candidate); d <= least && (best.empty() || d < least)) {
      best = candidate;
      least = d;
    }
  }
  return best;
}

}  // namespace tilewright::cli
