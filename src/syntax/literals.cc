// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/literals.h"

#include "syntax/characters.h"
#include "syntax/unicode.h"

namespace tilewright::syntax {

StringPart string_part(std::string_view source, const Token& token) {
  uint32_t begin = token.begin;
  while (source[begin] != '"' && source[begin] != '\'') ++begin;
  const char quote = source[begin];
  const bool triple = token.end - begin >= 6 && source[begin + 1] == quote && source[begin + 2] == quote;
  const uint32_t quotes = triple ? 3 : 1;
  return {begin + quotes, token.end - quotes, token.flags};
}

bool is_verbatim(const StringPart& part, Encoding encoding) {
  using namespace token_flag;
  if (part.flags & (carriage | braces)) return false;
  if ((part.flags & escape) && !(part.flags & raw)) return false;
  return !(part.flags & non_ascii) || (encoding == Encoding::Utf8 && !(part.flags & bytes));
}

namespace {

class Decoder {
 public:
  Decoder(std::string_view source, const StringPart& part, Encoding encoding, std::string& out)
      : source_(source), part_(part), encoding_(encoding), out_(out), at_(part.begin) {}

  std::optional<EscapeProblem> run() {
    const bool raw = part_.flags & token_flag::raw, bytes = part_.flags & token_flag::bytes,
               braces = part_.flags & token_flag::braces;
    while (at_ < part_.end && !problem_) {
      const char c = source_[at_];
      if (c == '\\' && !raw) {
        escape();
      } else if (c == '\r') {
        out_ += '\n';
        at_ += peek(1) == '\n' ? 2 : 1;
      } else if (static_cast<signed char>(c) < 0) {
        if (bytes) fail(at_, at_ + 1, EscapeProblem::What::NotAscii);
        wide();
      } else {
        out_ += c;
        at_ += braces && (c == '{' || c == '}') && peek(1) == c ? 2 : 1;
      }
    }
    return problem_;
  }

 private:
  char peek(uint32_t ahead) const { return at_ + ahead < part_.end ? source_[at_ + ahead] : '\0'; }
  void fail(uint32_t begin, uint32_t end, EscapeProblem::What what) {
    if (!problem_) problem_ = EscapeProblem{begin, end, what};
  }
  void wide() {
    if (encoding_ == Encoding::Latin1) {
      append_utf8(out_, static_cast<unsigned char>(source_[at_++]));
    } else {
      out_ += source_[at_++];
    }
  }

  // The value of `digits` hexadecimal digits after the backslash and its letter.
  void hexadecimal(uint32_t digits) {
    const bool bytes = part_.flags & token_flag::bytes;
    const uint32_t begin = at_;
    char32_t value = 0;
    at_ += 2;
    for (uint32_t i = 0; i < digits; ++i, ++at_) {
      const char c = peek(0);
      if (!is_class(c, char_class::hex)) return fail(begin, at_, EscapeProblem::What::Truncated);
      value = value << 4 | static_cast<char32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    if (value > 0x10FFFF) return fail(begin, at_, EscapeProblem::What::TooLarge);
    character(value, bytes);
  }
  void character(char32_t value, bool bytes) {
    if (bytes) {
      out_ += static_cast<char>(value);
    } else {
      append_utf8(out_, value);
    }
  }

  void named() {
    const uint32_t begin = at_;
    const size_t close = source_.substr(0, part_.end).find('}', at_);
    if (peek(2) != '{' || close == std::string_view::npos) return fail(begin, begin + 2, EscapeProblem::What::Truncated);
    const auto c = named_character(source_.substr(begin + 3, close - begin - 3));
    at_ = static_cast<uint32_t>(close) + 1;
    if (!c) return fail(begin, at_, EscapeProblem::What::UnknownName);
    append_utf8(out_, *c);
  }

  void escape() {
    const bool bytes = part_.flags & token_flag::bytes;
    const char c = peek(1);
    const auto simple = [&](char value) {
      out_ += value;
      at_ += 2;
    };
    if (c >= '0' && c <= '7') {
      char32_t value = 0;
      ++at_;
      for (int i = 0; i < 3 && peek(0) >= '0' && peek(0) <= '7'; ++i, ++at_)
        value = value << 3 | static_cast<char32_t>(peek(0) - '0');
      return character(value, bytes);
    }
    switch (c) {
      case '\n': at_ += 2; return;
      case '\r': at_ += peek(2) == '\n' ? 3 : 2; return;
      case '\\': return simple('\\');
      case '\'': return simple('\'');
      case '"': return simple('"');
      case 'a': return simple('\a');
      case 'b': return simple('\b');
      case 'f': return simple('\f');
      case 'n': return simple('\n');
      case 'r': return simple('\r');
      case 't': return simple('\t');
      case 'v': return simple('\v');
      case 'x': return hexadecimal(2);
      case 'u':
        if (!bytes) return hexadecimal(4);
        break;
      case 'U':
        if (!bytes) return hexadecimal(8);
        break;
      case 'N':
        if (!bytes) return named();
        break;
      default: break;
    }
    out_ += '\\';  // no escape: the backslash stands for itself
    ++at_;
  }

  std::string_view source_;
  StringPart part_;
  Encoding encoding_;
  std::string& out_;
  uint32_t at_;
  std::optional<EscapeProblem> problem_;
};

}  // namespace

std::optional<EscapeProblem> decode(std::string_view source, const StringPart& part, Encoding encoding, std::string& out) {
  if (is_verbatim(part, encoding)) {
    out.append(source.substr(part.begin, part.end - part.begin));
    return std::nullopt;
  }
  return Decoder(source, part, encoding, out).run();
}

}  // namespace tilewright::syntax
