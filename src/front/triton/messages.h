// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the reader of Triton has to say beside what it says of all device code (front/common/messages.h). TW300 to TW349: Triton
// itself refuses this. TW350 to TW399: Triton accepts it, we do not read it. Each code has a page in docs/codes.

#pragma once

#include "front/common/messages.h"

namespace tilewright::front::triton::messages {

using namespace front::messages;

inline constexpr Message<Text, Text> no_such_name{"TW300", "`{}` has no `{}`"};
inline constexpr Message<Text, Text> no_attribute{"TW301", "{} has no attribute `{}`"};
inline constexpr Message<Text> failed_assertion{"TW302", "the static assertion `{}` does not hold"};
inline constexpr Message<Text, Text> not_pointer{"TW303", "{} must be a pointer, but this is {}"};
inline constexpr Message<Text> pointer_operand{"TW304", "`{}` is not defined for pointers"};
inline constexpr Message<Text, Text, Text> bad_dtypes{"TW305", "`{}` is not defined for {} and {}"};
inline constexpr Message<Text, Text, Text> wrong_dtype{"TW306", "`{}` needs {}, but this is {}"};
inline constexpr Message<Text> bad_shape{"TW307", "{}"};
inline constexpr Message<Text> variadic_kernel{"TW308", "a kernel cannot have the variadic parameter `{}`"};
inline constexpr Message<Text, Text, Text> bad_option{"TW309", "`{}` must be {}, but is {}"};
inline constexpr Message<Text> not_in_triton{"TW310", "{} cannot be used in a Triton function"};
inline constexpr Message<Text, Text> bad_mask{"TW311", "{} must be {}"};

inline constexpr Message<Text, Text> not_read{"TW350", "`{}` is not read: {}"};
inline constexpr Message<Text> which_pointer{"TW351", "which parameter is the pointer here cannot be said: {}"};
inline constexpr Message<Text, Text> of_open_dtype{"TW353", "`{}` of {} depends on the launch"};

}  // namespace tilewright::front::triton::messages
