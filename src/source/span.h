// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <compare>
#include <cstdint>

#include "base/ids.h"

namespace tilewright::source {

struct FileTag;
using FileId = Id<FileTag>;

// Bytes [begin, end) of one file. An empty span is a position.
struct Span {
  FileId file;
  uint32_t begin = 0;
  uint32_t end = 0;

  constexpr uint32_t size() const { return end - begin; }
  constexpr bool contains(const Span& other) const { return file == other.file && begin <= other.begin && other.end <= end; }
  // Smallest span that covers both.
  constexpr Span to(const Span& other) const {
    return {file, begin < other.begin ? begin : other.begin, end > other.end ? end : other.end};
  }
  friend constexpr auto operator<=>(const Span&, const Span&) = default;
};

}  // namespace tilewright::source
