// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/versions.h"

#include <vector>

#include "ir/walk.h"

namespace tilewright::back::triton {
namespace {

class Numbering {
 public:
  explicit Numbering(const ir::Program& program) : program_(program) {}

  std::map<ir::OpId, Version> run(ir::BlockId body) {
    walk(body);
    return std::move(versions_);
  }

 private:
  void write(ir::VarId var, ir::BlockId block) { now_[var] = {++counter_, block}; }

  void walk(ir::BlockId block) {
    for (const ir::OpId id : program_.blocks[block].ops) {
      const ir::Op& op = program_.ops[id];
      if (op.kind == ir::OpKind::Get) versions_[id] = now_[op.attrs.var];
      for (const ir::VarId var : ir::written_vars(op)) write(var, block);
      if (op.regions.empty()) continue;
      std::vector<ir::VarId> written;
      for (const ir::BlockId region : op.regions) {
        ir::each_op(program_, region, [&](ir::OpId inner) {
          const std::span<const ir::VarId> vars = ir::written_vars(program_.ops[inner]);
          written.insert(written.end(), vars.begin(), vars.end());
        });
      }
      for (const ir::BlockId region : op.regions) {
        for (const ir::VarId var : written) write(var, region);
        walk(region);
      }
      for (const ir::VarId var : written) write(var, block);
    }
  }

  const ir::Program& program_;
  std::map<ir::VarId, Version> now_;
  std::map<ir::OpId, Version> versions_;
  uint32_t counter_ = 0;
};

}  // namespace

std::map<ir::OpId, Version> versions_of(const ir::Program& program, ir::FunctionId function) {
  return Numbering(program).run(program.functions[function].body);
}

}  // namespace tilewright::back::triton
