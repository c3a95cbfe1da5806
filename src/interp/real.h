// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A real number as the number system `algebra` keeps it: its residues in two finite fields, which tell numbers apart, and about
// where it lies, which orders them. interp/field.h calculates with it.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "interp/origin.h"

namespace tilewright::interp {

// As interp/modulus.h keeps residues. `exponent` is the number modulo the order of the field's base, so that the base can be
// raised to it; nothing of it is left once an exponential is part of the number.
struct Residue {
  static constexpr uint64_t lost = ~uint64_t{0};

  uint64_t number = 0;
  uint64_t exponent = 0;

  bool operator==(const Residue&) const = default;
};

struct Real {
  static constexpr size_t fields = 2;

  Residue in[fields] = {};
  double value = 0;  // at most `error` away from the number; an infinity or NaN is one itself, and then has no residues
  double error =
      0;  // of a number: infinite where nothing is known of its size. Below 0: not known at all, for the reason -error - 1

  bool operator==(const Real&) const = default;

  bool is_known() const { return error >= 0; }
  bool is_finite() const { return is_known() && std::isfinite(value); }
  bool is_nan() const { return is_known() && std::isnan(value); }
  bool is_exact() const { return error == 0 && std::isfinite(value); }  // then `value` is the number itself
  bool has_exponent() const { return in[0].exponent != Residue::lost; }
  // Of finite numbers.
  bool is_zero() const { return !in[0].number && !in[1].number; }
  bool is_same(const Real& other) const { return in[0].number == other.in[0].number && in[1].number == other.in[1].number; }
  // Why it is not known.
  Reason reason() const { return static_cast<Reason>(-error - 1); }

  static Real special(double infinity_or_nan) { return {.in = {}, .value = infinity_or_nan, .error = 0}; }
  static Real unknown(Reason reason) { return {.in = {}, .value = 0, .error = -1 - static_cast<double>(reason)}; }
};

}  // namespace tilewright::interp
