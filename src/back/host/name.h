// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Before anything is printed: which kernels leave cuTile, and what everything new in the file is called.
//
// A kernel that was refused stays cuTile, and so does whatever may meet it in a launch: a variable can't hold both kinds. What
// stays keeps its text and its names; a helper function that both sides use gets a twin.

#pragma once

#include <optional>
#include <set>
#include <vector>

#include "back/triton/printed.h"
#include "diag/diagnostic.h"
#include "ir/host.h"
#include "ir/program.h"
#include "syntax/tree.h"

namespace tilewright::back::host {

enum class Fate : uint8_t {
  Converted,  // printed in place of the original
  Stays,      // cuTile
  Twin,       // helpers: stays, and is printed too
  Goes,       // helpers that no kernel of the file calls, when nothing of cuTile stays
};

struct Naming {
  triton::Names names;
  std::vector<Fate> fates;              // by number of ir::HostSites::functions
  std::vector<ir::FunctionId> printed;  // what is to be printed: converted kernels and the helpers that they need
  std::set<uint32_t> staying_flows;
  std::string search = "exhaustive_search";  // names of what the host part itself needs
  std::string launch_on = "launch_on";
  std::string by_target = "by_target";
  bool all = true;                // nothing of cuTile stays
  diag::Diagnostics diagnostics;  // for kernels that stay though they were not refused
};

// The trees of the file and of the modules that helpers were read from, by file; null where there is none.
using Trees = std::vector<const syntax::Tree*>;

// How new text is to look.
struct Look {
  uint32_t line_width = 100;
  std::optional<char> quote;  // of strings; nothing: what most strings of the file have
};

// `refused`: kernels that are in the program, but can't be printed.
Naming name(const Trees& trees, source::FileId file, const ir::HostSites& sites, const ir::Program& program,
            const std::set<ir::FunctionId>& refused, const Look& look);

// Whether a site is left as it is, because a kernel or launch that it belongs to stays.
bool stays(const Naming& naming, const ir::Site& site);

}  // namespace tilewright::back::host
