// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Host editing on files of tests/golden/host, one behaviour a file. Kernels are stubs here: what they become is not the question.
// A golden file is the input, `# ---- becomes ----`, the output, `# ---- says ----`, and the diagnostics. With TILEWRIGHT_UPDATE
// set in the environment the test writes what it finds into the files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "back/host/edit.h"
#include "front/cutile/host.h"
#include "syntax/parse.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

struct Converted {
  std::string text;
  std::string says;
  std::vector<source::Edit> edits;
};

// A program with the file's device functions and their calls, but no other ops.
ir::Program stub_program(const ir::HostSites& sites, const std::set<std::string>& refused, std::vector<ir::FunctionId>& ids) {
  ir::Program program;
  ids.assign(sites.functions.size(), {});
  std::function<void(uint32_t)> add = [&](uint32_t i) {
    if (ids[i]) return;
    const ir::DeviceFunction& read = sites.functions[i];
    for (const uint32_t callee : read.mentions) add(callee);
    ir::Function function;
    function.name = read.name;
    function.kind = read.kind;
    function.span = read.span;
    function.node = read.node;
    function.body = program.blocks.add({});
    ids[i] = program.functions.add(function);
    for (const uint32_t callee : read.mentions) {
      ir::Op call{.kind = ir::OpKind::Call};
      call.attrs.rare.edit().function = ids[callee];
      ir::append(program, function.body, call, {});
    }
  };
  for (uint32_t i = 0; i < ids.size(); ++i)
    if (sites.functions[i].reached && !refused.contains(sites.functions[i].name)) add(i);
  return program;
}

// `def f(a, b): ...`, with a mention of each constant that the original reads.
back::triton::Printed stub_printed(const syntax::Tree& tree, const ir::HostSites& sites, const ir::Program& program,
                                   const back::host::Naming& naming) {
  back::triton::Printed out;
  for (const ir::FunctionId id : naming.printed) {
    const ir::Function& function = program.functions[id];
    back::triton::PrintedFunction printed{.function = id,
                                          .name = naming.names.functions.at(id),
                                          .text = {},
                                          .launch = {},
                                          .constants = {},
                                          .helpers = {},
                                          .support = {},
                                          .imports = {}};
    std::string parameters;
    const auto def = tree.as<syntax::FunctionDef>(syntax::NodeId{function.node.index});
    for (const syntax::NodeId arg : tree.as<syntax::Arguments>(def.args).args)
      parameters.append(parameters.empty() ? "" : ", ").append(tree.as<syntax::Arg>(arg).arg);
    printed.text = "@triton.jit\ndef " + printed.name + "(" + parameters + "):\n    tl.device_print(\"\")";
    for (const ir::ModuleGlobal& global : sites.globals) {
      const bool read =
          std::any_of(global.reads.begin(), global.reads.end(), [&](const auto& one) { return function.span.contains(one); });
      const syntax::NodeId definition{global.definitions[0].index};
      const bool is_module =
          tree.is(definition, syntax::NodeKind::Alias) && tree.is(tree.parent(definition), syntax::NodeKind::Import);
      if (!read || is_module) continue;
      printed.constants.push_back({tree.file(), global.name});
      const auto renamed = naming.names.constants.find({tree.file(), global.name});
      printed.text +=
          "\n    tl.device_print(\"\", " + (renamed == naming.names.constants.end() ? global.name : renamed->second) + ")";
    }
    if (const auto launch = naming.names.launches.find(id); launch != naming.names.launches.end()) {
      const bool launcher = launch->second.form == back::triton::LaunchForm::Launcher;
      printed.launch = "def " + launch->second.name + "(grid, " + parameters + (launcher ? ", num_warps=None" : "") + "):\n    " +
                       printed.name + "[grid](" + parameters + ")";
    }
    out.functions.push_back(std::move(printed));
  }
  return out;
}

Converted convert(const std::string& text, const std::set<std::string>& refused = {}) {
  source::Files files;
  const source::FileId id = files.add(source::File("golden.py", text));
  const source::File& file = files[id];
  const syntax::Tree tree = syntax::parse(id, file.text());
  EXPECT_TRUE(tree.ok()) << text;
  const front::cutile::HostReading reading = front::cutile::read_host(tree);
  std::vector<ir::FunctionId> ids;
  const ir::Program program = stub_program(reading.sites, refused, ids);
  const back::host::Trees trees = {&tree};
  const back::host::Naming naming = back::host::name(trees, id, reading.sites, program, {}, {});
  const back::host::Edited edited = back::host::edit(file, trees, id, reading.sites, program.functions, naming,
                                                     stub_printed(tree, reading.sites, program, naming));
  Converted out{.text = source::apply(file.text(), edited.edits), .says = {}, .edits = edited.edits};
  diag::Diagnostics diagnostics = reading.diagnostics;
  diagnostics.insert(diagnostics.end(), naming.diagnostics.begin(), naming.diagnostics.end());
  diagnostics.insert(diagnostics.end(), edited.diagnostics.begin(), edited.diagnostics.end());
  diag::sort(diagnostics);
  for (const diag::Diagnostic& one : diagnostics) {
    const source::Position at = file.position(one.span.begin);
    out.says += "# " + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + std::string(one.code) +
                (one.severity == diag::Severity::Note ? " note: " : " error: ") + one.message;
    for (const diag::Label& label : one.labels)
      out.says += " (line " + std::to_string(file.line_of(label.span.begin)) + ": " + label.text + ")";
    for (const std::string& note : one.notes) out.says += " (" + note + ")";
    out.says += "\n";
  }
  return out;
}

constexpr std::string_view becomes = "# ---- becomes ----\n";
constexpr std::string_view says = "# ---- says ----\n";

struct Golden {
  fs::path path;
  std::string input;
  std::string output;
  std::string says;
  std::set<std::string> refused;  // `# refused: kernel other_kernel`
};

// The tests run in the repository or in a folder of it.
fs::path folder() {
  for (fs::path at = fs::current_path(); !at.empty() && at != at.root_path(); at = at.parent_path())
    if (fs::exists(at / "tests/golden/host")) return at / "tests/golden/host";
  ADD_FAILURE() << "tests/golden/host is not above the working directory";
  return {};
}

std::vector<Golden> goldens() {
  std::vector<Golden> out;
  for (const auto& entry : fs::directory_iterator(folder())) {
    std::ifstream stream(entry.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    Golden golden{.path = entry.path(), .input = {}, .output = {}, .says = {}, .refused = {}};
    const size_t second = text.find(becomes);
    const size_t third = text.find(says);
    golden.input = text.substr(0, second);
    if (second != std::string::npos) golden.output = text.substr(second + becomes.size(), third - second - becomes.size());
    if (third != std::string::npos) golden.says = text.substr(third + says.size());
    if (const size_t at = golden.input.find("# refused: "); at != std::string::npos) {
      std::istringstream words(golden.input.substr(at + 11, golden.input.find('\n', at) - at - 11));
      for (std::string word; words >> word;) golden.refused.insert(word);
    }
    out.push_back(std::move(golden));
  }
  std::sort(out.begin(), out.end(), [](const Golden& a, const Golden& b) { return a.path < b.path; });
  return out;
}

TEST(Host, converts_each_golden_file_as_it_says) {
  for (const Golden& golden : goldens()) {
    SCOPED_TRACE(golden.path.filename().string());
    const Converted found = convert(golden.input, golden.refused);
    if (std::getenv("TILEWRIGHT_UPDATE")) {
      std::ofstream(golden.path, std::ios::binary) << golden.input << becomes << found.text << says << found.says;
      continue;
    }
    EXPECT_EQ(found.text, golden.output);
    EXPECT_EQ(found.says, golden.says);
  }
}

std::string with_line_ends(std::string_view text, std::string_view end) {
  std::string out;
  for (const char c : text) c == '\n' ? out.append(end) : out.append(1, c);
  return out;
}

TEST(Host, keeps_the_line_ends_of_the_file) {
  for (const Golden& golden : goldens()) {
    SCOPED_TRACE(golden.path.filename().string());
    for (const std::string_view end : {"\r\n", "\r"})
      EXPECT_EQ(convert(with_line_ends(golden.input, end), golden.refused).text, with_line_ends(golden.output, end));
  }
}

TEST(Host, keeps_a_byte_order_mark_at_the_start) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const Golden& golden : goldens()) {
    SCOPED_TRACE(golden.path.filename().string());
    EXPECT_EQ(convert(mark + golden.input, golden.refused).text, mark + golden.output);
    const size_t code = golden.input.find("\nimport") + 1;  // no comment before the first import
    const std::string bare = convert(golden.input.substr(code), golden.refused).text;
    EXPECT_EQ(convert(mark + golden.input.substr(code), golden.refused).text, mark + bare);
  }
}

TEST(Host, keeps_every_byte_where_no_kernel_is_converted) {
  for (const Golden& golden : goldens()) {
    SCOPED_TRACE(golden.path.filename().string());
    std::set<std::string> all;
    const syntax::Tree tree = syntax::parse(source::FileId{0}, golden.input);
    for (const auto& function : front::cutile::read_host(tree).sites.functions) all.insert(function.name);
    EXPECT_TRUE(convert(golden.input, all).edits.empty());
  }
}

TEST(Host, gives_a_file_that_python_accepts) {
  for (const Golden& golden : goldens()) {
    SCOPED_TRACE(golden.path.filename().string());
    const std::string text = convert(golden.input, golden.refused).text;
    const syntax::Tree tree = syntax::parse(source::FileId{0}, text);
    EXPECT_TRUE(tree.ok()) << text;
  }
}

// What is read from the output is what was refused, or nothing.
TEST(Host, leaves_nothing_of_cutile_but_what_it_names) {
  for (const Golden& golden : goldens()) {
    SCOPED_TRACE(golden.path.filename().string());
    if (golden.says.find("error") != std::string::npos || !golden.refused.empty()) continue;
    const std::string text = convert(golden.input).text;
    const syntax::Tree tree = syntax::parse(source::FileId{0}, text);
    const ir::HostSites sites = front::cutile::read_host(tree).sites;
    EXPECT_TRUE(sites.sites.empty());
    EXPECT_TRUE(sites.functions.empty());
    for (const ir::Removable& one : sites.removables) EXPECT_NE(one.kind, ir::RemovableKind::CutileImport);
  }
}

}  // namespace
}  // namespace tilewright
