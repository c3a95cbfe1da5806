// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// cuTile's Python, read into the tile program (front/common/read.h). The rules are those of NVIDIA's front end.

#pragma once

#include "front/common/read.h"

namespace tilewright::front::cutile {

ReadResult read(const syntax::Tree& tree, const ImportResolver& resolver, const Options& options = {});

}  // namespace tilewright::front::cutile
