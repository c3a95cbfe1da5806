// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which kernels may a launch meet? Kernels go through variables, dictionaries, attributes, parameters and results before they
// are launched. We need to know this only when some kernel of the file stays cuTile: what it may share a launch with has to
// stay too. So a coarse answer that errs towards "may meet" is enough: places that hold values are put into one class when a
// value may go from one to the other, in either direction, whatever the order of statements (Steensgaard's way).

#include <algorithm>
#include <array>
#include <numeric>

#include "front/cutile/host_messages.h"
#include "front/cutile/host_reader.h"

namespace tilewright::front::cutile {

using namespace syntax;

namespace {

class Flow {
 public:
  explicit Flow(const HostReader& reader) : reader_(reader), tree_(reader.tree), parents_(reader.scopes.size()) {
    std::iota(parents_.begin(), parents_.end(), 0u);
    for (const NodeId node : reader.nodes) {
      if (!tree_.is(node, NodeKind::FunctionDef) || !tree_.is(tree_.parent(node), NodeKind::ClassDef)) continue;
      methods_.emplace(tree_.as<FunctionDef>(node).name, node);
    }
  }

  uint32_t find(uint32_t place) {
    while (parents_[place] != place) place = parents_[place] = parents_[parents_[place]];
    return place;
  }
  void visit(NodeId node);
  // The places whose values an expression may have.
  std::vector<uint32_t> places(NodeId expression);
  void merge(const std::vector<uint32_t>& some) { join(some); }

 private:
  uint32_t fresh() {
    parents_.push_back(static_cast<uint32_t>(parents_.size()));
    return parents_.back();
  }
  uint32_t of_attribute(std::string_view name) {
    const auto [at, is_new] = attributes_.try_emplace(name, 0);
    if (is_new) at->second = fresh();
    return at->second;
  }
  uint32_t result_of(NodeId function) {
    const auto [at, is_new] = results_.try_emplace(function, 0);
    if (is_new) at->second = fresh();
    return at->second;
  }
  void join(const std::vector<uint32_t>& some) {
    for (size_t i = 1; i < some.size(); ++i) parents_[find(some[i])] = find(some[0]);
  }
  void join(std::vector<uint32_t> some, const std::vector<uint32_t>& others) {
    some.insert(some.end(), others.begin(), others.end());
    join(some);
  }
  void assign(NodeId target, NodeId value) {
    const auto targets = tree_.get_if<Tuple>(target);
    const auto values = tree_.get_if<Tuple>(value);
    if (targets && values && targets->elts.size() == values->elts.size()) {
      for (size_t i = 0; i < targets->elts.size(); ++i) assign(targets->elts[i], values->elts[i]);
      return;
    }
    join(places(target), places(value));
  }
  NodeId local_function(NodeId callee) const;
  void call(NodeId node);
  void pass(NodeId function, const Call& view, size_t skipped);

  const HostReader& reader_;
  const Tree& tree_;
  std::vector<uint32_t> parents_;                       // the first ones are bindings
  std::map<std::string_view, uint32_t> attributes_;     // one place for all attributes of a name
  std::map<NodeId, uint32_t> results_;
  std::multimap<std::string_view, NodeId> methods_;
};

bool is_lookup(std::string_view method) { return method == "get" || method == "pop" || method == "setdefault"; }

NodeId Flow::local_function(NodeId callee) const {
  if (!tree_.is(callee, NodeKind::Name)) return {};
  const BindingId binding = reader_.scopes.binding(callee);
  if (!binding || reader_.function_number(binding) != HostReader::npos) return {};
  const NodeId definition = reader_.scopes[binding].definitions[0];
  return tree_.is(definition, NodeKind::FunctionDef) ? definition : NodeId::none();
}

std::vector<uint32_t> Flow::places(NodeId expression) {
  std::vector<uint32_t> out;
  std::vector<NodeId> stack = {expression};
  const auto push = [&](NodeList nodes) { stack.insert(stack.end(), nodes.begin(), nodes.end()); };
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    if (!node) continue;
    if (tree_.is(node, NodeKind::Name)) {
      const BindingId binding = reader_.scopes.binding(node);
      if (const NodeId function = local_function(node)) out.push_back(result_of(function));
      else if (binding && !tree_.is(reader_.scopes[binding].definitions[0], NodeKind::Alias)) out.push_back(binding.index);
    } else if (const auto attribute = tree_.get_if<Attribute>(node)) {
      if (attribute->attr == "_pyfunc" || attribute->attr == "replace_hints") stack.push_back(attribute->value);
      else if (reader_.path(node).empty()) out.push_back(of_attribute(attribute->attr));
    } else if (const auto subscript = tree_.get_if<Subscript>(node)) {
      stack.push_back(subscript->value);
    } else if (const auto view = tree_.get_if<Call>(node)) {
      const auto method = tree_.get_if<Attribute>(view->func);
      if (const NodeId function = local_function(view->func)) {
        out.push_back(result_of(function));
        continue;
      }
      if (method && reader_.path(view->func).empty()) {
        stack.push_back(method->value);
        if (method->attr == "replace_hints") continue;
        const auto [first, last] = methods_.equal_range(method->attr);
        for (auto at = first; at != last; ++at) out.push_back(result_of(at->second));
      }
      const bool keyed = method && is_lookup(method->attr) && !view->args.empty();
      push(view->args.subspan(keyed ? 1 : 0));
      for (const NodeId keyword : view->keywords) stack.push_back(tree_.as<Keyword>(keyword).value);
    } else if (const auto choice = tree_.get_if<IfExp>(node)) {
      stack.push_back(choice->body);
      stack.push_back(choice->orelse);
    } else if (const auto boolean = tree_.get_if<BoolOp>(node)) {
      push(boolean->values);
    } else if (const auto named = tree_.get_if<NamedExpr>(node)) {
      stack.push_back(named->target);
      stack.push_back(named->value);
    } else if (const auto tuple = tree_.get_if<Tuple>(node)) {
      push(tuple->elts);
    } else if (const auto list = tree_.get_if<List>(node)) {
      push(list->elts);
    } else if (const auto set = tree_.get_if<Set>(node)) {
      push(set->elts);
    } else if (const auto dict = tree_.get_if<Dict>(node)) {
      push(dict->values);
    } else if (const auto comp = tree_.get_if<ListComp>(node)) {
      stack.push_back(comp->elt);
    } else if (const auto set_comp = tree_.get_if<SetComp>(node)) {
      stack.push_back(set_comp->elt);
    } else if (const auto generator = tree_.get_if<GeneratorExp>(node)) {
      stack.push_back(generator->elt);
    } else if (const auto dict_comp = tree_.get_if<DictComp>(node)) {
      stack.push_back(dict_comp->value);
    } else if (const auto starred = tree_.get_if<Starred>(node)) {
      stack.push_back(starred->value);
    } else if (const auto await = tree_.get_if<Await>(node)) {
      stack.push_back(await->value);
    } else if (const auto lambda = tree_.get_if<Lambda>(node)) {
      stack.push_back(lambda->body);  // called later: its result
    } else if (const auto sum = tree_.get_if<BinOp>(node); sum && sum->op == Operator::Add) {
      stack.push_back(sum->left);  // of lists
      stack.push_back(sum->right);
    }
  }
  return out;
}

void Flow::pass(NodeId function, const Call& view, size_t skipped) {
  const Arguments parameters = tree_.as<Arguments>(tree_.as<FunctionDef>(function).args);
  std::vector<NodeId> positional(parameters.posonlyargs.begin(), parameters.posonlyargs.end());
  positional.insert(positional.end(), parameters.args.begin(), parameters.args.end());
  const auto give = [&](NodeId parameter, NodeId value) {
    const BindingId binding = reader_.scopes.binding(parameter);
    if (binding) join({binding.index}, places(value));
  };
  bool spread = false;
  for (size_t i = 0; i < view.args.size(); ++i) {
    spread = spread || tree_.is(view.args[i], NodeKind::Starred);
    const size_t to = i + skipped;
    if (spread) {
      for (const NodeId parameter : positional) give(parameter, view.args[i]);
    } else if (to < positional.size()) {
      give(positional[to], view.args[i]);
    }
    if (parameters.vararg && (spread || to >= positional.size())) give(parameters.vararg, view.args[i]);
  }
  positional.insert(positional.end(), parameters.kwonlyargs.begin(), parameters.kwonlyargs.end());
  for (const NodeId keyword : view.keywords) {
    const Keyword one = tree_.as<Keyword>(keyword);
    for (const NodeId parameter : positional)
      if (one.arg.empty() || tree_.as<Arg>(parameter).arg == one.arg) give(parameter, one.value);
    if (parameters.kwarg) give(parameters.kwarg, one.value);
  }
}

void Flow::call(NodeId node) {
  const Call view = tree_.as<Call>(node);
  if (const NodeId function = local_function(view.func)) return pass(function, view, 0);
  if (const auto method = tree_.get_if<Attribute>(view.func); method && reader_.path(view.func).empty()) {
    // `Function.apply` of autograd calls `forward`. A method may be static: take both ways of counting.
    const auto [first, last] = methods_.equal_range(method->attr == "apply" ? "forward" : method->attr);
    for (auto at = first; at != last; ++at) {
      pass(at->second, view, 0);
      pass(at->second, view, 1);
    }
    if (first != last) return;
    const size_t key = is_lookup(method->attr) && !view.args.empty() ? 1 : 0;
    for (const NodeId arg : view.args.subspan(key)) join(places(method->value), places(arg));  // `list.append(kernel)`
  }
  for (const NodeId keyword : view.keywords) {  // `SimpleNamespace(kernel=k)`
    const Keyword one = tree_.as<Keyword>(keyword);
    if (!one.arg.empty()) join({of_attribute(one.arg)}, places(one.value));
  }
}

void Flow::visit(NodeId node) {
  if (const auto assign_ = tree_.get_if<Assign>(node)) {
    for (const NodeId target : assign_->targets) assign(target, assign_->value);
  } else if (const auto annotated = tree_.get_if<AnnAssign>(node)) {
    if (annotated->value) assign(annotated->target, annotated->value);
  } else if (const auto augmented = tree_.get_if<AugAssign>(node)) {
    assign(augmented->target, augmented->value);
  } else if (const auto named = tree_.get_if<NamedExpr>(node)) {
    assign(named->target, named->value);
  } else if (const auto loop = tree_.get_if<For>(node)) {
    join(places(loop->target), places(loop->iter));
  } else if (const auto comprehension = tree_.get_if<Comprehension>(node)) {
    join(places(comprehension->target), places(comprehension->iter));
  } else if (const auto item = tree_.get_if<WithItem>(node)) {
    if (item->optional_vars) join(places(item->optional_vars), places(item->context_expr));
  } else if (tree_.is(node, NodeKind::Return) || tree_.is(node, NodeKind::Yield) || tree_.is(node, NodeKind::YieldFrom)) {
    NodeId value;
    if (const auto view = tree_.get_if<Return>(node)) value = view->value;
    if (const auto view = tree_.get_if<Yield>(node)) value = view->value;
    if (const auto view = tree_.get_if<YieldFrom>(node)) value = view->value;
    join({result_of(reader_.enclosing_function(node))}, places(value));
  } else if (tree_.is(node, NodeKind::Call)) {
    call(node);
  } else if (const auto function = tree_.get_if<FunctionDef>(node)) {
    const Arguments parameters = tree_.as<Arguments>(function->args);
    const size_t count = parameters.posonlyargs.size() + parameters.args.size();
    for (size_t i = 0; i < parameters.defaults.size(); ++i) {
      const size_t at = count - parameters.defaults.size() + i;
      const NodeId parameter = at < parameters.posonlyargs.size() ? parameters.posonlyargs[at] : parameters.args[at - parameters.posonlyargs.size()];
      join({reader_.scopes.binding(parameter).index}, places(parameters.defaults[i]));
    }
    for (size_t i = 0; i < parameters.kw_defaults.size(); ++i)
      if (parameters.kw_defaults[i]) join({reader_.scopes.binding(parameters.kwonlyargs[i]).index}, places(parameters.kw_defaults[i]));
  } else if (const auto name = tree_.get_if<Name>(node); name && name->ctx == Context::Store) {
    // What a class's body binds is read as an attribute.
    const BindingId binding = reader_.scopes.binding(node);
    if (binding && reader_.scopes.scope(reader_.scopes[binding].scope).kind == ScopeKind::Class) join({binding.index}, {of_attribute(name->id)});
  }
}

// Where the kernels come from that a site is about.
std::vector<uint32_t> kernel_places(const HostReader& reader, Flow& flow, const ir::Site& site) {
  const Tree& tree = reader.tree;
  const NodeId node = node_of(site.node);
  std::vector<NodeId> kernels;
  switch (site.kind) {
    case ir::SiteKind::KernelValue: kernels = {node}; break;
    case ir::SiteKind::Launch: kernels = {node_of(reader.sites.launches[site.detail].kernel)}; break;
    case ir::SiteKind::MakeKernel: kernels = {tree.as<Call>(node).args[0]}; break;
    case ir::SiteKind::Search: {
      const auto call = tree.get_if<Call>(tree.parent(node));
      if (!call || call->func != node) break;
      if (call->args.size() > 3) kernels = {call->args[3]};
      for (const NodeId keyword : call->keywords)
        if (tree.as<Keyword>(keyword).arg == "kernel") kernels = {tree.as<Keyword>(keyword).value};
      break;
    }
    case ir::SiteKind::Refused: {
      // A call of something that we don't know: whatever kernels it is given. Else a kernel, as in `k._pyfunc`.
      const auto outer = tree.get_if<Call>(tree.parent(node));
      const auto call = outer && outer->func == node ? outer : tree.get_if<Call>(node);
      if (!call) kernels = {node};
      else kernels.assign(call->args.begin(), call->args.end());
      break;
    }
    case ir::SiteKind::Timeout: case ir::SiteKind::Cdiv: case ir::SiteKind::Dtype: case ir::SiteKind::DtypeClass:
    case ir::SiteKind::KernelClass: case ir::SiteKind::Error: case ir::SiteKind::ByTarget: break;
  }
  std::vector<uint32_t> out;
  for (const NodeId kernel : kernels) {
    const std::vector<uint32_t> places = flow.places(kernel);
    out.insert(out.end(), places.begin(), places.end());
  }
  return out;
}

}  // namespace

void HostReader::number_flows() {
  if (sites.functions.empty()) return;
  Flow flow(*this);
  for (const NodeId node : nodes)
    if (!on_device(node)) flow.visit(node);

  for (const ir::Site& site : sites.sites) flow.merge(kernel_places(*this, flow, site));
  std::map<uint32_t, uint32_t> numbers_of_classes;
  for (ir::DeviceFunction& function : sites.functions) {
    if (function.kind != ir::FunctionKind::Kernel) continue;
    const uint32_t next = static_cast<uint32_t>(numbers_of_classes.size()) + 1;
    function.flow = numbers_of_classes.try_emplace(flow.find(function.binding), next).first->second;
  }
  for (size_t i = 0; i < sites.sites.size(); ++i) {
    ir::Site& site = sites.sites[i];
    if (site.flow == ir::every_flow) continue;
    const std::vector<uint32_t> places = kernel_places(*this, flow, site);
    const auto found = places.empty() ? numbers_of_classes.end() : numbers_of_classes.find(flow.find(places[0]));
    if (found != numbers_of_classes.end()) site.flow = found->second;
    if (site.kind != ir::SiteKind::Launch || site.flow != 0) continue;
    const NodeId kernel = node_of(sites.launches[site.detail].kernel);
    diagnostics.push_back(diag::report(diag::Severity::Error, tree.span(kernel), host_message::foreign_kernel, tree.text(kernel)));
    site.kind = ir::SiteKind::Refused;
  }
}

}  // namespace tilewright::front::cutile
