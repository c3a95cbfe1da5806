// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the compiler has to say, as data. Renderers (terminal, JSON) are functions of these values; the library itself never
// prints. Wording: lower case, no full stop, what was seen before what to do, code in backticks, the narrowest range.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/message.h"
#include "source/file.h"
#include "source/span.h"

namespace tilewright::diag {

enum class Severity { Error, Warning, Note };

// A second place that explains the first, with a few words of its own.
struct Label {
  source::Span span;
  std::string text;
};

struct Diagnostic {
  std::string_view code;  // from Message::code, a literal
  Severity severity = Severity::Error;
  source::Span span;
  std::string message;
  std::vector<Label> labels;
  std::vector<std::string> notes;  // what to do, what it means; no place of their own
  std::string kernel = {};         // the kernel (or helper) it is about, if any
};

template <class... Args>
Diagnostic report(Severity severity, source::Span span, const Message<Args...>& message,
                  const std::type_identity_t<Args>&... args) {
  return {.code = message.code, .severity = severity, .span = span, .message = fill(message, args...), .labels = {}, .notes = {}};
}

using Diagnostics = std::vector<Diagnostic>;

// Sorted as a reader would fix them: by file, place, severity, code; equal ones once.
void sort(Diagnostics& diagnostics);

}  // namespace tilewright::diag
