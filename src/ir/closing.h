// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Types of an open program as one launch sees them. Part of ir/specialize.h.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/specialize.h"

namespace tilewright::ir {

class Closing {
 public:
  // `program` owns the types; new ones are added to it.
  Closing(Program& program, const LaunchSpec& launch) : program_(program), launch_(launch) {}

  // The names of the kernel's parameters, which conditions on them speak of.
  void name(std::vector<std::string> parameters) { names_ = std::move(parameters); }

  void bind(const std::string& atom, const sym::Value& value);
  bool is_bound(const std::string& atom) const { return constants_.contains(atom); }

  DtypeId dtype(DtypeId id);
  TypeId type(TypeId id);
  sym::ExprId expression(sym::ExprId id);

  // Why a dtype stays open although the launch is known: two dtypes that do not go together.
  std::optional<std::string> conflict(DtypeId id) const;

 private:
  sym::ExprId lookup(const sym::Atom& atom);

  Program& program_;
  const LaunchSpec& launch_;
  std::vector<std::string> names_;
  std::map<std::string, sym::Value> constants_;
  std::map<DtypeId, DtypeId> dtypes_;
  std::map<TypeId, TypeId> types_;
};

}  // namespace tilewright::ir
