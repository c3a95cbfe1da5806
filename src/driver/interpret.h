// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A file whose kernels run on the CPU. It is read once; each launch makes its own closed program of a kernel and interprets it,
// as the author wrote it: no rule has touched it.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diag/diagnostic.h"
#include "front/cutile/read.h"
#include "interp/field.h"
#include "interp/run.h"
#include "source/file.h"

namespace tilewright::driver {

struct CpuLaunch {
  std::vector<interp::Argument> arguments;  // arrays of one list have one dtype and one rank
  interp::Grid grid = {1, 1, 1};
};

enum class Dialect : uint8_t { CuTile, Triton };

// What a launch in `algebra` leaves in an array, in row-major order.
struct AlgebraArray {
  // Of floats: the residues of each element in the fields (interp/field.h), ~0, ~1 and ~2 for NaN and the infinities; about where
  // it is, and how far from there at most.
  std::vector<std::array<uint64_t, interp::Real::fields>> numbers = {};
  std::vector<double> values = {};
  std::vector<double> errors = {};
  std::vector<std::byte> bytes = {};  // of anything else
};

struct AlgebraReport {
  interp::Report report;
  std::vector<std::vector<AlgebraArray>> arrays;  // by argument: one of an array, those of a list, none of a number
};

// A kernel of a program that is running. What it answers is asked while its file is read.
struct LiveKernel {
  std::string name;
  uint32_t line = 0;  // where its definition begins, decorators included
  Dialect dialect = Dialect::CuTile;
  std::map<std::string, std::string> texts = {};  // that launches pass, by the names of its parameters
  // What Python has under a name of the module of that file; nullopt if it has no such module.
  std::function<std::optional<front::Live>(const std::string& path, std::string_view name)> global;
  // What a variable of the functions around a function is; as in front::LiveNames.
  std::function<std::optional<front::Live>(uint32_t function, std::string_view name)> enclosing;
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
  // The line of the kernel's file, counted from 1, for one program of the grid; nullopt if the file has no such line.
  std::optional<interp::Trace> trace_of(uint32_t line, const interp::Grid& program) const;
  // The same in the number system `algebra`: the caller's arrays stay as they are, and what they would have become is returned.
  // The fields depend on `seed` only.
  AlgebraReport launch_in_algebra(const CpuLaunch& launch, interp::Options options, uint64_t seed) const;

 private:
  struct State;
  interp::Report launch(const CpuLaunch& launch, const std::vector<interp::Argument>& arguments,
                        const interp::Options& options) const;

  std::unique_ptr<State> state_;
};

// "ieee", "poison", "algebra"; the reason names them.
Result<interp::Numbers> numbers_named(std::string_view name);

}  // namespace tilewright::driver
