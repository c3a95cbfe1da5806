// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A helper of another module brings its module's constants along: as text, if that means the same in another file.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "syntax/tree.h"

namespace tilewright::back::host {

struct ConstantText {
  std::string text;
  bool uses_math = false;  // the module `math`
};

// The expression that a module assigns to a name, if it is made of literals, `math` and other such constants.
std::optional<ConstantText> constant_text(const syntax::Tree& module, std::string_view name);

}  // namespace tilewright::back::host
