// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A file whose kernels run on the CPU. It is read once; each launch makes its own closed program of a kernel and interprets it,
// as the author wrote it: no rule has touched it.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "interp/run.h"
#include "source/file.h"

namespace tilewright::driver {

struct CpuLaunch {
  std::string kernel;
  uint32_t line = 0;  // one of its `def` with decorators, where several kernels have the name; 0: the first of them
  std::vector<interp::Argument> arguments;  // arrays of one list have one dtype and one rank
  interp::Grid grid = {1, 1, 1};
  std::map<std::string, sym::Value> constants = {};  // module-level numbers that the text does not tell, by name
};

class Runnable {
 public:
  Runnable(std::string path, std::string text);
  ~Runnable();
  Runnable(Runnable&&) noexcept;
  Runnable& operator=(Runnable&&) noexcept;

  const source::Files& files() const;
  source::FileId main() const;
  // Diagnostics with an error say why there was no launch, or what went wrong in the first program that went wrong.
  interp::Report launch(const CpuLaunch& launch, const interp::Options& options) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewright::driver
