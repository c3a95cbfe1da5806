// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said about host code that changed more than its spelling. All are notes.

#pragma once

#include "diag/message.h"

namespace tilewright::back::host::message {

inline constexpr diag::Message<std::string_view, std::string_view> decorator = {
    "TW260", "decorator `{}` of kernel `{}` is dropped: there is no cuTile kernel left for it"};
inline constexpr diag::Message<> timeout = {"TW261", "the limit on compile time is dropped: Triton has none"};
inline constexpr diag::Message<> dependent_launch = {"TW262", "`programmatic_dependent_launch` is dropped"};
inline constexpr diag::Message<std::string_view, std::string_view> error = {"TW263", "`{}` becomes `{}`"};
inline constexpr diag::Message<std::string_view> search_keyword = {"TW264",
                                                                   "`{}` has no effect on the search that the output holds"};
inline constexpr diag::Message<std::string_view> unreached = {
    "TW265", "function `{}` is dropped: it runs in cuTile kernels only, and no kernel of this file calls it"};

}  // namespace tilewright::back::host::message
