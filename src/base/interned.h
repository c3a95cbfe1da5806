// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/blocks.h"
#include "base/ids.h"

namespace tilewright {

// Joins the hashes of parts: `hash = mixed(hash, part)` for one after the other.
constexpr uint64_t mixed(uint64_t hash, uint64_t part) {
  hash = (hash ^ part) * 0x9E3779B97F4A7C15;
  return hash ^ hash >> 32;
}

// Rows of which no two are equal, found by what they say. Hash gives a row's 64 bits; the table keeps half of them and the id, so
// that nothing of a row is there twice.
template <class IdType, class Row, class Hash>
class Interned {
 public:
  IdType find(const Row& row) const { return found(row, hash_of(row)); }
  // The id of the row, and whether it is new.
  std::pair<IdType, bool> add(Row row) {
    const uint32_t hash = hash_of(row);
    if (const IdType id = found(row, hash)) return {id, false};
    if ((rows_.size() + 1) * 4 > slots_.size() * 3) grow();
    const IdType id = rows_.add(std::move(row));
    put({hash, id});
    return {id, true};
  }
  // Valid until the next add().
  const Row& operator[](IdType id) const { return rows_[id]; }
  size_t size() const { return rows_.size(); }

  // Forgets the rows from `size` on; ids of them must not be used again.
  void truncate(size_t size) {
    for (size_t i = rows_.size(); i-- > size;) remove(IdType{static_cast<uint32_t>(i)});
    rows_.truncate(size);
  }

 private:
  struct Slot {
    uint32_t hash = 0;
    IdType id = {};
  };

  static uint32_t hash_of(const Row& row) { return static_cast<uint32_t>(Hash()(row)); }
  size_t after(size_t at) const { return (at + 1) & (slots_.size() - 1); }
  size_t place(uint32_t hash) const { return hash & (slots_.size() - 1); }

  IdType found(const Row& row, uint32_t hash) const {
    if (slots_.empty()) return {};
    size_t at = place(hash);
    while (slots_[at].id && !(slots_[at].hash == hash && rows_[slots_[at].id] == row)) at = after(at);
    return slots_[at].id;
  }

  void put(Slot slot) {
    size_t at = place(slot.hash);
    while (slots_[at].id) at = after(at);
    slots_[at] = slot;
  }

  // What comes behind an empty slot would not be found, so what has its place at or before it moves up.
  void remove(IdType id) {
    size_t hole = place(hash_of(rows_[id]));
    while (slots_[hole].id != id) hole = after(hole);
    for (size_t at = after(hole); slots_[at].id; at = after(at)) {
      const size_t mask = slots_.size() - 1;
      const size_t distance = (at - place(slots_[at].hash)) & mask;
      if (distance < ((at - hole) & mask)) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = {};
  }

  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 16 : slots_.size() * 2));
    for (const Slot& slot : before) {
      if (slot.id) put(slot);
    }
  }

  Store<IdType, Row, Blocks<Row>> rows_;
  std::vector<Slot> slots_;  // a power of two of them
};

}  // namespace tilewright
