// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "interp/run.h"
#include "source/file.h"

namespace tilewright::driver {

// What a program of the grid calculates on a line, counted from 1; nullopt if the file has no such line.
std::optional<interp::Trace> trace_of(const source::Files& files, source::FileId file, uint32_t line,
                                      const interp::Grid& program);

// A tile for a person: its name, dtype and shape, what its elements are like, and those at its edges.
//
//     x: float32 (4, 64), from -2.31 to 2.9, mean 0.02, 3 NaN
//     [[0.11, -1.2, 0.34, …, 0.9, 1.1, -1],
//      …
std::string text_of(const interp::Traced& tile);

}  // namespace tilewright::driver
