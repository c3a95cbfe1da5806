// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/host_places.h"

#include <algorithm>

namespace tilewright::front::cutile {

uint32_t Places::fresh(uint32_t depth) {
  const auto place = static_cast<uint32_t>(rows_.size());
  rows_.push_back(no_row);
  at(place).depth = depth;
  return place;
}

void Places::change_shape(uint32_t place) {
  stale_ |= at(place).asked;
  touch(place);
}

void Places::flow(uint32_t from, uint32_t to, Flowing how) {
  if (from == to) return;
  const auto [known, is_new] = flows_.try_emplace(uint64_t{from} << 32 | to, how);
  if (is_new) {
    at(from).to.push_back(to);
    if (at(from).gives()) touch(from);
  }
  if (how == Flowing::Copy || (!is_new && known->second == Flowing::Alias)) return;
  known->second = Flowing::Alias;
  at(to).aliases.push_back(from);
  if (at(to).filled) touch(to);
}

void Places::fill(uint32_t place) {
  if (at(place).filled) return;
  at(place).filled = true;
  touch(place);
}

std::vector<Places::Field>::const_iterator Places::find_field(const Place& place, uint32_t number) {
  return std::lower_bound(place.fields.begin(), place.fields.end(), number,
                          [](const Field& field, uint32_t wanted) { return field.number < wanted; });
}

uint32_t Places::field(uint32_t place, uint32_t number) {
  constexpr uint32_t deepest = 2;
  if (at(place).depth >= deepest) return place;
  const auto found = find_field(at(place), number);
  if (found != at(place).fields.end() && found->number == number) return found->place;
  const auto made = static_cast<uint32_t>(rows_.size());
  at(place).fields.insert(found, {number, made});
  fresh(at(place).depth + 1);
  change_shape(place);
  return made;
}

void Places::mark_tuple(uint32_t place) {
  if (at(place).is_tuple) return;
  at(place).is_tuple = true;
  change_shape(place);
}

bool Places::has_field(uint32_t place, uint32_t number) {
  at(place).asked = true;
  const auto found = find_field(at(place), number);
  return found != at(place).fields.end() && found->number == number;
}

std::vector<uint32_t> Places::with_fields(uint32_t place) {
  at(place).asked = true;
  std::vector<uint32_t> out = {place};
  for (const Field& field : at(place).fields) out.push_back(field.place);
  return out;
}

std::vector<uint32_t> Places::elements(uint32_t place) {
  at(place).asked = true;
  return at(place).is_tuple ? with_fields(place) : std::vector<uint32_t>{place};
}

void Places::add(uint32_t place, uint32_t value) {
  constexpr size_t most = 16;
  std::vector<uint32_t>& values = at(place).values;
  const uint32_t found = find_value(value);
  for (const uint32_t one : values)
    if (one == value || find_value(one) == found) return;
  if (at(place).crowded) {  // what comes now is like the rest: nothing new for those behind
    values_.join(found, values.front());
    return;
  }
  values.push_back(found);
  if (values.size() > most) {
    for (const uint32_t one : values) values_.join(one, found);
    values = {find_value(found)};
    at(place).crowded = true;
  }
  touch(place);
}

void Places::propagate() {
  while (!touched_.empty()) {
    const uint32_t place = touched_.back();
    touched_.pop_back();
    // By number throughout: places and their lists grow on the way.
    for (size_t i = 0; at(place).filled && i < at(place).aliases.size(); ++i) {
      const uint32_t source = at(place).aliases[i];
      flow(place, source);
      fill(source);
    }
    for (size_t i = 0; i < at(place).to.size(); ++i) {
      const uint32_t to = at(place).to[i];
      for (size_t k = 0; k < at(place).values.size(); ++k) add(to, at(place).values[k]);
      if (at(place).is_tuple) mark_tuple(to);
      if (at(place).fields.empty()) continue;
      const std::vector<Field> fields = at(place).fields;
      for (const Field& one : fields) flow(one.place, field(to, one.number));
    }
  }
}

}  // namespace tilewright::front::cutile
