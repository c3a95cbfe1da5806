// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
#include "front/cutile/dialect.h"

#include "front/cutile/builtins.h"
#include "front/cutile/read.h"

namespace tilewright::front::cutile {

namespace {

bool is_known_package(std::string_view dotted) {
  for (const std::string_view known :
       {"cuda", "cuda.tile", "math", "torch", "numpy", "ml_dtypes", "builtins", "operator", "functools", "typing", "os", "sys"}) {
    if (dotted == known) return true;
  }
  return dotted.starts_with("cuda.tile.");
}

Val binary_of(Reader& reader, NodeId node, ir::OpKind kind, const Val& left, const Val& right, ir::Attrs attrs) {
  return binary(reader, node, kind, left, right, std::move(attrs));
}

}  // namespace

const Dialect dialect{
    .library = "cuda.tile",
    .is_known_package = is_known_package,
    .python_name = python_name,
    .namespace_attribute = namespace_attribute,
    .function = function_of,
    .is_kernel = is_kernel,
    .module_call = [](Reader&, const Val&, const std::vector<Val>&) -> std::optional<Val> { return std::nullopt; },
    .refuse_unconverted = refuse_unconverted,
    .foresee = foresee,
    .make_parameters = make_parameters,
    .hints = hints,
    .parameter_value = parameter_value,
    .constants_are_untyped = false,
    .operation = operation,
    .unary_operation = unary_operation,
    .binary = binary_of,
    .compare = compare,
    .own_comparison = [](Reader&, NodeId, syntax::CmpOperator, const Val&, const Val&) -> std::optional<Val> {
      return std::nullopt;
    },
    .common_dtype = common_dtype,
    .number_dtype = number_dtype,
    .chained_comparison = read_chained_comparison,
    .bool_operation = read_bool_op,
    .attribute = read_attribute,
    .subscript = read_subscript,
    .own_expression = [](Reader&, NodeId) -> std::optional<Val> { return std::nullopt; },
    .own_call = own_call,
    .call_dtype = construct_dtype,
    .call_foreign = call_foreign,
    .read_for = read_for,
    .assigned = [](Reader&, NodeId, NodeId, const Val& value) { return value; },
    .own_statement = [](Reader&, NodeId) { return false; },
    .on_subscript_targets = "use `ct.store` or `ct.scatter`",
    .on_wide_constants = "make it of another dtype: `ct.int64(…)`",
    .on_tile_conditions = "reduce it first, or select lane by lane with `ct.where`",
    .on_outer_names = "pass it to the kernel as a `ct.Constant`",
    .on_nested_kernels = "move it to module level and pass what it reads as `ct.Constant` parameters",
    .constant_annotation = "ct.Constant[int]",
};

ReadResult read(const syntax::Tree& tree, const ImportResolver& resolver, const Options& options) {
  return front::read(dialect, tree, resolver, options);
}

}  // namespace tilewright::front::cutile
