// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// One loop over the text. Three things carry over from token to token: the indentation of the open blocks, the open brackets, and
// the open f-strings (lexer_strings.cc).

#include "syntax/lexer.h"

#include <algorithm>
#include <cstring>

#include "syntax/lexer_state.h"
#include "syntax/number.h"
#include "syntax/unicode.h"

namespace tilewright::syntax {

using namespace char_class;

constexpr size_t max_brackets = 200, max_indents = 100;
constexpr uint32_t tab_width = 8;

// TW012: f-strings
constexpr Message<> backslash_in_field("TW012", "a backslash in an f-string's expression needs Python 3.12");
constexpr Message<> comment_in_field("TW012", "a comment in an f-string's expression needs Python 3.12");

// Reads indentation, blank lines and own-line comments up to the first token of a logical line.
void Lexer::start_line() {
  at_line_start_ = false;
  while (true) {
    Indent line{0, 0};
    std::optional<uint32_t> before_backslash;
    for (; at_ < end_; ++at_) {
      const char c = text_[at_];
      if (c == ' ') {
        ++line.column, ++line.other_column;
      } else if (c == '\t') {
        line.column = (line.column / tab_width + 1) * tab_width;
        ++line.other_column;
      } else if (c == '\f') {
        line = {0, 0};
      } else if (c == '\\' && input_.version >= Version::Py310) {
        // The blanks before the first backslash are the indentation of what follows (none does not count, as in CPython).
        if (!before_backslash && line.column) before_backslash = line.column;
        if (!continue_line()) break;
        --at_;
      } else {
        break;
      }
    }
    if (at_ >= end_) return end_of_file(LineState::Closed);
    const char c = text_[at_];
    if (c == '#') {
      const uint32_t end = find_line_end(at_);
      pending_.push_back({at_, end, line.column});
      at_ = end < end_ ? past_line_end(end) : end;
    } else if (is_class(c, line_end)) {
      at_ = past_line_end(at_);
    } else {
      if (before_backslash) line = {*before_backslash, *before_backslash};
      if (c == '\\' && input_.version == Version::Py39) {  // 3.9 alone takes no notice of such a line's columns
        if (!continue_line()) return end_of_file(LineState::Closed);
        while (at_ < end_ && is_class(text_[at_], blank)) ++at_;
        if (at_ < end_ && (text_[at_] == '#' || is_class(text_[at_], line_end))) continue;
        line = indents_.back();
      }
      return flush_comments_and_indent(line);
    }
  }
}

// Compares a line's indentation with the open blocks, and gives each comment above it to the block that it is indented like.
void Lexer::flush_comments_and_indent(Indent line) {
  const Indent block = indents_.back();
  const bool ends_blocks = line.column < block.column;
  const auto here = [&](size_t i) { return i < pending_.size() ? pending_[i].begin : at_; };
  if (line.column == block.column) {
    if (line.other_column != block.other_column) error(at_, at_, mixed_tabs);
  } else if (line.column > block.column) {
    if (line.other_column <= block.other_column) error(at_, at_, mixed_tabs);
    if (indents_.size() == max_indents) return give_up(at_, too_much_indentation);
    indents_.push_back(line);
    push(TokenKind::Indent, here(0), here(0));
  }
  const auto dedent_at = [&](uint32_t at) {
    indents_.pop_back();
    push(TokenKind::Dedent, at, at);
  };
  for (size_t i = 0; i < pending_.size(); ++i) {
    while (indents_.size() > 1 && line.column < indents_.back().column && pending_[i].column < indents_.back().column)
      dedent_at(here(i));
    push(TokenKind::Comment, pending_[i].begin, pending_[i].end);
  }
  pending_.clear();
  if (!ends_blocks) return;
  while (line.column < indents_.back().column) dedent_at(at_);
  if (line.column != indents_.back().column) {
    error(at_, at_, unmatched_dedent);
  } else if (line.other_column != indents_.back().other_column) {
    error(at_, at_, mixed_tabs);
  }
}

// Past a limit of nesting the rest of the text is not read: nobody after us has to fear its depth.
void Lexer::give_up(uint32_t end, const Message<>& message) {
  error(at_, end, message);
  at_ = end_ = static_cast<uint32_t>(input_.text.size());
  brackets_.clear();
  f_strings_.clear();
  pending_.clear();
  in_text_ = false;
  push(TokenKind::Invalid, at_, at_);
}

void Lexer::end_of_file(LineState line) {
  if (!brackets_.empty()) {
    error(brackets_.back().at, brackets_.back().at + 1, never_closed, std::string_view(&brackets_.back().open, 1));
    brackets_.clear();
  }
  if (line == LineState::Open) push(TokenKind::Newline, end_, end_);
  flush_comments_and_indent({0, 0});
  push(TokenKind::EndOfFile, end_, end_);
  done_ = true;
}

// At a backslash. Moves past the line end after it, or reports.
bool Lexer::continue_line() {
  const uint32_t backslash = at_++;
  if (at_ >= end_) {
    error(backslash, at_, backslash_at_end);
    return false;
  }
  if (!is_class(text_[at_], line_end)) {
    error(at_, at_ + 1, after_backslash);
    return true;
  }
  at_ = past_line_end(at_);
  if (at_ < end_) return true;
  error(backslash, backslash + 1, backslash_at_end);
  return false;
}

void Lexer::token() {
  while (at_ < end_ && is_class(text_[at_], blank)) ++at_;
  if (at_ >= end_) {
    if (!f_strings_.empty()) return abandon_f_string();
    return end_of_file(LineState::Open);
  }
  const char c = text_[at_];
  if (is_class(c, name_start)) return name_or_string();
  if (is_class(c, digit)) return number();
  switch (c) {
    case '\r':
    case '\n': {
      const uint32_t end = past_line_end(at_);
      if (brackets_.empty()) {
        push(TokenKind::Newline, at_, end);
        at_line_start_ = true;
      }
      at_ = end;
      return;
    }
    case '#': {
      const uint32_t end = find_line_end(at_);
      if (!f_strings_.empty() && is_old_f_string()) error(at_, at_ + 1, comment_in_field);
      push(TokenKind::Comment, at_, end);
      at_ = end;
      return;
    }
    case '\\': continue_line(); return;
    case '\'':
    case '"': return string(at_, at_, 0);
    case '(': return open(TokenKind::LeftParen);
    case '[': return open(TokenKind::LeftBracket);
    case '{': return open(TokenKind::LeftBrace);
    case ')': return close(TokenKind::RightParen);
    case ']': return close(TokenKind::RightBracket);
    case '}': return close(TokenKind::RightBrace);
    case ':': return colon();
    case '!': return exclamation();
    case '.':
      if (is_class(peek(1), digit)) return number();
      return peek(1) == '.' && peek(2) == '.' ? take(TokenKind::Ellipsis, 3) : take(TokenKind::Dot, 1);
    default: return operator_token(c);
  }
}

void Lexer::operator_token(char c) {
  const char next = peek(1);
  const auto with_equal = [&](TokenKind alone, TokenKind equal) { next == '=' ? take(equal, 2) : take(alone, 1); };
  const auto doubled = [&](TokenKind alone, TokenKind equal, TokenKind twice, TokenKind twice_equal) {
    if (next != c) return with_equal(alone, equal);
    peek(2) == '=' ? take(twice_equal, 3) : take(twice, 2);
  };
  using enum TokenKind;
  switch (c) {
    case ',': return take(Comma, 1);
    case '=': return with_equal(Equal, EqualEqual);
    case '+': return with_equal(Plus, PlusEqual);
    case '-': return next == '>' ? take(Arrow, 2) : with_equal(Minus, MinusEqual);
    case '*': return doubled(Star, StarEqual, DoubleStar, DoubleStarEqual);
    case '/': return doubled(Slash, SlashEqual, DoubleSlash, DoubleSlashEqual);
    case '<': return next == '>' ? take(NotEqual, 2) : doubled(Less, LessEqual, LeftShift, LeftShiftEqual);
    case '>': return doubled(Greater, GreaterEqual, RightShift, RightShiftEqual);
    case '%': return with_equal(Percent, PercentEqual);
    case '@': return with_equal(At, AtEqual);
    case '&': return with_equal(Ampersand, AmpersandEqual);
    case '|': return with_equal(Bar, BarEqual);
    case '^': return with_equal(Caret, CaretEqual);
    case '~': return take(Tilde, 1);
    case ';': return take(Semicolon, 1);
    default: return bad_character(at_);
  }
}

void Lexer::colon() {
  if (at_field_level()) {
    take(TokenKind::Colon, 1);
    f_strings_.back().format_spec = f_strings_.back().in_text = in_text_ = true;
    return;
  }
  peek(1) == '=' ? take(TokenKind::ColonEqual, 2) : take(TokenKind::Colon, 1);
}

void Lexer::exclamation() { peek(1) == '=' ? take(TokenKind::NotEqual, 2) : take(TokenKind::Exclamation, 1); }

void Lexer::bad_character(uint32_t at) {
  size_t size = 1;
  const std::string_view rest = slice(at, end_);
  if (input_.encoding == Encoding::Utf8) size = std::max<size_t>(1, utf8_sequence(rest));
  size_t i = 0;
  const auto c = input_.encoding == Encoding::Latin1 ? static_cast<unsigned char>(rest[0]) : next_code_point(rest, i);
  const auto end = static_cast<uint32_t>(at + size);
  if (is_printable(c)) {
    std::string shown;
    append_utf8(shown, c);
    error(at, end, meaningless, shown);
  } else {
    error(at, end, unprintable_character);
  }
  push(TokenKind::Invalid, at, end);
  at_ = end;
}

// No statement keyword stands at the head of a line inside brackets: the brackets above were never closed.
void Lexer::recover_from_open_brackets(uint32_t line) {
  const Bracket& outer = brackets_.front();
  error(outer.at, outer.at + 1, never_closed, std::string_view(&outer.open, 1));
  brackets_.clear();
  uint32_t at = tokens_.back().end;
  if (tokens_.back().kind == TokenKind::Comment) at = std::max(at, tokens_.back().end);
  push(TokenKind::Newline, at, at);
  at_ = line;
  at_line_start_ = true;
}

constexpr TokenSet statement_keywords = {TokenKind::KwClass,    TokenKind::KwDef,     TokenKind::KwReturn, TokenKind::KwRaise,
                                         TokenKind::KwImport,   TokenKind::KwWith,    TokenKind::KwWhile,  TokenKind::KwTry,
                                         TokenKind::KwExcept,   TokenKind::KwFinally, TokenKind::KwElif,   TokenKind::KwAssert,
                                         TokenKind::KwDel,      TokenKind::KwPass,    TokenKind::KwGlobal, TokenKind::KwBreak,
                                         TokenKind::KwNonlocal, TokenKind::KwContinue};

void Lexer::name(uint32_t begin, uint32_t end) {
  const TokenKind kind = keyword({text_ + begin, end - begin});
  if (!brackets_.empty() && f_strings_.empty() && statement_keywords.has(kind)) {
    uint32_t line = begin;
    while (line > 0 && is_class(text_[line - 1], blank)) --line;
    if (line == 0 || is_class(text_[line - 1], line_end)) return recover_from_open_brackets(line);
  }
  push(kind, begin, end);
  at_ = end;
}

void Lexer::name_or_string() {
  const uint32_t begin = at_;
  uint32_t at = begin;
  while (at < end_ && is_class(text_[at], name_part) && static_cast<signed char>(text_[at]) >= 0) ++at;
  if (at < end_ && static_cast<signed char>(text_[at]) < 0) return wide_name(begin);
  if (at < end_ && (text_[at] == '"' || text_[at] == '\'') && at - begin <= 2) {
    // Letters directly before a quote are a prefix if they are one of the few.
    bool b = false, u = false, r = false, f = false, t = false, prefix = true;
    for (uint32_t i = begin; i < at; ++i) {
      const char c = static_cast<char>(text_[i] | 0x20);
      bool* const seen = c == 'b' ? &b : c == 'u' ? &u : c == 'r' ? &r : c == 'f' ? &f : c == 't' ? &t : nullptr;
      if (!seen || *seen) {
        prefix = false;
        break;
      }
      *seen = true;
    }
    prefix = prefix && b + u + f + t <= 1 && !(u && r);
    if (t && prefix && input_.version < Version::Py314) prefix = false;
    if (prefix) {
      const auto flags =
          static_cast<uint8_t>((b ? token_flag::bytes : 0) | (r ? token_flag::raw : 0) | (t ? token_flag::t_string : 0));
      return f || t ? start_f_string(begin, at, flags) : string(begin, at, flags);
    }
  }
  name(begin, at);
}

void Lexer::wide_name(uint32_t begin) {
  const std::string_view all = slice(0, end_);
  size_t at = begin;
  const auto next = [&](size_t& i) -> char32_t {
    return input_.encoding == Encoding::Latin1 ? static_cast<unsigned char>(all[i++]) : next_code_point(all, i);
  };
  while (at < end_) {
    size_t after = at;
    const char32_t c = next(after);
    const bool fits = c < 0x80      ? is_class(static_cast<char>(c), name_part)
                      : at == begin ? is_identifier_start(c)
                                    : is_identifier_part(c);
    if (!fits) break;
    at = after;
  }
  if (at > begin) push(TokenKind::Name, begin, static_cast<uint32_t>(at), token_flag::non_ascii);
  at_ = static_cast<uint32_t>(at);
  if (at_ < end_ && static_cast<signed char>(text_[at_]) < 0) bad_character(at_);
}

void Lexer::number() {
  const Number number = scan_number(slice(at_, end_), input_.version);
  const uint32_t end = at_ + number.size;
  if (number.problem == NumberProblem::Malformed) error(at_, end, bad_number, slice(at_, end));
  if (number.problem == NumberProblem::LeadingZeros) error(at_, end, leading_zeros);
  if (number.problem == NumberProblem::TooManyDigits) error(at_, end, too_many_digits);
  push(number.kind, at_, end);
  at_ = end;
}

void Lexer::open(TokenKind kind) {
  if (brackets_.size() == max_brackets) return give_up(at_ + 1, too_many_brackets);
  brackets_.push_back({text_[at_], at_});
  take(kind, 1);
}

void Lexer::close(TokenKind kind) {
  const char c = text_[at_];
  const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
  const size_t base = f_strings_.empty() ? 0 : f_strings_.back().base;
  if (kind == TokenKind::RightBrace && at_field_level()) {
    FString& f = f_strings_.back();
    const uint32_t field = brackets_.back().at;
    if (is_old_f_string() && f.fields == 1) {
      // Everything between the braces but the format spec, whose text has escapes of its own.
      for (size_t i = tokens_.size(); i-- > 0 && tokens_[i].begin > field;) {
        if (tokens_[i].kind == TokenKind::FStringMiddle) continue;
        if (std::memchr(text_ + tokens_[i].begin, '\\', tokens_[i].size()))
          error(tokens_[i].begin, tokens_[i].end, backslash_in_field);
      }
    }
    brackets_.pop_back();
    --f.fields;
    f.format_spec = false;
    f.in_text = in_text_ = true;
    return take(kind, 1);
  }
  if (brackets_.size() <= base) {
    error(at_, at_ + 1, never_opened, std::string_view(&c, 1));
    return take(TokenKind::Invalid, 1);
  }
  if (brackets_.back().open == opening) {
    brackets_.pop_back();
    return take(kind, 1);
  }
  error(at_, at_ + 1, mismatched, std::string_view(&c, 1), std::string_view(&brackets_.back().open, 1));
  // A bracket further out may be the one that was meant; a field's own brace is not given up for it.
  const size_t floor = f_strings_.empty() ? 0 : base + f_strings_.back().fields;
  size_t i = brackets_.size();
  while (i > floor && brackets_[i - 1].open != opening) --i;
  if (i > floor) brackets_.resize(i - 1);
  take(TokenKind::Invalid, 1);
}

std::vector<Token> lex(const LexerInput& input, diag::Diagnostics& errors) { return Lexer(input, errors).run(); }

}  // namespace tilewright::syntax
