// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/launch_checks.h"

#include "ir/constants.h"
#include "ir/operands.h"
#include "ir/shapes.h"

namespace tilewright::ir {
namespace {

using Error = std::optional<LaunchError>;

Error dtypes(std::string why) { return LaunchError{LaunchErrorKind::Dtypes, std::move(why)}; }
Error shapes(std::string why) { return LaunchError{LaunchErrorKind::Shapes, std::move(why)}; }

std::string quoted(OpKind kind) { return "`" + std::string(info(kind).text) + "`"; }

bool is_arithmetic(OpKind kind) { return (kind >= OpKind::Add && kind <= OpKind::Max) || kind == OpKind::Atan2; }

bool is_elementwise(OpKind kind) { return (kind >= OpKind::Add && kind <= OpKind::IsNan) || kind == OpKind::Where; }

bool needs_integers(OpKind kind) { return kind == OpKind::Shl || kind == OpKind::Shr; }

bool needs_bits(OpKind kind) {
  return kind == OpKind::BitAnd || kind == OpKind::BitOr || kind == OpKind::BitXor || kind == OpKind::BitNot;
}

bool needs_floats(OpKind kind) {
  return kind == OpKind::Floor || kind == OpKind::Ceil || kind == OpKind::IsNan || kind == OpKind::Atan2;
}

class Check {
 public:
  Check(const Program& program, OpId op) : program_(program), op_(program.ops[op]) {}

  Error run() {
    for (const auto& step : {&Check::ranks, &Check::extents, &Check::operation, &Check::fit, &Check::stored, &Check::control}) {
      if (Error error = (this->*step)()) return error;
    }
    return std::nullopt;
  }

 private:
  const Type& type_of(ValueId value) const { return program_.types[program_.values[value].type]; }

  std::string shape_text(const Shape& shape) const {
    std::string out = "(";
    for (size_t i = 0; i < shape.size(); ++i) out += (i ? ", " : "") + program_.arena.text(shape[i]);
    return out + (shape.size() == 1 ? ",)" : ")");
  }

  // An array may have another rank in another launch; a use has one.
  Error ranks() {
    if (op_.operands.empty() || type_of(op_.operands[0]).kind != TypeKind::Array) return std::nullopt;
    const uint32_t rank = type_of(op_.operands[0]).rank;
    const bool by_axis = op_.kind == OpKind::ArrayDim || op_.kind == OpKind::ArrayStride || op_.kind == OpKind::ArraySlice;
    const bool by_rank = op_.kind == OpKind::LoadTile || op_.kind == OpKind::StoreTile || op_.kind == OpKind::NumTiles ||
                         op_.kind == OpKind::Gather || op_.kind == OpKind::Scatter || op_.kind == OpKind::AtomicRmw ||
                         op_.kind == OpKind::AtomicCas;
    const bool all_axes = by_rank || (by_axis && op_.attrs.rank != 0);  // `m, n = x.shape`
    if (rank == unknown_rank || (all_axes ? op_.attrs.rank == rank : !by_axis || op_.attrs.axis < rank)) return std::nullopt;
    const std::string used = !all_axes ? "axis " + std::to_string(op_.attrs.axis) : "rank " + std::to_string(op_.attrs.rank);
    return LaunchError{LaunchErrorKind::Rank, "passes rank " + std::to_string(rank) + " for `" +
                                                  program_.values[op_.operands[0]].name.string() + "`, which is used with " +
                                                  used};
  }

  // Of a tile that is made, or that an array is divided into.
  Error extents() {
    for (const ValueId result : op_.results) {
      for (const sym::ExprId extent : type_of(result).shape) {
        if (Error error = tile_extent(extent)) return error;
      }
    }
    if (op_.kind != OpKind::NumTiles) return std::nullopt;
    for (const ValueId extent : operands_named(op_, "extent")) {
      if (type_of(extent).kind != TypeKind::Const) continue;
      if (Error error = tile_extent(type_of(extent).value)) return error;
    }
    return std::nullopt;
  }

  Error tile_extent(sym::ExprId extent) const {
    const std::optional<int64_t> number = program_.arena.integer_of(extent);
    if (number && *number > 0 && (*number & (*number - 1)) == 0) return std::nullopt;
    const std::string text = program_.arena.text(extent);
    if (program_.arena.literal_of(extent))
      return LaunchError{LaunchErrorKind::Extent, "an extent is " + text + ", which is not a power of two"};
    return LaunchError{LaunchErrorKind::Extent, "nothing says how large the extent " + text + " is"};
  }

  // The dtype that is calculated in, if it is that of a tile.
  std::optional<Scalar> computed() const {
    if (op_.results.size() != 1 || type_of(op_.results[0]).kind != TypeKind::Tile) return std::nullopt;
    if (op_.attrs.dtype) return program_.types.scalar_of(op_.attrs.dtype);
    return op_.operands.empty() ? std::nullopt : program_.types.scalar_of(type_of(op_.operands[0]).dtype);
  }

  Error operation() {
    const std::optional<Scalar> scalar = computed();
    if (!scalar) return std::nullopt;
    if (is_elementwise(op_.kind)) {
      for (const ValueId operand : op_.operands) {
        if (Error error = unheld(program_, operand, scalar)) return error;
      }
    }
    const ScalarClass kind = class_of(*scalar);
    const bool is_float = kind == ScalarClass::Float;
    const std::string in = quoted(op_.kind) + " would calculate in " + name_of(*scalar);
    if (is_arithmetic(op_.kind) && kind == ScalarClass::Bool) return dtypes(in);
    if (calculates(op_.kind) && kind == ScalarClass::Restricted) return dtypes(in);
    if ((op_.kind == OpKind::Pow && !is_float) || (op_.kind == OpKind::CeilDiv && is_float)) return dtypes(in);
    if (needs_integers(op_.kind) && kind != ScalarClass::Signed && kind != ScalarClass::Unsigned)
      return dtypes(in + ", which is no integer");
    if (needs_bits(op_.kind) && (is_float || kind == ScalarClass::Restricted)) return dtypes(in + ", which is no integer");
    if (needs_floats(op_.kind) && !is_float) return dtypes(in + ", which is no float");
    if (op_.kind == OpKind::Bitcast &&
        (kind == ScalarClass::Bool || program_.types.scalar_of(type_of(op_.operands[0]).dtype) == Scalar::Bool)) {
      return dtypes("the bits of a bool would be taken for those of another dtype");
    }
    const bool approximate = op_.attrs.rounding == Rounding::Approx || op_.attrs.rounding == Rounding::Full;
    if (approximate && *scalar != Scalar::F32) return dtypes(in + ", and only float32 is approximated");
    if (op_.attrs.flush == Flush::ToZero && *scalar != Scalar::F32) return dtypes(in + ", and only float32 is flushed to zero");
    if (op_.attrs.rounding != Rounding::Default && op_.kind != OpKind::Cast && !is_float)
      return dtypes(in + ", which is not rounded");
    return std::nullopt;
  }

  Error fit() {
    if (op_.kind == OpKind::Dot) return product();
    if (op_.kind == OpKind::Reshape) return reshape();
    if (op_.kind == OpKind::Broadcast) {
      const Shape from = shape_of(program_, op_.operands[0]);
      const Shape to = shape_of(program_, op_.results[0]);
      const Broadcast both = broadcast(program_.arena, from, to);
      if (both.fit == Fit::Yes && both.shape == to) return std::nullopt;
      return shapes("shape " + shape_text(from) + " cannot be broadcast to " + shape_text(to));
    }
    const bool indexed = op_.kind == OpKind::Gather || op_.kind == OpKind::Scatter || op_.kind == OpKind::AtomicRmw ||
                         op_.kind == OpKind::AtomicCas;
    if (!indexed && !is_elementwise(op_.kind)) return std::nullopt;
    Shape shape;
    for (const ValueId operand : indexed ? operands_named(op_, "index") : std::span<const ValueId>(op_.operands)) {
      const Shape next = shape_of(program_, operand);
      Broadcast both = broadcast(program_.arena, shape, next);
      if (both.fit != Fit::Yes)
        return shapes("shapes " + shape_text(shape) + " and " + shape_text(next) + " cannot be broadcast");
      shape = std::move(both.shape);
    }
    if (!op_.results.empty() && type_of(op_.results[0]).kind == TypeKind::Tile && type_of(op_.results[0]).shape != shape) {
      return shapes("the operands make " + shape_text(shape) + " where " + shape_text(type_of(op_.results[0]).shape) +
                    " was read");
    }
    return std::nullopt;
  }

  Error product() {
    const Shape x = shape_of(program_, op_.operands[0]);
    const Shape y = shape_of(program_, op_.operands[1]);
    const Shape result = shape_of(program_, op_.results[0]);
    const Broadcast both = matrix_product(program_.arena, x, y);
    if (both.fit != Fit::Yes || both.shape != result)
      return shapes("shapes " + shape_text(x) + " and " + shape_text(y) + " cannot be multiplied");
    if (op_.operands.size() == 3 && shape_of(program_, op_.operands[2]) != result) {
      return shapes("the accumulator has shape " + shape_text(shape_of(program_, op_.operands[2])) + " and the product " +
                    shape_text(result));
    }
    const std::optional<Scalar> a = program_.types.scalar_of(type_of(op_.operands[0]).dtype);
    const std::optional<Scalar> b = program_.types.scalar_of(type_of(op_.operands[1]).dtype);
    const std::optional<Scalar> sum = program_.types.scalar_of(type_of(op_.results[0]).dtype);
    if (!a || !b || !sum) return std::nullopt;
    const bool bytes = accumulator_of(*a) == Scalar::I32 && accumulator_of(*b) == Scalar::I32;
    if (*a != *b && !bytes) return dtypes(std::string("a ") + name_of(*a) + " tile is multiplied by a " + name_of(*b) + " one");
    const bool wider = sum == Scalar::F32 && accumulator_of(*a) == Scalar::F16;
    if (accumulator_of(*a) != sum && !wider)
      return dtypes(std::string("products of ") + name_of(*a) + " would be summed in " + name_of(*sum));
    return std::nullopt;
  }

  Error reshape() {
    const auto count = [&](const Shape& shape) {
      int64_t out = 1;
      for (const sym::ExprId extent : shape) out *= program_.arena.integer_of(extent).value_or(0);
      return out;
    };
    const Shape from = shape_of(program_, op_.operands[0]);
    const Shape to = shape_of(program_, op_.results[0]);
    return count(from) == count(to) ? std::nullopt : shapes("shape " + shape_text(from) + " cannot become " + shape_text(to));
  }

  Error stored_constant(ValueId value) const {
    const Type& type = type_of(value);
    const std::optional<Scalar> element = program_.types.scalar_of(type_of(op_.operands[0]).dtype);
    if (type.kind != TypeKind::Const || type.strict || !element) return std::nullopt;
    const ScalarClass kind = class_of(*element);
    if (type.loose == LooseKind::Float && kind != ScalarClass::Float && kind != ScalarClass::Restricted)
      return dtypes(std::string("a constant float is not converted implicitly to ") + name_of(*element));
    return unheld(program_, value, element);
  }

  // What is stored in an array is only widened.
  Error stored() {
    // Through addresses and windows anything is stored that can be converted.
    if (op_.operands.empty() || type_of(op_.operands[0]).kind != TypeKind::Array) return std::nullopt;
    for (const char* name : {"value", "padding"}) {
      const ValueId value = operand_named(op_, name);
      if (!value || op_.kind == OpKind::Full) continue;
      if (Error error = stored_constant(value)) return error;
      const OpId cast = program_.values[value].definition;
      if (!cast || program_.ops[cast].kind != OpKind::Cast || !program_.ops[cast].attrs.implicit) continue;
      const std::optional<Scalar> from = program_.types.scalar_of(type_of(program_.ops[cast].operands[0]).dtype);
      const std::optional<Scalar> to = program_.types.scalar_of(type_of(value).dtype);
      if (!from || !to || promoted(*from, *to) == to) continue;
      return dtypes(std::string(name_of(*from)) + " is not converted implicitly to " + name_of(*to));
    }
    return std::nullopt;
  }

  // The bounds of a loop are numbers of its index, the arms of a choice of its result.
  Error control() {
    if (op_.kind == OpKind::For) {
      const std::optional<Scalar> index = program_.types.scalar_of(type_of(program_.blocks[op_.regions[0]].arguments[0]).dtype);
      for (const ValueId bound : op_.operands) {
        if (Error error = unheld(program_, bound, index)) return error;
      }
    }
    if (op_.kind != OpKind::Ternary) return std::nullopt;
    const std::optional<Scalar> result = program_.types.scalar_of(type_of(op_.results[0]).dtype);
    for (const BlockId region : op_.regions) {
      const Op& last = program_.ops[program_.blocks[region].ops.back()];
      if (last.kind != OpKind::Yield) continue;
      if (Error error = unheld(program_, last.operands[0], result)) return error;
    }
    return std::nullopt;
  }

  const Program& program_;
  const Op& op_;
};

}  // namespace

Error unheld(const Program& program, ValueId constant, std::optional<Scalar> scalar) {
  const Type& type = program.types[program.values[constant].type];
  if (type.kind != TypeKind::Const || type.strict || !scalar) return std::nullopt;
  const std::optional<int64_t> number = program.arena.integer_of(type.value);
  if (!number || holds(*scalar, *number)) return std::nullopt;
  return dtypes("the constant " + std::to_string(*number) + " is out of range of " + name_of(*scalar));
}

Error refused(const Program& program, OpId op) { return Check(program, op).run(); }

bool calculates(OpKind kind) { return is_arithmetic(kind) || kind == OpKind::Reduce || kind == OpKind::Scan; }

}  // namespace tilewright::ir
