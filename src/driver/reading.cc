// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/reading.h"

#include <algorithm>

#include "base/check.h"
#include "ir/text.h"

namespace tilewright::driver {

bool has_errors(const diag::Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const auto& d) { return d.severity == diag::Severity::Error; });
}

void check(const ir::Program& program, ir::Form form) {
  const auto violations = ir::verify(program, form);
  TW_CHECK(violations.empty(), ir::text(violations));
}

front::ImportResolver resolver(Modules& modules) {
  return [&](const front::ImportRequest& request) { return modules.import(request.from, request.level, request.module); };
}

std::set<syntax::NodeId> kernels_of(const ir::HostSites& sites) {
  std::set<syntax::NodeId> out;
  for (const ir::DeviceFunction& function : sites.functions)
    if (function.kind == ir::FunctionKind::Kernel) out.insert(syntax::NodeId{function.node.index});
  return out;
}

}  // namespace tilewright::driver
