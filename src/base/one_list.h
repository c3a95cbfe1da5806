// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A list of ids of which there is mostly one: as long as a pointer, and no memory elsewhere until there are two.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "base/short_list.h"

namespace tilewright {

template <class T>
class OneList {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(uint32_t));

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  OneList() = default;
  OneList(std::initializer_list<T> items) : OneList(std::span(items.begin(), items.size())) {}
  OneList(const ShortList<T>& items) : OneList(std::span(items)) {}
  explicit OneList(std::span<const T> items) {
    if (items.size() == 1) row_ = {within, items[0]};
    if (items.size() > 1) row_ = std::bit_cast<Row>(new ShortList<T>(items));
  }
  OneList(const OneList& other) : OneList(std::span(other)) {}
  OneList(OneList&& other) noexcept : row_(std::exchange(other.row_, nothing)) {}
  OneList& operator=(OneList other) noexcept {
    std::swap(row_, other.row_);
    return *this;
  }
  ~OneList() { delete outside(); }

  size_t size() const {
    if (row_.mark == within) return 1;
    const ShortList<T>* const list = outside();
    return list ? list->size() : 0;
  }
  bool empty() const { return size() == 0; }
  T* data() { return const_cast<T*>(std::as_const(*this).data()); }
  const T* data() const {
    const ShortList<T>* const list = outside();
    return list ? list->data() : &row_.item;
  }
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
    if (ShortList<T>* const list = outside()) return list->push_back(item);
    *this = empty() ? OneList{item} : OneList{row_.item, item};
  }

  iterator erase(const_iterator at) {
    if (ShortList<T>* const list = outside()) return list->erase(at);
    clear();
    return end();
  }

  friend bool operator==(const OneList& a, std::span<const T> b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  // Of one item, the mark and the item; else the bits of a pointer to the list, null if it is empty. Such a pointer is even.
  struct Row {
    uint32_t mark;
    T item;
  };
  static constexpr uint32_t within = 1;
  static constexpr Row nothing = std::bit_cast<Row>(uint64_t{0});
  static_assert(sizeof(Row) == sizeof(void*) && std::endian::native == std::endian::little && alignof(ShortList<T>) > 1);

  ShortList<T>* outside() const { return row_.mark == within ? nullptr : std::bit_cast<ShortList<T>*>(row_); }

  Row row_ = nothing;
};

}  // namespace tilewright
