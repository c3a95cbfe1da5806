// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/names.h"

namespace tilewright::ir {
namespace {

template <class Enum, size_t n>
std::string_view pick(const std::string_view (&names)[n], Enum value) {
  const size_t i = static_cast<size_t>(value);
  return i < n ? names[i] : std::string_view{};
}

// Each in the order of its enum.
constexpr std::string_view paddings[] = {"undetermined", "zero", "neg_zero", "nan", "pos_inf", "neg_inf"};
constexpr std::string_view roundings[] = {"default", "nearest", "zero", "minus_inf", "plus_inf", "full", "approx"};
constexpr std::string_view flushes[] = {"keep", "to_zero"};
constexpr std::string_view nan_rules[] = {"ignore", "propagate"};
constexpr std::string_view reductions[] = {"sum", "prod", "max", "min", "argmax", "argmin", "xor", "or"};
constexpr std::string_view atomics[] = {"exchange", "add", "max", "min", "and", "or", "xor"};
constexpr std::string_view orders[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
constexpr std::string_view scopes[] = {"none", "block", "device", "sys"};
constexpr std::string_view bounds_names[] = {"both", "upper_only", "never"};
constexpr std::string_view spellings[] = {
    "usual",  "operator",  "function", "method",     "builtin",         "newaxis",     "transpose", "item",
    "full",   "zeros",     "ones",     "library",    "block_pointer",   "constructor", "bool",      "parameter",
    "target", "augmented", "stop",     "start_stop", "start_stop_step", "split"};
constexpr std::string_view param_kinds[] = {"array",  "array_list", "scalar",  "constant", "dtype",
                                            "erased", "tile",       "pointer", "window",   "unused"};
constexpr std::string_view precisions[] = {"full", "tf32", "tf32x3", "bf16x3", "bf16x6"};
constexpr std::string_view widenings[] = {"halves", "bfloats", "sum", "extreme"};
constexpr std::string_view loose_kinds[] = {"bool", "int", "float"};
constexpr std::string_view families[] = {"value", "control", "launch", "memory", "math", "shape", "reduce"};
constexpr std::string_view effects[] = {"pure", "reads", "writes", "structure", "jump", "call"};

}  // namespace

std::string_view name_of(Padding padding) { return pick(paddings, padding); }
std::string_view name_of(Rounding rounding) { return pick(roundings, rounding); }
std::string_view name_of(Flush flush) { return pick(flushes, flush); }
std::string_view name_of(NanRule rule) { return pick(nan_rules, rule); }
std::string_view name_of(Reduction reduction) { return pick(reductions, reduction); }
std::string_view name_of(Atomic atomic) { return pick(atomics, atomic); }
std::string_view name_of(MemoryOrder order) { return pick(orders, order); }
std::string_view name_of(MemoryScope scope) { return pick(scopes, scope); }
std::string_view name_of(Bounds bounds) { return pick(bounds_names, bounds); }
std::string_view name_of(Spelling spelling) { return pick(spellings, spelling); }
std::string_view name_of(Precision precision) { return pick(precisions, precision); }
std::string_view name_of(Widening widening) { return pick(widenings, widening); }
std::string_view name_of(ParamKind kind) { return pick(param_kinds, kind); }
std::string_view name_of(LooseKind loose) { return pick(loose_kinds, loose); }
std::string_view name_of(Family family) { return pick(families, family); }
std::string_view name_of(Effect effect) { return pick(effects, effect); }

}  // namespace tilewright::ir
