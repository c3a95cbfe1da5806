// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which kernels may come to a launch? Kernels go through variables, dictionaries, attributes, parameters and results before they
// are launched. We need to know this only when some kernel of the file stays cuTile: what it may share a launch with has to
// stay too. So a coarse answer that errs towards "may come" is enough: the order of statements and who calls do not count.

#include <algorithm>

#include "base/disjoint_sets.h"
#include "front/cutile/host_messages.h"
#include "front/cutile/host_places.h"
#include "front/cutile/host_reader.h"

namespace tilewright::front::cutile {

using namespace syntax;

namespace {

class Flow {
 public:
  // Kernels that are launched by their names only go nowhere.
  enum class Kernels { Go, Stay };

  Flow(const HostReader& reader, Kernels kernels) : reader_(reader), tree_(reader.tree), places_(reader.scopes.size()) {
    places_.set_values(static_cast<uint32_t>(reader.sites.functions.size()));
    if (kernels == Kernels::Go) follow();
    for (uint32_t i = 0; i < reader.sites.functions.size(); ++i) {
      const ir::DeviceFunction& function = reader.sites.functions[i];
      if (function.kind != ir::FunctionKind::Kernel) continue;
      places_.add(function.binding, i);
      if (in_class(BindingId{function.binding})) places_.flow(function.binding, of_attribute(function.name));
    }
    places_.propagate();
  }

  // The kernels that an expression may be, by number.
  std::set<uint32_t> kernels(NodeId expression) {
    std::set<uint32_t> out;
    for (const uint32_t place : places(expression)) out.insert(places_.values(place).begin(), places_.values(place).end());
    return out;
  }
  // … or hold.
  std::set<uint32_t> kernels_inside(NodeId expression) {
    std::set<uint32_t> out;
    for (const uint32_t place : places(expression))
      for (const uint32_t one : places_.with_fields(place)) out.insert(places_.values(one).begin(), places_.values(one).end());
    return out;
  }
  // The kernel that stands for one, if so many came together that they are not told apart.
  uint32_t representative(uint32_t kernel) { return places_.find_value(kernel); }

 private:
  void follow() {
    std::vector<NodeId> host;  // nodes at which values go somewhere
    for (const NodeId node : reader_.nodes) {
      if (tree_.is(node, NodeKind::FunctionDef) && tree_.is(tree_.parent(node), NodeKind::ClassDef))
        methods_.emplace(tree_.as<FunctionDef>(node).name, node);
      if (moves_values(node) && !reader_.on_device(node)) host.push_back(node);
    }
    do {  // an unknown index sees only the fields known so far
      for (const NodeId node : host) visit(node);
      places_.propagate();
    } while (places_.take_stale());
  }
  std::vector<uint32_t> places(NodeId expression);  // whose values an expression may have
  std::vector<uint32_t> stores(NodeId target);      // that a value goes to
  bool moves_values(NodeId node) const;
  void visit(NodeId node);
  void visit_call(NodeId node);
  void visit_defaults(NodeId function);
  // What a class's body binds is read as an attribute.
  bool in_class(BindingId binding) const { return reader_.scopes.scope(reader_.scopes[binding].scope).kind == ScopeKind::Class; }
  uint32_t of_attribute(std::string_view name) {
    const auto [at, is_new] = attributes_.try_emplace(name, 0);
    if (is_new) at->second = places_.fresh();
    return at->second;
  }
  uint32_t result_of(NodeId function) {
    const auto [at, is_new] = results_.try_emplace(function, 0);
    if (is_new) at->second = places_.fresh();
    return at->second;
  }
  void put(uint32_t place, NodeId value, Flowing how = Flowing::Alias);  // place = value
  void assign(NodeId target, NodeId value);                              // target = value
  void assign_each(NodeId target, NodeId iterable);                      // for target in iterable
  void assign_place(NodeId target, uint32_t place);
  bool keeps_fields(NodeId expression) const;
  bool is_alias(NodeId expression) const;
  NodeId local_function(NodeId callee) const;
  void pass(NodeId function, const Call& view, size_t skipped);

  const HostReader& reader_;
  const Tree& tree_;
  Places places_;                                    // the first ones are bindings
  std::map<std::string_view, uint32_t> attributes_;  // one place for all attributes of a name
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
      if (const NodeId function = local_function(node))
        out.push_back(result_of(function));
      else if (binding && !tree_.is(reader_.scopes[binding].definitions[0], NodeKind::Alias))
        out.push_back(binding.index);
    } else if (const auto attribute = tree_.get_if<Attribute>(node)) {
      if (attribute->attr == "_pyfunc" || attribute->attr == "replace_hints")
        stack.push_back(attribute->value);
      else if (!reader_.is_imported(node))
        out.push_back(of_attribute(attribute->attr));
    } else if (const auto subscript = tree_.get_if<Subscript>(node)) {
      const int64_t index =
          tree_.is_constant(subscript->slice, ConstantKind::Int) ? tree_.int_value(subscript->slice).value_or(-1) : -1;
      const auto number = static_cast<uint32_t>(index);
      for (const uint32_t base : places(subscript->value)) {
        if (index >= 0 && places_.has_field(base, number))
          out.push_back(places_.field(base, number));
        else
          for (const uint32_t one : places_.elements(base)) out.push_back(one);
      }
    } else if (const auto view = tree_.get_if<Call>(node)) {
      const auto method = tree_.get_if<Attribute>(view->func);
      if (const NodeId function = local_function(view->func)) {
        out.push_back(result_of(function));
        continue;
      }
      if (reader_.path(view->func) == "cuda.tile.tune.exhaustive_search") {  // a result holds configurations
        push(view->args.subspan(0, std::min<size_t>(1, view->args.size())));
        continue;
      }
      if (method && !reader_.is_imported(view->func)) {
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

std::vector<uint32_t> Flow::stores(NodeId target) {
  const auto subscript = tree_.get_if<Subscript>(target);
  if (!subscript) return places(target);
  const std::vector<uint32_t> out = places(subscript->value);
  for (const uint32_t place : out) places_.fill(place);
  return out;
}

void Flow::pass(NodeId function, const Call& view, size_t skipped) {
  const Arguments parameters = tree_.as<Arguments>(tree_.as<FunctionDef>(function).args);
  std::vector<NodeId> positional(parameters.posonlyargs.begin(), parameters.posonlyargs.end());
  positional.insert(positional.end(), parameters.args.begin(), parameters.args.end());
  const auto give = [&](NodeId parameter, NodeId value) {
    const BindingId binding = reader_.scopes.binding(parameter);
    if (binding) put(binding.index, value);
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

// Whether what is unpacked from an expression is what was packed: not so for `enumerate(…)` or `d.items()`.
bool Flow::keeps_fields(NodeId expression) const {
  if (const auto view = tree_.get_if<Call>(expression)) return local_function(view->func).valid();
  return tree_.is(expression, NodeKind::Name) || tree_.is(expression, NodeKind::Subscript) ||
         tree_.is(expression, NodeKind::Attribute);
}

// Whether an expression is what is in its places, and not something made of it.
bool Flow::is_alias(NodeId expression) const {
  const auto view = tree_.get_if<Call>(expression);
  const auto method = view ? tree_.get_if<Attribute>(view->func) : std::nullopt;
  return keeps_fields(expression) || (method && is_lookup(method->attr)) || tree_.is(expression, NodeKind::BoolOp);
}

void Flow::put(uint32_t place, NodeId value, Flowing how) {
  const auto put_all = [&](NodeList values) {
    for (const NodeId one : values)
      if (one) put(place, one, Flowing::Copy);
  };
  const auto tuple = tree_.get_if<Tuple>(value);
  const bool plain =
      tuple && std::none_of(tuple->elts.begin(), tuple->elts.end(), [&](NodeId one) { return tree_.is(one, NodeKind::Starred); });
  if (plain) {
    for (uint32_t i = 0; i < tuple->elts.size(); ++i) put(places_.field(place, i), tuple->elts[i]);
  } else if (const auto list = tree_.get_if<List>(value)) {
    put_all(list->elts);
  } else if (const auto dict = tree_.get_if<Dict>(value)) {
    put_all(dict->values);
  } else if (const auto list_comp = tree_.get_if<ListComp>(value)) {
    put(place, list_comp->elt, Flowing::Copy);
  } else if (const auto generator = tree_.get_if<GeneratorExp>(value)) {
    put(place, generator->elt, Flowing::Copy);
  } else if (const auto dict_comp = tree_.get_if<DictComp>(value)) {
    put(place, dict_comp->value, Flowing::Copy);
  } else if (const auto choice = tree_.get_if<IfExp>(value)) {
    put(place, choice->body, how);
    put(place, choice->orelse, how);
  } else {
    const Flowing flowing = is_alias(value) ? how : Flowing::Copy;
    for (const uint32_t one : places(value)) places_.flow(one, place, flowing);
  }
}

void Flow::assign_place(NodeId target, uint32_t place) {
  NodeList elements;
  if (const auto tuple = tree_.get_if<Tuple>(target))
    elements = tuple->elts;
  else if (const auto list = tree_.get_if<List>(target))
    elements = list->elts;
  else {
    for (const uint32_t one : stores(target)) places_.flow(place, one);
    return;
  }
  for (uint32_t i = 0; i < elements.size(); ++i) {
    const auto starred = tree_.get_if<Starred>(elements[i]);
    if (!starred)
      assign_place(elements[i], places_.field(place, i));
    else
      for (const uint32_t one : places_.with_fields(place)) assign_place(starred->value, one);
  }
}

void Flow::assign(NodeId target, NodeId value) {
  const auto targets = tree_.get_if<Tuple>(target);
  if (!targets) {
    for (const uint32_t place : stores(target)) {
      const bool element = tree_.is(target, NodeKind::Subscript);
      put(place, value, element ? Flowing::Copy : Flowing::Alias);
      if (tree_.is(value, NodeKind::Tuple) && !element) places_.mark_tuple(place);
    }
    return;
  }
  const auto values = tree_.get_if<Tuple>(value);
  if (values && targets->elts.size() == values->elts.size()) {
    for (size_t i = 0; i < targets->elts.size(); ++i) assign(targets->elts[i], values->elts[i]);
    return;
  }
  for (const uint32_t place : places(value)) {
    if (keeps_fields(value))
      assign_place(target, place);
    else
      for (const NodeId one : targets->elts)
        for (const uint32_t part : places_.with_fields(place)) assign_place(one, part);
  }
}

void Flow::assign_each(NodeId target, NodeId iterable) {
  NodeList elements;
  if (const auto tuple = tree_.get_if<Tuple>(iterable)) elements = tuple->elts;
  if (const auto list = tree_.get_if<List>(iterable)) elements = list->elts;
  for (const NodeId element : elements) assign(target, element);
  if (!elements.empty()) return;
  for (const uint32_t place : places(iterable)) {
    const auto targets = tree_.get_if<Tuple>(target);
    for (const uint32_t one : targets && !keeps_fields(iterable) ? places_.with_fields(place) : places_.elements(place)) {
      if (!targets || keeps_fields(iterable))
        assign_place(target, one);
      else
        for (const NodeId part : targets->elts) assign_place(part, one);
    }
  }
}

void Flow::visit_call(NodeId node) {
  const Call view = tree_.as<Call>(node);
  if (const NodeId function = local_function(view.func)) return pass(function, view, 0);
  if (const auto method = tree_.get_if<Attribute>(view.func); method && !reader_.is_imported(view.func)) {
    // `Function.apply` of autograd calls `forward`. A method may be static: take both ways of counting.
    const auto [first, last] = methods_.equal_range(method->attr == "apply" ? "forward" : method->attr);
    for (auto at = first; at != last; ++at) {
      pass(at->second, view, 0);
      pass(at->second, view, 1);
    }
    if (first != last) return;
    const size_t key = is_lookup(method->attr) && !view.args.empty() ? 1 : 0;
    for (const NodeId arg : view.args.subspan(key))  // `list.append(kernel)`
      for (const uint32_t place : places(method->value)) {
        put(place, arg, Flowing::Copy);
        places_.fill(place);
      }
  }
  for (const NodeId keyword : view.keywords) {  // `SimpleNamespace(kernel=k)`
    const Keyword one = tree_.as<Keyword>(keyword);
    if (!one.arg.empty()) put(of_attribute(one.arg), one.value);
  }
}

void Flow::visit_defaults(NodeId function) {
  const Arguments parameters = tree_.as<Arguments>(tree_.as<FunctionDef>(function).args);
  std::vector<NodeId> positional(parameters.posonlyargs.begin(), parameters.posonlyargs.end());
  positional.insert(positional.end(), parameters.args.begin(), parameters.args.end());
  const size_t first = positional.size() - parameters.defaults.size();
  for (size_t i = 0; i < parameters.defaults.size(); ++i)
    put(reader_.scopes.binding(positional[first + i]).index, parameters.defaults[i]);
  for (size_t i = 0; i < parameters.kw_defaults.size(); ++i)
    if (parameters.kw_defaults[i]) put(reader_.scopes.binding(parameters.kwonlyargs[i]).index, parameters.kw_defaults[i]);
}

bool Flow::moves_values(NodeId node) const {
  const NodeKind kind = tree_.kind(node);
  return kind == NodeKind::Assign || kind == NodeKind::AnnAssign || kind == NodeKind::AugAssign || kind == NodeKind::NamedExpr ||
         kind == NodeKind::For || kind == NodeKind::Comprehension || kind == NodeKind::WithItem || kind == NodeKind::Return ||
         kind == NodeKind::Yield || kind == NodeKind::YieldFrom || kind == NodeKind::Call || kind == NodeKind::FunctionDef ||
         (kind == NodeKind::Name && tree_.as<Name>(node).ctx == Context::Store);
}

void Flow::visit(NodeId node) {
  if (const auto assigned = tree_.get_if<Assign>(node)) {
    for (const NodeId target : assigned->targets) assign(target, assigned->value);
  } else if (const auto annotated = tree_.get_if<AnnAssign>(node)) {
    if (annotated->value) assign(annotated->target, annotated->value);
  } else if (const auto augmented = tree_.get_if<AugAssign>(node)) {
    assign(augmented->target, augmented->value);
  } else if (const auto named = tree_.get_if<NamedExpr>(node)) {
    assign(named->target, named->value);
  } else if (const auto loop = tree_.get_if<For>(node)) {
    assign_each(loop->target, loop->iter);
  } else if (const auto comprehension = tree_.get_if<Comprehension>(node)) {
    assign_each(comprehension->target, comprehension->iter);
  } else if (const auto item = tree_.get_if<WithItem>(node)) {
    if (item->optional_vars) assign(item->optional_vars, item->context_expr);
  } else if (const auto result = tree_.get_if<Return>(node)) {
    if (result->value) put(result_of(reader_.enclosing_function(node)), result->value);
  } else if (const auto yield = tree_.get_if<Yield>(node)) {
    if (yield->value) put(result_of(reader_.enclosing_function(node)), yield->value);
  } else if (const auto many = tree_.get_if<YieldFrom>(node)) {
    put(result_of(reader_.enclosing_function(node)), many->value);
  } else if (tree_.is(node, NodeKind::Call)) {
    visit_call(node);
  } else if (tree_.is(node, NodeKind::FunctionDef)) {
    visit_defaults(node);
  } else if (const auto name = tree_.get_if<Name>(node); name && name->ctx == Context::Store) {
    const BindingId binding = reader_.scopes.binding(node);
    if (binding && in_class(binding)) places_.flow(binding.index, of_attribute(name->id));
  }
}

// The kernels that a site is about, by number.
std::set<uint32_t> kernels_of(const HostReader& reader, Flow& flow, const ir::Site& site) {
  const Tree& tree = reader.tree;
  const NodeId node = node_of(site.node);
  switch (site.kind) {
    case ir::SiteKind::KernelValue: return {site.detail};
    case ir::SiteKind::Launch: return flow.kernels(node_of(reader.sites.launches[site.detail].kernel));
    case ir::SiteKind::MakeKernel: return flow.kernels(tree.as<Call>(node).args[0]);
    case ir::SiteKind::Search: {
      const auto call = tree.get_if<Call>(tree.parent(node));
      if (!call || call->func != node) return {};
      for (const NodeId keyword : call->keywords)
        if (tree.as<Keyword>(keyword).arg == "kernel") return flow.kernels(tree.as<Keyword>(keyword).value);
      return call->args.size() > 3 ? flow.kernels(call->args[3]) : std::set<uint32_t>();
    }
    case ir::SiteKind::Refused: {
      // A call of something that we don't know: whatever kernels it is given. Else a kernel, as in `k._pyfunc`.
      const auto outer = tree.get_if<Call>(tree.parent(node));
      const auto call = outer && outer->func == node ? outer : tree.get_if<Call>(node);
      if (!call) return flow.kernels_inside(node);
      std::set<uint32_t> out;
      for (const NodeId arg : call->args) out.merge(flow.kernels_inside(arg));
      for (const NodeId keyword : call->keywords) out.merge(flow.kernels_inside(tree.as<Keyword>(keyword).value));
      return out;
    }
    case ir::SiteKind::Timeout:
    case ir::SiteKind::Cdiv:
    case ir::SiteKind::Dtype:
    case ir::SiteKind::DtypeClass:
    case ir::SiteKind::KernelClass:
    case ir::SiteKind::Error:
    case ir::SiteKind::ByTarget: return {};
  }
  return {};
}

}  // namespace

// Kernels that one site is about belong together; a class of them is a flow.
void HostReader::number_flows() {
  if (sites.functions.empty()) return;
  std::set<ir::OriginId> direct;
  for (const ir::Launch& launch : sites.launches) direct.insert(launch.kernel_name);
  const bool any_value = std::any_of(sites.sites.begin(), sites.sites.end(), [&](const ir::Site& site) {
    return site.kind == ir::SiteKind::KernelValue && !direct.contains(site.node);
  });
  Flow flow(*this, any_value ? Flow::Kernels::Go : Flow::Kernels::Stay);
  DisjointSets classes(sites.functions.size());
  for (uint32_t i = 0; i < sites.functions.size(); ++i) classes.join(i, flow.representative(i));
  std::vector<std::set<uint32_t>> kernels;  // by site
  for (const ir::Site& site : sites.sites) {
    kernels.push_back(kernels_of(*this, flow, site));
    for (const uint32_t kernel : kernels.back()) classes.join(kernel, *kernels.back().begin());
  }
  std::map<BindingId, uint32_t> bindings;  // two definitions of one name are one kernel to the host
  for (uint32_t i = 0; i < sites.functions.size(); ++i) {
    const auto [first, is_new] = bindings.try_emplace(BindingId{sites.functions[i].binding}, i);
    if (!is_new) classes.join(i, first->second);
  }
  std::map<uint32_t, uint32_t> numbers_of_classes;
  for (uint32_t i = 0; i < sites.functions.size(); ++i) {
    if (sites.functions[i].kind != ir::FunctionKind::Kernel) continue;
    const auto next = static_cast<uint32_t>(numbers_of_classes.size()) + 1;
    sites.functions[i].flow = numbers_of_classes.try_emplace(classes.find(i), next).first->second;
  }

  std::vector<ir::Site> lost;   // launches of kernels that come from elsewhere
  std::set<uint32_t> launched;  // kernels that come to a launch
  for (size_t i = 0; i < sites.sites.size(); ++i) {
    ir::Site& site = sites.sites[i];
    if (site.flow == ir::every_flow) continue;
    if (!kernels[i].empty()) site.flow = sites.functions[*kernels[i].begin()].flow;
    if (site.kind != ir::SiteKind::Launch) continue;
    launched.insert(kernels[i].begin(), kernels[i].end());
    if (site.flow != 0) continue;
    const NodeId kernel = node_of(sites.launches[site.detail].kernel);
    diagnostics.push_back(
        diag::report(diag::Severity::Error, tree.span(kernel), host_message::kernel_from_outside, tree.text(kernel)));
    diagnostics.back().notes.push_back(
        "let it be the launch function of a converted kernel, and call it with the grid and the arguments");
    site.kind = ir::SiteKind::Refused;
    lost.push_back(site);
  }
  if (lost.empty()) return;

  // Such a launch may get a kernel of this file all the same, in a way that was not followed: one that is a value somewhere and
  // comes to no launch that we know.
  std::set<uint32_t> values;
  for (const ir::Site& site : sites.sites)
    if (site.kind == ir::SiteKind::KernelValue && !direct.contains(site.node) && !launched.contains(site.detail))
      values.insert(site.flow);
  for (const uint32_t value : values) {
    for (ir::Site site : lost) {
      site.flow = value;
      sites.sites.push_back(site);
    }
  }
}

}  // namespace tilewright::front::cutile
