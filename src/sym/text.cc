// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <charconv>
#include <cmath>

#include "sym/expr.h"

namespace tilewright::sym {
namespace {

// Python's precedences, higher binds tighter; 20 never needs parentheses.
struct Spelling {
  const char* text;
  int precedence;
};

Spelling spelling(ExprKind kind) {
  switch (kind) {
    case ExprKind::Literal:
    case ExprKind::Atom: return {"", 20};
    case ExprKind::Select: return {"", 1};
    case ExprKind::Or: return {" or ", 2};
    case ExprKind::And: return {" and ", 3};
    case ExprKind::Not: return {"not ", 4};
    case ExprKind::Eq: return {" == ", 5};
    case ExprKind::Ne: return {" != ", 5};
    case ExprKind::Lt: return {" < ", 5};
    case ExprKind::Le: return {" <= ", 5};
    case ExprKind::Gt: return {" > ", 5};
    case ExprKind::Ge: return {" >= ", 5};
    case ExprKind::BitOr: return {" | ", 6};
    case ExprKind::BitXor: return {" ^ ", 7};
    case ExprKind::BitAnd: return {" & ", 8};
    case ExprKind::Shl: return {" << ", 9};
    case ExprKind::Shr: return {" >> ", 9};
    case ExprKind::Add: return {" + ", 10};
    case ExprKind::Sub: return {" - ", 10};
    case ExprKind::Mul: return {" * ", 11};
    case ExprKind::TrueDiv: return {" / ", 11};
    case ExprKind::FloorDiv: return {" // ", 11};
    case ExprKind::Mod: return {" % ", 11};
    case ExprKind::Neg: return {"-", 12};
    case ExprKind::Invert: return {"~", 12};
    case ExprKind::Pow: return {" ** ", 13};
    case ExprKind::CeilDiv: return {"cdiv", 20};
    case ExprKind::Min: return {"min", 20};
    case ExprKind::Max: return {"max", 20};
  }
  return {"", 20};
}

}  // namespace

std::string text(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  if (const int64_t* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  const double number = std::get<double>(value);
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number);
  std::string out(buffer, end.ptr);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

// -1 * x, of whole numbers.
bool Arena::is_negated(ExprId id) const {
  const Expr& expr = exprs_[id];
  return expr.kind == ExprKind::Mul && integer_of(expr.operands[0]) == -1 && !may_be_float(id);
}

void Arena::print(std::string& out, ExprId id, int outer, const AtomName& name) const {
  const Expr& expr = exprs_[id];
  if (expr.kind == ExprKind::Atom) {
    out += name(atoms_[expr.atom]);
    return;
  }
  if (expr.kind == ExprKind::Literal) {
    const std::string number = sym::text(expr.value);
    const bool wrapped = number[0] == '-' && outer > 12;
    out += wrapped ? "(" + number + ")" : number;
    return;
  }
  const auto [word, precedence] = spelling(expr.kind);
  if (expr.kind == ExprKind::CeilDiv || expr.kind == ExprKind::Min || expr.kind == ExprKind::Max) {
    out.append(word).append("(");
    print(out, expr.operands[0], 0, name);
    out += ", ";
    print(out, expr.operands[1], 0, name);
    out += ")";
    return;
  }
  const bool wrapped = precedence < outer;
  if (wrapped) out += "(";
  if (expr.kind == ExprKind::Select) {
    print(out, expr.operands[1], 2, name);
    out += " if ";
    print(out, expr.operands[0], 2, name);
    out += " else ";
    print(out, expr.operands[2], 1, name);
  } else if (expr.operands.size() == 1) {
    out += word;
    print(out, expr.operands[0], precedence, name);
  } else if (expr.kind == ExprKind::Pow) {
    print(out, expr.operands[0], precedence + 1, name);
    out += word;
    print(out, expr.operands[1], precedence, name);
  } else {
    // Chains associate to the left; comparisons do not chain at all, so both sides of one are wrapped.
    const bool chains = precedence != 5;
    const bool negated = is_negated(id);
    if (negated) out += "-";
    // The sign binds tighter than the factors: `-(a // b)`.
    print(out, expr.operands[negated ? 1 : 0], chains && !negated ? precedence : precedence + 1, name);
    for (size_t i = negated ? 2 : 1; i < expr.operands.size(); ++i) {
      std::string next;
      if (expr.kind == ExprKind::Add && is_negated(expr.operands[i]) && exprs_[expr.operands[i]].operands.size() == 2 &&
          !may_be_float(id)) {
        out += " - ";
        print(out, exprs_[expr.operands[i]].operands[1], precedence + 1, name);
        continue;
      }
      print(next, expr.operands[i], precedence + 1, name);
      if (expr.kind == ExprKind::Add && next[0] == '-' && !may_be_float(id)) {
        out.append(" - ").append(next, 1);
      } else {
        out.append(word).append(next);
      }
    }
  }
  if (wrapped) out += ")";
}

std::string Arena::text(ExprId id, const AtomName& name) const {
  std::string out;
  print(out, id, 0, name);
  return out;
}

std::string Arena::text(ExprId id) const {
  return text(id, [](const Atom& atom) { return atom.key; });
}

}  // namespace tilewright::sym
