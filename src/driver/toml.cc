// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/toml.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace tilewright::driver {

// A step returns false where the text is wrong; `wrong_` then says why.
class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  Result<Toml> read() {
    while (skip_lines(), !done()) {
      if (!(peek() == '[' ? header() : pair(table_)) || !end_of_line()) return trouble();
    }
    return std::move(toml_);
  }

 private:
  static constexpr int deepest = 100;

  bool done() const { return at_ >= text_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool fail(std::string_view why) {
    wrong_ = why;
    return false;
  }
  Trouble trouble() const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(std::min(at_, text_.size())), '\n');
    return {"line " + std::to_string(line) + ": " + wrong_};
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  void skip_comment() {
    if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }
  // Blanks, line ends and comments.
  void skip_lines() {
    while (!done()) {
      skip_blanks();
      skip_comment();
      if (peek() != '\n' && peek() != '\r') return;
      ++at_;
    }
  }
  bool end_of_line() {
    skip_blanks();
    skip_comment();
    return done() || take("\n") || take("\r\n") || fail("expected the end of the line");
  }

  // [a.b] or [[a.b]]
  bool header() {
    const bool array = take("[[");
    if (!array) take("[");
    std::string name;
    skip_blanks();
    if (!key(name)) return false;
    skip_blanks();
    if (!take(array ? "]]" : "]")) return fail("expected `]`");
    toml_.values[name] = true;
    table_ = name + ".";
    return true;
  }

  static bool is_bare(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '-';
  }

  // a.b."c d"
  bool key(std::string& out) {
    while (true) {
      if (peek() == '"' || peek() == '\'') {
        std::string part;
        if (!string(part)) return false;
        out += part;
      } else {
        const size_t begin = at_;
        while (is_bare(peek())) ++at_;
        if (at_ == begin) return fail("expected a name");
        out += text_.substr(begin, at_ - begin);
      }
      skip_blanks();
      if (!take(".")) return true;
      skip_blanks();
      out += '.';
    }
  }

  bool pair(const std::string& table) {
    std::string name = table;
    if (!key(name)) return false;
    if (!take("=")) return fail("expected `=`");
    skip_blanks();
    return value(name, 0);
  }

  // `name` is empty for values that are not kept.
  bool value(const std::string& name, int depth) {
    if (depth > deepest) return fail("nested too deeply");
    const char c = peek();
    if (c == '"' || c == '\'') {
      std::string text;
      return string(text) && keep(name, std::move(text));
    }
    if (c == '[') return array(depth);
    if (c == '{') return inline_table(name, depth);
    const size_t begin = at_;
    // A date may hold one blank; nobody looks at dates.
    while (is_bare(peek()) || peek() == '+' || peek() == '.' || peek() == ':') ++at_;
    if (at_ == begin) return fail("expected a value");
    return scalar(name, text_.substr(begin, at_ - begin));
  }

  bool keep(const std::string& name, Toml::Value value) {
    if (!name.empty()) toml_.values[name] = std::move(value);
    return true;
  }

  bool scalar(const std::string& name, std::string_view word) {
    if (word == "true" || word == "false") return keep(name, word == "true");
    std::string digits(word);
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    int64_t number = 0;
    const char* end = digits.data() + digits.size();
    if (const auto [stop, error] = std::from_chars(digits.data(), end, number); error == std::errc{} && stop == end)
      return keep(name, number);
    skip_blanks();
    while (is_bare(peek()) || peek() == ':' || peek() == '.') ++at_;  // the time after a date
    return true;
  }

  bool array(int depth) {
    take("[");
    while (true) {
      skip_lines();
      if (take("]")) return true;
      if (!value("", depth + 1)) return false;
      skip_lines();
      if (take(",")) continue;
      return take("]") || fail("expected `,` or `]`");
    }
  }

  bool inline_table(const std::string& name, int depth) {
    take("{");
    keep(name, true);
    while (true) {
      skip_lines();
      if (take("}")) return true;
      std::string member = name.empty() ? "" : name + ".";
      if (!key(member)) return false;
      if (!take("=")) return fail("expected `=`");
      skip_blanks();
      if (!value(name.empty() ? "" : member, depth + 1)) return false;
      skip_lines();
      if (take(",")) continue;
      return take("}") || fail("expected `,` or `}`");
    }
  }

  // Escapes are kept as they are written: no setting that we read has any.
  bool string(std::string& out) {
    const char quote = peek();
    const std::string three(3, quote);
    if (take(three)) {
      const size_t end = closing(three);
      if (end == std::string_view::npos) return fail("a string has no end");
      out = text_.substr(at_, end - at_);
      at_ = end + 3;
      while (peek() == quote) out += quote, ++at_;  // """a"""" ends in a quote of its own
      return true;
    }
    ++at_;
    const size_t end = closing(std::string_view(three).substr(0, 1));
    if (end == std::string_view::npos || text_.substr(at_, end - at_).find('\n') != std::string_view::npos)
      return fail("a string has no end");
    out = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  size_t closing(std::string_view quotes) const {
    for (size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '\\' && quotes[0] == '"') {
        ++i;
      } else if (text_.substr(i).starts_with(quotes)) {
        return i;
      }
    }
    return std::string_view::npos;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string table_;
  std::string wrong_;
  Toml toml_;
};

Result<Toml> parse_toml(std::string_view text) { return TomlReader(text).read(); }

}  // namespace tilewright::driver
