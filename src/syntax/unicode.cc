// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/unicode.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace tilewright::syntax {

namespace {

struct Range {
  char32_t first, last;
};
struct Decomposition {
  char32_t c;
  uint32_t at, size;
};
struct Composition {
  char32_t first, second, composed;
};
struct CombiningRange {
  char32_t first, last;
  uint8_t value;
};

#include "syntax/unicode_tables.inc"

// Hangul syllables are composed by a rule (Unicode, chapter 3.12).
constexpr char32_t hangul = 0xAC00, leading = 0x1100, vowel = 0x1161, trailing = 0x11A7;
constexpr char32_t leadings = 19, vowels = 21, trailings = 28, syllables = leadings * vowels * trailings;

}  // namespace

char32_t next_code_point(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  const char32_t c = byte(0);
  const size_t size = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
  if (size == 1 || at + size > text.size()) return ++at, c;
  char32_t value = c & (0x7F >> size);
  for (size_t i = 1; i < size; ++i) value = value << 6 | (byte(i) & 0x3F);
  at += size;
  return value;
}

void append_utf8(std::string& out, char32_t c) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    tail(12), tail(6), tail(0);
  }
}

size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](size_t i, unsigned low = 0x80, unsigned high = 0xBF) { return low <= byte(i) && byte(i) <= high; };
  const unsigned c = byte(0);
  if (text.empty()) return 0;
  if (c < 0x80) return 1;
  if (c < 0xC2) return 0;
  if (c < 0xE0) return tail(1) ? 2 : 0;
  if (c < 0xF0) return tail(1, c == 0xE0 ? 0xA0 : 0x80, c == 0xED ? 0x9F : 0xBF) && tail(2) ? 3 : 0;
  if (c < 0xF5) return tail(1, c == 0xF0 ? 0x90 : 0x80, c == 0xF4 ? 0x8F : 0xBF) && tail(2) && tail(3) ? 4 : 0;
  return 0;
}

template <class Row, size_t n>
static const Row* find_range(const Row (&rows)[n], char32_t c) {
  const Row* row = std::lower_bound(std::begin(rows), std::end(rows), c, [](const Row& r, char32_t x) { return r.last < x; });
  return row != std::end(rows) && row->first <= c ? row : nullptr;
}

bool is_identifier_start(char32_t c) { return find_range(identifier_start, c); }
bool is_identifier_part(char32_t c) { return find_range(identifier_part, c); }
bool is_printable(char32_t c) { return !find_range(unprintable, c); }

static uint8_t combining_class(char32_t c) {
  const CombiningRange* row = find_range(combining_classes, c);
  return row ? row->value : 0;
}

static void decompose(char32_t c, std::vector<char32_t>& out) {
  if (hangul <= c && c < hangul + syllables) {
    const char32_t i = c - hangul;
    out.push_back(leading + i / (vowels * trailings));
    out.push_back(vowel + i % (vowels * trailings) / trailings);
    if (i % trailings) out.push_back(trailing + i % trailings);
    return;
  }
  const auto* row = std::lower_bound(std::begin(decompositions), std::end(decompositions), c,
                                     [](const Decomposition& d, char32_t x) { return d.c < x; });
  if (row == std::end(decompositions) || row->c != c) return out.push_back(c);
  out.insert(out.end(), decomposed + row->at, decomposed + row->at + row->size);
}

static char32_t compose(char32_t a, char32_t b) {
  if (leading <= a && a < leading + leadings && vowel <= b && b < vowel + vowels) {
    return hangul + ((a - leading) * vowels + (b - vowel)) * trailings;
  }
  if (hangul <= a && a < hangul + syllables && (a - hangul) % trailings == 0 && trailing < b && b < trailing + trailings) {
    return a + (b - trailing);
  }
  const auto* row = std::lower_bound(std::begin(compositions), std::end(compositions), a,
                                     [&](const Composition& r, char32_t x) { return r.first != x ? r.first < x : r.second < b; });
  return row != std::end(compositions) && row->first == a && row->second == b ? row->composed : 0;
}

std::string nfkc(std::string_view text) {
  std::vector<char32_t> all;
  for (size_t at = 0; at < text.size();) decompose(next_code_point(text, at), all);

  for (size_t i = 0; i < all.size();) {  // canonical order of combining characters
    if (!combining_class(all[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < all.size() && combining_class(all[end])) ++end;
    std::stable_sort(all.begin() + static_cast<ptrdiff_t>(i), all.begin() + static_cast<ptrdiff_t>(end),
                     [](char32_t a, char32_t b) { return combining_class(a) < combining_class(b); });
    i = end;
  }

  std::vector<char32_t> composed;
  size_t starter = SIZE_MAX;
  uint8_t last_class = 0;
  for (const char32_t c : all) {
    const uint8_t its_class = combining_class(c);
    const bool blocked = starter != SIZE_MAX && starter + 1 < composed.size() && (last_class >= its_class);
    if (starter != SIZE_MAX && !blocked) {
      if (const char32_t joined = compose(composed[starter], c)) {
        composed[starter] = joined;
        continue;
      }
    }
    if (!its_class) starter = composed.size();
    last_class = its_class;
    composed.push_back(c);
  }

  std::string out;
  for (const char32_t c : composed) append_utf8(out, c);
  return out;
}

static std::optional<char32_t> hangul_syllable(std::string_view name) {
  static constexpr std::string_view first[] = {"G",  "GG", "N", "D",  "DD", "R", "M", "B", "BB", "S",
                                               "SS", "",   "J", "JJ", "C",  "K", "T", "P", "H"};
  static constexpr std::string_view second[] = {"A",  "AE", "YA", "YAE", "EO", "E",  "YEO", "YE", "O",  "WA", "WAE",
                                                "OE", "YO", "U",  "WEO", "WE", "WI", "YU",  "EU", "YI", "I"};
  static constexpr std::string_view third[] = {"",   "G",  "GG", "GS", "N",  "NJ", "NH", "D",  "L", "LG", "LM", "LB", "LS", "LT",
                                               "LP", "LH", "M",  "B",  "BS", "S",  "SS", "NG", "J", "C",  "K",  "T",  "P",  "H"};
  for (char32_t a = 0; a < leadings; ++a) {
    if (!name.starts_with(first[a])) continue;
    for (char32_t b = 0; b < vowels; ++b) {
      const std::string_view rest = name.substr(first[a].size());
      if (!rest.starts_with(second[b])) continue;
      const auto* end = std::find(std::begin(third), std::end(third), rest.substr(second[b].size()));
      if (end != std::end(third)) return hangul + (a * vowels + b) * trailings + static_cast<char32_t>(end - third);
    }
  }
  return std::nullopt;
}

static std::optional<char32_t> ideograph(std::string_view digits) {
  if (digits.size() != 4 && digits.size() != 5) return std::nullopt;
  char32_t c = 0;
  for (const char d : digits) {
    if (!((d >= '0' && d <= '9') || (d >= 'A' && d <= 'F'))) return std::nullopt;
    c = c << 4 | static_cast<char32_t>(d <= '9' ? d - '0' : d - 'A' + 10);
  }
  static constexpr Range unified[] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B739},
                                      {0x2B740, 0x2B81D}, {0x2B820, 0x2CEA1}, {0x2CEB0, 0x2EBE0}, {0x2EBF0, 0x2EE5D},
                                      {0x30000, 0x3134A}, {0x31350, 0x323AF}};
  return find_range(unified, c) ? std::optional(c) : std::nullopt;
}

std::optional<char32_t> named_character(std::string_view given) {
  std::string name(given);
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  static constexpr std::string_view hangul_prefix = "HANGUL SYLLABLE ", ideograph_prefix = "CJK UNIFIED IDEOGRAPH-";
  if (name.starts_with(hangul_prefix)) return hangul_syllable(std::string_view(name).substr(hangul_prefix.size()));
  if (name.starts_with(ideograph_prefix)) return ideograph(std::string_view(name).substr(ideograph_prefix.size()));
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  hash = (hash ^ hash >> 40) & 0xFFFFFFFFFF;
  const auto* row = std::lower_bound(std::begin(names), std::end(names), hash << 24);
  if (row == std::end(names) || *row >> 24 != hash) return std::nullopt;
  return static_cast<char32_t>(*row & 0xFFFFFF);
}

}  // namespace tilewright::syntax
