// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A file's module-level names: imports, functions, constants, aliases. What device code may read of them is evaluated on demand,
// without running anything: numbers and arithmetic of them, dtypes, enum members, tuples. The rest is Foreign.

#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "front/common/value.h"
#include "syntax/tree.h"

namespace tilewright::front {

struct Reader;

struct Global {
  enum class Kind : uint8_t { Import, ImportFrom, Function, Class, Assign, Ambiguous };
  Kind kind = Kind::Ambiguous;
  syntax::NodeId node = {};          // the statement that binds it
  syntax::NodeId value = {};         // Assign: the expression
  std::string dotted = {};           // imports: the module
  std::string attribute = {};        // ImportFrom: the name in it
  uint32_t level = 0;                // ImportFrom: leading dots
  std::vector<Global> imports = {};  // Ambiguous: all that bind it, if these are imports
  enum class State : uint8_t { Unread, Reading, Read };
  State state = State::Unread;
  Val val = {};
};

struct Module {
  const syntax::Tree* tree = nullptr;
  bool is_main = false;
  std::unordered_map<std::string_view, Global> globals = {};
  std::vector<std::string_view> order = {};              // names of the globals, as first bound
  std::unordered_set<std::string_view> reassigned = {};  // by `global x` in some function
};

// The modules that were looked at, each once.
class Modules {
 public:
  Module& of(const syntax::Tree& tree);
  Module& main() { return modules_.front(); }  // of the file that is read
  const std::deque<Module>& all() const { return modules_; }

 private:
  std::deque<Module> modules_;
};

// A library whose names mean something to device code, or that is not looked for among the user's files.
bool is_known_package(std::string_view dotted);
// The value of a module-level name; Foreign if it is nothing that device code can read; nullopt if there is no such name.
std::optional<Val> global_value(Reader& reader, Module& module, std::string_view name);
// A module-level expression.
Val evaluate(Reader& reader, Module& module, syntax::NodeId node, uint32_t depth = 0);
// The limit of nesting to which module-level statements and expressions are looked into.
inline constexpr uint32_t evaluation_limit = 200;
// What kind of number an expression gives whose value is not known: `int(os.environ[…])`.
Val unknown_number(Module& module, syntax::NodeId node);
// The value of an attribute of a user's module.
std::optional<Val> file_attribute(Reader& reader, Module& module, std::string_view name);

// What a def stands in; in a class of a function, in the function.
enum class Inside : uint8_t { Module, Class, Function };
// Visits every def of the module that may be a kernel, nested ones too, in source order.
void each_function(const syntax::Tree& tree, const std::function<void(syntax::NodeId node, Inside inside)>& visit);

}  // namespace tilewright::front
