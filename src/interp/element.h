// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// How an element of each dtype lies in memory, and the C++ type that it is calculated in. Halves and float8 are calculated as
// float32 and rounded once.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "interp/real.h"
#include "interp/small_float.h"
#include "ir/types.h"

namespace tilewright::interp {

template <class T>
struct Plain {
  using Stored = T;
  using Computed = T;
  static Computed decode(Stored value) { return value; }
  static Stored encode(Computed value) { return value; }
};

struct Bool {
  using Stored = uint8_t;
  using Computed = uint8_t;  // 0 or 1
  static Computed decode(Stored value) { return value != 0; }
  static Stored encode(Computed value) { return value != 0; }
};

struct Float16 {
  using Stored = uint16_t;
  using Computed = float;
  static constexpr Format format = float16;
  static constexpr Overflow overflow = Overflow::ByRounding;
  static Computed decode(Stored value) { return float16_to_float(value); }
  static Stored encode(Computed value) { return float_to_float16(value); }
};

struct Bfloat16 {
  using Stored = uint16_t;
  using Computed = float;
  static constexpr Format format = bfloat16;
  static constexpr Overflow overflow = Overflow::ByRounding;
  static Computed decode(Stored value) { return bfloat16_to_float(value); }
  static Stored encode(Computed value) { return float_to_bfloat16(value); }
};

struct Tfloat32 {
  using Stored = float;
  using Computed = float;
  static constexpr Format format = tfloat32;
  static constexpr Overflow overflow = Overflow::ByRounding;
  static Computed decode(Stored value) { return value; }
  static Stored encode(Computed value) {
    return interp::decode(format, interp::encode(format, value, ir::Rounding::Nearest, overflow));
  }
};

template <const Format& F>
struct Float8 {
  using Stored = uint8_t;
  using Computed = float;
  static constexpr Format format = F;
  static constexpr Overflow overflow = Overflow::Saturates;
  static constexpr auto table = [] {
    std::array<float, 256> out = {};
    for (uint32_t bits = 0; bits < 256; ++bits) out[bits] = interp::decode(F, bits);
    return out;
  }();
  static Computed decode(Stored value) { return table[value]; }
  static Stored encode(Computed value) {
    return static_cast<Stored>(interp::encode(format, value, ir::Rounding::Nearest, overflow));
  }
};

template <class Element>
concept SmallFloat = requires { Element::format; };

// Dtypes that the interpreter has no arithmetic for: the launch is refused before it starts.
inline bool is_supported(ir::Scalar dtype) { return dtype != ir::Scalar::F8E8M0 && dtype != ir::Scalar::F4E2M1; }

// Calls visit(Element{}) with the element type of a dtype.
template <class Visit>
decltype(auto) with_element(ir::Scalar dtype, Visit&& visit) {
  switch (dtype) {
    case ir::Scalar::Bool: return visit(Bool{});
    case ir::Scalar::U8: return visit(Plain<uint8_t>{});
    case ir::Scalar::U16: return visit(Plain<uint16_t>{});
    case ir::Scalar::U32: return visit(Plain<uint32_t>{});
    case ir::Scalar::U64: return visit(Plain<uint64_t>{});
    case ir::Scalar::I8: return visit(Plain<int8_t>{});
    case ir::Scalar::I16: return visit(Plain<int16_t>{});
    case ir::Scalar::I32: return visit(Plain<int32_t>{});
    case ir::Scalar::I64: return visit(Plain<int64_t>{});
    case ir::Scalar::F16: return visit(Float16{});
    case ir::Scalar::BF16: return visit(Bfloat16{});
    case ir::Scalar::F32: return visit(Plain<float>{});
    case ir::Scalar::F64: return visit(Plain<double>{});
    case ir::Scalar::TF32: return visit(Tfloat32{});
    case ir::Scalar::F8E4M3: return visit(Float8<float8_e4m3fn>{});
    case ir::Scalar::F8E5M2: return visit(Float8<float8_e5m2>{});
    case ir::Scalar::F8E8M0:
    case ir::Scalar::F4E2M1: break;
  }
  fail_check(__FILE__, __LINE__, std::string("no arithmetic on ") + ir::name_of(dtype));
}

// Calls visit(T{}) with the unsigned type of that many bytes.
template <class Visit>
decltype(auto) with_bits(size_t bytes, Visit&& visit) {
  switch (bytes) {
    case 1: return visit(uint8_t{});
    case 2: return visit(uint16_t{});
    case 4: return visit(uint32_t{});
    case 8: return visit(uint64_t{});
    default: fail_check(__FILE__, __LINE__, "no element of " + std::to_string(bytes) + " bytes");
  }
}

// The same, or with Real: what only moves elements need not know what they are.
template <class Visit>
decltype(auto) with_width(size_t bytes, Visit&& visit) {
  return bytes == sizeof(Real) ? visit(Real{}) : with_bits(bytes, visit);
}

inline size_t bytes_of(ir::Scalar dtype) { return static_cast<size_t>(ir::bits_of(dtype)) / 8; }

// How many elements are decoded at a time: small enough for the first cache, large enough that a loop is what counts.
inline constexpr size_t chunk = 1024;

}  // namespace tilewright::interp
