// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/host_places.h"

#include <algorithm>
#include <numeric>

namespace tilewright::front::cutile {

uint32_t Places::fresh(uint32_t depth) {
  places_.emplace_back().depth = depth;
  return static_cast<uint32_t>(places_.size() - 1);
}

void Places::change_shape(uint32_t place) {
  stale_ |= places_[place].asked;
  touch(place);
}

void Places::flow(uint32_t from, uint32_t to, Flowing how) {
  if (from == to) return;
  const auto [known, is_new] = flows_.try_emplace(uint64_t{from} << 32 | to, how);
  if (is_new) {
    places_[from].to.push_back(to);
    if (places_[from].gives()) touch(from);
  }
  if (how == Flowing::Copy || (!is_new && known->second == Flowing::Alias)) return;
  known->second = Flowing::Alias;
  places_[to].aliases.push_back(from);
  if (places_[to].filled) touch(to);
}

void Places::fill(uint32_t place) {
  if (places_[place].filled) return;
  places_[place].filled = true;
  touch(place);
}

std::vector<Places::Field>::const_iterator Places::find_field(const Place& place, uint32_t number) {
  return std::lower_bound(place.fields.begin(), place.fields.end(), number,
                          [](const Field& field, uint32_t wanted) { return field.number < wanted; });
}

uint32_t Places::field(uint32_t place, uint32_t number) {
  constexpr uint32_t deepest = 2;
  if (places_[place].depth >= deepest) return place;
  const auto at = find_field(places_[place], number);
  if (at != places_[place].fields.end() && at->number == number) return at->place;
  const auto made = static_cast<uint32_t>(places_.size());
  places_[place].fields.insert(at, {number, made});
  fresh(places_[place].depth + 1);
  change_shape(place);
  return made;
}

void Places::mark_tuple(uint32_t place) {
  if (places_[place].is_tuple) return;
  places_[place].is_tuple = true;
  change_shape(place);
}

bool Places::has_field(uint32_t place, uint32_t number) {
  places_[place].asked = true;
  const auto at = find_field(places_[place], number);
  return at != places_[place].fields.end() && at->number == number;
}

std::vector<uint32_t> Places::with_fields(uint32_t place) {
  places_[place].asked = true;
  std::vector<uint32_t> out = {place};
  for (const Field& field : places_[place].fields) out.push_back(field.place);
  return out;
}

std::vector<uint32_t> Places::elements(uint32_t place) {
  places_[place].asked = true;
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
      const std::vector<Field> fields = places_[place].fields;
      for (const Field& one : fields) flow(one.place, field(to, one.number));
    }
  }
}

}  // namespace tilewright::front::cutile
