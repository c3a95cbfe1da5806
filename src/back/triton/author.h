// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the author wrote beside the ops of a program: comments, blank lines, docstrings, how a clause stands. It is read from the
// trees before the program is printed, so that a long file's trees need not be in memory while its functions become text.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rare.h"
#include "ir/program.h"
#include "source/span.h"
#include "syntax/tree.h"

namespace tilewright::back::triton {

// The lines of comments, and "" for each blank line between two of them.
using TextLines = std::vector<std::string>;

struct Remarks {
  TextLines leading;
  TextLines inner;
  std::string trailing;
  uint32_t blank_lines = 0;                  // directly above the statement
  uint32_t blank_lines_before_comments = 0;  // above its leading comments; the same if there are none
  // of compound statements
  TextLines body_closing;
  TextLines else_leading;
  std::string else_trailing;
  TextLines else_closing;
  std::string_view docstring;  // of an expression statement that is a string: as it is written
  std::string_view assigned;   // of an assignment to one target that has a trailing comment: the target
};

struct Statement {
  uint32_t node = 0;
  bool function : 1 = false;         // it is the def itself
  bool augmented : 1 = false;        // `x += 1`
  bool branch : 1 = false;           // an `if`
  bool has_else : 1 = false;         // an `if` with an `else:`
  bool lone_else : 1 = false;        // what it does otherwise is nothing, or one `if`
  bool range_has_start : 1 = false;  // a `for` over `range(0, n)`
  Rare<Remarks> remarks = {};

  friend bool operator<(const Statement& a, const Statement& b) { return a.node < b.node; }
};

struct FunctionComments {
  syntax::Comments inner;
  std::string trailing;
  syntax::Comments closing;
};

struct FunctionRemarks {
  source::Span name_span;
  uint32_t begin = 0;  // of the `def`
  Rare<FunctionComments> comments;
};

class Author {
 public:
  // Nothing is known of any file.
  Author() = default;
  // `trees` by file; null where a file has none. Texts of comments stay the files' own.
  Author(const ir::Program& program, const std::vector<const syntax::Tree*>& trees);

  // Null where the file has no tree or the op has no statement.
  const Statement* statement(const ir::Op& op) const { return statement(op.statement, op.span); }
  const Statement* statement(ir::OriginId statement, source::Span span) const;
  // Null where the file has no tree.
  const FunctionRemarks* function(ir::FunctionId function) const;
  // All of a file, empty if it has no tree.
  std::string_view text(source::FileId file) const;

 private:
  struct File {
    std::string_view text;
    std::vector<Statement> statements;  // those that say something, by node
  };
  std::vector<std::optional<File>> files_;
  std::vector<std::optional<FunctionRemarks>> functions_;
};

}  // namespace tilewright::back::triton
