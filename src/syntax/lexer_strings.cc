// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Strings and f-strings. Inside an f-string the lexer alternates between text (up to the next brace or the closing quote) and
// ordinary tokens (up to the brace, `!` or `:` that ends the expression).
//
// Before Python 3.12 an f-string ended at its first matching quote, whatever stood in its braces; there we find that end first
// and read the inside with the end of the text moved to it.

#include <algorithm>

#include "syntax/lexer_state.h"

namespace tilewright::syntax {

using namespace char_class;

constexpr size_t max_f_strings = 150;

// TW012: f-strings
constexpr Message<> unterminated_field("TW012", "the replacement field is not closed before its string ends");
constexpr Message<> single_brace("TW012", "a single `}` in an f-string: a literal brace is written twice");

// The place of the closing quotes, or of the line or text end where they are missing.
uint32_t Lexer::plain_string_end(uint32_t content, char quote, uint32_t quote_size, uint8_t& flags) const {
  uint32_t at = content;
  while (at < end_) {
    const char c = text_[at];
    if (!is_class(c, string_stop)) {
      ++at;
    } else if (c == quote) {
      if (quote_size == 1) return at;
      if (at + 2 < end_ && text_[at + 1] == quote && text_[at + 2] == quote) return at;
      ++at;
    } else if (c == '\\') {
      flags |= token_flag::escape;
      ++at;
      if (at < end_ && text_[at] == '\r') {
        flags |= token_flag::carriage;
        at = past_line_end(at);
      } else if (at < end_) {
        if (static_cast<signed char>(text_[at]) < 0) flags |= token_flag::non_ascii;
        ++at;
      }
    } else if (is_class(c, line_end)) {
      if (quote_size == 1) return at;
      if (c == '\r') flags |= token_flag::carriage;
      ++at;
    } else {
      if (static_cast<signed char>(c) < 0) flags |= token_flag::non_ascii;
      ++at;
    }
  }
  return std::min(at, end_);
}

void Lexer::string(uint32_t begin, uint32_t quote_at, uint8_t flags) {
  const char quote = text_[quote_at];
  const bool triple = quote_at + 2 < end_ && text_[quote_at + 1] == quote && text_[quote_at + 2] == quote;
  const uint32_t quote_size = triple ? 3 : 1;
  const uint32_t close = plain_string_end(quote_at + quote_size, quote, quote_size, flags);
  const bool closed = close < end_ && text_[close] == quote;
  const uint32_t end = closed ? close + quote_size : close;
  if (!closed && triple) error(begin, quote_at + 3, unterminated_triple);
  if (!closed && !triple) error(begin, end, unterminated_string);
  push(closed ? TokenKind::String : TokenKind::Invalid, begin, end, flags);
  at_ = end;
}

void Lexer::start_f_string(uint32_t begin, uint32_t quote_at, uint8_t flags) {
  const char quote = text_[quote_at];
  const bool triple = quote_at + 2 < end_ && text_[quote_at + 1] == quote && text_[quote_at + 2] == quote;
  const uint32_t quote_size = triple ? 3 : 1;
  const uint32_t content = quote_at + quote_size;
  if (f_strings_.size() + 1 >= max_f_strings) return give_up(content, too_deep);
  FString f{.begin = begin,
            .quote = quote,
            .quote_size = quote_size,
            .raw = (flags & token_flag::raw) != 0,
            .base = brackets_.size(),
            .end_outside = end_};
  if (is_old_f_string()) {
    uint8_t ignored = 0;
    const uint32_t close = plain_string_end(content, quote, quote_size, ignored);
    if (close >= end_ || text_[close] != quote) {
      if (triple) error(begin, content, unterminated_triple);
      if (!triple) error(begin, close, unterminated_string);
      push(TokenKind::Invalid, begin, close, flags);
      at_ = close;
      return;
    }
    end_ = close;
  }
  push(TokenKind::FStringStart, begin, content, flags);
  f_strings_.push_back(f);
  at_ = content;
  in_text_ = true;
}

void Lexer::end_f_string(uint32_t quote_at) {
  const FString& f = f_strings_.back();
  push(TokenKind::FStringEnd, quote_at, quote_at + f.quote_size);
  at_ = quote_at + f.quote_size;
  end_ = f.end_outside;
  brackets_.resize(f.base);
  f_strings_.pop_back();
  in_text_ = !f_strings_.empty() && f_strings_.back().in_text;
}

// The text has ended inside a replacement field.
void Lexer::abandon_f_string() {
  const FString& f = f_strings_.back();
  const uint32_t at = brackets_.size() > f.base ? brackets_[f.base].at : f.begin;
  error(at, at + 1, unterminated_field);
  if (is_old_f_string()) return end_f_string(end_);
  push(TokenKind::Invalid, end_, end_);
  brackets_.resize(f.base);
  f_strings_.pop_back();
  in_text_ = false;
}

// Literal text up to a brace that opens or closes a field, or to the closing quotes.
void Lexer::f_string_text() {
  FString& f = f_strings_.back();
  const uint32_t begin = at_;
  const bool in_spec = f.format_spec && f.fields > 0;
  uint8_t flags = static_cast<uint8_t>((f.raw ? token_flag::raw : 0) | (f.fields > 0 ? token_flag::format_spec : 0));
  const auto emit_text = [&] {
    if (at_ > begin) push(TokenKind::FStringMiddle, begin, at_, flags);
  };
  while (true) {
    if (at_ >= end_) {
      emit_text();
      if (is_old_f_string()) {
        if (f.fields > 0) error(brackets_[f.base].at, brackets_[f.base].at + 1, unterminated_field);
        return end_f_string(end_);
      }
      if (f.quote_size == 3) error(f.begin, f.begin + 1, unterminated_triple);
      if (f.quote_size == 1) error(f.begin, end_, unterminated_string);
      push(TokenKind::Invalid, end_, end_);
      brackets_.resize(f.base);
      f_strings_.pop_back();
      in_text_ = false;
      return;
    }
    const char c = text_[at_];
    if (c == f.quote && !is_old_f_string()) {
      const bool closes = f.quote_size == 1 || (peek(1) == c && peek(2) == c);
      if (closes) {
        emit_text();
        return end_f_string(at_);
      }
      ++at_;
    } else if (c == '{') {
      if (peek(1) == '{' && !in_spec) {
        flags |= token_flag::braces;
        at_ += 2;
        continue;
      }
      emit_text();
      f.in_text = in_text_ = false;
      if (++f.fields > (is_old_f_string() ? 2 : 3)) error(at_, at_ + 1, too_many_fields);
      return open(TokenKind::LeftBrace);
    } else if (c == '}') {
      if (peek(1) == '}' && !in_spec && brackets_.size() == f.base) {
        flags |= token_flag::braces;
        at_ += 2;
        continue;
      }
      emit_text();
      if (f.fields == 0) {
        error(at_, at_ + 1, single_brace);
        push(TokenKind::Invalid, at_, at_ + 1);
        ++at_;
        return;
      }
      f.in_text = in_text_ = false;
      return;
    } else if (c == '\\') {
      flags |= token_flag::escape;
      ++at_;
      const char next = peek();
      if (next == '{' || next == '}' || at_ >= end_) continue;
      if (next == 'N' && !f.raw && peek(1) == '{') {
        uint32_t close = at_ + 2;
        while (close < end_ && text_[close] != '}' && text_[close] != f.quote && !is_class(text_[close], line_end)) ++close;
        at_ = close < end_ && text_[close] == '}' ? close + 1 : at_ + 1;
        continue;
      }
      if (next == '\r') flags |= token_flag::carriage;
      if (static_cast<signed char>(next) < 0) flags |= token_flag::non_ascii;
      at_ = is_class(next, line_end) ? past_line_end(at_) : at_ + 1;
    } else if (is_class(c, line_end)) {
      if (f.quote_size == 1) {
        emit_text();
        if (in_spec && input_.version < Version::Py314) {  // the spec ends here, a closing brace may follow
          f.in_text = in_text_ = f.format_spec = false;
          return;
        }
        error(f.begin, at_, unterminated_string);
        push(TokenKind::Invalid, at_, at_);
        brackets_.resize(f.base);
        f_strings_.pop_back();
        in_text_ = !f_strings_.empty() && f_strings_.back().in_text;
        return;
      }
      if (c == '\r') flags |= token_flag::carriage;
      ++at_;
    } else {
      if (static_cast<signed char>(c) < 0) flags |= token_flag::non_ascii;
      ++at_;
    }
  }
}

}  // namespace tilewright::syntax
