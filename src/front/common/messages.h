// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the reader has to say of device code in all dialects. TW100 to TW149: the dialect's own compiler refuses this. TW150 to
// TW199: it accepts it, we do not read it. Each code has a page in docs/codes.

#pragma once

#include <cstdint>
#include <string_view>

#include "diag/message.h"

namespace tilewright::front::messages {

using diag::Message;
using Text = std::string_view;

inline constexpr Message<Text> undefined_name{"TW100", "undefined variable `{}`"};
inline constexpr Message<Text> unsupported_syntax{"TW101", "{} cannot be used in device code"};
inline constexpr Message<Text> loop_else{"TW103", "`{}` cannot be used in device code"};
inline constexpr Message<Text> outside_loop{"TW104", "`{}` outside of a loop"};
inline constexpr Message<Text, Text> maybe_undefined{"TW105", "`{}` may be undefined here: {}"};
inline constexpr Message<Text, Text> type_differs{"TW106", "the type of {} depends on the path taken: {}"};
inline constexpr Message<> kernel_returns{"TW108", "a kernel cannot return a value"};
inline constexpr Message<Text> host_in_device{"TW111", "{} cannot be used in device code"};
inline constexpr Message<Text> not_callable{"TW112", "{} cannot be called"};
inline constexpr Message<Text, Text> missing_argument{"TW113", "`{}` needs an argument for `{}`"};
inline constexpr Message<Text, Text> bad_argument{"TW114", "`{}` does not take {}"};
inline constexpr Message<Text, Text, Text> wrong_kind{"TW115", "{} must be {}, but this is {}"};
inline constexpr Message<Text, Text> not_constant{"TW116", "{} must be {}, but this is known only at run time"};
inline constexpr Message<Text, Text> bad_extent{"TW117", "extent {} is not {}"};
inline constexpr Message<Text, int64_t, Text, int64_t> rank_mismatch{"TW118", "{} has {} elements, but {} has rank {}"};
inline constexpr Message<Text> bad_axis{"TW119", "{}"};
inline constexpr Message<Text, Text> bit_operands{"TW124", "`{}` needs {}"};
inline constexpr Message<Text, Text> not_broadcastable{"TW125", "shapes {} and {} cannot be broadcast"};
inline constexpr Message<Text, Text> out_of_range{"TW128", "the constant {} is out of range of {}"};
inline constexpr Message<int64_t, int64_t> unpack_count{"TW129", "cannot unpack {} values into {} names"};
inline constexpr Message<Text> condition_not_scalar{"TW130", "a condition must be a scalar, but this is {}"};
inline constexpr Message<Text> bad_range{"TW131", "{}"};
inline constexpr Message<Text> none_comparison{"TW134", "{}"};
inline constexpr Message<Text, Text, Text> bad_operands{"TW135", "`{}` is not defined for {} and {}"};
inline constexpr Message<Text> bad_folding{"TW141", "{}"};
inline constexpr Message<Text> nested_kernel{"TW151",
                                             "the kernel `{}` is defined inside of a function, whose variables it may read"};
inline constexpr Message<Text> kernel_in_class{"TW151", "the kernel `{}` is defined inside of a class"};
inline constexpr Message<Text, Text> not_in_view{"TW152", "`{}` is {}, whose value is not known here"};
inline constexpr Message<Text> depends_on_launch{"TW153", "{} depends on a constant of the launch"};
inline constexpr Message<Text> unconverted_syntax{"TW154", "{} is not converted"};
inline constexpr Message<Text> unconverted_argument{"TW155", "{}"};
inline constexpr Message<Text> recursion{"TW156", "`{}` calls itself"};
inline constexpr Message<Text, Text> changing_value{"TW157", "`{}` holds {} that changes at run time"};
inline constexpr Message<> too_deep{"TW158", "this is nested too deeply"};
inline constexpr Message<Text> dead_branch{"TW160", "this branch does not compile and is taken by no launch that works: {}"};
inline constexpr Message<Text> decorated_helper{"TW161", "`{}` is decorated, and what its decorator does is not known here"};
inline constexpr Message<Text> two_kinds{"TW162", "`{}` is used both as an array and as a number"};
inline constexpr Message<Text> two_ranks{"TW163", "the array `{}` is used with different ranks"};
inline constexpr Message<Text, Text> no_common_dtype{"TW121", "{} and {} have no common dtype"};
inline constexpr Message<Text> bad_bitcast{"TW138", "{}"};
inline constexpr Message<Text> bad_product{"TW132", "{}"};

}  // namespace tilewright::front::messages
