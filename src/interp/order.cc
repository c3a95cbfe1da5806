// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements in their order, and how often they occur.

#include <algorithm>
#include <vector>

#include "interp/arithmetic.h"
#include "interp/lanes.h"
#include "interp/machine.h"
#include "interp/walk.h"

namespace tilewright::interp {

// sort, and top_k: as many as the result has. A row with a NaN, whose order has no meaning, is put in some order.
void sort(Machine& machine, const ir::Op& op) {
  const Tile x = machine.tile(op.operands[0]);
  Tile out = machine.make(op.results[0]);
  const size_t axis = op.attrs.axis;
  const int64_t length = x.extents()[axis];
  const int64_t kept = out.extents()[axis];
  const int64_t inner = row_major(x.extents())[axis];
  const int64_t outer = x.count() / (length * inner);
  if (x.undefined || machine.follows_undefined()) out.undefined = machine.no_marks(out.count());
  with_element(x.dtype(), [&](auto element) {
    using Element = decltype(element);
    using T = typename Element::Computed;
    const auto* from = x.data.as<const typename Element::Stored>();
    auto* to = out.data.as<typename Element::Stored>();
    std::vector<T> row(static_cast<size_t>(length));
    for (int64_t i = 0; i < outer * inner; ++i) {
      const int64_t first = i / inner * length * inner + i % inner;
      bool has_meaning = true;
      for (int64_t k = 0; k < length; ++k) {
        row[static_cast<size_t>(k)] = Element::decode(from[first + k * inner]);
        has_meaning &= !arithmetic::is_nan(row[static_cast<size_t>(k)]);
        has_meaning &= !x.undefined || !x.undefined.as<const uint8_t>()[first + k * inner];
      }
      std::sort(row.begin(), row.end(), [](T a, T b) {
        if (arithmetic::is_nan(a) || arithmetic::is_nan(b)) return !arithmetic::is_nan(a) && arithmetic::is_nan(b);
        return a < b;
      });
      if (op.attrs.reverse) std::reverse(row.begin(), row.end());
      const int64_t begin = i / inner * kept * inner + i % inner;
      for (int64_t k = 0; k < kept; ++k) {
        to[begin + k * inner] = Element::encode(row[static_cast<size_t>(k)]);
        if (out.undefined)
          out.undefined.as<Mark>()[begin + k * inner] = has_meaning ? no_mark : machine.mark(op, Reason::Padding);
      }
    }
  });
  machine.set(op.results[0], std::move(out));
}

void histogram(Machine& machine, const ir::Op& op) {
  const Tile x = machine.tile(op.operands[0]);
  Tile out = machine.make(op.results[0]);
  auto* counts = out.data.as<int32_t>();
  std::fill_n(counts, out.count(), 0);
  std::vector<uint8_t> counted(static_cast<size_t>(x.count()), 1);
  if (op.attrs.has_mask) {
    const TileType bools{.dtype = ir::Scalar::Bool, .extents = x.extents(), .count = x.count()};
    const Tile mask = broadcast_to(machine, machine.tile(op.operands[2], ir::Scalar::Bool), bools);
    if (machine.stopped()) return;
    for (int64_t i = 0; i < x.count(); ++i) counted[static_cast<size_t>(i)] = mask.data.as<const uint8_t>()[i] != 0;
  }
  bool has_meaning = true;
  with_element(x.dtype(), [&](auto element) {
    using Element = decltype(element);
    const auto* from = x.data.as<const typename Element::Stored>();
    for (int64_t i = 0; i < x.count(); ++i) {
      if (!counted[static_cast<size_t>(i)]) continue;
      has_meaning &= !x.undefined || !x.undefined.as<const uint8_t>()[i];
      const auto value = static_cast<int64_t>(Element::decode(from[i]));
      if (value >= 0 && value < out.count()) ++counts[value];
    }
  });
  if (!has_meaning) {
    out.undefined = machine.bytes(static_cast<size_t>(out.count()));
    std::fill_n(out.undefined.as<Mark>(), out.count(), machine.mark(op, Reason::Padding));
  }
  machine.set(op.results[0], std::move(out));
}

}  // namespace tilewright::interp
