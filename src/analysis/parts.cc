// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "analysis/parts.h"

#include "ir/walk.h"

namespace tilewright::analysis {
namespace {

// Functions that are linked, by the first of them.
class Links {
 public:
  explicit Links(size_t size) {
    for (uint32_t i = 0; i < size; ++i) up_.push_back(i);
  }

  uint32_t first(uint32_t function) {
    while (up_[function] != function) function = up_[function] = up_[up_[function]];
    return function;
  }
  void link(uint32_t a, uint32_t b) {
    a = first(a);
    b = first(b);
    up_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> up_;
};

}  // namespace

Parts::Parts(const ir::Program& program)
    : part_of_(program.functions.size()), of_op_(program.ops.size()), of_value_(program.values.size()) {
  Links links(program.functions.size());
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
      if (op.kind == ir::OpKind::Call) links.link(i, op.attrs.function.index);
    });
  }
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const uint32_t first = links.first(i);
    if (first == i) {
      part_of_[i] = {static_cast<uint32_t>(functions_.size())};
      functions_.emplace_back();
    }
    part_of_[i] = part_of_[first];
    functions_[part_of_[i].index].push_back({i});
  }
}

}  // namespace tilewright::analysis
