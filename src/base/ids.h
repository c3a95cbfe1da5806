// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Typed ids and the stores they index. Nothing in the compiler is allocated singly: a node is a row of a store and is named by
// a 32-bit id of its own type, so copying a program is copying stores, and side tables are vectors with the same index.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tilewright {

// An index into the store of Tag's. `struct OpTag; using OpId = Id<OpTag>;`
template <class Tag>
struct Id {
  static constexpr uint32_t none_index = ~uint32_t{0};
  uint32_t index = none_index;

  static constexpr Id none() { return {}; }
  constexpr bool valid() const { return index != none_index; }
  constexpr explicit operator bool() const { return valid(); }
  friend constexpr auto operator<=>(Id, Id) = default;
};

// Rows is std::vector, or Blocks where rows are large.
template <class IdType, class T, class Rows = std::vector<T>>
class Store {
 public:
  IdType add(const T& value) { return add(T(value)); }
  IdType add(T&& value) {
    rows_.push_back(std::move(value));
    return IdType{static_cast<uint32_t>(rows_.size() - 1)};
  }
  // References stay valid until the next add().
  T& operator[](IdType id) { return rows_[id.index]; }
  const T& operator[](IdType id) const { return rows_[id.index]; }
  size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  void reserve(size_t n) { rows_.reserve(n); }
  // Forgets the rows from `size` on; ids of them must not be used again.
  void truncate(size_t size) {
    while (rows_.size() > size) rows_.pop_back();
  }

 private:
  Rows rows_;
};

}  // namespace tilewright

template <class Tag>
struct std::hash<tilewright::Id<Tag>> {
  size_t operator()(tilewright::Id<Tag> id) const noexcept { return id.index; }
};
