// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/rows.h"

#include <map>

#include "ir/attrs.h"
#include "ir/names.h"
#include "ir/use.h"
#include "ir/walk.h"

namespace tilewright::ir {
namespace {

// Attributes whose default says something.
bool is_always_told(OpKind kind, std::string_view name) {
  const bool reduces = kind == OpKind::Reduce || kind == OpKind::Scan;
  const bool atomic = kind == OpKind::AtomicRmw || kind == OpKind::AtomicCas;
  if (name == "reduction") return reduces;
  if (name == "atomic" || name == "order_of_memory" || name == "scope") return atomic;
  if (name == "axis")
    return kind == OpKind::Scan || kind == OpKind::Cat || info(kind).family == Family::Launch || kind == OpKind::NumTiles ||
           kind == OpKind::ArrayDim || kind == OpKind::ArrayStride;
  if (name == "axes") return kind == OpKind::Reduce || kind == OpKind::ExpandDims || kind == OpKind::Permute;
  if (name == "padding") return kind == OpKind::LoadTile;
  if (name == "bounds") return kind == OpKind::Gather || kind == OpKind::Scatter || atomic;
  return false;
}

class Table {
 public:
  Table(const Program& program, const source::Files& files) : program_(program), files_(files), used_(used_ops(program)) {}

  Json all() {
    Json::Array out;
    for (const Function& function : program_.functions) {
      if (function.body) each_op(program_, function.body, [&](OpId op) { out.push_back(row(op)); });
    }
    return {std::move(out)};
  }

 private:
  Json row(OpId id) {
    const Op& op = program_.ops[id];
    Json::Object out;
    if (op.span.file && op.span.file.index < files_.size()) {
      const source::File& file = files_[op.span.file];
      out.emplace_back("file", Json{file.path()});
      out.emplace_back("line", Json{int64_t{file.line_of(op.span.begin)}});
      out.emplace_back("column", Json{int64_t{file.byte_column(op.span.begin)}});
    } else {
      for (const char* key : {"file", "line", "column"}) out.emplace_back(key, Json{});
    }
    out.emplace_back("op", Json{std::string(info(op.kind).text)});
    Json::Object attrs;
    if (const auto number = literal_of(program_, op)) {
      std::visit([&](const auto& value) { attrs.emplace_back("literal", Json{value}); }, *number);
    }
    const Attrs defaults;
    std::map<std::string_view, Json> normal;
    each_attr(defaults, [&](const char* name, const auto& field) { normal[name] = json(field); });
    each_attr(op.attrs, [&](const char* name, const auto& field) {
      Json value = json(field);
      if (is_always_told(op.kind, name) || !(value == normal[name])) attrs.emplace_back(name, std::move(value));
    });
    out.emplace_back("attrs", Json{std::move(attrs)});
    Json::Array results;
    for (const ValueId result : op.results) results.push_back(type(result));
    out.emplace_back("type", results.empty() ? Json{std::string("none")} : results[0]);
    if (results.size() > 1) out.emplace_back("types", Json{std::move(results)});
    Json::Array operands;
    for (const ValueId operand : op.operands) operands.push_back(type(operand));
    out.emplace_back("operands", Json{std::move(operands)});
    out.emplace_back("unused", Json{!used_[id.index]});
    return {std::move(out)};
  }

  Json type(ValueId value) const { return {program_.types.text(program_.values[value].type)}; }

  Json json(DtypeId field) const { return field ? Json{program_.types.text(field)} : Json{}; }
  Json json(ValueId field) const { return field ? type(field) : Json{}; }
  Json json(VarId field) const { return field ? Json{program_.vars[field].name} : Json{}; }
  Json json(FunctionId field) const { return field ? Json{program_.functions[field].name} : Json{}; }
  Json json(bool field) const { return {field}; }
  Json json(uint8_t field) const { return {int64_t{field}}; }
  Json json(uint32_t field) const { return {int64_t{field}}; }
  Json json(const RareString& field) const { return {field.string()}; }
  Json json(const RareList<uint32_t>& field) const {
    Json::Array out;
    for (const uint32_t item : field) out.push_back({int64_t{item}});
    return {std::move(out)};
  }
  Json json(const OneList<VarId>& field) const {
    Json::Array out;
    for (const VarId item : field) out.push_back(json(item));
    return {std::move(out)};
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  Json json(Enum field) const {
    return {std::string(name_of(field))};
  }

  const Program& program_;
  const source::Files& files_;
  std::vector<bool> used_;
};

}  // namespace

Json rows(const Program& program, const source::Files& files) { return Table(program, files).all(); }

}  // namespace tilewright::ir
