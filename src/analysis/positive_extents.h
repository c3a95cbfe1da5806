// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The constants that are positive because tiles with such an extent are made in a block whatever the other constants are.

#pragma once

#include <map>
#include <set>

#include "ir/program.h"

namespace tilewright::analysis {

using Atoms = std::set<sym::ExprId>;

class PositiveExtents {
 public:
  explicit PositiveExtents(const ir::Program& program) : program_(program) {}

  const Atoms& of(ir::BlockId block);

 private:
  bool add(ir::BlockId block, Atoms& out);

  const ir::Program& program_;
  std::map<ir::BlockId, Atoms> found_;
};

}  // namespace tilewright::analysis
