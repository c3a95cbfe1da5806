// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A file whose kernels run on the CPU. It is read once; each launch makes its own closed program of a kernel and interprets it,
// as the author wrote it: no rule has touched it.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diag/diagnostic.h"
#include "front/cutile/read.h"
#include "interp/run.h"
#include "source/file.h"

namespace tilewright::driver {

struct CpuLaunch {
  std::vector<interp::Argument> arguments;  // arrays of one list have one dtype and one rank
  interp::Grid grid = {1, 1, 1};
};

// A kernel of a program that is running. What it answers is asked while its file is read.
struct LiveKernel {
  std::string name;
  uint32_t line = 0;  // where its definition begins, decorators included
  // What Python has under a name of the module of that file; nullopt if it has no such module.
  std::function<std::optional<front::cutile::Live>(const std::string& path, std::string_view name)> global;
  // What a variable of the functions around a function is; as in front::cutile::LiveNames.
  std::function<std::optional<front::cutile::Live>(uint32_t function, std::string_view name)> enclosing;
};

class Runnable {
 public:
  Runnable(std::string path, std::string text, const LiveKernel& kernel);
  ~Runnable();
  Runnable(Runnable&&) noexcept;
  Runnable& operator=(Runnable&&) noexcept;

  const source::Files& files() const;  // that were read, those of its imports too
  source::FileId main() const;
  // Diagnostics with an error say why there was no launch, or what went wrong in the first program that went wrong.
  interp::Report launch(const CpuLaunch& launch, const interp::Options& options) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// "ieee", "poison"; the reason names them.
Result<interp::Numbers> numbers_named(std::string_view name);

}  // namespace tilewright::driver
