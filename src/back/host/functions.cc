// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Printed functions come where the author's stood: a kernel with its launch function behind it, a helper, a helper of another
// module before the first function that calls it. What the author's code shares with the output, such as `Launcher`, comes
// before the first place that needs it.

#include <algorithm>

#include "back/host/constants.h"
#include "back/host/editor.h"
#include "back/host/messages.h"

namespace tilewright::back::host {

using namespace syntax;

// The def with its decorators, and with the comments that end its body: the printed text has them.
source::Span Editor::whole_function(NodeId function) const {
  source::Span span = tree_.decorated_span(function);
  for (const Comment& comment : tree_.closing_comments(function)) span.end = std::max(span.end, comment.span.end);
  const std::string_view rest = file_.text().substr(span.end, next_line(span.end) - span.end);
  if (const size_t comment = rest.find('#'); comment != std::string_view::npos) {
    uint32_t end = span.end + static_cast<uint32_t>(rest.size());
    while (end > span.end && (file_.text()[end - 1] == '\n' || file_.text()[end - 1] == '\r')) --end;
    span.end = end;
  }
  return span;
}

// Binds a constant to a tl.constexpr: where the author assigns it, or else in a line for `lines`.
void Editor::place_constant(const triton::ModuleName& constant, std::vector<std::string>& lines) {
  if (!constants_done_.insert(constant).second) return;
  const auto renamed = naming_.names.constants.find(constant);
  const std::string name = renamed == naming_.names.constants.end() ? constant.name : renamed->second;
  if (constant.file != tree_.file()) {
    const auto value = constant_text(*trees_[constant.file.index], constant.name);
    TW_CHECK(value.has_value(), "constant `" + constant.name + "` of another module has no text of its own");
    if (value->uses_math) new_imports_.insert({"math", ""});
    std::string text = name + " = tl.constexpr(" + value->text + ")";
    write(text);
    defined_.insert(name);
    return lines.push_back(std::move(text));
  }
  const auto global =
      std::find_if(sites_.globals.begin(), sites_.globals.end(), [&](const auto& one) { return one.name == constant.name; });
  TW_CHECK(global != sites_.globals.end(), "constant `" + constant.name + "` is not known");
  const NodeId target{global->definitions[0].index};
  const NodeId statement = tree_.parent(target);
  if (renamed != naming_.names.constants.end()) {
    std::string text = name + " = tl.constexpr(" + constant.name + ")";
    write(text);
    const bool once = global->definitions.size() == 1 && tree_.is(target, NodeKind::Name) &&
                      tree_.parent(tree_.statement_of(target)) == tree_.root();
    if (!once) return lines.push_back(std::move(text));
    const uint32_t behind = next_logical_line(tree_.span(tree_.statement_of(target)).end);  // right behind the plain number
    return edits.insert(behind, ended(ends_line(behind) ? text + "\n" : "\n" + text));
  }
  const NodeId value =
      tree_.is(statement, NodeKind::Assign) ? tree_.as<Assign>(statement).value : tree_.as<AnnAssign>(statement).value;
  write("tl.constexpr()");
  const source::Span inner = tree_.span(value);
  const source::Span outer = tree_.parenthesized_span(value);
  if (tree_.is(statement, NodeKind::AnnAssign)) edits.replace({tree_.file(), tree_.span(target).end, outer.begin}, " = ");
  if (outer != inner) return edits.insert(outer.begin, "tl.constexpr");
  edits.insert(inner.begin, "tl.constexpr(");
  edits.insert(inner.end, ")");
}

// Helpers of other modules that a function calls and that no earlier one did, the deepest first.
void Editor::find_foreign(const triton::PrintedFunction& user, std::vector<const triton::PrintedFunction*>& foreign) {
  for (const ir::FunctionId id : user.helpers) {
    if (!searched_.insert(id).second) continue;
    const auto found = std::lower_bound(printed_.functions.begin(), printed_.functions.end(), id,
                                        [](const auto& one, ir::FunctionId wanted) { return one.function < wanted; });
    if (found == printed_.functions.end() || found->function != id) continue;
    find_foreign(*found, foreign);
    if (functions_[id].span.file != tree_.file() && placed_.insert(found->name).second) foreign.push_back(&*found);
  }
}

void Editor::place_functions() {
  std::map<ir::OriginId, std::vector<const triton::PrintedFunction*>> by_node;
  for (const triton::PrintedFunction& function : printed_.functions) {
    const ir::Function& read = functions_[function.function];
    if (read.span.file == tree_.file()) by_node[read.node].push_back(&function);
    for (const triton::PrintedImport& import : function.imports) new_imports_.insert(import);
    if (!function.launch.empty() && naming_.names.launches.at(function.function).form == triton::LaunchForm::Launcher)
      need("Launcher", NodeId{read.node.index});
  }
  // `Launcher` decorates, so it must come before; a class that comes first is clearest before everything printed.
  if (const auto launcher = support_.find("Launcher"); launcher != support_.end() && !by_node.empty()) {
    NodeId first = launcher->second;
    for (const auto& [node, functions] : by_node) {
      const NodeId statement = module_statement(NodeId{node.index});
      if (tree_.span(statement).begin < tree_.span(first).begin) first = statement;
    }
    launcher->second = first;
  }
  for (const char* name : {"Launcher", "search", "launch_on", "by_target"}) {
    const auto found = support_.find(name);
    if (found == support_.end()) continue;
    std::string text = support_text(name, naming_, search_keywords_);
    write(text);
    if (found->first == "search") new_imports_.insert({"types", "SimpleNamespace"});
    insert_before(found->second, std::move(text));
  }
  defined_.insert({naming_.names.launcher, naming_.search, naming_.launch_on, naming_.by_target});

  for (uint32_t i = 0; i < sites_.functions.size(); ++i) {
    const ir::DeviceFunction& function = sites_.functions[i];
    const auto printed = by_node.find(function.node);
    if (printed != by_node.end() && naming_.fates[i] != Fate::Stays) place_function(i, printed->second);
    // A helper that is called in branches only that no launch takes, or whose text is part of its callers'.
    const bool idle = naming_.fates[i] == Fate::Converted && function.kind == ir::FunctionKind::Helper &&
                      printed == by_node.end() && naming_.all;
    if (idle) remove_statement(NodeId{function.node.index});
    if (naming_.fates[i] != Fate::Goes) continue;
    note(diag::report(diag::Severity::Note, tree_.as<FunctionDef>(NodeId{function.node.index}).name_span, message::unreached,
                      function.name));
    remove_statement(NodeId{function.node.index});
  }
}

void Editor::place_function(uint32_t number, const std::vector<const triton::PrintedFunction*>& instances) {
  const ir::DeviceFunction& function = sites_.functions[number];
  const NodeId node{function.node.index};
  const NodeId statement = module_statement(node);
  const bool in_module = statement == node;
  const std::string_view gap = in_module ? "\n\n\n" : "\n\n";
  std::vector<const triton::PrintedFunction*> foreign;
  std::vector<std::string> lines;
  for (const triton::PrintedFunction* printed : instances) find_foreign(*printed, foreign);
  for (const auto& functions : {foreign, instances})
    for (const triton::PrintedFunction* one : functions)
      for (const triton::ModuleName& constant : one->constants) place_constant(constant, lines);
  std::string constants;
  for (const std::string& line : lines) constants.append(constants.empty() ? "" : "\n").append(line);
  if (!constants.empty()) insert_before(statement, constants);
  const auto add_support = [&](const triton::PrintedFunction& user, std::string_view between, std::string& text) {
    for (const std::string& name : user.support) {
      const auto support =
          std::find_if(printed_.support.begin(), printed_.support.end(), [&](const auto& one) { return one.name == name; });
      if (support == printed_.support.end() || !placed_.insert(name).second) continue;
      for (const triton::PrintedImport& import : support->imports) new_imports_.insert(import);
      text.append(between).append(support->text);
      write(support->text);
    }
  };
  for (const triton::PrintedFunction* helper : foreign) {
    std::string text = helper->text;
    write(text);
    defined_.insert(helper->name);
    add_support(*helper, "\n\n\n", text);
    insert_before(statement, text);
  }

  std::string text;
  for (const triton::PrintedFunction* printed : instances) {
    if (!text.empty()) text += gap;
    text += printed->text;
    write(printed->text);
    defined_.insert(printed->name);
    if (!printed->launch.empty()) {
      const bool value = naming_.names.launches.at(printed->function).form == triton::LaunchForm::Launcher;
      text.append(gap).append(value ? "@" + naming_.names.launcher + "\n" : "").append(printed->launch);
      write(printed->launch);
    }
    add_support(*printed, gap, text);
  }
  for (const ir::OriginId decorator : function.other_decorators) {
    const NodeId other{decorator.index};
    if (function.kind == ir::FunctionKind::Kernel)
      note(diag::report(diag::Severity::Note, tree_.span(other), message::decorator, tree_.text(other), function.name));
  }
  const source::Span whole = whole_function(node);
  const std::string indent(margin(whole.begin));
  if (naming_.fates[number] == Fate::Twin)
    return edits.insert(whole.end, ended(indented(std::string(gap) + indent + text, indent)));
  // Comments between the decorators have no place in the new text.
  std::string above;
  for (const Comment& comment : tree_.comments_in({tree_.file(), whole.begin, tree_.span(node).begin}))
    above.append(comment.text).append("\n");
  edits.replace(whole, ended(indented(above + text, indent)));
  drop(whole);
}

}  // namespace tilewright::back::host
