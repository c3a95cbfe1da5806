// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/encoding.h"

#include <algorithm>
#include <cstring>

#include "syntax/messages.h"
#include "syntax/unicode.h"

namespace tilewright::syntax {

static constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

static std::string_view take_line(std::string_view& rest) {
  const size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + (rest.substr(end).starts_with("\r\n") ? 2 : 1), rest.size()));
  return line;
}

// The word after `coding:` or `coding=` in a comment that has its line for itself.
static std::string_view cookie(std::string_view line) {
  const size_t hash = line.find_first_not_of(" \t\f");
  if (hash == std::string_view::npos || line[hash] != '#') return {};
  for (size_t at = line.find("coding", hash); at != std::string_view::npos; at = line.find("coding", at + 1)) {
    size_t begin = at + 6;
    if (begin >= line.size() || (line[begin] != ':' && line[begin] != '=')) continue;
    begin = line.find_first_not_of(" \t", begin + 1);
    if (begin == std::string_view::npos) continue;
    size_t end = begin;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || std::strchr("-_.", line[end]))) ++end;
    if (end > begin) return line.substr(begin, end - begin);
  }
  return {};
}

static std::string_view declared_encoding(std::string_view text) {
  const std::string_view first = take_line(text);
  if (const std::string_view found = cookie(first); !found.empty()) return found;
  const size_t code = first.find_first_not_of(" \t\f");
  if (code != std::string_view::npos && first[code] != '#') return {};
  return cookie(take_line(text));
}

static std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) plain += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

static bool is_utf8_by_name(std::string_view name) {
  return plain_name(name) == "utf-8" || plain_name(name).starts_with("utf-8-");
}

static std::optional<Encoding> encoding_of_name(std::string_view name) {
  const std::string plain = plain_name(name);
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), plain) != names.end();
  };
  if (plain.starts_with("utf-8-") && plain != "utf-8-sig") return Encoding::Utf8;
  if (is({"utf-8", "utf8", "u8", "utf", "utf8-ucs2", "utf8-ucs4", "cp65001", "utf-8-sig"})) return Encoding::Utf8;
  if (is({"ascii", "us-ascii", "646", "ansi-x3.4-1968", "ansi-x3-4-1968", "ansi-x3.4-1986", "cp367", "csascii", "ibm367",
          "iso646-us", "iso-646.irv-1991", "iso-ir-6", "us"})) {
    return Encoding::Ascii;
  }
  if (plain.starts_with("latin-1-") || plain.starts_with("iso-8859-1-") || plain.starts_with("iso-latin-1-"))
    return Encoding::Latin1;
  if (is({"latin-1", "latin1", "latin", "l1", "iso-8859-1", "iso8859-1", "iso8859", "8859", "cp819", "csisolatin1", "ibm819",
          "iso-latin-1", "iso-8859-1-1987", "iso-ir-100"})) {
    return Encoding::Latin1;
  }
  return std::nullopt;
}

static size_t find_non_ascii(std::string_view text, size_t at) {
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t chunk;
    std::memcpy(&chunk, text.data() + at, 8);
    if (chunk & 0x8080808080808080) break;
  }
  while (at < text.size() && static_cast<signed char>(text[at]) >= 0) ++at;
  return at;
}

std::optional<Encoding> read_encoding(source::FileId file, std::string_view text, diag::Diagnostics& errors) {
  const auto fail = [&](size_t begin, size_t end, const auto& message, const auto&... args) {
    const source::Span span{file, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
    errors.push_back(diag::report(diag::Severity::Error, span, message, args...));
    return std::nullopt;
  };
  if (text.size() >= uint32_t{1} << 31) return fail(0, 0, too_long);
  if (const void* zero = std::memchr(text.data(), 0, text.size())) {
    const auto at = static_cast<size_t>(static_cast<const char*>(zero) - text.data());
    return fail(at, at + 1, null_byte);
  }
  const bool marked = text.starts_with(byte_order_mark);
  const std::string_view name = declared_encoding(marked ? text.substr(byte_order_mark.size()) : text);
  const auto name_at = static_cast<size_t>(name.empty() ? 0 : name.data() - text.data());
  const std::optional<Encoding> encoding = name.empty() ? Encoding::Utf8 : encoding_of_name(name);
  if (!encoding) return fail(name_at, name_at + name.size(), unknown_encoding, name);
  // With a byte order mark CPython knows UTF-8 by this one name.
  if (marked && !name.empty() && !is_utf8_by_name(name)) return fail(name_at, name_at + name.size(), encoding_against_mark, name);
  if (*encoding == Encoding::Latin1) return encoding;

  for (size_t at = find_non_ascii(text, 0); at < text.size(); at = find_non_ascii(text, at)) {
    const size_t size = *encoding == Encoding::Ascii ? 0 : utf8_sequence(text.substr(at, 4));
    if (size) {
      at += size;
    } else if (name.empty()) {
      return fail(at, at + 1, not_utf8);
    } else {
      return fail(at, at + 1, not_in_encoding, name);
    }
  }
  return encoding;
}

std::string from_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

}  // namespace tilewright::syntax
