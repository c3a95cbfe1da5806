// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/parts.h"

#include "base/disjoint_sets.h"
#include "ir/walk.h"

namespace tilewright::analysis {

Parts::Parts(const ir::Program& program)
    : part_of_(program.functions.size()), of_op_(program.ops.size()), of_value_(program.values.size()) {
  DisjointSets linked(program.functions.size());  // by calls
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const ir::FunctionId id{i};
    const ir::Function& function = program.functions[id];
    const auto hold = [&](const auto& values) {
      for (const ir::ValueId value : values) of_value_[value.index] = id;
    };
    for (const ir::Param& param : function.params) {
      if (param.value) of_value_[param.value.index] = id;
    }
    if (!function.body) continue;
    hold(program.blocks[function.body].arguments);
    ir::each_op(program, function.body, [&](ir::OpId at) {
      const ir::Op& op = program.ops[at];
      of_op_[at.index] = id;
      hold(op.results);
      for (const ir::BlockId region : op.regions) hold(program.blocks[region].arguments);
      if (op.kind == ir::OpKind::Call) linked.join(i, op.attrs.rare->function.index);
    });
  }
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const uint32_t first = linked.find(i);
    if (first == i) {
      part_of_[i] = {static_cast<uint32_t>(functions_.size())};
      functions_.emplace_back();
    }
    part_of_[i] = part_of_[first];
    functions_[part_of_[i].index].push_back({i});
  }
  ops_.resize(functions_.size());
  values_.resize(functions_.size());
  for (uint32_t i = 0; i < of_op_.size(); ++i) {
    if (of_op_[i]) ops_[part_of(of_op_[i]).index].cover({i});
  }
  for (uint32_t i = 0; i < of_value_.size(); ++i) {
    if (of_value_[i]) values_[part_of(of_value_[i]).index].cover({i});
  }
}

}  // namespace tilewright::analysis
