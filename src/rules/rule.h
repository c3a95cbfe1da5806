// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A rule is two files, rules/<group>/<rule>.cc and .md; there is no third place. Its name and its group come from the path, its
// page is printed by `tilewright explain`, and the cases on the page are its tests.
//
// A rule finds and proposes; it neither edits nor makes text. It says why it did not fire, in the user's words.

#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "analysis/facts.h"
#include "diag/diagnostic.h"
#include "ir/plan.h"
#include "ir/program.h"

namespace tilewright::rules {

using diag::Message;
using diag::Severity;
using ir::OpKind;

// What a rewrite may do to the numbers.
enum class Numerics : uint8_t {
  Exact,     // the same bits
  Rounding,  // the same real function, rounded elsewhere
  Assumes,   // the same once the user vouches for a fact
};

struct Context {
  ir::Program& program;  // only its arena grows, by the conditions that a plan names
  const analysis::Facts& facts;
};

struct Silent {};
struct Missed {
  diag::Diagnostic why;
};
struct Found {
  diag::Diagnostic what;
  ir::Plan fix;
};
using Verdict = std::variant<Silent, Missed, Found>;

struct Rule {
  std::string_view summary;
  Numerics numerics = Numerics::Exact;
  std::span<const OpKind> looks_at;
  Verdict (*check)(const Context&, ir::OpId);
};

struct Entry {
  std::string_view name;   // "natural-quotient"
  std::string_view group;  // "math"
  std::string_view page;
  const Rule* rule;
};

// By group and name. Written by cmake/rules.cmake.
std::span<const Entry> catalogue();

}  // namespace tilewright::rules
