// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/host_places.h"

#include <numeric>

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
  if (flows_.insert(uint64_t{from} << 32 | to).second) {
    places_[from].to.push_back(to);
    touch(from);
  }
  if (how == Flowing::Copy || !aliases_.insert(uint64_t{from} << 32 | to).second) return;
  places_[to].aliases.push_back(from);
  if (places_[to].filled) touch(to);
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

void Places::set_values(uint32_t count) {
  value_parents_.resize(count);
  std::iota(value_parents_.begin(), value_parents_.end(), 0u);
}

uint32_t Places::find_value(uint32_t value) {
  while (value_parents_[value] != value) value = value_parents_[value] = value_parents_[value_parents_[value]];
  return value;
}

void Places::add(uint32_t place, uint32_t value) {
  constexpr size_t most = 16;
  std::vector<uint32_t>& values = places_[place].values;
  const uint32_t found = find_value(value);
  for (const uint32_t one : values)
    if (one == value || find_value(one) == found) return;
  if (places_[place].crowded) {  // what comes now is like the rest: nothing new for those behind
    value_parents_[found] = find_value(values.front());
    return;
  }
  values.push_back(found);
  if (values.size() > most) {
    for (const uint32_t one : values) value_parents_[find_value(one)] = found;
    values = {found};
    places_[place].crowded = true;
  }
  touch(place);
}

void Places::propagate() {
  while (!touched_.empty()) {
    const uint32_t place = touched_.back();
    touched_.pop_back();
    // By number throughout: places and their lists grow on the way.
    for (size_t i = 0; places_[place].filled && i < places_[place].aliases.size(); ++i) {
      const uint32_t source = places_[place].aliases[i];
      flow(place, source);
      fill(source);
    }
    for (size_t i = 0; i < places_[place].to.size(); ++i) {
      const uint32_t to = places_[place].to[i];
      for (size_t k = 0; k < places_[place].values.size(); ++k) add(to, places_[place].values[k]);
      if (places_[place].is_tuple) mark_tuple(to);
      if (places_[place].fields.empty()) continue;
      const std::map<uint32_t, uint32_t> fields = places_[place].fields;
      for (const auto& [number, one] : fields) flow(one, field(to, number));
    }
  }
}

}  // namespace tilewright::front::cutile
