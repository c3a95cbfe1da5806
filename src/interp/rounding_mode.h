// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cfenv>

#include "ir/program.h"

namespace tilewright::interp {

// The processor's rounding while a loop runs. Loops are called through pointers, so no arithmetic of theirs moves out of it.
class RoundingMode {
 public:
  explicit RoundingMode(ir::Rounding rounding) : before_(std::fegetround()) { std::fesetround(mode(rounding)); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  static int mode(ir::Rounding rounding) {
    switch (rounding) {
      case ir::Rounding::Zero: return FE_TOWARDZERO;
      case ir::Rounding::MinusInf: return FE_DOWNWARD;
      case ir::Rounding::PlusInf: return FE_UPWARD;
      case ir::Rounding::Default:
      case ir::Rounding::Nearest:
      case ir::Rounding::Full:
      case ir::Rounding::Approx: return FE_TONEAREST;
    }
    return FE_TONEAREST;
  }

  int before_;
};

}  // namespace tilewright::interp
