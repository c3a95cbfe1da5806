// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/races.h"

#include <algorithm>

namespace tilewright::interp {

Races::Races(const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    if (const auto* array = std::get_if<Array>(&argument)) add(*array);
    if (const auto* list = std::get_if<ArrayList>(&argument)) {
      for (const Array& array : *list) add(array);
    }
  }
  std::sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) { return a.begin < b.begin; });
  std::vector<Region> apart;
  for (Region& region : regions_) {
    if (apart.empty() || apart.back().end <= region.begin) {
      apart.push_back(std::move(region));
      continue;
    }
    apart.back().end = std::max(apart.back().end, region.end);
    apart.back().width = std::min(apart.back().width, region.width);
  }
  regions_ = std::move(apart);
  for (Region& region : regions_) {
    region.elements.resize(static_cast<size_t>(region.end - region.begin) / region.width);
  }
}

void Races::add(const Array& array) {
  if (array.last < array.first) return;
  const auto width = static_cast<int64_t>(array.width());
  regions_.push_back({.begin = array.base + array.first * width,
                      .end = array.base + (array.last + 1) * width,
                      .width = static_cast<size_t>(width),
                      .elements = {}});
}

std::optional<Race> Races::touch(int64_t program, const std::byte* address, Touch touch) {
  const auto above = std::upper_bound(regions_.begin(), regions_.end(), address,
                                      [](const std::byte* at, const Region& region) { return at < region.begin; });
  Region& region = *std::prev(above);
  Element& element = region.elements[static_cast<size_t>(address - region.begin) / region.width];
  const auto me = static_cast<uint32_t>(program);
  const auto is_other = [&](uint32_t who) { return who != nobody && who != me; };
  const bool agrees_with_writer = element.by_atomic ? touch == Touch::Atomic : touch == Touch::Keep;
  const bool is_update = touch == Touch::Change || touch == Touch::Atomic;
  std::optional<Race> race;
  if (is_other(element.writer) && !agrees_with_writer) {
    race = Race{.other = element.writer, .touch = element.by_atomic ? Touch::Atomic : Touch::Change};
  } else if (is_update && is_other(element.keeper)) {
    race = Race{.other = element.keeper, .touch = Touch::Keep};
  } else if (is_update && is_other(element.reader)) {
    race = Race{.other = element.reader, .touch = Touch::Read};
  }
  if (is_update) {
    element.writer = me;
    element.by_atomic = touch == Touch::Atomic;
  } else {
    uint32_t& first = touch == Touch::Read ? element.reader : element.keeper;
    if (first == nobody) first = me;
  }
  return race;
}

}  // namespace tilewright::interp
