// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/host_places.h"

#include <numeric>
#include <utility>

namespace tilewright::front::cutile {

Places::Places(size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), 0u); }

uint32_t Places::fresh() {
  parents_.push_back(static_cast<uint32_t>(parents_.size()));
  return parents_.back();
}

uint32_t Places::find(uint32_t place) {
  while (parents_[place] != place) place = parents_[place] = parents_[parents_[place]];
  return place;
}

void Places::join(uint32_t a, uint32_t b) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs = {{a, b}};
  while (!pairs.empty()) {
    const uint32_t into = find(pairs.back().first);
    const uint32_t from = find(pairs.back().second);
    pairs.pop_back();
    if (into == from) continue;
    ++joins_;
    parents_[from] = into;
    if (tuples_.erase(from) > 0) tuples_.insert(into);
    const auto found = fields_.find(from);
    if (found == fields_.end()) continue;
    const std::map<uint32_t, uint32_t> moved = std::move(found->second);
    fields_.erase(found);
    for (const auto& [number, field] : moved) {
      const auto [at, is_new] = fields_[into].try_emplace(number, field);
      if (!is_new) pairs.emplace_back(at->second, field);
    }
  }
}

uint32_t Places::field(uint32_t place, uint32_t number) {
  const uint32_t owner = find(place);
  const auto known = fields_.find(owner);
  if (known != fields_.end() && known->second.contains(number)) return known->second.at(number);
  const uint32_t made = fresh();
  return fields_[owner][number] = made;
}

bool Places::has_field(uint32_t place, uint32_t number) {
  const auto known = fields_.find(find(place));
  return known != fields_.end() && known->second.contains(number);
}

std::vector<uint32_t> Places::with_fields(uint32_t place) {
  std::vector<uint32_t> out = {place};
  if (const auto found = fields_.find(find(place)); found != fields_.end())
    for (const auto& [number, field] : found->second) out.push_back(field);
  return out;
}

}  // namespace tilewright::front::cutile
