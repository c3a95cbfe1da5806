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
#include <map>
#include <unordered_set>
#include <vector>

namespace tilewright::front::cutile {

// Alias: what is at the source is what is at the target. Copy: it is in it, or made of it.
enum class Flowing : uint8_t { Alias, Copy };

class Places {
 public:
  explicit Places(size_t count) : places_(count) {}

  uint32_t fresh(uint32_t depth = 0);
  void flow(uint32_t from, uint32_t to, Flowing how = Flowing::Alias);
  void fill(uint32_t place);  // something is stored into what is there
  uint32_t field(uint32_t place, uint32_t number);
  bool has_field(uint32_t place, uint32_t number) const { return places_[place].fields.contains(number); }
  std::vector<uint32_t> with_fields(uint32_t place) const;
  // A tuple is in the place itself, not merely in a dictionary or list that is there.
  void mark_tuple(uint32_t place);
  // What an element taken by an unknown index may be.
  std::vector<uint32_t> elements(uint32_t place) const;

  // Values are numbers below the count given here. Where too many come together, they count as one from then on, everywhere.
  void set_values(uint32_t count);
  uint32_t find_value(uint32_t value);
  void add(uint32_t place, uint32_t value);
  void propagate();
  const std::vector<uint32_t>& values(uint32_t place) const { return places_[place].values; }
  size_t changes() const { return changes_; }

 private:
  struct Place {
    std::vector<uint32_t> to;
    std::vector<uint32_t> aliases;  // that flow to it
    std::map<uint32_t, uint32_t> fields;
    std::vector<uint32_t> values;
    uint32_t depth = 0;  // fields of fields of fields are not told apart
    bool filled = false;
    bool is_tuple = false;
    bool crowded = false;  // its values count as one
  };
  void touch(uint32_t place);

  std::vector<Place> places_;
  std::vector<uint32_t> value_parents_;
  std::unordered_set<uint64_t> flows_;  // from and to
  std::unordered_set<uint64_t> aliases_;
  std::vector<uint32_t> touched_;
  size_t changes_ = 0;
};

}  // namespace tilewright::front::cutile
