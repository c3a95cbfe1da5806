// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// One loop over the text. Three things carry over from token to token: the indentation of the open blocks, the open brackets, and
// the open f-strings. Inside an f-string the loop alternates between text (up to the next brace or the closing quote) and
// ordinary tokens (up to the brace, `!` or `:` that ends the expression).
//
// Before Python 3.12 an f-string ended at its first matching quote, whatever stood in its braces; there we find that end first and
// read the inside with the end of the text moved to it.

#include "syntax/lexer.h"

#include <algorithm>
#include <cstring>

#include "syntax/characters.h"
#include "syntax/messages.h"
#include "syntax/number.h"
#include "syntax/unicode.h"

namespace tilewright::syntax {

using namespace char_class;

namespace {

constexpr size_t max_brackets = 200, max_indents = 100, max_f_strings = 150;
constexpr uint32_t tab_width = 8;

// TW012: f-strings
constexpr Message<> unterminated_field("TW012", "the replacement field is not closed before its string ends");
constexpr Message<> single_brace("TW012", "a single `}` in an f-string: a literal brace is written twice");
constexpr Message<> backslash_in_field("TW012", "a backslash in an f-string's expression needs Python 3.12");
constexpr Message<> comment_in_field("TW012", "a comment in an f-string's expression needs Python 3.12");

struct Indent {
  uint32_t column;        // tabs reach to the next multiple of 8
  uint32_t other_column;  // tabs count as one; both must tell the same story
};

struct Bracket {
  char open;
  uint32_t at;
};

struct FString {
  uint32_t begin;
  char quote;
  uint32_t quote_size;
  bool raw;
  size_t base;             // brackets open outside
  size_t fields = 0;       // replacement fields open, one inside the format spec of another
  bool format_spec = false;
  bool in_text = true;
  uint32_t end_outside;    // where the text ends for those outside
};

struct PendingComment {
  uint32_t begin, end, column;
};

class Lexer {
 public:
  Lexer(const LexerInput& input, diag::Diagnostics& errors)
      : input_(input), text_(input.text.data()), end_(static_cast<uint32_t>(input.text.size())), errors_(errors) {
    tokens_.reserve(input.text.size() / 5 + 16);
    indents_.push_back({0, 0});
    if (input.text.starts_with("\xEF\xBB\xBF")) at_ = 3;
    if (input.mode == LexerMode::Expression) {
      while (at_ < end_ && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
  }

  std::vector<Token> run() {
    while (!done_) {
      if (in_text_) {
        f_string_text();
        continue;
      }
      if (at_line_start_) start_line();
      if (!done_) token();
    }
    return std::move(tokens_);
  }

 private:
  char peek(uint32_t ahead = 0) const { return at_ + ahead < end_ ? text_[at_ + ahead] : '\0'; }
  bool is_old_f_string() const { return input_.version < Version::Py312; }
  std::string_view slice(uint32_t begin, uint32_t end) const { return input_.text.substr(begin, end - begin); }

  template <class... Args>
  void error(uint32_t begin, uint32_t end, const Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    errors_.push_back(diag::report(diag::Severity::Error, {input_.file, begin, end}, message, args...));
  }
  void push(TokenKind kind, uint32_t begin, uint32_t end, uint8_t flags = 0) { tokens_.push_back({begin, end, kind, flags}); }
  // A token of the next `size` bytes.
  void take(TokenKind kind, uint32_t size) {
    push(kind, at_, at_ + size);
    at_ += size;
  }

  // After the line ending at `at`.
  uint32_t past_line_end(uint32_t at) const { return at + (text_[at] == '\r' && at + 1 < end_ && text_[at + 1] == '\n' ? 2 : 1); }
  uint32_t find_line_end(uint32_t at) const {
    while (at < end_ && !is_class(text_[at], line_end)) ++at;
    return at;
  }

  void start_line();
  void flush_comments_and_indent(Indent line);
  void give_up(uint32_t end, const Message<>& message);
  enum class LineState { Open, Closed };
  void end_of_file(LineState line);
  bool continue_line();
  void token();
  void name_or_string();
  void name(uint32_t begin, uint32_t end);
  void wide_name(uint32_t begin);
  void bad_character(uint32_t at);
  void recover_from_open_brackets(uint32_t line);
  void number();
  void string(uint32_t begin, uint32_t quote_at, uint8_t flags);
  void start_f_string(uint32_t begin, uint32_t quote_at, uint8_t flags);
  uint32_t plain_string_end(uint32_t content, char quote, uint32_t quote_size, uint8_t& flags) const;
  void f_string_text();
  void end_f_string(uint32_t quote_at);
  void abandon_f_string();
  void open(TokenKind kind);
  void close(TokenKind kind);
  void colon();
  void exclamation();
  void operator_token(char c);
  bool at_field_level() const {
    return !f_strings_.empty() && f_strings_.back().fields > 0 && brackets_.size() == f_strings_.back().base + f_strings_.back().fields;
  }

  const LexerInput& input_;
  const char* text_;
  uint32_t end_;
  uint32_t at_ = 0;
  std::vector<Token> tokens_;
  diag::Diagnostics& errors_;
  std::vector<Indent> indents_;
  std::vector<Bracket> brackets_;
  std::vector<FString> f_strings_;
  std::vector<PendingComment> pending_;
  bool at_line_start_ = true;
  bool in_text_ = false;  // in the text of the innermost f-string
  bool done_ = false;
};

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
    while (indents_.size() > 1 && line.column < indents_.back().column && pending_[i].column < indents_.back().column) dedent_at(here(i));
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
    case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9': return number();
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

static TokenKind keyword(std::string_view word) {
  using enum TokenKind;
  const auto pick = [&](std::string_view text, TokenKind kind) { return word == text ? kind : Name; };
  if (word.size() < 2 || word.size() > 8) return Name;
  const char second = word[1];
  switch (word[0]) {
    case 'F': return pick("False", KwFalse);
    case 'N': return pick("None", KwNone);
    case 'T': return pick("True", KwTrue);
    case 'a':
      if (word.size() == 2) return pick("as", KwAs);
      if (second == 'n') return pick("and", KwAnd);
      if (second == 'w') return pick("await", KwAwait);
      if (word.size() == 6) return pick("assert", KwAssert);
      return pick("async", KwAsync);
    case 'b': return pick("break", KwBreak);
    case 'c': return second == 'l' ? pick("class", KwClass) : pick("continue", KwContinue);
    case 'd': return word == "def" ? KwDef : pick("del", KwDel);
    case 'e':
      if (second == 'x') return pick("except", KwExcept);
      return word == "elif" ? KwElif : pick("else", KwElse);
    case 'f':
      if (second == 'o') return pick("for", KwFor);
      return second == 'r' ? pick("from", KwFrom) : pick("finally", KwFinally);
    case 'g': return pick("global", KwGlobal);
    case 'i':
      if (word.size() > 2) return pick("import", KwImport);
      return second == 'f' ? KwIf : second == 'n' ? KwIn : pick("is", KwIs);
    case 'l': return pick("lambda", KwLambda);
    case 'n': return word == "not" ? KwNot : pick("nonlocal", KwNonlocal);
    case 'o': return pick("or", KwOr);
    case 'p': return pick("pass", KwPass);
    case 'r': return second == 'e' ? pick("return", KwReturn) : pick("raise", KwRaise);
    case 't': return pick("try", KwTry);
    case 'w': return second == 'h' ? pick("while", KwWhile) : pick("with", KwWith);
    case 'y': return pick("yield", KwYield);
    default: return Name;
  }
}

static bool only_starts_statements(TokenKind kind) {
  using enum TokenKind;
  return kind == KwClass || kind == KwDef || kind == KwReturn || kind == KwRaise || kind == KwImport || kind == KwWith ||
         kind == KwWhile || kind == KwTry || kind == KwExcept || kind == KwFinally || kind == KwElif || kind == KwAssert ||
         kind == KwDel || kind == KwGlobal || kind == KwNonlocal || kind == KwPass || kind == KwBreak || kind == KwContinue;
}

void Lexer::name(uint32_t begin, uint32_t end) {
  const TokenKind kind = keyword({text_ + begin, end - begin});
  if (!brackets_.empty() && f_strings_.empty() && only_starts_statements(kind)) {
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
      const auto flags = static_cast<uint8_t>((b ? token_flag::bytes : 0) | (r ? token_flag::raw : 0) | (t ? token_flag::t_string : 0));
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
    const bool fits = c < 0x80 ? is_class(static_cast<char>(c), name_part) : at == begin ? is_identifier_start(c) : is_identifier_part(c);
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
  FString f{.begin = begin, .quote = quote, .quote_size = quote_size, .raw = (flags & token_flag::raw) != 0,
            .base = brackets_.size(), .end_outside = end_};
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
        if (std::memchr(text_ + tokens_[i].begin, '\\', tokens_[i].size())) error(tokens_[i].begin, tokens_[i].end, backslash_in_field);
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

}  // namespace

std::vector<Token> lex(const LexerInput& input, diag::Diagnostics& errors) { return Lexer(input, errors).run(); }

}  // namespace tilewright::syntax
