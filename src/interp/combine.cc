// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions, scans and maps by a helper of the program, which is run for each step: one element after the other along the axis.

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "interp/machine.h"
#include "interp/walk.h"

namespace tilewright::interp {
namespace {

// Tiles whose elements are combined together.
class Rows {
 public:
  Rows(Machine& machine, const ir::Op& op, const Extents& extents) : machine_(machine), op_(op) {
    for (const ir::ValueId operand : op.operands) {
      const Tile given = machine.tile(operand);
      const TileType type{.dtype = given.dtype(), .extents = extents, .count = count_of(extents)};
      tiles_.push_back(broadcast_to(machine, given, type));
      tiles_.back().type = &machine.plan().tile_type(operand);
    }
  }

  // The element of each tile.
  std::vector<Value> at(int64_t lane) const {
    std::vector<Value> out;
    for (const Tile& tile : tiles_) {
      Tile element = machine_.make(machine_.plan().scalar(tile.dtype()));
      const size_t width = bytes_of(tile.dtype());
      std::memcpy(element.data.data(), tile.data.data() + static_cast<size_t>(lane) * width, width);
      if (tile.undefined) {
        element.undefined = machine_.no_marks(1);
        *element.undefined.as<uint8_t>() = tile.undefined.as<const uint8_t>()[lane];
      }
      out.push_back(std::move(element));
    }
    return out;
  }

  // What the helper makes of these; empty if the program stops here.
  std::vector<Value> combined(std::vector<Value> before, std::vector<Value> next) const {
    before.insert(before.end(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
    return machine_.apply(op_.attrs.rare->function, before);
  }

 private:
  Machine& machine_;
  const ir::Op& op_;
  std::vector<Tile> tiles_;
};

// Tiles that are made an element at a time.
class Results {
 public:
  Results(Machine& machine, const ir::Op& op) : machine_(machine), op_(op) {
    for (const ir::ValueId result : op.results) tiles_.push_back(machine.make(result));
  }

  void put(int64_t lane, const std::vector<Value>& values) {
    for (size_t i = 0; i < tiles_.size(); ++i) {
      Tile& to = tiles_[i];
      const Tile element = machine_.element_of(values[i], to.dtype());
      const size_t width = bytes_of(to.dtype());
      std::memcpy(to.data.data() + static_cast<size_t>(lane) * width, element.data.data(), width);
      if (!element.undefined) continue;
      if (!to.undefined) to.undefined = machine_.no_marks(to.count());
      to.undefined.as<uint8_t>()[lane] = *element.undefined.as<const uint8_t>();
    }
  }

  void set() {
    for (size_t i = 0; i < tiles_.size(); ++i) machine_.set(op_.results[i], std::move(tiles_[i]));
  }

 private:
  Machine& machine_;
  const ir::Op& op_;
  std::vector<Tile> tiles_;
};

struct Axis {
  int64_t outer = 1, length = 1, inner = 1;
};

Axis axis_of(const ir::Op& op, const Extents& extents) {
  Axis out;
  if (op.attrs.all_axes) {
    out.length = count_of(extents);
    return out;
  }
  for (size_t i = 0; i < extents.size(); ++i) {
    (i < op.attrs.axis ? out.outer : i == op.attrs.axis ? out.length : out.inner) *= extents[i];
  }
  return out;
}

}  // namespace

void reduce_by(Machine& machine, const ir::Op& op) {
  const Extents extents = machine.tile(op.operands[0]).extents();
  const Rows rows(machine, op, extents);
  const Axis axis = axis_of(op, extents);
  Results results(machine, op);
  for (int64_t i = 0; i < axis.outer * axis.inner; ++i) {
    const int64_t first = i / axis.inner * axis.length * axis.inner + i % axis.inner;
    std::vector<Value> sum = rows.at(first);
    for (int64_t k = 1; k < axis.length; ++k) {
      sum = rows.combined(std::move(sum), rows.at(first + k * axis.inner));
      if (machine.stopped()) return;
    }
    results.put(i, sum);
  }
  results.set();
}

void scan_by(Machine& machine, const ir::Op& op) {
  const Extents extents = machine.tile(op.operands[0]).extents();
  const Rows rows(machine, op, extents);
  const Axis axis = axis_of(op, extents);
  Results results(machine, op);
  for (int64_t i = 0; i < axis.outer * axis.inner; ++i) {
    const int64_t begin = i / axis.inner * axis.length * axis.inner + i % axis.inner;
    std::vector<Value> sum;
    for (int64_t k = 0; k < axis.length; ++k) {
      const int64_t lane = begin + (op.attrs.reverse ? axis.length - 1 - k : k) * axis.inner;
      sum = k == 0 ? rows.at(lane) : rows.combined(std::move(sum), rows.at(lane));
      if (machine.stopped()) return;
      results.put(lane, sum);
    }
  }
  results.set();
}

void map_by(Machine& machine, const ir::Op& op) {
  const Extents extents = machine.plan().tile_type(op.results[0]).extents;
  const Rows rows(machine, op, extents);
  Results results(machine, op);
  for (int64_t lane = 0; lane < count_of(extents); ++lane) {
    const std::vector<Value> made = rows.combined(rows.at(lane), {});
    if (machine.stopped()) return;
    results.put(lane, made);
  }
  results.set();
}

}  // namespace tilewright::interp
