// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>

#include "ir/attrs.h"
#include "ir/names.h"
#include "ir/text.h"
#include "sym/parse.h"

namespace tilewright::ir {
namespace {

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80); };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string quoted(const std::string& text) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.append("\\").append(1, c);
    } else if (byte < 0x20) {
      out.append("\\x").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
    } else {
      out += c;
    }
  }
  return out + '"';
}

// Names in the order in which they are first asked for.
template <class IdType>
class Labels {
 public:
  std::string_view of(IdType id, const std::string& name) {
    if (const auto found = labels_.find(id); found != labels_.end()) return found->second;
    std::string label;
    if (is_identifier(name)) {
      const uint32_t count = ++counts_[name];
      label = count == 1 ? name : name + "." + std::to_string(count);
    } else {
      label = std::to_string(next_++);
      if (!name.empty()) label += quoted(name);
    }
    return labels_.emplace(id, std::move(label)).first->second;
  }

 private:
  std::map<IdType, std::string> labels_;
  std::map<std::string, uint32_t> counts_;
  uint32_t next_ = 0;
};

class Printer {
 public:
  Printer(const Program& program, Places places) : program_(program), places_(places) {}

  std::string program() {
    for (uint32_t i = 0; i < program_.functions.size(); ++i) {
      if (i) out_ += "\n";
      function(FunctionId{i});
    }
    return std::move(out_);
  }

  std::string line(OpId id) {
    op(id);
    return std::move(out_);
  }

 private:
  static std::string marked(char mark, std::string_view label) { return std::string(1, mark).append(label); }
  std::string value(ValueId id) { return marked('%', id ? values_.of(id, program_.values[id].name) : "?"); }
  std::string var(VarId id) { return marked('$', id ? vars_.of(id, program_.vars[id].name) : "?"); }
  std::string function_name(FunctionId id) { return marked('@', id ? functions_.of(id, program_.functions[id].name) : "?"); }
  std::string type(TypeId id) const { return program_.types.text(id, sym::quoted); }
  std::string definition(ValueId id) { return value(id) + ": " + type(program_.values[id].type); }

  std::string place(const source::Span& span) const {
    if (places_ == Places::Omit || (!span.file && span.begin == 0 && span.end == 0)) return "";
    std::string out = " @";
    if (!span.file) out += "?:";
    if (span.file && span.file.index != 0) out += std::to_string(span.file.index) + ":";
    return out + std::to_string(span.begin) + ".." + std::to_string(span.end);
  }

  std::string origin(OriginId id) const { return id ? std::to_string(id.index) : "-"; }
  std::string node(OriginId id) const { return places_ == Places::Show && id ? " !" + origin(id) : ""; }

  void indent(int depth) { out_.append(static_cast<size_t>(depth) * 2, ' '); }

  void function(FunctionId id) {
    const Function& f = program_.functions[id];
    values_ = {};
    vars_ = {};
    out_ += f.kind == FunctionKind::Kernel ? "kernel " : "helper ";
    out_ += function_name(id);
    if (!is_identifier(f.name)) out_ += " named " + quoted(f.name);
    if (f.instance) out_ += " instance " + std::to_string(f.instance);
    out_ += place(f.span) + node(f.node) + " {\n";
    for (const Hint& hint : *f.hints) out_ += "  hint " + hint.name + " " + quoted(hint.text) + "\n";
    for (const Param& param : f.params) {
      out_ += "  param " + std::string(name_of(param.kind)) + " " +
              (is_identifier(param.name) ? param.name.string() : quoted(param.name));
      if (param.value) out_ += " = " + definition(param.value);
      if (param.index_int64) out_ += " int64";
      if (param.may_be_none) out_ += " optional";
      if (param.any_width) out_ += " any_width";
      out_ += place(param.span) + node(param.node) + "\n";
    }
    if (!f.results.empty()) {
      out_ += "  returns";
      for (size_t i = 0; i < f.results.size(); ++i) out_ += (i ? ", " : " ") + type(f.results[i]);
      out_ += "\n";
    }
    for (const sym::ExprId condition : f.assumes) out_ += "  assumes (" + program_.arena.text(condition, sym::quoted) + ")\n";
    if (f.body) {
      out_ += "  body {\n";
      block(f.body, 2);
      out_ += "  }\n";
    }
    out_ += "}\n";
  }

  void block(BlockId id, int depth) {
    for (const OpId op_id : program_.blocks[id].ops) {
      indent(depth);
      op(op_id);
      for (const BlockId region : program_.ops[op_id].regions) {
        const Block& inner = program_.blocks[region];
        out_ += " ";
        if (!inner.arguments.empty()) {
          out_ += "(";
          for (size_t i = 0; i < inner.arguments.size(); ++i) out_ += (i ? ", " : "") + definition(inner.arguments[i]);
          out_ += ") ";
        }
        out_ += "{\n";
        block(region, depth + 1);
        indent(depth);
        out_ += "}";
      }
      out_ += "\n";
    }
  }

  void op(OpId id) {
    const Op& o = program_.ops[id];
    for (size_t i = 0; i < o.results.size(); ++i) out_ += (i ? ", " : "") + definition(o.results[i]);
    if (!o.results.empty()) out_ += " = ";
    out_ += info(o.kind).text;
    for (size_t i = 0; i < o.operands.size(); ++i) out_ += (i ? ", " : " ") + value(o.operands[i]);
    std::string attrs;
    if (const auto number = literal_of(program_, o)) attrs = "literal=" + sym::text(*number);
    const Attrs defaults;
    std::vector<std::string> default_texts;
    each_attr(defaults, [&](const char*, const auto& field) { default_texts.push_back(attr(field)); });
    size_t i = 0;
    each_attr(o.attrs, [&](const char* name, const auto& field) {
      const std::string& normal = default_texts[i++];
      std::string text = attr(field);
      if (text != normal) attrs.append(attrs.empty() ? "" : ", ").append(name).append("=").append(text);
    });
    if (!attrs.empty()) out_ += " [" + attrs + "]";
    out_ += place(o.span);
    if (places_ == Places::Show && (o.statement || o.node)) out_ += " !" + origin(o.statement) + "/" + origin(o.node);
  }

  std::string attr(DtypeId field) const { return field ? program_.types.text(field, sym::quoted) : ""; }
  std::string attr(ValueId field) { return field ? value(field) : ""; }
  std::string attr(VarId field) { return field ? var(field) : ""; }
  std::string attr(FunctionId field) { return field ? function_name(field) : ""; }
  std::string attr(uint8_t field) const { return std::to_string(field); }
  std::string attr(uint32_t field) const { return std::to_string(field); }
  std::string attr(bool field) const { return field ? "true" : "false"; }
  std::string attr(const RareString& field) const { return field.empty() ? "" : quoted(field); }
  std::string attr(const RareList<uint32_t>& field) const {
    std::string out = "(";
    for (size_t i = 0; i < field.size(); ++i) out += (i ? ", " : "") + std::to_string(field[i]);
    return out + ")";
  }
  std::string attr(const OneList<VarId>& field) {
    std::string out = "(";
    for (size_t i = 0; i < field.size(); ++i) out += (i ? ", " : "") + var(field[i]);
    return out + ")";
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  std::string attr(Enum field) const {
    return std::string(name_of(field));
  }

  const Program& program_;
  Places places_;
  std::string out_;
  Labels<ValueId> values_;
  Labels<VarId> vars_;
  Labels<FunctionId> functions_;
};

}  // namespace

std::string text(const Program& program, Places places) { return Printer(program, places).program(); }
std::string text(const Program& program, OpId op) { return Printer(program, Places::Omit).line(op); }

}  // namespace tilewright::ir
