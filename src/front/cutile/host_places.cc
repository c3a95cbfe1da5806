// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/host_places.h"

namespace tilewright::front::cutile {

uint32_t Places::fresh(uint32_t depth) {
  places_.emplace_back().depth = depth;
  return static_cast<uint32_t>(places_.size() - 1);
}

void Places::touch(uint32_t place) {
  ++changes_;
  touched_.push_back(place);
}

void Places::flow(uint32_t from, uint32_t to, Flowing how) {
  if (from == to) return;
  if (places_[from].to.insert(to).second) touch(from);
  if (how == Flowing::Alias && places_[to].aliases.insert(from).second) touch(to);
}

void Places::fill(uint32_t place) {
  if (places_[place].filled) return;
  places_[place].filled = true;
  touch(place);
}

uint32_t Places::field(uint32_t place, uint32_t number) {
  constexpr uint32_t deepest = 2;
  if (places_[place].depth >= deepest) return place;
  const auto known = places_[place].fields.find(number);
  if (known != places_[place].fields.end()) return known->second;
  const uint32_t made = fresh(places_[place].depth + 1);
  places_[place].fields[number] = made;
  touch(place);
  return made;
}

std::vector<uint32_t> Places::with_fields(uint32_t place) const {
  std::vector<uint32_t> out = {place};
  for (const auto& [number, field] : places_[place].fields) out.push_back(field);
  return out;
}

void Places::mark_tuple(uint32_t place) {
  if (places_[place].is_tuple) return;
  places_[place].is_tuple = true;
  touch(place);
}

std::vector<uint32_t> Places::elements(uint32_t place) const {
  return places_[place].is_tuple ? with_fields(place) : std::vector<uint32_t>{place};
}

void Places::add(uint32_t place, uint32_t value) {
  if (places_[place].values.insert(value).second) touch(place);
}

void Places::propagate() {
  while (!touched_.empty()) {
    const uint32_t place = touched_.back();
    touched_.pop_back();
    if (places_[place].filled) {
      const std::set<uint32_t> sources = places_[place].aliases;
      for (const uint32_t source : sources) {
        flow(place, source);
        fill(source);
      }
    }
    const std::set<uint32_t> targets = places_[place].to;
    for (const uint32_t to : targets) {
      const std::set<uint32_t> values = places_[place].values;
      for (const uint32_t value : values) add(to, value);
      if (places_[place].is_tuple) mark_tuple(to);
      const std::map<uint32_t, uint32_t> fields = places_[place].fields;
      for (const auto& [number, one] : fields) flow(one, field(to, number));
    }
  }
}

}  // namespace tilewright::front::cutile
