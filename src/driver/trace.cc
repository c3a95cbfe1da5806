// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/trace.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tilewright::driver {
namespace {

constexpr int64_t shown_at_edge = 3;  // of an axis, at both of its ends

std::string text_of(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::general, 6);
  return {digits, end};
}

std::string element_text(const interp::Traced& tile, size_t at) {
  if (!tile.has_meaning.empty() && !tile.has_meaning[at]) return "?";
  return tile.numbers.empty() ? std::to_string(tile.integers[at]) : text_of(tile.numbers[at]);
}

std::string elements_text(const interp::Traced& tile, size_t axis, int64_t first) {
  if (axis == tile.extents.size()) return element_text(tile, static_cast<size_t>(first));
  const std::span<const int64_t> inner = std::span(tile.extents).subspan(axis + 1);
  const int64_t extent = tile.extents[axis];
  const bool is_last = axis + 1 == tile.extents.size();
  const std::string between = is_last ? ", " : ",\n" + std::string(axis + 1, ' ');
  std::string out = "[";
  for (int64_t i = 0; i < extent; ++i) {
    if (i) out += between;
    if (i == shown_at_edge && extent > 2 * shown_at_edge + 1) {
      out += "…" + between;
      i = extent - shown_at_edge;
    }
    out += elements_text(tile, axis + 1, first + i * interp::count_of(inner));
  }
  return out + "]";
}

std::string shape_text(const interp::Traced& tile) {
  std::string out = "(";
  for (size_t axis = 0; axis < tile.extents.size(); ++axis) out += (axis ? ", " : "") + std::to_string(tile.extents[axis]);
  return out + (tile.extents.size() == 1 ? ",)" : ")");
}

void add_count(std::string& out, int64_t count, const char* what) {
  if (count) out += ", " + std::to_string(count) + " " + what;
}

// Of elements that have a meaning and are finite.
std::string statistics_of(const interp::Traced& tile) {
  std::vector<double> finite;
  int64_t nan = 0;
  int64_t infinite = 0;
  int64_t meaningless = 0;
  const size_t count = std::max(tile.numbers.size(), tile.integers.size());
  for (size_t i = 0; i < count; ++i) {
    const double number = tile.numbers.empty() ? static_cast<double>(tile.integers[i]) : tile.numbers[i];
    if (!tile.has_meaning.empty() && !tile.has_meaning[i]) {
      ++meaningless;
    } else if (std::isfinite(number)) {
      finite.push_back(number);
    } else {
      ++(std::isnan(number) ? nan : infinite);
    }
  }
  std::string out;
  if (finite.size() > 1) {
    const auto [least, most] = std::minmax_element(finite.begin(), finite.end());
    double sum = 0;
    for (const double number : finite) sum += number;
    out += ", from " + text_of(*least) + " to " + text_of(*most) + ", mean " + text_of(sum / static_cast<double>(finite.size()));
  }
  add_count(out, nan, "NaN");
  add_count(out, infinite, "infinite");
  add_count(out, meaningless, "without a meaning");
  return out;
}

}  // namespace

std::optional<interp::Trace> trace_of(const source::Files& files, source::FileId file, uint32_t line,
                                      const interp::Grid& program) {
  if (line == 0 || line > files[file].line_count()) return std::nullopt;
  const uint32_t begin = files[file].line_start(line);
  return interp::Trace{.line = {file, begin, begin + static_cast<uint32_t>(files[file].line(line).size())}, .program = program};
}

std::string text_of(const interp::Traced& tile) {
  return (tile.is_stored ? "stored in " : "") + tile.name + ": " + ir::name_of(tile.dtype) + " " + shape_text(tile) +
         statistics_of(tile) + "\n" + elements_text(tile, 0, 0) + "\n";
}

}  // namespace tilewright::driver
