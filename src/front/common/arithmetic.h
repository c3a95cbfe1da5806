// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What operators of all dialects need: their signs, calculation with constants, broadcasting, conversions.

#pragma once

#include <optional>
#include <string_view>

#include "front/common/reader.h"

namespace tilewright::front {

// The sign of an operator in Python, or the name of the op.
std::string_view symbol_of(ir::OpKind kind);
bool is_comparison(ir::OpKind kind);
bool is_bitwise(ir::OpKind kind);
bool is_shift(ir::OpKind kind);

ir::LooseKind loose_of(ir::ScalarClass kind);
// A constant that adapts to an integer dtype must fit; reports if it does not.
bool check_range(Reader& reader, NodeId node, ir::ValueId value, ir::DtypeId dtype);

// What a constant is where it meets a dtype: nullopt if only a launch says it, or after an error. A plain float is a float32
// first.
std::optional<sym::Value> value_in(Reader& reader, NodeId node, const ir::Type& constant, ir::Scalar scalar);

// An op of constants, calculated as Python does.
Val fold(Reader& reader, NodeId node, ir::OpKind kind, ir::ValueId a, ir::ValueId b, ir::Attrs attrs);
Val fold(Reader& reader, NodeId node, ir::OpKind kind, ir::ValueId value, ir::Attrs attrs);

}  // namespace tilewright::front
