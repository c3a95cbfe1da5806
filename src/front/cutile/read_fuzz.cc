// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever Python is read as cuTile: no crash, no endless loop, each error lies in the text, and the program is one that keeps to
// the IR's rules and whose text reads back.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "front/cutile/host.h"
#include "front/cutile/read.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "syntax/parse.h"

using namespace tilewright;

static void demand(bool holds, const std::string& wrong) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const syntax::Tree tree = syntax::parse(source::FileId{0}, text);
  if (!tree.ok()) return 0;
  const front::cutile::HostReading host = front::cutile::read_host(tree);
  const auto nothing = [](const front::ImportRequest&) -> const syntax::Tree* { return nullptr; };
  const front::ReadResult device = front::cutile::read(tree, nothing);
  for (const diag::Diagnostics* all : {&host.diagnostics, &device.diagnostics}) {
    for (const diag::Diagnostic& one : *all) {
      demand(one.span.begin <= one.span.end && one.span.end <= text.size(), std::string(one.code) + " lies outside of the text");
      demand(!one.code.empty() && !one.message.empty(), "a diagnostic without words");
    }
  }
  const auto violations = ir::verify(device.program);
  demand(violations.empty(), ir::text(violations));
  const std::string printed = ir::text(device.program, ir::Places::Omit);
  const Result<ir::Program> again = ir::parse(printed);
  demand(again.ok(), again.ok() ? "" : again.reason());
  demand(ir::text(*again, ir::Places::Omit) == printed, "the text of the program reads back as another one");
  return 0;
}
