// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of a rule is its test. Under `## Found` and `## Left alone` every Python block is a file that is read, and what the
// rule says of it must be what the comments say, no more and no less:
//
//     # expect: natural-quotient "what was found"        # missed: natural-quotient "why not"
//
// An `ir` block behind it holds lines of the program after the rule's plans.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analysis/facts.h"
#include "front/cutile/read.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "rules/rule.h"
#include "syntax/parse.h"

namespace tilewright::driver {
namespace {

struct Case {
  std::string section;
  std::string python;
  std::string ir;
};

std::vector<Case> cases_of(std::string_view page) {
  std::vector<Case> out;
  std::string section;
  std::string* block = nullptr;
  while (!page.empty()) {
    const size_t end = std::min(page.find('\n'), page.size());
    const std::string line(page.substr(0, end));
    page.remove_prefix(std::min(end + 1, page.size()));
    if (block && line == "```") {
      block = nullptr;
    } else if (block) {
      *block += line + "\n";
    } else if (line.starts_with("## ")) {
      section = line.substr(3);
    } else if (line == "```python") {
      out.push_back({section, {}, {}});
      block = &out.back().python;
    } else if (line == "```ir") {
      block = &out.back().ir;
    }
  }
  return out;
}

using Remarks = std::multiset<std::string>;  // `8 expect "…"`

Remarks expected(const std::string& python, std::string_view rule) {
  Remarks out;
  size_t line = 0;
  for (size_t at = 0; at < python.size();) {
    const size_t end = python.find('\n', at);
    const std::string text = python.substr(at, end - at);
    at = end + 1;
    ++line;
    for (const std::string kind : {"expect", "missed"}) {
      const std::string mark = "# " + kind + ": " + std::string(rule) + " ";
      if (const size_t place = text.find(mark); place != std::string::npos) {
        out.insert(std::to_string(line) + " " + kind + " " + text.substr(place + mark.size()));
      }
    }
  }
  return out;
}

Remarks remarks(const rules::Rule& rule, ir::Program& program, const source::File& file, ir::Plan& plan) {
  Remarks out;
  const analysis::Facts facts(program);
  const rules::Context context{program, facts};
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    ir::each_op(program, program.functions[ir::FunctionId{i}].body, [&](ir::OpId op) {
      if (std::find(rule.looks_at.begin(), rule.looks_at.end(), program.ops[op].kind) == rule.looks_at.end()) return;
      const rules::Verdict verdict = rule.check(context, op);
      const auto say = [&](const char* kind, const diag::Diagnostic& d) {
        out.insert(std::to_string(file.line_of(d.span.begin)) + " " + kind + " \"" + d.message + "\"");
      };
      if (const auto* missed = std::get_if<rules::Missed>(&verdict)) say("missed", missed->why);
      const auto* found = std::get_if<rules::Found>(&verdict);
      if (!found) return;
      say("expect", found->what);
      plan.edits.insert(plan.edits.end(), found->fix.edits.begin(), found->fix.edits.end());
    });
  }
  return out;
}

void check(const rules::Entry& entry, const Case& one) {
  SCOPED_TRACE(one.python);
  const source::File file("page.py", one.python);
  const syntax::Tree tree = syntax::parse(source::FileId{0}, one.python);
  ASSERT_TRUE(tree.ok());
  const auto read = front::cutile::read(tree, [](const front::ImportRequest&) -> const syntax::Tree* { return nullptr; });
  for (const diag::Diagnostic& diagnostic : read.diagnostics) ADD_FAILURE() << diagnostic.code << ": " << diagnostic.message;
  ir::Program program = read.program;
  ir::Plan plan;
  EXPECT_EQ(remarks(*entry.rule, program, file, plan), expected(one.python, entry.name));
  ir::apply(program, plan);
  EXPECT_EQ(text(ir::verify(program)), "");
  const std::string printed = text(program, ir::Places::Omit);
  const Result<ir::Program> again = ir::parse(printed);
  ASSERT_TRUE(again.ok()) << again.reason();
  EXPECT_EQ(text(*again, ir::Places::Omit), printed);
  size_t at = 0;
  while (at < one.ir.size()) {
    const size_t end = one.ir.find('\n', at);
    EXPECT_NE(printed.find(one.ir.substr(at, end - at)), std::string::npos) << one.ir << " is not in\n" << printed;
    at = end + 1;
  }
  ir::Plan more;
  for (const std::string& remark : remarks(*entry.rule, program, file, more)) {
    EXPECT_EQ(remark.find(" expect "), std::string::npos) << "a second time: " << remark;
  }
}

TEST(Rules, pages_say_what_the_rules_do) {
  ASSERT_FALSE(rules::catalogue().empty());
  for (const rules::Entry& entry : rules::catalogue()) {
    SCOPED_TRACE(entry.name);
    std::map<std::string, int> count;
    for (const Case& one : cases_of(entry.page)) {
      check(entry, one);
      ++count[one.section];
      const bool finds = !expected(one.python, entry.name).empty() && one.python.find("# expect: ") != std::string::npos;
      EXPECT_EQ(finds, one.section == "Found") << one.python;
    }
    EXPECT_GE(count["Found"], 1);
    EXPECT_GE(count["Left alone"], count["Found"]);
  }
}

}  // namespace
}  // namespace tilewright::driver
