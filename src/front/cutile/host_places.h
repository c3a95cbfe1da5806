// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Places that hold values (variables, attributes, results), and which values come to which place.
//
// A value goes from one place to another and not back (Andersen's way), so that two variables that get their hints from one
// function have nothing else in common. What a dictionary or list holds is in its own place; what a tuple holds is in its fields,
// so that a pair of a configuration and a kernel does not make kernels of configurations. A dictionary that a function fills is
// the caller's: into what is filled, values come from all its aliases, and they go back to them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"

namespace tilewright::front::cutile {

// Alias: what is at the source is what is at the target. Copy: it is in it, or made of it.
enum class Flowing : uint8_t { Alias, Copy };

class Places {
 public:
  explicit Places(size_t count) : rows_(count, no_row) {}

  uint32_t fresh(uint32_t depth = 0);
  void flow(uint32_t from, uint32_t to, Flowing how = Flowing::Alias);
  void fill(uint32_t place);  // something is stored into what is there
  uint32_t field(uint32_t place, uint32_t number);
  // A tuple is in the place itself, not merely in a dictionary or list that is there.
  void mark_tuple(uint32_t place);

  // Of the fields that are known so far:
  bool has_field(uint32_t place, uint32_t number);
  std::vector<uint32_t> with_fields(uint32_t place);
  std::vector<uint32_t> elements(uint32_t place);  // what an element taken by an unknown index may be
  // Whether such an answer has become another one since; asking forgets it.
  bool take_stale() { return std::exchange(stale_, false); }

  // Values are numbers below the count given here. Where too many come together, they count as one from then on, everywhere.
  void set_values(uint32_t count) { values_ = DisjointSets(count); }
  uint32_t find_value(uint32_t value) { return values_.find(value); }
  void add(uint32_t place, uint32_t value);
  void propagate();
  // Valid until the next question about another place.
  const std::vector<uint32_t>& values(uint32_t place) { return at(place).values; }

 private:
  struct Field {
    uint32_t number;
    uint32_t place;
  };
  struct Place {
    std::vector<uint32_t> to;
    std::vector<uint32_t> aliases;  // that flow to it
    std::vector<Field> fields;      // by number
    std::vector<uint32_t> values;
    uint32_t depth = 0;  // fields of fields of fields are not told apart
    bool filled = false;
    bool is_tuple = false;
    bool crowded = false;  // its values count as one
    bool asked = false;    // for its fields
    bool gives() const { return !values.empty() || !fields.empty() || is_tuple || filled; }
  };
  static std::vector<Field>::const_iterator find_field(const Place& place, uint32_t number);
  void touch(uint32_t place) { touched_.push_back(place); }
  void change_shape(uint32_t place);

  static constexpr uint32_t no_row = ~uint32_t{0};

  Place& at(uint32_t place) {
    if (rows_[place] == no_row) {
      rows_[place] = static_cast<uint32_t>(places_.size());
      places_.emplace_back();
    }
    return places_[rows_[place]];
  }

  std::vector<uint32_t> rows_;  // by place; at most places there is never anything
  std::vector<Place> places_;
  DisjointSets values_;
  std::unordered_map<uint64_t, Flowing> flows_;  // by from and to
  std::vector<uint32_t> touched_;
  bool stale_ = false;
};

}  // namespace tilewright::front::cutile
