// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles out of nothing (cutile.md, 3.5).

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

using ir::OpKind;
using ir::ValueId;

Val read_arange(Reader& reader, const Call& call) {
  const auto size = as_extent(reader, call.at("size"), call.value("size"));
  const auto dtype = as_dtype(reader, call.at("dtype"), call.value("dtype"), "the argument `dtype`");
  if (!size || !dtype) return {};
  ir::Attrs attrs;
  attrs.dtype = *dtype;
  const ir::TypeId type = reader.types().tile(*dtype, {type_of(reader, *size).value});
  Val result = ir_val(emit(reader, call.node, OpKind::Iota, {*size}, type, attrs));
  // start + step * (0, 1, …), in the dtype of the result
  for (const auto& [name, op] : {std::pair{"step", OpKind::Mul}, std::pair{"start", OpKind::Add}}) {
    if (!call.has(name)) continue;
    const auto value = as_scalar(reader, call.at(name), call.value(name), "`" + std::string(name) + "` of `arange`");
    if (!value) return {};
    const ValueId converted = is_const(reader, *value) && class_of(reader, *value) == reader.types().class_of(*dtype)
                                  ? *value
                                  : explicit_cast(reader, call.at(name), *value, *dtype);
    result = ir_val(emit(reader, call.node, op, {result.value, converted}, type, attrs));
  }
  return result;
}

namespace {

Val fill(Reader& reader, const Call& call, const Extents& extents, ValueId value, ir::DtypeId dtype, ir::Spelling spelling) {
  ir::Attrs attrs;
  attrs.dtype = dtype;
  attrs.spelling = spelling;
  if (extents.shape.empty()) return ir_val(explicit_cast(reader, call.node, value, dtype, std::move(attrs)));
  attrs.rank = static_cast<uint32_t>(extents.shape.size());
  std::vector<ValueId> operands = extents.values;
  operands.push_back(implicit_cast(reader, call.node, value, dtype));
  return ir_val(
      emit(reader, call.node, OpKind::Full, std::move(operands), reader.types().tile(dtype, extents.shape), std::move(attrs)));
}

}  // namespace

Val read_full(Reader& reader, const Call& call) {
  const auto extents = as_shape(reader, call.at("shape"), call.value("shape"), IntForm::Allowed);
  const auto value = as_scalar(reader, call.at("fill_value"), call.value("fill_value"), "the fill value");
  const auto dtype = as_dtype(reader, call.at("dtype"), call.value("dtype"), "the argument `dtype`");
  if (!extents || !value || !dtype) return {};
  return fill(reader, call, *extents, *value, *dtype, ir::Spelling::Full);
}

Val read_zeros_ones(Reader& reader, const Call& call) {
  const auto extents = as_shape(reader, call.at("shape"), call.value("shape"), IntForm::Allowed);
  const auto dtype = as_dtype(reader, call.at("dtype"), call.value("dtype"), "the argument `dtype`");
  if (!extents || !dtype) return {};
  const ValueId value = integer(reader, call.node, call.builtin->variant);
  return fill(reader, call, *extents, value, *dtype, call.builtin->variant == 0 ? ir::Spelling::Zeros : ir::Spelling::Ones);
}

}  // namespace tilewright::front::cutile
