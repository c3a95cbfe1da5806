// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Tokens to tree, by recursive descent; the functions bear the names of the grammar in the language reference. Private to this
// folder: statements.cc, expressions.cc, strings.cc and patterns.cc each hold a part.
//
// After the first mistake in a statement the current token becomes one that fits nowhere, so that every function runs out by
// itself; the statement loop then goes on behind the line. Recursion follows brackets, blocks and lambdas only, all of them
// limited. Operators, `elif`, trailers, unary signs and conditional expressions are loops over explicit stacks.

#pragma once

#include <vector>

#include "syntax/builder.h"
#include "syntax/literals.h"
#include "syntax/messages.h"
#include "syntax/parse.h"
#include "syntax/tree.h"

// A parser asks for a few kinds of token or node out of a hundred; to list the others would only hide them.
#pragma GCC diagnostic ignored "-Wswitch-enum"

namespace tilewright::syntax {

// TW010
constexpr Message<std::string_view, std::string_view> bad_target("TW010", "cannot {} {}");
// TW016
constexpr Message<> misplaced_star("TW016", "a starred expression has no meaning here");

constexpr TokenSet expression_starts = {
    TokenKind::Name,         TokenKind::Int,       TokenKind::Float,    TokenKind::Imaginary, TokenKind::String,
    TokenKind::FStringStart, TokenKind::KwFalse,   TokenKind::KwNone,   TokenKind::KwTrue,    TokenKind::KwAwait,
    TokenKind::KwLambda,     TokenKind::KwNot,     TokenKind::Plus,     TokenKind::Minus,     TokenKind::LeftParen,
    TokenKind::LeftBracket,  TokenKind::LeftBrace, TokenKind::Ellipsis, TokenKind::Tilde};

class Parser {
 public:
  Parser(Tree& tree, Options options, const std::vector<Token>& tokens, const diag::Diagnostics& lexer_errors);

  NodeId module();
  NodeId only_expression();

 private:
  // parser.cc: moving, failing, going on
  const Token& now() const { return *at_; }
  bool at(TokenKind kind) const { return at_->kind == kind; }
  bool at(const TokenSet& kinds) const { return kinds.has(at_->kind); }
  bool at_word(std::string_view word) const { return at_->kind == TokenKind::Name && text(*at_) == word; }
  const Token& ahead(int count = 1) const {
    const Token* t = at_;
    for (; count > 0; --count) {
      do ++t;
      while (t->kind == TokenKind::Comment);
    }
    return *t;
  }
  void advance() {
    if (at_->kind > TokenKind::Comment) last_end_ = at_->end;  // line ends and indentation have no part in a node
    do ++at_;
    while (at_->kind == TokenKind::Comment);
  }
  void advance_unless_failed() {
    if (!failed_) advance();
  }
  bool accept(TokenKind kind) {
    if (at_->kind != kind) return false;
    advance();
    return true;
  }
  bool expect(TokenKind kind) {
    if (accept(kind)) return true;
    expected(describe(kind));
    return false;
  }
  std::string_view text(const Token& token) const { return text_.substr(token.begin, token.size()); }
  source::Span span(uint32_t begin, uint32_t end) const { return {tree_.file(), begin, end}; }
  source::Span span(const Token& token) const { return span(token.begin, token.end); }
  std::string found(const Token& token) const;

  // Reports and gives the statement up.
  template <class... Args>
  NodeId fail(source::Span where, const Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    if (!failed_) fail_with(diag::report(diag::Severity::Error, where, message, args...));
    return invalid_;
  }
  NodeId expected(std::string_view what) { return fail(span(now()), expected_found, what, found(now())); }
  void fail_with(diag::Diagnostic problem);
  void report(diag::Diagnostic problem);
  // Reports and goes on: the meaning is clear.
  template <class... Args>
  void complain(source::Span where, const Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    if (!failed_) report(diag::report(diag::Severity::Error, where, message, args...));
  }
  void need(Version version, source::Span where, std::string_view what);
  bool lexer_saw(uint32_t begin, uint32_t end) const;
  struct Place {
    const Token* at;
    uint32_t last_end;
    size_t nodes, stack, second, errors;
  };
  Place place() const { return {at_, last_end_, build_.mark(), stack_.size(), second_.size(), errors_.size()}; }
  void go_back(const Place& place);

  // Lists under construction
  size_t mark() const { return stack_.size(); }
  void keep(NodeId node) { stack_.push_back(node); }
  NodeList since(size_t mark) const { return NodeList(stack_.data() + mark, stack_.size() - mark); }
  NodeList between(size_t begin, size_t end) const { return NodeList(stack_.data() + begin, end - begin); }
  template <class View>
  NodeId add(const View& view, uint32_t begin) {
    return build_.add(view, begin, last_end_);
  }
  NodeKind kind(NodeId node) const { return tree_.kind(node); }
  uint32_t begin_of(NodeId node) const { return tree_.span(node).begin; }
  uint32_t end_of(NodeId node) const { return tree_.span(node).end; }

  // statements.cc
  void statements_until(TokenKind end);
  void statement();
  void recover(const Token* start, size_t statements, size_t second);
  void simple_statements();
  NodeId simple_statement();
  void block(std::string_view owner);
  NodeId if_statement();
  NodeId while_statement();
  enum class Async { No, Yes };
  NodeId for_statement(uint32_t begin, Async async);
  NodeId with_statement(uint32_t begin, Async async);
  bool parenthesized_items();
  void with_item();
  NodeId try_statement();
  void except_handler();
  NodeId decorated();
  bool is_old_decorator(NodeId node) const;
  NodeId async_statement(size_t decorators);
  NodeId function(uint32_t begin, Async async, size_t decorators);
  NodeId class_(size_t decorators);
  bool is_match_statement() const;
  NodeId match_statement();
  void case_block();
  void else_block();
  void colon();
  NodeId expression_statement();
  NodeId assignment(uint32_t begin, NodeId first);
  NodeId annotated_assignment(uint32_t begin, NodeId target, bool parenthesized);
  NodeId type_alias();
  NodeId return_();
  NodeId raise();
  NodeId delete_();
  NodeId assert_();
  NodeId import();
  NodeId import_from();
  NodeId name_list(NodeKind which, uint32_t begin);
  enum class Dotted { No, Yes };
  NodeId alias(Dotted dotted);
  source::Span dotted_name();
  source::Span identifier();
  void read_name(const Token& token);
  void type_parameters();
  NodeId type_parameter();
  enum class Store { Assign, Annotate, Augment, For, With, Delete, Walrus };
  bool store(NodeId target, Store how);
  bool set_targets(NodeId target, Store how, Context context);
  NodeId bad_store(NodeId target, Store how);

  // expressions.cc
  NodeId expression_list();   // a, b
  NodeId star_expressions();  // a, *b
  NodeId star_expression();
  NodeId star_named_expression();
  NodeId named_expression();
  NodeId expression();
  NodeId yield_or_star_expressions();
  NodeId yield();
  NodeId binary(int least);
  NodeId operand(int least);
  NodeId comparison(NodeId left, uint32_t begin);
  NodeId bool_operation(NodeId left, uint32_t begin, TokenKind op, int level);
  NodeId primary();
  NodeId atom();
  NodeId trailers(NodeId node, uint32_t begin);
  NodeId parenthesized();
  NodeId list();
  NodeId dict_or_set();
  NodeId subscript_index();
  NodeId slice();
  NodeId lambda();
  NodeId star_targets();
  enum class Generators { Allowed, Refused };
  void arguments(Generators generators);
  enum class Params { Function, Lambda };
  NodeId parameters(Params kind, TokenKind end);
  enum class StarAnnotation { Allowed, Refused };
  NodeId parameter(Params kind, StarAnnotation star_annotation);
  void comprehension_clauses();
  bool at_comprehension() const { return at(TokenKind::KwFor) || (at(TokenKind::KwAsync) && ahead().kind == TokenKind::KwFor); }
  NodeId number(ConstantKind kind);
  NodeId tuple_of(NodeId first, uint32_t begin);
  void need_no_bare_star(NodeId node, std::string_view what);

  // strings.cc
  NodeId strings();
  NodeId single_string();
  struct Joined;
  void f_string(Joined& joined);
  enum class Field { Formatted, Interpolated };
  void replacement_field(Joined& joined, Field field);
  NodeId format_spec();
  enum class Empty { Counts, Dropped };
  void add_text(Joined& joined, const StringPart& part, uint32_t begin, uint32_t end, bool u_prefix, Empty empty);
  void add_debug_text(Joined& joined, uint32_t begin, uint32_t end);
  void flush_text(Joined& joined);
  void report_escape(const EscapeProblem& problem);

  // patterns.cc
  NodeId patterns();
  NodeId pattern();
  NodeId or_pattern();
  NodeId closed_pattern();
  NodeId sequence_pattern();
  NodeId mapping_pattern();
  NodeId class_pattern(NodeId cls);
  NodeId star_pattern();
  NodeId maybe_star_pattern();
  NodeId literal_expression();
  NodeId name_or_attribute();

  // An operator whose right operand is still to come: a sign, `not`, `**`, a conditional expression, an `if` of a ladder.
  struct Pending {
    uint32_t begin = 0;
    uint8_t op = 0;
    NodeId left = {}, right = {};
    size_t body = 0, body_end = 0;
  };

  Tree& tree_;
  Builder build_;
  std::string_view text_;
  Version version_;
  const std::vector<Token>& tokens_;
  const diag::Diagnostics& lexer_errors_;  // sorted by place
  diag::Diagnostics& errors_;
  const Token* at_;
  const Token* failed_at_ = nullptr;
  const Token* statement_begin_;
  uint32_t last_end_ = 0;  // of the last token that shows
  bool failed_ = false;
  bool unequal_is_diamond_ = false;  // after `from __future__ import barry_as_FLUFL`, where CPython has it
  int depth_ = 0;                    // of lambdas
  NodeId invalid_;
  NodeId bare_tuple_;             // the last one without parentheses
  std::vector<NodeId> stack_;     // lists under construction
  std::vector<NodeId> second_;    // those that grow beside them: keywords, dict values, defaults
  std::vector<Pending> pending_;  // operators that wait for an operand
  std::vector<CmpOperator> comparisons_;
  Token nowhere_[4];
};

}  // namespace tilewright::syntax
