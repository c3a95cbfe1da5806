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
#include <tuple>
#include <variant>
#include <vector>

#include "base/ids.h"

namespace tilewright::sym {

struct ExprTag;
using ExprId = Id<ExprTag>;

// A compile-time value: bool, int, float. (Strings, dtypes and None never reach an expression but through an Atom.)
using Value = std::variant<bool, int64_t, double>;

enum class ExprKind : uint8_t {
  Literal,   // value
  Atom,      // something named: a constant parameter, a module constant whose value is not known, `A.dtype == B.dtype`
  Add, Sub, Mul, TrueDiv, FloorDiv, Mod, CeilDiv, Pow, Min, Max, Neg,
  BitAnd, BitOr, BitXor, Shl, Shr, Invert,
  Eq, Ne, Lt, Le, Gt, Ge,
  And, Or, Not,
  Select,    // condition, then, else
};

struct Expr {
  ExprKind kind = ExprKind::Literal;
  Value value = int64_t{0};        // Literal
  uint32_t atom = 0;               // Atom: an index into Arena::atoms()
  std::vector<ExprId> operands;    // everything else
};

// What an atom stands for. The layers above give `key` a meaning; equal keys are equal atoms.
struct Atom {
  std::string key;   // "TILE_M", "INV_LOG_2", "X.dtype == float32"
};

class Arena {
 public:
  ExprId literal(Value value);
  ExprId integer(int64_t value) { return literal(Value{value}); }
  ExprId atom(const std::string& key);
  // Builds, folds and normalises. Operands are in source order. Python's semantics: floor division, mod with the sign of the
  // divisor, `/` always a float, comparisons of mixed numbers; division by zero and overflow stay unfolded.
  ExprId make(ExprKind kind, std::vector<ExprId> operands);

  const Expr& operator[](ExprId id) const { return exprs_[id]; }
  const Atom& atom_of(ExprId id) const { return atoms_[exprs_[id].atom]; }
  std::optional<Value> literal_of(ExprId id) const;
  std::optional<int64_t> integer_of(ExprId id) const;
  std::optional<bool> truth_of(ExprId id) const;  // Python truthiness of a literal

  // The expression with each atom replaced by what `lookup` says (none() keeps it), folded again.
  ExprId substitute(ExprId id, const std::function<ExprId(const Atom&)>& lookup);
  // "2 * TILE_M + 1": for dumps and diagnostics.
  std::string text(ExprId id) const;

 private:
  using Key = std::tuple<ExprKind, Value, uint32_t, std::vector<ExprId>>;
  ExprId intern(Expr expr);
  ExprId polynomial(ExprKind kind, const std::vector<ExprId>& operands);

  Store<ExprId, Expr> exprs_;
  std::vector<Atom> atoms_;
  std::map<Key, ExprId> interned_;
  std::map<std::string, uint32_t> atom_index_;
};

}  // namespace tilewright::sym
