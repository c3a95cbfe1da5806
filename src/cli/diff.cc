// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A line diff for people: lines that occur once in both texts are matched first (Bram Cohen's patience diff), so that a rewritten
// kernel shows as one block instead of a shuffle of the blank lines and parentheses that it shares with the old one. What lies
// between two matches is matched at its ends and otherwise replaced. Time is n log n, whatever the texts are.

#include "cli/diff.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tilewright::cli {

using Lines = std::vector<std::string_view>;

static Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct Match {
  size_t before;
  size_t after;
};

struct Part {
  size_t before_begin, before_end;
  size_t after_begin, after_end;
};

// A blank line or a lone parenthesis is like any other one: to match it says nothing.
static bool says_something(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return ('0' <= c && c <= '9') || ('A' <= (c & ~0x20) && (c & ~0x20) <= 'Z') || c < 0; });
}

// Lines that occur exactly once on each side of the part, in the order of `before`.
static std::vector<Match> unique_lines(const Lines& before, const Lines& after, const Part& part) {
  struct Seen {
    uint32_t in_before = 0, in_after = 0;
    size_t place = 0;
  };
  std::unordered_map<std::string_view, Seen> seen;  // looked up only, never walked
  for (size_t i = part.before_begin; i < part.before_end; ++i) ++seen[before[i]].in_before;
  for (size_t i = part.after_begin; i < part.after_end; ++i) {
    if (const auto it = seen.find(after[i]); it != seen.end()) ++it->second.in_after, it->second.place = i;
  }
  std::vector<Match> matches;
  for (size_t i = part.before_begin; i < part.before_end; ++i) {
    const Seen& line = seen[before[i]];
    if (line.in_before == 1 && line.in_after == 1 && says_something(before[i])) matches.push_back({i, line.place});
  }
  return matches;
}

// The longest run that rises on the `after` side too.
static std::vector<Match> longest_rise(const std::vector<Match>& matches) {
  static constexpr size_t none = ~size_t{0};
  std::vector<size_t> tops;  // tops[n]: the match that ends the best run of n + 1
  std::vector<size_t> before_it(matches.size(), none);
  for (size_t i = 0; i < matches.size(); ++i) {
    const auto pile = std::lower_bound(tops.begin(), tops.end(), matches[i].after,
                                       [&](size_t top, size_t value) { return matches[top].after < value; });
    if (pile != tops.begin()) before_it[i] = *std::prev(pile);
    if (pile == tops.end()) {
      tops.push_back(i);
    } else {
      *pile = i;
    }
  }
  std::vector<Match> rise;
  for (size_t i = tops.empty() ? none : tops.back(); i != none; i = before_it[i]) rise.push_back(matches[i]);
  std::reverse(rise.begin(), rise.end());
  return rise;
}

static std::vector<Match> match(const Lines& before, const Lines& after) {
  std::vector<Match> found;
  std::vector<Part> open{{0, before.size(), 0, after.size()}};
  while (!open.empty()) {
    Part part = open.back();
    open.pop_back();
    while (part.before_begin < part.before_end && part.after_begin < part.after_end &&
           before[part.before_begin] == after[part.after_begin]) {
      found.push_back({part.before_begin++, part.after_begin++});
    }
    while (part.before_begin < part.before_end && part.after_begin < part.after_end &&
           before[part.before_end - 1] == after[part.after_end - 1]) {
      found.push_back({--part.before_end, --part.after_end});
    }
    if (part.before_begin == part.before_end || part.after_begin == part.after_end) continue;
    const auto anchors = longest_rise(unique_lines(before, after, part));
    if (anchors.empty()) continue;
    Match last{part.before_begin, part.after_begin};
    for (const Match& anchor : anchors) {
      open.push_back({last.before, anchor.before, last.after, anchor.after});
      last = anchor;
    }
    open.push_back({last.before, part.before_end, last.after, part.after_end});
  }
  std::sort(found.begin(), found.end(), [](const Match& a, const Match& b) { return a.before < b.before; });
  return found;
}

// A run of lines that differ: [before_begin, before_end) becomes [after_begin, after_end).
static std::vector<Part> changes(const std::vector<Match>& matches, size_t before_size, size_t after_size) {
  std::vector<Part> out;
  Match next{0, 0};
  const auto until = [&](size_t before, size_t after) {
    if (next.before < before || next.after < after) out.push_back({next.before, before, next.after, after});
  };
  for (const Match& m : matches) {
    until(m.before, m.after);
    next = {m.before + 1, m.after + 1};
  }
  until(before_size, after_size);
  return out;
}

static void line(std::string& out, char sign, std::string_view text) {
  out.append(1, sign).append(text);
  if (!text.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

// "-12,3": an empty range names the line before it.
static std::string range(size_t begin, size_t end) {
  const size_t count = end - begin;
  return std::to_string(count == 0 ? begin : begin + 1) + (count == 1 ? "" : "," + std::to_string(count));
}

std::string unified_diff(std::string_view before_name, std::string_view before_text, std::string_view after_name,
                         std::string_view after_text) {
  static constexpr size_t context = 3;
  const Lines before = split(before_text);
  const Lines after = split(after_text);
  const auto parts = changes(match(before, after), before.size(), after.size());
  std::string out;
  for (size_t first = 0; first < parts.size();) {
    size_t last = first;
    while (last + 1 < parts.size() && parts[last + 1].before_begin - parts[last].before_end <= 2 * context) ++last;
    const size_t lead = std::min(context, parts[first].before_begin);
    const size_t tail = std::min(context, before.size() - parts[last].before_end);
    if (out.empty()) out.append("--- ").append(before_name).append("\n+++ ").append(after_name).append("\n");
    out += "@@ -" + range(parts[first].before_begin - lead, parts[last].before_end + tail) + " +" +
           range(parts[first].after_begin - lead, parts[last].after_end + tail) + " @@\n";
    size_t at = parts[first].before_begin - lead;
    for (size_t p = first; p <= last; ++p) {
      for (; at < parts[p].before_begin; ++at) line(out, ' ', before[at]);
      for (; at < parts[p].before_end; ++at) line(out, '-', before[at]);
      for (size_t i = parts[p].after_begin; i < parts[p].after_end; ++i) line(out, '+', after[i]);
    }
    for (const size_t end = at + tail; at < end; ++at) line(out, ' ', before[at]);
    first = last + 1;
  }
  return out;
}

}  // namespace tilewright::cli
