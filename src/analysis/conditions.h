// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets of conditions by number: nearly every fact has the same few, so a fact holds four bytes of them.

#pragma once

#include <map>
#include <set>
#include <utility>

#include "analysis/facts.h"
#include "base/ids.h"

namespace tilewright::analysis {

using Conditions = std::set<Condition>;

struct ConditionsTag;
using ConditionsId = Id<ConditionsTag>;  // none() is the empty set

class ConditionSets {
 public:
  const Conditions& operator[](ConditionsId id) const { return id ? sets_[id] : empty_; }
  ConditionsId of(Condition condition) { return of(Conditions{std::move(condition)}); }
  ConditionsId both(ConditionsId a, ConditionsId b) {
    if (a == b || !b) return a;
    if (!a) return b;
    const auto [found, is_new] = unions_.try_emplace({a, b});
    if (is_new) {
      Conditions all = sets_[a];
      all.insert(sets_[b].begin(), sets_[b].end());
      found->second = of(std::move(all));
    }
    return found->second;
  }

 private:
  ConditionsId of(Conditions set) {
    const auto [found, is_new] = ids_.try_emplace(set);
    if (is_new) found->second = sets_.add(std::move(set));
    return found->second;
  }

  Conditions empty_;
  Store<ConditionsId, Conditions> sets_;
  std::map<Conditions, ConditionsId> ids_;
  std::map<std::pair<ConditionsId, ConditionsId>, ConditionsId> unions_;
};

}  // namespace tilewright::analysis
