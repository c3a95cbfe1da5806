// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/machine.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "interp/algebra.h"

namespace tilewright::interp {

Machine::Machine(const Plan& plan, const std::vector<Argument>& arguments, const Grid& grid, const Options& options,
                 const std::atomic<bool>& cancelled, Races* races)
    : plan_(plan),
      arguments_(arguments),
      grid_(grid),
      options_(options),
      cancelled_(cancelled),
      races_(races),
      regions_(arguments) {
  values_.resize(plan.program.values.size());
  vars_.resize(plan.program.vars.size());
}

Tile Machine::make(const TileType& type) { return {.type = &type, .data = pool_.take(type.bytes()), .undefined = {}}; }

const TileType& Machine::type_of(ir::Scalar dtype, const TileType& shape) {
  const auto [found, is_new] = types_.try_emplace({&shape, dtype}, shape);
  if (is_new) {
    found->second.dtype = dtype;
    found->second.kept = plan_.kept(dtype);
  }
  return found->second;
}

Buffer Machine::no_marks(int64_t count) {
  Buffer out = pool_.take(static_cast<size_t>(count));
  std::fill_n(out.as<uint8_t>(), count, uint8_t{0});
  return out;
}

std::string Machine::name_of(ir::ValueId value) const {
  const std::string& name = program().values[value].name;
  return name.empty() ? "this value" : name;
}

Tile Machine::scalar_of(const sym::Value& value, ir::Scalar dtype, Strictness strictness) {
  Tile out = make(plan_.scalar(dtype));
  const auto* number = std::get_if<double>(&value);
  const bool narrows = number && strictness == Strictness::Loose && !field();
  write(narrows ? sym::Value(static_cast<double>(static_cast<float>(*number))) : value, *out.type, out.data.data());
  return out;
}

void Machine::write(const sym::Value& value, const TileType& type, std::byte* out) const {
  if (type.kept == Kept::Bits) return write_constant(value, type.dtype, out);
  *reinterpret_cast<Real*>(out) = algebra::constant(*field(), value);
}

const sym::Value* Machine::constant(ir::ValueId value) {
  if (const auto* known = std::get_if<sym::Value>(&values_[value.index])) return known;
  const ir::Type& type = plan_.type_of(value);
  TW_CHECK(type.kind == ir::TypeKind::Const, "a number is read that nothing has written");
  fail(*current_, messages::unknown_constant, program().arena.text(type.value));
  static constexpr sym::Value one = int64_t{1};
  return &one;
}

Tile Machine::tile(ir::ValueId value, ir::Scalar dtype) {
  if (const auto* tile = std::get_if<Tile>(&values_[value.index])) {
    const bool is_constant = plan_.type_of(value).kind == ir::TypeKind::Const;  // that `algebra` has calculated
    return is_constant && tile->dtype() != dtype ? converted(*this, *tile, plan_.scalar(dtype), {}) : *tile;
  }
  const Strictness strictness = plan_.type_of(value).strict ? Strictness::Strict : Strictness::Loose;
  return scalar_of(*constant(value), dtype, strictness);
}

int64_t Machine::integer(ir::ValueId value) {
  const auto* tile = std::get_if<Tile>(&values_[value.index]);
  if (!tile) {
    return std::visit([](auto number) { return static_cast<int64_t>(number); }, *constant(value));
  }
  TW_CHECK(tile->type->kept == Kept::Bits, "a float in place of an integer");
  return with_element(tile->dtype(), [&](auto element) {
    using Element = decltype(element);
    return static_cast<int64_t>(Element::decode(*tile->data.as<const typename Element::Stored>()));
  });
}

bool Machine::truth(ir::ValueId value) {
  const auto* tile = std::get_if<Tile>(&values_[value.index]);
  if (tile && tile->type->kept == Kept::Real) return algebra::truth(*this, *current_, *tile);
  if (!tile) {
    return std::visit([](auto number) { return number != decltype(number){}; }, *constant(value));
  }
  return with_element(tile->dtype(), [&](auto element) {
    using Element = decltype(element);
    return Element::decode(*tile->data.as<const typename Element::Stored>()) != typename Element::Computed{};
  });
}

bool Machine::is_defined(const ir::Op& op, ir::ValueId value, std::string_view does) {
  const auto* tile = std::get_if<Tile>(&values_[value.index]);
  if (!tile || !tile->undefined || !*tile->undefined.as<const uint8_t>()) return true;
  fail_undefined(op, *tile->undefined.as<const Mark>(), does);
  return false;
}

void Machine::fail_undefined(const ir::Op& op, Mark mark, std::string_view does, std::optional<int64_t> lane,
                             std::span<const int64_t> extents) {
  if (!diagnostics_.empty()) return;
  const Origin* origin = origins_.of(mark);
  const bool is_of_algebra = origin && interp::is_of_algebra(origin->reason);
  fail(op, lane, extents, is_of_algebra ? messages::not_applicable : messages::undefined, does);
  if (!origin) return;
  diagnostics_.back().labels.push_back({.span = origin->op->span, .text = std::string(text_of(origin->reason))});
}

void Machine::set_integer(ir::ValueId result, int64_t value) {
  if (plan_.type_of(result).kind == ir::TypeKind::Const) return set(result, sym::Value(value));
  Tile out = make(result);
  write_constant(value, out.dtype(), out.data.data());
  set(result, std::move(out));
}

Value Machine::as(const ir::Type& type, const Value& content) {
  if (type.kind != ir::TypeKind::Tile) return content;
  if (const auto* number = std::get_if<sym::Value>(&content))
    return scalar_of(*number, plan_.dtype(type.dtype), Strictness::Strict);
  const auto* tile = std::get_if<Tile>(&content);
  if (!tile || tile->type->kept == Kept::Bits || tile->dtype() == plan_.dtype(type.dtype)) return content;
  return converted(*this, *tile, plan_.scalar(plan_.dtype(type.dtype)), {});  // a constant that `algebra` has calculated
}

static std::string text_of(std::span<const int64_t> numbers) {
  std::string out = "(";
  for (size_t i = 0; i < numbers.size(); ++i) out += (i ? ", " : "") + std::to_string(numbers[i]);
  return out + ")";
}

void Machine::touch(const ir::Op& op, ir::ValueId array, const std::byte* address, Touch touch, int64_t lane,
                    std::span<const int64_t> extents) {
  const std::optional<Race> race = races_->touch(number_of(index_, grid_), address, touch);
  if (!race || stopped()) return;
  static constexpr std::string_view words[] = {"read", "written", "written", "updated"};
  fail(op, lane, extents, messages::race, name_of(array), words[static_cast<size_t>(touch)],
       words[static_cast<size_t>(race->touch)]);
  diagnostics_.back().notes.push_back("the other program is " + text_of(index_of(race->other, grid_)));
}

void Machine::stop(diag::Diagnostic diagnostic, std::optional<int64_t> lane, std::span<const int64_t> extents) {
  std::string where = "in program " + text_of(index_);
  if (lane && !extents.empty()) {
    Extents at(extents.size());
    int64_t rest = *lane;
    for (size_t axis = extents.size(); axis-- > 0; rest /= extents[axis]) at[axis] = rest % extents[axis];
    where += ", lane " + text_of(at);
  }
  diagnostic.notes.push_back(std::move(where));
  diagnostic.kernel = program().functions[plan_.kernel].name;
  diagnostics_.push_back(std::move(diagnostic));
}

bool Machine::run(const Grid& index) {
  index_ = index;
  const ir::Function& kernel = program().functions[plan_.kernel];
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    const ir::ValueId value = kernel.params[i].value;
    if (!value) continue;
    const ir::Type& type = plan_.type_of(value);
    const Argument& argument = arguments_[i];
    if (const auto* array = std::get_if<Array>(&argument)) {
      const bool is_address = type.kind == ir::TypeKind::Tile;
      const sym::Value address = static_cast<int64_t>(reinterpret_cast<intptr_t>(array->base));
      set(value, is_address ? Value(scalar_of(address, ir::Scalar::I64, Strictness::Strict)) : Value(*array));
    }
    if (const auto* descriptor = std::get_if<Descriptor>(&argument)) {
      set(value, View{.array = descriptor->array,
                      .origin = Extents(descriptor->extents.size(), 0),
                      .extents = descriptor->extents,
                      .padding = descriptor->padding});
    }
    if (const auto* list = std::get_if<ArrayList>(&argument)) set(value, list);
    if (const auto* number = std::get_if<sym::Value>(&argument)) {
      set(value, type.kind == ir::TypeKind::Tile ? Value(scalar_of(*number, plan_.dtype(type.dtype), Strictness::Strict))
                                                 : Value(*number));
    }
    if (type.kind == ir::TypeKind::Const) set_constant(value);
  }
  return block(kernel.body) != Flow::Stop;
}

Flow Machine::block(ir::BlockId id) {
  for (const ir::OpId op : program().blocks[id].ops) {
    const Flow flow = step(op);
    if (options_.trace) trace(program().ops[op], plan_.accesses[op.index]);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

void Machine::set_constant(ir::ValueId value) {
  const std::optional<sym::Value> known = program().arena.literal_of(plan_.type_of(value).value);
  set(value, known ? Value(*known) : Value(Nothing{}));
}

void Machine::set_constant(const ir::Op& op) {
  set_constant(op.results[0]);
  if (!field()) return;
  if (std::optional<Tile> exact = algebra::constant(*this, op)) set(op.results[0], *std::move(exact));
}

Flow Machine::branch(const ir::Op& op) {
  if (!is_defined(op, op.operands[0], "decides a branch")) return Flow::Stop;
  const bool taken = truth(op.operands[0]);
  if (stopped()) return Flow::Stop;
  if (taken) return block(op.regions[0]);
  return op.regions.size() > 1 ? block(op.regions[1]) : Flow::Next;
}

Flow Machine::count(const ir::Op& op) {
  for (const ir::ValueId bound : op.operands) {
    if (!is_defined(op, bound, "bounds a loop")) return Flow::Stop;
  }
  const int64_t start = integer(op.operands[0]);
  const int64_t stop = integer(op.operands[1]);
  const int64_t step = integer(op.operands[2]);
  if (stopped()) return Flow::Stop;
  const bool may_go_back = plan_.type_of(op.operands[2]).kind == ir::TypeKind::Const && step < 0;
  if (step <= 0 && !may_go_back) {
    fail(op, messages::backwards, step);
    return Flow::Stop;
  }
  const ir::ValueId induction = program().blocks[op.regions[0]].arguments[0];
  for (int64_t at = start; step > 0 ? at < stop : at > stop; at += step) {
    if (stopped()) return Flow::Stop;
    set_integer(induction, at);
    const Flow flow = block(op.regions[0]);
    if (flow == Flow::Break) break;
    if (flow == Flow::Return || flow == Flow::Stop) return flow;
  }
  return Flow::Next;
}

Flow Machine::repeat(const ir::Op& op) {
  for (int64_t iteration = 0; iteration < options_.iterations; ++iteration) {
    if (block(op.regions[0]) == Flow::Stop) return Flow::Stop;
    const ir::ValueId condition = program().ops[program().blocks[op.regions[0]].ops.back()].operands[0];
    if (!is_defined(op, condition, "decides a loop")) return Flow::Stop;
    const bool goes_on = truth(condition);
    if (stopped()) return Flow::Stop;
    if (!goes_on) return Flow::Next;
    const Flow flow = block(op.regions[1]);
    if (flow == Flow::Break) return Flow::Next;
    if (flow == Flow::Return || flow == Flow::Stop) return flow;
  }
  fail(op, messages::endless, options_.iterations);
  return Flow::Stop;
}

Flow Machine::choose(const ir::Op& op) {
  if (!is_defined(op, op.operands[0], "decides a branch")) return Flow::Stop;
  const bool taken = truth(op.operands[0]);
  if (stopped() || block(op.regions[taken ? 0 : 1]) == Flow::Stop) return Flow::Stop;
  set(op.results[0], as(plan_.type_of(op.results[0]), passed_[0]));
  return Flow::Next;
}

// `x and y`, `x or y`: the region is y, and run only if x leaves the result open.
Flow Machine::connect(const ir::Op& op) {
  if (!is_defined(op, op.operands[0], "decides a branch")) return Flow::Stop;
  bool result = truth(op.operands[0]);
  if (stopped()) return Flow::Stop;
  if (result == (op.kind == ir::OpKind::AndThen)) {
    if (block(op.regions[0]) == Flow::Stop) return Flow::Stop;
    const ir::ValueId right = program().ops[program().blocks[op.regions[0]].ops.back()].operands[0];
    if (!is_defined(op, right, "decides a branch")) return Flow::Stop;
    result = truth(right);
    if (stopped()) return Flow::Stop;
  }
  if (plan_.type_of(op.results[0]).kind == ir::TypeKind::Const) {
    set(op.results[0], sym::Value(result));
  } else {
    set_integer(op.results[0], result);
  }
  return Flow::Next;
}

bool Machine::holds(const ir::Op& op, ir::ValueId pointer, int64_t address, int64_t width, int64_t lane,
                    std::span<const int64_t> extents, std::string_view does) {
  const uint32_t root = plan_.roots[pointer.index];
  if (regions_.holds(root, address, width)) return true;
  if (root == any_parameter) {
    fail(op, lane, extents, messages::outside_of_all, does);
  } else {
    const std::string& name = program().functions[plan_.kernel].params[root].name;
    const int64_t element = (address - regions_.begin(root)) / width;
    fail(op, lane, extents, messages::outside_of_argument, does, name, element);
  }
  return false;
}

std::vector<Value> Machine::apply(ir::FunctionId function, std::span<const Value> arguments) {
  const ir::Function& callee = program().functions[function];
  size_t argument = 0;
  for (const ir::Param& param : callee.params) {
    if (param.value) set(param.value, arguments[argument++]);
  }
  passed_.clear();
  if (block(callee.body) == Flow::Stop) return {};
  return passed_;
}

Tile Machine::element_of(const Value& value, ir::Scalar dtype) {
  if (const auto* tile = std::get_if<Tile>(&value)) return *tile;
  return scalar_of(std::get<sym::Value>(value), dtype, Strictness::Strict);
}

Flow Machine::call(const ir::Op& op) {
  const ir::Function& callee = program().functions[op.attrs.rare->function];
  size_t operand = 0;
  for (const ir::Param& param : callee.params) {
    if (param.value) set(param.value, values_[op.operands[operand++].index]);
  }
  passed_.clear();
  if (block(callee.body) == Flow::Stop) return Flow::Stop;
  for (size_t i = 0; i < op.results.size(); ++i) {
    TW_CHECK(i < passed_.size(), "a helper returns less than its caller takes");
    set(op.results[i], as(plan_.type_of(op.results[i]), passed_[i]));
  }
  return Flow::Next;
}

void Machine::pass(const ir::Op& op) {
  passed_.clear();
  for (const ir::ValueId operand : op.operands) passed_.push_back(values_[operand.index]);
}

Flow Machine::step(ir::OpId id) {
  using ir::OpKind;
  const ir::Op& op = program().ops[id];
  const Access& access = plan_.accesses[id.index];
  current_ = &op;
  const bool is_constant = op.results.size() == 1 && plan_.type_of(op.results[0]).kind == ir::TypeKind::Const;
  switch (op.kind) {
    case OpKind::If: return branch(op);
    case OpKind::For: return count(op);
    case OpKind::While: return repeat(op);
    case OpKind::Break: return Flow::Break;
    case OpKind::Continue: return Flow::Continue;
    case OpKind::Return: pass(op); return Flow::Return;
    case OpKind::Yield: pass(op); return Flow::Yield;
    case OpKind::Ternary: return choose(op);
    case OpKind::AndThen:
    case OpKind::OrElse: return connect(op);
    case OpKind::Call: return call(op);
    case OpKind::Unsupported: TW_CHECK(false, "a launch that does not compile is run");
    case OpKind::Mark:
    case OpKind::DtypeName:
    case OpKind::DtypeOf: return Flow::Next;
    case OpKind::Copy: set(op.results[0], as(plan_.type_of(op.results[0]), values_[op.operands[0].index])); return Flow::Next;
    case OpKind::Get: set(op.results[0], as(plan_.type_of(op.results[0]), vars_[op.attrs.var.index])); return Flow::Next;
    case OpKind::Set: {
      pass(op);
      for (size_t i = 0; i < passed_.size(); ++i) vars_[ir::written_vars(op)[i].index] = passed_[i];
      return Flow::Next;
    }
    case OpKind::Literal:
    case OpKind::Symbol:
    case OpKind::TileDim:
      if (is_constant) set_constant(op.results[0]);
      return Flow::Next;
    case OpKind::ProgramId:
    case OpKind::NumPrograms: grid_property(*this, op); break;
    case OpKind::ArrayDim:
    case OpKind::ArrayStride:
    case OpKind::NumTiles: array_property(*this, op, access); break;
    case OpKind::ArraySlice: array_slice(*this, op); break;
    case OpKind::ListItem: list_item(*this, op); break;
    case OpKind::ListLen: list_length(*this, op); break;
    case OpKind::LoadTile: load_tile(*this, op, access); break;
    case OpKind::StoreTile: store_tile(*this, op, access); break;
    case OpKind::Gather: gather(*this, op, access); break;
    case OpKind::Scatter: scatter(*this, op, access); break;
    case OpKind::AtomicRmw: atomic_rmw(*this, op, access); break;
    case OpKind::AtomicCas: atomic_cas(*this, op, access); break;
    case OpKind::Iota: iota(*this, op); break;
    case OpKind::Full: is_constant ? set_constant(op) : full(*this, op); break;
    case OpKind::Cast: is_constant ? set_constant(op) : cast(*this, op); break;
    case OpKind::Bitcast: is_constant ? set_constant(op) : bitcast(*this, op); break;
    case OpKind::Reshape:
    case OpKind::ExpandDims: reshape(*this, op); break;
    case OpKind::Permute: permute(*this, op); break;
    case OpKind::Broadcast: broadcast(*this, op); break;
    case OpKind::Cat: cat(*this, op); break;
    case OpKind::Extract: extract(*this, op); break;
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
    case OpKind::MulHigh:
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
    case OpKind::Erf:
    case OpKind::Log1p:
    case OpKind::Expm1:
    case OpKind::Asin:
    case OpKind::Acos:
    case OpKind::Atan:
    case OpKind::Rint:
    case OpKind::Trunc:
    case OpKind::IsInf:
    case OpKind::Floor:
    case OpKind::Ceil:
    case OpKind::IsNan: is_constant ? set_constant(op) : elementwise(*this, op); break;
    case OpKind::Where: is_constant ? set_constant(op) : where(*this, op); break;
    case OpKind::Reduce: is_constant ? set_constant(op) : reduce(*this, op); break;
    case OpKind::Scan: scan(*this, op); break;
    case OpKind::Dot: dot(*this, op); break;
    case OpKind::PtrAdd: add_to_pointer(*this, op); break;
    case OpKind::PtrLoad:
    case OpKind::WindowLoad:
    case OpKind::WindowGather: gather(*this, op, access); break;
    case OpKind::PtrStore:
    case OpKind::WindowStore:
    case OpKind::WindowScatter: scatter(*this, op, access); break;
    case OpKind::PtrAtomicRmw:
    case OpKind::WindowAtomic: atomic_rmw(*this, op, access); break;
    case OpKind::PtrAtomicCas: atomic_cas(*this, op, access); break;
    case OpKind::MakeWindow: make_window(*this, op); break;
    case OpKind::WindowMove: move_window(*this, op); break;
    case OpKind::WindowDim:
    case OpKind::WindowStride: window_property(*this, op); break;
    case OpKind::Barrier:
    case OpKind::Assume:
    case OpKind::DeviceAssert: return Flow::Next;
    case OpKind::Join: join(*this, op); break;
    case OpKind::Split: split(*this, op); break;
    case OpKind::Flip: flip(*this, op); break;
    case OpKind::Take: take(*this, op); break;
    case OpKind::Fma: multiply_add(*this, op); break;
    case OpKind::ReduceBy: reduce_by(*this, op); break;
    case OpKind::ScanBy: scan_by(*this, op); break;
    case OpKind::MapBy: map_by(*this, op); break;
    case OpKind::Sort:
    case OpKind::TopK: sort(*this, op); break;
    case OpKind::Histogram: histogram(*this, op); break;
  }
  return stopped() ? Flow::Stop : Flow::Next;
}

}  // namespace tilewright::interp
