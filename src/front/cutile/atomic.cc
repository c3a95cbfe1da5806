// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Atomics (cutile.md, 3.4).

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::ValueId;

namespace {

bool read_order_and_bounds(Reader& reader, const Call& call, ir::Attrs& attrs) {
  attrs.rare.edit().order_of_memory = ir::MemoryOrder::AcqRel;
  attrs.rare.edit().scope = ir::MemoryScope::Device;
  if (call.has("memory_order")) {
    const auto order =
        as_enum(reader, call.at("memory_order"), call.value("memory_order"), Enumeration::MemoryOrder, "the memory order");
    if (!order) return false;
    attrs.rare.edit().order_of_memory = static_cast<ir::MemoryOrder>(*order);
    if (attrs.rare->order_of_memory == ir::MemoryOrder::Weak) {
      error(reader, call.at("memory_order"), messages::bad_memory_order, "an atomic access cannot be weak");
      return false;
    }
  }
  if (call.has("memory_scope")) {
    const auto scope =
        as_enum(reader, call.at("memory_scope"), call.value("memory_scope"), Enumeration::MemoryScope, "the memory scope");
    if (!scope) return false;
    attrs.rare.edit().scope = static_cast<ir::MemoryScope>(*scope);
    if (attrs.rare->scope == ir::MemoryScope::None) {
      error(reader, call.at("memory_scope"), messages::bad_memory_order, "an atomic access needs a memory scope");
      return false;
    }
  }
  if (call.has("check_bounds")) {
    const auto check = as_known_bool(reader, call.at("check_bounds"), call.value("check_bounds"), "`check_bounds`");
    if (!check) return false;
    if (!*check) attrs.rare.edit().bounds = ir::Bounds::Never;
  }
  return true;
}

}  // namespace

// Which dtypes hardware can do it on; compare-and-swap is like an exchange.
bool check_atomic_dtype(Reader& reader, const Call& call, ir::DtypeId dtype, ir::Atomic atomic) {
  const auto scalar = reader.types().scalar_of(dtype);
  if (!scalar) return true;
  const ir::ScalarClass kind = ir::class_of(*scalar);
  const bool wide = ir::bits_of(*scalar) >= 32;
  const bool integer = (kind == ir::ScalarClass::Signed || kind == ir::ScalarClass::Unsigned) && wide;
  const bool real = kind == ir::ScalarClass::Float && wide;
  bool allowed = integer;
  if (atomic == ir::Atomic::Exchange)
    allowed = integer || real;
  else if (atomic == ir::Atomic::Add)
    allowed = integer || kind == ir::ScalarClass::Float;
  if (allowed) return true;
  error(reader, call.node, messages::bad_atomic,
        "`" + std::string(call.builtin->name) + "` has no form for " + ir::name_of(*scalar));
  return false;
}

Val read_atomic_rmw(Reader& reader, const Call& call) {
  const auto array =
      as_array(reader, call.at("array"), call.value("array"), "the first argument of `" + std::string(call.builtin->name) + "`");
  if (!array) return {};
  const auto index = element_index(reader, call.at("indices"), call.value("indices"), *array);
  const auto update = as_number(reader, call.at("update"), call.value("update"), "the update");
  if (!index || !update || !fits(reader, call.at("update"), *update, index->shape)) return {};
  const ir::DtypeId dtype = type_of(reader, *array).dtype;
  ir::Attrs attrs;
  attrs.rare.edit().atomic = static_cast<ir::Atomic>(call.builtin->variant);
  attrs.rank = static_cast<uint32_t>(index->values.size());
  if (!read_order_and_bounds(reader, call, attrs) || !check_atomic_dtype(reader, call, dtype, attrs.rare->atomic)) return {};
  const auto value = store_cast(reader, call.node, call.at("update"), *update, dtype, "an atomic update");
  if (!value) return {};
  std::vector<ValueId> operands{*array};
  operands.insert(operands.end(), index->values.begin(), index->values.end());
  operands.push_back(*value);
  return ir_val(emit(reader, call.node, OpKind::AtomicRmw, std::move(operands), reader.types().tile(dtype, index->shape),
                     std::move(attrs)));
}

Val read_atomic_cas(Reader& reader, const Call& call) {
  const auto array = as_array(reader, call.at("array"), call.value("array"), "the first argument of `atomic_cas`");
  if (!array) return {};
  const auto index = element_index(reader, call.at("indices"), call.value("indices"), *array);
  if (!index) return {};
  const ir::DtypeId dtype = type_of(reader, *array).dtype;
  std::vector<ValueId> operands{*array};
  operands.insert(operands.end(), index->values.begin(), index->values.end());
  for (const std::string_view name : {"expected", "desired"}) {
    const auto given = as_number(reader, call.at(name), call.value(name), "the value");
    if (!given || !fits(reader, call.at(name), *given, index->shape)) return {};
    const auto value = store_cast(reader, call.node, call.at(name), *given, dtype, "an atomic update");
    if (!value) return {};
    operands.push_back(*value);
  }
  ir::Attrs attrs;
  attrs.rank = static_cast<uint32_t>(index->values.size());
  if (!read_order_and_bounds(reader, call, attrs) || !check_atomic_dtype(reader, call, dtype, ir::Atomic::Exchange)) return {};
  return ir_val(emit(reader, call.node, OpKind::AtomicCas, std::move(operands), reader.types().tile(dtype, index->shape),
                     std::move(attrs)));
}

}  // namespace tilewright::front::cutile
