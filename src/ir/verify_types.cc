// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/verify_types.h"

#include <algorithm>
#include <utility>

#include "ir/operands.h"
#include "ir/shapes.h"
#include "ir/text.h"

namespace tilewright::ir {
namespace {

using Wrong = std::optional<std::string>;

// What an operand may be, by its name in ops.def.
enum class Want : uint8_t { Anything, Number, Tile, Extent, Array, List, Pointer, Window };

Want wanted(OpKind kind, std::string_view name) {
  if (name == "array") return Want::Array;
  if (name == "list") return Want::List;
  if (name == "pointer" || name == "base") return Want::Pointer;
  if (name == "window") return Want::Window;
  if (name == "tile" || name == "acc") return Want::Tile;
  if (name == "extent") return Want::Extent;
  if (name == "condition" && kind != OpKind::Where) return Want::Anything;
  if (kind == OpKind::Copy || kind == OpKind::Set || kind == OpKind::Return || kind == OpKind::Yield || kind == OpKind::Call ||
      kind == OpKind::DtypeOf || kind == OpKind::AndThen || kind == OpKind::OrElse || kind == OpKind::Not ||
      kind == OpKind::CmpEq || kind == OpKind::CmpNe) {
    return Want::Anything;
  }
  return Want::Number;
}

bool is_predicate(OpKind kind) {
  return (kind >= OpKind::CmpEq && kind <= OpKind::CmpGe) || kind == OpKind::Not || kind == OpKind::IsNan ||
         kind == OpKind::IsInf;
}

bool is_elementwise(OpKind kind) { return (kind >= OpKind::Add && kind <= OpKind::Where); }

class Checker {
 public:
  Checker(const Program& program, FunctionId function, OpId op, Form form)
      : program_(program), arena_(program.arena), function_(function), op_(program.ops[op]), form_(form) {}

  Wrong run() {
    for (const auto& step : {&Checker::operands, &Checker::result_count, &Checker::closed, &Checker::results}) {
      if (Wrong wrong = (this->*step)()) return wrong;
    }
    return std::nullopt;
  }

 private:
  const Type& type_of(ValueId value) const { return program_.types[program_.values[value].type]; }
  std::string text_of(ValueId value) const { return program_.types.text(program_.values[value].type); }
  const Type& result() const { return type_of(op_.results[0]); }
  bool is_const(ValueId value) const { return type_of(value).kind == TypeKind::Const; }
  bool is_number(ValueId value) const { return is_const(value) || type_of(value).kind == TypeKind::Tile; }

  Wrong operands() {
    const std::optional<OperandList> all = named_operands(op_);
    if (!all) return "has another number of operands than ops.def says";
    for (const auto& [name, values] : *all) {
      const Want want = wanted(op_.kind, name);
      for (const ValueId value : values) {
        const TypeKind kind = type_of(value).kind;
        bool good = true;
        switch (want) {
          case Want::Anything: break;
          case Want::Number: good = is_number(value); break;
          case Want::Tile: good = kind == TypeKind::Tile; break;
          case Want::Extent: good = extent_of(program_, value).valid(); break;
          case Want::Array: good = kind == TypeKind::Array; break;
          case Want::List: good = kind == TypeKind::ArrayList; break;
          case Want::Pointer: good = kind == TypeKind::Tile && program_.types.is_pointer(type_of(value).dtype); break;
          case Want::Window: good = kind == TypeKind::Window; break;
        }
        if (!good) return "operand " + std::string(name) + " is a " + text_of(value);
      }
    }
    return std::nullopt;
  }

  Wrong result_count() {
    size_t least = 1;
    size_t most = 1;
    switch (info(op_.kind).effect) {
      case Effect::Jump: least = most = 0; break;
      case Effect::Structure:
        if (op_.kind == OpKind::If || op_.kind == OpKind::For || op_.kind == OpKind::While || op_.kind == OpKind::Unsupported)
          least = most = 0;
        break;
      case Effect::Writes:
        least = 0;
        most = op_.kind == OpKind::AtomicRmw || op_.kind == OpKind::AtomicCas || op_.kind == OpKind::PtrAtomicRmw ||
                       op_.kind == OpKind::PtrAtomicCas
                   ? 1
                   : 0;
        break;
      case Effect::Call: {
        if (!op_.attrs.rare->function || op_.attrs.rare->function.index >= program_.functions.size()) return "calls no function";
        least = most = program_.functions[op_.attrs.rare->function].results.size();
        break;
      }
      case Effect::Pure:
      case Effect::Reads:
        if (op_.kind == OpKind::Mark) least = most = 0;
        if (op_.kind == OpKind::Split) least = most = 2;
        if (op_.kind == OpKind::ReduceBy || op_.kind == OpKind::ScanBy) least = most = op_.operands.size();
        if (op_.kind == OpKind::MapBy) least = most = std::max<size_t>(op_.results.size(), 1);
        break;
    }
    if (op_.results.size() < least || op_.results.size() > most) return "has " + std::to_string(op_.results.size()) + " results";
    return std::nullopt;
  }

  Wrong closed() {
    if (form_ == Form::Open) return std::nullopt;
    for (const ValueId value : op_.results) {
      const Type& type = type_of(value);
      if ((type.kind == TypeKind::Tile || type.kind == TypeKind::Window) && !program_.types.is_closed(type.dtype))
        return "its dtype is open";
      for (const sym::ExprId extent : type.shape) {
        if (!arena_.integer_of(extent)) return "an extent is open";
      }
    }
    return std::nullopt;
  }

  // Extents that follow from operands are the same expressions; only where operands are taken to fit each other (a broadcast of
  // [M] with [N]) a result may say either.
  enum class Extents : uint8_t { Same, Fitting };

  Wrong is_tile(DtypeId dtype, const Shape& shape, Extents extents = Extents::Same) {
    const Type& got = result();
    if (got.kind != TypeKind::Tile) return "the result is no tile";
    if (dtype && got.dtype != dtype)
      return "the result has dtype " + program_.types.text(got.dtype) + " and not " + program_.types.text(dtype);
    const Fit fit = fits(arena_, got.shape, shape);
    if (fit == Fit::Yes || (fit == Fit::Unknown && form_ == Form::Open && extents == Extents::Fitting)) return std::nullopt;
    return "the result is " + text_of(op_.results[0]) + " and its operands make " + shape_text(shape);
  }

  std::string shape_text(const Shape& shape) const {
    std::string out = "[";
    for (size_t i = 0; i < shape.size(); ++i) out += (i ? ", " : "") + arena_.text(shape[i]);
    return out + "]";
  }

  Shape extents() const {
    Shape out;
    for (const ValueId value : operands_named(op_, "extent")) out.push_back(extent_of(program_, value));
    return out;
  }

  Wrong is_number_scalar() {
    const Type& got = result();
    if (got.kind == TypeKind::Const || (got.kind == TypeKind::Tile && got.shape.empty())) return std::nullopt;
    return "the result is " + text_of(op_.results[0]) + " and no scalar";
  }

  Wrong elementwise() {
    const std::span<const ValueId> values(op_.operands);
    Shape shape;
    bool any_tile = false;
    for (const ValueId value : values) {
      if (type_of(value).kind != TypeKind::Tile) continue;
      const Shape& own = type_of(value).shape;
      if (!std::exchange(any_tile, true)) {
        shape = own;
      } else if (own != shape) {
        Broadcast both = broadcast(arena_, shape, own);
        if (both.fit == Fit::No || (both.fit == Fit::Unknown && form_ == Form::Closed)) return "its operands do not broadcast";
        shape = std::move(both.shape);
      }
    }
    if (!any_tile) {
      if (result().kind != TypeKind::Const && !(result().kind == TypeKind::Tile && result().shape.empty()))
        return "constants do not make a tile";
      return std::nullopt;
    }
    const DtypeId computed = op_.attrs.dtype;
    for (size_t i = 0; i < values.size(); ++i) {
      const bool free = op_.kind == OpKind::Not || (op_.kind == OpKind::Pow && i == 1) || (op_.kind == OpKind::Where && i == 0);
      if (free || !computed || type_of(values[i]).kind != TypeKind::Tile) continue;
      if (type_of(values[i]).dtype != computed) {
        return "operand " + std::to_string(i) + " has dtype " + program_.types.text(type_of(values[i]).dtype) + " and not " +
               program_.types.text(computed);
      }
    }
    if (is_predicate(op_.kind)) {
      if (program_.types.scalar_of(result().dtype) != Scalar::Bool) return "the result is not bool_";
      return is_tile({}, shape, Extents::Fitting);
    }
    return is_tile(computed, shape, Extents::Fitting);
  }

  Wrong expanded() {
    const Shape& from = type_of(op_.operands[0]).shape;
    Shape want;
    size_t next = 0;
    for (uint32_t axis = 0; axis < from.size() + op_.attrs.rare->axes.size(); ++axis) {
      const bool inserted =
          std::find(op_.attrs.rare->axes.begin(), op_.attrs.rare->axes.end(), axis) != op_.attrs.rare->axes.end();
      if (!inserted && next == from.size()) return "an inserted axis is named twice";
      want.push_back(inserted ? arena_.one() : from[next++]);
    }
    return is_tile(type_of(op_.operands[0]).dtype, want);
  }

  Wrong permuted() {
    const Shape& from = type_of(op_.operands[0]).shape;
    ShortList<uint32_t> sorted = op_.attrs.rare->axes;
    std::sort(sorted.begin(), sorted.end());
    Shape want;
    for (uint32_t i = 0; i < from.size(); ++i) {
      if (i >= sorted.size() || sorted[i] != i) return "its axes are no permutation";
      want.push_back(from[op_.attrs.rare->axes[i]]);
    }
    if (sorted.size() != from.size()) return "its axes are no permutation";
    return is_tile(type_of(op_.operands[0]).dtype, want);
  }

  Wrong reduction() {
    if (is_const(op_.operands[0])) return std::nullopt;
    const Type& x = type_of(op_.operands[0]);
    ShortList<uint32_t> axes = op_.attrs.rare->axes;
    if (op_.attrs.all_axes) {
      axes.clear();
      for (uint32_t i = 0; i < x.shape.size(); ++i) axes.push_back(i);
    }
    for (const uint32_t axis : axes) {
      if (axis >= x.shape.size()) return "an axis is out of range";
    }
    const bool is_index = op_.attrs.rare->reduction == Reduction::ArgMax || op_.attrs.rare->reduction == Reduction::ArgMin;
    if (is_index && program_.types.scalar_of(result().dtype) != Scalar::I32) return "an index is not int32";
    return is_tile(is_index ? DtypeId{} : x.dtype, reduced(arena_, x.shape, axes, op_.attrs.keep_dims));
  }

  Wrong product() {
    const Type& x = type_of(op_.operands[0]);
    const Type& y = type_of(op_.operands[1]);
    if (x.kind != TypeKind::Tile || y.kind != TypeKind::Tile) return "a factor is no tile";
    const Broadcast want = matrix_product(arena_, x.shape, y.shape);
    if (want.fit == Fit::No || (want.fit == Fit::Unknown && form_ == Form::Closed)) return "its factors do not fit";
    if (op_.operands.size() == 3 && program_.values[op_.operands[2]].type != program_.values[op_.results[0]].type) {
      if (form_ == Form::Closed || type_of(op_.operands[2]).dtype != result().dtype)
        return "the accumulator has another type than the result";
    }
    return is_tile({}, want.shape, Extents::Fitting);
  }

  Wrong indexed() {
    Shape shape;
    for (const ValueId index : operands_named(op_, "index")) {
      Broadcast both = broadcast(arena_, shape, shape_of(program_, index));
      if (both.fit == Fit::No) return "its indices do not broadcast";
      shape = std::move(both.shape);
    }
    if (op_.results.empty()) return std::nullopt;
    return is_tile(type_of(op_.operands[0]).dtype, shape, Extents::Fitting);
  }

  // Reads and writes through addresses: the tile of addresses, broadcast with the mask, and the dtype that they point to.
  Wrong addressed() {
    const Type& pointer = type_of(op_.operands[0]);
    const DtypeId pointee = program_.types[pointer.dtype].a;
    Shape shape = pointer.shape;
    const bool loads = op_.kind == OpKind::PtrLoad;
    for (const std::string_view name : {"mask", "padding", "value", "expected", "desired"}) {
      const ValueId operand = operand_named(op_, name);
      if (!operand || type_of(operand).kind != TypeKind::Tile) continue;
      const Type& type = type_of(operand);
      if (name == "mask" ? program_.types.scalar_of(type.dtype) != Scalar::Bool : type.dtype != pointee)
        return "operand " + std::string(name) + " is a " + text_of(operand);
      Broadcast both = broadcast(arena_, shape, type.shape);
      const bool grows = !loads && both.shape.size() > shape.size();
      if (both.fit == Fit::No || grows || (both.fit == Fit::Unknown && form_ == Form::Closed))
        return "operand " + std::string(name) + " does not broadcast to the addresses";
      shape = std::move(both.shape);
    }
    return op_.results.empty() ? Wrong{} : is_tile(pointee, shape, Extents::Fitting);
  }

  Wrong moved_pointer() {
    const Type& pointer = type_of(op_.operands[0]);
    const Broadcast both = broadcast(arena_, pointer.shape, shape_of(program_, op_.operands[1]));
    if (both.fit == Fit::No) return "its operands do not broadcast";
    return is_tile(pointer.dtype, both.shape, Extents::Fitting);
  }

  Wrong windowed() {
    const Type& window = type_of(op_.operands[0]);
    const bool has_offsets = op_.kind == OpKind::WindowLoad || op_.kind == OpKind::WindowStore ||
                             op_.kind == OpKind::WindowAtomic || op_.kind == OpKind::WindowMove;
    if (has_offsets && op_.attrs.rank != 0 && op_.attrs.rank != window.shape.size()) return "has another rank than its window";
    for (const uint32_t axis : op_.attrs.rare->axes) {
      if (axis >= window.shape.size()) return "an axis is out of range";
    }
    if (op_.kind == OpKind::WindowMove)
      return program_.values[op_.results[0]].type == program_.values[op_.operands[0]].type ? Wrong{}
                                                                                           : Wrong{"moves to another window"};
    if (const ValueId value = operand_named(op_, "value"); value && type_of(value).kind == TypeKind::Tile) {
      if (type_of(value).dtype != window.dtype) return "the value has another dtype than the window";
    }
    if (op_.kind == OpKind::WindowLoad) return is_tile(window.dtype, window.shape);
    if (op_.kind == OpKind::WindowGather) {
      Shape want = shape_of(program_, op_.operands[1]);
      if (want.size() != 1 || window.shape.size() != 2) return "gathers other than rows";
      want.push_back(window.shape[1]);
      return is_tile(window.dtype, want);
    }
    return std::nullopt;
  }

  Wrong made_window() {
    const Type& base = type_of(op_.operands[0]);
    if (result().kind != TypeKind::Window || result().dtype != program_.types[base.dtype].a)
      return "the result is no window of that dtype";
    return fits(arena_, result().shape, extents()) == Fit::Yes ? Wrong{} : Wrong{"the result has other extents"};
  }

  // By a function: as many operands of each parameter's dtype as it wants, and as many results as operands.
  Wrong combined() {
    if (!op_.attrs.rare->function || op_.attrs.rare->function.index >= program_.functions.size()) return "calls no function";
    const Function& callee = program_.functions[op_.attrs.rare->function];
    const size_t count = op_.operands.size();
    if (callee.kind != FunctionKind::Helper) return "combines by a kernel";
    if (op_.kind == OpKind::MapBy)
      return callee.results.size() == op_.results.size() ? Wrong{} : Wrong{"has not the results of its function"};
    if (count == 0 || callee.results.size() != count) return "combines by a function of another number of results";
    const Shape& shape = type_of(op_.operands[0]).shape;
    for (const ValueId operand : op_.operands) {
      if (type_of(operand).kind != TypeKind::Tile || fits(arena_, type_of(operand).shape, shape) == Fit::No)
        return "its operands differ in shape";
    }
    if (!op_.attrs.all_axes && op_.attrs.axis >= shape.size()) return "an axis is out of range";
    for (size_t i = 0; i < count; ++i) {
      if (type_of(op_.results[i]).dtype != type_of(op_.operands[i]).dtype) return "a result has another dtype than its operand";
    }
    return std::nullopt;
  }

  Wrong joined() {
    const Type& a = type_of(op_.operands[0]);
    const Type& b = type_of(op_.operands[1]);
    if (a.kind != TypeKind::Tile || b.kind != TypeKind::Tile || a.dtype != b.dtype) return "its operands have two dtypes";
    Broadcast both = broadcast(arena_, a.shape, b.shape);
    if (both.fit == Fit::No) return "its operands do not broadcast";
    const Shape& got = result().shape;
    if (got.empty() || arena_.integer_of(got.back()) != 2) return "the result has no last extent of 2";
    const Fit fit = fits(arena_, Shape(got.begin(), got.end() - 1), both.shape);
    return result().dtype == a.dtype && fit != Fit::No ? Wrong{} : Wrong{"the result is a " + text_of(op_.results[0])};
  }

  Wrong halved() {
    Shape want = type_of(op_.operands[0]).shape;
    if (want.empty()) return "a scalar has no halves";
    want.pop_back();
    for (const ValueId half : op_.results) {
      if (type_of(half).dtype != type_of(op_.operands[0]).dtype || fits(arena_, type_of(half).shape, want) != Fit::Yes)
        return "a half is a " + text_of(half);
    }
    return std::nullopt;
  }

  Wrong loaded() {
    const Type& array = type_of(op_.operands[0]);
    if (array.rank != unknown_rank && array.rank != op_.attrs.rank) return "the array has another rank than the index";
    if (op_.kind == OpKind::StoreTile) {
      const ValueId value = operand_named(op_, "value");
      const Type& stored = type_of(value);
      if (stored.kind != TypeKind::Tile) return std::nullopt;
      if (stored.dtype != array.dtype) return "the value has another dtype than the array";
      if (!stored.shape.empty() && stored.shape.size() != op_.attrs.rank) return "the value has another rank than the index";
      return std::nullopt;
    }
    const Shape shape = extents();
    const bool element =
        result().kind == TypeKind::Tile && result().shape.empty() &&
        std::all_of(shape.begin(), shape.end(), [&](sym::ExprId extent) { return arena_.integer_of(extent) == 1; });
    return is_tile(array.dtype, element ? Shape{} : shape);
  }

  // In a closed program constants have been calculated (ir/specialize.h), so that a float need not be what its normal form says.
  bool same(TypeId a, TypeId b) const {
    if (a == b) return true;
    const Type& x = program_.types[a];
    const Type& y = program_.types[b];
    return form_ == Form::Closed && x.kind == TypeKind::Const && y.kind == TypeKind::Const && x.loose == LooseKind::Float &&
           x.loose == y.loose;
  }

  // Whether a dtype is this one in some launches.
  bool may_be(DtypeId dtype, DtypeId wanted) const {
    if (dtype == wanted) return true;
    const Dtype& row = program_.types[dtype];
    return row.kind == DtypeKind::Select && (may_be(row.a, wanted) || may_be(row.b, wanted));
  }

  // A constant that becomes the value of a variable has its own dtype: bool_, int32 (or wider, by its value), float32.
  bool becomes(const Type& from, const Type& to) const {
    if (to.kind == TypeKind::Const) {
      return from.kind == TypeKind::Const && (from.value == to.value || form_ == Form::Open || from.loose == LooseKind::Float);
    }
    if (to.kind != TypeKind::Tile || from.kind != TypeKind::Const || !to.shape.empty()) return false;
    if (from.strict) return may_be(to.dtype, from.dtype);
    const std::optional<ScalarClass> kind = program_.types.class_of(to.dtype);
    switch (from.loose) {
      case LooseKind::Bool: return kind == ScalarClass::Bool;
      case LooseKind::Int: return kind == ScalarClass::Signed || kind == ScalarClass::Unsigned;
      case LooseKind::Float: return program_.types.scalar_of(to.dtype) == Scalar::F32;
    }
    return false;
  }

  Wrong agrees(ValueId from, ValueId to, const char* what) const {
    if (program_.values[from].type == program_.values[to].type || becomes(type_of(from), type_of(to))) return std::nullopt;
    const Type& a = type_of(from);
    const Type& b = type_of(to);
    const bool open = form_ == Form::Open && a.kind == b.kind && fits(arena_, a.shape, b.shape) != Fit::No;
    if (open) return std::nullopt;
    return std::string(what) + " is a " + text_of(from) + " and the result a " + text_of(to);
  }

  Wrong yielded() {
    for (const BlockId region : op_.regions) {
      const OpId last = program_.blocks[region].ops.back();
      if (program_.ops[last].kind != OpKind::Yield) continue;
      if (Wrong wrong = agrees(program_.ops[last].operands[0], op_.results[0], "an arm")) return wrong;
    }
    return std::nullopt;
  }

  Wrong called() {
    const Function& callee = program_.functions[op_.attrs.rare->function];
    std::vector<ValueId> wanted_params;
    for (const Param& param : callee.params) {
      if (param.value) wanted_params.push_back(param.value);
    }
    if (callee.kind != FunctionKind::Helper) return "calls a kernel";
    if (wanted_params.size() != op_.operands.size()) return "passes another number of arguments than `" + callee.name + "` has";
    for (size_t i = 0; i < op_.operands.size(); ++i) {
      if (!same(program_.values[op_.operands[i]].type, program_.values[wanted_params[i]].type)) {
        return "passes a " + text_of(op_.operands[i]) + " as `" + program_.values[wanted_params[i]].name.string() + "`, a " +
               text_of(wanted_params[i]);
      }
    }
    for (size_t i = 0; i < op_.results.size(); ++i) {
      if (!same(program_.values[op_.results[i]].type, callee.results[i]))
        return "a result is not what `" + callee.name + "` returns";
    }
    return std::nullopt;
  }

  Wrong returned() {
    const ShortList<TypeId>& wanted_types = program_.functions[function_].results;
    for (size_t i = 0; i < op_.operands.size(); ++i) {
      const TypeId got = program_.values[op_.operands[i]].type;
      if (got == wanted_types[i] || becomes(type_of(op_.operands[i]), program_.types[wanted_types[i]])) continue;
      if (form_ == Form::Open && program_.types[got].kind == program_.types[wanted_types[i]].kind) continue;
      return "returns a " + text_of(op_.operands[i]) + " for a " + program_.types.text(wanted_types[i]);
    }
    return std::nullopt;
  }

  Wrong reshaped() {
    const Shape want = extents();
    if (form_ == Form::Closed) {
      const auto count = [&](const Shape& shape) {
        int64_t product = 1;
        for (const sym::ExprId extent : shape) product *= arena_.integer_of(extent).value_or(0);
        return product;
      };
      if (count(want) != count(shape_of(program_, op_.operands[0]))) return "has another number of elements than its operand";
    }
    return is_tile(type_of(op_.operands[0]).dtype, want);
  }

  Wrong broadcasted() {
    const Shape want = extents();
    const Broadcast both = broadcast(arena_, shape_of(program_, op_.operands[0]), want);
    if (both.fit == Fit::No || both.shape.size() != want.size()) return "its operand does not broadcast";
    return is_tile(type_of(op_.operands[0]).dtype, want);
  }

  Wrong catenated() {
    const Type& a = type_of(op_.operands[0]);
    const Type& b = type_of(op_.operands[1]);
    if (a.kind != TypeKind::Tile || b.kind != TypeKind::Tile || a.shape.size() != b.shape.size() ||
        op_.attrs.axis >= a.shape.size())
      return "its operands do not fit";
    if (a.dtype != b.dtype) return "its operands have two dtypes";
    const std::optional<int64_t> first = arena_.integer_of(a.shape[op_.attrs.axis]);
    const std::optional<int64_t> second = arena_.integer_of(b.shape[op_.attrs.axis]);
    if (result().kind != TypeKind::Tile || result().shape.size() != a.shape.size()) return "the result has another rank";
    const std::optional<int64_t> both = arena_.integer_of(result().shape[op_.attrs.axis]);
    if (first && second && both && *both != *first + *second) return "the result is not as long as its operands together";
    Shape want = a.shape;
    want[op_.attrs.axis] = result().shape[op_.attrs.axis];
    return is_tile(a.dtype, want);
  }

  Wrong results() {
    if (is_elementwise(op_.kind)) return elementwise();
    switch (op_.kind) {
      case OpKind::Cast:
      case OpKind::Bitcast:
        if (is_const(op_.operands[0])) return std::nullopt;
        if (!op_.attrs.dtype) return "converts to no dtype";
        return is_tile(op_.attrs.dtype, shape_of(program_, op_.operands[0]));
      case OpKind::Iota: return is_tile(op_.attrs.dtype, extents());
      case OpKind::Full:
        return result().kind == TypeKind::Const && op_.attrs.rank == 0 ? Wrong{} : is_tile(op_.attrs.dtype, extents());
      case OpKind::Reshape: return reshaped();
      case OpKind::Broadcast: return broadcasted();
      case OpKind::ExpandDims: return expanded();
      case OpKind::Permute: return permuted();
      case OpKind::Cat: return catenated();
      case OpKind::Extract: {
        const Shape want = extents();
        const bool element = result().kind == TypeKind::Tile && result().shape.empty();
        return is_tile(type_of(op_.operands[0]).dtype, element ? Shape{} : want);
      }
      case OpKind::Reduce: return reduction();
      case OpKind::Scan: return is_tile(type_of(op_.operands[0]).dtype, shape_of(program_, op_.operands[0]));
      case OpKind::Flip:
      case OpKind::Sort: return is_tile(type_of(op_.operands[0]).dtype, shape_of(program_, op_.operands[0]));
      case OpKind::Take: return is_tile(type_of(op_.operands[0]).dtype, shape_of(program_, op_.operands[1]));
      case OpKind::TopK: {
        Shape want = shape_of(program_, op_.operands[0]);
        if (op_.attrs.axis >= want.size()) return "an axis is out of range";
        want[op_.attrs.axis] = extents()[0];
        return is_tile(type_of(op_.operands[0]).dtype, want);
      }
      case OpKind::Histogram: return is_tile(DtypeId{}, extents());
      case OpKind::Join: return joined();
      case OpKind::Split: return halved();
      case OpKind::ReduceBy:
      case OpKind::ScanBy:
      case OpKind::MapBy: return combined();
      case OpKind::PtrAdd: return moved_pointer();
      case OpKind::PtrLoad:
      case OpKind::PtrStore:
      case OpKind::PtrAtomicRmw:
      case OpKind::PtrAtomicCas: return addressed();
      case OpKind::MakeWindow: return made_window();
      case OpKind::WindowMove:
      case OpKind::WindowLoad:
      case OpKind::WindowStore:
      case OpKind::WindowAtomic:
      case OpKind::WindowGather:
      case OpKind::WindowScatter: return windowed();
      case OpKind::WindowDim:
      case OpKind::WindowStride: return is_number_scalar();
      case OpKind::Dot: return product();
      case OpKind::LoadTile:
      case OpKind::StoreTile: return loaded();
      case OpKind::Gather:
      case OpKind::Scatter:
      case OpKind::AtomicRmw:
      case OpKind::AtomicCas: return indexed();
      case OpKind::ProgramId:
      case OpKind::NumPrograms:
      case OpKind::ArrayDim:
      case OpKind::ArrayStride:
      case OpKind::NumTiles:
      case OpKind::ListLen: return is_number_scalar();
      case OpKind::ArraySlice:
      case OpKind::ListItem:
        if (result().kind != TypeKind::Array || result().dtype != type_of(op_.operands[0]).dtype)
          return "the result is no array of that dtype";
        return std::nullopt;
      case OpKind::DtypeName:
      case OpKind::DtypeOf: return result().kind == TypeKind::DtypeConst ? Wrong{} : Wrong{"the result is no dtype"};
      case OpKind::TileDim: return result().kind == TypeKind::Const ? Wrong{} : Wrong{"the result is no constant"};
      case OpKind::Copy: return agrees(op_.operands[0], op_.results[0], "the operand");
      case OpKind::Ternary: return yielded();
      case OpKind::AndThen:
      case OpKind::OrElse: return is_number_scalar();
      case OpKind::Call: return called();
      case OpKind::Return: return returned();
      case OpKind::For: {
        const Type& induction = type_of(program_.blocks[op_.regions[0]].arguments[0]);
        const std::optional<ScalarClass> kind = program_.types.class_of(induction.dtype);
        const bool good = induction.kind == TypeKind::Tile && induction.shape.empty() &&
                          (!kind || *kind == ScalarClass::Signed || *kind == ScalarClass::Unsigned);
        return good ? Wrong{} : Wrong{"its induction variable is no integer scalar"};
      }
      case OpKind::Literal: return literal_of(program_, op_) ? Wrong{} : Wrong{"its type is not that of a number"};
      case OpKind::Symbol:
      case OpKind::Get:
      case OpKind::Set:
      case OpKind::If:
      case OpKind::While:
      case OpKind::Break:
      case OpKind::Continue:
      case OpKind::Yield:
      case OpKind::Unsupported:
      case OpKind::Mark:
      case OpKind::Add:
      case OpKind::Sub:
      case OpKind::Mul:
      case OpKind::TrueDiv:
      case OpKind::FloorDiv:
      case OpKind::TruncDiv:
      case OpKind::CeilDiv:
      case OpKind::CeilDivPositive:
      case OpKind::FloorMod:
      case OpKind::TruncMod:
      case OpKind::Pow:
      case OpKind::Min:
      case OpKind::Max:
      case OpKind::BitAnd:
      case OpKind::BitOr:
      case OpKind::BitXor:
      case OpKind::Shl:
      case OpKind::Shr:
      case OpKind::Atan2:
      case OpKind::CmpEq:
      case OpKind::CmpNe:
      case OpKind::CmpLt:
      case OpKind::CmpLe:
      case OpKind::CmpGt:
      case OpKind::CmpGe:
      case OpKind::Neg:
      case OpKind::Not:
      case OpKind::BitNot:
      case OpKind::Abs:
      case OpKind::Exp:
      case OpKind::Exp2:
      case OpKind::Log:
      case OpKind::Log2:
      case OpKind::Sqrt:
      case OpKind::Rsqrt:
      case OpKind::Sin:
      case OpKind::Cos:
      case OpKind::Tan:
      case OpKind::Sinh:
      case OpKind::Cosh:
      case OpKind::Tanh:
      case OpKind::Floor:
      case OpKind::Ceil:
      case OpKind::Barrier:
      case OpKind::Assume:
      case OpKind::DeviceAssert:
      case OpKind::MulHigh:
      case OpKind::Erf:
      case OpKind::Log1p:
      case OpKind::Expm1:
      case OpKind::Asin:
      case OpKind::Acos:
      case OpKind::Atan:
      case OpKind::Rint:
      case OpKind::Trunc:
      case OpKind::IsInf:
      case OpKind::Fma:
      case OpKind::IsNan:
      case OpKind::Where: return std::nullopt;
    }
    return std::nullopt;
  }

  const Program& program_;
  const sym::Arena& arena_;
  FunctionId function_;
  const Op& op_;
  Form form_;
};

}  // namespace

Wrong mistyped(const Program& program, FunctionId function, OpId op, Form form) {
  return Checker(program, function, op, form).run();
}

}  // namespace tilewright::ir
