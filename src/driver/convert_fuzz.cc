// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever is converted: no bug of ours, the same bytes twice, and the output is Python in which nothing is left to convert.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/check.h"
#include "driver/session.h"
#include "syntax/parse.h"

using namespace tilewright;

static void demand(bool holds, const std::string& wrong) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}

static driver::Conversion convert(const std::string& text, driver::Numerics numerics) {
  try {
    return driver::convert("fuzz/input.py", text, {.numerics = numerics, .style = {}});
  } catch (const InternalError& error) {
    demand(false, std::string("a bug of ours: ") + error.what());
    throw;
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto numerics = size % 2 == 0 ? driver::Numerics::Default : driver::Numerics::Strict;
  const driver::Conversion once = convert(text, numerics);
  for (const diag::Diagnostic& one : once.diagnostics) {
    const bool placed =
        one.span.file && one.span.begin <= one.span.end && one.span.end <= once.files[one.span.file].text().size();
    demand(placed || one.severity == diag::Severity::Note, std::string(one.code) + " has no place");
  }
  demand(convert(text, numerics).text == once.text, "converted twice, it differs");
  demand((once.status == driver::Status::Refused) == (once.text.empty() && !text.empty()), "the status does not fit the text");
  if (once.status == driver::Status::Unchanged) demand(once.text == text, "unchanged, but not the same bytes");
  if (once.status != driver::Status::Converted && once.status != driver::Status::Partly) return 0;
  const syntax::Tree tree = syntax::parse({}, once.text);
  demand(tree.ok(), tree.ok() ? "" : "the output has an error: " + tree.errors().front().message + "\n" + once.text);
  const bool keeps = std::any_of(once.kernels.begin(), once.kernels.end(),
                                 [](const driver::Kernel& kernel) { return kernel.status != driver::Status::Converted; });
  if (once.status != driver::Status::Converted || keeps) return 0;
  const driver::Conversion again = convert(once.text, numerics);
  demand(again.status == driver::Status::Unchanged, "the output is to be converted again\n" + once.text);
  return 0;
}
