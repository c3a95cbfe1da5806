// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Triton's Python, read into the tile program (front/common/read.h). The rules are those of Triton 3.6's code generator.
//
// What Triton decides by a launch and the text does not say is learned from use: which parameters are pointers or descriptors,
// and whether a `tl.constexpr` is a number, a string or a dtype. Where a constant may be an int or a float, dtypes say so
// (`select(N is float, …)`); where a use only makes sense for one of them, the kernel assumes it (ir::Function::assumes).

#pragma once

#include "front/common/read.h"

namespace tilewright::front::triton {

ReadResult read(const syntax::Tree& tree, const ImportResolver& resolver, const Options& options = {});
// Whether a file imports Triton.
bool imports_triton(const syntax::Tree& tree);

}  // namespace tilewright::front::triton
