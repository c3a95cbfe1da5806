// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The contract between the printer of device code and the editor of the host part (back/host).
//
// The host decides names first (host::name gives Names), since only it knows what else the file defines and how kernels are
// launched. Then the printer turns functions into texts, and then the host places the texts in the file (host::edit).
// A text starts at column 0, its lines end in "\n", the last one has no line end.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "ir/program.h"
#include "source/span.h"

namespace tilewright::back::triton {

// Function: `def launch_k(grid, A, B):` that ends in `num_warps=4)`.
// Launcher: the kernel is a value on the host. The text has a last parameter `num_warps=None`, and its call ends in
// `num_warps=num_warps or 4)`; parentheses around the default if it needs them. The host puts `@Launcher` above it.
enum class LaunchForm : uint8_t { Function, Launcher };

struct LaunchName {
  std::string name;  // `launch_softmax_kernel`
  LaunchForm form = LaunchForm::Function;
};

struct ModuleName {
  source::FileId file;
  std::string name;
  friend auto operator<=>(const ModuleName&, const ModuleName&) = default;
};

// Names that mean something already. Those of a file are not copied: its text outlives the set.
class TakenNames {
 public:
  TakenNames() = default;
  explicit TakenNames(std::unordered_set<std::string_view> of_file) : of_file_(std::move(of_file)) {}

  bool contains(std::string_view name) const { return of_file_.contains(name) || made_.contains(name); }
  // Whether the name was free.
  bool insert(std::string_view name) { return !of_file_.contains(name) && made_.emplace(name).second; }

 private:
  std::unordered_set<std::string_view> of_file_;
  std::set<std::string, std::less<>> made_;
};

struct Names {
  std::map<ir::FunctionId, LaunchName> launches;            // every kernel that is to be printed
  std::map<ir::FunctionId, std::string> functions;          // kernels and helpers: the author's name, or `<name>_triton`
  std::map<ModuleName, std::string> constants;              // module constants, where the output calls them otherwise
  std::map<std::string, std::string, std::less<>> support;  // support functions (support.h) whose name the file uses otherwise
  TakenNames taken;                                         // identifiers of the file: generated names must avoid them
  std::string launcher = "Launcher";                        // the class that LaunchForm::Launcher decorates with
  uint32_t line_width = 100;
  char quote = '"';  // of strings

  std::string support_name(std::string_view name) const {
    const auto found = support.find(name);
    return found == support.end() ? std::string(name) : found->second;
  }
};

// `from module import name`, or `import module` if the name is empty. torch, triton and triton.language as tl are imported by
// the host whenever the texts mention them.
struct PrintedImport {
  std::string module;
  std::string name;
  friend auto operator<=>(const PrintedImport&, const PrintedImport&) = default;
};

struct PrintedFunction {
  ir::FunctionId function;              // of several instances that are printed once, the first
  std::string name;                     // as printed
  std::string text;                     // decorators, def and body
  std::string launch;                   // kernels: the launch function's text
  std::vector<ModuleName> constants;    // module constants that the text reads: the host binds each to a tl.constexpr
  std::vector<ir::FunctionId> helpers;  // printed functions that the text calls
  std::vector<std::string> support;     // names of `Printed::support` that the launch function calls
  std::vector<PrintedImport> imports;   // what text and launch function need
};

// A host function that launch functions share (`fits_tma`), placed behind the first launch function that calls it.
struct PrintedSupport {
  std::string name;
  std::string text;
  std::vector<PrintedImport> imports;
};

struct Printed {
  std::vector<PrintedFunction> functions;  // callees before callers; helpers of other modules included
  std::vector<PrintedSupport> support;
  std::vector<ir::FunctionId> refused;  // kernels that could not be printed; the diagnostics say why
  diag::Diagnostics diagnostics;
};

}  // namespace tilewright::back::triton
