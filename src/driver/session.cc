// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/session.h"

#include "syntax/parse.h"

namespace tilewright::driver {

Conversion convert(std::string path, std::string text, const Options&) {
  Conversion out;
  out.main = out.files.add(source::File(std::move(path), std::move(text)));
  const syntax::Tree tree = syntax::parse(out.main, out.files[out.main].text());
  out.diagnostics = tree.errors();
  diag::sort(out.diagnostics);
  if (!tree.ok()) return out;
  out.status = Status::Unchanged;
  out.text = out.files[out.main].text();
  return out;
}

Dump dump(std::string path, std::string text, Stage stage) {
  Dump out;
  const auto file = out.files.add(source::File(std::move(path), std::move(text)));
  const syntax::Tree tree = syntax::parse(file, out.files[file].text());
  out.diagnostics = tree.errors();
  diag::sort(out.diagnostics);
  switch (stage) {
    case Stage::Tree: out.text = syntax::dump(tree) + "\n"; break;
  }
  return out;
}

}  // namespace tilewright::driver
