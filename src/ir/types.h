// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Dtypes and types. Both dialects are polymorphic: one converted kernel serves fp16, bf16 and fp32 callers, so a dtype may be
// open (`the element of X`, `the promotion of two`) and an extent may be a symbolic constant. Everything is interned: equal iff
// the same id. `specialize` (ir/specialize.h) closes a program for one launch.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/interned.h"
#include "sym/expr.h"

namespace tilewright::ir {

enum class Scalar : uint8_t {
  Bool,
  U8,
  U16,
  U32,
  U64,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
  // restricted floats: stored, converted and multiplied, not calculated with
  TF32,
  F8E4M3,
  F8E5M2,
  F8E8M0,
  F4E2M1,
};

enum class ScalarClass : uint8_t { Bool, Unsigned, Signed, Float, Restricted };
ScalarClass class_of(Scalar scalar);
int bits_of(Scalar scalar);          // storage bits; bool 8, tf32 32
const char* name_of(Scalar scalar);  // "float32", "bfloat16", "bool_", as cuTile says it
std::optional<Scalar> scalar_named(std::string_view name);

struct DtypeTag;
using DtypeId = Id<DtypeTag>;
struct TypeTag;
using TypeId = Id<TypeTag>;

// What a loose constant is by itself, in the order of cuTile's categories (cutile.md 4.3).
enum class LooseKind : uint8_t { Bool, Int, Float };

enum class DtypeKind : uint8_t {
  Known,        // scalar
  Element,      // of the array parameter `index` of the kernel
  Argument,     // dtype of the scalar parameter `index` of the kernel: bool_, int32 or float32 (int64 if annotated so)
  Promote,      // cuTile's promotion of a and b (cutile.md 4.2)
  Adapt,        // a strict dtype `a` met by a loose constant of kind `loose` (4.3)
  FloatOf,      // a if it is a float, else float32: `/` and unary maths on integers
  CountOf,      // a, but bool_ becomes int32: reductions, negation
  Accumulator,  // of ct.matmul for operands of dtype a: f16→f16, bf16→f32, f32→f32, i8/u8→i32, f8→f16, f64→f64, tf32→f32
  Select,       // a if condition else b
  Common,       // C's usual conversions of a and b, with fp16 below bf16's float32: `common_of`
  Widened,      // a, widened as `widening` says
  Pointer,      // an address of an element of dtype a
  Passed,       // the dtype that is the kernel's parameter `index`
};

// How a dtype is widened before it is calculated with.
enum class Widening : uint8_t {
  Halves,   // float16 and bfloat16 become float32
  Bfloats,  // bfloat16 becomes float32
  Sum,      // integers of less than 32 bits and bool_ become int32 or uint32, by their sign
  Extreme,  // what has less than 32 bits becomes float32 or int32
};

struct Dtype {
  DtypeKind kind = DtypeKind::Known;
  Scalar scalar = Scalar::F32;
  uint32_t index = 0;
  LooseKind loose = LooseKind::Int;
  DtypeId a = {}, b = {};
  sym::ExprId condition = {};
  Widening widening = Widening::Halves;

  friend bool operator==(const Dtype&, const Dtype&) = default;
};

enum class TypeKind : uint8_t {
  Tile,        // dtype, shape; shape () is a scalar
  Const,       // a compile-time number: bool, int or float, loose unless `strict`
  DtypeConst,  // a dtype as a value
  Array,       // element dtype, rank
  ArrayList,   // a list of arrays (kernel argument only): element dtype, rank of the items
  Window,      // an array seen from an origin: element dtype, shape of the tiles that are read and written
  None,
};

inline constexpr uint32_t unknown_rank = ~uint32_t{0};
// Of an array or a tile: a word has a bit for each.
inline constexpr size_t most_axes = 32;

struct Type {
  TypeKind kind = TypeKind::Tile;
  DtypeId dtype = {};  // Tile, Array, ArrayList, Window, DtypeConst (the dtype it is); Const: its own dtype if strict
  std::vector<sym::ExprId> shape = {};  // Tile, Window
  LooseKind loose = LooseKind::Int;     // Const: bool, int or float
  bool strict = false;                  // Const: made by a dtype constructor or a typed scalar
  sym::ExprId value = {};               // Const: always valid
  uint32_t rank = unknown_rank;         // Array, ArrayList

  friend bool operator==(const Type&, const Type&) = default;
};

// Facts that open programs may assume; `convert` guards them at launch. Without them almost nothing could be said of `x * 2.0`.
enum class Float64 : uint8_t { Possible, Excluded };

class Types {
 public:
  explicit Types(sym::Arena& arena) : arena_(&arena) {}

  DtypeId known(Scalar scalar);
  DtypeId element(uint32_t array_parameter);
  DtypeId argument(uint32_t scalar_parameter);
  DtypeId promote(DtypeId a, DtypeId b);
  DtypeId adapt(DtypeId a, LooseKind loose);
  DtypeId float_of(DtypeId a);
  DtypeId count_of(DtypeId a);
  DtypeId accumulator(DtypeId a);
  DtypeId select(sym::ExprId condition, DtypeId a, DtypeId b);
  DtypeId common(DtypeId a, DtypeId b);
  DtypeId widened(DtypeId a, Widening widening);
  DtypeId pointer(DtypeId pointee);
  DtypeId passed(uint32_t dtype_parameter);

  TypeId tile(DtypeId dtype, std::vector<sym::ExprId> shape);
  TypeId constant(LooseKind loose, sym::ExprId value);
  TypeId strict_constant(DtypeId dtype, LooseKind loose, sym::ExprId value);
  TypeId dtype_constant(DtypeId dtype);
  TypeId array(DtypeId element, uint32_t rank);
  TypeId array_list(DtypeId element, uint32_t rank);
  TypeId window(DtypeId element, std::vector<sym::ExprId> shape);
  TypeId none();

  const Dtype& operator[](DtypeId id) const { return dtypes_[id]; }
  const Type& operator[](TypeId id) const { return types_[id]; }
  std::optional<Scalar> scalar_of(DtypeId id) const;  // if Known
  bool is_pointer(DtypeId id) const { return id && dtypes_[id].kind == DtypeKind::Pointer; }
  // Known, or a pointer to what is.
  bool is_closed(DtypeId id) const;
  // The dtype as it may be read under an assumption: with float64 excluded, promote(x, float32) is float32.
  DtypeId simplified(DtypeId id, Float64 float64);
  // What the dtype certainly is, as far as that follows from its form (an open element may be anything). The result of
  // arithmetic counts as not restricted: restricted floats do not calculate, and `specialize` says so where one would.
  std::optional<ScalarClass> class_of(DtypeId id) const;
  // From here on these parameters' dtypes count as integers of some width, signed unless known otherwise.
  void assume_integers(std::set<uint32_t> parameters) { integers_ = std::move(parameters); }

  std::string text(DtypeId id) const;  // "float32", "elem(0)", "promote(elem(0), float32)"
  std::string text(TypeId id) const;   // "tile<float32, [TILE_M, 64]>", "const<int, TILE_M>"
  std::string text(DtypeId id, const sym::AtomName& name) const;
  std::string text(TypeId id, const sym::AtomName& name) const;
  sym::Arena& arena() const { return *arena_; }
  void rebind(sym::Arena& arena) { arena_ = &arena; }  // after a copy of the owner

 private:
  struct DtypeHash {
    uint64_t operator()(const Dtype& dtype) const;
  };
  struct TypeHash {
    uint64_t operator()(const Type& type) const;
  };

  DtypeId intern(Dtype dtype) { return dtypes_.add(dtype).first; }
  TypeId intern(Type type) { return types_.add(std::move(type)).first; }

  sym::Arena* arena_;
  std::set<uint32_t> integers_;
  Interned<DtypeId, Dtype, DtypeHash> dtypes_;
  Interned<TypeId, Type, TypeHash> types_;
};

// cuTile's promotion of two closed dtypes (cutile.md 4.2); nullopt where it is an error.
std::optional<Scalar> promoted(Scalar a, Scalar b);
// A closed dtype met by a loose constant (4.3): itself if the constant's category is not higher, else the constant's own.
Scalar adapted(Scalar a, LooseKind loose);
std::optional<Scalar> accumulator_of(Scalar a);
// The usual arithmetic conversions: float64 > float32 > float16, which wins over integers; bfloat16 with anything but itself is
// float32 or float16; two different float8 are float16; of integers the wider one, of one width the unsigned one. nullopt where
// it is an error: float8 with integers, tfloat32 and the formats of scales with anything but themselves.
std::optional<Scalar> common_of(Scalar a, Scalar b);
Scalar widened(Scalar a, Widening widening);

}  // namespace tilewright::ir
