// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/modules.h"

#include <algorithm>
#include <filesystem>

#include "syntax/parse.h"

namespace tilewright::driver {

namespace fs = std::filesystem;

static bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

static std::optional<std::string> module_in(fs::path folder, std::string_view module) {
  for (auto rest = module; !rest.empty();) {
    const auto dot = std::min(rest.find('.'), rest.size());
    folder /= rest.substr(0, dot);
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  if (const fs::path package = folder / "__init__.py"; is_file(package)) return package.string();
  if (module.empty()) return std::nullopt;
  folder += ".py";
  if (is_file(folder)) return folder.string();
  return std::nullopt;
}

// Where the outermost package of a folder lies.
static fs::path root_of(fs::path folder) {
  std::error_code error;
  if (folder.empty()) folder = ".";
  fs::path full = fs::absolute(folder, error).lexically_normal();
  if (!full.has_filename()) full = full.parent_path();  // "/a/b/" for "/a/b/."
  while (is_file(full / "__init__.py") && full != full.parent_path()) {
    full = full.parent_path();
    folder /= "..";
  }
  return folder;
}

std::optional<std::string> find_module(const std::string& file, uint32_t level, std::string_view module) {
  if (!is_file(file)) return std::nullopt;  // standard input, or a text without a place
  fs::path folder = fs::path(file).parent_path();
  if (level == 0) folder = root_of(folder);
  for (uint32_t up = 1; up < level; ++up) folder /= "..";
  const auto found = module_in(folder, module);
  if (!found) return std::nullopt;
  return fs::path(*found).lexically_normal().string();
}

const syntax::Tree& Modules::parse(source::FileId file, syntax::Checks checks) {
  auto tree = std::make_unique<syntax::Tree>(syntax::parse(file, files_[file].text(), {.checks = checks}));
  return *trees_.emplace(file, std::move(tree)).first->second;
}

void Modules::let_go(size_t ops) {
  for (auto& [file, tree] : trees_) {
    const size_t size = files_[file].text().size();
    // Of a short text it is little memory, and to parse it again would be a twentieth of its conversion.
    const bool is_long = size > size_t{1} << 20;
    // A byte of text is nine of its tree, an op and what is decided of it 160: with fewer there is no room to be made.
    const bool is_in_the_way = ops > size / 32;
    if (is_long && is_in_the_way) tree->let_go();
  }
}

void Modules::bring_back() {
  for (auto& [file, tree] : trees_) {
    if (tree->node_count() == 0) tree->take_back(syntax::parse(file, files_[file].text(), {.checks = syntax::Checks::Syntax}));
  }
}

const syntax::Tree* Modules::import(source::FileId from, uint32_t level, std::string_view module) {
  const auto path = find_module(files_[from].path(), level, module);
  if (!path) return nullptr;
  const auto [entry, fresh] = known_.emplace(*path, nullptr);
  if (!fresh) return entry->second;
  auto text = source::read_bytes(*path);
  if (!text) return nullptr;
  const syntax::Tree& tree = parse(files_.add(source::File(*path, std::move(*text))), syntax::Checks::Syntax);
  if (tree.ok()) entry->second = &tree;
  return entry->second;
}

std::vector<const syntax::Tree*> Modules::trees() const {
  std::vector<const syntax::Tree*> out(files_.size(), nullptr);
  for (const auto& [file, tree] : trees_) out[file.index] = tree.get();
  return out;
}

}  // namespace tilewright::driver
