// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/short_list.h"

namespace tilewright {

// A list that is most often empty, in the eight bytes of a pointer.
template <class T>
class RareList {
 public:
  using value_type = T;
  using const_iterator = const T*;

  RareList() = default;
  RareList(std::initializer_list<T> items) : RareList(ShortList<T>(items)) {}
  RareList(const std::vector<T>& items) : RareList(ShortList<T>(items)) {}
  RareList(ShortList<T> items) : items_(items.empty() ? nullptr : std::make_unique<ShortList<T>>(std::move(items))) {}
  RareList(const RareList& other) : RareList(other.list()) {}
  RareList(RareList&&) noexcept = default;
  RareList& operator=(RareList other) noexcept {
    items_ = std::move(other.items_);
    return *this;
  }

  const ShortList<T>& list() const {
    static const ShortList<T> nothing{};
    return items_ ? *items_ : nothing;
  }
  operator const ShortList<T>&() const { return list(); }
  size_t size() const { return list().size(); }
  bool empty() const { return !items_ || items_->empty(); }
  T* data() { return items_ ? items_->data() : nullptr; }
  const T* data() const { return items_ ? items_->data() : nullptr; }
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
  void clear() { items_.reset(); }
  void push_back(T item) {
    if (!items_) items_ = std::make_unique<ShortList<T>>();
    items_->push_back(item);
  }
  friend bool operator==(const RareList& a, const RareList& b) { return a.list() == b.list(); }

 private:
  std::unique_ptr<ShortList<T>> items_;
};

}  // namespace tilewright
