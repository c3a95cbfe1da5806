// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the sign of a zero is of no consequence. Triton before 3.8 negates by 0 - x, of which no result is -0.0: `-x` may stand
// where nobody can tell, as in `exp(-x)`.

#pragma once

#include <vector>

#include "back/triton/print.h"
#include "back/triton/uses.h"
#include "ir/program.h"

namespace tilewright::back::triton {

class SignsOfZero {
 public:
  // Numerics that leave the order of sums open, and contract them with products, do not say which sign the zero has that they
  // come to.
  SignsOfZero(const ir::Program& program, const Uses& uses, Numerics numerics)
      : program_(program), uses_(uses), numerics_(numerics) {}

  // Whether anything that the program stores or decides may depend on the sign of a float that is zero.
  bool counts(ir::ValueId value);

 private:
  enum class Effect : uint8_t;
  Effect effect(const ir::Op& op, size_t operand) const;
  bool is_product(ir::ValueId value) const;
  bool is_nonzero(ir::ValueId value) const;
  bool is_magnitude(const ir::Op& max) const;
  const std::vector<ir::ValueId>& reads(ir::VarId var);

  const ir::Program& program_;
  const Uses& uses_;
  Numerics numerics_;
  std::vector<std::vector<ir::ValueId>> reads_;  // by variable, once one is asked for
};

}  // namespace tilewright::back::triton
