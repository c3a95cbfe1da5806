// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores. cuTile says which tile of an array; Triton wants a pointer per element and a mask. So extents and strides
// become arguments, offsets are calculated once and named, and everything that can pass 2^31 is calculated in 64 bits.

#include <algorithm>

#include "back/triton/lower.h"
#include "back/triton/messages.h"
#include "base/check.h"

namespace tilewright::back::triton {

using ir::Bounds;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::Padding;
using ir::Scalar;
using ir::ValueId;

namespace {

std::string newaxis(size_t rank, size_t axis) {
  std::string out;
  for (size_t i = 0; i < rank; ++i) out += (i > 0 ? ", " : "") + std::string(i == axis ? ":" : "None");
  return out;
}

}  // namespace

PyId Lowering::index64(ValueId index) {
  const PyId py = value(index);
  if (!is_const(index) && program_.types.scalar_of(type(index).dtype) == Scalar::I64) return py;
  const bool tile = is_tile(index) && !type(index).shape.empty();
  return cast(py, tile, program_.types.known(Scalar::I64), {});
}

PyId Lowering::shared_definition(const Shared& shared) {
  const ValueId index = shared.index;
  if (shared.kind == SharedKind::Wide) return index64(index);
  if (shared.kind == SharedKind::Element) return value(index);
  const PyId count = shared.extent ? value(shared.extent) : constant(shared.size);
  const PyId lanes = python_.call("tl.arange", {python_.number(0), count});
  const ir::DtypeId i64 = program_.types.known(Scalar::I64);
  if (is_zero(program_, index)) return cast(lanes, true, i64, {});
  if (is_const(index)) {
    const bool one = program_.arena.integer_of(type(index).value) == 1;
    const PyId start = one ? count : python_.infix(value(index), "*", count);
    return cast(python_.infix(start, "+", lanes), true, i64, {});
  }
  return python_.infix(python_.infix(index64(index), "*", count), "+", lanes);
}

// --- arrays

const View& Lowering::view(ValueId array) {
  const OpId made = program_.values[array].definition;
  if (made && op(made).kind == OpKind::Get) return var_views_.at(op(made).attrs.var);
  const auto found = views_.find(array);
  TW_CHECK(found != views_.end(), "an array without a definition");
  return found->second;
}

// What a value is a second name for, itself if it is none.
ValueId Lowering::original(ValueId value) const {
  for (const Op* made = definition(value); made && made->kind == OpKind::Copy; made = definition(value))
    value = made->operands[0];
  return value;
}

// The parameter whose strides an array has: a slice has those of its array.
ValueId Lowering::strides_of(ValueId array) const {
  for (const Op* made = definition(array); made; made = definition(array)) {
    if (made->kind != OpKind::ArraySlice && made->kind != OpKind::Copy) return {};
    array = made->operands[0];
  }
  return array;
}

// Variables that hold one array or another: a name for each field.
void Lowering::plan_array_variables() {
  std::map<ir::VarId, std::vector<ValueId>> assigned;
  for (const OpId id : sets_) {
    for (size_t i = 0; i < ir::written_vars(op(id)).size(); ++i) {
      if (is_array(op(id).operands[i])) assigned[ir::written_vars(op(id))[i]].push_back(op(id).operands[i]);
    }
  }
  for (const auto& [var, arrays] : assigned) {
    ValueId common = strides_of(arrays[0]);
    for (const ValueId array : arrays) {
      if (strides_of(array) != common) common = {};
    }
    const Fields& fields = demand_.vars[var.index];
    View view{.pointer = python_.atom(name(var)), .label = std::string(name(var)), .extents = {}, .strides = {}};
    view.extents.resize(ir::most_axes);
    view.strides.resize(ir::most_axes);
    for (uint32_t axis = 0; axis < ir::most_axes; ++axis) {
      const std::string number = std::to_string(axis);
      if (fields.extent(axis)) view.extents[axis] = python_.atom(fresh(view.label + "_shape_" + number));
      if (fields.stride(axis))
        view.strides[axis] = common ? views_.at(common).strides[axis] : python_.atom(fresh(view.label + "_stride_" + number));
    }
    var_views_[var] = std::move(view);
  }
}

void Lowering::set_array(ir::VarId var, ValueId array, std::vector<StmtId>& out) {
  const View from = view(array);
  const View& to = var_views_.at(var);
  const Fields& fields = demand_.vars[var.index];
  const auto copy = [&](PyId target, PyId source) {
    if (!same(python_, target, source)) out.push_back(python_.assign(target, source));
  };
  if (fields.address) copy(to.pointer, from.pointer);
  for (uint32_t axis = 0; axis < ir::most_axes; ++axis) {
    if (fields.extent(axis)) copy(to.extents[axis], from.extents[axis]);
  }
  for (uint32_t axis = 0; axis < ir::most_axes; ++axis) {
    if (fields.stride(axis)) copy(to.strides[axis], from.strides[axis]);
  }
}

// A slice, an item of a list, another name: the fields that are needed get names of their own.
void Lowering::define_array(OpId id, std::vector<StmtId>& out) {
  const Op& current = op(id);
  const ValueId result = current.results[0];
  const Fields fields = demand_.of(result);
  const uint32_t rank = type(result).rank == ir::unknown_rank ? 0 : type(result).rank;
  View made;
  made.extents.resize(rank);
  made.strides.resize(rank);
  if (current.kind == OpKind::Copy) {
    if (is_array(result)) views_[result] = view(current.operands[0]);
    return;
  }
  // Under the name of the variable that takes it over, if one does.
  const View* target = nullptr;
  if (const std::span<const OpId> users = uses_.users(result);
      users.size() == 1 && op(users[0]).kind == OpKind::Set && !has_name(result)) {
    target = &var_views_.at(ir::written_vars(op(users[0]))[0]);
  }
  const auto label = [&](const std::string& otherwise) {
    return target ? target->label : std::string(has_name(result) ? name(result) : fresh(otherwise));
  };
  const auto field = [&](std::vector<PyId>& own, std::vector<PyId> View::* fields_of, const char* word, uint32_t axis, PyId py) {
    if (python_[py].kind == PyKind::Atom && !target) {
      own[axis] = py;
      return;
    }
    own[axis] = target ? (target->*fields_of)[axis] : python_.atom(fresh(made.label + word + std::to_string(axis)));
    out.push_back(python_.assign(own[axis], py));
  };
  if (current.kind == OpKind::ArraySlice) {
    const View parent = view(current.operands[0]);
    const uint32_t axis = current.attrs.axis;
    made = parent;
    made.label = label(parent.label + "_slice");
    if (fields.address && !is_zero(program_, current.operands[1])) {
      const PyId offset = python_.infix(index64(current.operands[1]), "*", parent.strides[axis]);
      out.push_back(python_.assign(made.label, python_.infix(parent.pointer, "+", offset)));
      made.pointer = python_.atom(made.label);
    }
    if (fields.extent(axis)) {
      const PyId stop = value(current.operands[2]);
      const PyId size = is_zero(program_, current.operands[1]) ? stop : python_.infix(stop, "-", value(current.operands[1]));
      field(made.extents, &View::extents, "_shape_", axis, size);
    }
    views_[result] = std::move(made);
    return;
  }
  TW_CHECK(current.kind == OpKind::ListItem, "an array is made by an op that is unknown here");
  // A row of the list's table: address, extents, strides.
  const ValueId list = original(current.operands[0]);
  std::string table;
  std::string element;
  for (const Slot& slot : out_.slots) {
    if (program_.functions[function_].params[slot.param].value != list) continue;
    if (slot.what == Carries::Table) table = slot.name;
    if (slot.what == Carries::Dtype) element = slot.name;
  }
  const PyId row = python_.infix(python_.atom(table), "+",
                                 python_.infix(value(current.operands[1]), "*", python_.number(1 + 2 * int64_t{rank})));
  const auto cell = [&](int64_t column) {
    return python_.call("tl.load", {column == 0 ? row : python_.infix(row, "+", python_.number(column))});
  };
  made.label = label(table + "_item");
  const PyId address = python_.method(cell(0), "to", {python_.call("tl.pointer_type", {python_.atom(element)})});
  out.push_back(python_.assign(made.label, address));
  made.pointer = python_.atom(made.label);
  for (uint32_t axis = 0; axis < rank; ++axis) {
    if (fields.extent(axis))
      field(made.extents, &View::extents, "_shape_", axis, python_.method(cell(1 + axis), "to", {python_.atom("tl.int32")}));
  }
  for (uint32_t axis = 0; axis < rank; ++axis) {
    if (fields.stride(axis)) field(made.strides, &View::strides, "_stride_", axis, cell(1 + int64_t{rank} + axis));
  }
  views_[result] = std::move(made);
}

// --- tiles

Lowering::Address Lowering::tile_address(OpId id, const std::vector<sym::ExprId>& printed) {
  const Op& op = this->op(id);
  const View& array = view(op.operands[0]);
  const bool load = op.kind == OpKind::LoadTile;
  const ValueId moved = load ? op.results[0] : op.operands[1 + op.attrs.rank];
  const bool scalar = !is_tile(moved) || type(moved).shape.empty();
  Address out;
  out.pointer = array.pointer;
  size_t position = 0;
  for (uint32_t axis = 0; axis < op.attrs.rank; ++axis) {
    const ValueId index = op.operands[1 + axis];
    const uint32_t of = array_axis(op, axis);
    const bool unit = scalar || is_unit(program_, type(moved).shape[axis]);
    const Shared* const shared = shared_at(offsets_, id, axis);
    if (unit) {
      if (is_zero(program_, index)) continue;
      const PyId wide = shared ? python_.atom(locals_[shared->name]) : index64(index);
      const bool one = is_const(index) && program_.arena.integer_of(type(index).value) == 1;
      out.pointer = python_.infix(out.pointer, "+", one ? array.strides[of] : python_.infix(wide, "*", array.strides[of]));
      continue;
    }
    while (position < printed.size() && is_unit(program_, printed[position])) ++position;
    TW_CHECK(shared != nullptr, "a tile without offsets");
    PyId lanes = python_.atom(locals_[shared->name]);
    if (printed.size() > 1) lanes = python_.index(lanes, newaxis(printed.size(), position));
    ++position;
    out.block = true;
    out.pointer = python_.infix(out.pointer, "+", python_.infix(lanes, "*", array.strides[of]));
    if (op.attrs.rare->bounds == Bounds::Never) continue;
    const PyId inside = python_.infix(lanes, "<", array.extents[of]);
    out.mask = out.mask ? python_.infix(out.mask, "&", inside) : inside;
  }
  return out;
}

PyId Lowering::fill(const Op& op, ir::DtypeId element) {
  const std::optional<ir::ScalarClass> kind = program_.types.class_of(element);
  const bool whole = kind == ir::ScalarClass::Signed || kind == ir::ScalarClass::Unsigned;
  const PyId infinity = python_.call("float", {python_.atom("\"inf\"")});
  // Triton rounds it to the largest number of a float8.
  const bool infinite = op.attrs.padding == Padding::PosInf || op.attrs.padding == Padding::NegInf;
  if (infinite && is_float8(element)) guard_not_float8_e5m2(element);
  switch (op.attrs.padding) {
    case Padding::Undetermined:
    case Padding::Zero: return python_.atom(kind == ir::ScalarClass::Bool ? "False" : whole ? "0" : "0.0");
    case Padding::NegZero: return negative_zero();
    case Padding::Nan: return python_.call("float", {python_.atom("\"nan\"")});
    case Padding::PosInf: return infinity;
    case Padding::NegInf: return python_.prefix("-", infinity);
  }
  return infinity;
}

PyId Lowering::load_tile(OpId id, const std::vector<sym::ExprId>& printed) {
  const Op& op = this->op(id);
  const Address address = tile_address(id, printed);
  std::vector<PyId> arguments = {address.pointer};
  if (address.mask) {
    arguments.push_back(python_.keyword("mask", address.mask));
    arguments.push_back(python_.keyword("other", fill(op, type(op.results[0]).dtype)));
  }
  switch (op.attrs.rare->order_of_memory) {
    case ir::MemoryOrder::Weak: break;
    case ir::MemoryOrder::Relaxed: arguments.push_back(python_.keyword("volatile", python_.atom("True"))); break;
    case ir::MemoryOrder::Acquire:
    case ir::MemoryOrder::Release:
    case ir::MemoryOrder::AcqRel:
      refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_memory_order, "load", "ACQUIRE"));
  }
  PyId out = python_.call("tl.load", arguments);
  if (!address.block && !printed.empty()) {
    std::string index;
    for (size_t i = 0; i < printed.size(); ++i) index += i > 0 ? ", None" : "None";
    out = python_.index(out, index);
  }
  return out;
}

PyId Lowering::store_tile(OpId id) {
  const Op& op = this->op(id);
  const ValueId stored = op.operands[1 + op.attrs.rank];
  const std::vector<sym::ExprId> printed = is_tile(stored) ? shape(stored) : std::vector<sym::ExprId>{};
  const Address address = tile_address(id, printed);
  PyId content = with_sign(operand(stored, true), {}, op.span);
  if (!address.block && !printed.empty()) content = python_.call("tl.reshape", {content, python_.tuple({})});
  std::vector<PyId> arguments = {address.pointer, content};
  if (address.mask) arguments.push_back(python_.keyword("mask", address.mask));
  if (op.attrs.rare->order_of_memory == ir::MemoryOrder::Release)
    refuse(op.span, diag::report(diag::Severity::Error, op.span, no_such_memory_order, "store", "RELEASE"));
  return python_.call("tl.store", arguments);
}

// --- elements

Lowering::Address Lowering::element_address(OpId id, std::optional<ValueId> mask) {
  const Op& op = this->op(id);
  const View& array = view(op.operands[0]);
  Address out;
  out.pointer = array.pointer;
  const auto both = [&](PyId test) { out.mask = out.mask ? python_.infix(out.mask, "&", test) : test; };
  for (uint32_t axis = 0; axis < op.attrs.rank; ++axis) {
    const ValueId index = op.operands[1 + axis];
    const bool tile = is_tile(index) && !type(index).shape.empty();
    out.block = out.block || tile;
    const Shared* const element = shared_at(elements_, id, axis);
    const PyId plain_index = element ? python_.atom(locals_[element->name]) : value(index);
    PyId wide = plain_index;
    if (const Shared* const widened = shared_at(offsets_, id, axis); widened && !is_const(index)) {
      wide = python_.atom(locals_[widened->name]);
    } else if (is_const(index) || program_.types.scalar_of(type(index).dtype) != Scalar::I64) {
      wide = cast(plain_index, tile, program_.types.known(Scalar::I64), op.span);
    }
    if (!is_zero(program_, index)) {
      const bool one = is_const(index) && program_.arena.integer_of(type(index).value) == 1;
      out.pointer = python_.infix(out.pointer, "+", one ? array.strides[axis] : python_.infix(wide, "*", array.strides[axis]));
    }
    if (op.attrs.rare->bounds == Bounds::Never) continue;
    out.fixed = out.fixed && is_const(index);
    const bool unsigned_index = is_tile(index) && program_.types.class_of(type(index).dtype) == ir::ScalarClass::Unsigned;
    const std::optional<int64_t> known = is_const(index) ? program_.arena.integer_of(type(index).value) : std::nullopt;
    if (op.attrs.rare->bounds == Bounds::Both && !unsigned_index && !(known && *known >= 0))
      both(python_.infix(plain_index, ">=", python_.number(0)));
    both(python_.infix(plain_index, "<", array.extents[axis]));
  }
  if (mask) both(truth(value(*mask), *mask));
  return out;
}

PyId Lowering::gather(OpId id) {
  const Op& op = this->op(id);
  size_t next = 1 + op.attrs.rank;
  std::optional<ValueId> padding;
  std::optional<ValueId> mask;
  if (op.attrs.has_padding) padding = op.operands[next++];
  if (op.attrs.has_mask) mask = op.operands[next++];
  const Address address = element_address(id, mask);
  std::vector<PyId> arguments = {address.pointer};
  if (address.mask) {
    const std::optional<ir::ScalarClass> kind = program_.types.class_of(type(op.results[0]).dtype);
    const bool whole = kind && *kind != ir::ScalarClass::Float;
    arguments.push_back(python_.keyword("mask", address.mask));
    arguments.push_back(
        python_.keyword("other", padding ? with_sign(operand(*padding, true), {}, op.span) : python_.atom(whole ? "0" : "0.0")));
  }
  return python_.call("tl.load", arguments);
}

PyId Lowering::scatter(OpId id) {
  const Op& op = this->op(id);
  const ValueId stored = op.operands[1 + op.attrs.rank];
  std::optional<ValueId> mask;
  if (op.attrs.has_mask) mask = op.operands[2 + op.attrs.rank];
  const Address address = element_address(id, mask);
  std::vector<PyId> arguments = {address.pointer, with_sign(operand(stored, true), {}, op.span)};
  if (address.mask) arguments.push_back(python_.keyword("mask", address.mask));
  return python_.call("tl.store", arguments);
}

PyId Lowering::atomic(OpId id) {
  const Op& op = this->op(id);
  const Address address = element_address(id, std::nullopt);
  const ir::DtypeId element = type(op.operands[0]).dtype;
  std::vector<PyId> arguments = {address.pointer};
  for (size_t i = 1 + op.attrs.rank; i < op.operands.size(); ++i)
    arguments.push_back(strict(operand(op.operands[i], false), element, op.span));
  const bool guarded = op.kind == OpKind::AtomicCas && address.mask;
  if (guarded && address.block) refuse(op.span, diag::report(diag::Severity::Error, op.span, masked_cas));
  if (address.mask && op.kind == OpKind::AtomicRmw) {
    // Atomics take no Python bool, which `0 < extent` is where the launch makes a constant of an extent of 1.
    const PyId mask = address.fixed ? python_.call("tl.cast", {address.mask, python_.atom("tl.int1")}) : address.mask;
    arguments.push_back(python_.keyword("mask", mask));
  }
  const char* order = nullptr;
  switch (op.attrs.rare->order_of_memory) {
    case ir::MemoryOrder::Weak:
    case ir::MemoryOrder::AcqRel: break;
    case ir::MemoryOrder::Relaxed: order = "\"relaxed\""; break;
    case ir::MemoryOrder::Acquire: order = "\"acquire\""; break;
    case ir::MemoryOrder::Release: order = "\"release\""; break;
  }
  if (order) arguments.push_back(python_.keyword("sem", python_.atom(order)));
  if (op.attrs.rare->scope == ir::MemoryScope::Block) arguments.push_back(python_.keyword("scope", python_.atom("\"cta\"")));
  if (op.attrs.rare->scope == ir::MemoryScope::Sys) arguments.push_back(python_.keyword("scope", python_.atom("\"sys\"")));
  if (guarded) {
    arguments.insert(arguments.begin() + 1, address.mask);
    if (!order) arguments.push_back(python_.keyword("sem", python_.atom("\"acq_rel\"")));
    if (op.attrs.rare->scope != ir::MemoryScope::Block && op.attrs.rare->scope != ir::MemoryScope::Sys)
      arguments.push_back(python_.keyword("scope", python_.atom("\"gpu\"")));
    return python_.call(support("atomic_cas_inside"), arguments);
  }
  if (op.kind == OpKind::AtomicCas) return python_.call("tl.atomic_cas", arguments);
  switch (op.attrs.rare->atomic) {
    case ir::Atomic::Exchange: return python_.call("tl.atomic_xchg", arguments);
    case ir::Atomic::Add: return python_.call("tl.atomic_add", arguments);
    case ir::Atomic::Max: return python_.call("tl.atomic_max", arguments);
    case ir::Atomic::Min: return python_.call("tl.atomic_min", arguments);
    case ir::Atomic::And: return python_.call("tl.atomic_and", arguments);
    case ir::Atomic::Or: return python_.call("tl.atomic_or", arguments);
    case ir::Atomic::Xor: return python_.call("tl.atomic_xor", arguments);
  }
  return arguments[0];
}

}  // namespace tilewright::back::triton
