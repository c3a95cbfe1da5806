// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for tiles. A tile is written once and then shared, so a buffer counts its owners; what nobody owns any more is given to
// the next tile of that size. A pool and its buffers belong to one thread.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tilewright::interp {

class Pool;

class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer& other) : block_(other.block_) { retain(); }
  Buffer(Buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Buffer& operator=(Buffer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Buffer() { release(); }

  explicit operator bool() const { return block_; }
  std::byte* data() const { return reinterpret_cast<std::byte*>(block_) + header; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data());
  }

 private:
  friend class Pool;
  static constexpr size_t header = 64;  // elements start where cache lines do

  struct Block {
    Pool* pool;
    Block* next;
    uint32_t owners;
    uint32_t size_class;
  };

  explicit Buffer(Block* block) : block_(block) { retain(); }
  void retain() {
    if (block_) ++block_->owners;
  }
  void release();

  Block* block_ = nullptr;
};

class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  // At least that many bytes, with anything in them.
  Buffer take(size_t bytes);

 private:
  friend class Buffer;
  void give_back(Buffer::Block* block);

  std::array<Buffer::Block*, 64> free_ = {};  // by size class: the block has 2^class bytes behind its header
};

}  // namespace tilewright::interp
