// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "diag/json.h"

namespace tilewright::diag {

static std::string word(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
  }
  return {};
}

static Json point(const source::File& file, uint32_t offset) {
  const auto at = file.position(offset);
  return {Json::Object{{"line", {int64_t{at.line}}}, {"column", {int64_t{at.column}}}, {"offset", {int64_t{offset}}}}};
}

static Json range(const source::Files& files, source::FileId home, source::Span span) {
  if (!span.file) return {};
  const auto& file = files[span.file];
  Json::Object out{{"start", point(file, span.begin)}, {"end", point(file, span.end)}};
  if (span.file != home) out.emplace_back("path", Json{file.path()});
  return {std::move(out)};
}

Json to_json(const source::Files& files, source::FileId home, const Diagnostic& d) {
  Json::Array notes;
  for (const Label& label : d.labels) {
    notes.push_back({Json::Object{{"message", {label.text}}, {"span", range(files, home, label.span)}}});
  }
  for (const std::string& note : d.notes) notes.push_back({Json::Object{{"message", {note}}}});
  return {Json::Object{
      {"code", {std::string(d.code)}},
      {"severity", {word(d.severity)}},
      {"message", {d.message}},
      {"span", range(files, home, d.span)},
      {"notes", {std::move(notes)}},
      {"fix", {nullptr}},
  }};
}

}  // namespace tilewright::diag
