// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The function that launches a kernel: cuTile's parameters in, Triton's arguments out. It takes arrays apart, refuses dtypes that
// the kernel is not right for, and chooses warps and stages so that every launch that cuTile accepts fits the GPU. Where stages
// alone cannot make it fit, which Triton finds out when it loads the kernel, products are taken in parts (Lowering::plan_parts).

#pragma once

#include <set>
#include <string>
#include <vector>

#include "back/triton/lower.h"

namespace tilewright::back::triton {

struct LaunchText {
  std::string text;
  std::set<std::string> support;
  // What the launch asks for, else it raises: of dtypes "`x` and `y` cannot be float64", of numbers "`n` must not be negative".
  std::vector<std::string> demands;
  std::vector<std::string> conditions;
};

// A parameter of the kernel whose name the launch function, which has the same parameters, needs for something else; or null.
const ir::Param* hides_a_name(const ir::Function& function, const Names& names, ir::FunctionId kernel);

LaunchText launch_text(ir::Program& program, ir::FunctionId kernel, const Lowered& lowered, const Names& names);

}  // namespace tilewright::back::triton
