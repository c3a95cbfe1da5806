// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilewright {

// A list of ids or of small numbers, in 16 bytes. It works as a vector does, but up to three items lie in the list itself: most
// lists of a program are that short.
template <class T>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(uint32_t));

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  ShortList() = default;
  ShortList(std::initializer_list<T> items) : ShortList(std::span(items.begin(), items.size())) {}
  ShortList(const std::vector<T>& items) : ShortList(std::span(items)) {}
  explicit ShortList(std::span<const T> items) {
    resize(items.size());
    std::copy(items.begin(), items.end(), begin());
  }
  ShortList(const ShortList& other) : ShortList(std::span(other)) {}
  ShortList(ShortList&& other) noexcept : rows_(std::exchange(other.rows_, {})) {}
  ShortList& operator=(ShortList other) noexcept {
    std::swap(rows_, other.rows_);
    return *this;
  }
  ~ShortList() {
    if (is_long()) delete[] rows_.outside.items;
  }

  size_t size() const { return rows_.within.size; }
  bool empty() const { return size() == 0; }
  T* data() { return is_long() ? rows_.outside.items : rows_.within.items; }
  const T* data() const { return is_long() ? rows_.outside.items : rows_.within.items; }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& front() { return *begin(); }
  const T& front() const { return *begin(); }
  T& back() { return end()[-1]; }
  const T& back() const { return end()[-1]; }

  void clear() { *this = {}; }
  void push_back(T item) {
    resize(size() + 1);
    back() = item;
  }
  iterator insert(const_iterator at, T item) {
    const std::ptrdiff_t place = at - begin();
    push_back(item);
    std::rotate(begin() + place, end() - 1, end());
    return begin() + place;
  }
  iterator erase(const_iterator at) {
    const std::ptrdiff_t place = at - begin();
    std::copy(begin() + place + 1, end(), begin() + place);
    resize(size() - 1);
    return begin() + place;
  }
  // Items that are new are T{}.
  void resize(size_t size) {
    if (room(size) == room(this->size())) {
      if (size > this->size()) std::fill(end(), data() + size, T{});
      (is_long() ? rows_.outside.size : rows_.within.size) = static_cast<uint32_t>(size);
      return;
    }
    ShortList other;
    if (size > most_within) {
      other.rows_.outside = {static_cast<uint32_t>(size), new T[room(size)]{}};
    } else {
      other.rows_.within.size = static_cast<uint32_t>(size);
    }
    std::copy(begin(), begin() + std::min(size, this->size()), other.begin());
    std::swap(rows_, other.rows_);
  }

  friend bool operator==(const ShortList& a, const ShortList& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  static constexpr size_t most_within = 3;
  struct Within {
    uint32_t size;
    T items[most_within];
  };
  struct Outside {
    uint32_t size;
    T* items;
  };
  // The size says which of the two it is; both begin with it.
  union Rows {
    Within within = {};
    Outside outside;
  };

  bool is_long() const { return size() > most_within; }
  // For how many items there is room in a list of `size`.
  static size_t room(size_t size) { return size > most_within ? std::bit_ceil(size) : most_within; }

  Rows rows_;
};

}  // namespace tilewright
