// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The names that one function's text uses, each stored once and known by a number.

#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

namespace tilewright::back::triton {

struct LocalTag;
using LocalId = Id<LocalTag>;

class Locals {
 public:
  // Of a name, new or not.
  LocalId add(std::string_view name) {
    if (const auto known = ids_.find(name); known != ids_.end()) return known->second;
    const LocalId id{static_cast<uint32_t>(texts_.size())};
    ids_.emplace(texts_.emplace_back(name), id);
    return id;
  }
  bool contains(std::string_view name) const { return ids_.contains(name); }
  // Stays where it is.
  std::string_view operator[](LocalId id) const { return texts_[id.index]; }
  size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, LocalId> ids_;
};

// Something of each of a function's locals, of those too that come later.
template <class T>
class OfLocals {
 public:
  T& operator[](LocalId id) {
    if (id.index >= rows_.size()) rows_.resize(id.index + 1);
    return rows_[id.index];
  }
  // What was set, else a T{}.
  const T& at(LocalId id) const { return id.index < rows_.size() ? rows_[id.index] : nothing_; }

 private:
  std::vector<T> rows_;
  T nothing_ = {};
};

}  // namespace tilewright::back::triton
