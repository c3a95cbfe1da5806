// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Places that hold values: variables, attributes, results. Places between which a value may go are one place; what a dictionary
// or list holds is in its own place; what a tuple holds is in its fields, so that a pair of a configuration and a kernel does not
// make kernels of configurations.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace tilewright::front::cutile {

class Places {
 public:
  explicit Places(size_t count);

  uint32_t fresh();
  uint32_t find(uint32_t place);
  void join(uint32_t a, uint32_t b);
  uint32_t field(uint32_t place, uint32_t number);
  bool has_field(uint32_t place, uint32_t number);
  std::vector<uint32_t> with_fields(uint32_t place);
  // A tuple is in the place itself, not merely in a dictionary or list that is there.
  void mark_tuple(uint32_t place) { tuples_.insert(find(place)); }
  // What an element taken by an unknown index may be.
  std::vector<uint32_t> elements(uint32_t place) { return tuples_.contains(find(place)) ? with_fields(place) : std::vector<uint32_t>{place}; }
  size_t joins() const { return joins_; }

 private:
  std::vector<uint32_t> parents_;
  std::map<uint32_t, std::map<uint32_t, uint32_t>> fields_;  // by representative
  std::set<uint32_t> tuples_;
  size_t joins_ = 0;
};

}  // namespace tilewright::front::cutile
