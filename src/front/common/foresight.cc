// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a dialect foresees of a kernel's parameters is known from the start, until a reading has shown it or not.

#include <algorithm>

#include "front/common/dialect.h"
#include "front/common/reader.h"

namespace tilewright::front {

const std::vector<Foreseen>& foreseen(Reader& reader, Module& module, NodeId function) {
  const auto [at, fresh] = reader.foreseen.try_emplace({&module, function});
  if (fresh) at->second = reader.dialect.foresee(reader, module, function);  // nothing, where a function calls itself
  return at->second;
}

bool foresee_parameters(Reader& reader, Module& module, NodeId kernel) {
  const std::vector<Foreseen>& parameters = foreseen(reader, module, kernel);
  bool any = false;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Foreseen& parameter = parameters[i];
    Knowledge& known = reader.knowledge[i];
    if (known.scalar || (parameter.array && parameter.number)) continue;
    if (parameter.integer) {
      known.kind = Knowledge::Kind::Scalar;
      known.scalar = ir::Scalar::I32;
      reader.awaited.push_back(static_cast<uint32_t>(i));
      any = true;
      continue;
    }
    if (parameter.number) {
      known.kind = Knowledge::Kind::Scalar;
    } else if (parameter.ranks_differ) {
      known.kind = Knowledge::Kind::Array;
      known.ranks_differ = true;
      known.rank_foreseen = true;
    } else if (parameter.rank != ir::unknown_rank) {
      known.kind = Knowledge::Kind::Array;
      known.rank = parameter.rank;
      known.rank_foreseen = true;
    } else if (parameter.array) {
      continue;  // without a rank it would not be of use
    }
    known.kind_foreseen = true;
    any = true;
  }
  return any;
}

static bool has_two_ranks(const Reader& reader, uint32_t parameter) {
  uint32_t first = ir::unknown_rank;
  for (const RankUse& use : reader.rank_uses) {
    if (use.parameter != parameter) continue;
    if (first != ir::unknown_rank && use.rank != first) return true;
    first = use.rank;
  }
  return false;
}

bool is_confirmed(const Reader& reader) {
  for (uint32_t i = 0; i < reader.knowledge.size(); ++i) {
    const Knowledge& known = reader.knowledge[i];
    if (known.kind_foreseen && !reader.confirmed.kinds.contains(i)) return false;
    if (known.rank_foreseen && !(known.ranks_differ ? has_two_ranks(reader, i) : reader.confirmed.ranks.contains(i)))
      return false;
  }
  return std::all_of(reader.awaited.begin(), reader.awaited.end(), [&](uint32_t parameter) {
    return reader.knowledge[parameter].kind == Knowledge::Kind::Constant || reader.integers.contains(parameter);
  });
}

bool awaits_integers(const Reader& reader) { return !reader.frame->is_kernel || !reader.awaited.empty(); }

// Follows the number to the parameters by the ops that hand down what learn_integer would learn of it.
void confirm_integer(Reader& reader, ir::ValueId number) {
  using ir::OpKind;
  constexpr size_t most = 64;
  Frame& frame = *reader.frame;
  if (!awaits_integers(reader)) return;
  std::vector<ir::ValueId> parts{number};
  for (size_t next = 0; next < parts.size() && next < most; ++next) {
    const std::vector<ir::Param>& params = frame.made->params;
    const auto is_part = [&](const ir::Param& param) { return param.value == parts[next]; };
    const auto param = std::find_if(params.begin(), params.end(), is_part);
    if (param != params.end()) {
      frame.integers.insert(static_cast<uint32_t>(param - params.begin()));
      continue;
    }
    const ir::OpId definition = reader.program.values[parts[next]].definition;
    if (!definition) continue;
    const ir::Op& op = reader.program.ops[definition];
    if (op.kind == OpKind::Get) {
      const auto sole = frame.sole_values.find(op.attrs.var);
      if (sole != frame.sole_values.end() && sole->second) parts.push_back(sole->second);
      continue;
    }
    const bool hands_down = op.kind == OpKind::Add || op.kind == OpKind::Sub || op.kind == OpKind::Mul ||
                            op.kind == OpKind::FloorDiv || op.kind == OpKind::FloorMod || op.kind == OpKind::CeilDiv ||
                            op.kind == OpKind::Min || op.kind == OpKind::Max || op.kind == OpKind::Where ||
                            op.kind == OpKind::Copy || (op.kind == OpKind::Cast && op.attrs.implicit);
    if (hands_down) parts.insert(parts.end(), op.operands.begin() + (op.kind == OpKind::Where ? 1 : 0), op.operands.end());
  }
}

void confirm_array(Reader& reader, ir::ValueId array) {
  const auto index = element_parameter(reader, type_of(reader, array).dtype);
  if (!index) return;
  reader.knowledge[*index].guessed = false;
  reader.confirmed.kinds.insert(*index);
}

void confirm_number(Reader& reader, ir::DtypeId dtype) {
  const ir::Dtype& row = reader.types()[dtype];
  if (row.kind == ir::DtypeKind::Argument) reader.confirmed.kinds.insert(row.index);
}

void confirm_rank(Reader& reader, ir::ValueId array) {
  if (const auto index = element_parameter(reader, type_of(reader, array).dtype)) reader.confirmed.ranks.insert(*index);
}

}  // namespace tilewright::front
