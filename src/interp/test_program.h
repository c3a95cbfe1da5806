// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: programs in text form, run over vectors.

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "interp/run.h"
#include "ir/specialize.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace tilewright::interp {

template <class T>
ir::Scalar dtype_of() {
  if constexpr (std::is_same_v<T, float>) return ir::Scalar::F32;
  if constexpr (std::is_same_v<T, double>) return ir::Scalar::F64;
  if constexpr (std::is_same_v<T, int8_t>) return ir::Scalar::I8;
  if constexpr (std::is_same_v<T, int16_t>) return ir::Scalar::I16;
  if constexpr (std::is_same_v<T, int32_t>) return ir::Scalar::I32;
  if constexpr (std::is_same_v<T, int64_t>) return ir::Scalar::I64;
  if constexpr (std::is_same_v<T, uint8_t>) return ir::Scalar::U8;
  if constexpr (std::is_same_v<T, uint16_t>) return ir::Scalar::U16;
  if constexpr (std::is_same_v<T, uint32_t>) return ir::Scalar::U32;
  if constexpr (std::is_same_v<T, uint64_t>) return ir::Scalar::U64;
}

// The vector as an array without a gap; it must outlive the run. Vectors of unsigned integers may be any dtype of their width.
template <class T>
Array array_of(std::vector<T>& elements, Extents extents, ir::Scalar dtype = dtype_of<T>()) {
  Extents strides(extents.size(), 1);
  for (size_t axis = extents.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * extents[axis];
  return array_over(elements.data(), dtype, std::move(extents), std::move(strides));
}

template <class T>
Array array_of(std::vector<T>& elements) {
  return array_of(elements, {static_cast<int64_t>(elements.size())});
}

// Runs kernel @k of a program in text form for all programs of the grid. "" or what went wrong:
// "TW404: … <what its label says> (in program …)".
inline std::string run_text(const std::string& text, const std::vector<Argument>& arguments, const Grid& grid = {1, 1, 1},
                            const Options& options = {.threads = 1}) {
  const Result<ir::Program> program = ir::parse(text);
  if (!program.ok()) return program.reason();
  EXPECT_EQ(ir::text(ir::verify(*program, ir::Form::Closed)), "");
  const Report report = run(*program, *ir::kernel_named(*program, "k"), arguments, grid, options);
  std::string out;
  for (const diag::Diagnostic& diagnostic : report.diagnostics) {
    out += std::string(diagnostic.code) + ": " + diagnostic.message;
    for (const diag::Label& label : diagnostic.labels) out += " <" + label.text + ">";
    for (const std::string& note : diagnostic.notes) out += " (" + note + ")";
  }
  return out;
}

// A kernel with a parameter per array, named a, b, c …, and this body.
inline std::string kernel_over(const std::vector<Array>& arrays, const std::string& body) {
  std::string out = "kernel @k {\n";
  for (size_t i = 0; i < arrays.size(); ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    out += "  param array " + name + " = %" + name + ": array<" + ir::name_of(arrays[i].dtype) + ", " +
           std::to_string(arrays[i].extents.size()) + ">\n";
  }
  return out + "  body {\n" + body + "\n  }\n}\n";
}

inline std::string run_over(const std::vector<Array>& arrays, const std::string& body, const Grid& grid = {1, 1, 1},
                            const Options& options = {.threads = 1}) {
  return run_text(kernel_over(arrays, body), std::vector<Argument>(arrays.begin(), arrays.end()), grid, options);
}

// The result of an op on tiles: `op` is its text behind the operands ("add", "[dtype=…]" is added by `attrs`).
template <class Out, class In>
std::vector<Out> calculate(const std::string& op, const std::vector<std::vector<In>>& operands, const std::string& attrs = "",
                           ir::Scalar in = dtype_of<In>(), ir::Scalar out = dtype_of<Out>()) {
  std::vector<std::vector<In>> given = operands;
  const auto count = static_cast<int64_t>(given[0].size());
  std::vector<Out> result(given[0].size());
  std::vector<Array> arrays;
  std::string body = "    %zero: const<int, 0> = literal [literal=0]\n    %n: const<int, " + std::to_string(count) +
                     "> = literal [literal=" + std::to_string(count) + "]\n";
  const std::string shape = ", [" + std::to_string(count) + "]>";
  std::string names;
  for (size_t i = 0; i < given.size(); ++i) {
    arrays.push_back(array_of(given[i], {count}, in));
    const std::string number = std::to_string(i);
    body += "    %x" + number + ": tile<" + ir::name_of(in) + shape + " = load_tile %" + static_cast<char>('a' + i) +
            ", %zero, %n [rank=1]\n";
    names += (i ? ", %x" : " %x") + number;
  }
  arrays.push_back(array_of(result, {count}, out));
  body += "    %r: tile<" + std::string(ir::name_of(out)) + shape + " = " + op + names + " [" + attrs + "]\n";
  body += "    store_tile %" + std::string(1, static_cast<char>('a' + given.size())) + ", %zero, %r [rank=1]";
  EXPECT_EQ(run_over(arrays, body), "") << op;
  return result;
}

}  // namespace tilewright::interp
