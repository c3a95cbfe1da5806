// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a launch for the number system `algebra`: a copy of the memory of its arrays, in which floats are Reals.
// Arrays that share memory share it there too. The caller's memory is read and never written.

#pragma once

#include <vector>

#include "diag/diagnostic.h"
#include "interp/field.h"
#include "interp/run.h"

namespace tilewright::interp {

class LiftedArguments {
 public:
  LiftedArguments(const Field& field, const std::vector<Argument>& arguments);
  LiftedArguments(LiftedArguments&&) = default;

  const std::vector<Argument>& arguments() const { return arguments_; }
  // The first argument whose memory is an argument of another dtype too; then nothing can be run.
  std::optional<size_t> mixed() const { return mixed_; }

 private:
  // Memory that arrays reach, those of one dtype that overlap as one.
  struct Region {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
    ir::Scalar dtype = ir::Scalar::F32;
    size_t argument = 0;  // the first
    Kept kept = Kept::Bits;
    std::vector<Real> reals = {};
    std::vector<std::byte> bytes = {};
    std::vector<uint8_t> unwritten = {};

    std::byte* data() { return kept == Kept::Real ? reinterpret_cast<std::byte*>(reals.data()) : bytes.data(); }
  };

  void add(const Array& array, size_t argument);
  void unite();
  void fill(Region& region, const Field& field);
  Array lifted(const Array& array);

  std::vector<Region> regions_;  // by address
  std::vector<Argument> arguments_;
  std::optional<size_t> mixed_;
};

// Elements of an array in row-major order: Reals of a float array, the bytes of others.
std::vector<Real> reals_of(const Array& array);
std::vector<std::byte> bytes_of(const Array& array);

}  // namespace tilewright::interp
