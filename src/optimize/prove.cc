// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "optimize/prove.h"

#include <algorithm>
#include <variant>

#include "analysis/facts.h"
#include "ir/plan.h"
#include "ir/walk.h"
#include "rules/rule.h"

namespace tilewright::optimize {

Proved prove(ir::Program& program) {
  Proved out;
  ir::Plan all;
  {
    // Facts are about the program as it was read: no plan of these rules makes another one wrong.
    const analysis::Facts facts(program);
    const rules::Context context{program, facts};
    const auto look_at = [&](ir::OpId op) {
      for (const rules::Entry& entry : rules::catalogue()) {
        const rules::Rule& rule = *entry.rule;
        if (rule.numerics != rules::Numerics::Exact) continue;
        if (std::find(rule.looks_at.begin(), rule.looks_at.end(), program.ops[op].kind) == rule.looks_at.end()) continue;
        rules::Verdict verdict = rule.check(context, op);
        if (auto* missed = std::get_if<rules::Missed>(&verdict)) out.missed.push_back(std::move(missed->why));
        auto* found = std::get_if<rules::Found>(&verdict);
        if (!found) continue;
        out.found.push_back(std::move(found->what));
        all.edits.insert(all.edits.end(), found->fix.edits.begin(), found->fix.edits.end());
      }
    };
    for (uint32_t part = 0; part < facts.parts().size(); ++part) {
      for (const ir::FunctionId function : facts.parts().functions({part})) {
        if (const ir::BlockId body = program.functions[function].body) ir::each_op(program, body, look_at);
      }
    }
  }
  ir::apply(program, all);
  return out;
}

}  // namespace tilewright::optimize
