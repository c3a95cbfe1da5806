// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the printer of device code says. TW20x refuse, TW22x note a departure from the bits of the original.

#pragma once

#include <string_view>

#include "diag/message.h"

namespace tilewright::back::triton {

using diag::Message;

constexpr Message<std::string_view> no_such_function("TW201", "`{}` has no counterpart in Triton that keeps its meaning");
constexpr Message<std::string_view> no_such_form("TW201", "{} has no counterpart in Triton that keeps its meaning");
constexpr Message<std::string_view, std::string_view> no_such_memory_order(
    "TW201", "`{}` with memory_order={} has no counterpart in Triton that keeps its meaning");
constexpr Message<std::string_view> no_such_dtype("TW202", "Triton has no dtype `{}`");
constexpr Message<std::string_view> unknown_dtype(
    "TW202", "the dtype of this result follows from those of {}, which cannot be written in this function");
constexpr Message<std::string_view> unknown_constant("TW203", "the constant `{}` cannot be written in this helper");
constexpr Message<std::string_view> no_such_rounding("TW205", "`{}` with this rounding mode cannot be said in Triton");

constexpr Message<> unequal_cat("TW206", "tiles of different shape cannot be put side by side in Triton");
constexpr Message<> masked_cas("TW207",
                               "atomic_cas on a tile with a bounds test cannot be said in Triton; check_bounds=False can");
constexpr Message<std::string_view, std::string_view> name_is_needed(
    "TW209", "`{}` cannot be a parameter of `{}`, which needs the name itself");
constexpr Message<> endless_loop("TW208", "a loop without an end cannot be said in Triton");

constexpr Message<std::string_view> keeps_denormals("TW221", "`{}` keeps denormals here, which the original flushes to zero");
constexpr Message<std::string_view> flushes_denormals("TW222", "`{}` flushes denormals to zero in Triton");
constexpr Message<std::string_view> own_approximation("TW223",
                                                      "`{}` may differ in the last bits: Triton has an approximation of its own");
constexpr Message<> tf32_truncates("TW224", "operands are truncated to tf32 here, where the original rounds them");
constexpr Message<> short_quotient("TW228",
                                   "`%` of floats is exact in cuTile; in Triton its quotient has the 24 bits of a float32");
constexpr Message<> wider_accumulator(
    "TW225", "the product is accumulated in float32 here, where the original uses float16 for float16 operands");
constexpr Message<std::string_view, std::string_view> refused_dtypes(
    "TW226", "launches of `{}` with some dtypes that cuTile takes will raise a TypeError: {}");
constexpr Message<std::string_view, std::string_view> refused_numbers(
    "TW227", "launches of `{}` with some numbers that cuTile takes will raise a ValueError: {}");

}  // namespace tilewright::back::triton
