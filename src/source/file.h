// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A file as bytes, with its lines, and the edits that turn it into another text.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "source/span.h"

namespace tilewright::source {

// Lines and columns count from 1. A column counts code points (what an editor shows), not bytes.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

class File {
 public:
  File(std::string path, std::string bytes);

  const std::string& path() const { return path_; }
  std::string_view text() const { return *bytes_; }
  std::string_view text(Span span) const { return text().substr(span.begin, span.size()); }

  Position position(uint32_t offset) const;
  uint32_t line_count() const { return static_cast<uint32_t>(line_starts_.size()); }
  // The line without its line ending; `line` counts from 1.
  std::string_view line(uint32_t line) const;
  uint32_t line_start(uint32_t line) const { return line_starts_[line - 1]; }
  uint32_t line_of(uint32_t offset) const;
  // UTF-8 bytes from the start of the line, from 0: Python's `ast` col_offset (a leading byte order mark is not counted).
  uint32_t byte_column(uint32_t offset) const;

 private:
  std::string path_;
  std::shared_ptr<const std::string> bytes_;  // stays where it is when the File moves: trees look into it
  std::vector<uint32_t> line_starts_;         // \n, \r\n and \r each end a line
};

using Files = Store<FileId, File>;

// No one writes such a kernel file; generated tables are as long.
inline constexpr size_t largest_file = size_t{32} << 20;

// Reads a whole file; the reason names the path.
Result<std::string> read_bytes(const std::string& path);
Result<std::string> read_standard_input();
// Replaces `path` by `bytes` completely or not at all: writes a file beside it, then renames. What is no regular file (a device,
// a pipe) is written into.
Result<bool> write_bytes(const std::string& path, std::string_view bytes);

struct Edit {
  Span span;  // an empty span inserts
  std::string text;
};

// Applies edits that do not overlap (CHECKed); two insertions at one place keep their order.
std::string apply(std::string_view text, std::vector<Edit> edits);

}  // namespace tilewright::source
