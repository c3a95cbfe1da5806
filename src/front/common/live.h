// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Names where the program runs whose text is read. The text says what a name was bound to; the program, which may have bound it
// again or by code that is not evaluated here, says what it is. Without a running program these leave everything to the text.

#pragma once

#include <optional>
#include <string_view>

#include "front/common/value.h"

namespace tilewright::front {

struct Reader;

inline constexpr std::string_view bound_more_than_once = "bound more than once";
inline constexpr std::string_view other_function = "another function where the program runs";
inline constexpr std::string_view function_of_other_file = "a function of another file where the program runs";
inline constexpr std::string_view no_device_value = "no number, function or dtype where the program runs";

// Whether what a name is bound to is not in the text that is read.
bool is_out_of_view(const Val& val);

// What a module-level name, of which the text says `read`, is there.
Val as_it_lives(Reader& reader, Module& module, std::string_view name, Val read);
// The same for a name that the text does not bind; nullopt if the program does not either.
std::optional<Val> unwritten_value(Reader& reader, Module& module, std::string_view name);
// A variable of the functions around the one that is read; nullopt if it reads none of that name. Foreign if it is of no use.
std::optional<Val> enclosing_value(Reader& reader, std::string_view name);

}  // namespace tilewright::front
