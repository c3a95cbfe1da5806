// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said about host code that keeps its cuTile.

#pragma once

#include "diag/message.h"

namespace tilewright::front::cutile::host_message {

inline constexpr diag::Message<std::string_view> no_counterpart = {"TW250", "`{}` has no counterpart in Triton's host code"};
inline constexpr diag::Message<> star_import = {"TW251", "`from cuda.tile import *` hides which names are cuTile's"};
inline constexpr diag::Message<std::string_view> launch_shape = {"TW252", "this launch can't be rewritten: {}"};
inline constexpr diag::Message<std::string_view> imported_kernel = {"TW254", "`{}` is imported, and is no kernel of this file"};
inline constexpr diag::Message<std::string_view> kernel_from_outside = {"TW254", "no kernel of this file comes to `{}`"};
inline constexpr diag::Message<std::string_view> rebound = {"TW255", "`{}` is bound here a second time"};
inline constexpr diag::Message<> raw_function = {"TW256", "the Python function of a kernel is used other than in `ct.kernel(…)`"};
inline constexpr diag::Message<std::string_view> taken_name = {"TW266", "`{}` means something else in this file"};
inline constexpr diag::Message<std::string_view> foreign_stream = {"TW257", "a stream of {} is not one of torch's"};

}  // namespace tilewright::front::cutile::host_message
