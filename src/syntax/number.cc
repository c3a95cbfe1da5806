// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/number.h"

#include <vector>

#include "syntax/characters.h"

namespace tilewright::syntax {

namespace {

constexpr size_t max_decimal_digits = 4300;  // CPython refuses to convert more, since that takes quadratic time

class Scanner {
 public:
  Scanner(std::string_view text, Version version) : text_(text), version_(version) {}

  Number scan() {
    if (peek() == '0') {
      const char base = static_cast<char>(peek(1) | 0x20);
      if (base == 'x' || base == 'o' || base == 'b') return based(base);
    }
    Number number = decimal();
    if (number.problem != NumberProblem::None) skip_word();
    number.size = static_cast<uint32_t>(at_);
    return number;
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool is_digit(char c) const { return c >= '0' && c <= '9'; }

  Number based(char base) {
    const auto fits = [&](char c) {
      return base == 'x' ? is_class(c, char_class::hex) : base == 'o' ? c >= '0' && c <= '7' : c == '0' || c == '1';
    };
    at_ = 2;
    Number number;
    do {
      if (peek() == '_') ++at_;
      if (!fits(peek())) number.problem = NumberProblem::Malformed;
      while (fits(peek())) ++at_;
    } while (peek() == '_' && number.problem == NumberProblem::None);
    if (is_digit(peek()) || !ends_well()) number.problem = NumberProblem::Malformed;
    if (number.problem != NumberProblem::None) skip_word();
    number.size = static_cast<uint32_t>(at_);
    return number;
  }

  // Digits with single underscores between them; false if an underscore has no digit after it.
  bool digits() {
    while (true) {
      while (is_digit(peek())) ++at_, ++count_;
      if (peek() != '_') return true;
      ++at_;
      if (!is_digit(peek())) return false;
    }
  }

  Number decimal() {
    Number number;
    const bool zero = peek() == '0';
    const size_t begin = at_;
    if (is_digit(peek()) && !digits()) return malformed(number);
    bool nonzero = false;
    for (size_t i = begin; i < at_; ++i) nonzero = nonzero || (text_[i] != '0' && text_[i] != '_');
    if (peek() == '.') {
      number.kind = TokenKind::Float;
      ++at_;
      if (is_digit(peek()) && !digits()) return malformed(number);
    }
    if ((peek() | 0x20) == 'e') {
      const bool sign = peek(1) == '+' || peek(1) == '-';
      if (is_digit(peek(sign ? 2 : 1))) {
        number.kind = TokenKind::Float;
        at_ += sign ? 2 : 1;
        if (!digits()) return malformed(number);
      } else if (sign && version_ >= Version::Py39) {
        return malformed(number);
      }
    }
    if ((peek() | 0x20) == 'j') {
      number.kind = TokenKind::Imaginary;
      ++at_;
    }
    if (!ends_well()) return malformed(number);
    if (number.kind == TokenKind::Int && zero && nonzero) number.problem = NumberProblem::LeadingZeros;
    if (number.kind == TokenKind::Int && count_ > max_decimal_digits) number.problem = NumberProblem::TooManyDigits;
    return number;
  }

  static Number malformed(Number number) {
    number.problem = NumberProblem::Malformed;
    return number;
  }

  // A number may run into one of a few keywords (`1if x`), into nothing else.
  bool ends_well() const {
    if (!is_class(peek(), char_class::name_part)) return true;
    if (static_cast<signed char>(peek()) < 0) return true;  // the parser's to refuse
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view word : {"and", "else", "for", "if", "in", "is", "or", "not"}) {
      if (rest.starts_with(word)) return true;
    }
    return false;
  }

  void skip_word() {
    while (is_class(peek(), char_class::name_part) && static_cast<signed char>(peek()) >= 0) ++at_;
  }

  std::string_view text_;
  Version version_;
  size_t at_ = 0;
  size_t count_ = 0;
};

}  // namespace

Number scan_number(std::string_view text, Version version) { return Scanner(text, version).scan(); }

std::string to_decimal(std::string_view digits) {
  uint32_t base = 10;
  if (digits.size() > 2 && digits[0] == '0') base = digits[1] == 'x' ? 16 : digits[1] == 'o' ? 8 : digits[1] == 'b' ? 2 : 10;
  if (base != 10) digits.remove_prefix(2);
  if (base == 10) {
    const size_t first = digits.find_first_not_of('0');
    return first == std::string_view::npos ? "0" : std::string(digits.substr(first));
  }
  constexpr uint64_t limb = 1'000'000'000;
  std::vector<uint32_t> limbs;
  for (const char c : digits) {
    uint64_t carry = static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    for (uint32_t& l : limbs) {
      const uint64_t value = uint64_t{l} * base + carry;
      l = static_cast<uint32_t>(value % limb);
      carry = value / limb;
    }
    if (carry) limbs.push_back(static_cast<uint32_t>(carry));
  }
  if (limbs.empty()) return "0";
  std::string out = std::to_string(limbs.back());
  for (size_t i = limbs.size() - 1; i-- > 0;) {
    const std::string part = std::to_string(limbs[i]);
    out.append(9 - part.size(), '0').append(part);
  }
  return out;
}

}  // namespace tilewright::syntax
