// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Dtypes in Triton's words. One converted kernel serves callers of several dtypes, so most of them are said by what has them:
// `X.dtype.element_ty`, `x.dtype`.

#include "back/triton/lower.h"
#include "back/triton/messages.h"

namespace tilewright::back::triton {
namespace {

const char* spelling(ir::Scalar scalar) {
  switch (scalar) {
    case ir::Scalar::Bool: return "tl.int1";
    case ir::Scalar::U8: return "tl.uint8";
    case ir::Scalar::U16: return "tl.uint16";
    case ir::Scalar::U32: return "tl.uint32";
    case ir::Scalar::U64: return "tl.uint64";
    case ir::Scalar::I8: return "tl.int8";
    case ir::Scalar::I16: return "tl.int16";
    case ir::Scalar::I32: return "tl.int32";
    case ir::Scalar::I64: return "tl.int64";
    case ir::Scalar::F16: return "tl.float16";
    case ir::Scalar::BF16: return "tl.bfloat16";
    case ir::Scalar::F32: case ir::Scalar::TF32: return "tl.float32";  // a tf32 number is a float32 that is multiplied as tf32
    case ir::Scalar::F64: return "tl.float64";
    case ir::Scalar::F8E4M3: return "tl.float8e4nv";
    case ir::Scalar::F8E5M2: return "tl.float8e5";
    case ir::Scalar::F8E8M0: case ir::Scalar::F4E2M1: return nullptr;
  }
  return nullptr;
}

}  // namespace

ir::DtypeId Lowering::plain(ir::DtypeId id) { return program_.types.simplified(id, ir::Float64::Excluded); }

void Lowering::elements_in(ir::DtypeId id, std::set<uint32_t>& out) const {
  if (!id) return;
  const ir::Dtype& dtype = program_.types[id];
  if (dtype.kind == ir::DtypeKind::Element) out.insert(dtype.index);
  elements_in(dtype.a, out);
  elements_in(dtype.b, out);
}

void Lowering::guard_float(ir::DtypeId id) { elements_in(id, out_.guards.floats); }
void Lowering::guard_not_float64(ir::DtypeId id) { elements_in(id, out_.guards.not_float64); }

bool Lowering::may_be_narrow(ir::DtypeId id) const {
  const std::optional<ir::Scalar> scalar = program_.types.scalar_of(id);
  if (scalar) return *scalar == ir::Scalar::F16 || *scalar == ir::Scalar::BF16;
  const ir::Dtype& dtype = program_.types[id];
  switch (dtype.kind) {
    case ir::DtypeKind::Known: case ir::DtypeKind::Argument: return false;  // an argument is a bool, an int32 or a float32
    case ir::DtypeKind::Element: case ir::DtypeKind::Accumulator: return true;
    case ir::DtypeKind::Promote: {
      const auto wide = [&](ir::DtypeId part) {
        const std::optional<ir::Scalar> known = program_.types.scalar_of(part);
        return known == ir::Scalar::F32 || known == ir::Scalar::F64;
      };
      return !wide(dtype.a) && !wide(dtype.b) && (may_be_narrow(dtype.a) || may_be_narrow(dtype.b));
    }
    case ir::DtypeKind::Adapt: case ir::DtypeKind::FloatOf: case ir::DtypeKind::CountOf: return may_be_narrow(dtype.a);
    case ir::DtypeKind::Select: return may_be_narrow(dtype.a) || may_be_narrow(dtype.b);
  }
  return true;
}

PyId Lowering::dtype(ir::DtypeId id, source::Span where) {
  if (const std::optional<ir::Scalar> scalar = program_.types.scalar_of(id)) {
    if (const char* word = spelling(*scalar)) return python_.atom(word);
  }
  // Something at hand that has this dtype.
  const std::vector<ir::Param>& params = program_.functions[function_].params;
  for (const Slot& slot : out_.slots) {
    const ir::Param& param = params[slot.param];
    if (!param.value || type(param.value).dtype != id) continue;
    const ir::TypeKind kind = type(param.value).kind;
    if (slot.what == Carries::Dtype) return python_.atom(slot.name);
    if (slot.what != Carries::Author) continue;
    if (kind == ir::TypeKind::Array) return python_.attribute(python_.attribute(python_.atom(slot.name), "dtype"), "element_ty");
    if (kind == ir::TypeKind::DtypeConst) return python_.atom(slot.name);
    if (kind == ir::TypeKind::Tile && !type(param.value).shape.empty()) return python_.attribute(python_.atom(slot.name), "dtype");
  }
  const ir::Dtype shape = program_.types[id];
  switch (shape.kind) {
    // Under the assumption that the array holds floats these are its element.
    case ir::DtypeKind::Adapt:
      if (shape.loose == ir::LooseKind::Float) guard_float(shape.a);
      if (shape.loose != ir::LooseKind::Float) break;
      return dtype(shape.a, where);
    case ir::DtypeKind::FloatOf: case ir::DtypeKind::CountOf:
      guard_float(shape.a);
      return dtype(shape.a, where);
    case ir::DtypeKind::Promote: {
      const ir::DtypeId simple = plain(id);
      if (simple == id) break;
      guard_not_float64(id);
      return dtype(simple, where);
    }
    case ir::DtypeKind::Select: return python_.conditional(dtype(shape.a, where), constant(shape.condition), dtype(shape.b, where));
    case ir::DtypeKind::Known: case ir::DtypeKind::Element: case ir::DtypeKind::Argument: case ir::DtypeKind::Accumulator: break;
  }
  refuse(where, diag::report(diag::Severity::Error, where, unknown_dtype, program_.types.text(id)));
  return python_.atom("None");
}

PyId Lowering::cast(PyId py, bool method, ir::DtypeId to, source::Span where) {
  const PyId target = dtype(to, where);
  return method ? python_.method(py, "to", {target}) : python_.call("tl.cast", {py, target});
}

}  // namespace tilewright::back::triton
