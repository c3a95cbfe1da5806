// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The small enums of the tree, with Python's own names.

#pragma once

#include <cstdint>
#include <string_view>

namespace tilewright::syntax {

enum class NodeKind : uint8_t {
#define TW_NODE(kind, family, fields) kind,
#include "syntax/nodes.def"
#undef TW_NODE
};

enum class NodeFamily : uint8_t { Root, Statement, Expression, Part, Pattern, TypeParam };

enum class Operator : uint8_t { Add, Sub, Mult, MatMult, Div, Mod, Pow, LShift, RShift, BitOr, BitXor, BitAnd, FloorDiv };
enum class UnaryOperator : uint8_t { Invert, Not, UAdd, USub };
enum class BoolOperator : uint8_t { And, Or };
enum class CmpOperator : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };
enum class Context : uint8_t { Load, Store, Del };
enum class ConstantKind : uint8_t { None, True, False, Ellipsis, Int, Float, Complex, Str, Bytes };

// The grammar that a file is read with; the newest by default.
enum class Version : uint8_t { Py38 = 8, Py39, Py310, Py311, Py312, Py313, Py314 };

NodeFamily family(NodeKind kind);
std::string_view name(NodeKind kind);  // "FunctionDef", "arguments", "match_case": Python's class name
std::string_view name(Operator op);    // "Add"
std::string_view name(UnaryOperator op);
std::string_view name(BoolOperator op);
std::string_view name(CmpOperator op);
std::string_view name(Context context);
std::string_view spelling(Operator op);  // "+"
std::string_view spelling(UnaryOperator op);
std::string_view spelling(BoolOperator op);
std::string_view spelling(CmpOperator op);  // "not in"

}  // namespace tilewright::syntax
