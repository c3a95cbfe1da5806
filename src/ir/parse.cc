// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <charconv>
#include <map>

#include "ir/attrs.h"
#include "ir/names.h"
#include "ir/text.h"
#include "sym/parse.h"

namespace tilewright::ir {
namespace {

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) || (c >= '0' && c <= '9');
}

// Every step says whether it succeeded; the first that did not leaves the place and what it wanted.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<DtypeId> lone_dtype(Program& owner) {
    std::swap(program_, owner);
    DtypeId out;
    const bool good = dtype(out) && at_ == text_.size();
    std::swap(program_, owner);
    return good ? std::optional{out} : std::nullopt;
  }

  Result<Program> run() {
    skip();
    while (at_ < text_.size()) {
      if (!function()) break;
      skip();
    }
    for (const auto& [key, id] : functions_) {
      if (trouble_.empty() && !program_.functions[id].body) trouble_ = "`@" + key + "` is never defined";
    }
    if (!trouble_.empty()) {
      const auto line =
          std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n') + 1;
      return Trouble{"line " + std::to_string(line) + ": " + trouble_};
    }
    return std::move(program_);
  }

 private:
  bool fail(std::string what) {
    if (trouble_.empty()) trouble_ = std::move(what);
    return false;
  }

  void skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        ++at_;
      } else {
        break;
      }
    }
  }

  bool peek(char c) {
    skip();
    return at_ < text_.size() && text_[at_] == c;
  }

  bool peek_in_line(char c) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() && text_[at_] == c;
  }

  bool accept(std::string_view sign) {
    skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  bool expect(std::string_view sign) { return accept(sign) || fail("expected `" + std::string(sign) + "`"); }

  std::string_view peek_word() {
    skip();
    size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  bool accept_word(std::string_view wanted) {
    if (peek_word() != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  std::string word() {
    const std::string_view found = peek_word();
    at_ += found.size();
    return std::string(found);
  }

  template <class Number>
  bool number(Number& out) {
    skip();
    const auto result = std::from_chars(text_.data() + at_, text_.data() + text_.size(), out);
    if (result.ec != std::errc{}) return fail("expected a number");
    at_ = static_cast<size_t>(result.ptr - text_.data());
    return true;
  }

  bool quoted(std::string& out) {
    if (!expect("\"")) return false;
    out.clear();
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_.substr(at_).starts_with("\\x") && at_ + 4 <= text_.size()) {
        uint8_t byte = 0;
        std::from_chars(text_.data() + at_ + 2, text_.data() + at_ + 4, byte, 16);
        out += static_cast<char>(byte);
        at_ += 4;
        continue;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      out += text_[at_++];
    }
    return expect("\"");
  }

  // A label and the author's name in it: "acc.2" is "acc", `7"a b"` is "a b", "7" is nothing.
  bool label(std::string& key, std::string& name) {
    key = word();
    if (key.empty()) return fail("expected a name");
    name = key[0] >= '0' && key[0] <= '9' ? "" : key;
    if (at_ < text_.size() && text_[at_] == '"') return quoted(name);
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      key.append(1, '.').append(word());
    }
    return true;
  }

  bool value(ValueId& out) {
    std::string key;
    std::string name;
    if (!expect("%") || !label(key, name)) return false;
    const auto [found, is_new] = values_.emplace(key, ValueId{});
    if (is_new) {
      found->second = program_.values.add({.name = name});
      defined_.emplace(found->second, false);
    }
    out = found->second;
    return true;
  }

  bool definition(ValueId& out) {
    if (!value(out)) return false;
    if (defined_[out]) return fail("a value is defined twice");
    if (!expect(":")) return false;
    defined_[out] = true;
    TypeId type_id;
    if (!type(type_id)) return false;
    program_.values[out].type = type_id;
    return true;
  }

  bool var(VarId& out) {
    std::string key;
    std::string name;
    if (!expect("$") || !label(key, name)) return false;
    const auto [found, is_new] = vars_.emplace(key, VarId{});
    if (is_new) found->second = program_.vars.add({.name = name});
    out = found->second;
    return true;
  }

  bool function_name(FunctionId& out) {
    std::string key;
    std::string name;
    if (!expect("@") || !label(key, name)) return false;
    const auto [found, is_new] = functions_.emplace(key, FunctionId{});
    if (is_new) {
      Function function;
      function.name = name;
      found->second = program_.functions.add(std::move(function));
    }
    out = found->second;
    return true;
  }

  bool expression(sym::ExprId& out) {
    skip();
    const std::optional<sym::ExprId> found = sym::parse(program_.arena, text_, at_);
    if (!found) return fail("expected an expression");
    out = *found;
    return true;
  }

  bool dtype(DtypeId& out) {
    Types& types = program_.types;
    const std::string name = word();
    if (const std::optional<Scalar> scalar = scalar_named(name)) {
      out = types.known(*scalar);
      return true;
    }
    if (!expect("(")) return false;
    DtypeId a;
    DtypeId b;
    uint32_t index = 0;
    if (name == "elem" || name == "arg" || name == "passed") {
      if (!number(index)) return false;
      out = name == "elem" ? types.element(index) : name == "arg" ? types.argument(index) : types.passed(index);
    } else if (name == "ptr") {
      if (!dtype(a)) return false;
      out = types.pointer(a);
    } else if (name == "common") {
      if (!dtype(a) || !expect(",") || !dtype(b)) return false;
      out = types.common(a, b);
    } else if (name == "widened") {
      if (!dtype(a) || !expect(",")) return false;
      const std::optional<Widening> widening = named<Widening>(word());
      if (!widening) return fail("expected halves, sum or extreme");
      out = types.widened(a, *widening);
    } else if (name == "promote") {
      if (!dtype(a) || !expect(",") || !dtype(b)) return false;
      out = types.promote(a, b);
    } else if (name == "adapt") {
      if (!dtype(a) || !expect(",")) return false;
      const std::optional<LooseKind> loose = named<LooseKind>(word());
      if (!loose) return fail("expected bool, int or float");
      out = types.adapt(a, *loose);
    } else if (name == "float_of" || name == "count_of" || name == "accumulator") {
      if (!dtype(a)) return false;
      out = name == "float_of" ? types.float_of(a) : name == "count_of" ? types.count_of(a) : types.accumulator(a);
    } else if (name == "select") {
      sym::ExprId condition;
      if (!expression(condition) || !expect(",") || !dtype(a) || !expect(",") || !dtype(b)) return false;
      out = types.select(condition, a, b);
    } else {
      return fail("`" + name + "` is no dtype");
    }
    return expect(")");
  }

  bool rank(uint32_t& out) {
    if (!accept("?")) return number(out);
    out = unknown_rank;
    return true;
  }

  bool type(TypeId& out) {
    Types& types = program_.types;
    const std::string name = word();
    if (name == "none") {
      out = types.none();
      return true;
    }
    if (!expect("<")) return false;
    DtypeId element;
    if (name == "tile" || name == "window") {
      if (!dtype(element) || !expect(",") || !expect("[")) return false;
      std::vector<sym::ExprId> shape;
      while (!accept("]")) {
        sym::ExprId extent;
        if ((!shape.empty() && !expect(",")) || !expression(extent)) return false;
        shape.push_back(extent);
      }
      out = name == "tile" ? types.tile(element, std::move(shape)) : types.window(element, std::move(shape));
    } else if (name == "const" || name == "strict") {
      if (name == "strict" && (!dtype(element) || !expect(","))) return false;
      const std::optional<LooseKind> loose = named<LooseKind>(word());
      sym::ExprId constant;
      if (!loose) return fail("expected bool, int or float");
      if (!expect(",") || !expression(constant)) return false;
      out = name == "const" ? types.constant(*loose, constant) : types.strict_constant(element, *loose, constant);
    } else if (name == "dtype") {
      if (!dtype(element)) return false;
      out = types.dtype_constant(element);
    } else if (name == "array" || name == "array_list") {
      uint32_t dimensions = 0;
      if (!dtype(element) || !expect(",") || !rank(dimensions)) return false;
      out = name == "array" ? types.array(element, dimensions) : types.array_list(element, dimensions);
    } else {
      return fail("`" + name + "` is no type");
    }
    return expect(">");
  }

  bool place(source::Span& span) {
    if (!accept("@")) return true;
    span.file = source::FileId{0};
    uint32_t first = 0;
    if (accept("?:")) {
      span.file = {};
      if (!number(first)) return false;
    } else {
      if (!number(first)) return false;
      if (accept(":")) {
        span.file = source::FileId{first};
        if (!number(first)) return false;
      }
    }
    span.begin = first;
    return expect("..") && number(span.end);
  }

  bool origin(OriginId& out) {
    if (accept("-")) return true;
    return number(out.index);
  }

  bool function() {
    const bool is_kernel = accept_word("kernel");
    if (!is_kernel && !accept_word("helper")) return fail("expected `kernel` or `helper`");
    FunctionId id;
    if (!function_name(id)) return false;
    values_.clear();
    vars_.clear();
    Function f;
    f.name = program_.functions[id].name;
    f.kind = is_kernel ? FunctionKind::Kernel : FunctionKind::Helper;
    if (accept_word("named") && !quoted(f.name)) return false;
    if (accept_word("instance") && !number(f.instance)) return false;
    if (!place(f.span) || (accept("!") && !origin(f.node)) || !expect("{")) return false;
    while (!accept("}")) {
      if (accept_word("hint")) {
        Hint hint{.name = word(), .text = {}};
        if (!quoted(hint.text)) return false;
        f.hints.edit().push_back(std::move(hint));
      } else if (accept_word("param")) {
        if (!param(f)) return false;
      } else if (accept_word("returns")) {
        if (!types_of(f.results)) return false;
      } else if (accept_word("assumes")) {
        sym::ExprId condition;
        if (!expression(condition)) return false;
        f.assumes.push_back(condition);
      } else if (accept_word("body")) {
        if (!block(f.body)) return false;
      } else {
        return fail("expected `hint`, `param`, `returns`, `assumes`, `body` or `}`");
      }
    }
    if (!f.body) f.body = program_.blocks.add({});
    for (const auto& [key, id_of_value] : values_) {
      if (!defined_[id_of_value]) return fail("`%" + key + "` is never defined");
    }
    program_.functions[id] = std::move(f);
    return true;
  }

  bool types_of(ShortList<TypeId>& out) {
    const std::string_view next = peek_word();
    if (next.empty() || next == "body" || next == "assumes") return true;
    do {
      TypeId id;
      if (!type(id)) return false;
      out.push_back(id);
    } while (accept(","));
    return true;
  }

  bool param(Function& f) {
    Param param;
    const std::optional<ParamKind> kind = named<ParamKind>(word());
    if (!kind) return fail("expected the kind of a parameter");
    param.kind = *kind;
    if (peek('"')) {
      std::string name;
      if (!quoted(name)) return false;
      param.name = std::move(name);
    } else {
      param.name = word();
    }
    if (accept("=") && !definition(param.value)) return false;
    param.index_int64 = accept_word("int64");
    param.may_be_none = accept_word("optional");
    param.any_width = accept_word("any_width");
    if (!place(param.span) || (accept("!") && !origin(param.node))) return false;
    f.params.push_back(std::move(param));
    return true;
  }

  bool block(BlockId& out) {
    Block block;
    if (accept("(")) {
      do {
        ValueId argument;
        if (!definition(argument)) return false;
        block.arguments.push_back(argument);
      } while (accept(","));
      if (!expect(")")) return false;
    }
    if (!expect("{")) return false;
    out = program_.blocks.add(std::move(block));
    if (++depth_ > 1000) return fail("regions are nested too deeply");
    while (!accept("}")) {
      if (!op(out)) return false;
    }
    --depth_;
    return true;
  }

  bool op(BlockId owner) {
    Op o;
    if (peek('%')) {
      do {
        ValueId result;
        if (!definition(result)) return false;
        o.results.push_back(result);
      } while (accept(","));
      if (!expect("=")) return false;
    }
    const std::string name = word();
    const std::optional<OpKind> kind = op_named(name);
    if (!kind) return fail("`" + name + "` is no op");
    o.kind = *kind;
    if (peek_in_line('%')) {
      do {
        ValueId operand;
        if (!value(operand)) return false;
        o.operands.push_back(operand);
      } while (accept(","));
    }
    if (accept("[") && !attrs(o)) return false;
    if (o.attrs.rare && !o.attrs.rare->vars.empty()) write_to(o.attrs, OneList<VarId>(o.attrs.rare->vars));
    if (!place(o.span)) return false;
    if (accept("!") && !(origin(o.statement) && expect("/") && origin(o.node))) return false;
    const OpId id{static_cast<uint32_t>(program_.ops.size())};
    for (const ValueId result : o.results) program_.values[result].definition = id;
    program_.ops.add(std::move(o));
    program_.blocks[owner].ops.push_back(id);
    while (peek('{') || peek('(')) {
      BlockId region;
      if (!block(region)) return false;
      program_.ops[id].regions.push_back(region);
    }
    return true;
  }

  bool attrs(Op& op) {
    do {
      const std::string name = word();
      if (!expect("=")) return false;
      bool known = op.kind == OpKind::Literal && name == "literal";
      bool good = !known || literal(op);
      each_attr(op.attrs, [&](const char* field_name, auto& field) {
        if (name != field_name) return;
        known = true;
        good = attr(field);
      });
      if (!known) return fail("`" + name + "` is no attribute");
      if (!good) return fail("`" + name + "` has no such value");
    } while (accept(","));
    return expect("]");
  }

  // The type of the result says it too.
  bool literal(const Op& op) {
    sym::ExprId said;
    return expression(said) && op.results.size() == 1 && program_.types[program_.values[op.results[0]].type].value == said;
  }

  bool attr(DtypeId& field) { return dtype(field); }
  bool attr(ValueId& field) { return value(field); }
  bool attr(VarId& field) { return var(field); }
  bool attr(FunctionId& field) { return function_name(field); }
  bool attr(uint32_t& field) { return number(field); }
  bool attr(uint8_t& field) {
    uint32_t read = 0;
    if (!number(read) || read > UINT8_MAX) return false;
    field = static_cast<uint8_t>(read);
    return true;
  }
  bool attr(RareString& field) {
    std::string text;
    if (!quoted(text)) return false;
    field = std::move(text);
    return true;
  }
  bool attr(bool& field) {
    field = accept_word("true");
    return field || accept_word("false");
  }
  bool attr(RareList<uint32_t>& field) {
    if (!expect("(")) return false;
    while (!accept(")")) {
      uint32_t next = 0;
      if ((!field.empty() && !expect(",")) || !number(next)) return false;
      field.push_back(next);
    }
    return true;
  }
  bool attr(OneList<VarId>& field) {
    if (!expect("(")) return false;
    while (!accept(")")) {
      VarId next;
      if ((!field.empty() && !expect(",")) || !var(next)) return false;
      field.push_back(next);
    }
    return true;
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  bool attr(Enum& field) {
    const std::optional<Enum> found = named<Enum>(word());
    if (found) field = *found;
    return found.has_value();
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string trouble_;
  Program program_;
  int depth_ = 0;
  std::map<std::string, ValueId> values_;
  std::map<ValueId, bool> defined_;
  std::map<std::string, VarId> vars_;
  std::map<std::string, FunctionId> functions_;
};

}  // namespace

Result<Program> parse(std::string_view text) { return Parser(text).run(); }
std::optional<DtypeId> parse_dtype(Program& program, std::string_view text) { return Parser(text).lone_dtype(program); }

}  // namespace tilewright::ir
