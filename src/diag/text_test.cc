// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "diag/text.h"

#include <gtest/gtest.h>

namespace tilewright::diag {

static constexpr Message<std::string_view> found{"TW999", "found `{}`"};

struct Page {
  source::Files files;
  source::FileId file;

  explicit Page(std::string text) { file = files.add(source::File("a.py", std::move(text))); }
  source::Span find(std::string_view what, size_t from = 0) const {
    const auto at = static_cast<uint32_t>(files[file].text().find(what, from));
    return {file, at, at + static_cast<uint32_t>(what.size())};
  }
  std::string render(std::string_view what) const {
    return render_text(files, report(Severity::Error, find(what), found, "it"), Colour::Never);
  }
};

TEST(Text, quotes_the_line_and_puts_carets_under_the_span) {
  EXPECT_EQ(Page("x = 1\ny = bad(1)\n").render("bad(1)"),
            "error[TW999]: found `it`\n"
            " --> a.py:2:5\n"
            "  |\n"
            "2 | y = bad(1)\n"
            "  |     ^^^^^^\n");
}

TEST(Text, puts_carets_right_after_tabs_wide_characters_and_combining_marks) {
  EXPECT_EQ(Page("\tx = bad\n").render("bad"),
            "error[TW999]: found `it`\n --> a.py:1:6\n  |\n1 |     x = bad\n  |         ^^^\n");
  EXPECT_EQ(Page("'漢字' + bad\n").render("bad"),
            "error[TW999]: found `it`\n --> a.py:1:8\n  |\n1 | '漢字' + bad\n  |          ^^^\n");
  EXPECT_EQ(Page("'e\xCC\x81' + bad\n").render("bad"),
            "error[TW999]: found `it`\n --> a.py:1:8\n  |\n1 | 'e\xCC\x81' + bad\n  |       ^^^\n");
}

TEST(Text, shows_nothing_that_steers_the_terminal) {
  const std::string out = Page("a = '\x1b[31m\xFF' + bad\n").render("bad");
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_NE(out.find("1 | a = '\xEF\xBF\xBD[31m\xEF\xBF\xBD' + bad\n  |" + std::string(16, ' ') + "^^^\n"), std::string::npos)
      << out;
}

TEST(Text, marks_first_and_last_line_of_a_long_span) {
  EXPECT_EQ(Page("f(\n    a,\n    b,\n    c\n)\n").render("f(\n    a,\n    b,\n    c\n)"),
            "error[TW999]: found `it`\n"
            " --> a.py:1:1\n"
            "  |\n"
            "1 | f(\n"
            "  | ^^\n"
            "...\n"
            "5 | )\n"
            "  | ^\n");
}

TEST(Text, shows_labels_and_notes_in_the_order_of_the_lines) {
  const Page page("A = 1\n\n\n\n\n\n\n\n\nuse(A, bad)\n");
  Diagnostic d = report(Severity::Warning, page.find("bad"), found, "it");
  d.labels.push_back({page.find("A"), "defined here"});
  d.labels.push_back({page.find("A", 5), "and used here"});
  d.notes.push_back("rename one of them");
  EXPECT_EQ(render_text(page.files, d, Colour::Never),
            "warning[TW999]: found `it`\n"
            "  --> a.py:10:8\n"
            "   |\n"
            " 1 | A = 1\n"
            "   | - defined here\n"
            "...\n"
            "10 | use(A, bad)\n"
            "   |     - and used here\n"
            "   |        ^^^\n"
            "   = rename one of them\n");
}

TEST(Text, names_the_other_file_of_a_label) {
  Page page("bad\n");
  const auto other = page.files.add(source::File("b.py", "helper\n"));
  Diagnostic d = report(Severity::Error, page.find("bad"), found, "it");
  d.labels.push_back({{other, 0, 6}, "from here"});
  EXPECT_NE(render_text(page.files, d, Colour::Never).find(" ::: b.py\n  |\n1 | helper\n  | ------ from here\n"),
            std::string::npos);
}

TEST(Text, writes_a_note_on_one_line) {
  const Page page("a\nb\n");
  EXPECT_EQ(render_text(page.files, report(Severity::Note, page.find("b"), found, "it"), Colour::Never),
            "a.py:2:1: note[TW999]: found `it`\n");
}

TEST(Text, points_past_the_end_of_the_line_and_of_the_file) {
  const Page page("a = (\n");
  const source::Span end{page.file, 6, 6};
  EXPECT_EQ(render_text(page.files, report(Severity::Error, end, found, "it"), Colour::Never),
            "error[TW999]: found `it`\n --> a.py:2:1\n  |\n2 |\n  | ^\n");
  const source::Span line_end{page.file, 5, 5};
  EXPECT_EQ(render_text(page.files, report(Severity::Error, line_end, found, "it"), Colour::Never),
            "error[TW999]: found `it`\n --> a.py:1:6\n  |\n1 | a = (\n  |      ^\n");
}

TEST(Text, cuts_a_very_long_line_around_the_mark) {
  const std::string out = Page(std::string(5000, 'x') + " bad " + std::string(5000, 'y') + "\n").render("bad");
  EXPECT_LT(out.size(), 500u);
  EXPECT_NE(out.find(std::string(39, 'x') + " bad yyy"), std::string::npos) << out;
  EXPECT_NE(out.find("\n  |" + std::string(42, ' ') + "^^^\n"), std::string::npos) << out;
}

TEST(Text, colours_only_when_asked) {
  const Page page("bad\n");
  const std::string out = render_text(page.files, report(Severity::Error, page.find("bad"), found, "it"), Colour::Ansi);
  EXPECT_TRUE(out.starts_with("\x1b[1;31merror[TW999]\x1b[0m"));
}

}  // namespace tilewright::diag
