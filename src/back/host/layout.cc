// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/host/layout.h"

#include <algorithm>

namespace tilewright::back::host {

uint32_t columns(std::string_view text) {
  return static_cast<uint32_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string indented(std::string text, std::string_view indent) {
  if (indent.empty()) return text;
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (at != 0 && !line.empty()) out.append(indent);
    out.append(line);
    if (end < text.size()) out.push_back('\n');
    at = end + 1;
  }
  return out;
}

static bool has_comments(const Argument& argument) { return !argument.comments_above.empty() || !argument.comment.empty(); }

// The argument's further lines moved to another margin.
static std::string moved(const Argument& argument, const std::string& margin) {
  if (!argument.margin || *argument.margin == margin) return argument.text;
  std::string out;
  for (size_t at = 0; at < argument.text.size();) {
    const size_t end = std::min(argument.text.find('\n', at), argument.text.size());
    std::string_view line = std::string_view(argument.text).substr(at, end - at);
    if (at != 0 && line.starts_with(*argument.margin)) {
      line.remove_prefix(argument.margin->size());
      out.append(margin);
    }
    out.append(line);
    if (end < argument.text.size()) out.push_back('\n');
    at = end + 1;
  }
  return out;
}

std::string lay_out(std::string_view callee, const std::vector<Argument>& arguments, const Place& place) {
  if (arguments.empty()) return std::string(callee) + "()";
  const auto one_line = [](const Argument& argument) { return argument.text.find('\n') == std::string::npos; };
  if (std::none_of(arguments.begin(), arguments.end(), has_comments)) {
    const bool flat = std::all_of(arguments.begin(), arguments.end(), one_line);
    std::string inside;
    for (const Argument& argument : arguments) inside.append(inside.empty() ? "" : ", ").append(moved(argument, place.indent));
    // The last argument may go on over lines of its own: `f(x, (⏎ a,⏎ b,⏎))`.
    const std::string_view first_line = std::string_view(inside).substr(0, inside.find('\n'));
    const bool only_last = flat || std::all_of(arguments.begin(), arguments.end() - 1, one_line);
    const uint32_t head = place.column + columns(callee) + 1 + columns(first_line);
    if (only_last && head + (flat ? 1 + place.behind : 0) <= place.width) return std::string(callee) + "(" + inside + ")";
    const uint32_t alone = columns(place.indent) + 4 + columns(inside);
    if (flat && alone <= place.width)
      return std::string(callee) + "(\n" + place.indent + "    " + inside + "\n" + place.indent + ")";
  }
  const std::string margin = place.indent + "    ";
  std::string out(callee);
  out += "(\n";
  for (const Argument& argument : arguments) {
    for (const std::string& comment : argument.comments_above) out.append(margin).append(comment).append("\n");
    if (argument.text.empty()) continue;  // comments behind the last one
    out.append(margin).append(moved(argument, margin)).append(",");
    if (!argument.comment.empty()) out.append("  ").append(argument.comment);
    out += "\n";
  }
  return out.append(place.indent).append(")");
}

}  // namespace tilewright::back::host
