// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Dtypes in Triton's words. One converted kernel serves callers of several dtypes, so most of them are said by what has them:
// `X.dtype.element_ty`, `x.dtype`.

#include "back/triton/floats8.h"
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
    case ir::Scalar::F32:
    case ir::Scalar::TF32: return "tl.float32";  // a tf32 number is a float32 that is multiplied as tf32
    case ir::Scalar::F64: return "tl.float64";
    case ir::Scalar::F8E4M3: return "tl.float8e4nv";
    case ir::Scalar::F8E5M2: return "tl.float8e5";
    case ir::Scalar::F8E8M0:
    case ir::Scalar::F4E2M1: return nullptr;
  }
  return nullptr;
}

}  // namespace

ir::DtypeId Lowering::plain(ir::DtypeId id) { return program_.types.simplified(id, ir::Float64::Excluded); }

void Lowering::guard_float(ir::DtypeId id) { add_elements(program_.types, id, out_.guards.floats); }
void Lowering::guard_not_bool(ir::DtypeId id) { add_elements(program_.types, id, out_.guards.not_bool); }
void Lowering::guard_not_float8_e5m2(ir::DtypeId id) { add_elements(program_.types, id, out_.guards.not_float8_e5m2); }
void Lowering::guard_not_float64(ir::DtypeId id) { add_elements(program_.types, id, out_.guards.not_float64); }

void Lowering::guard_where_plain(ir::DtypeId id) {
  if (plain(id) != program_.types.simplified(id, ir::Float64::Possible)) guard_not_float64(id);
}

bool Lowering::may_be_narrow(ir::DtypeId id) const {
  const std::optional<ir::Scalar> scalar = program_.types.scalar_of(id);
  if (scalar) return *scalar == ir::Scalar::F16 || *scalar == ir::Scalar::BF16;
  const ir::Dtype& dtype = program_.types[id];
  switch (dtype.kind) {
    case ir::DtypeKind::Known:
    case ir::DtypeKind::Pointer: return false;
    case ir::DtypeKind::Argument: return false;  // an argument is a bool, an int32 or a float32
    case ir::DtypeKind::Element: return !program_.types.class_of(id);
    case ir::DtypeKind::Passed:
    case ir::DtypeKind::Accumulator: return true;
    case ir::DtypeKind::Widened: return dtype.widening == ir::Widening::Sum && may_be_narrow(dtype.a);
    case ir::DtypeKind::Common:
    case ir::DtypeKind::Promote: {
      const auto wide = [&](ir::DtypeId part) {
        const std::optional<ir::Scalar> known = program_.types.scalar_of(part);
        return known == ir::Scalar::F32 || known == ir::Scalar::F64;
      };
      return !wide(dtype.a) && !wide(dtype.b) && (may_be_narrow(dtype.a) || may_be_narrow(dtype.b));
    }
    case ir::DtypeKind::Adapt:
    case ir::DtypeKind::FloatOf:
    case ir::DtypeKind::CountOf: return may_be_narrow(dtype.a);
    case ir::DtypeKind::Select: return may_be_narrow(dtype.a) || may_be_narrow(dtype.b);
  }
  return true;
}

// --- questions about dtypes

DtypeTests dtype_tests(const ir::Program& program) {
  DtypeTests out;
  for (const ir::Op& op : program.ops) {
    if (op.kind != ir::OpKind::CmpEq && op.kind != ir::OpKind::CmpNe) continue;
    const ir::Type& left = program.types[program.values[op.operands[0]].type];
    const ir::Type& right = program.types[program.values[op.operands[1]].type];
    const ir::Type& result = program.types[program.values[op.results[0]].type];
    if (left.kind != ir::TypeKind::DtypeConst || right.kind != ir::TypeKind::DtypeConst || result.kind != ir::TypeKind::Const)
      continue;
    for (const sym::ExprId atom : program.arena.atoms_in(result.value))
      out[program.arena.atom_of(atom).key] = {left.dtype, right.dtype};
  }
  return out;
}

const DtypeTest* Lowering::test_of(sym::ExprId expr) const {
  if (program_.arena[expr].kind != sym::ExprKind::Atom) return nullptr;
  const auto found = settings_.dtype_tests.find(program_.arena.atom_of(expr).key);
  return found == settings_.dtype_tests.end() ? nullptr : &found->second;
}

std::optional<bool> Lowering::answer(const DtypeTest& test) {
  const ir::DtypeId a = plain(test.a);
  const ir::DtypeId b = plain(test.b);
  if (a == b) return true;
  const std::optional<ir::Scalar> x = program_.types.scalar_of(a);
  const std::optional<ir::Scalar> y = program_.types.scalar_of(b);
  if (x && y) return *x == *y;
  // An argument is a bool, an int32 or a float32, the result of a division a float.
  return std::nullopt;
}

sym::ExprId Lowering::folded(sym::ExprId expr) {
  const auto lookup = [&](const sym::Atom& atom) -> sym::ExprId {
    const auto found = settings_.dtype_tests.find(atom.key);
    if (found == settings_.dtype_tests.end()) return {};
    const std::optional<bool> known = answer(found->second);
    if (!known) return {};
    guard_not_float64(found->second.a);
    guard_not_float64(found->second.b);
    return program_.arena.literal(*known);
  };
  return program_.arena.substitute(expr, lookup);
}

ir::DtypeId Lowering::physical(ir::DtypeId id) {
  id = plain(id);
  const ir::Dtype dtype = program_.types[id];
  switch (dtype.kind) {
    case ir::DtypeKind::Known: return dtype.scalar == ir::Scalar::TF32 ? f32() : id;
    case ir::DtypeKind::Element:
    case ir::DtypeKind::Argument:
    case ir::DtypeKind::Passed: return id;
    case ir::DtypeKind::Pointer: return program_.types.pointer(physical(dtype.a));
    case ir::DtypeKind::Common: return program_.types.common(physical(dtype.a), physical(dtype.b));
    case ir::DtypeKind::Widened: return program_.types.widened(physical(dtype.a), dtype.widening);
    case ir::DtypeKind::Promote: return plain(program_.types.promote(physical(dtype.a), physical(dtype.b)));
    case ir::DtypeKind::Adapt: return program_.types.adapt(physical(dtype.a), dtype.loose);
    case ir::DtypeKind::FloatOf: return program_.types.float_of(physical(dtype.a));
    case ir::DtypeKind::CountOf: return program_.types.count_of(physical(dtype.a));
    case ir::DtypeKind::Accumulator: return program_.types.accumulator(physical(dtype.a));
    case ir::DtypeKind::Select: {
      const sym::ExprId condition = folded(dtype.condition);
      const ir::DtypeId a = physical(dtype.a);
      const ir::DtypeId b = physical(dtype.b);
      // `float32 if X.dtype == float32 else X.dtype` is X's.
      if (const DtypeTest* test = test_of(condition)) {
        const ir::DtypeId x = plain(test->a);
        const ir::DtypeId y = plain(test->b);
        if ((a == x || a == y) && (b == x || b == y)) return b;
      }
      return program_.types.select(condition, a, b);
    }
  }
  return id;
}

sym::ExprId Lowering::tf32_when(ir::DtypeId id) {
  const ir::Dtype dtype = program_.types[plain(id)];
  if (dtype.kind == ir::DtypeKind::Known) return dtype.scalar == ir::Scalar::TF32 ? program_.arena.literal(true) : sym::ExprId{};
  if (dtype.kind == ir::DtypeKind::Promote) {
    // A tf32 can be promoted with nothing but another.
    const sym::ExprId left = tf32_when(dtype.a);
    return left ? left : tf32_when(dtype.b);
  }
  if (dtype.kind != ir::DtypeKind::Select) return {};
  const sym::ExprId condition = folded(dtype.condition);
  if (const std::optional<bool> truth = program_.arena.truth_of(condition)) return tf32_when(*truth ? dtype.a : dtype.b);
  const sym::ExprId yes = tf32_when(dtype.a);
  const sym::ExprId no = tf32_when(dtype.b);
  if (yes == no) return yes;
  // `tfloat32 if X.dtype == float32 else X.dtype`: there is no other float32.
  if (const DtypeTest* test = test_of(condition)) {
    const bool asks_float32 = plain(test->a) == f32() || plain(test->b) == f32();
    const bool rest = plain(dtype.b) == plain(test->a) || plain(dtype.b) == plain(test->b);
    if (asks_float32 && rest) return yes;
  }
  const auto both = [&](sym::ExprId first, sym::ExprId second) {
    return program_.arena.truth_of(second) ? first : program_.arena.make(sym::ExprKind::And, {first, second});
  };
  const auto otherwise = [&] { return program_.arena.make(sym::ExprKind::Not, {condition}); };
  if (!no) return both(condition, yes);
  if (!yes) return both(otherwise(), no);
  return program_.arena.make(sym::ExprKind::Or, {both(condition, yes), both(otherwise(), no)});
}

// No bools: counting them changes nothing.
ir::DtypeId Lowering::assuming_numbers(ir::DtypeId id) {
  const ir::Dtype dtype = program_.types[id];
  switch (dtype.kind) {
    case ir::DtypeKind::Known:
    case ir::DtypeKind::Element:
    case ir::DtypeKind::Argument:
    case ir::DtypeKind::Pointer:
    case ir::DtypeKind::Passed: return id;
    case ir::DtypeKind::Common: return program_.types.common(assuming_numbers(dtype.a), assuming_numbers(dtype.b));
    case ir::DtypeKind::Widened: return program_.types.widened(assuming_numbers(dtype.a), dtype.widening);
    case ir::DtypeKind::Promote: return program_.types.promote(assuming_numbers(dtype.a), assuming_numbers(dtype.b));
    case ir::DtypeKind::Adapt:
      if (dtype.loose != ir::LooseKind::Float) return assuming_numbers(dtype.a);
      return program_.types.adapt(assuming_numbers(dtype.a), dtype.loose);
    case ir::DtypeKind::FloatOf: return program_.types.float_of(assuming_numbers(dtype.a));
    case ir::DtypeKind::CountOf: return assuming_numbers(dtype.a);
    case ir::DtypeKind::Accumulator: return program_.types.accumulator(assuming_numbers(dtype.a));
    case ir::DtypeKind::Select:
      return program_.types.select(dtype.condition, assuming_numbers(dtype.a), assuming_numbers(dtype.b));
  }
  return id;
}

ir::DtypeId Lowering::assuming_floats(ir::DtypeId id) {
  const ir::Dtype dtype = program_.types[id];
  switch (dtype.kind) {
    case ir::DtypeKind::Known:
    case ir::DtypeKind::Element:
    case ir::DtypeKind::Argument:
    case ir::DtypeKind::Pointer:
    case ir::DtypeKind::Passed: return id;
    case ir::DtypeKind::Common: return program_.types.common(assuming_floats(dtype.a), assuming_floats(dtype.b));
    case ir::DtypeKind::Widened: return program_.types.widened(assuming_floats(dtype.a), dtype.widening);
    case ir::DtypeKind::Promote: return program_.types.promote(assuming_floats(dtype.a), assuming_floats(dtype.b));
    case ir::DtypeKind::Adapt:
    case ir::DtypeKind::FloatOf:
    case ir::DtypeKind::CountOf: return assuming_floats(dtype.a);
    case ir::DtypeKind::Accumulator: return program_.types.accumulator(assuming_floats(dtype.a));
    case ir::DtypeKind::Select: return program_.types.select(dtype.condition, assuming_floats(dtype.a), assuming_floats(dtype.b));
  }
  return id;
}

// --- dtypes as expressions

std::optional<PyId> Lowering::try_dtype(ir::DtypeId wanted, const ShortList<ir::ValueId>& alike) {
  const ir::DtypeId id = physical(wanted);
  guard_where_plain(wanted);
  if (const std::optional<ir::Scalar> scalar = program_.types.scalar_of(id)) {
    if (const char* word = spelling(*scalar)) return python_.atom(word);
    return std::nullopt;
  }
  // Something at hand that has this dtype.
  const std::vector<ir::Param>& params = program_.functions[function_].params;
  for (const Slot& slot : out_.slots) {
    const ir::Param& param = params[slot.param];
    if (!param.value || !type(param.value).dtype || is_const(param.value) || physical(type(param.value).dtype) != id) continue;
    const ir::TypeKind kind = type(param.value).kind;
    mentioned_[locals_.add(slot.name)] = true;
    if (slot.what == Carries::Dtype) return python_.atom(slot.name);
    if (slot.what != Carries::Author) continue;
    if (kind == ir::TypeKind::Array) return python_.attribute(python_.attribute(python_.atom(slot.name), "dtype"), "element_ty");
    if (kind == ir::TypeKind::DtypeConst) return python_.atom(slot.name);
    if (kind == ir::TypeKind::Tile && !type(param.value).shape.empty())
      return python_.attribute(python_.atom(slot.name), "dtype");
  }
  for (const ir::ValueId value : alike) {
    if (!is_tile(value) || type(value).shape.empty() || physical(type(value).dtype) != id) continue;
    const PyId py = this->value(value);
    if (python_[py].kind == PyKind::Atom) return python_.attribute(py, "dtype");
  }
  const ir::Dtype shape = program_.types[id];
  if (shape.kind == ir::DtypeKind::Select) {
    const std::optional<PyId> a = try_dtype(shape.a, alike);
    const std::optional<PyId> b = try_dtype(shape.b, alike);
    if (a && b) return python_.conditional(*a, constant(shape.condition), *b);
    return std::nullopt;
  }
  if (shape.kind == ir::DtypeKind::Promote) {
    // A promotion of a choice is a choice of promotions.
    for (const auto& [choice, other] : {std::pair{shape.a, shape.b}, std::pair{shape.b, shape.a}}) {
      const ir::Dtype select = program_.types[choice];
      if (select.kind != ir::DtypeKind::Select) continue;
      const ir::DtypeId spread = program_.types.select(select.condition, program_.types.promote(select.a, other),
                                                       program_.types.promote(select.b, other));
      return try_dtype(spread, alike);
    }
  }
  // Under the assumption that the arrays hold numbers, or floats, there is less to say.
  if (const ir::DtypeId simple = physical(assuming_numbers(id)); simple != id) {
    if (const std::optional<PyId> found = try_dtype(simple, alike)) {
      guard_not_bool(id);
      return found;
    }
  }
  if (const ir::DtypeId simple = physical(assuming_floats(id)); simple != id) {
    guard_float(id);
    return try_dtype(simple, alike);
  }
  if (shape.kind == ir::DtypeKind::Promote) {
    // Of two floats: either both are the same, or the result is a float32.
    const std::optional<PyId> a = try_dtype(shape.a, alike);
    const std::optional<PyId> b = try_dtype(shape.b, alike);
    if (!a || !b) return std::nullopt;
    guard_float(id);
    guard_not_float64(id);
    return python_.conditional(*a, python_.infix(*a, "==", *b), python_.atom("tl.float32"));
  }
  return std::nullopt;
}

// The parameters whose dtypes an open one is made of, as words.
std::string Lowering::sources_of(ir::DtypeId id) const {
  const auto is_part = [&](const auto& self, ir::DtypeId whole, ir::DtypeId part) -> bool {
    if (!whole) return false;
    return whole == part || self(self, program_.types[whole].a, part) || self(self, program_.types[whole].b, part);
  };
  std::vector<std::string> names;
  for (const ir::Param& param : program_.functions[function_].params) {
    if (param.value && is_part(is_part, id, type(param.value).dtype)) names.push_back("`" + param.name.string() + "`");
  }
  if (names.empty()) return "several arguments";
  std::string out = names[0];
  for (size_t i = 1; i < names.size(); ++i) out += (i + 1 == names.size() ? " and " : ", ") + names[i];
  return out;
}

PyId Lowering::dtype(ir::DtypeId id, source::Span where, const ShortList<ir::ValueId>& alike) {
  if (const std::optional<PyId> found = try_dtype(id, alike)) return *found;
  if (const std::optional<ir::Scalar> scalar = program_.types.scalar_of(physical(id))) {
    refuse(where, diag::report(diag::Severity::Error, where, no_such_dtype, ir::name_of(*scalar)));
    return python_.atom("None");
  }
  diag::Diagnostic report = diag::report(diag::Severity::Error, where, unknown_dtype, sources_of(id));
  report.notes.push_back("convert them first to a dtype that you name: `.astype(ct.float32)`");
  refuse(where, std::move(report));
  return python_.atom("None");
}

PyId Lowering::cast_like(PyId py, ir::DtypeId to, source::Span where, const ShortList<ir::ValueId>& alike) {
  return python_.method(py, "to", {dtype(to, where, alike)});
}

PyId Lowering::cast(PyId py, bool method, ir::DtypeId to, source::Span where) {
  const PyId target = dtype(to, where);
  return method ? python_.method(py, "to", {target}) : python_.call("tl.cast", {py, target});
}

}  // namespace tilewright::back::triton
