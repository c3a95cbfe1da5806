// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/lift.h"

#include <algorithm>
#include <cstring>

#include "interp/walk.h"

namespace tilewright::interp {

LiftedArguments::LiftedArguments(const Field& field, const std::vector<Argument>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (const auto* array = std::get_if<Array>(&arguments[i])) add(*array, i);
    if (const auto* list = std::get_if<ArrayList>(&arguments[i])) {
      for (const Array& array : *list) add(array, i);
    }
  }
  unite();
  if (mixed_) return;
  for (Region& region : regions_) fill(region, field);
  for (const Argument& argument : arguments) {
    if (const auto* array = std::get_if<Array>(&argument)) {
      arguments_.emplace_back(lifted(*array));
    } else if (const auto* list = std::get_if<ArrayList>(&argument)) {
      ArrayList out;
      for (const Array& item : *list) out.push_back(lifted(item));
      arguments_.emplace_back(std::move(out));
    } else {
      arguments_.push_back(argument);
    }
  }
}

void LiftedArguments::add(const Array& array, size_t argument) {
  if (array.last < array.first) return;
  const auto width = static_cast<int64_t>(bytes_of(array.dtype));
  regions_.push_back({.begin = array.base + array.first * width,
                      .end = array.base + (array.last + 1) * width,
                      .dtype = array.dtype,
                      .argument = argument,
                      .kept = ir::class_of(array.dtype) >= ir::ScalarClass::Float ? Kept::Real : Kept::Bits});
  if (array.unwritten) {
    const uint8_t* marks = array.unwritten + array.first * width;
    regions_.back().unwritten.assign(marks, marks + (regions_.back().end - regions_.back().begin));
  }
}

void LiftedArguments::unite() {
  std::sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) { return a.begin < b.begin; });
  std::vector<Region> apart;
  for (Region& region : regions_) {
    if (apart.empty() || apart.back().end <= region.begin) {
      apart.push_back(std::move(region));
      continue;
    }
    Region& last = apart.back();
    const bool is_alike =
        last.dtype == region.dtype && (region.begin - last.begin) % static_cast<int64_t>(bytes_of(last.dtype)) == 0;
    if (!is_alike) mixed_ = std::min(mixed_.value_or(region.argument), region.argument);
    const auto offset = static_cast<size_t>(region.begin - last.begin);
    last.end = std::max(last.end, region.end);
    if (last.unwritten.empty() && region.unwritten.empty()) continue;
    last.unwritten.resize(static_cast<size_t>(last.end - last.begin));
    std::copy(region.unwritten.begin(), region.unwritten.end(), last.unwritten.begin() + static_cast<ptrdiff_t>(offset));
  }
  regions_ = std::move(apart);
}

void LiftedArguments::fill(Region& region, const Field& field) {
  if (region.kept == Kept::Bits) {
    region.bytes.assign(region.begin, region.end);
    return;
  }
  region.reals.resize(static_cast<size_t>(region.end - region.begin) / bytes_of(region.dtype));
  with_element(region.dtype, [&](auto element) {
    using Element = decltype(element);
    for (size_t i = 0; i < region.reals.size(); ++i) {
      typename Element::Stored bits;
      std::memcpy(&bits, region.begin + i * sizeof bits, sizeof bits);
      region.reals[i] = field.of(static_cast<double>(Element::decode(bits)));
    }
  });
}

Array LiftedArguments::lifted(const Array& array) {
  Array out = array;
  if (array.last < array.first) {
    out.unwritten = nullptr;
    return out;
  }
  const auto above =
      std::upper_bound(regions_.begin(), regions_.end(), array.base + array.first * static_cast<int64_t>(array.width()),
                       [](const std::byte* at, const Region& region) { return at < region.begin; });
  Region& region = *std::prev(above);
  const int64_t offset = array.base - region.begin;  // in bytes; of the element at the base, which the region need not hold
  out.kept = region.kept;
  out.base = region.data() + offset / static_cast<int64_t>(bytes_of(array.dtype)) * static_cast<int64_t>(out.width());
  out.unwritten = region.unwritten.empty() ? nullptr : region.unwritten.data() + offset;
  return out;
}

template <class T, class Visit>
static void each_element(const Array& array, Visit&& visit) {
  each_row(array.extents, array.strides, [&](int64_t offset, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i) visit(*(reinterpret_cast<const T*>(array.base) + offset + i * step));
  });
}

std::vector<Real> reals_of(const Array& array) {
  std::vector<Real> out;
  if (array.kept == Kept::Real) each_element<Real>(array, [&](const Real& element) { out.push_back(element); });
  return out;
}

std::vector<std::byte> bytes_of(const Array& array) {
  std::vector<std::byte> out;
  with_bits(bytes_of(array.dtype), [&](auto bits) {
    using T = decltype(bits);
    each_element<T>(array, [&](T element) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&element);
      out.insert(out.end(), bytes, bytes + sizeof element);
    });
  });
  return out;
}

}  // namespace tilewright::interp
