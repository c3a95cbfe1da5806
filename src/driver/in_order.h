// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Many independent pieces of work on all cores, their results told in order: what a user sees does not depend on who was faster.

#pragma once

#include <cstddef>
#include <functional>

namespace tilewright::driver {

struct Work {
  std::function<void(size_t)> run;           // piece i, on any thread
  std::function<void(size_t)> told;          // after piece i and all before it are done, on the caller's thread
  std::function<void(size_t)> waiting = {};  // how many are done; on the caller's thread, several times a second
};

void in_order(size_t count, unsigned workers, const Work& work);

}  // namespace tilewright::driver
