// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/buffer.h"

#include <algorithm>
#include <new>

namespace tilewright::interp {

static constexpr std::align_val_t alignment{64};
static constexpr size_t least_bytes = 64;

void Buffer::release() {
  if (block_ && --block_->owners == 0) block_->pool->give_back(block_);
}

Pool::~Pool() {
  for (Buffer::Block* block : free_) {
    while (block) ::operator delete(std::exchange(block, block->next), alignment);
  }
}

Buffer Pool::take(size_t bytes) {
  const auto size_class = static_cast<uint32_t>(std::bit_width(std::max(bytes, least_bytes) - 1));
  Buffer::Block*& first = free_[size_class];
  if (first) {
    Buffer::Block* block = std::exchange(first, first->next);
    return Buffer(block);
  }
  void* memory = ::operator new(Buffer::header + (size_t{1} << size_class), alignment);
  return Buffer(new (memory) Buffer::Block{.pool = this, .next = nullptr, .owners = 0, .size_class = size_class});
}

void Pool::give_back(Buffer::Block* block) {
  block->next = free_[block->size_class];
  free_[block->size_class] = block;
}

}  // namespace tilewright::interp
