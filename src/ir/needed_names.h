// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Names that a converted file says of itself, and that have to mean there what they mean in Python.

#pragma once

#include <algorithm>
#include <string_view>

namespace tilewright::ir {

struct NeededName {
  std::string_view name;
  std::string_view path;   // what it has to mean
  bool in_launch = false;  // beside a kernel's parameters, none of which may be called so
  bool in_kernel = false;  // beside a kernel's own names: one that is called so is renamed
};

inline constexpr NeededName needed_names[] = {
    {"torch", "torch", true, false},
    {"triton", "triton", true, true},
    {"tl", "triton.language", false, true},
    {"Exception", "builtins.Exception"},
    {"TimeoutError", "builtins.TimeoutError"},
    {"TypeError", "builtins.TypeError", true, false},
    {"ValueError", "builtins.ValueError", true, false},
    {"any", "builtins.any"},
    {"dict", "builtins.dict"},
    {"float", "builtins.float", false, true},
    {"getattr", "builtins.getattr"},
    {"isinstance", "builtins.isinstance"},
    {"len", "builtins.len", true, false},
    {"list", "builtins.list"},
    {"map", "builtins.map"},
    {"max", "builtins.max", true, false},
    {"min", "builtins.min", true, false},
    {"print", "builtins.print"},
    {"range", "builtins.range", false, true},
    {"str", "builtins.str"},
    {"sum", "builtins.sum"},
    {"type", "builtins.type"},
};

// nullptr if the name is free.
inline const NeededName* needed(std::string_view name) {
  const auto* found = std::find_if(std::begin(needed_names), std::end(needed_names),
                                   [&](const NeededName& needed) { return needed.name == name; });
  return found == std::end(needed_names) ? nullptr : found;
}

}  // namespace tilewright::ir
