// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/launch_spec.h"

#include "base/json.h"

namespace tilewright::driver {

using ir::Argument;
using ir::ArgumentKind;

static std::string text_of(const Json& json, std::string_view member) {
  const Json* found = json.find(member);
  const auto* text = found ? found->as<std::string>() : nullptr;
  return text ? *text : std::string();
}

static std::vector<int64_t> numbers(const Json& json, std::string_view member) {
  std::vector<int64_t> out;
  const Json* found = json.find(member);
  const auto* array = found ? found->as<Json::Array>() : nullptr;
  if (!array) return out;
  for (const Json& element : *array) {
    if (const auto* number = element.as<int64_t>()) out.push_back(*number);
  }
  return out;
}

static Result<Argument> array(const Json& json) {
  const std::string dtype = text_of(json, "dtype");
  const auto scalar = ir::scalar_named(dtype == "bool" ? "bool_" : dtype);
  if (!scalar) return Trouble{"an array has the unknown dtype `" + dtype + "`"};
  Argument out{
      .kind = ArgumentKind::Array, .dtype = *scalar, .shape = numbers(json, "shape"), .strides = numbers(json, "stride")};
  out.rank = static_cast<uint32_t>(out.shape.size());
  if (out.strides.size() != out.shape.size()) return Trouble{"an array has no `stride` for each of its `shape`"};
  return out;
}

static Result<Argument> array_list(const Json& json) {
  const Json* items = json.find("items");
  const auto* all = items ? items->as<Json::Array>() : nullptr;
  if (!all || all->empty() || text_of(all->front(), "kind") != "array") return Argument{.kind = ArgumentKind::Other};
  std::optional<Argument> out;
  for (const Json& item : *all) {
    if (text_of(item, "kind") != "array") return Trouble{"a list of arrays has an item that is none"};
    const auto read = array(item);
    if (!read) return Trouble{read.reason()};
    if (!out) out = Argument{.kind = ArgumentKind::ArrayList, .dtype = read->dtype, .rank = read->rank};
    if (read->dtype != out->dtype || read->rank != out->rank) return Trouble{"the arrays of a list differ in dtype or rank"};
  }
  return *out;
}

static Result<Argument> number(const Json& json, const std::string& kind) {
  const Json* found = json.find("value");
  const Json value = found ? *found : Json{};
  if (const auto* b = value.as<bool>(); b && kind == "bool") return Argument{.kind = ArgumentKind::Bool, .value = *b};
  if (const auto* i = value.as<int64_t>(); i && kind == "int") return Argument{.kind = ArgumentKind::Int, .value = *i};
  if (const auto* i = value.as<int64_t>(); i && kind == "float") {
    return Argument{.kind = ArgumentKind::Float, .value = static_cast<double>(*i)};
  }
  if (const auto* d = value.as<double>(); d && kind == "float") return Argument{.kind = ArgumentKind::Float, .value = *d};
  return Trouble{"an argument of kind `" + kind + "` has no `value` of that kind"};
}

// A tensor descriptor: an array with the extents of its tiles.
static Result<Argument> window(const Json& json) {
  auto out = array(json);
  if (!out) return out;
  out->kind = ArgumentKind::Window;
  out->block = numbers(json, "block");
  if (text_of(json, "padding") == "nan") out->padding = ir::Padding::Nan;
  return out;
}

static Result<Argument> dtype(const Json& json) {
  const std::string name = text_of(json, "value");
  const auto scalar = ir::scalar_named(name == "bool" ? "bool_" : name);
  if (!scalar) return Trouble{"the unknown dtype `" + name + "` is passed"};
  return Argument{.kind = ArgumentKind::Dtype, .dtype = *scalar};
}

static Result<Argument> argument(const Json& json) {
  const std::string kind = text_of(json, "kind");
  if (kind == "array") return array(json);
  if (kind == "descriptor") return window(json);
  if (kind == "dtype") return dtype(json);
  if (kind == "none") return Argument{.kind = ArgumentKind::None};
  if (kind == "str") return Argument{.kind = ArgumentKind::String, .text = text_of(json, "value")};
  if (kind == "list" || kind == "tuple") return array_list(json);
  if (kind == "bool" || kind == "int" || kind == "float") return number(json, kind);
  return Argument{.kind = ArgumentKind::Other};
}

Result<ir::LaunchSpec> read_launch(std::string_view text) {
  const auto json = parse_json(text);
  if (!json) return Trouble{json.reason()};
  ir::LaunchSpec out{.kernel = text_of(*json, "kernel"), .arguments = {}};
  const Json* arguments = json->find("arguments");
  const auto* all = arguments ? arguments->as<Json::Array>() : nullptr;
  if (out.kernel.empty() || !all) return Trouble{"expected an object with `kernel` and `arguments`"};
  for (const Json& one : *all) {
    auto read = argument(one);
    if (!read) return Trouble{"argument " + std::to_string(out.arguments.size()) + ": " + read.reason()};
    out.arguments.push_back(std::move(*read));
  }
  return out;
}

}  // namespace tilewright::driver
