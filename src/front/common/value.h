// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a Python expression in device code is. Numbers, tiles, arrays and dtypes are values of the program; everything else
// (tuples, None, strings, enum members, functions, modules) exists only while reading.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "source/span.h"
#include "sym/expr.h"
#include "syntax/tree.h"

namespace tilewright::front {

struct Module;
struct Builtin;

enum class ValKind : uint8_t {
  Poison,     // an error was reported already
  Ir,         // `value`: Tile, Const, DtypeConst, Array or ArrayList
  Number,     // a module constant that has no op yet: `number` or an atom, `text` is its name or empty
  Dtype,      // a dtype that has no op yet: `dtype`, `text` is its name or empty
  Parameter,  // kernel parameter `index`, of which it is not known yet whether it is an array or a number
  None,
  Ellipsis,
  String,       // `text`
  Tuple,        // `items`
  Slice,        // `items`: start, stop, step (None where absent)
  View,         // a tiled view: array `value`, extents `items`, padding `index`
  IndexSlice,   // ct.Slice: `items`: start, length
  Enum,         // member `index` of `enumeration`
  Namespace,    // a module that is not a file of the user: `text` is its dotted name; an enum class: cuda.tile.PaddingMode
  File,         // a module of the user: `module`
  Builtin,      // `builtin`
  Method,       // `builtin` bound to items[0]
  Function,     // `node` in `module`; `index` is its number in a program that is running, or 0
  Kernel,       // a ct.kernel: `text`
  Annotation,   // ct.Constant[int]: `text` is the source
  Conditional,  // items[0] if the constant `condition` holds, else items[1]
  Foreign,      // anything of the host: `text` says what
};

enum class Enumeration : uint8_t { Padding, Rounding, MemoryOrder, MemoryScope, NanRule };

struct Val {
  ValKind kind = ValKind::Poison;
  ir::ValueId value = {};
  std::optional<sym::Value> number = {};
  ir::DtypeId dtype = {};
  uint32_t index = 0;
  Enumeration enumeration = Enumeration::Padding;
  sym::ExprId condition = {};
  const Builtin* builtin = nullptr;
  Module* module = nullptr;
  syntax::NodeId node = {};
  std::string text = {};
  std::shared_ptr<const std::vector<Val>> items = {};

  bool is(ValKind k) const { return kind == k; }
  bool poison() const { return kind == ValKind::Poison; }
};

inline Val none_val() { return {.kind = ValKind::None}; }
inline Val ir_val(ir::ValueId value) { return {.kind = ValKind::Ir, .value = value}; }
inline Val tuple_val(std::vector<Val> items) {
  return {.kind = ValKind::Tuple, .items = std::make_shared<const std::vector<Val>>(std::move(items))};
}
// The value with each part that is no tuple replaced, in order.
template <class Replace>
Val with_leaves(const Val& val, Replace&& replace) {
  if (!val.is(ValKind::Tuple)) return replace(val);
  std::vector<Val> items;
  for (const Val& item : *val.items) items.push_back(with_leaves(item, replace));
  return tuple_val(std::move(items));
}
inline Val string_val(std::string text) { return {.kind = ValKind::String, .text = std::move(text)}; }
inline Val enum_val(Enumeration enumeration, uint32_t member) {
  return {.kind = ValKind::Enum, .index = member, .enumeration = enumeration};
}
inline Val number_val(sym::Value value) { return {.kind = ValKind::Number, .number = value}; }
inline Val namespace_val(std::string dotted) { return {.kind = ValKind::Namespace, .text = std::move(dotted)}; }
inline Val foreign_val(std::string what) { return {.kind = ValKind::Foreign, .text = std::move(what)}; }
inline constexpr std::string_view calculated_on_host = "a value that is calculated on the host";
inline Val calculated_val() { return foreign_val(std::string(calculated_on_host)); }
inline bool is_calculated(const Val& val) { return val.is(ValKind::Foreign) && val.text == calculated_on_host; }

// The same thing for every purpose of reading.
bool same(const Val& a, const Val& b);

}  // namespace tilewright::front
