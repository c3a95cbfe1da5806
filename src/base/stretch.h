// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace tilewright {

// The ids of a store from one to another, both among them: those of a part of a program, and what happens to lie between.
template <class IdType>
struct Stretch {
  IdType first = {};
  IdType last = {};

  static Stretch between(size_t first, size_t end) {
    if (first == end) return {};
    return {IdType{static_cast<uint32_t>(first)}, IdType{static_cast<uint32_t>(end - 1)}};
  }
  uint32_t size() const { return first ? last.index - first.index + 1 : 0; }
  void cover(IdType id) {
    first = first ? std::min(first, id) : id;
    last = last ? std::max(last, id) : id;
  }
};

// A side table of a stretch: as a vector with the same index, without the rows before and behind.
template <class IdType, class T>
class RowsOf {
 public:
  explicit RowsOf(Stretch<IdType> ids) : first_(ids.first.index), rows_(ids.size()) {}

  decltype(auto) operator[](IdType id) { return rows_[id.index - first_]; }
  bool covers(IdType id) const { return id.index - first_ < rows_.size(); }
  decltype(auto) operator[](IdType id) const { return rows_[id.index - first_]; }

 private:
  uint32_t first_;
  std::vector<T> rows_;
};

// Some of a stretch.
template <class IdType>
class SetOf {
 public:
  explicit SetOf(Stretch<IdType> ids) : has_(ids) {}

  bool contains(IdType id) const { return has_[id]; }
  // Whether it is new.
  bool insert(IdType id) {
    if (contains(id)) return false;
    has_[id] = true;
    return true;
  }

 private:
  RowsOf<IdType, bool> has_;
};

}  // namespace tilewright
