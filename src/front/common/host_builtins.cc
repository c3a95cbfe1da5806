// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/common/host_builtins.h"

#include <string>

namespace tilewright::front {

Val builtin_of_host(std::string_view name) { return foreign_val("the Python builtin `" + std::string(name) + "`"); }

std::optional<Val> host_builtin(std::string_view name) {
  for (const std::string_view host : {"sum",
                                      "pow",
                                      "round",
                                      "isinstance",
                                      "type",
                                      "list",
                                      "dict",
                                      "zip",
                                      "enumerate",
                                      "map",
                                      "open",
                                      "set",
                                      "sorted",
                                      "any",
                                      "all",
                                      "filter",
                                      "hasattr",
                                      "getattr",
                                      "reversed",
                                      "object",
                                      "complex",
                                      "bytes",
                                      "id",
                                      "input",
                                      "iter",
                                      "next",
                                      "super",
                                      "vars",
                                      "ValueError",
                                      "TypeError",
                                      "RuntimeError",
                                      "Exception",
                                      "NotImplementedError",
                                      "AssertionError",
                                      "property",
                                      "staticmethod",
                                      "classmethod",
                                      "slice"}) {
    if (name == host) return builtin_of_host(name);
  }
  return std::nullopt;
}

}  // namespace tilewright::front
