// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <bit>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace tilewright {

// As much of a vector as a Store needs, in blocks of a few kilobytes: growing moves no row, and what is left unused is less than
// a block. In exchange a row takes one step more to find.
template <class T>
class Blocks {
  template <class Owner>
  class Iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(Owner& owner, size_t index) : owner_(&owner), index_(index) {}
    auto& operator*() const { return (*owner_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) { return {*owner_, index_++}; }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    Owner* owner_ = nullptr;
    size_t index_ = 0;
  };

 public:
  void push_back(T&& row) {
    if (size_ % rows_of_block == 0) blocks_.emplace_back().reserve(rows_of_block);
    blocks_.back().push_back(std::move(row));
    ++size_;
  }
  void pop_back() {
    blocks_.back().pop_back();
    if (--size_ % rows_of_block == 0) blocks_.pop_back();
  }
  T& operator[](size_t i) { return blocks_[i / rows_of_block][i % rows_of_block]; }
  const T& operator[](size_t i) const { return blocks_[i / rows_of_block][i % rows_of_block]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  auto begin() { return Iterator<Blocks>(*this, 0); }
  auto end() { return Iterator<Blocks>(*this, size_); }
  auto begin() const { return Iterator<const Blocks>(*this, 0); }
  auto end() const { return Iterator<const Blocks>(*this, size_); }

 private:
  static constexpr size_t rows_of_block = std::bit_floor(8192 / sizeof(T));

  std::vector<std::vector<T>> blocks_;
  size_t size_ = 0;
};

}  // namespace tilewright
