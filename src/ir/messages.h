// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What may be wrong with one launch of a kernel that is right for others.

#pragma once

#include <string_view>

#include "diag/message.h"

namespace tilewright::ir::messages {

using diag::Message;
using Text = std::string_view;

inline constexpr Message<Text> other_launch{"TW180", "the launch {}"};
inline constexpr Message<Text> dtypes{"TW181", "with the dtypes of this launch, {}"};
inline constexpr Message<Text> extent{"TW182", "with the constants of this launch, {}"};
inline constexpr Message<Text> shapes{"TW183", "with the constants of this launch, {}"};
inline constexpr Message<Text> does_not_compile{"TW184", "this launch takes a branch that cannot be compiled: {}"};
inline constexpr Message<Text> broken_assertion{"TW185", "this launch breaks a static assertion: {}"};

}  // namespace tilewright::ir::messages
