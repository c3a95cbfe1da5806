// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory through pointers: loads, stores, atomics.

#include <algorithm>

#include "front/triton/builtins.h"
#include "front/triton/windows.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::ValueId;

namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return text.empty() || std::find(words.begin(), words.end(), text) != words.end();
}

// Cache modifier, eviction policy and volatility, as the author wrote them: they change no value.
bool read_cache_hints(Reader& reader, const Call& call, bool loads, ir::Attrs& attrs) {
  const auto cache = as_string(reader, call, "cache_modifier");
  const auto eviction = as_string(reader, call, "eviction_policy");
  if (!cache || !eviction) return false;
  const bool good = loads ? is_one_of(*cache, {".ca", ".cg", ".cv", ".cs"}) : is_one_of(*cache, {".wb", ".cg", ".cs", ".wt"});
  if (!good) {
    error(reader, call.at("cache_modifier"), messages::bad_option, "cache_modifier", "one that Triton has", "\"" + *cache + "\"");
    return false;
  }
  if (!is_one_of(*eviction, {"evict_first", "evict_last"})) {
    error(reader, call.at("eviction_policy"), messages::bad_option, "eviction_policy", "`evict_first` or `evict_last`",
          "\"" + *eviction + "\"");
    return false;
  }
  std::string hint = *cache;
  if (!eviction->empty()) hint.append(hint.empty() ? "" : " ").append(*eviction);
  const auto is_volatile = loads ? as_flag(reader, call, "volatile", false) : false;
  if (!is_volatile) return false;
  if (*is_volatile) hint.append(hint.empty() ? "" : " ").append("volatile");
  if (!hint.empty()) attrs.rare.edit().hint = std::move(hint);
  return true;
}

// The mask as an operand; none if there is none or it is True. False after an error.
bool read_mask(Reader& reader, const Call& call, std::optional<ValueId>& mask) {
  if (!call.given("mask")) return true;
  const Val val = materialise(reader, call.at("mask"), call.value("mask"));
  if (truth(reader, val) == true) return true;
  mask = as_mask(reader, call.at("mask"), val);
  return mask.has_value();
}

ir::DtypeId pointee(Reader& reader, ValueId pointer) { return reader.types()[type_of(reader, pointer).dtype].a; }

// What is stored: converted to the dtype that is pointed to, whatever is lost.
std::optional<ValueId> as_stored(Reader& reader, NodeId node, const Val& val, ir::DtypeId dtype, std::string_view what) {
  const auto value = as_number(reader, node, val, what);
  if (!value) return std::nullopt;
  if (is_pointer(reader, *value) && !reader.types().is_pointer(dtype)) {
    error(reader, node, messages::wrong_kind, what, "a number", describe(reader, ir_val(*value)));
    return std::nullopt;
  }
  if (is_const(reader, *value)) return as_tensor(reader, node, *value, dtype);
  return converted(reader, node, *value, dtype);
}

}  // namespace

Val read_load(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  if (!read_cache_hints(reader, call, true, attrs)) return {};
  if (const auto window = window_of(reader, call.at("pointer"), call.value("pointer")))
    return load_block(reader, call, *window, std::move(attrs));
  const auto pointer = as_pointer(reader, call.at("pointer"), call.value("pointer"), "the operand of `tl.load`");
  if (!pointer) return {};
  if (call.given("boundary_check") && !items_of(call.value("boundary_check")).empty())
    return error(reader, call.at("boundary_check"), messages::bad_shape, "`boundary_check` is for block pointers");
  std::optional<ValueId> mask;
  if (!read_mask(reader, call, mask)) return {};
  const ir::DtypeId dtype = pointee(reader, *pointer);
  std::vector<ValueId> operands{*pointer};
  Shape shape = shape_of(reader, *pointer);
  if (call.given("other")) {
    if (!call.given("mask")) return error(reader, call.at("other"), messages::bad_mask, "`other`", "given together with `mask`");
    const auto other = as_stored(reader, call.at("other"), call.value("other"), dtype, "`other`");
    if (!other) return {};
    if (mask) {
      operands.push_back(*other);
      attrs.has_padding = true;
    }
  }
  if (mask) {
    operands.push_back(*mask);
    attrs.has_mask = true;
    bool fits = true;
    shape = shape_of_both(reader, call.node, *pointer, *mask, fits);
    if (!fits) return {};
  }
  return ir_val(
      emit(reader, call.node, OpKind::PtrLoad, std::move(operands), reader.types().tile(dtype, shape), std::move(attrs)));
}

Val read_store(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  if (!read_cache_hints(reader, call, false, attrs)) return {};
  if (const auto window = window_of(reader, call.at("pointer"), call.value("pointer")))
    return store_block(reader, call, *window, std::move(attrs));
  const auto pointer = as_pointer(reader, call.at("pointer"), call.value("pointer"), "the operand of `tl.store`");
  if (!pointer) return {};
  const auto value = as_stored(reader, call.at("value"), call.value("value"), pointee(reader, *pointer), "what is stored");
  std::optional<ValueId> mask;
  if (!value || !read_mask(reader, call, mask)) return {};
  bool fits = true;
  const Shape shape = shape_of(reader, *pointer);
  for (const ValueId part : {*value, mask.value_or(*value)}) {
    if (shape_of(reader, part).size() > shape.size())
      return error(reader, call.node, messages::bad_shape,
                   "a tile of shape " + shape_text(reader, shape_of(reader, part)) + " meets addresses of shape " +
                       shape_text(reader, shape));
    shape_of_both(reader, call.node, *pointer, part, fits);
    if (!fits) return {};
  }
  std::vector<ValueId> operands{*pointer, *value};
  if (mask) operands.push_back(*mask);
  attrs.has_mask = mask.has_value();
  emit_op(reader, call.node, OpKind::PtrStore, std::move(operands), {}, std::move(attrs));
  return none_val();
}

namespace {

bool read_memory_order(Reader& reader, const Call& call, ir::Attrs& attrs) {
  const auto sem = as_string(reader, call, "sem");
  const auto scope = as_string(reader, call, "scope");
  if (!sem || !scope) return false;
  static constexpr std::pair<std::string_view, ir::MemoryOrder> orders[] = {{"", ir::MemoryOrder::AcqRel},
                                                                            {"acq_rel", ir::MemoryOrder::AcqRel},
                                                                            {"acquire", ir::MemoryOrder::Acquire},
                                                                            {"release", ir::MemoryOrder::Release},
                                                                            {"relaxed", ir::MemoryOrder::Relaxed}};
  static constexpr std::pair<std::string_view, ir::MemoryScope> scopes[] = {{"", ir::MemoryScope::Device},
                                                                            {"gpu", ir::MemoryScope::Device},
                                                                            {"cta", ir::MemoryScope::Block},
                                                                            {"sys", ir::MemoryScope::Sys}};
  bool found_order = false;
  bool found_scope = false;
  for (const auto& [word, order] : orders) {
    if (word == *sem) attrs.rare.edit().order_of_memory = order, found_order = true;
  }
  for (const auto& [word, place] : scopes) {
    if (word == *scope) attrs.rare.edit().scope = place, found_scope = true;
  }
  if (!found_order) error(reader, call.at("sem"), messages::bad_option, "sem", "a memory order", "\"" + *sem + "\"");
  if (!found_scope) error(reader, call.at("scope"), messages::bad_option, "scope", "`gpu`, `cta` or `sys`", "\"" + *scope + "\"");
  return found_order && found_scope;
}

}  // namespace

Val read_atomic(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  attrs.rare.edit().atomic = static_cast<ir::Atomic>(call.builtin->variant);
  if (!read_memory_order(reader, call, attrs)) return {};
  const std::string what = "the operand of `tl." + std::string(call.builtin->name) + "`";
  const auto pointer = as_pointer(reader, call.at("pointer"), call.value("pointer"), what);
  if (!pointer) return {};
  const ir::DtypeId dtype = pointee(reader, *pointer);
  const auto value = as_stored(reader, call.at("val"), call.value("val"), dtype, "the value");
  std::optional<ValueId> mask;
  if (!value || !read_mask(reader, call, mask)) return {};
  std::vector<ValueId> operands{*pointer, *value};
  if (mask) operands.push_back(*mask);
  attrs.has_mask = mask.has_value();
  const ir::TypeId type = reader.types().tile(dtype, shape_of(reader, *pointer));
  return ir_val(emit(reader, call.node, OpKind::PtrAtomicRmw, std::move(operands), type, std::move(attrs)));
}

Val read_atomic_cas(Reader& reader, const Call& call) {
  ir::Attrs attrs;
  if (!read_memory_order(reader, call, attrs)) return {};
  const auto pointer = as_pointer(reader, call.at("pointer"), call.value("pointer"), "the operand of `tl.atomic_cas`");
  if (!pointer) return {};
  const ir::DtypeId dtype = pointee(reader, *pointer);
  const auto expected = as_stored(reader, call.at("cmp"), call.value("cmp"), dtype, "the expected value");
  const auto desired = as_stored(reader, call.at("val"), call.value("val"), dtype, "the desired value");
  if (!expected || !desired) return {};
  const ir::TypeId type = reader.types().tile(dtype, shape_of(reader, *pointer));
  return ir_val(emit(reader, call.node, OpKind::PtrAtomicCas, {*pointer, *expected, *desired}, type, std::move(attrs)));
}

Val read_pointer_type(Reader& reader, const Call& call) {
  const auto dtype = dtype_argument(reader, call.at("element_ty"), call.value("element_ty"), "what is pointed to");
  if (!dtype) return {};
  Val val{.kind = ValKind::Dtype};
  val.dtype = reader.types().pointer(*dtype);
  return val;
}

}  // namespace tilewright::front::triton
