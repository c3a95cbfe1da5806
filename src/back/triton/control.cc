// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Statements, and the author's comments and blank lines around them.

#include <algorithm>

#include "back/triton/lower.h"
#include "back/triton/messages.h"
#include "base/check.h"
#include "ir/walk.h"

namespace tilewright::back::triton {

using ir::BlockId;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;

namespace {

const char* flipped(std::string_view word) {
  if (word == "<") return ">=";
  if (word == "<=") return ">";
  if (word == ">") return "<=";
  if (word == ">=") return "<";
  if (word == "==") return "!=";
  if (word == "!=") return "==";
  return nullptr;
}

// Names for what the author left nameless and we have to name.
const char* temporary(OpKind kind) {
  if (kind == OpKind::LoadTile || kind == OpKind::Gather) return "loaded";
  if (kind == OpKind::Call) return "result";
  if (kind == OpKind::AndThen || kind == OpKind::OrElse || kind == OpKind::Not) return "condition";
  return "x";
}

}  // namespace

std::vector<StmtId> Lowering::block(BlockId id) {
  std::vector<StmtId> out;
  uint32_t blank_lines = 0;
  const bool is_body = id == program_.functions[function_].body;
  const std::vector<OpId>& ops = program_.blocks[id].ops;
  for (size_t begin = 0; begin < ops.size();) {
    size_t end = begin + 1;
    const ir::OriginId statement = op(ops[begin]).statement;
    while (end < ops.size() && op(ops[end]).statement == statement) ++end;
    std::vector<StmtId> made;
    for (size_t i = begin; i < end; ++i) statements(ops[i], made);
    const bool stale = made.empty() && outlived(std::span(ops).subspan(begin, end - begin));
    trivia_of(statement, op(ops[begin]).span, made, out, blank_lines, stale);
    out.insert(out.end(), made.begin(), made.end());
    if (is_body) print_ahead(out);
    begin = end;
  }
  return out;
}

// Whether the comments of a statement that prints nothing are about nothing: all it does is to reshape a tile that has the wanted
// shape here, and they speak of shapes.
bool Lowering::outlived(std::span<const OpId> ops) const {
  const Op& first = op(ops[0]);
  const Statement* statement = settings_.author.statement(first);
  if (!statement) return false;
  const auto idle = [&](OpId id) {
    const Op& at = op(id);
    return at.kind == OpKind::Reshape && !is_const(at.operands[0]) && shape(at.operands[0]) == shape(at.results[0]);
  };
  const auto silent = [&](OpId id) {
    return idle(id) || op(id).kind == OpKind::Get ||
           std::all_of(op(id).results.begin(), op(id).results.end(), [&](ValueId value) { return is_const(value); });
  };
  if (std::none_of(ops.begin(), ops.end(), idle) || !std::all_of(ops.begin(), ops.end(), silent)) return false;
  std::string words;
  for (const std::string& line : statement->remarks->leading) words += line;
  words += statement->remarks->trailing;
  const auto same_letter = [](char a, char b) { return (a | 0x20) == b; };
  constexpr std::string_view subject = "shape";
  return std::search(words.begin(), words.end(), subject.begin(), subject.end(), same_letter) != words.end();
}

void Lowering::trivia_of(ir::OriginId statement, source::Span span, std::vector<StmtId>& made, const std::vector<StmtId>& before,
                         uint32_t& blank_lines, bool stale) {
  const Statement* written = settings_.author.statement(statement, span);
  if (!written || !told_.insert(statement)) return;
  if (written->function) return;  // what the function does before its first statement
  const Remarks& remarks = *written->remarks;
  Trivia trivia;
  trivia.leading = remarks.leading;
  trivia.leading.insert(trivia.leading.end(), remarks.leading.empty() ? 0 : remarks.blank_lines, "");
  trivia.leading.insert(trivia.leading.end(), remarks.inner.begin(), remarks.inner.end());
  trivia.trailing = remarks.trailing;
  blank_lines = std::max(blank_lines, remarks.blank_lines_before_comments);
  if (stale) return;
  if (made.empty()) {
    // The statement is gone, its comments stay: one behind `a = a.reshape(…)` belongs to what is `a` now.
    const auto takes_over = [&](const Stmt& last) {
      if (last.kind != StmtKind::Assign || !last.trivia().trailing.empty()) return false;
      const Py target = python_[last.target];
      return remarks.assigned == (target.kind == PyKind::Tuple ? python_[target.children[0]].text : target.text);
    };
    if (!trivia.trailing.empty() && trivia.leading.empty() && !before.empty() && takes_over(python_[before.back()])) {
      python_.edit(before.back()).edit_trivia().trailing = trivia.trailing;
      return;
    }
    if (!trivia.trailing.empty()) trivia.leading.push_back(trivia.trailing);
    if (trivia.leading.empty()) return;
    made.push_back(python_.add(Stmt{.kind = StmtKind::Comments}));
    trivia.trailing.clear();
  }
  python_.edit(made.front()).blank_lines = blank_lines;
  // What is calculated for a loop stands before the words about the loop.
  const StmtKind kind = python_[made.back()].kind;
  const bool loop = kind == StmtKind::For || kind == StmtKind::While;
  if (!trivia.leading.empty()) {
    std::vector<std::string>& leading = python_.edit(loop ? made.back() : made.front()).edit_trivia().leading;
    leading.insert(leading.begin(), trivia.leading.begin(), trivia.leading.end());
  }
  blank_lines = 0;
  if (!trivia.trailing.empty()) python_.edit(made.back()).edit_trivia().trailing = trivia.trailing;
}

void Lowering::assign(std::span<const LocalId> targets, PyId py, const Op& op, std::vector<StmtId>& out) {
  const Py made = python_[py];
  const std::string_view first = locals_[targets[0]];
  if (targets.size() == 1 && made.kind == PyKind::Atom && made.text == first) return;  // `a = a`
  const Statement* written = settings_.author.statement(op);
  const bool augmented = op.attrs.spelling == ir::Spelling::Augmented || (written && written->augmented);
  if (augmented && targets.size() == 1 && made.kind == PyKind::Infix && python_[made.children[0]].kind == PyKind::Atom &&
      python_[made.children[0]].text == first) {
    const std::string word = std::string(made.text) + "=";  // before new expressions move the old ones
    const PyId added = made.children[1];
    out.push_back(python_.add(Stmt{.kind = StmtKind::Augmented, .target = python_.atom(first), .value = added, .word = word}));
    return;
  }
  std::vector<PyId> names;
  for (const LocalId target : targets) names.push_back(python_.atom(locals_[target]));
  Stmt stmt{.kind = StmtKind::Assign, .target = names.size() == 1 ? names[0] : python_.tuple(names), .value = py};
  if (op.results.size() == 1 && is_const(op.results[0]) && op.kind != OpKind::Set) stmt.word = "tl.constexpr";
  out.push_back(python_.add(std::move(stmt)));
}

// A value for a variable, where a constant may become a tensor.
PyId Lowering::assigned(ValueId value) { return with_sign(operand(value, false), {}, {}); }

void Lowering::statements(OpId id, std::vector<StmtId>& out) {
  const auto begin = std::lower_bound(shared_before_.begin(), shared_before_.end(), std::pair(id, 0U));
  for (auto at = begin; at != shared_before_.end() && at->first == id; ++at) {
    const Shared& definition = shared_[at->second];
    out.push_back(python_.assign(locals_[definition.name], shared_definition(definition)));
  }
  const Op& current = op(id);
  if (current.kind == OpKind::Mark) {
    const Statement* written = settings_.author.statement(current);
    if (!written || written->remarks->docstring.empty()) return;
    out.push_back(python_.expression(python_.atom(written->remarks->docstring)));
    return;
  }
  if (!live_[id.index] || inlines(id)) return;
  const auto expression = [&](PyId py) { out.push_back(python_.expression(py)); };
  if (barriers_.contains(id)) expression(python_.call("tl.debug_barrier", {}));

  if (current.kind == OpKind::Set) {
    std::vector<LocalId> targets;
    for (const ir::VarId var : ir::written_vars(current)) targets.push_back(var_names_[var.index]);
    if (is_array(current.operands[0])) {
      for (size_t i = 0; i < current.operands.size(); ++i) set_array(ir::written_vars(current)[i], current.operands[i], out);
      return;
    }
    // `a, b = f(…)`
    const Op* made = definition(current.operands[0]);
    if (made && made->kind == OpKind::Call && made->results == current.operands && targets.size() > 1) {
      return assign(targets, call(*made), current, out);
    }
    std::vector<PyId> values;
    for (const ValueId operand : current.operands) values.push_back(assigned(operand));
    return assign(targets, values.size() == 1 ? values[0] : python_.tuple(values), current, out);
  }
  if (current.kind == OpKind::If) {
    return branch(current, out);
  }
  if (ir::is_loop(current.kind)) return loop(current, out);
  if (current.kind == OpKind::Break || current.kind == OpKind::Continue) {
    TW_CHECK(!out_.ok || !diagnostics_.empty(), "a jump is left");
    return;
  }
  if (current.kind == OpKind::Yield) return;
  if (current.kind == OpKind::Get && is_array(current.results[0])) return;
  if (current.kind == OpKind::Return) {
    const ir::Function& function = program_.functions[function_];
    const bool last = uses_.where[id.index].block == function.body && program_.blocks[function.body].ops.back() == id;
    if (current.operands.empty() && last) return;
    Stmt stmt{.kind = StmtKind::Return};
    std::vector<PyId> values;
    for (const ValueId operand : current.operands) values.push_back(value(operand));
    if (!values.empty()) stmt.value = values.size() == 1 ? values[0] : python_.tuple(values);
    out.push_back(python_.add(std::move(stmt)));
    return;
  }
  if (current.kind == OpKind::Unsupported) return expression(static_assertion(python_.atom("False"), current));
  if (current.results.empty()) return expression(build(id));
  if (is_array(current.results[0]) || type(current.results[0]).kind == ir::TypeKind::ArrayList) {
    return define_array(id, out);
  }
  if (current.results.size() > 1) {
    // Results that a variable takes over are assigned there.
    const std::span<const OpId> users = uses_.users(current.results[0]);
    if (users.size() == 1 && op(users[0]).kind == OpKind::Set && op(users[0]).operands == current.results) return;
    std::vector<LocalId> targets;
    for (const ValueId result : current.results) {
      if (!has_name(result) && uses_.count(result) == 0) value_names_[result.index] = locals_.add("_");
      targets.push_back(name_or(result, temporary(current.kind)));
    }
    return assign(targets, build(id), current, out);
  }
  const ValueId result = current.results[0];
  if ((uses_.count(result) == 0 && !has_name(result)) || only_asserts(current)) return expression(build(id));
  if (!current.regions.empty() && !region_inlines(current.regions[0])) return choose(current, out);
  if (!current.regions.empty() && current.regions.size() > 1 && !region_inlines(current.regions[1])) return choose(current, out);
  const PyId py = build(id);
  const LocalId target = name_or(result, temporary(current.kind));
  assign({&target, 1}, py, current, out);
}

// A ternary or a logical operator whose second part has statements of its own.
void Lowering::choose(const Op& op, std::vector<StmtId>& out) {
  const std::string_view target = locals_[name_or(op.results[0], temporary(op.kind))];
  const auto region = [&](BlockId id) {
    std::vector<StmtId> body = block(id);
    const Op& yield = this->op(program_.blocks[id].ops.back());
    body.push_back(python_.assign(target, assigned(yield.operands[0])));
    return body;
  };
  Stmt stmt{.kind = StmtKind::If, .value = value(op.operands[0])};
  if (op.kind == OpKind::Ternary) {
    stmt.body = region(op.regions[0]);
    stmt.orelse = region(op.regions[1]);
  } else {
    const PyId known = truth(value(op.operands[0]), op.operands[0]);
    out.push_back(python_.assign(target, known));
    stmt.value = op.kind == OpKind::AndThen ? python_.atom(target) : python_.prefix("not", python_.atom(target));
    stmt.body = region(op.regions[0]);
  }
  out.push_back(python_.add(std::move(stmt)));
}

// What cannot be compiled where the condition is false, with its words unless they only repeat the condition.
PyId Lowering::static_assertion(PyId condition, const Op& unsupported) {
  out_.asserts = true;
  if (unsupported.attrs.implicit) return python_.call("tl.static_assert", {condition});
  std::string text;
  for (const char c : unsupported.attrs.rare->text.string()) text += c == '"' ? "\\\"" : c == '\\' ? "\\\\" : std::string(1, c);
  return python_.call("tl.static_assert", {condition, python_.atom("\"" + text + "\"")});
}

void Lowering::branch(const Op& op, std::vector<StmtId>& out) {
  if (is_const(op.operands[0])) {
    if (const std::optional<bool> known = program_.arena.truth_of(folded(type(op.operands[0]).value))) {
      const size_t taken = *known ? 0 : 1;
      if (taken >= op.regions.size()) return;
      const std::vector<StmtId> body = block(op.regions[taken]);
      out.insert(out.end(), body.begin(), body.end());
      return;
    }
  }
  if (op.attrs.asserted) {
    const Op& broken = this->op(program_.blocks[op.regions[1]].ops.back());
    out.push_back(python_.expression(static_assertion(value(op.operands[0]), broken)));
    return;
  }
  const Statement* written = settings_.author.statement(op);
  const bool first = written && written->branch && !branches_.contains(op.statement);
  if (first) branches_.insert(op.statement);
  Stmt stmt{.kind = StmtKind::If};
  stmt.value = value(op.operands[0]);
  stmt.body = block(op.regions[0]);
  if (op.regions.size() > 1) stmt.orelse = block(op.regions[1]);
  Trivia& trivia = stmt.edit_trivia();
  if (first) {
    const Remarks& remarks = *written->remarks;
    trivia.body_closing = remarks.body_closing;
    trivia.else_leading = remarks.else_leading;
    trivia.else_trailing = remarks.else_trailing;
    trivia.else_closing = remarks.else_closing;
    // What follows an `if` that jumps away may have become its other part.
    if (!written->has_else && written->lone_else && stmt.orelse.size() == 1 && python_[stmt.orelse[0]].kind == StmtKind::If &&
        python_[stmt.orelse[0]].word.empty()) {
      Stmt& second = python_.edit(stmt.orelse[0]);
      second.word = "elif";
      second.blank_lines = 0;
    }
  }
  const auto code = [&](const std::vector<StmtId>& body) {
    return std::any_of(body.begin(), body.end(), [&](StmtId id) { return python_[id].kind != StmtKind::Comments; });
  };
  if (!code(stmt.body) && code(stmt.orelse) && stmt.body.empty() && trivia.body_closing.empty() &&
      python_[stmt.orelse[0]].word != "elif") {
    // What was done in the first branch is done by not doing the second.
    const Py test = python_[stmt.value];
    const ir::Op* made = definition(op.operands[0]);
    const bool whole = made && made->operands.size() == 2 && made->attrs.dtype && program_.types.class_of(made->attrs.dtype) &&
                       program_.types.class_of(made->attrs.dtype) != ir::ScalarClass::Float;
    if (test.kind == PyKind::Prefix && test.text == "not") {
      stmt.value = test.children[0];
    } else if (test.kind == PyKind::Infix && flipped(test.text) && whole) {
      stmt.value = python_.infix(test.children[0], flipped(test.text), test.children[1]);
    } else {
      stmt.value = python_.prefix("not", stmt.value);
    }
    stmt.body = std::move(stmt.orelse);
    stmt.orelse.clear();
    trivia.body_closing = std::move(trivia.else_closing);
    trivia.else_closing.clear();
  }
  if (!code(stmt.body) && !code(stmt.orelse)) {
    // Nothing is left but perhaps words.
    std::vector<std::string> words;
    for (const std::vector<StmtId>* body : {&stmt.body, &stmt.orelse}) {
      for (const StmtId id : *body) {
        const std::vector<std::string>& leading = python_[id].trivia().leading;
        words.insert(words.end(), leading.begin(), leading.end());
      }
    }
    for (const auto* more : {&trivia.body_closing, &trivia.else_leading, &trivia.else_closing})
      words.insert(words.end(), more->begin(), more->end());
    if (words.empty()) return;
    Stmt left{.kind = StmtKind::Comments};
    left.edit_trivia().leading = std::move(words);
    out.push_back(python_.add(std::move(left)));
    return;
  }
  if (!code(stmt.orelse) && trivia.else_closing.empty()) {
    for (const StmtId id : stmt.orelse) {
      const std::vector<std::string>& leading = python_[id].trivia().leading;
      trivia.body_closing.insert(trivia.body_closing.end(), leading.begin(), leading.end());
    }
    stmt.orelse.clear();
  }
  out.push_back(python_.add(std::move(stmt)));
}

void Lowering::loop(const Op& op, std::vector<StmtId>& out) {
  const Statement* written = settings_.author.statement(op);
  const bool known = written && branches_.insert(op.statement);
  Stmt stmt{.kind = StmtKind::While};
  if (op.kind == OpKind::For) {
    stmt.kind = StmtKind::For;
    const ValueId argument = program_.blocks[op.regions[0]].arguments[0];
    stmt.target = python_.atom(name(argument));
    const auto is_number = [&](ValueId value, int64_t number) {
      return is_const(value) && program_.arena.integer_of(type(value).value) == number;
    };
    const bool keeps_start = !is_number(op.operands[0], 0) || (written && written->range_has_start);
    std::vector<PyId> bounds;
    const bool steps = !is_number(op.operands[2], 1);
    if (keeps_start || steps) bounds.push_back(value(op.operands[0]));
    bounds.push_back(value(op.operands[1]));
    if (steps) bounds.push_back(value(op.operands[2]));
    stmt.value = python_.call("range", bounds);
    stmt.body = block(op.regions[0]);
  } else {
    const BlockId condition = op.regions[0];
    const Op& yield = this->op(program_.blocks[condition].ops.back());
    if (is_const(yield.operands[0])) {
      refuse(op.span, diag::report(diag::Severity::Error, op.span, endless_loop));
      return;
    }
    if (region_inlines(condition)) {
      stmt.value = value(yield.operands[0]);
      stmt.body = block(op.regions[1]);
    } else {
      // The condition has statements of its own: they stand before the loop and at its end.
      const std::string_view name = fresh("condition");
      std::vector<StmtId> before = block(condition);
      out.insert(out.end(), before.begin(), before.end());
      out.push_back(python_.assign(name, value(yield.operands[0])));
      stmt.value = python_.atom(name);
      stmt.body = block(op.regions[1]);
      std::vector<StmtId> again = block(condition);
      stmt.body.insert(stmt.body.end(), again.begin(), again.end());
      stmt.body.push_back(python_.assign(name, value(yield.operands[0])));
    }
  }
  if (known) stmt.edit_trivia().body_closing = written->remarks->body_closing;
  out.push_back(python_.add(std::move(stmt)));
}

// --- expressions with parts that run only sometimes

// Whether a region is an expression: nothing in it needs a statement, and nothing in it must not run in vain.
bool Lowering::region_inlines(BlockId region) const {
  for (const OpId id : program_.blocks[region].ops) {
    const Op& current = op(id);
    if (current.kind == OpKind::Yield) continue;
    const ir::Effect effect = ir::info(current.kind).effect;
    if (current.kind != OpKind::Get &&
        (effect == ir::Effect::Reads || effect == ir::Effect::Writes || effect == ir::Effect::Call))
      return false;
    if (!inlines(id)) return false;
    for (const BlockId inner : current.regions) {
      if (!region_inlines(inner)) return false;
    }
  }
  return true;
}

PyId Lowering::region_value(BlockId region) { return assigned(op(program_.blocks[region].ops.back()).operands[0]); }

PyId Lowering::ternary(const Op& op) {
  if (is_const(op.operands[0])) {
    if (const std::optional<bool> known = program_.arena.truth_of(folded(type(op.operands[0]).value)))
      return region_value(op.regions[*known ? 0 : 1]);
  }
  return python_.conditional(region_value(op.regions[0]), value(op.operands[0]), region_value(op.regions[1]));
}

PyId Lowering::both(const Op& op, std::string_view word) {
  const ValueId second = this->op(program_.blocks[op.regions[0]].ops.back()).operands[0];
  return python_.infix(truth(value(op.operands[0]), op.operands[0]), word, truth(value(second), second));
}

}  // namespace tilewright::back::triton
