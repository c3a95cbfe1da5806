// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "base/json.h"

#include <nlohmann/json.hpp>

#include "base/check.h"

namespace tilewright {

using Library = nlohmann::ordered_json;

// Fills a Json from the parser's events, so that no second tree is built and nothing is thrown.
struct Reader {
  Json root;
  std::vector<Json*> open;  // containers around the current place; they do not move while they are open
  std::string key;
  std::string error;

  Json* add(Json json) {
    if (open.empty()) {
      root = std::move(json);
      return &root;
    }
    Json& top = *open.back();
    if (auto* array = std::get_if<Json::Array>(&top.value)) return &array->emplace_back(std::move(json));
    return &std::get<Json::Object>(top.value).emplace_back(std::move(key), std::move(json)).second;
  }

  bool null() { return add({}) != nullptr; }
  bool boolean(bool value) { return add({value}) != nullptr; }
  bool number_integer(Library::number_integer_t value) { return add({int64_t{value}}) != nullptr; }
  bool number_unsigned(Library::number_unsigned_t value) {
    if (value > static_cast<uint64_t>(INT64_MAX)) return add({static_cast<double>(value)}) != nullptr;
    return add({static_cast<int64_t>(value)}) != nullptr;
  }
  bool number_float(Library::number_float_t value, const std::string&) { return add({value}) != nullptr; }
  bool string(std::string& value) { return add({std::move(value)}) != nullptr; }
  bool binary(Library::binary_t&) { return false; }
  bool start_array(size_t) { return open.push_back(add({Json::Array{}})), true; }
  bool end_array() { return open.pop_back(), true; }
  bool start_object(size_t) { return open.push_back(add({Json::Object{}})), true; }
  bool end_object() { return open.pop_back(), true; }
  bool key_(std::string& value) { return key = std::move(value), true; }
  bool parse_error(size_t, const std::string& token, const nlohmann::detail::exception& trouble) {
    constexpr int number_overflow = 406;
    constexpr size_t most_shown = 40;
    if (trouble.id == number_overflow) {
      error = "`" + token.substr(0, most_shown) + "` is larger than any float64";
      return false;
    }
    // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    error = trouble.what();
    if (const auto at = error.find(" at "); at != std::string::npos) error.erase(0, at + 4);
    return false;
  }
};

// The library names the event `key`, which is also the member's name here.
struct Events : Reader {
  bool key(std::string& value) { return key_(value); }
};

const Json* Json::find(std::string_view key) const {
  const auto* object = as<Object>();
  if (!object) return nullptr;
  for (const auto& [name, member] : *object) {
    if (name == key) return &member;
  }
  return nullptr;
}

Result<Json> parse_json(std::string_view text) {
  Events events;
  if (!Library::sax_parse(text, &events)) return Trouble{events.error};
  return std::move(events.root);
}

static Library to_library(const Json& json) {
  struct Visitor {
    Library operator()(std::nullptr_t) const { return nullptr; }
    Library operator()(bool value) const { return value; }
    Library operator()(int64_t value) const { return value; }
    Library operator()(double value) const { return value; }
    Library operator()(const std::string& value) const { return value; }
    Library operator()(const Json::Array& array) const {
      Library out = Library::array();
      for (const Json& element : array) out.push_back(to_library(element));
      return out;
    }
    Library operator()(const Json::Object& object) const {
      Library out = Library::object();
      for (const auto& [name, member] : object) out[name] = to_library(member);
      return out;
    }
  };
  return std::visit(Visitor{}, json.value);
}

std::string write_json(const Json& json) {
  return to_library(json).dump(2, ' ', false, Library::error_handler_t::replace) + "\n";
}

}  // namespace tilewright
