// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What is read of host code: names by Python's rules of scopes, streams, and which kernels may meet.

#include "front/cutile/host.h"

#include <gtest/gtest.h>

#include <map>

#include "front/cutile/host_scopes.h"
#include "syntax/parse.h"

namespace tilewright::front::cutile {
namespace {

// For each read of a name: the line of its first definition, 0 if the file does not define it.
std::vector<uint32_t> definitions_of(const std::string& text, std::string_view name) {
  const source::File file("t.py", text);
  const syntax::Tree tree = syntax::parse(source::FileId{0}, file.text());
  EXPECT_TRUE(tree.ok()) << text;
  const Scopes scopes(tree, nodes_of(tree, tree.root()));
  std::map<uint32_t, uint32_t> found;
  std::vector<syntax::NodeId> stack = {tree.root()};
  while (!stack.empty()) {
    const syntax::NodeId node = stack.back();
    stack.pop_back();
    for (const syntax::NodeId child : tree.children(node)) stack.push_back(child);
    const auto view = tree.get_if<syntax::Name>(node);
    if (!view || view->id != name || view->ctx != syntax::Context::Load) continue;
    const BindingId binding = scopes.binding(node);
    found[tree.span(node).begin] = binding ? file.position(tree.span(scopes[binding].definitions[0]).begin).line : 0;
  }
  std::vector<uint32_t> out;
  for (const auto& [place, line] : found) out.push_back(line);
  return out;
}

using Lines = std::vector<uint32_t>;

TEST(Scopes, a_function_sees_the_module_and_its_own_names_first) {
  EXPECT_EQ(definitions_of("x = 1\ndef f():\n  return x\ndef g(x):\n  return x\n", "x"), (Lines{1, 4}));
  EXPECT_EQ(definitions_of("x = 1\ndef f():\n  print(x)\n  x = 2\n", "x"), (Lines{4}));
  EXPECT_EQ(definitions_of("print(x)\n", "x"), (Lines{0}));
}

TEST(Scopes, defaults_and_annotations_belong_to_the_outside) {
  EXPECT_EQ(definitions_of("x = 1\ndef f(x=x, y: x = 0) -> x:\n  return x\n", "x"), (Lines{1, 1, 1, 2}));
  EXPECT_EQ(definitions_of("x = 1\nf = lambda x, y=x: x\n", "x"), (Lines{1, 2}));
}

TEST(Scopes, a_class_hides_its_names_from_its_methods) {
  EXPECT_EQ(definitions_of("x = 1\nclass A:\n  x = 2\n  y = x\n  def f(self):\n    return x\n", "x"), (Lines{3, 1}));
}

TEST(Scopes, a_comprehension_has_names_of_its_own) {
  EXPECT_EQ(definitions_of("x = [1]\ny = [x for x in x if x]\nx\n", "x"), (Lines{2, 1, 2, 1}));
  EXPECT_EQ(definitions_of("y = [a for a in b if (x := a)]\nx\n", "x"), (Lines{1}));
}

TEST(Scopes, global_and_nonlocal_reach_out) {
  EXPECT_EQ(definitions_of("x = 1\ndef f():\n  global x\n  x = 2\n  return x\n", "x"), (Lines{1}));
  EXPECT_EQ(definitions_of("x = 1\ndef f():\n  def g():\n    nonlocal x\n    x = 3\n    return x\n  x = 2\n  return x\n", "x"),
            (Lines{5, 5}));
}

TEST(Scopes, imports_handlers_and_patterns_bind) {
  EXPECT_EQ(definitions_of("import x.y\nx\n", "x"), (Lines{1}));
  EXPECT_EQ(definitions_of("from a import b as x\nx\n", "x"), (Lines{1}));
  EXPECT_EQ(definitions_of("try: pass\nexcept E as x:\n  x\n", "x"), (Lines{2}));
  EXPECT_EQ(definitions_of("match y:\n  case [x, *z]:\n    x\n", "x"), (Lines{2}));
}

HostReading read(const std::string& text) {
  const syntax::Tree tree = syntax::parse(source::FileId{0}, text);
  EXPECT_TRUE(tree.ok()) << text;
  return read_host(tree);
}

const std::string head =
    "import cuda.tile as ct\nimport torch\n\n@ct.kernel\ndef k(x): ct.store(x, (0,), 1)\n\n@ct.kernel\ndef l(x): ct.store(x, "
    "(0,), 2)\n\n";

ir::StreamKind stream_of(const std::string& body) {
  const HostReading reading = read(head + body);
  EXPECT_EQ(reading.sites.launches.size(), 1u) << body;
  return reading.sites.launches.empty() ? ir::StreamKind::Handle : reading.sites.launches[0].stream_kind;
}

TEST(HostStreams, the_current_one_is_known_where_it_is_asked_for) {
  EXPECT_EQ(stream_of("ct.launch(torch.cuda.current_stream(), (1,), k, (x,))\n"), ir::StreamKind::Current);
  EXPECT_EQ(stream_of("ct.launch(torch.cuda.current_stream().cuda_stream, (1,), k, (x,))\n"), ir::StreamKind::Current);
  EXPECT_EQ(stream_of("ct.launch(torch.cuda.current_stream('cuda'), (1,), k, (x,))\n"), ir::StreamKind::Current);
  EXPECT_EQ(stream_of("ct.launch(torch.cuda.current_stream(x.device), (1,), k, (x,))\n"), ir::StreamKind::CurrentOf);
  EXPECT_EQ(stream_of("ct.launch(torch.cuda.default_stream(), (1,), k, (x,))\n"), ir::StreamKind::Object);
  EXPECT_EQ(stream_of("ct.launch(0, (1,), k, (x,))\n"), ir::StreamKind::DefaultHandle);
  EXPECT_EQ(stream_of("ct.launch(7, (1,), k, (x,))\n"), ir::StreamKind::Handle);
}

TEST(HostStreams, a_local_is_current_while_nothing_can_switch) {
  EXPECT_EQ(stream_of("def f(x):\n  s = torch.cuda.current_stream()\n  ct.launch(s, (1,), k, (x,))\n"), ir::StreamKind::Current);
  EXPECT_EQ(stream_of("def f(x):\n  s = torch.cuda.current_stream()\n  with torch.no_grad():\n    ct.launch(s, (1,), k, (x,))\n"),
            ir::StreamKind::Current);
  EXPECT_EQ(stream_of("def f(x):\n  s = torch.cuda.current_stream()\n  with other():\n    ct.launch(s, (1,), k, (x,))\n"),
            ir::StreamKind::Object);
  EXPECT_EQ(stream_of("def f(x):\n  with other():\n    s = torch.cuda.current_stream()\n  ct.launch(s, (1,), k, (x,))\n"),
            ir::StreamKind::Object);
  EXPECT_EQ(
      stream_of("def f(x):\n  s = torch.cuda.current_stream()\n  torch.cuda.set_stream(t)\n  ct.launch(s, (1,), k, (x,))\n"),
      ir::StreamKind::Object);
  EXPECT_EQ(stream_of("def f(x):\n  s = torch.cuda.current_stream()\n  return lambda: ct.launch(s, (1,), k, (x,))\n"),
            ir::StreamKind::Object);
  EXPECT_EQ(
      stream_of("def f(x):\n  s = torch.cuda.current_stream()\n  if x: s = torch.cuda.Stream()\n  ct.launch(s, (1,), k, (x,))\n"),
      ir::StreamKind::Object);
  EXPECT_EQ(stream_of("def f(x):\n  s = torch.cuda.current_stream().cuda_stream\n  yield\n  ct.launch(s, (1,), k, (x,))\n"),
            ir::StreamKind::Handle);
  EXPECT_EQ(stream_of("def f(s: int, x):\n  ct.launch(s, (1,), k, (x,))\n"), ir::StreamKind::Handle);
}

// Whether k and l may come to one launch.
bool meet(const std::string& body) {
  const HostReading reading = read(head + body);
  return reading.sites.functions[0].flow == reading.sites.functions[1].flow;
}

TEST(HostFlow, kernels_of_separate_launches_do_not_meet) {
  EXPECT_FALSE(meet("ct.launch(s, (1,), k, (x,))\nct.launch(s, (1,), l, (x,))\n"));
  EXPECT_FALSE(
      meet("def f(x):\n  kernel = k\n  ct.launch(s, (1,), kernel, (x,))\ndef g(x):\n  kernel = l\n  ct.launch(s, (1,), kernel, "
           "(x,))\n"));
  EXPECT_FALSE(
      meet("a = {}\nb = {}\ndef f(key):\n  a[key] = k\n  b[key] = l\n  ct.launch(s, (1,), a[key], ())\n  ct.launch(s, (1,), "
           "b[key], ())\n"));
  EXPECT_FALSE(
      meet("c = {}\nd = {}\ndef f(key, result):\n  best = result.best.config\n  c[key] = best, k\n  best, kernel = c[key]\n  "
           "ct.launch(s, (1,), kernel, ())\n"
           "def g(key, result):\n  best = result.best.config\n  d[key] = (best, l)\n  best, kernel = d[key]\n  ct.launch(s, "
           "(1,), kernel, ())\n"));
  EXPECT_FALSE(meet("pair = (k, l)\nfirst, second = pair\nct.launch(s, (1,), first, ())\nct.launch(s, (1,), second, ())\n"));
  EXPECT_FALSE(meet("pair = (k, l)\nct.launch(s, (1,), pair[0], ())\nct.launch(s, (1,), pair[1], ())\n"));
  EXPECT_FALSE(meet("def f(x): ct.launch(s, (1,), k if x else k, (x,))\nct.launch(s, (1,), l, (f,))\n"));
}

TEST(HostFlow, what_two_kernels_are_made_with_does_not_join_them) {
  EXPECT_FALSE(meet(
      "def hints(c): return {'occupancy': c.occupancy}\ndef f(c):\n  a = cached(k, **hints(c))\n  ct.launch(s, (1,), a, ())\n"
      "def g(c):\n  b = cached(l, **hints(c))\n  ct.launch(s, (1,), b, ())\n"));
  EXPECT_FALSE(
      meet("a = {}\nb = {}\ndef f(key, config):\n  a[key] = ct.kernel(k._pyfunc, occupancy=config.best)\n  ct.launch(s, (1,), "
           "a[key], ())\n"
           "def g(key, config):\n  b[key] = ct.kernel(l._pyfunc, occupancy=config.best)\n  ct.launch(s, (1,), b[key], ())\n"));
}

TEST(HostFlow, a_dictionary_that_a_function_fills_is_the_callers) {
  EXPECT_TRUE(meet("a = {}\ndef fill(cache, kernel): cache[0] = kernel\nfill(a, k)\nfill(a, l)\nct.launch(s, (1,), a[0], ())\n"));
  EXPECT_TRUE(meet("a = {}\nb = a\nb['k'] = k\nb.update(l=l)\na['l'] = l\nct.launch(s, (1,), a[x], ())\n"));
  EXPECT_TRUE(meet(
      "class A:\n  def __init__(self): self.known = {}\n  def add(self, kernel): self.known[0] = kernel\nA().add(k)\nA().add(l)\n"
      "ct.launch(s, (1,), A().known[0], ())\n"));
}

TEST(HostFlow, values_are_followed_through_the_usual_ways) {
  EXPECT_TRUE(meet("ct.launch(s, (1,), k if x else l, (x,))\n"));
  EXPECT_TRUE(meet("kernels = [k, l]\nct.launch(s, (1,), kernels[i], ())\n"));
  EXPECT_TRUE(meet("kernels = (k, l)\nct.launch(s, (1,), kernels[i], ())\n"));
  EXPECT_TRUE(meet("kernels = (k, l)\nfor one in kernels: ct.launch(s, (1,), one, ())\n"));
  EXPECT_TRUE(meet("kernels = [('k', k), ('l', l)]\nfor name, one in kernels: ct.launch(s, (1,), one, ())\n"));
  EXPECT_TRUE(meet("kernels = (k, l)\nfor i, one in enumerate(kernels): ct.launch(s, (1,), one, ())\n"));
  EXPECT_TRUE(meet("kernels = {'k': k, 'l': l}\nfor name, one in kernels.items(): ct.launch(s, (1,), one, ())\n"));
  EXPECT_TRUE(meet("first, *rest = k, l\nct.launch(s, (1,), rest[0] if x else first, ())\n"));
  EXPECT_TRUE(meet("def f(x): return 1, k, l\nn, a, b = f(1)\nct.launch(s, (1,), a if x else b, ())\n"));
  EXPECT_TRUE(meet("kernels = {'k': k}\nkernels['l'] = l\nct.launch(s, (1,), kernels[name], ())\n"));
  EXPECT_TRUE(meet("kernels = []\nkernels.append(k)\nkernels.append(l)\nct.launch(s, (1,), kernels[-1], ())\n"));
  EXPECT_TRUE(meet("def f(kernel): ct.launch(s, (1,), kernel, ())\nf(k)\nf(kernel=l)\n"));
  EXPECT_TRUE(meet("def f(x):\n  if x: return k\n  return l.replace_hints(occupancy=2)\nct.launch(s, (1,), f(1), ())\n"));
  EXPECT_TRUE(
      meet("class A:\n  def __init__(self): self.kernel = k\nclass B(A):\n  def __init__(self): self.kernel = l\nct.launch(s, "
           "(1,), A().kernel, ())\n"));
  EXPECT_TRUE(meet("class A:\n  def run(self, kernel): ct.launch(s, (1,), kernel, ())\nA().run(k)\nA().run(l)\n"));
  EXPECT_TRUE(
      meet("class F(torch.autograd.Function):\n  @staticmethod\n  def forward(ctx, x, kernel): ct.launch(s, (1,), kernel, "
           "(x,))\nF.apply(x, k)\nF.apply(x, l)\n"));
  EXPECT_TRUE(meet("for kernel in (k, l): ct.launch(s, (1,), kernel, ())\n"));
  EXPECT_TRUE(meet("a, b = k, l\nct.launch(s, (1,), a or b, ())\n"));
  EXPECT_TRUE(meet("a = cached(k)\nb = cached(l)\nfor one in (a, b): ct.launch(s, (1,), one, ())\n"));
  EXPECT_TRUE(meet("a = ct.kernel(k._pyfunc, occupancy=2)\na = l\nct.launch(s, (1,), a, ())\n"));
  EXPECT_TRUE(meet("config = Config(kernel=k)\nother = Config(kernel=l)\nct.launch(s, (1,), config.kernel, ())\n"));
}

TEST(HostSites, long_chains_do_not_recurse) {
  std::string sum = "x";
  for (int i = 0; i < 100000; ++i) sum += " + x";
  EXPECT_EQ(read(head + "y = " + sum + "\nct.launch(s, (1,), k, (y,))\n").sites.launches.size(), 1u);
}

}  // namespace
}  // namespace tilewright::front::cutile
