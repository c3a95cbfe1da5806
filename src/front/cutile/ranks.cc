// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks of arrays: a use says how many axes an array has.

#include <algorithm>

#include "front/cutile/builtins.h"
#include "front/cutile/reader.h"

namespace tilewright::front::cutile {

using ir::ValueId;

std::optional<uint32_t> element_parameter(const Reader& reader, ir::DtypeId dtype) {
  if (!dtype) return std::nullopt;
  const ir::Dtype& row = reader.program.types[dtype];
  if (row.kind != ir::DtypeKind::Element) return std::nullopt;
  return row.index;
}

void learn_rank(Reader& reader, NodeId node, ValueId array, uint32_t rank) {
  const ir::Type& type = type_of(reader, array);
  if (type.rank == rank) return;
  const auto index = element_parameter(reader, type.dtype);
  if (!index) return;
  Knowledge& known = reader.knowledge[*index];
  const std::string& name = reader.stack.front()->made->params[*index].name;
  if (type.rank != ir::unknown_rank || (known.rank != ir::unknown_rank && known.rank != rank)) {
    error(reader, node, messages::two_ranks, name);
    return;
  }
  if (known.rank == rank) return;
  known.rank = rank;
  reader.learned = true;
}

bool check_rank(Reader& reader, NodeId node, ValueId array, std::string_view what, size_t count) {
  const uint32_t rank = type_of(reader, array).rank;
  if (rank == ir::unknown_rank) {
    learn_rank(reader, node, array, static_cast<uint32_t>(count));
    return true;
  }
  if (rank == count) return true;
  const std::string& name = reader.program.values[array].name;
  const bool some_launches =
      std::any_of(reader.stack.begin(), reader.stack.end(), [](const Frame* frame) { return !frame->assumptions.empty(); });
  if (some_launches) {
    // Right in cuTile, where the rank is what a launch passes.
    error(reader, node, messages::two_ranks, name);
    return false;
  }
  error(reader, node, messages::rank_mismatch, what, static_cast<int64_t>(count), name.empty() ? "the array" : "`" + name + "`",
        static_cast<int64_t>(rank));
  return false;
}

}  // namespace tilewright::front::cutile
