// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What names of Triton's own, of Python and of libraries mean to device code: `tl.float16`, `libdevice.tanh`, `range`.

#include <algorithm>
#include <limits>
#include <numbers>

#include "front/common/host_builtins.h"
#include "front/triton/dialect.h"

namespace tilewright::front::triton {

namespace {

Val dtype_val(Reader& reader, ir::Scalar scalar) {
  Val val{.kind = ValKind::Dtype};
  val.dtype = reader.types().known(scalar);
  return val;
}

constexpr std::pair<std::string_view, ir::Scalar> dtypes[] = {
    {"int1", ir::Scalar::Bool},   {"int8", ir::Scalar::I8},           {"int16", ir::Scalar::I16},
    {"int32", ir::Scalar::I32},   {"int64", ir::Scalar::I64},         {"uint8", ir::Scalar::U8},
    {"uint16", ir::Scalar::U16},  {"uint32", ir::Scalar::U32},        {"uint64", ir::Scalar::U64},
    {"float16", ir::Scalar::F16}, {"bfloat16", ir::Scalar::BF16},     {"float32", ir::Scalar::F32},
    {"float64", ir::Scalar::F64}, {"float8e4nv", ir::Scalar::F8E4M3}, {"float8e5", ir::Scalar::F8E5M2},
    {"pi32_t", ir::Scalar::I32},
};

// Names of `triton.language` that are no functions of ours.
constexpr std::string_view language_names[] = {
    "tensor",     "dtype", "block_type",        "const", "constexpr_type", "slice",         "tuple",
    "tuple_type", "void",  "tensor_descriptor", "core",  "standard",       "static_assert", "tensor_descriptor_type",
    "aggregate",  "jit",
};

constexpr std::string_view triton_names[] = {
    "jit",
    "autotune",
    "heuristics",
    "Config",
    "constexpr_function",
    "testing",
    "runtime",
    "compiler",
    "tools",
    "backends",
    "knobs",
    "set_allocator",
    "JITFunction",
    "KernelInterface",
    "OutOfResources",
    "InterpreterError",
    "MockTensor",
    "reinterpret",
    "TensorWrapper",
    "compile",
    "CompilationError",
    "must_use_result",
    "__version__",
};

std::optional<Val> of_libdevice(const std::string& dotted, std::string_view name) {
  if (const Builtin* builtin = find_libdevice(name)) return Val{.kind = ValKind::Builtin, .builtin = builtin};
  return foreign_val("`" + dotted + "`");
}

std::optional<Val> of_language(Reader& reader, const std::string& dotted, std::string_view name) {
  for (const auto& [word, scalar] : dtypes) {
    if (word == name) return dtype_val(reader, scalar);
  }
  if (name == "constexpr") return Val{.kind = ValKind::Annotation, .text = dotted};
  if (name == "math" || name == "extra" || name == "PropagateNan" || name == "random" || name == "libdevice")
    return namespace_val(name == "libdevice" ? "triton.language.extra.libdevice" : dotted);
  if (name == "core" || name == "standard") return namespace_val("triton.language");
  if (name == "TRITON_MAX_TENSOR_NUMEL") return number_val(int64_t{1048576});
  if (const Builtin* builtin = find_builtin(BuiltinSet::Library, name)) return Val{.kind = ValKind::Builtin, .builtin = builtin};
  const bool known = std::find(std::begin(language_names), std::end(language_names), name) != std::end(language_names);
  if (known || unread_reason(name)) return foreign_val(dotted);
  return std::nullopt;
}

}  // namespace

bool is_known_package(std::string_view dotted) {
  for (const std::string_view known :
       {"triton", "math", "torch", "numpy", "builtins", "operator", "functools", "typing", "os", "sys", "itertools",
        "dataclasses", "enum", "contextlib", "packaging", "warnings", "logging"}) {
    if (dotted == known) return true;
  }
  return dotted.starts_with("triton.") || dotted.starts_with("torch.");
}

std::optional<Val> python_name(std::string_view name) {
  if (const Builtin* builtin = find_builtin(BuiltinSet::Python, name)) return Val{.kind = ValKind::Builtin, .builtin = builtin};
  if (name == "None") return none_val();
  for (const std::string_view host : {"abs", "divmod", "tuple", "str", "callable", "ImportError", "AttributeError", "KeyError"}) {
    if (name == host) return builtin_of_host(name);
  }
  return host_builtin(name);
}

std::optional<Val> namespace_attribute(Reader& reader, const std::string& text, std::string_view name) {
  const std::string dotted = text + "." + std::string(name);
  if (text == "triton") {
    if (name == "language") return namespace_val("triton.language");
    if (name == "cdiv" || name == "next_power_of_2")
      return Val{.kind = ValKind::Builtin, .builtin = find_builtin(BuiltinSet::Library, name)};
    if (std::find(std::begin(triton_names), std::end(triton_names), name) != std::end(triton_names)) return foreign_val(dotted);
    return foreign_val("`" + dotted + "`");
  }
  if (text == "triton.language") return of_language(reader, dotted, name);
  if (text == "triton.language.PropagateNan") {
    if (name == "ALL") return enum_val(Enumeration::NanRule, static_cast<uint32_t>(ir::NanRule::Propagate));
    if (name == "NONE") return enum_val(Enumeration::NanRule, static_cast<uint32_t>(ir::NanRule::Ignore));
    return std::nullopt;
  }
  if (text == "triton.language.math") {
    if (const Builtin* builtin = find_builtin(BuiltinSet::Library, name))
      return Val{.kind = ValKind::Builtin, .builtin = builtin};
    return of_libdevice(dotted, name);
  }
  if (text == "triton.language.random") return of_language(reader, "triton.language." + std::string(name), name);
  if (text.starts_with("triton.language.extra")) {
    if (const Builtin* builtin = find_libdevice(name)) return Val{.kind = ValKind::Builtin, .builtin = builtin};
    const bool is_module = name == "libdevice" || name == "cuda" || name == "hip";
    return is_module ? namespace_val(dotted) : foreign_val("`" + dotted + "`");
  }
  if (text == "triton.runtime.jit" && name == "jit") return foreign_val("triton.jit");
  if (text == "triton.language.core" || text == "triton.language.standard")
    return of_language(reader, "triton.language." + std::string(name), name);
  if (text == "math") {
    if (name == "pi") return number_val(std::numbers::pi);
    if (name == "e") return number_val(std::numbers::e);
    if (name == "inf") return number_val(std::numeric_limits<double>::infinity());
    if (name == "nan") return number_val(std::numeric_limits<double>::quiet_NaN());
    return foreign_val(dotted);
  }
  if (text == "builtins") {
    if (auto val = python_name(name)) return val;
  }
  return foreign_val("`" + dotted + "`");
}

}  // namespace tilewright::front::triton
