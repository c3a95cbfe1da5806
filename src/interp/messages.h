// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What may go wrong while a program runs.

#pragma once

#include <string_view>

#include "diag/message.h"

namespace tilewright::interp::messages {

using diag::Message;
using Text = std::string_view;

inline constexpr Message<Text, Text, int64_t, int64_t, int64_t> outside{
    "TW401", "{} outside of `{}`: index {} on axis {}, whose extent is {}"};
inline constexpr Message<Text, Text> outside_of_memory{"TW402", "{} outside of the memory of the array that `{}` is a slice of"};
inline constexpr Message<Text, Text, int64_t> outside_of_argument{"TW402", "{} outside of the memory of `{}`: at element {}"};
inline constexpr Message<Text> outside_of_all{"TW402", "{} where no argument of the launch has memory"};
inline constexpr Message<Text, int64_t> misaligned{"TW415", "{} at an address that is no multiple of its {} bytes"};
inline constexpr Message<Text, int64_t, int64_t, int64_t> stored_wholly_outside{
    "TW412", "a tile is stored wholly outside of `{}`: at tile index {} on axis {}, whose extent is {}"};
inline constexpr Message<int64_t> endless{"TW403", "this loop does not end: it has run {} times"};
inline constexpr Message<int64_t> backwards{"TW407", "the step of this loop is {}, and not positive"};
inline constexpr Message<Text> undefined{"TW404", "a value that has no meaning {}"};
inline constexpr Message<Text> not_applicable{"TW413", "not applicable: a number that `algebra` does not know {}"};
inline constexpr Message<Text> mixed_memory{
    "TW414", "not applicable: the memory of `{}` is an argument of another dtype too, and `algebra` keeps no bits of floats"};
inline constexpr Message<Text, Text, Text> race{"TW410", "an element of `{}` is {} here and {} by another program of the grid"};
inline constexpr Message<Text> no_arithmetic{"TW405", "the interpreter has no arithmetic on {}"};
inline constexpr Message<int64_t> too_large{"TW411", "a tile of {} MiB is more than the interpreter takes"};
inline constexpr Message<Text> unknown_constant{"TW406", "the launch does not say what {} is"};

}  // namespace tilewright::interp::messages
