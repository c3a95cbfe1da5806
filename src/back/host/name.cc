// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/host/name.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "back/host/constants.h"
#include "back/triton/support.h"
#include "ir/walk.h"

namespace tilewright::back::host {

using syntax::NodeId;
using syntax::NodeKind;

static constexpr diag::Message<std::string_view, std::string_view> meets_refused = {
    "TW253", "kernel `{}` stays cuTile, because a launch may get it or `{}`"};
static constexpr diag::Message<std::string_view> meets_host = {
    "TW258", "kernel `{}` stays cuTile, because host code that may need it does"};

static constexpr diag::Message<std::string_view, std::string_view> far_constant = {
    "TW259", "constant `{}` can't be carried over from the module of helper `{}`"};

static constexpr diag::Message<std::string_view> same_name = {"TW267",
                                                              "kernel `{}` stays cuTile, because another kernel has its name"};

static std::map<uint32_t, std::vector<ir::FunctionId>> instances_by_node(const syntax::Tree& tree, const ir::Program& program) {
  std::map<uint32_t, std::vector<ir::FunctionId>> out;
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[ir::FunctionId{i}];
    if (function.span.file == tree.file()) out[function.node.index].push_back(ir::FunctionId{i});
  }
  return out;
}

static std::unordered_set<std::string_view> identifiers(const syntax::Tree& tree) {
  std::unordered_set<std::string_view> all;
  syntax::TokenKind last = syntax::TokenKind::Newline;
  for (const syntax::Token token : tree.tokens()) {
    if (token.kind == syntax::TokenKind::Name && last != syntax::TokenKind::Dot) all.insert(tree.text(token));
    last = token.kind;
  }
  return all;
}

static char common_quote(const syntax::Tree& tree) {
  size_t single = 0;
  size_t strings = 0;
  for (const syntax::Token token : tree.tokens()) {
    if (token.kind != syntax::TokenKind::String && token.kind != syntax::TokenKind::FStringEnd) continue;
    ++strings;
    single += tree.text(token).back() == '\'';
  }
  return 2 * single > strings ? '\'' : '"';
}

// `wanted`, or `wanted_2` if that is known already.
template <class Known>
static std::string unused(const std::string& wanted, triton::TakenNames& taken, const Known& known) {
  std::string out = wanted;
  for (int i = 2; known(out); ++i) out = wanted + "_" + std::to_string(i);
  taken.insert(out);
  return out;
}

static std::string unused(const std::string& wanted, triton::TakenNames& taken) {
  return unused(wanted, taken, [&](const std::string& name) { return taken.contains(name); });
}

// Whether a name of the file is used for nothing but cuTile's `exhaustive_search`, which leaves it.
static bool only_cutiles(const syntax::Tree& tree, const ir::HostSites& sites, const Naming& naming, std::string_view name) {
  std::set<uint32_t> expected;
  for (const ir::Site& site : sites.sites) {
    if (site.kind != ir::SiteKind::Search) continue;
    if (stays(naming, site)) return false;
    expected.insert(site.span.end);
  }
  for (const ir::Removable& removable : sites.removables) {
    if (removable.kind != ir::RemovableKind::CutileImport) continue;
    const source::Span span = tree.span(NodeId{removable.node.index});
    expected.insert(span.end);
    expected.insert(span.begin + static_cast<uint32_t>(name.size()));  // `exhaustive_search as search`
  }
  for (const syntax::Token token : tree.tokens())
    if (token.kind == syntax::TokenKind::Name && tree.text(token) == name && !expected.contains(token.end)) return false;
  return true;
}

static std::string launch_name(std::string_view kernel) {
  const size_t start = kernel.find_first_not_of('_');
  return "launch_" + std::string(start == std::string_view::npos ? kernel : kernel.substr(start));
}

// A helper that the device calls by this name stays for the host's sake, or because a kernel that stays calls it.
static void mark_stays(const ir::HostSites& sites, std::vector<Fate>& fates, std::vector<uint32_t> stack) {
  while (!stack.empty()) {
    const uint32_t at = stack.back();
    stack.pop_back();
    for (const uint32_t callee : sites.functions[at].mentions) {
      if (fates[callee] != Fate::Converted || sites.functions[callee].kind == ir::FunctionKind::Kernel) continue;
      fates[callee] = Fate::Twin;
      stack.push_back(callee);
    }
  }
}

static bool in_class(const syntax::Tree& tree, ir::OriginId node) {
  return tree.is(tree.parent(NodeId{node.index}), NodeKind::ClassDef);
}

static std::vector<NodeId> from_module_to(const syntax::Tree& tree, NodeId node) {
  std::vector<NodeId> path;
  for (; node; node = tree.parent(node)) path.push_back(node);
  std::reverse(path.begin(), path.end());
  return path;
}

// Whether two statements are never both executed: they are in different parts of one `if` or `try`.
static bool exclude_each_other(const syntax::Tree& tree, NodeId a, NodeId b) {
  const std::vector<NodeId> to_a = from_module_to(tree, a);
  const std::vector<NodeId> to_b = from_module_to(tree, b);
  const auto [in_a, in_b] = std::mismatch(to_a.begin(), to_a.end(), to_b.begin(), to_b.end());
  if (in_a == to_a.begin() || in_a == to_a.end() || in_b == to_b.end()) return false;
  const NodeId around = *std::prev(in_a);
  const auto in_body = [&](NodeId statement) {
    const syntax::NodeList body = tree.block(around, syntax::Block::Body);
    return std::find(body.begin(), body.end(), statement) != body.end();
  };
  if (tree.is(around, NodeKind::Try)) return in_body(*in_a) != in_body(*in_b);
  return tree.is(around, NodeKind::If) && in_body(*in_a) != in_body(*in_b);
}

// A variable that holds one of two kernels of a name would find the other one: kernels are called by name.
static void refuse_namesakes(const syntax::Tree& tree, const ir::HostSites& sites, std::set<uint32_t>& ready, Naming& out) {
  std::map<uint32_t, std::vector<uint32_t>> by_binding;
  for (uint32_t i = 0; i < sites.functions.size(); ++i)
    if (sites.functions[i].kind == ir::FunctionKind::Kernel) by_binding[sites.functions[i].binding].push_back(i);
  for (const auto& [binding, kernels] : by_binding) {
    for (const uint32_t kernel : kernels) {
      const ir::DeviceFunction& function = sites.functions[kernel];
      const NodeId node{function.node.index};
      const bool alone = std::all_of(kernels.begin(), kernels.end(), [&](uint32_t other) {
        return other == kernel || exclude_each_other(tree, node, NodeId{sites.functions[other].node.index});
      });
      if (alone || ready.erase(kernel) == 0) continue;
      const source::Span span = tree.as<syntax::FunctionDef>(node).name_span;
      out.diagnostics.push_back(diag::report(diag::Severity::Error, span, same_name, function.name));
      out.diagnostics.back().kernel = function.name;
    }
  }
}

static void decide_kernels(const syntax::Tree& tree, const ir::HostSites& sites, const std::set<uint32_t>& ready, Naming& out) {
  // Why a flow stays: a refused kernel in it, else the host code.
  struct Cause {
    source::Span site = {};
    std::string_view kernel = {};
  };
  std::map<uint32_t, Cause> held_flows;
  std::optional<source::Span> every;
  for (const ir::Site& site : sites.sites) {
    if (site.kind != ir::SiteKind::Refused) continue;
    if (site.flow == ir::every_flow)
      every = every.value_or(site.span);
    else if (site.flow != 0)
      held_flows.try_emplace(site.flow, Cause{.site = site.span});
  }
  for (uint32_t i = 0; i < sites.functions.size(); ++i) {
    const ir::DeviceFunction& function = sites.functions[i];
    if (function.kind != ir::FunctionKind::Kernel || (ready.contains(i) && !in_class(tree, function.node))) continue;
    out.fates[i] = Fate::Stays;
    std::string_view& name = held_flows[function.flow].kernel;
    if (name.empty()) name = function.name;
  }
  if (!every && !held_flows.empty() && !sites.hiding.empty()) every = sites.hiding[0];
  for (uint32_t i = 0; i < sites.functions.size(); ++i) {
    const ir::DeviceFunction& function = sites.functions[i];
    if (function.kind != ir::FunctionKind::Kernel || out.fates[i] == Fate::Stays) continue;
    const auto held = held_flows.find(function.flow);
    if (held == held_flows.end() && !every) continue;
    out.fates[i] = Fate::Stays;
    const source::Span span = tree.as<syntax::FunctionDef>(NodeId{function.node.index}).name_span;
    const Cause cause = held == held_flows.end() ? Cause{.site = *every} : held->second;
    if (cause.kernel.empty()) {
      out.diagnostics.push_back(diag::report(diag::Severity::Error, span, meets_host, function.name));
      out.diagnostics.back().labels.push_back({.span = cause.site, .text = "this stays, and may need it"});
    } else {
      out.diagnostics.push_back(diag::report(diag::Severity::Error, span, meets_refused, function.name, cause.kernel));
    }
    out.diagnostics.back().kernel = function.name;
  }
  for (const auto& [flow, cause] : held_flows) out.staying_flows.insert(flow);
  for (uint32_t i = 0; i < sites.functions.size(); ++i)
    if (out.fates[i] == Fate::Stays && sites.functions[i].kind == ir::FunctionKind::Kernel)
      out.staying_flows.insert(sites.functions[i].flow);
}

// The functions that a kernel's ops call, itself included.
static void add_reached(const ir::Program& program, ir::FunctionId kernel, std::set<ir::FunctionId>& reached) {
  std::vector<ir::FunctionId> functions = {kernel};
  while (!functions.empty()) {
    const ir::FunctionId at = functions.back();
    functions.pop_back();
    if (!reached.insert(at).second) continue;
    ir::each_op(program, program.functions[at].body, [&](ir::OpId op) {
      if (program.ops[op].attrs.rare->function) functions.push_back(program.ops[op].attrs.rare->function);
    });
  }
}

// A helper of another module comes without its module: constants that it reads must be plain text.
static bool carries_constants(const Trees& trees, source::FileId file, const ir::Program& program, ir::FunctionId kernel,
                              diag::Diagnostics& diagnostics) {
  std::set<ir::FunctionId> reached;
  add_reached(program, kernel, reached);
  bool all = true;
  for (const ir::FunctionId id : reached) {
    const ir::Function& function = program.functions[id];
    if (function.span.file == file) continue;
    ir::each_op(program, function.body, [&](ir::OpId at) {
      const ir::Op& op = program.ops[at];
      if (op.kind != ir::OpKind::Symbol || constant_text(*trees[function.span.file.index], op.attrs.rare->name.string())) return;
      diagnostics.push_back(
          diag::report(diag::Severity::Error, op.span, far_constant, op.attrs.rare->name.string(), function.name));
      diagnostics.back().kernel = program.functions[kernel].name;
      all = false;
    });
  }
  return all;
}

static void decide_helpers(const ir::HostSites& sites, Naming& out) {
  std::vector<uint32_t> staying;
  for (uint32_t i = 0; i < sites.functions.size(); ++i) {
    const ir::DeviceFunction& function = sites.functions[i];
    if (out.fates[i] == Fate::Stays) staying.push_back(i);
    if (function.kind == ir::FunctionKind::Kernel) continue;
    if (function.host_reads) {
      out.fates[i] = Fate::Twin;
      staying.push_back(i);
    } else if (!function.reached) {
      out.fates[i] = out.all ? Fate::Goes : Fate::Stays;
      if (!out.all) staying.push_back(i);
    }
  }
  mark_stays(sites, out.fates, staying);
}

// Support functions stand beside the file's own functions, and are called where helpers of other modules have their variables.
static void name_support(const Trees& trees, source::FileId main, const ir::Program& program, triton::TakenNames& taken,
                         triton::Names& names) {
  std::map<uint32_t, std::unordered_set<std::string_view>> foreign;  // by file
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const uint32_t file = program.functions[ir::FunctionId{i}].span.file.index;
    if (file == main.index || file >= trees.size() || !trees[file] || foreign.contains(file)) continue;
    foreign.emplace(file, identifiers(*trees[file]));
  }
  const auto known = [&](std::string_view name) {
    const auto knows = [&](const auto& file) { return file.second.contains(name); };
    return taken.contains(name) || std::any_of(foreign.begin(), foreign.end(), knows);
  };
  for (const triton::SupportText& text : triton::support_texts()) {
    if (known(text.name)) names.support.emplace(text.name, unused(std::string(text.name), taken, known));
  }
}

Naming name(const Trees& trees, source::FileId file, const ir::HostSites& sites, const ir::Program& program,
            const std::set<ir::FunctionId>& refused, const Look& look) {
  const syntax::Tree& tree = *trees[file.index];
  Naming out;
  out.names.line_width = look.line_width;
  out.names.quote = look.quote.value_or(common_quote(tree));
  out.fates.assign(sites.functions.size(), Fate::Converted);
  const std::map<uint32_t, std::vector<ir::FunctionId>> instances = instances_by_node(tree, program);
  std::set<uint32_t> ready;  // kernels that can be printed
  for (uint32_t i = 0; i < sites.functions.size(); ++i) {
    const auto found = instances.find(sites.functions[i].node.index);
    if (sites.functions[i].kind != ir::FunctionKind::Kernel || found == instances.end()) continue;
    const ir::FunctionId kernel = found->second.front();
    if (!refused.contains(kernel) && carries_constants(trees, file, program, kernel, out.diagnostics)) ready.insert(i);
  }
  refuse_namesakes(tree, sites, ready, out);
  decide_kernels(tree, sites, ready, out);
  for (const Fate fate : out.fates) out.all = out.all && fate != Fate::Stays;
  for (const ir::Site& site : sites.sites) out.all = out.all && site.kind != ir::SiteKind::Refused;
  decide_helpers(sites, out);

  triton::TakenNames taken(identifiers(tree));
  name_support(trees, file, program, taken, out.names);
  out.names.launcher = unused("Launcher", taken);
  out.launch_on = unused("launch_on", taken);
  out.by_target = unused("by_target", taken);
  if (!only_cutiles(tree, sites, out, out.search)) out.search = unused("exhaustive_search_triton", taken);

  // Kernels, and what they call
  std::map<uint32_t, triton::LaunchName> launches;  // by binding
  std::set<uint32_t> values;                        // bindings that are more than the third argument of a launch
  std::set<uint32_t> direct;
  for (const ir::Launch& launch : sites.launches)
    if (launch.kernel_name) direct.insert(launch.kernel_name.index);
  for (const ir::Site& site : sites.sites)
    if (site.kind == ir::SiteKind::KernelValue && !direct.contains(site.node.index))
      values.insert(sites.functions[site.detail].binding);
  std::set<ir::FunctionId> reached;
  for (uint32_t i = 0; i < sites.functions.size(); ++i) {
    const ir::DeviceFunction& function = sites.functions[i];
    if (function.kind != ir::FunctionKind::Kernel || out.fates[i] != Fate::Converted) continue;
    triton::LaunchName& launch = launches[function.binding];
    if (launch.name.empty()) launch.name = unused(launch_name(function.name), taken);
    if (values.contains(function.binding)) launch.form = triton::LaunchForm::Launcher;
    const ir::FunctionId id = instances.at(function.node.index).front();
    out.names.launches[id] = launch;
    add_reached(program, id, reached);
  }
  out.printed.assign(reached.begin(), reached.end());
  for (uint32_t i = 0; i < sites.functions.size(); ++i) {
    const ir::DeviceFunction& function = sites.functions[i];
    const auto found = instances.find(function.node.index);
    if (found == instances.end()) continue;
    if (std::none_of(found->second.begin(), found->second.end(), [&](ir::FunctionId id) { return reached.contains(id); }))
      continue;
    const std::string name = out.fates[i] == Fate::Twin ? unused(function.name + "_triton", taken) : function.name;
    for (const ir::FunctionId id : found->second) out.names.functions[id] = name;
  }

  // Helpers of other modules keep their name, unless it means something else here or the host goes on using the import.
  std::map<std::pair<source::FileId, ir::OriginId>, std::string> foreign;
  std::set<triton::ModuleName> carried;
  std::map<std::string_view, const ir::ModuleGlobal*> globals;
  for (const ir::ModuleGlobal& global : sites.globals) globals.emplace(global.name, &global);
  std::vector<size_t> outermost;  // device functions that are in no other one, in the order of the text
  for (size_t i = 0; i < sites.functions.size(); ++i)
    if (outermost.empty() || !sites.functions[outermost.back()].span.contains(sites.functions[i].span)) outermost.push_back(i);
  const auto on_converted_device = [&](const source::Span& read) {
    const auto after = std::upper_bound(outermost.begin(), outermost.end(), read.begin, [&](uint32_t place, size_t function) {
      return place < sites.functions[function].span.begin;
    });
    if (after == outermost.begin() || !sites.functions[*std::prev(after)].span.contains(read)) return false;
    size_t innermost = *std::prev(after);
    for (size_t i = innermost + 1; i < sites.functions.size() && sites.functions[i].span.begin <= read.begin; ++i)
      if (sites.functions[i].span.contains(read)) innermost = i;
    return out.fates[innermost] == Fate::Converted || out.fates[innermost] == Fate::Goes;
  };
  const auto host_reads = [&](const ir::ModuleGlobal& global) {
    return !std::all_of(global.reads.begin(), global.reads.end(), on_converted_device);
  };
  for (const ir::FunctionId id : reached) {
    const ir::Function& function = program.functions[id];
    if (function.span.file == tree.file()) continue;
    std::string& name = foreign[{function.span.file, function.node}];
    if (name.empty()) {
      const auto global = globals.find(function.name);
      const bool is_import = global != globals.end() && global->second->definitions.size() == 1 &&
                             tree.is(NodeId{global->second->definitions[0].index}, NodeKind::Alias);
      const bool free = is_import ? !host_reads(*global->second) : !taken.contains(function.name);
      name = free ? function.name : unused(function.name + "_triton", taken);
      taken.insert(name);
    }
    out.names.functions[id] = name;
  }

  // So do constants that they bring along.
  for (const ir::FunctionId id : reached) {
    const ir::Function& function = program.functions[id];
    if (function.span.file == tree.file()) continue;
    ir::each_op(program, function.body, [&](ir::OpId at) {
      const ir::Op& op = program.ops[at];
      const triton::ModuleName constant{function.span.file, op.attrs.rare->name};
      if (op.kind != ir::OpKind::Symbol || !carried.insert(constant).second) return;
      if (!taken.insert(constant.name)) out.names.constants[constant] = unused(constant.name, taken);
    });
  }

  // Module constants become tl.constexpr where they stand, unless the host needs the plain number too.
  for (const ir::ModuleGlobal& global : sites.globals) {
    const NodeId definition{global.definitions[0].index};
    const NodeId statement = tree.is(definition, NodeKind::Alias) ? NodeId::none() : tree.parent(definition);
    bool simple = global.definitions.size() == 1 && !host_reads(global) && statement;
    if (simple && tree.is(statement, NodeKind::Assign))
      simple = tree.as<syntax::Assign>(statement).targets.size() == 1;
    else if (simple)
      simple = tree.is(statement, NodeKind::AnnAssign) && tree.as<syntax::AnnAssign>(statement).value;
    if (simple) continue;
    const bool upper = std::none_of(global.name.begin(), global.name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    out.names.constants[{tree.file(), global.name}] = unused(global.name + (upper ? "_CONSTEXPR" : "_constexpr"), taken);
  }
  out.names.taken = std::move(taken);
  return out;
}

bool stays(const Naming& naming, const ir::Site& site) {
  return site.kind == ir::SiteKind::Refused || naming.staying_flows.contains(site.flow);
}

}  // namespace tilewright::back::host
