// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/triton/dialect.h"

#include "front/triton/read.h"

namespace tilewright::front::triton {

const Dialect dialect{
    .library = "triton.language",
    .is_known_package = is_known_package,
    .python_name = python_name,
    .namespace_attribute = namespace_attribute,
    .function = function_of,
    .is_kernel = is_kernel,
    .module_call = module_call,
    .refuse_unconverted = refuse_unconverted,
    .foresee = [](Reader&, Module&, NodeId) { return std::vector<Foreseen>(); },
    .make_parameters = make_parameters,
    .hints = hints,
    .parameter_value = parameter_value,
    .constants_are_untyped = true,
    .operation = operation,
    .unary_operation = unary_operation,
    .binary = binary,
    .compare = compare,
    .own_comparison = own_comparison,
    .common_dtype = adapting_dtype,
    .number_dtype = number_dtype,
    .chained_comparison = chained_comparison,
    .bool_operation = bool_operation,
    .attribute = read_attribute,
    .subscript = read_subscript,
    .own_expression = own_expression,
    .own_call = own_call,
    .call_dtype = [](Reader& reader, NodeId node, ir::DtypeId, const std::vector<Argument>&) -> Val {
      return error_with(reader, node, "use `tl.full` or `.to(…)`", messages::not_callable, "a dtype");
    },
    .call_foreign = call_foreign,
    .read_for = read_for,
    .assigned = assigned,
    .own_statement = own_statement,
    .on_subscript_targets = "use `tl.store`",
    .on_wide_constants = "make it of another dtype: `tl.full((), …, tl.int64)`",
    .on_tile_conditions = "reduce it first, or select lane by lane with `tl.where`",
    .on_outer_names = "pass it to the kernel as a `tl.constexpr`",
    .on_nested_kernels = "move it to module level and pass what it reads as `tl.constexpr` parameters",
    .constant_annotation = "tl.constexpr",
};

ReadResult read(const syntax::Tree& tree, const ImportResolver& resolver, const Options& options) {
  return front::read(dialect, tree, resolver, options);
}

bool imports_triton(const syntax::Tree& tree) {
  const auto is_triton = [](std::string_view module) { return module == "triton" || module.starts_with("triton."); };
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    const syntax::NodeId node{i};
    if (const auto from = tree.get_if<syntax::ImportFrom>(node); from && is_triton(from->module)) return true;
    if (const auto import = tree.get_if<syntax::Import>(node)) {
      for (const syntax::NodeId item : import->names)
        if (is_triton(tree.as<syntax::Alias>(item).name)) return true;
    }
  }
  return false;
}

}  // namespace tilewright::front::triton
