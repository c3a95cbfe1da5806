// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The lexer while it runs. Private to lexer.cc and lexer_strings.cc.

#pragma once

#include <string_view>
#include <vector>

#include "syntax/characters.h"
#include "syntax/lexer.h"
#include "syntax/messages.h"

namespace tilewright::syntax {

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
  size_t base;        // brackets open outside
  size_t fields = 0;  // replacement fields open, one inside the format spec of another
  bool format_spec = false;
  bool in_text = true;
  uint32_t end_outside;  // where the text ends for those outside
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
    while (at < end_ && !is_class(text_[at], char_class::line_end)) ++at;
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
    return !f_strings_.empty() && f_strings_.back().fields > 0 &&
           brackets_.size() == f_strings_.back().base + f_strings_.back().fields;
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

}  // namespace tilewright::syntax
