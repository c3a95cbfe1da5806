// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the steps of editing a file share. Their order is that of `edit`: sites, launches, functions, blocks that lose their
// `with`, constants, names that nothing reads any more, imports.

#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "back/host/edit.h"
#include "back/host/edits.h"
#include "back/host/layout.h"

namespace tilewright::back::host {

class Editor {
 public:
  Editor(const source::File& file, const Trees& trees, source::FileId id, const ir::HostSites& sites, const Functions& functions,
         const Naming& naming, const triton::Printed& printed);

  // sites.cc
  void edit_sites();
  void drop_timeouts();
  // launches.cc
  void edit_launches();
  void refit_lines();
  // functions.cc
  void place_functions();
  // removals.cc
  void remove_unread();
  void finish_removals();
  // imports.cc
  void edit_imports();

  Edits edits;
  diag::Diagnostics diagnostics;

 private:
  using NodeId = syntax::NodeId;

  // editor.cc
  NodeId enclosing_function(NodeId node) const;  // the outermost def around it (of a class: its method), or the root
  NodeId module_statement(NodeId node) const;    // the statement of the module around it
  uint32_t line_start(uint32_t at) const { return std::max(file_.line_start(file_.line_of(at)), text_begin_); }
  uint32_t next_line(uint32_t at) const;          // the start of the line after the one that holds `at`
  uint32_t next_logical_line(uint32_t at) const;  // the same of the logical line that holds `at`, outside of brackets
  bool ends_logical_line(uint32_t at) const;      // whether at most a comment follows there
  bool ends_line(uint32_t at) const { return at == text_begin_ || file_.text()[at - 1] == '\n' || file_.text()[at - 1] == '\r'; }
  std::string_view margin(uint32_t at) const;  // blanks at the start of the line
  std::string indent(uint32_t at) const;       // the same, less what dropped `with`s take away
  bool starts_line(uint32_t at) const { return line_start(at) + margin(at).size() == at; }
  uint32_t blank_lines_above(uint32_t line_begin) const;
  uint32_t attached_start(NodeId statement) const;  // the start of the line of its first comment without a blank line between
  std::string_view bound_name(NodeId alias) const;
  void write(std::string_view text);                       // remembers which of the watched names a new text mentions
  std::string text_of(source::Span span) const;            // as edited so far, its lines ended by "\n"
  std::string ended(std::string text) const;               // with the line ends of the file
  void insert_before(NodeId statement, std::string text);  // a definition, before a statement of the module

  void drop(source::Span span);  // what the author wrote there is not in the output, in no form
  bool is_dropped(source::Span span) const;
  bool left_alone(const ir::Site& site) const;
  void note(diag::Diagnostic diagnostic) { diagnostics.push_back(std::move(diagnostic)); }

  // sites.cc
  void edit_site(const ir::Site& site);
  void edit_made_kernel(const ir::Site& site);
  void drop_timeout(const ir::Site& site);
  void need(std::string_view support, NodeId user);

  // launches.cc
  void edit_launch(const ir::Site& site);
  void refit(const ir::Site& site);
  bool has_comment(source::Span span) const;
  std::vector<Argument> launch_arguments(NodeId call, const ir::Launch& launch) const;

  // functions.cc
  void place_function(uint32_t number, const std::vector<const triton::PrintedFunction*>& instances);
  void find_foreign(const triton::PrintedFunction& user, std::vector<const triton::PrintedFunction*>& foreign);
  void place_constant(const triton::ModuleName& constant, std::vector<std::string>& lines);
  source::Span whole_function(NodeId function) const;

  // removals.cc
  bool is_read(const ir::Removable& removable) const;
  bool goes(const ir::Removable& removable) const;
  void remove_alias(NodeId alias);
  void remove_statement(NodeId statement);
  void finish_block(NodeId owner, syntax::Block block);
  void finish_run(syntax::NodeList block, size_t first, size_t last);

  // imports.cc
  struct NewImport {
    std::string module;
    std::string name;
    std::string as;
  };
  std::vector<NewImport> missing_imports() const;
  bool is_imported(const NewImport& wanted) const;
  NodeId import_anchor() const;
  void insert_imports(NodeId anchor, std::vector<NewImport> wanted);

  const source::File& file_;
  const Trees& trees_;
  const syntax::Tree& tree_;
  const ir::HostSites& sites_;
  const Functions& functions_;
  const Naming& naming_;
  const triton::Printed& printed_;

  struct Dedent {
    source::Span span;  // of the lines
    std::string from;   // their margin
    std::string to;
    bool nested = false;  // in the one before, or in one around both
  };
  std::vector<std::string> launch_names_;  // by number of a kernel
  std::vector<Dedent> dedents_;            // in the order of the text
  uint32_t dedented_to_ = 0;
  uint32_t text_begin_ = 0;  // behind a byte order mark
  std::string_view line_end_ = "\n";
  std::set<NodeId> frozen_;                             // functions with a launch that stays
  std::map<std::string, bool, std::less<>> mentioned_;  // names that imports are for: whether new texts mention them
  std::set<std::string> defined_;                       // names that new texts define
  std::set<triton::PrintedImport> new_imports_;
  std::set<uint32_t> own_searches_;        // where `exhaustive_search` is now the file's own
  std::set<std::string> search_keywords_;  // keywords of searches that a short search has no use for
  std::map<std::string, NodeId> support_;  // Launcher and the like, and the first statement that needs it
  std::map<uint32_t, uint32_t> dropped_;   // begin to end; disjoint
  std::set<NodeId> removed_;
  std::set<std::string> placed_;           // support functions and foreign helpers
  std::set<ir::FunctionId> searched_;      // functions whose foreign helpers are among them
  std::map<uint32_t, uint32_t> inserted_;  // how many definitions were inserted where
  std::set<triton::ModuleName> constants_done_;
  NodeId anchor_;  // the import that new imports take the place of
};

// Support that the host part needs itself: `Launcher`, `exhaustive_search`, `launch_on`, `by_target`.
std::string support_text(std::string_view name, const Naming& naming, const std::set<std::string>& search_keywords);

}  // namespace tilewright::back::host
