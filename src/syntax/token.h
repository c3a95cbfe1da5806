// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A token is a kind and a byte range. What lies between two tokens is blanks, line ends inside brackets and backslash
// continuations, nothing else: tokens and gaps tile the file.
//
// Own-line comments stand where they belong, not merely where they are: a comment that is indented like a block that ends after
// it comes before that block's Dedent, and a comment at the head of a block after its Indent. So what a comment is about can be
// told from its neighbours (comments.cc).

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace tilewright::syntax {

enum class TokenKind : uint8_t {
  EndOfFile,
  Newline,  // end of a logical line; empty at the end of a file without one
  Indent,   // empty, at the first token of the line
  Dedent,   // empty
  Comment,  // from `#` to the line end, exclusive
  Name,
  Int,
  Float,
  Imaginary,
  String,         // with prefix and quotes; also bytes
  FStringStart,   // f" or t": prefix and opening quotes
  FStringMiddle,  // literal text, doubled braces included
  FStringEnd,     // closing quotes
  Invalid,        // a character that Python has no use for

  // clang-format off
  // Keywords, in alphabetical order
  KwFalse, KwNone, KwTrue, KwAnd, KwAs, KwAssert, KwAsync, KwAwait, KwBreak, KwClass, KwContinue, KwDef, KwDel, KwElif, KwElse,
  KwExcept, KwFinally, KwFor, KwFrom, KwGlobal, KwIf, KwImport, KwIn, KwIs, KwLambda, KwNonlocal, KwNot, KwOr, KwPass, KwRaise,
  KwReturn, KwTry, KwWhile, KwWith, KwYield,

  // Operators and delimiters
  LeftParen, RightParen, LeftBracket, RightBracket, LeftBrace, RightBrace, Comma, Colon, Semicolon, Dot, Ellipsis, Arrow, At,
  Equal, ColonEqual, Exclamation, Plus, Minus, Star, Slash, DoubleSlash, Percent, DoubleStar, LeftShift, RightShift, Ampersand,
  Bar, Caret, Tilde, Less, Greater, LessEqual, GreaterEqual, EqualEqual, NotEqual, PlusEqual, MinusEqual, StarEqual, SlashEqual,
  DoubleSlashEqual, PercentEqual, AtEqual, AmpersandEqual, BarEqual, CaretEqual, LeftShiftEqual, RightShiftEqual, DoubleStarEqual,
  // clang-format on
};

// What the lexer saw on the way and nobody should look for again.
namespace token_flag {
constexpr uint8_t escape = 1;         // a string with a backslash
constexpr uint8_t carriage = 2;       // a string with a carriage return, which Python reads as \n
constexpr uint8_t non_ascii = 4;      // a name or a string
constexpr uint8_t raw = 8;            // a string
constexpr uint8_t bytes = 16;         // a string
constexpr uint8_t braces = 32;        // an FStringMiddle with doubled braces
constexpr uint8_t t_string = 64;      // an FStringStart of a template string
constexpr uint8_t format_spec = 128;  // an FStringMiddle after the colon of a replacement field
}  // namespace token_flag

struct Token {
  uint32_t begin = 0;
  uint32_t end = 0;
  TokenKind kind = TokenKind::EndOfFile;
  uint8_t flags = 0;

  uint32_t size() const { return end - begin; }
};

struct TokenTag;
using TokenId = Id<TokenTag>;

// The tokens of a text that has been parsed, in half the memory: their flags are gone.
class Tokens {
 public:
  class Iterator {
   public:
    using value_type = Token;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const Tokens& owner, size_t index) : owner_(&owner), index_(index) {}
    Token operator*() const { return (*owner_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) { return {*owner_, index_++}; }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const Tokens* owner_ = nullptr;
    size_t index_ = 0;
  };

  Tokens() = default;
  explicit Tokens(const std::vector<Token>& tokens);

  size_t size() const { return begins_.size(); }
  TokenKind kind(size_t i) const { return rests_[i].kind; }
  uint32_t begin(size_t i) const { return begins_[i]; }
  bool is_empty(size_t i) const { return rests_[i].size == 0; }
  Token operator[](size_t i) const {
    const uint32_t size = rests_[i].size == long_size ? long_size_of(i) : rests_[i].size;
    return {.begin = begins_[i], .end = begins_[i] + size, .kind = rests_[i].kind};
  }
  Token back() const { return (*this)[size() - 1]; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }
  // The first that begins at or after `offset`.
  size_t from(uint32_t offset) const;

 private:
  static constexpr uint8_t long_size = 255;
  struct Rest {
    TokenKind kind;
    uint8_t size;  // long_size: see long_sizes_
  };
  uint32_t long_size_of(size_t i) const;

  std::vector<uint32_t> begins_;
  std::vector<Rest> rests_;
  std::vector<std::pair<uint32_t, uint32_t>> long_sizes_;  // by index
};

// Some kinds of token, for a parser that asks whether it is at one of them.
class TokenSet {
 public:
  constexpr TokenSet(std::initializer_list<TokenKind> kinds) {
    for (const TokenKind kind : kinds) bits_[static_cast<size_t>(kind) / 64] |= uint64_t{1} << static_cast<size_t>(kind) % 64;
  }
  constexpr bool has(TokenKind kind) const { return bits_[static_cast<size_t>(kind) / 64] >> static_cast<size_t>(kind) % 64 & 1; }

 private:
  uint64_t bits_[2] = {};
};

// The keyword that a word is, or Name. The soft keywords (match, case, type, _) are names.
TokenKind keyword(std::string_view word);

// How a token is spoken of in a message: "`:`", "a name", "the end of the line".
std::string_view describe(TokenKind kind);

}  // namespace tilewright::syntax
