// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "sym/fold.h"

#include <cmath>
#include <limits>

namespace tilewright::sym {
namespace {

constexpr int64_t smallest = std::numeric_limits<int64_t>::min();
constexpr int64_t exact_in_double = int64_t{1} << 53;

bool is_float(const Value& value) { return std::holds_alternative<double>(value); }
bool is_bool(const Value& value) { return std::holds_alternative<bool>(value); }

int64_t as_int(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return std::get<int64_t>(value);
}

double as_double(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  return static_cast<double>(as_int(value));
}

// Python compares an int with a float exactly; so do we, by leaving the ints alone that a double cannot hold.
bool is_exact(const Value& value) {
  if (is_float(value)) return true;
  const int64_t number = as_int(value);
  return number >= -exact_in_double && number <= exact_in_double;
}

std::optional<Value> value_of(double number, const Value& a, const Value& b) {
  if (std::isinf(number) && std::isfinite(as_double(a)) && std::isfinite(as_double(b))) return std::nullopt;
  return Value{number};
}

std::optional<Value> int_power(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) return std::nullopt;
    return Value{std::pow(static_cast<double>(base), static_cast<double>(exponent))};
  }
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    if (base == 0 || base == 1) return Value{base};
    if (base == -1) return Value{exponent % 2 ? int64_t{-1} : int64_t{1}};
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return Value{result};
}

std::optional<Value> int_op(ExprKind kind, int64_t a, int64_t b) {
  int64_t out = 0;
  switch (kind) {
    case ExprKind::Add: return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional<Value>{out};
    case ExprKind::Sub: return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional<Value>{out};
    case ExprKind::Mul: return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional<Value>{out};
    case ExprKind::TrueDiv:
      if (b == 0 || !is_exact(a) || !is_exact(b)) return std::nullopt;
      return Value{static_cast<double>(a) / static_cast<double>(b)};
    case ExprKind::FloorDiv:
      if (b == 0 || (a == smallest && b == -1)) return std::nullopt;
      return Value{floor_div(a, b)};
    case ExprKind::Mod:
      if (b == 0) return std::nullopt;
      return Value{b == -1 ? int64_t{0} : floor_mod(a, b)};
    case ExprKind::CeilDiv:
      if (b == 0 || (a == smallest && b == -1)) return std::nullopt;
      return Value{a / b + ((a % b != 0 && (a < 0) == (b < 0)) ? 1 : 0)};
    case ExprKind::Pow: return int_power(a, b);
    case ExprKind::BitAnd: return Value{a & b};
    case ExprKind::BitOr: return Value{a | b};
    case ExprKind::BitXor: return Value{a ^ b};
    case ExprKind::Shl:
      if (b < 0) return std::nullopt;
      if (a == 0) return Value{int64_t{0}};
      if (b > 62) return std::nullopt;
      return __builtin_mul_overflow(a, int64_t{1} << b, &out) ? std::nullopt : std::optional<Value>{out};
    case ExprKind::Shr:
      if (b < 0) return std::nullopt;
      return Value{b > 63 ? (a < 0 ? int64_t{-1} : int64_t{0}) : a >> b};
    case ExprKind::Literal:
    case ExprKind::Atom:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::Neg:
    case ExprKind::Invert:
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
    case ExprKind::Select: return std::nullopt;
  }
  return std::nullopt;
}

// CPython's float_divmod: the remainder is exact and has the sign of the divisor.
struct Division {
  double quotient, remainder;
};

Division float_divmod(double a, double b) {
  double mod = std::fmod(a, b);
  double div = (a - mod) / b;
  if (mod != 0) {
    if ((b < 0) != (mod < 0)) {
      mod += b;
      div -= 1.0;
    }
  } else {
    mod = std::copysign(0.0, b);
  }
  double floored = std::copysign(0.0, a / b);
  if (div != 0) {
    floored = std::floor(div);
    if (div - floored > 0.5) floored += 1.0;
  }
  return {floored, mod};
}

std::optional<Value> float_op(ExprKind kind, const Value& x, const Value& y) {
  const double a = as_double(x);
  const double b = as_double(y);
  switch (kind) {
    case ExprKind::Add: return Value{a + b};
    case ExprKind::Sub: return Value{a - b};
    case ExprKind::Mul: return Value{a * b};
    case ExprKind::TrueDiv: return b == 0 ? std::nullopt : std::optional<Value>{a / b};
    case ExprKind::FloorDiv: return b == 0 ? std::nullopt : std::optional<Value>{float_divmod(a, b).quotient};
    case ExprKind::Mod: return b == 0 ? std::nullopt : std::optional<Value>{float_divmod(a, b).remainder};
    case ExprKind::Pow: {
      if (a == 0 && b < 0) return std::nullopt;
      if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b)) return std::nullopt;  // complex in Python
      return value_of(std::pow(a, b), x, y);
    }
    case ExprKind::Literal:
    case ExprKind::Atom:
    case ExprKind::CeilDiv:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::Neg:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::Shl:
    case ExprKind::Shr:
    case ExprKind::Invert:
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
    case ExprKind::Select: return std::nullopt;
  }
  return std::nullopt;
}

// -1, 0, 1, or 2 for unordered.
std::optional<int> order(const Value& x, const Value& y) {
  if (!is_float(x) && !is_float(y)) {
    const int64_t a = as_int(x);
    const int64_t b = as_int(y);
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (!is_exact(x) || !is_exact(y)) return std::nullopt;
  const double a = as_double(x);
  const double b = as_double(y);
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
}

std::optional<Value> compared(ExprKind kind, int sign) {
  switch (kind) {
    case ExprKind::Eq: return Value{sign == 0};
    case ExprKind::Ne: return Value{sign != 0};
    case ExprKind::Lt: return Value{sign == -1};
    case ExprKind::Le: return Value{sign == -1 || sign == 0};
    case ExprKind::Gt: return Value{sign == 1};
    case ExprKind::Ge: return Value{sign == 1 || sign == 0};
    case ExprKind::Literal:
    case ExprKind::Atom:
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::TrueDiv:
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
    case ExprKind::CeilDiv:
    case ExprKind::Pow:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::Neg:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::Shl:
    case ExprKind::Shr:
    case ExprKind::Invert:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
    case ExprKind::Select: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

int64_t floor_div(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

int64_t floor_mod(int64_t a, int64_t b) {
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

bool truth(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number != 0;
  return as_int(value) != 0;
}

std::optional<Value> fold(ExprKind kind, const std::vector<Value>& operands) {
  switch (kind) {
    case ExprKind::Neg:
      if (is_float(operands[0])) return Value{-as_double(operands[0])};
      return int_op(ExprKind::Sub, 0, as_int(operands[0]));
    case ExprKind::Invert:
      if (is_float(operands[0])) return std::nullopt;
      return Value{~as_int(operands[0])};
    case ExprKind::Not: return Value{!truth(operands[0])};
    case ExprKind::And: return Value{truth(operands[0]) && truth(operands[1])};
    case ExprKind::Or: return Value{truth(operands[0]) || truth(operands[1])};
    case ExprKind::Select: return truth(operands[0]) ? operands[1] : operands[2];
    case ExprKind::Min:
    case ExprKind::Max: {
      const std::optional<int> sign = order(operands[1], operands[0]);
      if (!sign) return std::nullopt;
      return *sign == (kind == ExprKind::Min ? -1 : 1) ? operands[1] : operands[0];
    }
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge: {
      const std::optional<int> sign = order(operands[0], operands[1]);
      return sign ? compared(kind, *sign) : std::nullopt;
    }
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor: {
      if (is_float(operands[0]) || is_float(operands[1])) return std::nullopt;
      const std::optional<Value> bits = int_op(kind, as_int(operands[0]), as_int(operands[1]));
      if (is_bool(operands[0]) && is_bool(operands[1])) return Value{truth(*bits)};
      return bits;
    }
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::TrueDiv:
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
    case ExprKind::CeilDiv:
    case ExprKind::Pow:
    case ExprKind::Shl:
    case ExprKind::Shr:
      if (is_float(operands[0]) || is_float(operands[1])) {
        if (!is_exact(operands[0]) || !is_exact(operands[1])) return std::nullopt;
        return float_op(kind, operands[0], operands[1]);
      }
      return int_op(kind, as_int(operands[0]), as_int(operands[1]));
    case ExprKind::Literal:
    case ExprKind::Atom: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace tilewright::sym
