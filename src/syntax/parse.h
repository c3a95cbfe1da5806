// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The doors of this module: text in, tree out. Parsing never fails; what is wrong is in tree.errors(), and the rest of the file
// is in the tree all the same. CPython is the judge: a tree without errors is `ast.parse`'s, and there are errors exactly when
// `compile` refuses the bytes.

#pragma once

#include <string>
#include <string_view>

#include "syntax/tree.h"

namespace tilewright::syntax {

// Syntax: what `ast.parse` refuses. Scopes: also what `compile` refuses later, such as a `return` outside of a function.
enum class Checks : uint8_t { Syntax, Scopes };

struct Options {
  Version grammar = Version::Py314;
  Checks checks = Checks::Scopes;
};

// `text` must outlive the tree.
Tree parse(source::FileId file, std::string_view text, Options options = {});
// One expression, as `eval` takes it; root() is an Expression.
Tree parse_expression(source::FileId file, std::string_view text, Options options = {});

// The tree as `ast.dump(…, include_attributes=…)` of Python 3.13 and newer prints it.
enum class Attributes : uint8_t { Omit, Include };
std::string dump(const Tree& tree, NodeId node, Attributes attributes = Attributes::Include);
inline std::string dump(const Tree& tree, Attributes attributes = Attributes::Include) {
  return dump(tree, tree.root(), attributes);
}

}  // namespace tilewright::syntax
