// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/constants.h"

#include <cmath>
#include <limits>

namespace tilewright::ir {
namespace {

// A binary float format: bits of the significand with the hidden one, and the exponent of its smallest normal number.
struct Format {
  int significand;
  int smallest;
  double largest;
  bool has_infinity;
};

std::optional<Format> format_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::F16: return Format{11, -14, 65504.0, true};
    case Scalar::BF16: return Format{8, -126, 0x1.FEp127, true};
    case Scalar::TF32: return Format{11, -126, 0x1.FFCp127, true};
    case Scalar::F8E4M3: return Format{4, -6, 448.0, false};
    case Scalar::F8E5M2: return Format{3, -14, 57344.0, true};
    case Scalar::F32: return Format{24, -126, std::numeric_limits<float>::max(), true};
    case Scalar::F64: return Format{53, -1022, std::numeric_limits<double>::max(), true};
    case Scalar::Bool:
    case Scalar::U8:
    case Scalar::U16:
    case Scalar::U32:
    case Scalar::U64:
    case Scalar::I8:
    case Scalar::I16:
    case Scalar::I32:
    case Scalar::I64:
    case Scalar::F8E8M0:
    case Scalar::F4E2M1: return std::nullopt;
  }
  return std::nullopt;
}

double rounded(const Format& format, double value) {
  if (value == 0 || std::isnan(value)) return value;
  const double beyond = format.has_infinity ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(value)) return std::copysign(beyond, value);
  const int step = std::max(std::ilogb(value), format.smallest) - (format.significand - 1);
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
  return std::abs(nearest) > format.largest ? std::copysign(beyond, value) : nearest;
}

std::optional<int64_t> wrapped(Scalar scalar, int64_t value) {
  const int bits = bits_of(scalar);
  const bool is_signed = class_of(scalar) == ScalarClass::Signed;
  if (bits == 64) return is_signed || value >= 0 ? std::optional(value) : std::nullopt;
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  const uint64_t low = static_cast<uint64_t>(value) & mask;
  const bool negative = is_signed && (low >> (bits - 1)) != 0;
  return static_cast<int64_t>(negative ? low | ~mask : low);
}

}  // namespace

std::optional<sym::Value> constant_of(Scalar scalar, const sym::Value& value) {
  const auto real = [&] { return std::visit([](auto v) { return static_cast<double>(v); }, value); };
  switch (class_of(scalar)) {
    case ScalarClass::Bool: return sym::Value{real() != 0};
    case ScalarClass::Unsigned:
    case ScalarClass::Signed: {
      if (std::holds_alternative<double>(value) && !(std::abs(real()) < 0x1p63)) return std::nullopt;
      const int64_t whole = std::visit([](auto v) { return static_cast<int64_t>(v); }, value);
      const std::optional<int64_t> kept = wrapped(scalar, whole);
      return kept ? std::optional(sym::Value{*kept}) : std::nullopt;
    }
    case ScalarClass::Float:
    case ScalarClass::Restricted: {
      const std::optional<Format> format = format_of(scalar);
      return format ? std::optional(sym::Value{rounded(*format, real())}) : std::nullopt;
    }
  }
  return std::nullopt;
}

bool holds(Scalar scalar, int64_t integer) {
  const ScalarClass kind = class_of(scalar);
  return (kind != ScalarClass::Signed && kind != ScalarClass::Unsigned) || wrapped(scalar, integer) == integer;
}

bool needs_dtype(const Types& types, const Type& type) {
  if (type.kind != TypeKind::Const || !type.strict) return false;
  const std::optional<Scalar> scalar = types.scalar_of(type.dtype);
  return scalar != Scalar::Bool && scalar != Scalar::I32 && scalar != Scalar::F32;
}

Op typed_number(const Program& program, const Op& at, ValueId constant) {
  Op full{.kind = OpKind::Full, .span = at.span, .statement = at.statement, .node = at.node, .operands = {constant}};
  full.attrs.dtype = program.types[program.values[constant].type].dtype;
  full.attrs.implicit = true;
  return full;
}

}  // namespace tilewright::ir
