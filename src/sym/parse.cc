// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "sym/parse.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace tilewright::sym {
namespace {

constexpr std::array<std::string_view, 13> words = {"and", "or",   "not",   "if",  "else", "cdiv", "min",
                                                    "max", "True", "False", "inf", "nan",  "f"};

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80); }
bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

class Reader {
 public:
  Reader(Arena& arena, std::string_view text, size_t& position) : arena_(arena), text_(text), at_(position) {}

  std::optional<ExprId> select() {
    const std::optional<ExprId> then = binary(0);
    if (!then || !word("if")) return then;
    const std::optional<ExprId> condition = binary(0);
    if (!condition || !word("else")) return std::nullopt;
    const std::optional<ExprId> otherwise = select();
    if (!otherwise) return std::nullopt;
    return arena_.make(ExprKind::Select, {*condition, *then, *otherwise});
  }

 private:
  struct Operator {
    std::string_view text;
    ExprKind kind;
    int level;
  };
  static constexpr std::array<Operator, 19> operators = {{
      {"or", ExprKind::Or, 0},     {"and", ExprKind::And, 1}, {"==", ExprKind::Eq, 3},   {"!=", ExprKind::Ne, 3},
      {"<=", ExprKind::Le, 3},     {">=", ExprKind::Ge, 3},   {"<<", ExprKind::Shl, 7},  {">>", ExprKind::Shr, 7},
      {"<", ExprKind::Lt, 3},      {">", ExprKind::Gt, 3},    {"|", ExprKind::BitOr, 4}, {"^", ExprKind::BitXor, 5},
      {"&", ExprKind::BitAnd, 6},  {"+", ExprKind::Add, 8},   {"-", ExprKind::Sub, 8},   {"//", ExprKind::FloorDiv, 9},
      {"/", ExprKind::TrueDiv, 9}, {"*", ExprKind::Mul, 9},   {"%", ExprKind::Mod, 9},
  }};
  static constexpr int comparison_level = 3;

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  std::string_view name() const {
    size_t end = at_;
    while (end < text_.size() && continues_name(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  bool word(std::string_view wanted) {
    skip_blanks();
    if (at_ >= text_.size() || !starts_name(text_[at_]) || name() != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  bool sign(std::string_view wanted) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  // The operator at hand. A `>` is one only after a blank: `const<int, N>` ends in a `>`.
  const Operator* next_operator() {
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    for (const Operator& candidate : operators) {
      if (starts_name(candidate.text[0]) ? name() != candidate.text : !rest.starts_with(candidate.text)) continue;
      if (candidate.text == "*" && rest.starts_with("**")) return nullptr;
      if (candidate.text == ">" && depth_ == 0 && (at_ == 0 || text_[at_ - 1] != ' ')) return nullptr;
      return &candidate;
    }
    return nullptr;
  }

  std::optional<ExprId> binary(int level) {
    if (level == 10) return unary();
    if (level == 2) {
      if (!word("not")) return binary(3);
      const std::optional<ExprId> operand = binary(2);
      return operand ? std::optional{arena_.make(ExprKind::Not, {*operand})} : std::nullopt;
    }
    std::optional<ExprId> left = binary(level + 1);
    while (left) {
      const size_t before = at_;
      const Operator* found = next_operator();
      if (!found || found->level != level) {
        at_ = before;
        return left;
      }
      at_ += found->text.size();
      const std::optional<ExprId> right = binary(level + 1);
      if (!right) return std::nullopt;
      left = arena_.make(found->kind, {*left, *right});
      if (level == comparison_level) return left;
    }
    return left;
  }

  std::optional<ExprId> unary() {
    if (sign("~")) {
      const std::optional<ExprId> operand = unary();
      return operand ? std::optional{arena_.make(ExprKind::Invert, {*operand})} : std::nullopt;
    }
    const size_t before = at_;
    if (sign("-")) {
      if (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
        at_ = before;
        return power();
      }
      const std::optional<ExprId> operand = unary();
      return operand ? std::optional{arena_.make(ExprKind::Neg, {*operand})} : std::nullopt;
    }
    return power();
  }

  std::optional<ExprId> power() {
    const std::optional<ExprId> base = primary();
    if (!base || !sign("**")) return base;
    const std::optional<ExprId> exponent = unary();
    return exponent ? std::optional{arena_.make(ExprKind::Pow, {*base, *exponent})} : std::nullopt;
  }

  std::optional<ExprId> call(ExprKind kind) {
    if (!sign("(")) return std::nullopt;
    ++depth_;
    const std::optional<ExprId> left = select();
    const std::optional<ExprId> right = left && sign(",") ? select() : std::nullopt;
    --depth_;
    if (!right || !sign(")")) return std::nullopt;
    return arena_.make(kind, {*left, *right});
  }

  std::optional<ExprId> primary() {
    skip_blanks();
    if (at_ >= text_.size() || depth_ > 200) return std::nullopt;
    if (sign("(")) {
      ++depth_;
      const std::optional<ExprId> inner = select();
      --depth_;
      return inner && sign(")") ? inner : std::nullopt;
    }
    const char c = text_[at_];
    if (c == '"' || text_.substr(at_).starts_with("f\"")) return quoted_atom();
    if ((c >= '0' && c <= '9') || c == '-') return number();
    if (!starts_name(c)) return std::nullopt;
    const std::string key(name());
    if (word("cdiv")) return call(ExprKind::CeilDiv);
    if (word("min")) return call(ExprKind::Min);
    if (word("max")) return call(ExprKind::Max);
    if (word("True")) return arena_.literal(true);
    if (word("False")) return arena_.literal(false);
    if (word("inf")) return arena_.literal(std::numeric_limits<double>::infinity());
    if (word("nan")) return arena_.literal(std::nan(""));
    if (std::find(words.begin(), words.end(), key) != words.end()) return std::nullopt;
    at_ += key.size();
    return arena_.atom(key);
  }

  std::optional<ExprId> quoted_atom() {
    const Domain domain = text_[at_] == 'f' ? Domain::Float : Domain::Integer;
    at_ += domain == Domain::Float ? 2 : 1;
    std::string key;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      key += text_[at_++];
    }
    return sign("\"") ? std::optional{arena_.atom(key, domain)} : std::nullopt;
  }

  std::optional<ExprId> number() {
    size_t end = at_ + (text_[at_] == '-' ? 1 : 0);
    const auto digits = [&] {
      while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
    };
    digits();
    bool whole = true;
    if (end < text_.size() && text_[end] == '.') {
      whole = false;
      ++end;
      digits();
    }
    if (end < text_.size() && text_[end] == 'e') {
      whole = false;
      ++end;
      if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
      digits();
    }
    const char* first = text_.data() + at_;
    const char* last = text_.data() + end;
    int64_t integer = 0;
    double real = 0;
    const auto result = whole ? std::from_chars(first, last, integer) : std::from_chars(first, last, real);
    if (result.ec != std::errc{} || result.ptr != last) return std::nullopt;
    at_ = end;
    return arena_.literal(whole ? Value{integer} : Value{real});
  }

  Arena& arena_;
  std::string_view text_;
  size_t& at_;
  int depth_ = 0;
};

}  // namespace

std::optional<ExprId> parse(Arena& arena, std::string_view text, size_t& position) {
  return Reader(arena, text, position).select();
}

std::string quoted(const Atom& atom) {
  const bool plain = !atom.key.empty() && starts_name(atom.key[0]) && atom.domain == Domain::Integer &&
                     std::all_of(atom.key.begin(), atom.key.end(), continues_name) &&
                     std::find(words.begin(), words.end(), atom.key) == words.end();
  if (plain) return atom.key;
  std::string out = atom.domain == Domain::Float ? "f\"" : "\"";
  for (const char c : atom.key) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace tilewright::sym
