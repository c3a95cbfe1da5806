// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/range.h"

#include <limits>

namespace tilewright::analysis {
namespace {

using End = std::optional<int64_t>;

template <class Operation>
End both(End a, End b, Operation operation) {
  int64_t out = 0;
  if (!a || !b || operation(*a, *b, &out)) return std::nullopt;
  return out;
}

End plus(End a, End b) {
  return both(a, b, [](int64_t x, int64_t y, int64_t* out) { return __builtin_add_overflow(x, y, out); });
}

End minus(End a, End b) {
  return both(a, b, [](int64_t x, int64_t y, int64_t* out) { return __builtin_sub_overflow(x, y, out); });
}

End times(End a, End b) {
  if (a == 0 || b == 0) return 0;
  return both(a, b, [](int64_t x, int64_t y, int64_t* out) { return __builtin_mul_overflow(x, y, out); });
}

int64_t floored(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }
int64_t ceiled(int64_t a, int64_t b) { return a / b + ((a % b != 0 && (a < 0) == (b < 0)) ? 1 : 0); }

// A divisor that is not negative is positive: a division by zero has no value that anybody could rely on.
std::optional<Range> divisor(const Range& b) {
  if (!b.non_negative() || b.high == 0) return std::nullopt;
  return Range{std::max<int64_t>(*b.low, 1), b.high};
}

// For a positive divisor a quotient grows with the dividend, and shrinks towards zero with the divisor.
template <class Round>
Range divide(const Range& a, const Range& by, Round round) {
  const std::optional<Range> positive = divisor(by);
  if (!positive) return {};
  const Range& b = *positive;
  Range out;
  if (a.low) {
    if (*a.low < 0) {
      out.low = round(*a.low, *b.low);
    } else {
      out.low = b.high ? round(*a.low, *b.high) : round(*a.low > 0 ? 1 : 0, std::numeric_limits<int64_t>::max());
    }
  }
  if (a.high) {
    if (*a.high >= 0) {
      out.high = round(*a.high, *b.low);
    } else {
      out.high = b.high ? round(*a.high, *b.high) : round(-1, std::numeric_limits<int64_t>::max());
    }
  }
  return out;
}

}  // namespace

Range join(const Range& a, const Range& b) {
  return {a.low && b.low ? End{std::min(*a.low, *b.low)} : std::nullopt,
          a.high && b.high ? End{std::max(*a.high, *b.high)} : std::nullopt};
}

Range meet(const Range& a, const Range& b) {
  return {a.low && b.low ? End{std::max(*a.low, *b.low)}
          : a.low        ? a.low
                         : b.low,
          a.high && b.high ? End{std::min(*a.high, *b.high)}
          : a.high         ? a.high
                           : b.high};
}

Range add(const Range& a, const Range& b) { return {plus(a.low, b.low), plus(a.high, b.high)}; }
Range subtract(const Range& a, const Range& b) { return {minus(a.low, b.high), minus(a.high, b.low)}; }
Range negate(const Range& a) { return {minus(0, a.high), minus(0, a.low)}; }

Range multiply(const Range& a, const Range& b) {
  if (a.non_negative() && b.non_negative()) return {times(a.low, b.low), times(a.high, b.high)};
  const End corners[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
  Range out{corners[0], corners[0]};
  for (const End& corner : corners) out = join(out, {corner, corner});
  if (a.non_negative() && b.high && *b.high <= 0) out.high = 0;
  if (b.non_negative() && a.high && *a.high <= 0) out.high = 0;
  return out;
}

Range floor_divide(const Range& a, const Range& b) { return divide(a, b, floored); }
Range ceil_divide(const Range& a, const Range& b) { return divide(a, b, ceiled); }
Range trunc_divide(const Range& a, const Range& b) {
  return divide(a, b, [](int64_t x, int64_t y) { return x / y; });
}

Range floor_modulo(const Range& a, const Range& b) {
  if (!divisor(b)) return {};
  Range out{0, minus(b.high, 1)};
  if (a.non_negative() && a.high) out.high = out.high ? std::min(*out.high, *a.high) : *a.high;
  return out;
}

Range trunc_modulo(const Range& a, const Range& b) { return a.non_negative() ? floor_modulo(a, b) : Range{}; }

Range smaller(const Range& a, const Range& b) {
  return {a.low && b.low ? End{std::min(*a.low, *b.low)} : std::nullopt, a.high && b.high ? End{std::min(*a.high, *b.high)}
                                                                         : a.high         ? a.high
                                                                                          : b.high};
}

Range larger(const Range& a, const Range& b) {
  return {a.low && b.low ? End{std::max(*a.low, *b.low)}
          : a.low        ? a.low
                         : b.low,
          a.high && b.high ? End{std::max(*a.high, *b.high)} : std::nullopt};
}

Range absolute(const Range& a) {
  if (a.non_negative()) return a;
  const End negated = minus(0, a.low);
  return {0, a.high && negated ? End{std::max({*a.high, *negated, int64_t{0}})} : std::nullopt};
}

std::string text(const Range& range) {
  const auto end = [](const End& e) { return e ? std::to_string(*e) : std::string("?"); };
  return "[" + end(range.low) + ", " + end(range.high) + "]";
}

}  // namespace tilewright::analysis
