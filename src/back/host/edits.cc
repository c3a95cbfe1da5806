// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/host/edits.h"

#include "base/check.h"

namespace tilewright::back::host {

void Edits::replace(source::Span span, std::string text) {
  TW_CHECK(span.file == file_ && span.size() > 0 && span.end <= text_.size(), "a replacement without a place");
  for (auto at = edits_.lower_bound({span.begin, 0}); at != edits_.end() && at->first.first < span.end;) {
    const source::Span& inner = at->second.span;
    // An insertion at the very start stays before what replaces the text behind it.
    if (at->first.first == span.begin && inner.size() == 0) {
      ++at;
      continue;
    }
    TW_CHECK(inner.end <= span.end, "two edits cross");
    at = edits_.erase(at);
  }
  edits_.insert_or_assign({span.begin, replacement}, source::Edit{.span = span, .text = std::move(text)});
}

void Edits::insert(uint32_t at, std::string text) {
  edits_.emplace(Key{at, next_++}, source::Edit{.span = {file_, at, at}, .text = std::move(text)});
}

std::string Edits::render(source::Span span) const {
  std::string out;
  uint32_t from = span.begin;
  for (auto at = edits_.lower_bound({span.begin, 0}); at != edits_.end() && at->first.first < span.end; ++at) {
    const source::Edit& edit = at->second;
    if (edit.span.end > span.end) continue;
    if (edit.span.begin == span.begin && edit.span.size() == 0) continue;  // belongs to what stands before
    out.append(text_.substr(from, edit.span.begin - from)).append(edit.text);
    from = edit.span.end;
  }
  return out.append(text_.substr(from, span.end - from));
}

bool Edits::covers(source::Span span) const {
  auto at = edits_.upper_bound({span.begin, replacement});
  while (at != edits_.begin()) {
    --at;
    if (at->second.span.size() > 0) return at->second.span.begin <= span.begin && span.end <= at->second.span.end;
  }
  return false;
}

bool Edits::has(source::Span span) const {
  const auto found = edits_.find({span.begin, replacement});
  return found != edits_.end() && found->second.span == span;
}

bool Edits::crosses(source::Span span) const {
  if (covers(span)) return true;
  auto at = edits_.lower_bound({span.begin, 0});
  if (at != edits_.begin()) --at;  // it may reach into the span
  for (; at != edits_.end() && at->first.first < span.end; ++at) {
    const source::Edit& edit = at->second;
    if (edit.span.end <= span.begin) continue;
    if (!span.contains(edit.span) || edit.text.find_first_of("\r\n") != std::string::npos) return true;
  }
  return false;
}

std::vector<source::Edit> Edits::take() {
  std::vector<source::Edit> out;
  out.reserve(edits_.size());
  for (auto& [key, edit] : edits_) out.push_back(std::move(edit));
  edits_.clear();
  return out;
}

}  // namespace tilewright::back::host
