// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The text form of a program: for people (`tilewright dump --stage ir`) and for tests, which read it back.
//
//     kernel @scale @0..96 !1 {
//       param array X = %X: array<elem(0), 1> @10..11 !2
//       param constant N = %N: const<int, N> @13..14 !3
//       body {
//         %pid: tile<int32, []> = program_id @30..39 !4/6
//         %1: tile<elem(0), [N]> = load_tile %X, %pid, %N [rank=1, padding=zero] @45..60 !5/9
//         for %a, %b, %c !10/10 (%i: tile<int32, []>) {
//           set %i [var=$last]
//         }
//       }
//     }
//
// `@` is the span in bytes (`@file:begin..end` where the file is not the first), `!` the statement's and the expression's node.
// Attributes stand there where they differ from their defaults. A second value of a name is `%name.2`, a value without a name
// is a number, in each function anew; variables are `$name`, functions `@name` and, for a second one of that name, `@name.2`. `#`
// starts a comment.
//
// Ids are renumbered: the text of a program that was read from text is that text.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ir/program.h"

namespace tilewright::ir {

enum class Places : uint8_t { Omit, Show };

std::string text(const Program& program, Places places = Places::Show);
Result<Program> parse(std::string_view text);

// "promote(elem(0), float32)", as Types::text says it; nullopt if it is none. The dtype is added to `program`.
std::optional<DtypeId> parse_dtype(Program& program, std::string_view text);

// One op without its regions, as a message may quote it.
std::string text(const Program& program, OpId op);

}  // namespace tilewright::ir
