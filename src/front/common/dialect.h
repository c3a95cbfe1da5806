// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the reading of device code asks its dialect. Statements, scopes, branches, calls of helpers and where paths meet are read
// alike in all dialects; what a name, an operator or a function of the library means is the dialect's.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/common/builtins.h"
#include "front/common/reader.h"

namespace tilewright::front {

struct Dialect {
  // Names ---------------------------------------------------------------------------------------------------------------------

  std::string_view library;  // "cuda.tile": a Foreign value of it is `library.name`
  // Whether a module is one whose names the dialect knows: those are not looked for in files.
  bool (*is_known_package)(std::string_view dotted);
  // Python's own names: `range`, `min`.
  std::optional<Val> (*python_name)(std::string_view name);
  // `text.name` for a Namespace; nullopt if the module has no such name.
  std::optional<Val> (*namespace_attribute)(Reader& reader, const std::string& text, std::string_view name);
  // What a module-level def is, by its decorators: Kernel, Function or Foreign.
  Val (*function)(Reader& reader, Module& module, std::string_view name, NodeId def);
  // Whether the def is read as a kernel.
  bool (*is_kernel)(Reader& reader, Module& module, NodeId def);
  // The value of a module-level call that device code may read; nullopt if it is the host's.
  std::optional<Val> (*module_call)(Reader& reader, const Val& callee, const std::vector<Val>& arguments);
  // Reports a foreign name of which the dialect knows that its own compiler takes it; false if it is not one.
  bool (*refuse_unconverted)(Reader& reader, NodeId node, std::string_view name, const Val& val);

  // Kernels -------------------------------------------------------------------------------------------------------------------

  // What the text of a function says of its parameters, before it is read: a guess that uses have to confirm.
  std::vector<Foreseen> (*foresee)(Reader& reader, Module& module, NodeId function);
  // A kernel's parameters, as far as annotations, hints and earlier attempts say.
  void (*make_parameters)(Reader& reader, Frame& frame);
  // The compiler's hints in the decorators.
  std::vector<ir::Hint> (*hints)(Reader& reader, Module& module, NodeId def);
  // The value of a parameter of which it is known what it is.
  ir::ValueId (*parameter_value)(Reader& reader, uint32_t index);

  // Whether a constant of a kernel may be of any kind, which only its uses and the launch say.
  bool constants_are_untyped;

  // Operators and expressions -------------------------------------------------------------------------------------------------

  Val (*operation)(Reader& reader, NodeId node, syntax::Operator op, const Val& left, const Val& right);
  Val (*unary_operation)(Reader& reader, NodeId node, syntax::UnaryOperator op, const Val& operand);
  // For values that are numbers; `==` and the like.
  Val (*binary)(Reader& reader, NodeId node, ir::OpKind kind, const Val& left, const Val& right, ir::Attrs attrs);
  Val (*compare)(Reader& reader, NodeId node, ir::OpKind kind, const Val& left, const Val& right);
  // A comparison that the dialect reads in its own way; nullopt if it is as in Python.
  std::optional<Val> (*own_comparison)(Reader& reader, NodeId node, syntax::CmpOperator op, const Val& left, const Val& right);
  std::optional<ir::DtypeId> (*common_dtype)(Reader& reader, NodeId node, ir::ValueId a, ir::ValueId b);
  // The dtype of a plain number that nothing adapts.
  ir::DtypeId (*number_dtype)(Reader& reader, const ir::Type& constant);
  Val (*chained_comparison)(Reader& reader, NodeId node);
  Val (*bool_operation)(Reader& reader, NodeId node);
  Val (*attribute)(Reader& reader, NodeId node);
  Val (*subscript)(Reader& reader, NodeId node);
  // Any other expression that the dialect has: lists, formatted strings. nullopt if it has none.
  std::optional<Val> (*own_expression)(Reader& reader, NodeId node);
  // Calls that are read before their arguments are: `static_assert`. nullopt for all others.
  std::optional<Val> (*own_call)(Reader& reader, NodeId node, const Val& callee);
  Val (*call_dtype)(Reader& reader, NodeId node, ir::DtypeId dtype, const std::vector<Argument>& arguments);
  Val (*call_foreign)(Reader& reader, NodeId node, const Val& callee);

  // Statements ----------------------------------------------------------------------------------------------------------------

  void (*read_for)(Reader& reader, NodeId node);
  // What a name holds to which the value is assigned.
  Val (*assigned)(Reader& reader, NodeId node, NodeId target, const Val& value);
  // A statement that the dialect reads in its own way: `assert`. False if it does not.
  bool (*own_statement)(Reader& reader, NodeId node);

  // Advice --------------------------------------------------------------------------------------------------------------------

  std::string_view on_subscript_targets;  // "use `ct.store` or `ct.scatter`"
  std::string_view on_wide_constants;     // "make it of another dtype: `ct.int64(…)`"
  std::string_view on_tile_conditions;    // "reduce it first, or select lane by lane with `ct.where`"
  std::string_view on_outer_names;        // "pass it to the kernel as a `ct.Constant`"
  std::string_view on_nested_kernels;
  std::string_view constant_annotation;  // of a parameter: "ct.Constant[int]"
};

}  // namespace tilewright::front
