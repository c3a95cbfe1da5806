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
  const auto width = static_cast<int64_t>(bytes_of(array.dtype));
  regions_.push_back({.begin = array.base + array.first * width,
                      .end = array.base + (array.last + 1) * width,
                      .width = static_cast<size_t>(width),
                      .elements = {}});
}

std::optional<Race> Races::touch(int64_t program, const std::byte* address, Touch touch) {
  if (touch == Touch::Keep) return std::nullopt;
  const auto above = std::upper_bound(regions_.begin(), regions_.end(), address,
                                      [](const std::byte* at, const Region& region) { return at < region.begin; });
  Region& region = *std::prev(above);
  Element& element = region.elements[static_cast<size_t>(address - region.begin) / region.width];
  const auto me = static_cast<uint32_t>(program);
  const auto is_other = [&](uint32_t who) { return who != nobody && who != me; };
  std::optional<Race> race;
  if (is_other(element.writer) && !(touch == Touch::Atomic && element.by_atomic)) {
    race = Race{.other = element.writer, .touch = element.by_atomic ? Touch::Atomic : Touch::Change};
  } else if (touch != Touch::Read && is_other(element.reader)) {
    race = Race{.other = element.reader, .touch = Touch::Read};
  }
  if (touch == Touch::Read) {
    if (element.reader == nobody) element.reader = me;
  } else {
    element.writer = me;
    element.by_atomic = touch == Touch::Atomic;
  }
  return race;
}

}  // namespace tilewright::interp
