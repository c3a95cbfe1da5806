// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the ops mean for one element, in the type it is calculated in: integers of their width, float, double. Elementwise ops,
// reductions and atomics all mean the same by `add` and `max`.

#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tilewright::interp::arithmetic {

// Unsigned arithmetic that wraps around, in a type that is not promoted to a signed one.
template <std::integral T>
constexpr auto wide(T value) {
  if constexpr (sizeof(T) < 4) {
    return static_cast<uint32_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

template <std::floating_point T>
auto bits_of(T value) {
  return std::bit_cast<std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>(value);
}

template <class T>
bool is_nan(T value) {
  if constexpr (std::floating_point<T>) {
    return std::isnan(value);
  } else {
    return false;
  }
}

template <class T>
bool is_infinite(T value) {
  if constexpr (std::floating_point<T>) {
    return std::isinf(value);
  } else {
    return false;
  }
}

struct Add {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::integral<T>) return static_cast<T>(wide(x) + wide(y));
    if constexpr (std::floating_point<T>) return x + y;
  }
};

struct Sub {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::integral<T>) return static_cast<T>(wide(x) - wide(y));
    if constexpr (std::floating_point<T>) return x - y;
  }
};

struct Mul {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::integral<T>) return static_cast<T>(wide(x) * wide(y));
    if constexpr (std::floating_point<T>) return x * y;
  }
};

struct TrueDiv {
  template <std::floating_point T>
  static T of(T x, T y) {
    return x / y;
  }
};

// Where C++ has no quotient: by zero, which nobody may rely on, is -1; INT_MIN / -1 wraps around.
struct TruncDiv {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::floating_point<T>) return std::trunc(x / y);
    if (y == 0) return static_cast<T>(-1);
    if constexpr (std::signed_integral<T>) {
      if (y == -1) return static_cast<T>(0 - wide(x));
    }
    return static_cast<T>(x / y);
  }
};

struct FloorDiv {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::floating_point<T>) {
      return std::floor(x / y);
    } else {
      const T quotient = TruncDiv::of(x, y);
      if constexpr (std::signed_integral<T>) {
        if (y != 0 && y != -1 && x % y != 0 && (x < 0) != (y < 0)) return static_cast<T>(quotient - 1);
      }
      return quotient;
    }
  }
};

struct CeilDiv {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::floating_point<T>) {
      return std::ceil(x / y);
    } else {
      const T quotient = TruncDiv::of(x, y);
      if (y == 0) return quotient;
      if constexpr (std::signed_integral<T>) {
        if (y == -1) return quotient;
        return x % y != 0 && (x < 0) == (y < 0) ? static_cast<T>(quotient + 1) : quotient;
      }
      return x % y != 0 ? static_cast<T>(quotient + 1) : quotient;
    }
  }
};

struct TruncMod {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::floating_point<T>) {
      return std::fmod(x, y);
    } else {
      return static_cast<T>(wide(x) - wide(TruncDiv::of(x, y)) * wide(y));
    }
  }
};

struct FloorMod {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::floating_point<T>) {
      const T rest = std::fmod(x, y);
      return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
    } else {
      return static_cast<T>(wide(x) - wide(FloorDiv::of(x, y)) * wide(y));
    }
  }
};

// NaN counts as absent, and -0 is less than +0.
struct Max {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::floating_point<T>) {
      const T same = std::bit_cast<T>(bits_of(x) & bits_of(y));
      const T larger = x > y ? x : x == y ? same : y;
      return is_nan(y) ? x : larger;
    } else {
      return x > y ? x : y;
    }
  }
};

struct Min {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::floating_point<T>) {
      const T same = std::bit_cast<T>(bits_of(x) | bits_of(y));
      const T smaller = x < y ? x : x == y ? same : y;
      return is_nan(y) ? x : smaller;
    } else {
      return x < y ? x : y;
    }
  }
};

// The same, but NaN if either is.
template <class Extreme>
struct Propagating {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::floating_point<T>) return is_nan(x) ? x : is_nan(y) ? y : Extreme::of(x, y);
    return Extreme::of(x, y);
  }
};

struct BitAnd {
  template <std::integral T>
  static T of(T x, T y) {
    return static_cast<T>(x & y);
  }
};

struct BitOr {
  template <std::integral T>
  static T of(T x, T y) {
    return static_cast<T>(x | y);
  }
};

struct BitXor {
  template <std::integral T>
  static T of(T x, T y) {
    return static_cast<T>(x ^ y);
  }
};

// A count of the width or more, or a negative one.
template <std::integral T>
bool shifts_all_out(T count) {
  return wide(count) >= sizeof(T) * 8 || count < T{0};
}

struct Shl {
  template <std::integral T>
  static T of(T x, T y) {
    return shifts_all_out(y) ? T{0} : static_cast<T>(wide(x) << y);
  }
};

struct Shr {
  template <std::integral T>
  static T of(T x, T y) {
    if (shifts_all_out(y)) return x < T{0} ? static_cast<T>(-1) : T{0};
    return static_cast<T>(x >> y);
  }
};

// Of integers by repeated multiplication; a negative exponent gives the quotient rounded to zero.
struct Pow {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::floating_point<T>) {
      return static_cast<T>(std::pow(static_cast<double>(x), static_cast<double>(y)));
    } else {
      if (y < T{0}) return x == T{1} ? T{1} : x == static_cast<T>(-1) ? static_cast<T>(y % 2 ? -1 : 1) : T{0};
      T out{1};
      for (; y != T{0}; y = static_cast<T>(y / 2), x = Mul::of(x, x)) {
        if (y % 2) out = Mul::of(out, x);
      }
      return out;
    }
  }
};

struct Atan2 {
  template <std::floating_point T>
  static T of(T y, T x) {
    return static_cast<T>(std::atan2(static_cast<double>(y), static_cast<double>(x)));
  }
};

struct Neg {
  template <class T>
  static T of(T x) {
    if constexpr (std::integral<T>) return static_cast<T>(0 - wide(x));
    if constexpr (std::floating_point<T>) return -x;
  }
};

struct BitNot {
  template <std::integral T>
  static T of(T x) {
    return static_cast<T>(~x);
  }
};

struct Abs {
  template <class T>
  static T of(T x) {
    if constexpr (std::floating_point<T>) return std::fabs(x);
    if constexpr (std::signed_integral<T>) return x < 0 ? Neg::of(x) : x;
    if constexpr (std::unsigned_integral<T>) return x;
  }
};

struct Floor {
  template <class T>
  static T of(T x) {
    if constexpr (std::floating_point<T>) return std::floor(x);
    return x;
  }
};

struct Ceil {
  template <class T>
  static T of(T x) {
    if constexpr (std::floating_point<T>) return std::ceil(x);
    return x;
  }
};

struct Sqrt {
  template <std::floating_point T>
  static T of(T x) {
    return std::sqrt(x);
  }
};

// A function of double: that of a float is rounded once from it, so it is the nearest float but for ties within 2^-29 of one.
template <double (*function)(double)>
struct Function {
  template <std::floating_point T>
  static T of(T x) {
    return static_cast<T>(function(static_cast<double>(x)));
  }
};

inline double reciprocal_square_root(double x) { return 1.0 / std::sqrt(x); }

using Exp = Function<std::exp>;
using Exp2 = Function<std::exp2>;
using Log = Function<std::log>;
using Log2 = Function<std::log2>;
using Rsqrt = Function<reciprocal_square_root>;
using Sin = Function<std::sin>;
using Cos = Function<std::cos>;
using Tan = Function<std::tan>;
using Sinh = Function<std::sinh>;
using Cosh = Function<std::cosh>;
using Tanh = Function<std::tanh>;

struct Erf {
  template <std::floating_point T>
  static T of(T x) {
    return std::erf(x);
  }
};

struct Log1p {
  template <std::floating_point T>
  static T of(T x) {
    return std::log1p(x);
  }
};

struct Expm1 {
  template <std::floating_point T>
  static T of(T x) {
    return std::expm1(x);
  }
};

struct Asin {
  template <std::floating_point T>
  static T of(T x) {
    return std::asin(x);
  }
};

struct Acos {
  template <std::floating_point T>
  static T of(T x) {
    return std::acos(x);
  }
};

struct Atan {
  template <std::floating_point T>
  static T of(T x) {
    return std::atan(x);
  }
};

struct Rint {
  template <std::floating_point T>
  static T of(T x) {
    return std::nearbyint(x);
  }
};

struct Trunc {
  template <std::floating_point T>
  static T of(T x) {
    return std::trunc(x);
  }
};

// The upper half of a product in twice the width.
struct MulHigh {
  template <std::integral T>
  static T of(T x, T y) {
    if constexpr (sizeof(T) == 8) {
      using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      return static_cast<T>((static_cast<Wide>(x) * static_cast<Wide>(y)) >> 64);
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
      return static_cast<T>((static_cast<Wide>(x) * static_cast<Wide>(y)) >> (8 * sizeof(T)));
    }
  }
};

}  // namespace tilewright::interp::arithmetic
