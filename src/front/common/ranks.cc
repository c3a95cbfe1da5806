// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks of arrays: a use says how many axes an array has.
//
// cuTile decides a rank by what a launch passes, so it may be another one where another constant of the launch is set: a bias by
// head under `if KIND == 3:`, one by row and column under `if KIND == 2:`. Such a parameter has no rank of its own
// (ir::unknown_rank), its uses have. Uses of different ranks must be such that no launch gets to both.

#include <algorithm>

#include "front/common/dialect.h"
#include "front/common/reader.h"

namespace tilewright::front {

using ir::ValueId;

std::optional<uint32_t> element_parameter(const Reader& reader, ir::DtypeId dtype) {
  if (!dtype) return std::nullopt;
  const ir::Dtype& row = reader.program.types[dtype];
  if (row.kind != ir::DtypeKind::Element) return std::nullopt;
  return row.index;
}

namespace {

// The constant conditions that hold at the place that is being read, in all functions around it.
Assumptions conditions_here(const Reader& reader) {
  Assumptions all;
  for (const Frame* frame : reader.stack) all.insert(all.end(), frame->assumptions.begin(), frame->assumptions.end());
  return all;
}

// Whether no launch gets to both places.
bool exclude_each_other(Reader& reader, const Assumptions& a, const Assumptions& b) {
  const auto excluded = [&](const Assumptions& conditions, const Assumptions& where) {
    return std::any_of(conditions.begin(), conditions.end(),
                       [&](const auto& one) { return truth(reader, one.first, where) == !one.second; });
  };
  return excluded(a, b) || excluded(b, a);
}

// Gives the array of the kernel that a parameter is the rank just learned. False if something has been made of it without.
bool retype(Reader& reader, uint32_t parameter) {
  const ParameterValue& array = reader.parameter_values[parameter];
  const Knowledge& known = reader.knowledge[parameter];
  if (!array.value || known.kind != Knowledge::Kind::Array || array.ops_before != reader.program.ops.size()) return false;
  reader.program.values[array.value].type = reader.types().array(reader.types().element(parameter), known.rank);
  return true;
}

bool use_rank(Reader& reader, NodeId node, uint32_t parameter, uint32_t rank, Assumptions conditions) {
  Knowledge& known = reader.knowledge[parameter];
  const auto refuse = [&] {
    error(reader, node, messages::two_ranks, reader.stack.front()->made->params[parameter].name.string());
    return false;
  };
  if (known.ranks_differ) {
    constexpr size_t uses_limit = 1000;  // each is compared with those before
    if (reader.rank_uses.size() >= uses_limit) return refuse();
    for (const RankUse& use : reader.rank_uses) {
      if (use.parameter != parameter || use.rank == rank) continue;
      if (!exclude_each_other(reader, use.conditions, conditions)) return refuse();
    }
  } else if (known.rank == ir::unknown_rank) {
    known.rank = rank;
    if (retype(reader, parameter)) return true;
    reader.learned = true;
  } else if (known.rank != rank) {
    // In a list all arrays have one rank.
    if (conditions.empty() || known.kind == Knowledge::Kind::ArrayList) return refuse();
    known.ranks_differ = true;
    reader.learned = true;
  }
  reader.rank_uses.push_back({parameter, rank, std::move(conditions)});
  return true;
}

}  // namespace

bool has_few_axes(Reader& reader, NodeId node, size_t axes) {
  if (axes <= ir::most_axes) return true;
  error(reader, node, messages::bad_axis,
        "arrays and tiles have at most " + std::to_string(ir::most_axes) + " axes, not " + std::to_string(axes));
  return false;
}

bool learn_rank(Reader& reader, NodeId node, ValueId array, uint32_t rank) {
  if (!has_few_axes(reader, node, rank)) return false;
  const ir::Type& type = type_of(reader, array);
  if (type.rank == rank) {
    confirm_rank(reader, array);
    return true;
  }
  const auto parameter = element_parameter(reader, type.dtype);
  return !parameter || use_rank(reader, node, *parameter, rank, conditions_here(reader));
}

bool check_rank(Reader& reader, NodeId node, ValueId array, std::string_view what, size_t count) {
  if (!has_few_axes(reader, node, count)) return false;
  const uint32_t rank = type_of(reader, array).rank;
  if (rank == count) {
    confirm_rank(reader, array);
    return true;
  }
  if (rank == ir::unknown_rank || !conditions_here(reader).empty())
    return learn_rank(reader, node, array, static_cast<uint32_t>(count));
  const std::string& name = reader.program.values[array].name;
  error(reader, node, messages::rank_mismatch, what, static_cast<int64_t>(count), name.empty() ? "the array" : "`" + name + "`",
        static_cast<int64_t>(rank));
  return false;
}

Val rank_unsaid(Reader& reader, NodeId node, ValueId array, std::string_view what) {
  const auto parameter = element_parameter(reader, type_of(reader, array).dtype);
  if (parameter && reader.knowledge[*parameter].ranks_differ) {
    return error_with(reader, node, "a rank that the launch decides is known only where a constant condition and an index say it",
                      messages::two_ranks, reader.stack.front()->made->params[*parameter].name.string());
  }
  reader.learned = true;  // known in the next attempt, if anything says it
  return error(reader, node, messages::not_in_view, reader.tree().text(node), what);
}

std::vector<RankUse> rank_uses_since(const Reader& reader, size_t first) {
  const size_t outer = conditions_here(reader).size();
  std::vector<RankUse> uses(reader.rank_uses.begin() + static_cast<std::ptrdiff_t>(first), reader.rank_uses.end());
  for (RankUse& use : uses)
    use.conditions.erase(use.conditions.begin(), use.conditions.begin() + static_cast<std::ptrdiff_t>(outer));
  return uses;
}

bool repeat_rank_uses(Reader& reader, NodeId node, const std::vector<RankUse>& uses) {
  const Assumptions outer = conditions_here(reader);
  return std::all_of(uses.begin(), uses.end(), [&](const RankUse& use) {
    Assumptions all = outer;
    all.insert(all.end(), use.conditions.begin(), use.conditions.end());
    return use_rank(reader, node, use.parameter, use.rank, std::move(all));
  });
}

}  // namespace tilewright::front
