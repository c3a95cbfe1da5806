// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Triton as a dialect of device code (front/common/dialect.h), and what its families of builtins share.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/common/arithmetic.h"
#include "front/common/dialect.h"
#include "front/triton/messages.h"

namespace tilewright::front::triton {

using Shape = std::vector<sym::ExprId>;

extern const Dialect dialect;

// Names (library.cc) and functions (functions.cc)
std::optional<Val> python_name(std::string_view name);
std::optional<Val> namespace_attribute(Reader& reader, const std::string& text, std::string_view name);
bool is_known_package(std::string_view dotted);
bool is_kernel(Reader& reader, Module& module, NodeId def);
Val function_of(Reader& reader, Module& module, std::string_view name, NodeId def);
std::vector<ir::Hint> hints(Reader& reader, Module& module, NodeId def);
std::optional<Val> module_call(Reader& reader, const Val& callee, const std::vector<Val>& arguments);
bool refuse_unconverted(Reader& reader, NodeId node, std::string_view name, const Val& val);
Val call_foreign(Reader& reader, NodeId node, const Val& callee);
std::optional<Val> own_call(Reader& reader, NodeId node, const Val& callee);

// Parameters (parameters.cc)
void make_parameters(Reader& reader, Frame& frame);
ir::ValueId parameter_value(Reader& reader, uint32_t index);
// The pointer that a value is; learns that a parameter is one. `what` names the role: "the operand of `tl.load`".
std::optional<ir::ValueId> as_pointer(Reader& reader, NodeId node, const Val& val, std::string_view what);
// The parameter that a number may turn out to be, if nothing was calculated with it yet.
std::optional<uint32_t> undecided_parameter(Reader& reader, ir::ValueId value);
// Says that the parameters whose dtype takes part in this one are numbers.
void learn_number(Reader& reader, ir::DtypeId dtype);
// The dtype that a value is; learns that a constant of the kernel is one.
std::optional<ir::DtypeId> dtype_argument(Reader& reader, NodeId node, const Val& val, std::string_view what);
// A constant that only the launch knows: `X is None`, `MODE == "gelu"`.
Val asked_of_launch(Reader& reader, NodeId node, const std::string& question);
// The same, where the answer follows from those to other questions.
Val asked_of_launch(Reader& reader, NodeId node, std::string question, sym::ExprId answer);

// Syntax (expression.cc, loops.cc)
Val operation(Reader& reader, NodeId node, syntax::Operator op, const Val& left, const Val& right);
Val unary_operation(Reader& reader, NodeId node, syntax::UnaryOperator op, const Val& operand);
std::optional<Val> own_comparison(Reader& reader, NodeId node, syntax::CmpOperator op, const Val& left, const Val& right);
Val chained_comparison(Reader& reader, NodeId node);
Val bool_operation(Reader& reader, NodeId node);
Val read_attribute(Reader& reader, NodeId node);
Val read_subscript(Reader& reader, NodeId node);
std::optional<Val> own_expression(Reader& reader, NodeId node);
Val assigned(Reader& reader, NodeId node, NodeId target, const Val& value);
bool own_statement(Reader& reader, NodeId node);
void read_for(Reader& reader, NodeId node);

// Arithmetic (arithmetic.cc)
ir::DtypeId number_dtype(Reader& reader, const ir::Type& constant);
// The dtype of a tile, or that which a number has where nothing adapts it.
ir::DtypeId dtype_of(Reader& reader, ir::ValueId value);
// Whether plain numbers adapt to the tile that they meet, or are tensors first.
enum class Numbers : uint8_t { Adapt, AreTensors };
std::optional<ir::DtypeId> common_dtype(Reader& reader, NodeId node, ir::ValueId a, ir::ValueId b, Numbers numbers);
std::optional<ir::DtypeId> adapting_dtype(Reader& reader, NodeId node, ir::ValueId a, ir::ValueId b);
Val binary(Reader& reader, NodeId node, ir::OpKind kind, const Val& left, const Val& right, ir::Attrs attrs);
Val compare(Reader& reader, NodeId node, ir::OpKind kind, const Val& left, const Val& right);
bool is_pointer(Reader& reader, ir::ValueId value);
// The value converted to a dtype, at a place where the author wrote no conversion. Constants are left alone.
ir::ValueId converted(Reader& reader, NodeId node, ir::ValueId value, ir::DtypeId dtype);
// A number as a value of the program: of a dtype, or of its own.
ir::ValueId as_tensor(Reader& reader, NodeId node, ir::ValueId value, ir::DtypeId dtype = {});
// A tile, a scalar or a number, the number made a value of the program; reports and returns nullopt if it is none.
std::optional<ir::ValueId> tensor_argument(Reader& reader, const Call& call, std::string_view name);
Shape shape_of_both(Reader& reader, NodeId node, ir::ValueId a, ir::ValueId b, bool& fits);
// An op of one operand in the dtype of the operand.
ir::ValueId elementwise(Reader& reader, NodeId node, ir::OpKind kind, ir::ValueId value, ir::Attrs attrs = {});
// A bool of the program or of the launch, for masks; nullopt after an error.
std::optional<ir::ValueId> as_mask(Reader& reader, NodeId node, const Val& val);

// Arguments (builtins.cc)
const Builtin* find_builtin(BuiltinSet set, std::string_view name);
const Builtin* find_libdevice(std::string_view name);
std::optional<std::string_view> unread_reason(std::string_view name);
std::optional<std::string> as_string(Reader& reader, const Call& call, std::string_view name);
// A flag that is known or left at `fallback`.
std::optional<bool> as_flag(Reader& reader, const Call& call, std::string_view name, bool fallback);
// A tuple of anything, or one thing.
std::vector<Val> items_of(const Val& val);
std::optional<std::vector<uint32_t>> as_axes(Reader& reader, NodeId node, const Val& val, uint32_t rank);

}  // namespace tilewright::front::triton
