// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What few rows of many have something to say of: as long as a pointer, and a T{} until it is edited.

#pragma once

#include <memory>
#include <utility>

namespace tilewright {

template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(T row) : row_(std::make_unique<T>(std::move(row))) {}
  Rare(const Rare& other) : row_(other.row_ ? std::make_unique<T>(*other.row_) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(Rare other) noexcept {
    row_ = std::move(other.row_);
    return *this;
  }

  // Whether it was ever edited: if not, it is a T{}.
  explicit operator bool() const { return row_ != nullptr; }
  const T& operator*() const {
    static const T nothing{};
    return row_ ? *row_ : nothing;
  }
  const T* operator->() const { return &**this; }
  T& edit() {
    if (!row_) row_ = std::make_unique<T>();
    return *row_;
  }

 private:
  std::unique_ptr<T> row_;
};

}  // namespace tilewright
