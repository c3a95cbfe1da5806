// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/natural.h"

#include "base/check.h"
#include "sym/parse.h"

namespace tilewright::rules {

bool is_signed_arithmetic(const ir::Program& program, ir::OpId id) {
  const ir::Op& op = program.ops[id];
  const ir::Type& type = program.types[program.values[op.results[0]].type];
  if (type.kind != ir::TypeKind::Tile) return false;
  return program.types.class_of(op.attrs.dtype ? op.attrs.dtype : type.dtype) == ir::ScalarClass::Signed;
}

std::string called(const ir::Program& program, ir::ValueId value) {
  if (!program.values[value].name.empty()) return program.values[value].name;
  const ir::OpId definition = program.values[value].definition;
  return definition ? std::string(ir::info(program.ops[definition].kind).text) : "an argument";
}

void assume(const Context& context, const analysis::Proof& proof, ir::Plan& plan) {
  for (const analysis::Condition& condition : proof.assumes) {
    size_t position = 0;
    const std::optional<sym::ExprId> expression = sym::parse(context.program.arena, condition.text, position);
    TW_CHECK(expression && position == condition.text.size(), "no condition: " + condition.text);
    plan.edits.push_back(ir::Assume{condition.kernel, *expression});
  }
}

void point(const ir::Program& program, ir::ValueId gap, diag::Diagnostic& diagnostic) {
  const ir::OpId definition = gap ? program.values[gap].definition : ir::OpId::none();
  if (definition) diagnostic.labels.push_back({program.ops[definition].span, "this may be negative"});
}

// SetKind{op, kind} on the conditions of a proof.
static Found plain(const Context& context, ir::OpId op, OpKind kind, const Message<>& message, const analysis::Proof& proof) {
  Found out{diag::report(Severity::Note, context.program.ops[op].span, message), {}};
  out.fix.edits.push_back(ir::SetKind{op, kind});
  assume(context, proof, out.fix);
  return out;
}

Verdict natural(const Context& context, ir::OpId op, OpKind kind, const Message<>& found,
                const Message<std::string_view>& missed) {
  const ir::Program& program = context.program;
  if (!is_signed_arithmetic(program, op)) return Silent{};
  const analysis::Proof proof = context.facts.none_negative(op, program.ops[op].operands);
  if (proof.holds) return plain(context, op, kind, found, proof);
  Missed out{diag::report(Severity::Note, program.ops[op].span, missed, called(program, proof.gap))};
  point(program, proof.gap, out.why);
  return out;
}

Verdict quotient(const Context& context, ir::OpId op, OpKind kind, const Message<>& found, const Message<>& clamped,
                 const Message<std::string_view>& missed) {
  const ir::Op& division = context.program.ops[op];
  if (!is_signed_arithmetic(context.program, op)) return Silent{};
  const analysis::Proof whole = context.facts.none_negative(op, division.operands);
  const bool asks = !whole.holds || !whole.assumes.empty();
  if (asks && context.facts.only_above_zero_counts(division.results[0])) {
    const analysis::Proof divisor = context.facts.none_negative(op, {&division.operands[1], 1});
    const bool asks_less = divisor.holds && (!whole.holds || divisor.assumes.size() < whole.assumes.size());
    if (asks_less) return plain(context, op, kind, clamped, divisor);
  }
  return natural(context, op, kind, found, missed);
}

}  // namespace tilewright::rules
