// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/lower.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "back/triton/floats8.h"
#include "back/triton/messages.h"
#include "base/check.h"

namespace tilewright::back::triton {

using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;

namespace {

Stretch<ir::OriginId> statements_of(const ir::Program& program, const std::vector<OpId>& ops) {
  Stretch<ir::OriginId> out;
  for (const OpId id : ops) {
    if (const ir::OriginId statement = program.ops[id].statement) out.cover(statement);
  }
  return out;
}

}  // namespace

Lowering::Lowering(ir::Program& program, ir::FunctionId function, const Facts& facts, Decisions& decisions,
                   const std::map<ir::FunctionId, Callee>& callees, const Settings& settings, diag::Diagnostics& diagnostics)
    : program_(program),
      function_(function),
      uses_(facts.uses),
      ops_(facts.uses.ops[function.index]),
      squeezed_(facts.squeezed),
      demand_(facts.demand),
      signs_of_zero_(facts.signs_of_zero),
      callees_(callees),
      settings_(settings),
      diagnostics_(diagnostics),
      value_names_(decisions.value_names),
      var_names_(decisions.var_names),
      live_(decisions.live),
      inline_(decisions.inlined),
      built_(decisions.built),
      calculated_(calculated_elements(program, function)),
      told_(statements_of(program, ops_)),
      branches_(told_) {}

Lowered Lowering::run() {
  const ir::Function& function = program_.functions[function_];
  const auto found = settings_.names.functions.find(function_);
  out_.name = found == settings_.names.functions.end() ? function.name : found->second;
  plan_names();
  plan_parameters();
  plan_array_variables();
  plan_scopes();
  plan_liveness();
  plan_forms();
  plan_barriers();
  plan_addresses();
  plan_resources();
  plan_parts();
  print_statements(block(function.body));
  // A constant that only hints read, or checks that are always made, is no parameter.
  std::erase_if(out_.slots, [&](const Slot& slot) {
    if (slot.what != Carries::Author) return false;
    const ir::ValueId value = function.params[slot.param].value;
    const bool array = is_array(value) || type(value).kind == ir::TypeKind::ArrayList;
    return !array && !mentioned_.at(value_names_[value.index]);
  });
  assert_constants();
  if (out_.ok) out_.text = definition_text();
  return std::move(out_);
}

const Op* Lowering::definition(ValueId value) const {
  const OpId id = program_.values[value].definition;
  return id ? &program_.ops[id] : nullptr;
}

// --- expressions

// Whether Triton's interpreter may hold it as a plain Python number, which has no methods.
bool Lowering::pythonic(ValueId value) const {
  if (is_const(value)) return true;
  if (!is_tile(value) || !type(value).shape.empty()) return false;
  const Op* made = definition(value);
  if (!made) return true;             // a parameter of a helper, an induction variable
  if (has_name(value)) return false;  // the interpreter makes tensors of what is assigned
  if (made->kind == OpKind::Get && given_.contains(made->attrs.var)) return true;
  switch (made->kind) {
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::TruncDiv:
    case OpKind::TruncMod:
    case OpKind::FloorDiv:
    case OpKind::FloorMod:
    case OpKind::Neg:
    case OpKind::Min:
    case OpKind::Max:
    case OpKind::BitAnd:
    case OpKind::BitOr:
    case OpKind::BitXor:
    case OpKind::Shl:
    case OpKind::Shr:
    case OpKind::CmpEq:
    case OpKind::CmpNe:
    case OpKind::CmpLt:
    case OpKind::CmpLe:
    case OpKind::CmpGt:
    case OpKind::CmpGe:
    case OpKind::CeilDivPositive:
      return std::all_of(made->operands.begin(), made->operands.end(), [&](ValueId operand) { return pythonic(operand); });
    case OpKind::Not:
    case OpKind::Call:
    case OpKind::Ternary:
    case OpKind::AndThen:
    case OpKind::OrElse: return true;
    case OpKind::Literal:
    case OpKind::Symbol:
    case OpKind::DtypeName:
    case OpKind::DtypeOf:
    case OpKind::TileDim:
    case OpKind::Copy:
    case OpKind::Get:
    case OpKind::Set:
    case OpKind::If:
    case OpKind::For:
    case OpKind::While:
    case OpKind::Break:
    case OpKind::Continue:
    case OpKind::Return:
    case OpKind::Yield:
    case OpKind::Unsupported:
    case OpKind::Mark:
    case OpKind::ProgramId:
    case OpKind::NumPrograms:
    case OpKind::ArrayDim:
    case OpKind::ArrayStride:
    case OpKind::NumTiles:
    case OpKind::ArraySlice:
    case OpKind::ListItem:
    case OpKind::ListLen:
    case OpKind::LoadTile:
    case OpKind::StoreTile:
    case OpKind::Gather:
    case OpKind::Scatter:
    case OpKind::AtomicRmw:
    case OpKind::AtomicCas:
    case OpKind::Iota:
    case OpKind::Full:
    case OpKind::Cast:
    case OpKind::Bitcast:
    case OpKind::Reshape:
    case OpKind::ExpandDims:
    case OpKind::Permute:
    case OpKind::Broadcast:
    case OpKind::Cat:
    case OpKind::Extract:
    case OpKind::TrueDiv:
    case OpKind::CeilDiv:
    case OpKind::Pow:
    case OpKind::Atan2:
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
    case OpKind::IsNan:
    case OpKind::Where:
    case OpKind::Reduce:
    case OpKind::PtrAdd:
    case OpKind::PtrLoad:
    case OpKind::PtrStore:
    case OpKind::PtrAtomicRmw:
    case OpKind::PtrAtomicCas:
    case OpKind::MakeWindow:
    case OpKind::WindowMove:
    case OpKind::WindowDim:
    case OpKind::WindowStride:
    case OpKind::WindowLoad:
    case OpKind::WindowStore:
    case OpKind::WindowAtomic:
    case OpKind::WindowGather:
    case OpKind::WindowScatter:
    case OpKind::Barrier:
    case OpKind::Assume:
    case OpKind::DeviceAssert:
    case OpKind::Join:
    case OpKind::Split:
    case OpKind::Flip:
    case OpKind::Take:
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
    case OpKind::ReduceBy:
    case OpKind::ScanBy:
    case OpKind::MapBy:
    case OpKind::Sort:
    case OpKind::TopK:
    case OpKind::Histogram:
    case OpKind::Scan:
    case OpKind::Dot: return false;
  }
  return false;
}

PyId Lowering::value(ValueId value) {
  if (const LocalId name = value_names_[value.index]) {
    // A constant that is no longer written, because it has another value in another branch, is spelled out.
    const OpId made = program_.values[value].definition;
    if (!made || live_[made.index] || !is_const(value)) {
      return atom(name);
    }
  }
  const OpId id = program_.values[value].definition;
  TW_CHECK(id.valid(), "a value without a name or a definition");
  const Op& made = op(id);
  if (is_const(value) && (made.kind == OpKind::Get || made.kind == OpKind::Call || !made.regions.empty()))
    return constant(type(value).value);
  // Several may ask what it looks like, each at every level of what is nested.
  if (!built_[id.index]) {
    built_[id.index] = build(id);
    built_ops_.push_back(id);
  }
  return built_[id.index];
}

PyId Lowering::build(OpId id) {
  const Op& current = op(id);
  const auto at = [&](size_t i) { return value(current.operands[i]); };
  const bool constant_result = !current.results.empty() && is_const(current.results[0]);
  if (constant_result && ir::info(current.kind).family == ir::Family::Math) return const_op(current);
  check_float_options(current);
  switch (current.kind) {
    case OpKind::Literal: return literal(*ir::literal_of(program_, current), current.span);
    case OpKind::Symbol: return symbol(current);
    case OpKind::DtypeName:
    case OpKind::DtypeOf: return dtype(type(current.results[0]).dtype, current.span);
    case OpKind::TileDim: return constant(type(current.results[0]).value);
    case OpKind::Copy: return at(0);
    case OpKind::Get: return python_.atom(name(current.attrs.var));
    case OpKind::Ternary: return ternary(current);
    case OpKind::AndThen: return both(current, "and");
    case OpKind::OrElse: return both(current, "or");
    case OpKind::Call: return call(current);
    case OpKind::ProgramId: return python_.call("tl.program_id", {python_.number(current.attrs.axis)});
    case OpKind::NumPrograms: return python_.call("tl.num_programs", {python_.number(current.attrs.axis)});
    case OpKind::ArrayDim:
    case OpKind::ArrayStride: {
      const View& array = view(current.operands[0]);
      const PyId field = (current.kind == OpKind::ArrayDim ? array.extents : array.strides)[current.attrs.axis];
      const bool wide = program_.types.scalar_of(type(current.results[0]).dtype) == ir::Scalar::I64;
      return wide ? cast(field, false, type(current.results[0]).dtype, current.span) : field;
    }
    case OpKind::NumTiles: {
      const View& array = view(current.operands[0]);
      return python_.call("tl.cdiv", {array.extents[array_axis(current, current.attrs.axis)], at(1 + current.attrs.axis)});
    }
    case OpKind::ListLen: {
      for (const Slot& slot : out_.slots) {
        if (slot.what != Carries::Length) continue;
        const ir::Param& param = program_.functions[function_].params[slot.param];
        if (param.value == original(current.operands[0])) return python_.atom(slot.name);
      }
      break;
    }
    case OpKind::LoadTile: return load_tile(id, shape(current.results[0]));
    case OpKind::StoreTile: return store_tile(id);
    case OpKind::Gather: return gather(id);
    case OpKind::Scatter: return scatter(id);
    case OpKind::AtomicRmw:
    case OpKind::AtomicCas: return atomic(id);
    case OpKind::Iota: return iota(current);
    case OpKind::Full: return full(current);
    case OpKind::Cast: return convert(current);
    case OpKind::Bitcast:
      return python_.method(at(0), "to",
                            {dtype(current.attrs.dtype, current.span), python_.keyword("bitcast", python_.atom("True"))});
    case OpKind::Reshape: return reshape(current);
    case OpKind::ExpandDims: return expand_dims(current);
    case OpKind::Permute: return permute(current);
    case OpKind::Broadcast: return broadcast(current);
    case OpKind::Cat: return cat(current);
    case OpKind::Extract: return extract(current);
    case OpKind::Add: return infix(current, "+");
    case OpKind::Sub: return infix(current, "-");
    case OpKind::Mul: return infix(current, "*");
    case OpKind::TrueDiv: return divide(current);
    case OpKind::TruncDiv: return infix(current, "//");
    case OpKind::TruncMod: return infix(current, "%");
    case OpKind::FloorDiv:
    case OpKind::FloorMod:
    case OpKind::CeilDiv:
    case OpKind::CeilDivPositive: return floor_divide(current);
    case OpKind::Pow: return power(current);
    case OpKind::Min:
    case OpKind::Max: return minmax(current);
    case OpKind::BitAnd: return infix(current, "&");
    case OpKind::BitOr: return infix(current, "|");
    case OpKind::BitXor: return infix(current, "^");
    case OpKind::Shl: return shift(current, "<<");
    case OpKind::Shr: return shift(current, ">>");
    case OpKind::Atan2:
      refuse(current.span, diag::report(diag::Severity::Error, current.span, no_such_function, "atan2"));
      return python_.atom("None");
    case OpKind::CmpEq: return compare(current, "==");
    case OpKind::CmpNe: return compare(current, "!=");
    case OpKind::CmpLt: return compare(current, "<");
    case OpKind::CmpLe: return compare(current, "<=");
    case OpKind::CmpGt: return compare(current, ">");
    case OpKind::CmpGe: return compare(current, ">=");
    case OpKind::Neg: return negate(current);
    case OpKind::Not: return logical_not(current);
    case OpKind::BitNot: return python_.prefix("~", at(0));
    case OpKind::Abs: return python_.call("tl.abs", {at(0)});
    case OpKind::Exp: return unary(current, "tl.exp");
    case OpKind::Exp2: return unary(current, "tl.exp2");
    case OpKind::Log: return unary(current, "tl.log");
    case OpKind::Log2: return unary(current, "tl.log2");
    case OpKind::Sqrt: return unary(current, current.attrs.rounding == ir::Rounding::Approx ? "tl.sqrt" : "tl.sqrt_rn");
    case OpKind::Rsqrt: return unary(current, "tl.rsqrt");
    case OpKind::Sin: return unary(current, "tl.sin");
    case OpKind::Cos: return unary(current, "tl.cos");
    case OpKind::Tan: return unary(current, "tan");
    case OpKind::Sinh: return unary(current, "sinh");
    case OpKind::Cosh: return unary(current, "cosh");
    case OpKind::Tanh: return unary(current, "tanh");
    case OpKind::Floor: return unary(current, "tl.floor");
    case OpKind::Ceil: return unary(current, "tl.ceil");
    case OpKind::IsNan: return python_.infix(at(0), "!=", at(0));
    case OpKind::Where: return where(current);
    case OpKind::Reduce: return reduce(current);
    case OpKind::Scan: return scan(current);
    case OpKind::Dot: return dot(current);
    // Statements and arrays are no expressions.
    case OpKind::Set:
    case OpKind::If:
    case OpKind::For:
    case OpKind::While:
    case OpKind::Break:
    case OpKind::Continue:
    case OpKind::Return:
    case OpKind::Yield:
    case OpKind::Unsupported:
    case OpKind::Mark:
    case OpKind::ArraySlice:
    case OpKind::ListItem: break;
    // Of programs that were Triton before: nothing prints them yet.
    case OpKind::PtrAdd:
    case OpKind::PtrLoad:
    case OpKind::PtrStore:
    case OpKind::PtrAtomicRmw:
    case OpKind::PtrAtomicCas:
    case OpKind::MakeWindow:
    case OpKind::WindowMove:
    case OpKind::WindowDim:
    case OpKind::WindowStride:
    case OpKind::WindowLoad:
    case OpKind::WindowStore:
    case OpKind::WindowAtomic:
    case OpKind::WindowGather:
    case OpKind::WindowScatter:
    case OpKind::Barrier:
    case OpKind::Assume:
    case OpKind::DeviceAssert:
    case OpKind::Join:
    case OpKind::Split:
    case OpKind::Flip:
    case OpKind::Take:
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
    case OpKind::ReduceBy:
    case OpKind::ScanBy:
    case OpKind::MapBy:
    case OpKind::Sort:
    case OpKind::TopK:
    case OpKind::Histogram: break;
  }
  TW_CHECK(false, "no expression for `" + std::string(ir::info(current.kind).text) + "`");
  return {};
}

// A compile-time value by what it is, in names that are at hand here.
PyId Lowering::constant(sym::ExprId expr) {
  if (const auto found = constants_.find(expr); found != constants_.end()) return atom(found->second);
  const sym::Arena& arena = program_.arena;
  const sym::Expr node = arena[expr];
  const auto part = [&](size_t i) { return constant(node.operands[i]); };
  const auto chain = [&](std::string_view word) {
    PyId out = part(0);
    for (size_t i = 1; i < node.operands.size(); ++i) out = python_.infix(out, word, part(i));
    return out;
  };
  switch (node.kind) {
    case sym::ExprKind::Literal: return literal(node.value, {});
    case sym::ExprKind::Atom: {
      if (const DtypeTest* test = test_of(expr)) {
        const source::Span where = program_.functions[function_].span;
        return python_.infix(dtype(test->a, where), "==", dtype(test->b, where));
      }
      const std::string& key = arena.atom_of(expr).key;
      // In a kernel an atom that is no parameter is a constant of the module.
      if (program_.functions[function_].kind == ir::FunctionKind::Kernel) {
        const ModuleName name{program_.functions[function_].span.file, key};
        out_.constants.insert(name);
        const auto found = settings_.names.constants.find(name);
        return python_.atom(found == settings_.names.constants.end() ? key : found->second);
      }
      refuse(program_.functions[function_].span,
             diag::report(diag::Severity::Error, program_.functions[function_].span, unknown_constant, key));
      return python_.atom(key);
    }
    case sym::ExprKind::Add: {
      // A polynomial's terms; a negative one is subtracted.
      PyId out = part(0);
      for (size_t i = 1; i < node.operands.size(); ++i) {
        const sym::Expr& term = arena[node.operands[i]];
        if (const std::optional<int64_t> number = arena.integer_of(node.operands[i]); number && *number < 0) {
          out = python_.infix(out, "-", python_.number(-*number));
        } else if (term.kind == sym::ExprKind::Mul && arena.integer_of(term.operands[0]) == -1 && term.operands.size() == 2) {
          out = python_.infix(out, "-", constant(term.operands[1]));
        } else {
          out = python_.infix(out, "+", part(i));
        }
      }
      return out;
    }
    case sym::ExprKind::Sub: return chain("-");
    case sym::ExprKind::Mul:
      if (arena.integer_of(node.operands[0]) == -1 && node.operands.size() == 2) return python_.prefix("-", part(1));
      return chain("*");
    case sym::ExprKind::TrueDiv: return chain("/");
    case sym::ExprKind::FloorDiv: return chain("//");
    case sym::ExprKind::Mod: return chain("%");
    case sym::ExprKind::CeilDiv: return const_ceiling(part(0), part(1), arena.integer_of(node.operands[1]).value_or(0) > 0);
    case sym::ExprKind::Pow: return chain("**");
    case sym::ExprKind::Min: return python_.conditional(part(0), python_.infix(part(0), "<", part(1)), part(1));
    case sym::ExprKind::Max: return python_.conditional(part(0), python_.infix(part(0), ">", part(1)), part(1));
    case sym::ExprKind::Neg: return python_.prefix("-", part(0));
    case sym::ExprKind::BitAnd: return chain("&");
    case sym::ExprKind::BitOr: return chain("|");
    case sym::ExprKind::BitXor: return chain("^");
    case sym::ExprKind::Shl: return chain("<<");
    case sym::ExprKind::Shr: return chain(">>");
    case sym::ExprKind::Invert: return python_.prefix("~", part(0));
    case sym::ExprKind::Eq: return chain("==");
    case sym::ExprKind::Ne: return chain("!=");
    case sym::ExprKind::Lt: return chain("<");
    case sym::ExprKind::Le: return chain("<=");
    case sym::ExprKind::Gt: return chain(">");
    case sym::ExprKind::Ge: return chain(">=");
    case sym::ExprKind::And: return chain("and");
    case sym::ExprKind::Or: return chain("or");
    case sym::ExprKind::Not: return python_.prefix("not", part(0));
    case sym::ExprKind::Select: return python_.conditional(part(1), part(0), part(2));
  }
  return python_.atom("None");
}

PyId Lowering::literal(const sym::Value& literal, source::Span span) {
  if (const bool* flag = std::get_if<bool>(&literal)) return python_.atom(*flag ? "True" : "False");
  // As the author wrote it: 1e-5 rather than 1e-05, 0x7f rather than 127.
  if (const std::string_view file = settings_.author.text(span.file); !file.empty() && span.size() > 0) {
    const std::string_view text = file.substr(span.begin, span.size());
    const bool number = std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.';
    if (number && std::all_of(text.begin(), text.end(), [](char c) {
          return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' || c == '+';
        })) {
      return python_.atom(text);
    }
  }
  if (const int64_t* number = std::get_if<int64_t>(&literal)) return python_.number(*number);
  const double number = std::get<double>(literal);
  if (std::isnan(number)) return python_.call("float", {python_.atom("\"nan\"")});
  const PyId magnitude = std::isinf(number) ? python_.call("float", {python_.atom("\"inf\"")})
                                            : python_.atom(sym::text(sym::Value{std::abs(number)}));
  return std::signbit(number) ? python_.prefix("-", magnitude) : magnitude;
}

PyId Lowering::symbol(const Op& op) {
  const ModuleName name{op.span.file, op.attrs.rare->name};
  out_.constants.insert(name);
  const auto found = settings_.names.constants.find(name);
  return python_.atom(found == settings_.names.constants.end() ? name.name : found->second);
}

std::vector<sym::ExprId> Lowering::shape(ValueId value) const {
  std::vector<sym::ExprId> out;
  for (const sym::ExprId extent : type(value).shape) {
    if (!squeezed_(value) || !is_unit(program_, extent)) out.push_back(extent);
  }
  return out;
}

PyId Lowering::extent(sym::ExprId expr) { return constant(expr); }

// --- reports

void Lowering::refuse(source::Span span, diag::Diagnostic report) {
  out_.ok = false;
  report.kernel = program_.functions[function_].name;
  if (!report.span.file) report.span = span;
  diagnostics_.push_back(std::move(report));
}

void Lowering::note(diag::Diagnostic report) {
  if (!noted_.insert(report.code).second) return;  // once a function
  report.severity = diag::Severity::Note;
  report.kernel = program_.functions[function_].name;
  diagnostics_.push_back(std::move(report));
}

}  // namespace tilewright::back::triton
