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
  std::string kernel;
  uint32_t line = 0;  // one of its `def` with decorators, where several kernels have the name; 0: the first of them
  std::vector<interp::Argument> arguments;  // arrays of one list have one dtype and one rank
  interp::Grid grid = {1, 1, 1};
};

// What Python has under a name of the module of that file while it runs; nullopt if it has no such module. Asked while a file is
// read.
using LiveNames = std::function<std::optional<front::cutile::Live>(const std::string& path, std::string_view name)>;

class Runnable {
 public:
  // `live` may be empty: then numbers are what the text says.
  Runnable(std::string path, std::string text, const LiveNames& live);
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
