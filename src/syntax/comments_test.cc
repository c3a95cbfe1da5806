// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "syntax/parse.h"
#include "syntax/properties.h"

namespace tilewright::syntax {

static std::string words(const Comments& comments) {
  std::string out;
  for (const Comment& comment : comments) out += (out.empty() ? "" : " ") + std::string(comment.text.substr(2));
  return out;
}

static std::string word(const std::optional<Comment>& comment) { return comment ? std::string(comment->text.substr(2)) : "none"; }

static NodeId statement(const Tree& tree, size_t i) { return tree.as<Module>(tree.root()).body[i]; }

TEST(Comments, lead_the_statement_that_they_stand_before) {
  const Tree tree = parse({}, "# a\n\n# b\nx = 1\n# c\ny = 2\n");
  EXPECT_EQ(words(tree.leading_comments(statement(tree, 0))), "a b");
  EXPECT_EQ(words(tree.leading_comments(statement(tree, 1))), "c");
  EXPECT_EQ(tree.leading_comments(statement(tree, 0))[1].blank_lines_before, 1u);
}

TEST(Comments, trail_the_last_statement_of_a_line) {
  const Tree tree = parse({}, "x = 1; y = 2  # a\nz = 3;  # b\nif x:  # c\n  y  # d\nif x: y  # e\n");
  EXPECT_EQ(word(tree.trailing_comment(statement(tree, 0))), "none");
  EXPECT_EQ(word(tree.trailing_comment(statement(tree, 1))), "a");
  EXPECT_EQ(word(tree.trailing_comment(statement(tree, 2))), "b");
  EXPECT_EQ(word(tree.trailing_comment(statement(tree, 3))), "c");
  EXPECT_EQ(word(tree.trailing_comment(tree.as<If>(statement(tree, 3)).body[0])), "d");
  EXPECT_EQ(word(tree.trailing_comment(statement(tree, 4))), "none");
  EXPECT_EQ(word(tree.trailing_comment(tree.as<If>(statement(tree, 4)).body[0])), "e");
}

TEST(Comments, close_the_block_that_they_are_indented_like) {
  const Tree tree = parse({}, "def f():\n  if x:\n    y\n    # a\n  # b\n# c\nz\n# d\n");
  const NodeId function = statement(tree, 0);
  const NodeId branch = tree.as<FunctionDef>(function).body[0];
  EXPECT_EQ(words(tree.closing_comments(branch)), "a");
  EXPECT_EQ(words(tree.closing_comments(function)), "b");
  EXPECT_EQ(words(tree.leading_comments(statement(tree, 1))), "c");
  EXPECT_EQ(words(tree.closing_comments(tree.root())), "d");
}

TEST(Comments, belong_to_a_clause_when_they_stand_before_it_or_on_its_line) {
  const Tree tree = parse({}, "if x:\n  y\n# a\nelse:  # b\n  # c\n  z\n  # d\n");
  const NodeId branch = statement(tree, 0);
  EXPECT_EQ(words(tree.clause_comments(branch, Block::OrElse)), "a");
  EXPECT_EQ(word(tree.clause_trailing_comment(branch, Block::OrElse)), "b");
  EXPECT_EQ(words(tree.leading_comments(tree.as<If>(branch).orelse[0])), "c");
  EXPECT_EQ(words(tree.closing_comments(branch, Block::OrElse)), "d");
  EXPECT_EQ(words(tree.closing_comments(branch, Block::Body)), "");
}

TEST(Comments, lead_an_elif_a_handler_and_a_case_like_statements) {
  const Tree tree =
      parse({}, "if x:\n  y\n# a\nelif z:  # b\n  w\ntry:\n  x\n# c\nexcept y:\n  z\nmatch x:\n  # d\n  case 1: pass\n  # e\n");
  const NodeId elif = tree.as<If>(statement(tree, 0)).orelse[0];
  EXPECT_EQ(words(tree.leading_comments(elif)), "a");
  EXPECT_EQ(word(tree.trailing_comment(elif)), "b");
  EXPECT_EQ(words(tree.clause_comments(statement(tree, 0), Block::OrElse)), "");
  EXPECT_EQ(words(tree.leading_comments(tree.as<Try>(statement(tree, 1)).handlers[0])), "c");
  EXPECT_EQ(words(tree.leading_comments(tree.as<Match>(statement(tree, 2)).cases[0])), "d");
  EXPECT_EQ(words(tree.closing_comments(statement(tree, 2))), "e");
}

TEST(Comments, inside_brackets_and_between_decorators_are_inner) {
  const Tree tree = parse({}, "# a\n@x  # b\n# c\n@y\ndef f(\n    p,  # d\n):  # e\n  # f\n  g(1,  # g\n    2)  # h\n");
  const NodeId function = statement(tree, 0);
  EXPECT_EQ(words(tree.leading_comments(function)), "a");
  EXPECT_EQ(words(tree.inner_comments(function)), "b c d");
  EXPECT_EQ(word(tree.trailing_comment(function)), "e");
  const NodeId call = tree.as<FunctionDef>(function).body[0];
  EXPECT_EQ(words(tree.leading_comments(call)), "f");
  EXPECT_EQ(words(tree.inner_comments(call)), "g");
  EXPECT_EQ(word(tree.trailing_comment(call)), "h");
}

TEST(Comments, alone_in_a_file_close_the_module) {
  const Tree tree = parse({}, "# a\n\n  # b");
  EXPECT_TRUE(tree.ok());
  EXPECT_EQ(words(tree.closing_comments(tree.root())), "a b");
}

TEST(Comments, are_each_found_once_wherever_they_stand) {
  for (const char* text : {
           "#",
           "# a\nif x:\n# b\n  # c\n  y # d\n   # e\n # f\n# g\nelse: # h\n z\n# i\n",
           "class A: # a\n # b\n\n # c\n def f(self): pass # d\n # e\n\n# f\nx\n",
           "try: # a\n x\n # b\nexcept A: # c\n y\n # d\nelse: # e\n z\n # f\nfinally: # g\n w\n # h\n# i\n",
           "try: x\n# a\nexcept A: y\n# b\nelse: z\n# c\nfinally: w\n# d\n",
           "for x in y: # a\n z\n # b\nelse: # c\n w\n # d\nwhile x: # e\n y\nelse: # f\n z\n",
           "with (a as b, # a\n c): # b\n d # c\n\n # d\n",
           "match x: # a\n # b\n case [1, # c\n  2]: # d\n  y # e\n  # f\n # g\n case _: z # h\n# i\n",
           "x = [ # a\n # b\n 1, # c\n] # d\n",
           "x = f'''{a # a\n}''' # b\n",
           "if x:\n  if y:\n    z\n    # a\n  # b\n  else:\n    w\n  # c\n",
           "if x: y; # a\nelif z: w # b\n# c\nelse: v # d\n",
           "def f():\n\n  # a\n\n  '''doc''' # b\n\n\n  # c\n",
           "lambda: ( # a\n 1) # b\n",
           "if x:\r\n\t# a\r\n\ty # b\r\n# c\r\n",
           "@a # a\n# b\nclass B(C, # c\n  D): # d\n  x = 1 # e\n",
           "async def f(): # a\n async with x: # b\n  # c\n  await y # d\n  # e\n # f\n",
           "if 1:\n a\n    # deeper\n  # less\n # block\n# module\n",
       }) {
    const Tree tree = parse({}, text);
    EXPECT_TRUE(tree.ok()) << text;
    EXPECT_EQ(properties::all(tree), "") << text;
  }
}

TEST(BlankLines, are_those_directly_above) {
  const Tree tree = parse({}, "\n\nx\n\n\n# a\n\ny\n  \n\t\nz; w\nif v:\n\n  u\n");
  EXPECT_EQ(tree.blank_lines_before(statement(tree, 0)), 2u);
  EXPECT_EQ(tree.blank_lines_before(statement(tree, 1)), 1u);
  EXPECT_EQ(tree.blank_lines_before_comments(statement(tree, 1)), 2u);
  EXPECT_EQ(tree.blank_lines_before(statement(tree, 2)), 2u);
  EXPECT_EQ(tree.blank_lines_before(statement(tree, 3)), 0u);
  EXPECT_EQ(tree.blank_lines_before(tree.as<If>(statement(tree, 4)).body[0]), 1u);
  const Tree first = parse({}, "\nx");
  EXPECT_EQ(first.blank_lines_before(statement(first, 0)), 1u);
  const Tree windows = parse({}, "x\r\n\r\n\r\ny\r\n");
  EXPECT_EQ(windows.blank_lines_before(statement(windows, 1)), 2u);
}

}  // namespace tilewright::syntax
