// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the reader of cuTile has to say beside what it says of all device code (front/common/messages.h), in the same ranges.

#pragma once

#include <cstdint>
#include <string_view>

#include "front/common/messages.h"

namespace tilewright::front::cutile::messages {

using namespace front::messages;

// Names, syntax, control flow
inline constexpr Message<Text> variadic_kernel{"TW107", "a kernel cannot have the variadic parameter `{}`"};
inline constexpr Message<Text, Text> no_attribute{"TW109", "{} has no attribute `{}`"};
inline constexpr Message<Text> unknown_cutile_name{"TW110", "`cuda.tile` has no `{}`"};

// Types
inline constexpr Message<Text, Text, Text> narrowing{"TW120", "{} of type {} is not converted implicitly to {}"};
inline constexpr Message<Text> bool_arithmetic{"TW122", "`{}` of two bools"};
inline constexpr Message<Text, Text> restricted_arithmetic{"TW123", "cannot calculate `{}` in {}"};
inline constexpr Message<Text, Text, Text> wrong_dtype{"TW126", "`{}` needs {}, but this is {}"};
inline constexpr Message<Text, Text> bad_rounding{"TW127", "`{}` cannot be used with {}"};
inline constexpr Message<Text, Text> bad_reshape{"TW133", "cannot reshape {} to {}"};
inline constexpr Message<Text> bad_subscript{"TW136", "{}"};
inline constexpr Message<Text> bad_tuple_index{"TW137", "{}"};
inline constexpr Message<Text, int64_t, int64_t, int64_t> hint_range{"TW139", "`{}` must be between {} and {}, but is {}"};
inline constexpr Message<Text> bad_atomic{"TW140", "{}"};
inline constexpr Message<Text> bad_cat{"TW142", "{}"};
inline constexpr Message<Text> bad_extract{"TW143", "{}"};
inline constexpr Message<Text> bad_memory_order{"TW144", "{}"};
inline constexpr Message<Text> failed_assertion{"TW145", "the static assertion `{}` does not hold"};

// What is not converted
inline constexpr Message<Text> not_converted{"TW150", "`{}` is not converted"};
inline constexpr Message<Text> unconverted_annotation{"TW159", "the annotation `{}` is not converted"};
inline constexpr Message<Text> unsettled_loose{"TW164",
                                               "`{}` is a plain Python number in some launches and a typed one in others"};

}  // namespace tilewright::front::cutile::messages
