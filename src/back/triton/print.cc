// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/print.h"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "back/triton/hazards.h"
#include "back/triton/integers.h"
#include "back/triton/launch.h"
#include "back/triton/legalize.h"
#include "back/triton/lower.h"
#include "back/triton/messages.h"
#include "back/triton/support.h"
#include "base/check.h"

namespace tilewright::back::triton {
namespace {

// Instances of one helper that print alike are one function.
struct Variant {
  std::string text;  // under the helper's own name
  std::string name;
  ir::FunctionId function;
};

// A helper, whatever its instance.
using HelperKey = std::tuple<source::FileId, uint32_t, std::string_view>;
HelperKey helper_key(const ir::Function& function) { return {function.span.file, function.span.begin, function.name}; }

void rename(std::string& text, const std::string& from, const std::string& to) {
  const std::string head = "def " + from + "(";
  const size_t at = text.find(head);
  TW_CHECK(at != std::string::npos, "a function without a def");
  text.replace(at, head.size(), "def " + to + "(");
}

// A text of ours with other names for some of its words.
std::string renamed(std::string_view text, const std::map<std::string, std::string, std::less<>>& names) {
  if (names.empty()) return std::string(text);
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const auto found = names.find(text.substr(at, end - at));
    out += found == names.end() ? text.substr(at, end - at) : std::string_view(found->second);
    at = end;
  }
  return out;
}

// The kernel's name where it is defined; all of it where there is no text.
source::Span name_span(const ir::Program& program, ir::FunctionId function, const Author& author) {
  const FunctionRemarks* written = author.function(function);
  return written ? written->name_span : program.functions[function].span;
}

}  // namespace

Legal legalize(ir::Program program) {
  Legal out{std::move(program), {}};
  for (uint32_t i = 0; i < out.program.functions.size(); ++i) remove_jumps(out.program, ir::FunctionId{i}, out.diagnostics);
  split_variables(out.program);
  for (uint32_t i = 0; i < out.program.functions.size(); ++i) keep_copies(out.program, ir::FunctionId{i}, out.diagnostics);
  return out;
}

Printed print(Legal& legal, const Author& author, const Names& names, const Options& options) {
  Printed out{.functions = {}, .support = {}, .refused = {}, .diagnostics = legal.diagnostics};
  ir::Program& program = legal.program;
  const DtypeTests tests = dtype_tests(program);
  const std::vector<std::set<uint32_t>> integers = integer_parameters(program);
  const Uses uses = uses_of(program);
  const Hazards barriers = hazards(program, uses);
  const Settings settings{names, options, author, tests, barriers};

  const Squeezed squeezed_tiles = squeezed(program, uses);
  SignsOfZero signs_of_zero(program, uses, options.numerics);
  Demand demand(program);
  Decisions decisions(program);
  std::map<ir::FunctionId, Callee> callees;
  std::vector<ir::FunctionId> printed_as(program.functions.size());
  std::map<HelperKey, std::vector<Variant>> variants;  // of helpers of which there are several instances
  for (const ir::Function& function : program.functions) {
    if (function.instance > 0) variants[helper_key(function)];
  }
  std::set<std::string> variant_names;
  std::set<std::string> support;
  out.functions.reserve(program.functions.size());
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const ir::FunctionId id{i};
    const ir::Function& function = program.functions[id];
    const bool kernel = function.kind == ir::FunctionKind::Kernel;
    const auto launch = names.launches.find(id);
    if (kernel && launch == names.launches.end()) continue;  // not wanted
    program.types.assume_integers(integers[i]);
    add_demand(program, id, uses, demand);
    const bool refused = std::any_of(out.diagnostics.begin(), out.diagnostics.end(), [&](const diag::Diagnostic& diagnostic) {
      return diagnostic.severity == diag::Severity::Error && diagnostic.kernel == function.name;
    });
    Lowered made;
    const ir::Param* hides = kernel ? hides_a_name(function, names, id) : nullptr;
    if (hides) {
      const source::Span span = hides->node ? hides->span : function.span;
      out.diagnostics.push_back(
          diag::report(diag::Severity::Error, span, name_is_needed, hides->name.string(), launch->second.name));
      out.diagnostics.back().kernel = function.name;
    }
    if (refused || hides) {
      made.ok = false;
    } else {
      made = Lowering(program, id, {uses, squeezed_tiles, demand, signs_of_zero}, decisions, callees, settings, out.diagnostics)
                 .run();
    }
    if (!made.ok) {
      if (kernel && launch != names.launches.end()) out.refused.push_back(id);
      callees.emplace(id, std::move(made));
      continue;
    }

    printed_as[i] = id;
    if (!kernel) {
      std::string name = made.name;
      if (const auto instances = variants.find(helper_key(function)); instances != variants.end()) {
        std::vector<Variant>& known = instances->second;
        const auto same =
            std::find_if(known.begin(), known.end(), [&](const Variant& variant) { return variant.text == made.text; });
        if (same != known.end()) {
          printed_as[i] = same->function;
          made.name = same->name;
          callees.emplace(id, std::move(made));
          continue;
        }
        for (int n = 2; !known.empty() && (name == made.name || names.taken.contains(name) || variant_names.contains(name)); ++n)
          name = made.name + "_" + std::to_string(n);
        known.push_back({made.text, name, id});
      }
      variant_names.insert(name);
      if (name != made.name) rename(made.text, made.name, name);
      made.name = std::move(name);
    }
    PrintedFunction function_out{.function = id,
                                 .name = made.name,
                                 .text = std::move(made.text),
                                 .launch = {},
                                 .constants = {},
                                 .helpers = {},
                                 .support = {},
                                 .imports = {}};
    function_out.constants.assign(made.constants.begin(), made.constants.end());
    std::set<ir::FunctionId> called;
    for (const ir::FunctionId helper : made.helpers) {
      const ir::FunctionId as = printed_as[helper.index];
      if (called.insert(as).second) function_out.helpers.push_back(as);
    }
    std::set<std::string> needed = std::move(made.support);
    if (kernel) {
      LaunchText text = launch_text(program, id, made, names);
      function_out.launch = std::move(text.text);
      needed.insert(text.support.begin(), text.support.end());
      const auto tell = [&](const auto& message, const std::vector<std::string>& refused_launches) {
        for (const std::string& what : refused_launches) {
          out.diagnostics.push_back(
              diag::report(diag::Severity::Note, name_span(program, id, author), message, function.name, what));
          out.diagnostics.back().kernel = function.name;
        }
      };
      tell(refused_dtypes, text.demands);
      tell(refused_numbers, text.conditions);
    }
    for (const std::string& name : std::set<std::string>(needed)) {
      if (const SupportText* text = support_named(name); text && !text->needs.empty()) needed.emplace(text->needs);
    }
    function_out.support.assign(needed.begin(), needed.end());
    support.insert(needed.begin(), needed.end());
    function_out.imports.assign(made.imports.begin(), made.imports.end());
    out.functions.push_back(std::move(function_out));
    if (!kernel) callees.emplace(id, std::move(made));
  }
  for (const std::string& name : support) {
    const SupportText* text = support_named(name);
    TW_CHECK(text != nullptr, "no text for `" + name + "`");
    out.support.push_back({.name = name, .text = renamed(text->text, names.support), .imports = {}});
  }
  return out;
}

}  // namespace tilewright::back::triton
