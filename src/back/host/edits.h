// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Edits of a file that may lie in one another: a launch is rewritten as a whole, out of parts that are edited themselves. The
// outer one is made last and asks for its parts as they are to be.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/file.h"
#include "source/span.h"

namespace tilewright::back::host {

class Edits {
 public:
  Edits(source::FileId file, std::string_view text) : file_(file), text_(text) {}

  // Takes the place of all edits inside of the span.
  void replace(source::Span span, std::string text);
  void remove(source::Span span) { replace(span, {}); }
  // Several insertions at one place keep their order.
  void insert(uint32_t at, std::string text);

  // The span's text with the edits inside of it.
  std::string render(source::Span span) const;
  // Whether the text at a place is replaced or gone.
  bool covers(source::Span span) const;
  // Whether exactly the span is replaced.
  bool has(source::Span span) const;
  // Whether an edit inside of the span has several lines, or one reaches out of it.
  bool crosses(source::Span span) const;
  bool empty() const { return edits_.empty(); }
  std::vector<source::Edit> take();  // all of them; none is left

 private:
  // Where an edit begins, and what comes first of those that begin there: insertions by their number, then a replacement.
  using Key = std::pair<uint32_t, uint32_t>;
  static constexpr uint32_t replacement = ~uint32_t{0};

  source::FileId file_;
  std::string_view text_;
  std::map<Key, source::Edit> edits_;
  uint32_t next_ = 0;
};

}  // namespace tilewright::back::host
