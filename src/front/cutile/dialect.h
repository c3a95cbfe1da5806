// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// cuTile as a dialect of device code (front/common/dialect.h), and what its families of builtins share.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front/common/dialect.h"
#include "front/cutile/messages.h"

namespace tilewright::front::cutile {

extern const Dialect dialect;

// Names (library.cc) and functions (functions.cc)
std::optional<Val> python_name(std::string_view name);
std::optional<Val> namespace_attribute(Reader& reader, const std::string& text, std::string_view name);
bool is_kernel(Reader& reader, Module& module, NodeId function);
Val function_of(Reader& reader, Module& module, std::string_view name, NodeId def);
std::vector<ir::Hint> hints(Reader& reader, Module& module, NodeId function);
bool refuse_unconverted(Reader& reader, NodeId node, std::string_view name, const Val& val);
Val call_foreign(Reader& reader, NodeId node, const Val& callee);
std::optional<Val> own_call(Reader& reader, NodeId node, const Val& callee);

// Parameters (parameters.cc)
void make_parameters(Reader& reader, Frame& frame);
// What the text says of a function's parameters (foresight.cc).
std::vector<Foreseen> foresee(Reader& reader, Module& module, NodeId function);
ir::ValueId parameter_value(Reader& reader, uint32_t index);
// Where an imported alias is defined, and its text.
std::optional<std::pair<Module*, std::string_view>> alias_text(Reader& reader, Module& module, std::string_view name);

// Syntax (expression.cc, loops.cc)
Val operation(Reader& reader, NodeId node, syntax::Operator op, const Val& left, const Val& right);
Val unary_operation(Reader& reader, NodeId node, syntax::UnaryOperator op, const Val& operand);
Val read_attribute(Reader& reader, NodeId node);
Val read_subscript(Reader& reader, NodeId node);
void read_for(Reader& reader, NodeId node);
Val read_list_item(Reader& reader, NodeId node, ir::ValueId list, const Val& index, NodeId index_node);
Val read_new_axes(Reader& reader, NodeId node, ir::ValueId tile, const Val& key);

// Arithmetic (arithmetic.cc, reduce.cc)
// What a store, scatter or padding value does (cutile.md 4.4): widening only.
// It stands at `node`, as cuTile's does; what is wrong is reported at `value_node`.
std::optional<ir::ValueId> store_cast(Reader& reader, NodeId node, NodeId value_node, ir::ValueId value, ir::DtypeId dtype,
                                      std::string_view what);
ir::DtypeId number_dtype(Reader& reader, const ir::Type& constant);
// cuTile's common dtype of two values; reports and returns nullopt where it is an error for all dtypes.
std::optional<ir::DtypeId> common_dtype(Reader& reader, NodeId node, ir::ValueId a, ir::ValueId b);
Val binary(Reader& reader, NodeId node, ir::OpKind kind, const Val& left, const Val& right, ir::Attrs attrs = {});
Val compare(Reader& reader, NodeId node, ir::OpKind kind, const Val& left, const Val& right);
Val unary(Reader& reader, NodeId node, ir::OpKind kind, const Val& operand, ir::Attrs attrs = {});
Val matmul(Reader& reader, NodeId node, const Val& left, const Val& right, ir::Attrs attrs);

}  // namespace tilewright::front::cutile
