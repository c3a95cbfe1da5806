// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "syntax/tree.h"

#include <gtest/gtest.h>

#include <cmath>

#include "syntax/parse.h"
#include "syntax/properties.h"

namespace tilewright::syntax {

// The value of a file that is one expression.
static NodeId value(const Tree& tree) { return tree.as<Expr>(tree.as<Module>(tree.root()).body[0]).value; }

TEST(Tree, has_ast_s_fields) {
  const Tree tree = parse({}, "f(a, *b, c=1, **d)\n");
  const Call call = tree.as<Call>(value(tree));
  EXPECT_EQ(tree.as<Name>(call.func).id, "f");
  ASSERT_EQ(call.args.size(), 2u);
  EXPECT_TRUE(tree.is(call.args[1], NodeKind::Starred));
  ASSERT_EQ(call.keywords.size(), 2u);
  EXPECT_EQ(tree.as<Keyword>(call.keywords[0]).arg, "c");
  EXPECT_EQ(tree.as<Keyword>(call.keywords[1]).arg, "");
  EXPECT_EQ(tree.text(call.keywords[1]), "**d");
  EXPECT_EQ(tree.parent(call.keywords[0]), value(tree));
}

TEST(Tree, names_parameters_and_says_where_the_names_are) {
  const Tree tree = parse({}, "async def f(a, /, b: int = 1, *, c, d=2, **e) -> x: pass\n");
  const auto function = tree.as<AsyncFunctionDef>(tree.as<Module>(tree.root()).body[0]);
  EXPECT_EQ(function.name, "f");
  EXPECT_EQ(function.name_span.begin, 10u);
  const Arguments args = tree.as<Arguments>(function.args);
  EXPECT_EQ(args.posonlyargs.size(), 1u);
  EXPECT_EQ(args.args.size(), 1u);
  EXPECT_EQ(args.kwonlyargs.size(), 2u);
  EXPECT_EQ(args.kw_defaults.size(), 2u);
  EXPECT_FALSE(args.kw_defaults[0].valid());
  EXPECT_EQ(args.defaults.size(), 1u);
  EXPECT_EQ(tree.as<Arg>(args.kwarg).arg, "e");
  EXPECT_EQ(tree.text(function.args), "a, /, b: int = 1, *, c, d=2, **e");
}

TEST(Tree, refuses_to_read_a_node_as_what_it_is_not) {
  const Tree tree = parse({}, "x\n");
  EXPECT_THROW(tree.as<Call>(value(tree)), InternalError);
  EXPECT_FALSE(tree.get_if<Call>(value(tree)));
}

TEST(Tree, lists_children_in_the_order_of_the_source) {
  const Tree tree = parse({}, "{a: b, **c, d: e if f else g}\n");
  std::string seen;
  for (const NodeId child : tree.children(value(tree))) seen += std::string(tree.text(child)) + "|";
  EXPECT_EQ(seen, "a|b|c|d|e if f else g|");
  const NodeId conditional = tree.children(value(tree)).back();
  seen.clear();
  for (const NodeId child : tree.children(conditional)) seen += tree.text(child);
  EXPECT_EQ(seen, "efg");
}

TEST(Tree, finds_redundant_parentheses_and_those_only) {
  const auto wide = [](const char* text, auto pick) {
    const Tree tree = parse({}, text);
    EXPECT_TRUE(tree.ok()) << text;
    return std::string(tree.text(tree.parenthesized_span(pick(tree, value(tree)))));
  };
  const auto argument = [](const Tree& tree, NodeId node) { return tree.as<Call>(node).args[0]; };
  EXPECT_EQ(wide("((x))\n", [](const Tree&, NodeId node) { return node; }), "((x))");
  EXPECT_EQ(wide("f(x)\n", argument), "x");
  EXPECT_EQ(wide("f((x))\n", argument), "(x)");
  EXPECT_EQ(wide("f((x), y)\n", argument), "(x)");
  EXPECT_EQ(wide("(f)(x)\n", [](const Tree& tree, NodeId node) { return tree.as<Call>(node).func; }), "(f)");
  EXPECT_EQ(wide("f(x for x in y)\n", argument), "(x for x in y)");
  EXPECT_EQ(wide("(a + b) * c\n", [](const Tree& tree, NodeId node) { return tree.as<BinOp>(node).left; }), "(a + b)");
  EXPECT_EQ(wide("(  # c\n x  # d\n)\n", [](const Tree&, NodeId node) { return node; }), "(  # c\n x  # d\n)");

  const Tree with = parse({}, "with (f()): pass\nmatch x:\n  case f(1): pass\n");
  const NodeId item = with.as<With>(with.as<Module>(with.root()).body[0]).items[0];
  EXPECT_EQ(with.text(with.parenthesized_span(with.as<WithItem>(item).context_expr)), "(f())");
  const NodeId pattern = with.as<MatchCase>(with.as<Match>(with.as<Module>(with.root()).body[1]).cases[0]).pattern;
  const NodeId positional = with.as<MatchClass>(pattern).patterns[0];
  EXPECT_EQ(with.text(with.parenthesized_span(positional)), "1");
  EXPECT_EQ(with.text(with.parenthesized_span(with.as<MatchValue>(positional).value)), "1");

  const Tree tree = parse({}, "class A(B): pass\nclass A((B)): pass\ndef f(): pass\n@(x)\ndef g(a=(1)) -> (y): pass\n");
  const NodeList body = tree.as<Module>(tree.root()).body;
  EXPECT_EQ(tree.text(tree.parenthesized_span(tree.as<ClassDef>(body[0]).bases[0])), "B");
  EXPECT_EQ(tree.text(tree.parenthesized_span(tree.as<ClassDef>(body[1]).bases[0])), "(B)");
  const auto g = tree.as<FunctionDef>(body[3]);
  EXPECT_EQ(tree.text(tree.parenthesized_span(g.returns)), "(y)");
  EXPECT_EQ(tree.text(tree.parenthesized_span(g.decorator_list[0])), "(x)");
  EXPECT_EQ(tree.text(tree.parenthesized_span(tree.as<Arguments>(g.args).defaults[0])), "(1)");
  EXPECT_EQ(tree.text(tree.decorated_span(body[3])).substr(0, 4), "@(x)");
  EXPECT_EQ(tree.text(body[3]).substr(0, 3), "def");
}

TEST(Constants, are_read_by_value) {
  const Tree tree = parse(
      {}, "[None, True, ..., 1_000, 0xFF_ff, 0b11, 9223372036854775808, 1.5e3, 1e999, 2j, 'a' \"b\", b'\\x00\\xff', u'x']\n");
  ASSERT_TRUE(tree.ok());
  const NodeList elements = tree.as<List>(value(tree)).elts;
  EXPECT_EQ(tree.constant_kind(elements[0]), ConstantKind::None);
  EXPECT_EQ(tree.constant_kind(elements[1]), ConstantKind::True);
  EXPECT_EQ(tree.constant_kind(elements[2]), ConstantKind::Ellipsis);
  EXPECT_EQ(tree.int_text(elements[3]), "1000");
  EXPECT_EQ(tree.int_value(elements[3]), 1000);
  EXPECT_EQ(tree.int_text(elements[4]), "0xffff");
  EXPECT_EQ(tree.int_decimal(elements[4]), "65535");
  EXPECT_EQ(tree.int_value(elements[5]), 3);
  EXPECT_EQ(tree.int_value(elements[6]), std::nullopt);
  EXPECT_EQ(tree.int_decimal(elements[6]), "9223372036854775808");
  EXPECT_EQ(tree.float_value(elements[7]), 1500.0);
  EXPECT_TRUE(std::isinf(tree.float_value(elements[8])));
  EXPECT_EQ(tree.float_value(elements[9]), 2.0);
  EXPECT_EQ(tree.string_value(elements[10]), "ab");
  EXPECT_EQ(tree.string_value(elements[11]), std::string_view("\0\xff", 2));
  EXPECT_TRUE(tree.as<Constant>(elements[12]).value.u_prefix);
}

TEST(Constants, decode_escapes_and_line_ends) {
  const Tree tree = parse({}, "['\\n\\t\\101\\x41\\u00e9\\U0001F600\\N{EM DASH}\\q', r'\\n', '''a\r\nb''', 'a\\\r\nb']\n");
  ASSERT_TRUE(tree.ok());
  const NodeList elements = tree.as<List>(value(tree)).elts;
  EXPECT_EQ(tree.string_value(elements[0]), "\n\tAAé😀—\\q");
  EXPECT_EQ(tree.string_value(elements[1]), "\\n");
  EXPECT_EQ(tree.string_value(elements[2]), "a\nb");
  EXPECT_EQ(tree.string_value(elements[3]), "ab");
}

TEST(Names, are_normalised_and_dotted_names_lose_their_blanks) {
  const Tree tree = parse({}, "ℌ = 1\nimport a . b . c\nfrom ...x . y import z\n");
  ASSERT_TRUE(tree.ok());
  const NodeList body = tree.as<Module>(tree.root()).body;
  EXPECT_EQ(tree.as<Name>(tree.as<Assign>(body[0]).targets[0]).id, "H");
  EXPECT_EQ(tree.as<Alias>(tree.as<Import>(body[1]).names[0]).name, "a.b.c");
  const ImportFrom import = tree.as<ImportFrom>(body[2]);
  EXPECT_EQ(import.module, "x.y");
  EXPECT_EQ(import.level, 3);
  EXPECT_EQ(tree.text(import.module_span), "x . y");
}

TEST(Names, of_a_latin_1_file_are_utf_8) {
  const Tree tree = parse({}, "# coding: latin-1\n\xe9 = '\xe9'\n");
  ASSERT_TRUE(tree.ok());
  const Assign assign = tree.as<Assign>(tree.as<Module>(tree.root()).body[0]);
  EXPECT_EQ(tree.as<Name>(assign.targets[0]).id, "é");
  EXPECT_EQ(tree.string_value(assign.value), "é");
}

TEST(Tokens, are_found_by_place) {
  const Tree tree = parse({}, "x = (1 +\n  y)  # c\n");
  const NodeId sum = tree.as<Assign>(tree.as<Module>(tree.root()).body[0]).value;
  EXPECT_EQ(tree.text(tree.token(tree.first_token(sum))), "1");
  EXPECT_EQ(tree.text(tree.token(tree.last_token(sum))), "y");
  EXPECT_EQ(tree.text(tree.token(tree.token_from(2))), "=");
  EXPECT_EQ(tree.text(tree.token(tree.token_from(3))), "(");
}

TEST(Tokens, are_as_long_as_they_were_lexed) {
  for (const size_t size : {1U, 253U, 254U, 255U, 256U, 70000U}) {
    const std::string name(size, 'x');
    const std::string text = "a = " + name + " + '" + name + "'  # " + name + "\n";
    const Tree tree = parse({}, text);
    std::vector<std::string_view> texts;
    for (const Token token : tree.tokens()) texts.push_back(tree.text(token));
    EXPECT_EQ(texts, (std::vector<std::string_view>{"a", "=", name, "+", "'" + name + "'", "# " + name, "\n", ""}));
  }
}

TEST(Tree, tiles_every_kind_of_text_with_tokens) {
  for (const char* text : {"",
                           "\n",
                           "\xEF\xBB\xBF",
                           "x",
                           "x\r",
                           "x\\\n",
                           "\f\tx\n",
                           "if x:\n\ty\n\n\n",
                           "x = '''\n\n'''",
                           "f'{x!r:>{y}}' f\"{{\"",
                           "#",
                           "x = $",
                           "'abc",
                           "f'{",
                           "(",
                           ")",
                           "if",
                           "x\n  y\n z",
                           "\\",
                           "'''",
                           "f'''{x",
                           "f'{x:{y",
                           "\xff",
                           "é€"}) {
    EXPECT_EQ(properties::all(parse({}, text)), "") << text;
  }
}

TEST(Tree, can_be_moved_with_what_it_holds) {
  Tree tree = parse({}, "x = 'a\\tb' 'c'\n");
  const Tree moved = std::move(tree);
  EXPECT_EQ(moved.string_value(moved.as<Assign>(moved.as<Module>(moved.root()).body[0]).value), "a\tbc");
}

TEST(Expression, is_read_alone) {
  const Tree tree = parse_expression({}, "  a + b * c \n");
  ASSERT_TRUE(tree.ok());
  EXPECT_EQ(tree.text(tree.as<Expression>(tree.root()).body), "a + b * c");
  EXPECT_FALSE(parse_expression({}, "a = 1").ok());
  EXPECT_FALSE(parse_expression({}, "").ok());
  EXPECT_FALSE(parse_expression({}, "a; b").ok());
}

TEST(Tree, comes_back_with_the_same_nodes_and_leaves_names_where_they_were) {
  const std::string text = "def f(ﬁeld, *, b=1):  # c\n    return [ﬁeld < b <= 2, 'a\\n']\n";
  Tree tree = parse({}, text);
  const std::string before = dump(tree);
  const auto named = tree.get_if<FunctionDef>(tree.as<Module>(tree.root()).body[0]);
  ASSERT_TRUE(named);
  const std::string_view name = tree.as<Arg>(tree.as<Arguments>(named->args).args[0]).arg;
  tree.let_go();
  EXPECT_EQ(tree.node_count(), 0U);
  EXPECT_EQ(name, "field");
  tree.take_back(parse({}, text));
  EXPECT_EQ(dump(tree), before);
}

TEST(Dump, prints_what_ast_dump_prints) {
  const Tree tree = parse({}, "x: int = -1.5\n");
  EXPECT_EQ(
      dump(tree),
      "Module(body=[AnnAssign(target=Name(id='x', ctx=Store(), lineno=1, col_offset=0, end_lineno=1, end_col_offset=1), "
      "annotation=Name(id='int', ctx=Load(), lineno=1, col_offset=3, end_lineno=1, end_col_offset=6), "
      "value=UnaryOp(op=USub(), operand=Constant(value=1.5, lineno=1, col_offset=10, end_lineno=1, end_col_offset=13), lineno=1, "
      "col_offset=9, end_lineno=1, end_col_offset=13), simple=1, lineno=1, col_offset=0, end_lineno=1, end_col_offset=13)])");
  const auto short_form = [](const char* text) {
    const Tree t = parse({}, text);
    return dump(t, value(t), Attributes::Omit);
  };
  EXPECT_EQ(
      short_form("[1e16, 1e15, 1e-4, 1e-5, 0.1, 100.0, 1e22, 5e-324, 1j, 1.5j]\n"),
      "List(elts=[Constant(value=1e+16), Constant(value=1000000000000000.0), Constant(value=0.0001), Constant(value=1e-05), "
      "Constant(value=0.1), Constant(value=100.0), Constant(value=1e+22), Constant(value=5e-324), Constant(value=1j), "
      "Constant(value=1.5j)], ctx=Load())");
  EXPECT_EQ(short_form("[\"it's\", 'a\"b', '\\x00é\\u200b', b'\\xff']\n"),
            "List(elts=[Constant(value=\"it's\"), Constant(value='a\"b'), Constant(value='\\x00é\\u200b'), "
            "Constant(value=b'\\xff')], ctx=Load())");
}

}  // namespace tilewright::syntax
