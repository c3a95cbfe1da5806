// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Floats narrower than float32, as bits. Each is exact as a float; what is rounded to it is rounded once, from a double.
//
// One encoder serves all formats and roundings. The two that whole tiles are made of, to the nearest even in float16 and
// bfloat16, are also there without a branch, so that compilers make vector code of a loop over them.

#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "ir/program.h"

namespace tilewright::interp {

struct Format {
  int exponent_bits;
  int mantissa_bits;
  bool has_infinity;  // without, only all ones are NaN, and the largest exponent is one of numbers

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr uint32_t mantissa_mask() const { return (1u << mantissa_bits) - 1; }
  constexpr uint32_t largest_exponent() const { return (1u << exponent_bits) - 1; }
  constexpr uint32_t sign_bit() const { return 1u << (exponent_bits + mantissa_bits); }
  constexpr uint32_t infinity() const { return largest_exponent() << mantissa_bits; }
  constexpr uint32_t nan() const { return has_infinity ? infinity() | 1u << (mantissa_bits - 1) : sign_bit() - 1; }
  constexpr uint32_t largest() const { return has_infinity ? infinity() - 1 : nan() - 1; }
};

inline constexpr Format float16{5, 10, true};
inline constexpr Format bfloat16{8, 7, true};
inline constexpr Format tfloat32{8, 10, true};  // kept as the float32 of the same value
inline constexpr Format float8_e4m3fn{4, 3, false};
inline constexpr Format float8_e5m2{5, 2, true};

constexpr float power_of_two(int exponent) {
  float out = 1.0f;
  for (; exponent > 0; --exponent) out *= 2.0f;
  for (; exponent < 0; ++exponent) out *= 0.5f;
  return out;
}

constexpr float decode(const Format& format, uint32_t bits) {
  const float sign = bits & format.sign_bit() ? -1.0f : 1.0f;
  const uint32_t magnitude = bits & (format.sign_bit() - 1);
  const auto exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const uint32_t mantissa = magnitude & format.mantissa_mask();
  if (format.has_infinity ? magnitude > format.infinity() : magnitude == format.nan()) return std::bit_cast<float>(0x7fc00000u);
  if (format.has_infinity && magnitude == format.infinity()) return sign * std::bit_cast<float>(0x7f800000u);
  const uint32_t significand = exponent ? mantissa | 1u << format.mantissa_bits : mantissa;
  const int scale = (exponent ? exponent : 1) - format.bias() - format.mantissa_bits;
  return sign * static_cast<float>(significand) * power_of_two(scale);
}

// Whether a magnitude is rounded up: `rest` of `unit` is cut off, `kept` is what is left.
inline bool rounds_up(ir::Rounding rounding, bool negative, uint64_t kept, uint64_t rest, uint64_t unit) {
  switch (rounding) {
    case ir::Rounding::Default:
    case ir::Rounding::Nearest:
    case ir::Rounding::Full:
    case ir::Rounding::Approx: return rest * 2 > unit || (rest * 2 == unit && (kept & 1));
    case ir::Rounding::Zero: return false;
    case ir::Rounding::MinusInf: return negative && rest;
    case ir::Rounding::PlusInf: return !negative && rest;
  }
  return false;
}

enum class Overflow : uint8_t { ByRounding, Saturates };

inline uint32_t encode(const Format& format, double value, ir::Rounding rounding, Overflow overflow) {
  const auto bits = std::bit_cast<uint64_t>(value);
  const bool negative = bits >> 63;
  const uint32_t sign = negative ? format.sign_bit() : 0;
  if (std::isnan(value)) return format.nan();
  if (value == 0) return sign;
  if (std::isinf(value)) return sign | (overflow == Overflow::Saturates ? format.largest() : format.infinity());
  constexpr int stored = 52;
  const int biased = static_cast<int>(bits >> stored) & 0x7ff;
  const uint64_t fraction = bits & ((uint64_t{1} << stored) - 1);
  const uint64_t significand = biased ? fraction | uint64_t{1} << stored : fraction;
  const int exponent = (biased ? biased : 1) - 1023;
  const int least = 1 - format.bias();  // of a normal number
  const int below = exponent < least ? least - exponent : 0;
  const int cut = std::min(stored - format.mantissa_bits + below, 62);
  uint64_t kept = significand >> cut;
  const uint64_t unit = uint64_t{1} << cut;
  if (rounds_up(rounding, negative, kept, significand & (unit - 1), unit)) ++kept;
  // The leading one of a normal number adds one to the exponent, and so does a carry.
  const uint64_t above = exponent > least ? static_cast<uint64_t>(exponent - least) : 0;
  const uint64_t magnitude = (above << format.mantissa_bits) + kept;
  if (magnitude <= format.largest()) return sign | static_cast<uint32_t>(magnitude);
  if (overflow == Overflow::Saturates) return sign | format.largest();
  const bool away = rounding == ir::Rounding::MinusInf  ? negative
                    : rounding == ir::Rounding::PlusInf ? !negative
                                                        : rounding != ir::Rounding::Zero;
  return sign | (away ? format.infinity() : format.largest());
}

inline float float16_to_float(uint16_t half) {
  const uint32_t magnitude = (half & 0x7fffu) << 13;
  const uint32_t exponent = magnitude & 0x0f800000u;
  const float denormal = std::bit_cast<float>(magnitude + (113u << 23)) - std::bit_cast<float>(113u << 23);
  const uint32_t normal = magnitude + (exponent == 0x0f800000u ? 224u << 23 : 112u << 23);
  const uint32_t bits = exponent == 0 ? std::bit_cast<uint32_t>(denormal) : normal;
  return std::bit_cast<float>(bits | (half & 0x8000u) << 16);
}

inline uint16_t float_to_float16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits & 0x80000000u;
  const uint32_t magnitude = bits ^ sign;
  constexpr uint32_t denormal_magic = 126u << 23;  // 0.5: the last bit of a sum with it is that of a float16 denormal
  const uint32_t denormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(denormal_magic)) - denormal_magic;
  const uint32_t normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1) - (112u << 23)) >> 13;
  const uint32_t special = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
  const uint32_t number = magnitude < (113u << 23) ? denormal : normal;
  return static_cast<uint16_t>((magnitude >= (143u << 23) ? special : number) | sign >> 16);
}

inline float bfloat16_to_float(uint16_t half) { return std::bit_cast<float>(uint32_t{half} << 16); }

inline uint16_t float_to_bfloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = bits + 0x7fffu + ((bits >> 16) & 1);
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return static_cast<uint16_t>(is_nan ? 0x7fc0u : rounded >> 16);
}

}  // namespace tilewright::interp
