// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Who touched which element. Programs of a grid run in any order, so what one of them writes no other may read or write, unless
// both do it by atomics or both write the same. While races are looked for programs run one after another, in order; so each
// element needs to remember only the first program that read it, the first that wrote what it was, and the last that changed it.
//
// Programs that order their accesses by atomics (a lock, a flag that is waited for) are not understood: what a compare-and-swap
// or an exchange guards may be told as a race.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interp/run.h"

namespace tilewright::interp {

enum class Touch : uint8_t {
  Read,
  Keep,    // written with the value that it has
  Change,  // written with another
  Atomic,
};

struct Race {
  int64_t other = 0;  // the number of the other program
  Touch touch = Touch::Read;
};

class Races {
 public:
  explicit Races(const std::vector<Argument>& arguments);

  // Program number `program` touches the element at `address`.
  std::optional<Race> touch(int64_t program, const std::byte* address, Touch touch);

 private:
  static constexpr uint32_t nobody = ~uint32_t{0};

  struct Element {
    uint32_t reader = nobody;  // the first
    uint32_t keeper = nobody;  // the first that wrote the value that it had
    uint32_t writer = nobody;  // the last that changed it
    bool by_atomic = false;    // that is how it was written
  };

  // Memory that arguments reach; those that overlap are one.
  struct Region {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
    std::size_t width = 8;  // of the smallest element
    std::vector<Element> elements;
  };

  void add(const Array& array);

  std::vector<Region> regions_;  // by address
};

}  // namespace tilewright::interp
