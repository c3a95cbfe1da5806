// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "source/file.h"
#include "syntax/parse.h"
#include "syntax/properties.h"

namespace tilewright::syntax {

// The errors of a text, as "line:column code message".
static std::vector<std::string> errors(std::string text, Options options = {}) {
  const Tree tree = parse({}, text, options);
  EXPECT_EQ(properties::all(tree), "") << text;
  const source::File file("text", text);
  std::vector<std::string> out;
  for (const diag::Diagnostic& error : tree.errors()) {
    const source::Position at = file.position(error.span.begin);
    out.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + std::string(error.code) + " " +
                  error.message);
  }
  return out;
}

using Lines = std::vector<std::string>;

TEST(Errors, say_what_was_expected_where) {
  EXPECT_EQ(errors("if x\n  y\n"), Lines{"1:5 TW001 expected `:`, found the end of the line"});
  EXPECT_EQ(errors("x = \n"), Lines{"1:5 TW001 expected an expression, found the end of the line"});
  EXPECT_EQ(errors("def f(a b): pass\n"), Lines{"1:9 TW001 expected `)` or `,`, found `b`"});
  EXPECT_EQ(errors("import\n"), Lines{"1:7 TW001 expected a name, found the end of the line"});
  EXPECT_EQ(errors("f(x y)\n"), Lines{"1:5 TW001 expected `)` or `,`, found `y`"});
  EXPECT_EQ(errors("x = 1 2\n"), Lines{"1:7 TW001 expected the end of the line, found `2`"});
}

TEST(Errors, of_independent_statements_are_all_reported) {
  EXPECT_EQ(errors("x = \ny = 1\nz = )\nif a b:\n  c = \n  d\nw = 'abc\nf() = 1\n"),
            (Lines{"1:5 TW001 expected an expression, found the end of the line", "3:5 TW004 `)` was never opened",
                   "4:6 TW001 expected `:`, found `b`", "5:7 TW001 expected an expression, found the end of the line",
                   "7:5 TW005 the string has no closing quote on its line", "8:1 TW010 cannot assign to a call"}));
}

TEST(Errors, of_an_open_bracket_end_where_the_next_statement_starts) {
  EXPECT_EQ(errors("x = f(a,\ndef g():\n  return 1\n\ny = [\n"),
            (Lines{"1:6 TW004 `(` was never closed", "5:5 TW004 `[` was never closed"}));
}

TEST(Errors, keep_the_rest_of_the_file_in_the_tree) {
  const Tree tree = parse({}, "def f():\n  x = (\n  return 1\n\ndef g(:\n  pass\n\ndef h():\n  return 2\n");
  size_t functions = 0;
  for (const NodeId node : tree.as<Module>(tree.root()).body) functions += tree.is(node, NodeKind::FunctionDef);
  EXPECT_EQ(functions, 2u);  // f and h
}

TEST(Errors, of_indentation) {
  EXPECT_EQ(errors("if x:\ny\n"), Lines{"2:1 TW003 expected an indented block after `if`"});
  EXPECT_EQ(errors("x\n  y\n"), Lines{"2:3 TW003 the line is indented, but no block starts here"});
  EXPECT_EQ(errors("if x:\n    y\n  z\n"), Lines{"3:3 TW003 the indentation matches no line above"});
  EXPECT_EQ(errors("if x:\n        y\n\tz\n"),
            Lines{"3:2 TW003 the indentation mixes tabs and blanks so that it depends on the width of a tab"});
}

TEST(Errors, of_encodings_name_the_byte) {
  EXPECT_EQ(errors("x = 1\n# \xff\n"), Lines{"2:3 TW002 the file is not UTF-8 here, and no other encoding is declared"});
  EXPECT_EQ(errors("# coding: ascii\n# é\n"), Lines{"2:3 TW002 the file is not ascii here, although it declares it"});
  EXPECT_EQ(errors("# coding: koi8-r\n"),
            Lines{"1:11 TW002 the declared encoding `koi8-r` is not supported: save the file as UTF-8"});
  EXPECT_EQ(errors(std::string("x\0", 2)), Lines{"1:2 TW002 the file holds a null byte"});
}

TEST(Errors, of_strings_and_numbers) {
  EXPECT_EQ(errors("'\\x4'\n"), Lines{"1:2 TW005 `\\x4` is no complete escape sequence"});
  EXPECT_EQ(errors("'\\N{no such}'\n"), Lines{"1:2 TW005 `\\N{no such}` names no character"});
  EXPECT_EQ(errors("'a' b'b'\n"), Lines{"1:1 TW005 bytes and text literals stand side by side"});
  EXPECT_EQ(errors("0777\n"), Lines{"1:1 TW006 a decimal number with leading zeros: an octal one is written `0o`"});
  EXPECT_EQ(errors("1_000_\n"), Lines{"1:1 TW006 `1_000_` is not a number"});
  EXPECT_EQ(errors("0xg\n"), Lines{"1:1 TW006 `0xg` is not a number"});
  EXPECT_EQ(errors("f'{}'\n"), Lines{"1:3 TW012 a replacement field holds no expression"});
  EXPECT_EQ(errors("f'{x!z}'\n"), Lines{"1:5 TW012 a conversion is one of `!s`, `!r`, `!a`"});
  EXPECT_EQ(errors("x = a ? b\n"), Lines{"1:7 TW007 `?` has no meaning in Python here"});
}

TEST(Errors, of_newer_constructs_name_the_version_that_they_need) {
  const Options old{.grammar = Version::Py38};
  EXPECT_EQ(errors("match x:\n  case 1: pass\n", old),
            Lines{"1:1 TW009 a `match` statement needs Python 3.10; this file is read as Python 3.8"});
  EXPECT_EQ(errors("type X = int\n", old),
            Lines{"1:1 TW009 a `type` statement needs Python 3.12; this file is read as Python 3.8"});
  EXPECT_EQ(errors("with (a as b): pass\n", old),
            Lines{"1:6 TW009 parentheses around the items of `with` needs Python 3.9; this file is read as Python 3.8"});
}

TEST(Errors, of_scopes_come_after_those_of_syntax) {
  EXPECT_EQ(errors("return\nbreak\nawait x\n"),
            (Lines{"1:1 TW014 `return` outside of a function", "2:1 TW014 `break` outside of a loop",
                   "3:1 TW014 `await` outside of a function"}));
  EXPECT_EQ(errors("def f(x, x): global x\n"),
            (Lines{"1:10 TW011 two parameters are called `x`", "1:21 TW015 `x` is a parameter and `global`"}));
  EXPECT_EQ(errors("def f():\n  def g(): nonlocal y\n"), Lines{"2:21 TW015 no function around binds the nonlocal `y`"});
  EXPECT_EQ(errors("f(a=1, a=2)\n"), Lines{"1:8 TW011 the keyword argument `a` is given twice"});
  EXPECT_EQ(errors("x = *y\n"),
            Lines{"1:5 TW016 a starred expression has no meaning here: it stands in a list, a tuple, a set or a call"});
  EXPECT_EQ(errors("x\nfrom __future__ import annotations\n"),
            Lines{"2:1 TW017 imports from `__future__` stand at the beginning of the file"});
  EXPECT_EQ(errors("class A[T = int, U]: pass\n"),
            Lines{"1:18 TW018 the type parameter `U` without a default follows one with a default"});
  EXPECT_EQ(errors("match x:\n  case _: pass\n  case 1: pass\n"), Lines{"2:8 TW013 the wildcard hides the patterns after it"});
  EXPECT_EQ(errors("return\n", {.checks = Checks::Syntax}), Lines{});
}

}  // namespace tilewright::syntax
