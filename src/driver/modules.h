// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of an import, found as Python finds it but without Python: relative imports from the file's own folder, absolute ones
// from the folder that holds its package (or, for a file in no package, from its own folder). What is installed elsewhere is not
// looked for: whose code it is cannot be told from here.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/file.h"
#include "syntax/parse.h"
#include "syntax/tree.h"

namespace tilewright::driver {

// `from ..a.b import f` in `file`: level 2, module "a.b". The file's path as seen from where `file`'s own path is.
std::optional<std::string> find_module(const std::string& file, uint32_t level, std::string_view module);

// The trees of a file and of the modules that it imports from; each is read once and lives as long as this.
class Modules {
 public:
  explicit Modules(source::Files& files) : files_(files) {}

  const syntax::Tree& parse(source::FileId file, syntax::Checks checks = syntax::Checks::Scopes);
  // Null where there is no such file, it cannot be read or it is no Python.
  const syntax::Tree* import(source::FileId from, uint32_t level, std::string_view module);
  // By number of the file; null for none.
  std::vector<const syntax::Tree*> trees() const;

  // The trees of long texts are without nodes until `bring_back`, which parses them again; not those of a program of few ops.
  void let_go(size_t ops);
  void bring_back();

 private:
  source::Files& files_;
  std::map<source::FileId, std::unique_ptr<syntax::Tree>> trees_;
  std::map<std::string, const syntax::Tree*> known_;  // by path
};

}  // namespace tilewright::driver
