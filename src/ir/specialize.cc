// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/specialize.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "ir/attrs.h"
#include "ir/closing.h"
#include "ir/constants.h"
#include "ir/launch_checks.h"
#include "ir/messages.h"
#include "sym/fold.h"

namespace tilewright::ir {
namespace {

std::optional<sym::ExprKind> arithmetic_of(OpKind kind) {
  using E = sym::ExprKind;
  static constexpr std::pair<OpKind, E> table[] = {
      {OpKind::Add, E::Add},           {OpKind::Sub, E::Sub},         {OpKind::Mul, E::Mul},
      {OpKind::TrueDiv, E::TrueDiv},   {OpKind::CmpEq, E::Eq},        {OpKind::CmpNe, E::Ne},
      {OpKind::FloorDiv, E::FloorDiv}, {OpKind::FloorMod, E::Mod},    {OpKind::CmpLt, E::Lt},
      {OpKind::CmpLe, E::Le},          {OpKind::CeilDiv, E::CeilDiv}, {OpKind::CeilDivPositive, E::CeilDiv},
      {OpKind::Pow, E::Pow},           {OpKind::CmpGt, E::Gt},        {OpKind::CmpGe, E::Ge},
      {OpKind::Min, E::Min},           {OpKind::Max, E::Max},         {OpKind::BitAnd, E::BitAnd},
      {OpKind::BitOr, E::BitOr},       {OpKind::BitXor, E::BitXor},   {OpKind::Shl, E::Shl},
      {OpKind::Shr, E::Shr},           {OpKind::Neg, E::Neg},         {OpKind::Not, E::Not},
      {OpKind::BitNot, E::Invert},
  };
  for (const auto& [op, expression] : table) {
    if (op == kind) return expression;
  }
  return std::nullopt;
}

LooseKind loose_of(const sym::Value& value) {
  if (std::holds_alternative<bool>(value)) return LooseKind::Bool;
  return std::holds_alternative<int64_t>(value) ? LooseKind::Int : LooseKind::Float;
}

class Specializer {
 public:
  Specializer(const Program& from, LaunchSpec launch) : from_(from), launch_(std::move(launch)), closing_(out_.program, launch_) {
    // The same ids for types and expressions in both: only what is new is added.
    to().arena = from.arena;
    to().types = from.types;
    to().types.rebind(to().arena);
    values_.resize(from.values.size());
    vars_.resize(from.vars.size());
    functions_.resize(from.functions.size());
  }

  Specialized run(FunctionId kernel) {
    function_ = kernel;
    if (parameters(from_.functions[kernel])) out_.kernel = function(kernel);
    variables();
    return std::move(out_);
  }

 private:
  // Where the ops of a source block go on to; a jump ends the block, whatever the source has behind it.
  enum class Flow : uint8_t { Goes, Ends };

  Program& to() { return out_.program; }
  const Type& type_of(ValueId value) { return to().types[to().values[value].type]; }

  template <class... Args>
  void report(source::Span span, const diag::Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    diag::Diagnostic diagnostic = diag::report(diag::Severity::Error, span, message, args...);
    diagnostic.kernel = launch_.kernel;
    out_.diagnostics.push_back(std::move(diagnostic));
  }

  bool parameters(const Function& kernel) {
    if (launch_.arguments.size() != kernel.params.size()) {
      report(kernel.span, messages::other_launch,
             "has " + std::to_string(launch_.arguments.size()) + " arguments, `" + kernel.name + "` has " +
                 std::to_string(kernel.params.size()) + " parameters");
      return false;
    }
    std::vector<std::string> names;
    for (const Param& param : kernel.params) names.push_back(param.name);
    closing_.name(std::move(names));
    const size_t before = out_.diagnostics.size();
    for (size_t i = 0; i < kernel.params.size(); ++i) parameter(kernel.params[i], launch_.arguments[i]);
    return out_.diagnostics.size() == before;
  }

  void parameter(const Param& param, Argument& argument) {
    if (!param.value) return;
    if (argument.kind == ArgumentKind::Bool) argument.dtype = Scalar::Bool;
    if (argument.kind == ArgumentKind::Int) {
      const int64_t* value = argument.value ? std::get_if<int64_t>(&*argument.value) : nullptr;
      const bool wide = value && param.any_width && !holds(Scalar::I32, *value);
      argument.dtype = param.index_int64 || wide ? Scalar::I64 : Scalar::I32;
    }
    if (argument.kind == ArgumentKind::Float) argument.dtype = Scalar::F32;
    const Type& type = from_.types[from_.values[param.value].type];
    const auto is = [&](ArgumentKind kind) { return argument.kind == kind; };
    const auto wants = [&](const char* what) {
      report(param.span, messages::other_launch, "passes no " + std::string(what) + " for `" + param.name.string() + "`");
    };
    switch (type.kind) {
      case TypeKind::Array: return is(ArgumentKind::Array) ? void() : wants("array");
      case TypeKind::ArrayList: return is(ArgumentKind::ArrayList) ? void() : wants("list of arrays");
      case TypeKind::Const: {
        if (is(ArgumentKind::None) || is(ArgumentKind::String)) return;
        if (!argument.value) return wants("constant");
        const sym::Expr& expr = from_.arena[type.value];
        TW_CHECK(expr.kind == sym::ExprKind::Atom || expr.kind == sym::ExprKind::Literal,
                 "a constant parameter that is no symbol");
        if (expr.kind == sym::ExprKind::Atom) closing_.bind(from_.arena.atom_of(type.value).key, *argument.value);
        return;
      }
      case TypeKind::Window: {
        if (is(ArgumentKind::None)) return;
        if (!is(ArgumentKind::Window) || argument.block.size() != type.shape.size()) return wants("window of its rank");
        for (size_t axis = 0; axis < type.shape.size(); ++axis) {
          if (from_.arena[type.shape[axis]].kind == sym::ExprKind::Atom)
            closing_.bind(from_.arena.atom_of(type.shape[axis]).key, argument.block[axis]);
        }
        return;
      }
      case TypeKind::Tile: {
        // What reads it is refused where it is reached.
        if (is(ArgumentKind::None)) return;
        if (from_.types.is_pointer(type.dtype)) return is(ArgumentKind::Array) ? void() : wants("array");
        if (!is(ArgumentKind::Bool) && !is(ArgumentKind::Int) && !is(ArgumentKind::Float)) return wants("number");
        const std::optional<ScalarClass> read_as = from_.types.class_of(type.dtype);
        const ScalarClass given = is(ArgumentKind::Bool)  ? ScalarClass::Bool
                                  : is(ArgumentKind::Int) ? ScalarClass::Signed
                                                          : ScalarClass::Float;
        if (read_as && *read_as != given) wants(from_.types.text(type.dtype).c_str());
        const auto* number = argument.value ? std::get_if<int64_t>(&*argument.value) : nullptr;
        if (number && argument.dtype == Scalar::I32 && *number != static_cast<int32_t>(*number))
          report(param.span, messages::other_launch,
                 "passes " + std::to_string(*number) + " for `" + param.name.string() + "`, an int32");
        return;
      }
      case TypeKind::DtypeConst: return is(ArgumentKind::Dtype) ? void() : wants("dtype");
      case TypeKind::None: return;
    }
  }

  FunctionId function(FunctionId id) {
    if (functions_[id.index]) return functions_[id.index];
    const Function& source = from_.functions[id];
    Function f = source;
    for (Param& param : f.params) {
      if (param.value) param.value = value(param.value, OpId::none());
    }
    for (TypeId& result : f.results) result = closing_.type(result);
    for (sym::ExprId& condition : f.assumes) {
      condition = closing_.expression(condition);
      if (to().arena.truth_of(condition) == false)
        report(f.span, messages::other_launch, "breaks " + from_.arena.text(source.assumes[0]));
    }
    f.body = to().blocks.add({});
    const FunctionId outer = function_;
    function_ = id;
    block(source.body, f.body);
    function_ = outer;
    return functions_[id.index] = to().functions.add(std::move(f));
  }

  ValueId value(ValueId source, OpId definition) {
    const Value& old = from_.values[source];
    const ValueId id = to().values.add({.type = closing_.type(old.type), .definition = definition, .name = old.name});
    values_[source.index] = id;
    return id;
  }

  ValueId mapped(ValueId source) const { return source ? values_[source.index] : ValueId{}; }

  VarId mapped(VarId source) {
    if (!source) return source;
    VarId& id = vars_[source.index];
    if (!id) id = to().vars.add(from_.vars[source]);
    return id;
  }

  std::optional<bool> truth(ValueId source) {
    const ValueId id = mapped(source);
    if (!id || type_of(id).kind != TypeKind::Const) return std::nullopt;
    return to().arena.truth_of(type_of(id).value);
  }

  bool is_const(ValueId source) {
    const ValueId id = mapped(source);
    return id && type_of(id).kind == TypeKind::Const;
  }

  Flow block(BlockId source, BlockId target, ValueId* yielded = nullptr) {
    for (const OpId op : from_.blocks[source].ops) {
      if (yielded && from_.ops[op].kind == OpKind::Yield) {
        *yielded = mapped(from_.ops[op].operands[0]);
        return Flow::Goes;
      }
      if (this->op(op, target) == Flow::Ends) return Flow::Ends;
    }
    return Flow::Goes;
  }

  Flow op(OpId id, BlockId target) {
    const Op& o = from_.ops[id];
    const bool decided = !o.operands.empty() && is_const(o.operands[0]);
    if (o.kind == OpKind::If && decided) return branch(o, target);
    if (o.kind == OpKind::Ternary && decided) return choice(o, target);
    if ((o.kind == OpKind::AndThen || o.kind == OpKind::OrElse) && decided) return connective(o, target);
    if (o.kind == OpKind::Unsupported) {
      report(o.span, o.attrs.asserted ? messages::broken_assertion : messages::does_not_compile, o.attrs.rare->text.string());
      return Flow::Ends;
    }
    if (o.kind == OpKind::Cast && is_no_conversion(o)) {
      values_[o.results[0].index] = mapped(o.operands[0]);
      return Flow::Goes;
    }
    return copy(o, target);
  }

  bool is_no_conversion(const Op& o) {
    const ValueId operand = mapped(o.operands[0]);
    if (!operand || o.attrs.rounding != Rounding::Default) return false;
    return type_of(operand).kind == TypeKind::Tile && type_of(operand).dtype == closing_.dtype(o.attrs.dtype);
  }

  Flow undecided(const Op& o) {
    report(o.span, messages::other_launch, "does not say whether " + to().arena.text(type_of(mapped(o.operands[0])).value));
    return Flow::Goes;
  }

  Flow branch(const Op& o, BlockId target) {
    const std::optional<bool> taken = truth(o.operands[0]);
    if (!taken) return undecided(o);
    if (*taken) return block(o.regions[0], target);
    return o.regions.size() > 1 ? block(o.regions[1], target) : Flow::Goes;
  }

  Flow choice(const Op& o, BlockId target) {
    const std::optional<bool> taken = truth(o.operands[0]);
    if (!taken) return undecided(o);
    ValueId result;
    if (block(o.regions[*taken ? 0 : 1], target, &result) == Flow::Ends) return Flow::Ends;
    values_[o.results[0].index] = result;
    return Flow::Goes;
  }

  // `False and y` is False, whatever y; `True and y` is the truth of y.
  Flow connective(const Op& o, BlockId target) {
    const std::optional<bool> left = truth(o.operands[0]);
    if (!left) return undecided(o);
    if (*left == (o.kind == OpKind::AndThen)) {
      ValueId right;
      if (block(o.regions[0], target, &right) == Flow::Ends) return Flow::Ends;
      if (!right) return Flow::Goes;
      if (type_of(right).kind != TypeKind::Const) {
        const DtypeId boolean = to().types.known(Scalar::Bool);
        if (type_of(right).kind == TypeKind::Tile && type_of(right).dtype == boolean) {
          values_[o.results[0].index] = right;
          return Flow::Goes;
        }
        Op cast{.kind = OpKind::Cast, .span = o.span, .statement = o.statement, .node = o.node, .operands = {right}};
        cast.attrs.dtype = boolean;
        cast.attrs.implicit = true;
        const OpId made = append(to(), target, std::move(cast), {to().types.tile(boolean, type_of(right).shape)});
        values_[o.results[0].index] = to().ops[made].results[0];
        return Flow::Goes;
      }
      const std::optional<bool> both = to().arena.truth_of(type_of(right).value);
      if (!both) return undecided(o);
      return constant(o, *both, target);
    }
    return constant(o, *left, target);
  }

  Flow constant(const Op& o, bool result, BlockId target) {
    Op literal{.kind = OpKind::Literal, .span = o.span, .statement = o.statement, .node = o.node};
    const OpId made =
        append(to(), target, std::move(literal), {to().types.constant(LooseKind::Bool, to().arena.literal(result))});
    values_[o.results[0].index] = to().ops[made].results[0];
    return Flow::Goes;
  }

  Flow copy(const Op& o, BlockId target) {
    Op made = o;
    made.regions.clear();
    made.results.clear();
    for (ValueId& operand : made.operands) {
      const std::string& name = from_.values[operand].name;
      operand = mapped(operand);
      if (operand) continue;
      // Either it is reported where it would have been made, or it would have been made in a branch that is not taken.
      if (out_.diagnostics.empty()) report(o.span, messages::other_launch, "leaves `" + name + "` undefined");
      return Flow::Goes;
    }
    each_attr(made.attrs, [&](const char*, auto& field) { map(field); });
    if (made.attrs.rare->bounds_if) {
      const std::optional<bool> tested = to().arena.truth_of(type_of(made.attrs.rare->bounds_if).value);
      if (tested == false) made.attrs.rare.edit().bounds = Bounds::Never;
      if (tested) made.attrs.rare.edit().bounds_if = {};
    }
    const OpId id = to().ops.add(std::move(made));
    ShortList<ValueId> results;
    for (const ValueId result : o.results) results.push_back(value(result, id));
    to().ops[id].results = results;
    to().blocks[target].ops.push_back(id);
    if (results.size() == 1) fold(o, results[0]);
    bool ends = true;
    for (const BlockId region : o.regions) {
      const BlockId inner = to().blocks.add({});
      for (const ValueId argument : from_.blocks[region].arguments) {
        const ValueId made_argument = value(argument, OpId::none());
        to().blocks[inner].arguments.push_back(made_argument);
      }
      to().ops[id].regions.push_back(inner);
      ends &= block(region, inner) == Flow::Ends;
    }
    check(id);
    if (o.kind == OpKind::If) return ends && o.regions.size() == 2 ? Flow::Ends : Flow::Goes;
    return info(o.kind).effect == Effect::Jump && o.kind != OpKind::Yield ? Flow::Ends : Flow::Goes;
  }

  void map(DtypeId& field) { field = closing_.dtype(field); }
  void map(ValueId& field) { field = mapped(field); }
  void map(VarId& field) { field = mapped(field); }
  void map(OneList<VarId>& field) {
    for (VarId& var : field) var = mapped(var);
  }
  void map(FunctionId& field) {
    if (field) field = function(field);
  }
  template <class Other>
  void map(Other&) {}

  // A constant made of constants has the value that Python gives it; and if it was a name for something that only a launch can
  // decide, the name now has a value.
  void fold(const Op& o, ValueId result) {
    const Type type = type_of(result);
    if (type.kind != TypeKind::Const || type.strict) return;
    if (o.kind == OpKind::Copy && is_const(o.operands[0])) {
      to().values[result].type = to().values[mapped(o.operands[0])].type;
      return;
    }
    const std::optional<sym::ExprKind> kind = arithmetic_of(o.kind);
    if (!kind) return;
    std::vector<sym::Value> operands;
    for (const ValueId operand : o.operands) {
      if (!is_const(operand)) return;
      const std::optional<sym::Value> literal = to().arena.literal_of(type_of(mapped(operand)).value);
      if (!literal) return;
      operands.push_back(*literal);
    }
    const std::optional<sym::Value> folded = sym::fold(*kind, operands);
    if (!folded) return;
    to().values[result].type = to().types.constant(loose_of(*folded), to().arena.literal(*folded));
    const sym::ExprId open = from_.types[from_.values[o.results[0]].type].value;
    if (from_.arena[open].kind != sym::ExprKind::Atom) return;
    if (const std::string& name = from_.arena.atom_of(open).key; !closing_.is_bound(name)) closing_.bind(name, *folded);
  }

  void check(OpId id) {
    const Op& o = to().ops[id];
    for (const ValueId result : o.results) {
      const Type& type = type_of(result);
      if (type.kind != TypeKind::Tile) continue;
      if (const std::optional<std::string> why = closing_.conflict(type.dtype)) return report(o.span, messages::dtypes, *why);
    }
    if (const std::optional<std::string> why = closing_.conflict(o.attrs.dtype)) return report(o.span, messages::dtypes, *why);
    if (const std::optional<LaunchError> error = refused(to(), id)) return report(o.span, *error);
    if (o.kind != OpKind::Return) return;
    const ShortList<TypeId>& results = from_.functions[function_].results;
    for (size_t i = 0; i < o.operands.size(); ++i) number(o, o.operands[i], closing_.type(results[i]));
  }

  void report(source::Span span, const LaunchError& error) {
    switch (error.kind) {
      case LaunchErrorKind::Dtypes: return report(span, messages::dtypes, error.why);
      case LaunchErrorKind::Extent: return report(span, messages::extent, error.why);
      case LaunchErrorKind::Shapes: return report(span, messages::shapes, error.why);
      case LaunchErrorKind::Rank: return report(span, messages::other_launch, error.why);
    }
  }

  // What `value` becomes at an op, if it is a constant.
  void number(const Op& at, ValueId value, TypeId wanted) {
    const Type& type = to().types[wanted];
    if (type.kind != TypeKind::Tile) return;
    if (const std::optional<LaunchError> error = unheld(to(), value, to().types.scalar_of(type.dtype))) report(at.span, *error);
  }

  // What is read of a variable says what is written to it.
  void variables() {
    std::vector<TypeId> read(to().vars.size());
    for (const Op& o : to().ops) {
      if (o.kind == OpKind::Get) read[o.attrs.var.index] = to().values[o.results[0]].type;
    }
    for (const Op& o : to().ops) {
      if (o.kind != OpKind::Set) continue;
      for (size_t i = 0; i < o.operands.size(); ++i) {
        if (const TypeId type = read[written_vars(o)[i].index]) number(o, o.operands[i], type);
      }
    }
  }

  const Program& from_;
  LaunchSpec launch_;
  Specialized out_;
  Closing closing_;
  std::vector<ValueId> values_;
  std::vector<VarId> vars_;
  std::vector<FunctionId> functions_;
  FunctionId function_;
};

}  // namespace

Specialized specialize(const Program& program, FunctionId kernel, LaunchSpec launch) {
  Specialized out = Specializer(program, std::move(launch)).run(kernel);
  diag::sort(out.diagnostics);
  return out;
}

std::optional<FunctionId> kernel_named(const Program& program, std::string_view name) {
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const Function& function = program.functions[FunctionId{i}];
    if (function.kind == FunctionKind::Kernel && function.name == name) return FunctionId{i};
  }
  return std::nullopt;
}

}  // namespace tilewright::ir
