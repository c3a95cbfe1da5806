// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What device code can call by name: a row of a dialect's table is signature, handler, op. Signatures are the dialect's own, with
// `=` after a parameter that has a default; handlers see arguments by name and know the defaults.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "front/common/reader.h"

namespace tilewright::front {

struct Call;
using Handler = Val (*)(Reader&, const Call&);

// Where a name is looked for: among the dialect's own, Python's, or the methods of what a value is.
enum class BuiltinSet : uint8_t { Library, Python, TileMethod, ArrayMethod, ViewMethod };

struct Builtin {
  BuiltinSet set = BuiltinSet::Library;
  std::string_view name;
  std::string_view signature;
  Handler handler = nullptr;
  ir::OpKind op = ir::OpKind::Mark;
  // Within one handler: which reduction, atomic, dtype …
  uint32_t variant = 0;
};

struct BoundArgument {
  std::string_view name = {};
  std::optional<Val> value = {};  // nullopt: left at its default
  NodeId node = {};               // of the argument, or of the call
};

struct Call {
  NodeId node = {};
  const Builtin* builtin = nullptr;
  std::vector<BoundArgument> arguments = {};

  const BoundArgument& operator[](std::string_view name) const;
  bool has(std::string_view name) const { return (*this)[name].value.has_value(); }
  // Given and not None.
  bool given(std::string_view name) const { return has(name) && !(*this)[name].value->is(ValKind::None); }
  const Val& value(std::string_view name) const { return *(*this)[name].value; }
  NodeId at(std::string_view name) const { return (*this)[name].node; }
};

Val call_builtin(Reader& reader, NodeId node, const Builtin& builtin, std::vector<Argument> arguments);

}  // namespace tilewright::front
