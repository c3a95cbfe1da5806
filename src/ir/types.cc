// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/types.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "ir/names.h"

namespace tilewright::ir {
namespace {

struct ScalarInfo {
  const char* name;
  ScalarClass kind;
  int bits;
};

// In the order of Scalar.
constexpr ScalarInfo scalars[] = {
    {"bool_", ScalarClass::Bool, 8},
    {"uint8", ScalarClass::Unsigned, 8},
    {"uint16", ScalarClass::Unsigned, 16},
    {"uint32", ScalarClass::Unsigned, 32},
    {"uint64", ScalarClass::Unsigned, 64},
    {"int8", ScalarClass::Signed, 8},
    {"int16", ScalarClass::Signed, 16},
    {"int32", ScalarClass::Signed, 32},
    {"int64", ScalarClass::Signed, 64},
    {"float16", ScalarClass::Float, 16},
    {"bfloat16", ScalarClass::Float, 16},
    {"float32", ScalarClass::Float, 32},
    {"float64", ScalarClass::Float, 64},
    {"tfloat32", ScalarClass::Restricted, 32},
    {"float8_e4m3fn", ScalarClass::Restricted, 8},
    {"float8_e5m2", ScalarClass::Restricted, 8},
    {"float8_e8m0fnu", ScalarClass::Restricted, 8},
    {"float4_e2m1fn", ScalarClass::Restricted, 4},
};

const ScalarInfo& info_of(Scalar scalar) { return scalars[static_cast<size_t>(scalar)]; }

// bool < int < float, as cuTile orders them.
int category(ScalarClass kind) {
  switch (kind) {
    case ScalarClass::Bool: return 0;
    case ScalarClass::Unsigned:
    case ScalarClass::Signed: return 1;
    case ScalarClass::Float:
    case ScalarClass::Restricted: return 2;
  }
  return 2;
}

int category(LooseKind loose) { return static_cast<int>(loose); }

}  // namespace

ScalarClass class_of(Scalar scalar) { return info_of(scalar).kind; }
int bits_of(Scalar scalar) { return info_of(scalar).bits; }
const char* name_of(Scalar scalar) { return info_of(scalar).name; }

std::optional<Scalar> scalar_named(std::string_view name) {
  for (size_t i = 0; i < std::size(scalars); ++i) {
    if (scalars[i].name == name) return static_cast<Scalar>(i);
  }
  return std::nullopt;
}

std::optional<Scalar> promoted(Scalar a, Scalar b) {
  if (a == b) return a;
  if (class_of(a) == ScalarClass::Restricted || class_of(b) == ScalarClass::Restricted) return std::nullopt;
  if (category(class_of(a)) != category(class_of(b))) return category(class_of(a)) > category(class_of(b)) ? a : b;
  if (class_of(a) != class_of(b)) return std::nullopt;  // signed and unsigned
  if (bits_of(a) == bits_of(b)) return std::nullopt;    // float16 and bfloat16
  return bits_of(a) > bits_of(b) ? a : b;
}

Scalar adapted(Scalar a, LooseKind loose) {
  if (category(loose) <= category(class_of(a))) return a;
  return loose == LooseKind::Float ? Scalar::F32 : Scalar::I32;
}

std::optional<Scalar> accumulator_of(Scalar a) {
  switch (a) {
    case Scalar::F16:
    case Scalar::F8E4M3:
    case Scalar::F8E5M2: return Scalar::F16;
    case Scalar::BF16:
    case Scalar::F32:
    case Scalar::TF32: return Scalar::F32;
    case Scalar::F64: return Scalar::F64;
    case Scalar::I8:
    case Scalar::U8: return Scalar::I32;
    case Scalar::Bool:
    case Scalar::U16:
    case Scalar::U32:
    case Scalar::U64:
    case Scalar::I16:
    case Scalar::I32:
    case Scalar::I64:
    case Scalar::F8E8M0:
    case Scalar::F4E2M1: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Scalar> common_of(Scalar a, Scalar b) {
  if (a == b) return a;
  const auto is_float8 = [](Scalar s) { return s == Scalar::F8E4M3 || s == Scalar::F8E5M2; };
  const auto other = [&](Scalar s) { return class_of(s) == ScalarClass::Restricted && !is_float8(s); };
  if (other(a) || other(b)) return std::nullopt;
  const auto either = [&](Scalar s) { return a == s || b == s; };
  if (either(Scalar::F64)) return Scalar::F64;
  if (either(Scalar::F32)) return Scalar::F32;
  if (either(Scalar::F16)) return Scalar::F16;
  if (either(Scalar::BF16)) return Scalar::F32;
  if (is_float8(a) && is_float8(b)) return Scalar::F16;
  if (is_float8(a) || is_float8(b)) return std::nullopt;
  const auto bits = [](Scalar s) { return s == Scalar::Bool ? 1 : bits_of(s); };
  const bool sign_a = class_of(a) == ScalarClass::Signed;
  const bool sign_b = class_of(b) == ScalarClass::Signed;
  if (bits(a) != bits(b)) {
    // A wider signed integer keeps its sign, a wider unsigned one too.
    return bits(a) > bits(b) ? a : b;
  }
  if (sign_a != sign_b) return sign_a ? b : a;
  return b;
}

Scalar widened(Scalar a, Widening widening) {
  const ScalarClass kind = class_of(a);
  const bool half = a == Scalar::F16 || a == Scalar::BF16;
  const bool narrow = kind == ScalarClass::Bool || bits_of(a) < 32;
  switch (widening) {
    case Widening::Halves: return half ? Scalar::F32 : a;
    case Widening::Bfloats: return a == Scalar::BF16 ? Scalar::F32 : a;
    case Widening::Sum:
      if (kind == ScalarClass::Float || kind == ScalarClass::Restricted || !narrow) return a;
      return kind == ScalarClass::Signed ? Scalar::I32 : Scalar::U32;
    case Widening::Extreme:
      if (!narrow) return a;
      return kind == ScalarClass::Float || kind == ScalarClass::Restricted ? Scalar::F32 : Scalar::I32;
  }
  return a;
}

uint64_t Types::DtypeHash::operator()(const Dtype& dtype) const {
  uint64_t hash = mixed(static_cast<uint64_t>(dtype.kind) << 16 | static_cast<uint64_t>(dtype.scalar) << 8, dtype.index);
  hash = mixed(hash, uint64_t{dtype.a.index} << 32 | dtype.b.index);
  return mixed(hash, uint64_t{dtype.condition.index} << 32 | static_cast<uint64_t>(dtype.widening) << 8 |
                         static_cast<uint64_t>(dtype.loose));
}

uint64_t Types::TypeHash::operator()(const Type& type) const {
  uint64_t hash = mixed(static_cast<uint64_t>(type.kind) << 16 | static_cast<uint64_t>(type.loose) << 8 | type.strict, type.rank);
  hash = mixed(hash, uint64_t{type.dtype.index} << 32 | type.value.index);
  for (const sym::ExprId extent : type.shape) hash = mixed(hash, extent.index);
  return hash;
}

DtypeId Types::known(Scalar scalar) { return intern({.kind = DtypeKind::Known, .scalar = scalar}); }
DtypeId Types::element(uint32_t array_parameter) { return intern({.kind = DtypeKind::Element, .index = array_parameter}); }
DtypeId Types::argument(uint32_t scalar_parameter) { return intern({.kind = DtypeKind::Argument, .index = scalar_parameter}); }

DtypeId Types::promote(DtypeId a, DtypeId b) {
  if (a == b) return a;
  const std::optional<Scalar> x = scalar_of(a);
  const std::optional<Scalar> y = scalar_of(b);
  if (x && y) {
    // What cannot be promoted stays open, for `specialize` to report.
    if (const std::optional<Scalar> both = promoted(*x, *y)) return known(*both);
  }
  if (x == Scalar::F64 || y == Scalar::F64) return known(Scalar::F64);  // there is nothing wider
  // A float met by an integer stays what it is.
  const std::optional<ScalarClass> left = class_of(a);
  const std::optional<ScalarClass> right = class_of(b);
  if (left == ScalarClass::Float && right && category(*right) < category(*left)) return a;
  if (right == ScalarClass::Float && left && category(*left) < category(*right)) return b;
  // A promotion is at least each of its parts, so to promote it with a part again, or with less than a part, changes nothing.
  const auto absorbs = [&](DtypeId whole, DtypeId part) {
    const Dtype& dtype = dtypes_[whole];
    if (dtype.kind != DtypeKind::Promote) return false;
    if (dtype.a == part || dtype.b == part) return true;
    const std::optional<Scalar> scalar = scalar_of(part);
    for (const DtypeId side : {dtype.a, dtype.b}) {
      const std::optional<Scalar> known_side = scalar_of(side);
      if (scalar && known_side && promoted(*scalar, *known_side) == known_side) return true;
    }
    return false;
  };
  if (absorbs(a, b)) return a;
  if (absorbs(b, a)) return b;
  if (y ? false : x ? true : text(b) < text(a)) std::swap(a, b);  // one order for both: known ones last
  return intern({.kind = DtypeKind::Promote, .a = a, .b = b});
}

DtypeId Types::adapt(DtypeId a, LooseKind loose) {
  if (const std::optional<Scalar> scalar = scalar_of(a)) return known(adapted(*scalar, loose));
  const std::optional<ScalarClass> kind = class_of(a);
  if (kind && category(loose) <= category(*kind)) return a;
  if (loose == LooseKind::Bool) return a;
  if (dtypes_[a].kind == DtypeKind::Adapt && category(dtypes_[a].loose) >= category(loose)) return a;
  return intern({.kind = DtypeKind::Adapt, .loose = loose, .a = a});
}

DtypeId Types::float_of(DtypeId a) {
  const std::optional<ScalarClass> kind = class_of(a);
  if (kind && category(*kind) == 2) return a;
  if (kind) return known(Scalar::F32);
  return intern({.kind = DtypeKind::FloatOf, .a = a});
}

DtypeId Types::count_of(DtypeId a) {
  const std::optional<ScalarClass> kind = class_of(a);
  if (kind && *kind != ScalarClass::Bool) return a;
  if (kind) return known(Scalar::I32);
  if (dtypes_[a].kind == DtypeKind::CountOf) return a;
  if (dtypes_[a].kind == DtypeKind::Adapt && dtypes_[a].loose != LooseKind::Bool) return a;
  return intern({.kind = DtypeKind::CountOf, .a = a});
}

DtypeId Types::accumulator(DtypeId a) {
  if (const std::optional<Scalar> scalar = scalar_of(a)) {
    if (const std::optional<Scalar> sum = accumulator_of(*scalar)) return known(*sum);
  }
  if (const Dtype choice = dtypes_[a]; choice.kind == DtypeKind::Select)
    return select(choice.condition, accumulator(choice.a), accumulator(choice.b));
  return intern({.kind = DtypeKind::Accumulator, .a = a});
}

DtypeId Types::select(sym::ExprId condition, DtypeId a, DtypeId b) {
  if (a == b) return a;
  if (const std::optional<bool> truth = arena_->truth_of(condition)) return *truth ? a : b;
  return intern({.kind = DtypeKind::Select, .a = a, .b = b, .condition = condition});
}

DtypeId Types::common(DtypeId a, DtypeId b) {
  if (a == b) return a;
  const std::optional<Scalar> x = scalar_of(a);
  const std::optional<Scalar> y = scalar_of(b);
  if (x && y) {
    if (const std::optional<Scalar> both = common_of(*x, *y)) return known(*both);
  }
  // What nothing is wider than.
  if (x == Scalar::F64 || y == Scalar::F64) return known(Scalar::F64);
  const auto absorbs = [&](DtypeId whole, DtypeId part) {
    const Dtype& dtype = dtypes_[whole];
    return dtype.kind == DtypeKind::Common && (dtype.a == part || dtype.b == part);
  };
  if (absorbs(a, b)) return a;
  if (absorbs(b, a)) return b;
  if (y ? false : x ? true : text(b) < text(a)) std::swap(a, b);
  return intern({.kind = DtypeKind::Common, .a = a, .b = b});
}

DtypeId Types::widened(DtypeId a, Widening widening) {
  if (const std::optional<Scalar> scalar = scalar_of(a)) return known(ir::widened(*scalar, widening));
  const Dtype& dtype = dtypes_[a];
  if (dtype.kind == DtypeKind::Widened && (dtype.widening == widening || dtype.widening == Widening::Extreme)) return a;
  return intern({.kind = DtypeKind::Widened, .a = a, .widening = widening});
}

DtypeId Types::pointer(DtypeId pointee) { return intern({.kind = DtypeKind::Pointer, .a = pointee}); }
DtypeId Types::passed(uint32_t dtype_parameter) { return intern({.kind = DtypeKind::Passed, .index = dtype_parameter}); }

bool Types::is_closed(DtypeId id) const {
  if (!id) return false;
  const Dtype& dtype = dtypes_[id];
  return dtype.kind == DtypeKind::Known || (dtype.kind == DtypeKind::Pointer && is_closed(dtype.a));
}

DtypeId Types::simplified(DtypeId id, Float64 float64) {
  const Dtype dtype = dtypes_[id];
  switch (dtype.kind) {
    case DtypeKind::Known:
    case DtypeKind::Element:
    case DtypeKind::Argument:
    case DtypeKind::Passed: return id;
    case DtypeKind::Common: return common(simplified(dtype.a, float64), simplified(dtype.b, float64));
    case DtypeKind::Widened: return widened(simplified(dtype.a, float64), dtype.widening);
    case DtypeKind::Pointer: return pointer(simplified(dtype.a, float64));
    case DtypeKind::Promote: {
      const DtypeId a = simplified(dtype.a, float64);
      const DtypeId b = simplified(dtype.b, float64);
      const DtypeId f32 = known(Scalar::F32);
      // A bool promotes nothing. A launch where it meets an fp8, with which it has no common dtype, is refused before.
      if (scalar_of(a) == Scalar::Bool) return b;
      if (scalar_of(b) == Scalar::Bool) return a;
      if (float64 == Float64::Excluded) {
        if (a == f32 && !scalar_of(b)) return f32;
        if (b == f32 && !scalar_of(a)) return f32;
      }
      return promote(a, b);
    }
    case DtypeKind::Adapt: return adapt(simplified(dtype.a, float64), dtype.loose);
    case DtypeKind::FloatOf: return float_of(simplified(dtype.a, float64));
    case DtypeKind::CountOf: return count_of(simplified(dtype.a, float64));
    case DtypeKind::Accumulator: return accumulator(simplified(dtype.a, float64));
    case DtypeKind::Select: return select(dtype.condition, simplified(dtype.a, float64), simplified(dtype.b, float64));
  }
  return id;
}

TypeId Types::tile(DtypeId dtype, std::vector<sym::ExprId> shape) {
  return intern({.kind = TypeKind::Tile, .dtype = dtype, .shape = std::move(shape), .value = {}});
}

TypeId Types::constant(LooseKind loose, sym::ExprId value) {
  TW_CHECK(value.valid(), "a constant without a value");
  return intern({.kind = TypeKind::Const, .dtype = {}, .shape = {}, .loose = loose, .value = value});
}

TypeId Types::strict_constant(DtypeId dtype, LooseKind loose, sym::ExprId value) {
  TW_CHECK(value.valid(), "a constant without a value");
  return intern({.kind = TypeKind::Const, .dtype = dtype, .shape = {}, .loose = loose, .strict = true, .value = value});
}

TypeId Types::dtype_constant(DtypeId dtype) {
  return intern({.kind = TypeKind::DtypeConst, .dtype = dtype, .shape = {}, .value = {}});
}

TypeId Types::array(DtypeId element, uint32_t rank) {
  return intern({.kind = TypeKind::Array, .dtype = element, .shape = {}, .value = {}, .rank = rank});
}

TypeId Types::array_list(DtypeId element, uint32_t rank) {
  return intern({.kind = TypeKind::ArrayList, .dtype = element, .shape = {}, .value = {}, .rank = rank});
}

TypeId Types::window(DtypeId element, std::vector<sym::ExprId> shape) {
  return intern({.kind = TypeKind::Window, .dtype = element, .shape = std::move(shape), .value = {}});
}

TypeId Types::none() { return intern({.kind = TypeKind::None, .dtype = {}, .shape = {}, .value = {}}); }

std::optional<Scalar> Types::scalar_of(DtypeId id) const {
  if (!id || dtypes_[id].kind != DtypeKind::Known) return std::nullopt;
  return dtypes_[id].scalar;
}

std::optional<ScalarClass> Types::class_of(DtypeId id) const {
  if (!id) return std::nullopt;
  const Dtype& dtype = dtypes_[id];
  switch (dtype.kind) {
    case DtypeKind::Known: return ir::class_of(dtype.scalar);
    case DtypeKind::Element:
    case DtypeKind::Argument: return integers_.contains(dtype.index) ? std::optional(ScalarClass::Signed) : std::nullopt;
    case DtypeKind::Promote: {
      const std::optional<ScalarClass> a = class_of(dtype.a);
      const std::optional<ScalarClass> b = class_of(dtype.b);
      if (a == ScalarClass::Float || b == ScalarClass::Float) return ScalarClass::Float;
      if (a && a == b) return a;
      if (a && b) return category(*a) > category(*b) ? a : b;
      return std::nullopt;
    }
    case DtypeKind::Adapt: {
      if (dtype.loose == LooseKind::Float) return ScalarClass::Float;
      const std::optional<ScalarClass> a = class_of(dtype.a);
      return a == ScalarClass::Bool ? ScalarClass::Signed : a;
    }
    case DtypeKind::FloatOf: return ScalarClass::Float;
    case DtypeKind::CountOf: {
      const std::optional<ScalarClass> a = class_of(dtype.a);
      return a == ScalarClass::Bool ? ScalarClass::Signed : a;
    }
    case DtypeKind::Accumulator: {
      const std::optional<ScalarClass> a = class_of(dtype.a);
      if (a == ScalarClass::Float || a == ScalarClass::Restricted) return ScalarClass::Float;
      if (a == ScalarClass::Signed || a == ScalarClass::Unsigned) return ScalarClass::Signed;
      return std::nullopt;
    }
    case DtypeKind::Select: {
      const std::optional<ScalarClass> a = class_of(dtype.a);
      return a == class_of(dtype.b) ? a : std::nullopt;
    }
    case DtypeKind::Common: {
      const std::optional<ScalarClass> a = class_of(dtype.a);
      const std::optional<ScalarClass> b = class_of(dtype.b);
      if (a == ScalarClass::Float || b == ScalarClass::Float) return ScalarClass::Float;
      return a && a == b && a != ScalarClass::Restricted ? a : std::nullopt;
    }
    case DtypeKind::Widened: {
      const std::optional<ScalarClass> a = class_of(dtype.a);
      if (dtype.widening == Widening::Halves || dtype.widening == Widening::Bfloats || !a || a == ScalarClass::Float) return a;
      if (a == ScalarClass::Signed || a == ScalarClass::Unsigned) return dtype.widening == Widening::Sum ? a : std::nullopt;
      return std::nullopt;
    }
    case DtypeKind::Pointer:
    case DtypeKind::Passed: return std::nullopt;
  }
  return std::nullopt;
}

std::string Types::text(DtypeId id, const sym::AtomName& name) const {
  if (!id) return "?";
  const Dtype& dtype = dtypes_[id];
  switch (dtype.kind) {
    case DtypeKind::Known: return name_of(dtype.scalar);
    case DtypeKind::Element: return "elem(" + std::to_string(dtype.index) + ")";
    case DtypeKind::Argument: return "arg(" + std::to_string(dtype.index) + ")";
    case DtypeKind::Promote: return "promote(" + text(dtype.a, name) + ", " + text(dtype.b, name) + ")";
    case DtypeKind::Adapt: return "adapt(" + text(dtype.a, name) + ", " + std::string(name_of(dtype.loose)) + ")";
    case DtypeKind::FloatOf: return "float_of(" + text(dtype.a, name) + ")";
    case DtypeKind::CountOf: return "count_of(" + text(dtype.a, name) + ")";
    case DtypeKind::Accumulator: return "accumulator(" + text(dtype.a, name) + ")";
    case DtypeKind::Select:
      return "select((" + arena_->text(dtype.condition, name) + "), " + text(dtype.a, name) + ", " + text(dtype.b, name) + ")";
    case DtypeKind::Common: return "common(" + text(dtype.a, name) + ", " + text(dtype.b, name) + ")";
    case DtypeKind::Widened: return "widened(" + text(dtype.a, name) + ", " + std::string(name_of(dtype.widening)) + ")";
    case DtypeKind::Pointer: return "ptr(" + text(dtype.a, name) + ")";
    case DtypeKind::Passed: return "passed(" + std::to_string(dtype.index) + ")";
  }
  return "?";
}

std::string Types::text(TypeId id, const sym::AtomName& name) const {
  if (!id) return "?";
  const Type& type = types_[id];
  const auto rank = [&] { return type.rank == unknown_rank ? std::string("?") : std::to_string(type.rank); };
  switch (type.kind) {
    case TypeKind::Tile:
    case TypeKind::Window: {
      std::string out = std::string(type.kind == TypeKind::Tile ? "tile<" : "window<") + text(type.dtype, name) + ", [";
      for (size_t i = 0; i < type.shape.size(); ++i) out += (i ? ", " : "") + arena_->text(type.shape[i], name);
      return out + "]>";
    }
    case TypeKind::Const: {
      const std::string kind = type.strict ? "strict<" + text(type.dtype, name) + ", " : "const<";
      const bool wrapped = arena_->is_bool(type.value) && !arena_->literal_of(type.value);  // no `>` beside the closing one
      const std::string value = arena_->text(type.value, name);
      return kind + std::string(name_of(type.loose)) + ", " + (wrapped ? "(" + value + ")" : value) + ">";
    }
    case TypeKind::DtypeConst: return "dtype<" + text(type.dtype, name) + ">";
    case TypeKind::Array: return "array<" + text(type.dtype, name) + ", " + rank() + ">";
    case TypeKind::ArrayList: return "array_list<" + text(type.dtype, name) + ", " + rank() + ">";
    case TypeKind::None: return "none";
  }
  return "?";
}

std::string Types::text(DtypeId id) const {
  return text(id, [](const sym::Atom& atom) { return atom.key; });
}

std::string Types::text(TypeId id) const {
  return text(id, [](const sym::Atom& atom) { return atom.key; });
}

}  // namespace tilewright::ir
