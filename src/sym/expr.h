// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Symbolic compile-time constants: `TILE_M`, `2 * TILE_M`, `TILE_SIZE != N`, `X.dtype == float32`.
//
// A converted kernel serves every value of its constant parameters, so tile extents and constant conditions are expressions
// over them. Expressions are interned: two that are equal after normalisation have the same id (sums of products are kept in
// one polynomial form, so `TILE * 2 + N` and `N + 2 * TILE` are the same id). Integers are Python's mathematical integers as
// far as 64 bits reach; an operation that would leave them gives an opaque expression.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/interned.h"
#include "base/short_list.h"
#include "sym/ids.h"
#include "sym/polynomial.h"

namespace tilewright::sym {

// A compile-time value: bool, int, float. (Strings, dtypes and None never reach an expression but through an Atom.)
using Value = std::variant<bool, int64_t, double>;

enum class ExprKind : uint8_t {
  Literal,  // value
  Atom,     // something named: a constant parameter, a module constant whose value is not known, `A.dtype == B.dtype`
  Add,
  Sub,
  Mul,
  TrueDiv,
  FloorDiv,
  Mod,
  CeilDiv,
  Pow,
  Min,
  Max,
  Neg,
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr,
  Invert,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  And,
  Or,
  Not,
  Select,  // condition, then, else
};

struct AtomTag;
using AtomId = Id<AtomTag>;
using Operands = ShortList<ExprId>;

struct Expr {
  ExprKind kind = ExprKind::Literal;
  AtomId atom = {};          // Atom
  Operands operands = {};    // everything else
  Value value = int64_t{0};  // Literal

  // Of the same bits: 0.0 is not -0.0, and a NaN is itself.
  friend bool operator==(const Expr& a, const Expr& b);
};

// Sums of integers may be reordered, sums of floats may not. What is neither known nor said counts as an integer: whoever needs
// the bits of a float evaluates the ops that made it (ir/specialize.h), not its normal form.
enum class Domain : uint8_t { Integer, Float };

// What an atom stands for. The layers above give `key` a meaning; equal keys are equal atoms.
struct Atom {
  std::string key = {};  // "TILE_M", "INV_LOG_2", "X.dtype == float32"
  Domain domain = Domain::Integer;

  friend bool operator==(const Atom& a, const Atom& b) { return a.key == b.key; }
};

using AtomName = std::function<std::string(const Atom&)>;

// "2.5", "1e-05", "inf", "True", "7": as Python prints it.
std::string text(const Value& value);

class Arena {
 public:
  Arena() { integer(0), integer(1); }

  ExprId literal(Value value);
  ExprId integer(int64_t value) { return literal(Value{value}); }
  ExprId one() const { return ExprId{1}; }                               // integer(1), for those who only look
  ExprId atom(const std::string& key, Domain domain = Domain::Integer);  // the first call for a key decides its domain
  // Builds, folds and normalises. Operands are in source order. Python's semantics: floor division, mod with the sign of the
  // divisor, `/` always a float, comparisons of mixed numbers; division by zero and overflow stay unfolded.
  ExprId make(ExprKind kind, Operands operands);

  const Expr& operator[](ExprId id) const { return exprs_[id]; }
  const Atom& atom_of(ExprId id) const { return atoms_[exprs_[id].atom]; }
  std::optional<Value> literal_of(ExprId id) const;
  std::optional<int64_t> integer_of(ExprId id) const;
  std::optional<bool> truth_of(ExprId id) const;  // Python truthiness of a literal

  // The expression with each atom replaced by what `lookup` says (none() keeps it), folded again.
  ExprId substitute(ExprId id, const std::function<ExprId(const Atom&)>& lookup);
  // "2 * TILE_M + 1": for dumps and diagnostics.
  std::string text(ExprId id) const;
  // The same with names spelled by `name`.
  std::string text(ExprId id, const AtomName& name) const;

  // Whether its value is a float: for certain, or for all that is known (a choice between 1 and 0.5, a power).
  bool is_float(ExprId id) const { return floats_[id.index] == Floatness::Always; }
  bool may_be_float(ExprId id) const { return floats_[id.index] != Floatness::Never; }
  // Whether its value is a bool for certain: comparisons, `not`, `and`, `or` of such.
  bool is_bool(ExprId id) const;
  // The atoms it reads, in the order of their keys.
  std::vector<ExprId> atoms_in(ExprId id) const;

  // A total order that depends on what expressions say and not on when they were made.
  int compare(ExprId a, ExprId b) const;

  // How much there is now, and back to it: ids of what was made since must not be used again.
  struct Mark {
    size_t exprs;
    size_t atoms;
  };
  Mark mark() const { return {exprs_.size(), atoms_.size()}; }
  void forget(Mark since);

 private:
  struct ExprHash {
    uint64_t operator()(const Expr& expr) const;
  };
  struct AtomHash {
    uint64_t operator()(const Atom& atom) const { return std::hash<std::string>()(atom.key); }
  };

  enum class Floatness : uint8_t { Never, Perhaps, Always };

  ExprId intern(Expr expr);
  Floatness floatness(const Expr& expr) const;
  ExprId opaque(ExprKind kind, Operands operands);
  ExprId polynomial(ExprKind kind, const Operands& operands);
  std::optional<Polynomial> terms_of(ExprId id) const;
  ExprId expression(const Polynomial& terms);
  ExprId product(const Product& factors, int64_t coefficient);
  std::optional<ExprId> quotient(ExprKind kind, ExprId dividend, ExprId divisor);
  std::optional<int64_t> difference(ExprId a, ExprId b) const;
  std::optional<ExprId> fold_identity(ExprKind kind, const Operands& operands);
  std::optional<ExprId> fold_logic(ExprKind kind, const Operands& operands);
  bool is_negated(ExprId id) const;
  void print(std::string& out, ExprId id, int outer, const AtomName& name) const;

  Interned<ExprId, Expr, ExprHash> exprs_;
  Interned<AtomId, Atom, AtomHash> atoms_;
  std::vector<uint16_t> sizes_;                                       // nodes of the expression written out, by id
  std::vector<Floatness> floats_;                                     // by id
  std::map<std::pair<ExprKind, std::vector<ExprId>>, ExprId> names_;  // of expressions that are too long
};

}  // namespace tilewright::sym
