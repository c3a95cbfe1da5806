// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/common/live.h"

#include <algorithm>

#include "front/common/dialect.h"
#include "front/common/module.h"
#include "front/common/reader.h"

namespace tilewright::front {

namespace {

bool is_ambiguous(const Val& val) { return val.is(ValKind::Foreign) && val.text == bound_more_than_once; }

Val of_library(Reader& reader, const std::string& dotted) {
  const size_t dot = dotted.rfind('.');
  if (dot == std::string::npos) return reader.dialect.is_known_package(dotted) ? namespace_val(dotted) : calculated_val();
  return reader.dialect.namespace_attribute(reader, dotted.substr(0, dot), dotted.substr(dot + 1)).value_or(calculated_val());
}

// One that the text does not lead to.
Val of_function(Reader& reader, const LiveFunction& function) {
  if (function.line == 0) return foreign_val(std::string(function_of_other_file));
  const auto at = reader.options.live->functions.find(function.line);
  if (at == reader.options.live->functions.end()) return calculated_val();
  Module& module = reader.modules.main();
  if (module.tree->as<syntax::FunctionDef>(at->second).name != function.name) return calculated_val();  // it has changed since
  return {.kind = ValKind::Function, .index = function.number, .module = &module, .node = at->second, .text = function.name};
}

// What is `read` by the text is this.
Val of_program(Reader& reader, const Val& read, const Live& live) {
  struct Visitor {
    Reader& reader;
    const Val& read;

    Val operator()(const sym::Value& number) const { return number_val(number); }
    Val operator()(const std::string& text) const { return string_val(text); }
    Val operator()(const std::vector<Live>& items) const {
      const bool is_alike = read.is(ValKind::Tuple) && read.items->size() == items.size();
      std::vector<Val> out;
      for (size_t i = 0; i < items.size(); ++i) {
        out.push_back(of_program(reader, is_alike ? (*read.items)[i] : calculated_val(), items[i]));
      }
      return tuple_val(std::move(out));
    }
    Val operator()(const LibraryName& library) const {
      const bool is_module = read.is(ValKind::File) || read.is(ValKind::Namespace);
      return is_module ? read : of_library(reader, library.dotted);
    }
    Val operator()(const LiveFunction& function) const {
      if (is_calculated(read) || is_ambiguous(read)) return of_function(reader, function);
      if (!read.is(ValKind::Function)) return read;
      const bool is_it = read.module->tree->as<syntax::FunctionDef>(read.node).name == function.name;
      return is_it ? read : foreign_val(std::string(other_function));
    }
    Val operator()(std::monostate) const {
      if (is_ambiguous(read)) return foreign_val(std::string(no_device_value));
      const bool has_changed = read.is(ValKind::Number) || read.is(ValKind::String) || read.is(ValKind::Tuple);
      return has_changed ? calculated_val() : read;
    }
  };
  return std::visit(Visitor{reader, read}, live.content);
}

bool is_nothing(const Live& live) { return std::holds_alternative<std::monostate>(live.content); }

}  // namespace

bool is_out_of_view(const Val& val) {
  if (!val.is(ValKind::Foreign)) return false;
  static constexpr std::string_view reasons[] = {bound_more_than_once, other_function,     function_of_other_file,
                                                 no_device_value,      calculated_on_host, "a variable of the host",
                                                 "defined by itself"};
  return val.text.starts_with("imported from ") ||
         std::find(std::begin(reasons), std::end(reasons), val.text) != std::end(reasons);
}

Val as_it_lives(Reader& reader, Module& module, std::string_view name, Val read) {
  if (!reader.options.live) return read;
  const auto live = reader.options.live->global(module.tree->file(), name);
  return live ? of_program(reader, read, *live) : read;
}

std::optional<Val> unwritten_value(Reader& reader, Module& module, std::string_view name) {
  if (!reader.options.live) return std::nullopt;
  const auto live = reader.options.live->global(module.tree->file(), name);
  if (!live || is_nothing(*live)) return std::nullopt;
  return of_program(reader, calculated_val(), *live);
}

std::optional<Val> enclosing_value(Reader& reader, std::string_view name) {
  const auto function = reader.frame->running;
  if (!function) return std::nullopt;
  const auto live = reader.options.live->enclosing(*function, name);
  if (!live) return std::nullopt;
  return of_program(reader, calculated_val(), *live);
}

}  // namespace tilewright::front
