// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions between dtypes. Every dtype is read as a double, an int64 or a uint64, which hold it exactly, and written from one
// of them, rounded once.

#include <cstring>

#include "interp/algebra.h"
#include "interp/lanes.h"
#include "interp/machine.h"
#include "ir/rounding.h"

namespace tilewright::interp {
namespace {

constexpr Format float32{8, 23, true};

template <class T>
using Exact = std::conditional_t<std::is_floating_point_v<T>, double, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

// An integer as a double whose last bit says whether anything was cut off behind it: rounded to fewer bits than that, it gives
// what the integer itself gives.
template <std::integral T>
double rounding_alike(T value) {
  constexpr uint64_t exact = uint64_t{1} << 53;
  const bool negative = value < T{0};
  uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  if (magnitude >= exact) {
    constexpr uint64_t cut = 0xfff;
    magnitude = (magnitude & ~cut) | (magnitude & cut ? cut + 1 : 0);
  }
  return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

template <class To, class From>
To saturated(From value) {
  if constexpr (std::is_floating_point_v<From>) {
    constexpr auto least = static_cast<double>(std::numeric_limits<To>::min());
    constexpr auto most = static_cast<double>(std::numeric_limits<To>::max());  // rounded up for 64 bits
    if (std::isnan(value)) return To{0};
    if (value <= least) return std::numeric_limits<To>::min();
    return value >= most ? std::numeric_limits<To>::max() : static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <class Element, class From>
typename Element::Stored element_of(From value, ir::Rounding rounding) {
  using Stored = typename Element::Stored;
  if constexpr (std::is_same_v<Element, Bool>) {
    return value != From{0};
  } else if constexpr (SmallFloat<Element>) {
    double exact;
    if constexpr (std::integral<From>) {
      exact = rounding_alike(value);
    } else {
      exact = value;
    }
    const uint32_t bits = encode(Element::format, exact, rounding, Element::overflow);
    if constexpr (std::is_same_v<Stored, float>) {
      return decode(Element::format, bits);
    } else {
      return static_cast<Stored>(bits);
    }
  } else if constexpr (std::is_same_v<Stored, float> && std::is_same_v<From, double>) {
    if (ir::is_directed(rounding)) return std::bit_cast<float>(encode(float32, value, rounding, Overflow::ByRounding));
    return static_cast<float>(value);
  } else if constexpr (std::is_floating_point_v<Stored>) {
    return static_cast<Stored>(value);
  } else {
    return saturated<Stored>(value);
  }
}

template <class T>
using Write = void (*)(const T* values, size_t count, std::byte* out, ir::Rounding rounding);

template <class Element, class T>
void write_all(const T* values, size_t count, std::byte* out, ir::Rounding rounding) {
  auto* elements = reinterpret_cast<typename Element::Stored*>(out);
  for (size_t i = 0; i < count; ++i) elements[i] = element_of<Element>(values[i], rounding);
}

template <class T>
Write<T> write_of(ir::Scalar dtype) {
  return with_element(dtype, [](auto element) -> Write<T> { return write_all<decltype(element), T>; });
}

template <class From>
void convert_all(const Tile& from, const Tile& to, ir::Rounding rounding) {
  using T = Exact<typename From::Computed>;
  const Write<T> write = write_of<T>(to.dtype());
  Reader<From> reader(from);
  T exact[chunk];
  each_chunk(to.count(), [&](int64_t begin, size_t count) {
    const auto* values = reader.at(begin, count);
    for (size_t i = 0; i < count; ++i) exact[i] = static_cast<T>(values[i]);
    write(exact, count, to.data.data() + static_cast<size_t>(begin) * bytes_of(to.dtype()), rounding);
  });
}

// Between floats that are calculated in the same type, by the loops that every op uses.
template <class From, class To>
void convert_alike(const Tile& from, const Tile& to) {
  Reader<From> reader(from);
  Writer<To> writer(to);
  each_chunk(to.count(), [&](int64_t begin, size_t count) {
    const auto* values = reader.at(begin, count);
    std::copy_n(values, count, writer.at(begin));
    writer.finish(begin, count);
  });
}

template <class From>
void convert_to_alike(const Tile& from, const Tile& to) {
  with_element(to.dtype(), [&](auto target) {
    using To = decltype(target);
    if constexpr (std::is_same_v<typename To::Computed, float>) convert_alike<From, To>(from, to);
  });
}

}  // namespace

static bool is_computed_as_float(ir::Scalar dtype) {
  return with_element(dtype, [](auto element) { return std::is_same_v<typename decltype(element)::Computed, float>; });
}

Tile converted(Machine& machine, const Tile& from, const TileType& type, ir::Rounding rounding) {
  if (from.type->kept == Kept::Real || type.kept == Kept::Real) return algebra::converted(machine, from, type);
  Tile out = machine.make(type);
  const bool is_alike = is_computed_as_float(from.dtype()) && is_computed_as_float(type.dtype) && !ir::is_directed(rounding);
  with_element(from.dtype(), [&](auto source) {
    using From = decltype(source);
    if constexpr (std::is_same_v<typename From::Computed, float>) {
      if (is_alike) return convert_to_alike<From>(from, out);
    }
    convert_all<From>(from, out, rounding);
  });
  out.undefined = from.undefined;
  return out;
}

void cast(Machine& machine, const ir::Op& op) {
  const TileType& type = machine.plan().tile_type(op.results[0]);
  const Tile x = machine.tile(op.operands[0], type.dtype);
  if (machine.stopped()) return;
  machine.set(op.results[0], x.dtype() == type.dtype ? x : converted(machine, x, type, op.attrs.rounding));
}

void bitcast(Machine& machine, const ir::Op& op) {
  if (machine.field() && algebra::bitcast(machine, op)) return;
  const TileType& type = machine.plan().tile_type(op.results[0]);
  const ir::Type& from = machine.plan().type_of(op.operands[0]);
  const Tile x = machine.tile(op.operands[0], from.dtype ? machine.plan().dtype(from.dtype) : type.dtype);
  if (machine.stopped()) return;
  machine.set(op.results[0], Tile{.type = &type, .data = x.data, .undefined = x.undefined});
}

void write_constant(const sym::Value& value, ir::Scalar dtype, std::byte* out) {
  with_element(dtype, [&](auto element) {
    using Element = decltype(element);
    const auto bits = std::visit(
        [](auto number) {
          using T = decltype(number);
          return element_of<Element, Exact<T>>(static_cast<Exact<T>>(number), ir::Rounding::Default);
        },
        value);
    std::memcpy(out, &bits, sizeof bits);
  });
}

}  // namespace tilewright::interp
