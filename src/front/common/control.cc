// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Conditions that choose: `if`, `… if … else …`, `and`, `or`, `not`.
//
// Three kinds of condition. One that is known here decides what is read at all. One that is a constant of the launch leaves both
// branches, each read under its assumption. One at run time is an op of the program.

#include <algorithm>

#include "front/common/control.h"
#include "front/common/dialect.h"
#include "ir/constants.h"

namespace tilewright::front {

using ir::OpKind;
using ir::TypeId;
using ir::TypeKind;
using ir::ValueId;
using syntax::NodeList;

namespace {

struct Sides {
  Region then;
  Region otherwise;
};

// Both sides of a constant of the launch, each under its assumption; nullopt if neither compiles, which is an error at `at`.
std::optional<Sides> read_sides(Reader& reader, NodeId node, sym::ExprId condition, NodeId at, std::string_view what,
                                const Body& then, const Body& otherwise) {
  Sides sides{.then = read_assuming(reader, node, condition, true, then),
              .otherwise = read_assuming(reader, node, condition, false, otherwise)};
  if (!sides.then.failed || !sides.otherwise.failed) return sides;
  error(reader, at, messages::type_differs, what, sides.then.reason + "; " + sides.otherwise.reason);
  return std::nullopt;
}

}  // namespace

void read_if(Reader& reader, NodeId node) {
  const auto statement = reader.tree().as<syntax::If>(node);
  Frame& frame = *reader.frame;
  const Val test = materialise(reader, statement.test, read_expression(reader, statement.test));
  const sym::ExprId condition = constant_condition(reader, test);
  if (condition) {
    if (const auto known = truth(reader, condition)) {
      emit_mark(reader, node);
      read_statements(reader, *known ? statement.body : statement.orelse);
      return;
    }
  }
  const auto value = runtime_condition(reader, statement.test, test);
  const auto branch = [&](NodeList body) {
    return [&reader, body] {
      read_statements(reader, body);
      return Val{};
    };
  };
  const size_t values = reader.program.values.size();
  Region then;
  Region otherwise;
  if (condition) {
    auto sides =
        read_sides(reader, node, condition, statement.test, "this program", branch(statement.body), branch(statement.orelse));
    if (!sides) {
      frame.environment.reachable = false;
      return;
    }
    then = std::move(sides->then);
    otherwise = std::move(sides->otherwise);
  } else {
    Assumptions implied;
    if (value) {
      if (const auto found = frame.implied.find(*value); found != frame.implied.end()) implied = found->second;
    }
    then = read_region(reader, [&] {
      for (const auto& [part, holds] : implied) assume(reader, part, holds);
      read_statements(reader, statement.body);
      return Val{};
    });
    otherwise = read_region(reader, branch(statement.orelse));
  }
  frame.statement = node;
  if (value) emit_op(reader, node, OpKind::If, {*value}, {}, {}, {then.block, otherwise.block});
  const bool then_goes_on = then.environment.reachable;
  const bool otherwise_goes_on = otherwise.environment.reachable;
  if (condition) {
    frame.environment = choose(std::move(then.environment), std::move(otherwise.environment), condition, node);
    // What follows runs only where the other branch was taken.
    if (!then_goes_on)
      assume(reader, condition, false);
    else if (!otherwise_goes_on)
      assume(reader, condition, true);
  } else {
    frame.environment = merge(reader, std::move(then.environment), otherwise.environment);
  }
  leave_block(reader, frame.environment, values);
  if (!then_goes_on && !otherwise_goes_on) frame.environment.reachable = false;
}

Unrolled* unrolled_with(const Frame& frame, NodeList rest) {
  for (auto around = frame.unrolled.rbegin(); around != frame.unrolled.rend(); ++around) {
    const NodeList body = (*around)->body;
    if (body.data() + body.size() == rest.data() + rest.size()) return *around;
  }
  return nullptr;
}

bool ask_for_split(Reader& reader, NodeId origin, sym::ExprId condition) {
  Frame& frame = *reader.frame;
  constexpr size_t splits_limit = 3;  // each may double what follows it
  if (!origin || reader.splits.size() >= splits_limit) return false;
  const source::Span span = frame.tree->span(origin);
  for (auto block = frame.blocks.rbegin(); block != frame.blocks.rend(); ++block) {
    for (size_t i = 0; i <= block->second && i < block->first.size(); ++i) {
      const NodeId statement = block->first[i];
      if (!frame.tree->span(statement).contains(span)) continue;
      const bool is_unrolled = frame.tree->is(statement, NodeKind::If) && unrolled_with(frame, block->first) != nullptr;
      if (is_unrolled) condition = {};
      for (const Split& split : reader.splits) {
        if (split.tree == frame.tree && split.statement == statement && split.condition == condition) return false;
      }
      reader.splits.push_back({frame.tree, statement, condition});
      reader.learned = true;
      return true;
    }
  }
  return false;
}

std::optional<ValueId> constant_value(Reader& reader, NodeId node, sym::ExprId value) {
  for (const ir::Param& param : reader.frame->made->params) {
    if (!param.value) continue;
    const ir::Type& type = type_of(reader, param.value);
    if (type.kind == TypeKind::Const && !type.strict && type.value == value) return param.value;
  }
  const sym::Expr expr = reader.arena()[value];
  if (expr.kind == sym::ExprKind::Literal) {
    return literal(reader, node, expr.value);
  }
  static constexpr std::pair<sym::ExprKind, OpKind> operations[] = {
      {sym::ExprKind::Add, OpKind::Add},      {sym::ExprKind::Sub, OpKind::Sub},
      {sym::ExprKind::Mul, OpKind::Mul},      {sym::ExprKind::FloorDiv, OpKind::FloorDiv},
      {sym::ExprKind::Mod, OpKind::FloorMod}, {sym::ExprKind::CeilDiv, OpKind::CeilDiv},
      {sym::ExprKind::Min, OpKind::Min},      {sym::ExprKind::Max, OpKind::Max},
      {sym::ExprKind::Eq, OpKind::CmpEq},     {sym::ExprKind::Ne, OpKind::CmpNe},
      {sym::ExprKind::Lt, OpKind::CmpLt},     {sym::ExprKind::Le, OpKind::CmpLe},
      {sym::ExprKind::Gt, OpKind::CmpGt},     {sym::ExprKind::Ge, OpKind::CmpGe},
      {sym::ExprKind::And, OpKind::BitAnd},   {sym::ExprKind::Or, OpKind::BitOr},
      {sym::ExprKind::Not, OpKind::Not},
  };
  for (const auto& [from, op] : operations) {
    if (expr.kind != from) continue;
    std::optional<ValueId> made;
    for (const sym::ExprId operand : expr.operands) {
      const auto part = constant_value(reader, node, operand);
      if (!part) return std::nullopt;
      if (op == OpKind::Not) {
        const Val negated = logical_not(reader, node, ir_val(*part));
        return negated.is(ValKind::Ir) ? std::optional(negated.value) : std::nullopt;
      }
      if (!made) {
        made = part;
        continue;
      }
      const bool comparison = op >= OpKind::CmpEq && op <= OpKind::CmpGe;
      const Val joined = comparison ? reader.dialect.compare(reader, node, op, ir_val(*made), ir_val(*part))
                                    : reader.dialect.binary(reader, node, op, ir_val(*made), ir_val(*part), {});
      if (!joined.is(ValKind::Ir)) return std::nullopt;
      made = joined.value;
    }
    return made;
  }
  return std::nullopt;
}

// The condition of an `if` that only a launch decides; none() of any other.
static sym::ExprId open_condition(Reader& reader, NodeId statement) {
  sym::ExprId condition;
  read_region(reader, [&] {
    const NodeId test = reader.tree().as<syntax::If>(statement).test;
    condition = constant_condition(reader, materialise(reader, test, read_expression(reader, test)));
    return Val{};
  });
  return condition && !truth(reader, condition) ? condition : sym::ExprId{};
}

bool read_split(Reader& reader, const Split& given, NodeList rest) {
  Split split = given;
  Frame& frame = *reader.frame;
  const NodeId node = rest[0];
  frame.statement = node;
  if (!split.condition) split.condition = open_condition(reader, node);
  if (!split.condition) return false;
  std::optional<ValueId> value;
  if (const auto statement = reader.tree().get_if<syntax::If>(node)) {
    const Val test = materialise(reader, statement->test, read_expression(reader, statement->test));
    if (test.is(ValKind::Ir) && is_const(reader, test.value) && constant_condition(reader, test) == split.condition)
      value = test.value;
  }
  if (!value) value = constant_value(reader, node, split.condition);
  if (!value) return false;
  Unrolled* const around = unrolled_with(frame, rest);
  const auto side = [&] {
    read_statements(reader, rest);
    if (around) around->after();
    return Val{};
  };
  if (around) around->is_read = true;
  auto sides = read_sides(reader, node, split.condition, node, "this program", side, side);
  if (!sides) {
    frame.environment.reachable = false;
    return true;
  }
  Region& then = sides->then;
  Region& otherwise = sides->otherwise;
  frame.statement = node;
  ir::Attrs attrs;
  attrs.spelling = ir::Spelling::Split;
  emit_op(reader, node, OpKind::If, {*value}, {}, std::move(attrs), {then.block, otherwise.block});
  const bool goes_on = then.environment.reachable || otherwise.environment.reachable;
  frame.environment = choose(std::move(then.environment), std::move(otherwise.environment), split.condition, node);
  if (!goes_on) frame.environment.reachable = false;
  return true;
}

// Conditions inside of expressions ---------------------------------------------------------------------------------------------

Val read_ternary(Reader& reader, NodeId node) {
  const auto expression = reader.tree().as<syntax::IfExp>(node);
  const Val test = materialise(reader, expression.test, read_expression(reader, expression.test));
  const sym::ExprId condition = constant_condition(reader, test);
  if (condition) {
    if (const auto known = truth(reader, condition)) {
      return read_expression(reader, *known ? expression.body : expression.orelse);
    }
  }
  const auto value = runtime_condition(reader, expression.test, test);
  const auto arm = [&](NodeId at) { return [&reader, at] { return materialise(reader, at, read_expression(reader, at)); }; };
  Region then;
  Region otherwise;
  if (condition) {
    auto sides =
        read_sides(reader, node, condition, expression.test, "this expression", arm(expression.body), arm(expression.orelse));
    if (!sides) return {};
    then = std::move(sides->then);
    otherwise = std::move(sides->otherwise);
  } else {
    then = read_region(reader, arm(expression.body));
    otherwise = read_region(reader, arm(expression.orelse));
  }
  if (!value) return {};
  if (then.failed || otherwise.failed) {
    const Region& live = then.failed ? otherwise : then;
    append_block(reader, live.block);
    return live.value;
  }
  if (then.value.poison() || otherwise.value.poison()) return {};
  // A parameter of which nothing is known yet is a number beside a number, or where the choice is made at run time.
  const auto number = [&](Region& region, const Region& other, NodeId at) {
    const bool beside = other.value.is(ValKind::Ir) && is_numeric(reader, type_id(reader, other.value.value));
    if (!region.value.is(ValKind::Parameter) || !(beside || !condition)) return true;
    const auto made = as_number(reader, at, region.value, "a value of `if … else`");
    if (made) region.value = ir_val(*made);
    return made.has_value();
  };
  if (!number(then, otherwise, expression.body) || !number(otherwise, then, expression.orelse)) return {};
  if (then.value.is(ValKind::Ir) && otherwise.value.is(ValKind::Ir)) {
    const TypeId a = type_id(reader, then.value.value);
    const TypeId b = type_id(reader, otherwise.value.value);
    bool loose = false;
    const auto type = condition ? select_types(reader, condition, a, b, loose) : merge_types(reader, a, b);
    if (!type) {
      const std::string detail = describe(reader, a) + " or " + describe(reader, b);
      return error(reader, node, messages::type_differs, "this expression", detail);
    }
    for (const Region* region : {&then, &otherwise}) {
      const ir::BlockId outer = reader.frame->block;
      reader.frame->block = region->block;
      ValueId value_of_arm = region->value.value;
      const TypeId type_of_arm = type_id(reader, value_of_arm);
      const bool converts = strict(reader, type_of_arm) != *type && type_of_arm != *type;
      if (is_const(reader, value_of_arm) && reader.types()[*type].kind == TypeKind::Tile &&
          (converts || ir::needs_dtype(reader.types(), reader.types()[type_of_arm]))) {
        value_of_arm = *as_tile(reader, node, region->value, "a value of `if … else`");
      }
      // Two open dtypes: a launch that cuTile accepts has the same in both.
      if (!condition && reader.types()[*type].kind == TypeKind::Tile)
        value_of_arm = implicit_cast(reader, node, value_of_arm, reader.types()[*type].dtype);
      emit_op(reader, node, OpKind::Yield, {value_of_arm}, {});
      reader.frame->block = outer;
    }
    const ir::OpId op = emit_op(reader, node, OpKind::Ternary, {*value}, {*type}, {}, {then.block, otherwise.block});
    const ValueId result = reader.program.ops[op].results[0];
    if (loose) reader.frame->loose.insert(result);
    return ir_val(result);
  }
  append_block(reader, then.block);
  append_block(reader, otherwise.block);
  if (same(then.value, otherwise.value)) return then.value;
  if (condition) {
    return {.kind = ValKind::Conditional,
            .condition = condition,
            .items = std::make_shared<const std::vector<Val>>(std::vector<Val>{then.value, otherwise.value})};
  }
  const std::string detail = describe(reader, then.value) + " or " + describe(reader, otherwise.value);
  return error(reader, node, messages::type_differs, "this expression", detail);
}

namespace {

Val read_bool(Reader& reader, NodeId node, syntax::BoolOperator op, NodeList values, size_t i) {
  const bool is_and = op == syntax::BoolOperator::And;
  const NodeId at = values[i];
  const Val first = materialise(reader, at, read_expression(reader, at));
  if (first.poison()) return {};
  const sym::ExprId condition = constant_condition(reader, first);
  const auto known = condition ? truth(reader, condition) : std::nullopt;
  if (i + 1 == values.size()) {
    if (condition) {
      // `and` and `or` give a bool, not the operand.
      if (first.is(ValKind::Ir) && is_const(reader, first.value) && type_of(reader, first.value).loose == ir::LooseKind::Bool)
        return first;
      if (known) return ir_val(literal(reader, at, sym::Value{*known}));
      const TypeId type = reader.types().constant(ir::LooseKind::Bool, condition);
      return ir_val(emit(reader, at, OpKind::CmpNe, {first.value, integer(reader, at, 0)}, type));
    }
    const auto value = runtime_condition(reader, at, first);
    return value ? ir_val(*value) : Val{};
  }
  if (known) {
    if (*known != is_and) return ir_val(literal(reader, at, sym::Value{*known}));
    return read_bool(reader, node, op, values, i + 1);
  }
  const auto value = runtime_condition(reader, at, first);
  if (!value) return {};
  const auto rest = [&] { return read_bool(reader, node, op, values, i + 1); };
  const Region region = condition ? read_assuming(reader, node, condition, is_and, rest) : read_region(reader, rest);
  if (region.failed || region.value.poison()) return {};
  const ir::BlockId outer = reader.frame->block;
  reader.frame->block = region.block;
  emit_op(reader, node, OpKind::Yield, {region.value.value}, {});
  reader.frame->block = outer;
  const sym::ExprId second = constant_condition(reader, region.value);
  TypeId type = bool_type(reader);
  if (condition && second) {
    type = reader.types().constant(ir::LooseKind::Bool,
                                   reader.arena().make(is_and ? sym::ExprKind::And : sym::ExprKind::Or, {condition, second}));
  }
  const ir::OpId made = emit_op(reader, node, is_and ? OpKind::AndThen : OpKind::OrElse, {*value}, {type}, {}, {region.block});
  const ValueId result = reader.program.ops[made].results[0];
  if (is_and && !(condition && second)) {
    Assumptions implied;
    if (condition) implied.push_back({condition, true});
    if (second) implied.push_back({second, true});
    for (const ValueId part : {*value, region.value.value}) {
      if (const auto found = reader.frame->implied.find(part); found != reader.frame->implied.end()) {
        implied.insert(implied.end(), found->second.begin(), found->second.end());
      }
    }
    if (!implied.empty()) reader.frame->implied[result] = std::move(implied);
  }
  return ir_val(result);
}

}  // namespace

Val read_bool_op(Reader& reader, NodeId node) {
  const auto operation = reader.tree().as<syntax::BoolOp>(node);
  constexpr size_t operand_limit = 200;  // each is a region inside of the one before
  if (operation.values.size() > operand_limit) return error(reader, node, messages::too_deep);
  return read_bool(reader, node, operation.op, operation.values, 0);
}

Val logical_not(Reader& reader, NodeId node, const Val& given) {
  const Val operand = materialise(reader, node, given);
  if (operand.poison()) return {};
  const sym::ExprId condition = constant_condition(reader, operand);
  if (condition) {
    if (!operand.is(ValKind::Ir) || !is_const(reader, operand.value)) {
      return ir_val(literal(reader, node, sym::Value{!*reader.arena().truth_of(condition)}));
    }
    const TypeId type = reader.types().constant(ir::LooseKind::Bool, reader.arena().make(sym::ExprKind::Not, {condition}));
    return ir_val(emit(reader, node, OpKind::Not, {operand.value}, type));
  }
  const auto value = as_number(reader, node, operand, "the operand of `not`");
  if (!value) return {};
  return ir_val(emit(reader, node, OpKind::Not, {*value}, bool_type(reader, shape_of(reader, *value))));
}

}  // namespace tilewright::front
