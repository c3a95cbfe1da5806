// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of the host, and where they lead.

#include <algorithm>
#include <array>

#include "front/cutile/host_reader.h"

namespace tilewright::front::cutile {

using namespace syntax;

template <size_t n>
static bool contains(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_dtype_word(std::string_view word) {
  static constexpr std::array<std::string_view, 19> words = {
      "bfloat16", "bool_",   "float4_e2m1fn", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float8_e5m3fnu",
      "float16",  "float32", "float64",       "int8",          "int16",       "int32",          "int64",
      "tfloat32", "uint8",   "uint16",        "uint32",        "uint64"};
  return contains(words, word);
}

bool is_error_word(std::string_view word) {
  static constexpr std::array<std::string_view, 12> words = {
      "TileCompilerExecutionError",  "TileCompilerTimeoutError", "TileError",
      "TileInternalError",           "TileRecursionError",       "TileStaticAssertionError",
      "TileStaticEvalError",         "TileSyntaxError",          "TileTypeError",
      "TileUnsupportedFeatureError", "TileValueError",           "StaticException"};
  return contains(words, word);
}

std::string HostReader::import_path(NodeId alias) const {
  const Alias view = tree.as<Alias>(alias);
  const NodeId statement = tree.parent(alias);
  if (const auto from = tree.get_if<ImportFrom>(statement)) {
    std::string path(static_cast<size_t>(from->level), '.');
    path += from->module;
    if (!from->module.empty()) path += '.';
    return path.append(view.name);
  }
  if (!view.asname.empty()) return std::string(view.name);
  return std::string(view.name.substr(0, view.name.find('.')));
}

std::string HostReader::path(NodeId expression) const {
  std::vector<std::string_view> attributes;
  while (const auto attribute = tree.get_if<Attribute>(expression)) {
    attributes.push_back(attribute->attr);
    expression = attribute->value;
  }
  if (!tree.is(expression, NodeKind::Name)) return {};
  const BindingId binding = scopes.binding(expression);
  if (!binding) return {};
  if (paths[binding.index].empty()) return {};
  std::string out = paths[binding.index];
  for (size_t i = attributes.size(); i-- > 0;) out.append(".").append(attributes[i]);
  return out;
}

bool HostReader::is_imported(NodeId expression) const {
  while (const auto attribute = tree.get_if<Attribute>(expression)) expression = attribute->value;
  if (!tree.is(expression, NodeKind::Name)) return false;
  const BindingId binding = scopes.binding(expression);
  return binding && !paths[binding.index].empty();
}

// Where each binding leads to that imports make. `try: import cuda.tile as ct / except ImportError: ct = None` still means cuTile
// where it is used; two different imports mean nothing.
void HostReader::find_paths() {
  paths.resize(scopes.size());
  for (uint32_t i = 0; i < scopes.size(); ++i) {
    std::string& path = paths[i];
    for (const NodeId definition : scopes[BindingId{i}].definitions) {
      if (!tree.is(definition, NodeKind::Alias)) continue;
      std::string one = import_path(definition);
      if (!path.empty() && one != path) {
        path.clear();
        break;
      }
      path = std::move(one);
    }
  }
}

NodeId HostReader::enclosing_function(NodeId node) const {
  for (NodeId child = node, at = tree.parent(node); at; child = at, at = tree.parent(at)) {
    if (tree.is(at, NodeKind::Lambda)) {
      if (tree.as<Lambda>(at).body == child) return at;
    } else if (tree.is(at, NodeKind::FunctionDef) || tree.is(at, NodeKind::AsyncFunctionDef)) {
      if (family(tree.kind(child)) == NodeFamily::Statement) return at;  // not a decorator, default or annotation
    }
  }
  return tree.root();
}

bool HostReader::on_device(NodeId node) const {
  const source::Span span = tree.span(node);
  const auto after = std::upper_bound(device_spans.begin(), device_spans.end(), span.begin,
                                      [](uint32_t at, const source::Span& one) { return at < one.begin; });
  return after != device_spans.begin() && std::prev(after)->contains(span);
}

bool HostReader::is_decorator(NodeId node) const {
  const NodeId parent = tree.parent(node);
  NodeList decorators;
  if (const auto def = tree.get_if<FunctionDef>(parent)) decorators = def->decorator_list;
  if (const auto def = tree.get_if<AsyncFunctionDef>(parent)) decorators = def->decorator_list;
  if (const auto def = tree.get_if<ClassDef>(parent)) decorators = def->decorator_list;
  return std::find(decorators.begin(), decorators.end(), node) != decorators.end();
}

uint32_t HostReader::function_number(BindingId binding) const {
  const auto found = numbers.find(binding);
  return found == numbers.end() ? npos : found->second;
}

}  // namespace tilewright::front::cutile
