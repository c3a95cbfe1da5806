// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What names of Python's own and of libraries mean to device code: `range`, `math.pi`, `ct.float16`, `torch.int32`.

#include <algorithm>
#include <limits>
#include <numbers>

#include "front/common/host_builtins.h"
#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

namespace tilewright::front::cutile {

namespace {

Val dtype_val(Reader& reader, ir::Scalar scalar) {
  Val val{.kind = ValKind::Dtype};
  val.dtype = reader.types().known(scalar);
  return val;
}

}  // namespace

std::optional<Val> python_name(std::string_view name) {
  if (const Builtin* builtin = find_builtin(BuiltinSet::Python, name)) {
    return Val{.kind = ValKind::Builtin, .builtin = builtin};
  }
  if (name == "None") return none_val();
  if (name == "print") return foreign_val("builtins.print");
  return host_builtin(name);
}

std::optional<Val> namespace_attribute(Reader& reader, const std::string& text, std::string_view name) {
  if (text == "cuda.tile") {
    if (const Builtin* builtin = find_builtin(BuiltinSet::Library, name))
      return Val{.kind = ValKind::Builtin, .builtin = builtin};
    if (const auto scalar = ir::scalar_named(name)) return dtype_val(reader, *scalar);
    const std::string dotted = text + "." + std::string(name);
    if (name == "PaddingMode" || name == "RoundingMode" || name == "MemoryOrder" || name == "MemoryScope")
      return namespace_val(dotted);
    if (name == "Constant" || name == "IndexedWithInt64" || name == "ScalarInt64" || name == "Array") {
      return Val{.kind = ValKind::Annotation, .text = dotted};
    }
    if (is_host_name(name) || unconverted_reason(dotted)) return foreign_val(dotted);
    return std::nullopt;
  }
  const std::string dotted = text + "." + std::string(name);
  if (text == "cuda") return name == "tile" ? namespace_val("cuda.tile") : foreign_val("`" + dotted + "`");
  const auto member = [&](Enumeration enumeration,
                          std::initializer_list<std::pair<std::string_view, uint32_t>> members) -> std::optional<Val> {
    for (const auto& [member_name, index] : members) {
      if (member_name == name) return enum_val(enumeration, index);
    }
    return std::nullopt;
  };
  const auto at = [](auto value) { return static_cast<uint32_t>(value); };
  if (text == "cuda.tile.PaddingMode") {
    using ir::Padding;
    return member(Enumeration::Padding, {{"UNDETERMINED", at(Padding::Undetermined)},
                                         {"ZERO", at(Padding::Zero)},
                                         {"NEG_ZERO", at(Padding::NegZero)},
                                         {"NAN", at(Padding::Nan)},
                                         {"POS_INF", at(Padding::PosInf)},
                                         {"NEG_INF", at(Padding::NegInf)}});
  }
  if (text == "cuda.tile.RoundingMode") {
    using ir::Rounding;
    return member(Enumeration::Rounding, {{"RN", at(Rounding::Nearest)},
                                          {"RZ", at(Rounding::Zero)},
                                          {"RM", at(Rounding::MinusInf)},
                                          {"RP", at(Rounding::PlusInf)},
                                          {"FULL", at(Rounding::Full)},
                                          {"APPROX", at(Rounding::Approx)}});
  }
  if (text == "cuda.tile.MemoryOrder") {
    using ir::MemoryOrder;
    return member(Enumeration::MemoryOrder, {{"WEAK", at(MemoryOrder::Weak)},
                                             {"RELAXED", at(MemoryOrder::Relaxed)},
                                             {"ACQUIRE", at(MemoryOrder::Acquire)},
                                             {"RELEASE", at(MemoryOrder::Release)},
                                             {"ACQ_REL", at(MemoryOrder::AcqRel)}});
  }
  if (text == "cuda.tile.MemoryScope") {
    using ir::MemoryScope;
    return member(Enumeration::MemoryScope, {{"NONE", at(MemoryScope::None)},
                                             {"BLOCK", at(MemoryScope::Block)},
                                             {"DEVICE", at(MemoryScope::Device)},
                                             {"SYS", at(MemoryScope::Sys)}});
  }
  if (text == "math") {
    if (name == "pi") return number_val(std::numbers::pi);
    if (name == "e") return number_val(std::numbers::e);
    if (name == "tau") return number_val(2 * std::numbers::pi);
    if (name == "inf") return number_val(std::numeric_limits<double>::infinity());
    if (name == "nan") return number_val(std::numeric_limits<double>::quiet_NaN());
    return foreign_val(dotted);
  }
  if (text == "operator") return foreign_val(dotted);
  if (text == "torch" || text == "numpy" || text == "ml_dtypes") {
    std::string_view dtype = name;
    if (text == "torch") {
      if (name == "half") dtype = "float16";
      if (name == "float") dtype = "float32";
      if (name == "double") dtype = "float64";
      if (name == "int") dtype = "int32";
      if (name == "long") dtype = "int64";
      if (name == "short") dtype = "int16";
      if (name == "bool") dtype = "bool_";
    } else {
      if (name == "half") dtype = "float16";
      if (name == "single") dtype = "float32";
      if (name == "double") dtype = "float64";
      if (name == "newaxis") return none_val();
    }
    const bool not_theirs = dtype == "tfloat32" || (dtype == "bool_" && text == "torch" && name == "bool_");
    if (const auto scalar = ir::scalar_named(dtype); scalar && !not_theirs) return dtype_val(reader, *scalar);
    if (name == "inf") return number_val(std::numeric_limits<double>::infinity());
    if (name == "nan") return number_val(std::numeric_limits<double>::quiet_NaN());
    if (name == "pi") return number_val(std::numbers::pi);
    if (name == "e") return number_val(std::numbers::e);
    return foreign_val("`" + dotted + "`");
  }
  if (text == "builtins") {
    if (auto val = python_name(name)) return val;
  }
  return foreign_val("`" + dotted + "`");
}

}  // namespace tilewright::front::cutile
