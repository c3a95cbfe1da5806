// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A tile's elements a chunk at a time, in the type they are calculated in: where that is the type they are kept in, the tile's
// own memory, else a small buffer that a loop decodes into. So one loop per op and calculated type serves all dtypes.

#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include "interp/element.h"
#include "interp/tile.h"

namespace tilewright::interp {

template <class Element>
inline constexpr bool is_plain = std::is_same_v<Element, Plain<typename Element::Computed>>;

// Denormals become zeros of their sign (float32 only, docs/ir.md).
template <class T>
T flushed(T value) {
  return std::fabs(value) < std::numeric_limits<T>::min() ? std::copysign(T{0}, value) : value;
}

template <class Element>
class Reader {
 public:
  using T = typename Element::Computed;

  // A tile of one element is repeated.
  explicit Reader(const Tile& tile, ir::Flush flush = ir::Flush::Keep)
      : elements_(tile.data.as<const typename Element::Stored>()), repeats_(tile.count() == 1), flush_(flush) {
    if (!repeats_) return;
    const T value = Element::decode(elements_[0]);
    std::fill_n(scratch_, chunk, value);
    flush_scratch(chunk);
  }

  // Elements [begin, begin + count); at most a chunk.
  const T* at(int64_t begin, size_t count) {
    if (repeats_) return scratch_;
    if constexpr (is_plain<Element>) {
      if (flush_ == ir::Flush::Keep) return elements_ + begin;
    }
    for (size_t i = 0; i < count; ++i) scratch_[i] = Element::decode(elements_[begin + static_cast<int64_t>(i)]);
    flush_scratch(count);
    return scratch_;
  }

 private:
  void flush_scratch(size_t count) {
    if constexpr (std::is_same_v<T, float>) {
      if (flush_ == ir::Flush::Keep) return;
      for (size_t i = 0; i < count; ++i) scratch_[i] = flushed(scratch_[i]);
    }
  }

  const typename Element::Stored* elements_;
  bool repeats_;
  ir::Flush flush_;
  alignas(64) T scratch_[chunk];
};

template <class Element>
class Writer {
 public:
  using T = typename Element::Computed;

  explicit Writer(const Tile& tile, ir::Rounding rounding = ir::Rounding::Default, ir::Flush flush = ir::Flush::Keep)
      : elements_(tile.data.as<typename Element::Stored>()), rounding_(rounding), flush_(flush) {}

  // Where to write elements [begin, …); `finish` must follow.
  T* at(int64_t begin) {
    if constexpr (is_plain<Element>) return elements_ + begin;
    return scratch_;
  }

  void finish(int64_t begin, size_t count) {
    T* computed = at(begin);
    if constexpr (std::is_same_v<T, float>) {
      if (flush_ == ir::Flush::ToZero) {
        for (size_t i = 0; i < count; ++i) computed[i] = flushed(computed[i]);
      }
    }
    if constexpr (!is_plain<Element>) {
      if constexpr (SmallFloat<Element> && sizeof(typename Element::Stored) == 2) {
        if (rounding_ == ir::Rounding::Zero || rounding_ == ir::Rounding::MinusInf || rounding_ == ir::Rounding::PlusInf) {
          for (size_t i = 0; i < count; ++i) {
            elements_[begin + static_cast<int64_t>(i)] =
                static_cast<typename Element::Stored>(encode(Element::format, computed[i], rounding_, Element::overflow));
          }
          return;
        }
      }
      for (size_t i = 0; i < count; ++i) elements_[begin + static_cast<int64_t>(i)] = Element::encode(computed[i]);
    }
  }

 private:
  typename Element::Stored* elements_;
  ir::Rounding rounding_;
  ir::Flush flush_;
  alignas(64) T scratch_[is_plain<Element> ? 1 : chunk];
};

// Calls visit(begin, count) for each chunk of that many elements.
template <class Visit>
void each_chunk(int64_t count, Visit&& visit) {
  for (int64_t begin = 0; begin < count; begin += chunk) {
    visit(begin, static_cast<size_t>(std::min<int64_t>(chunk, count - begin)));
  }
}

}  // namespace tilewright::interp
