// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Trouble outside of the program (no file, no rights, no GPU) as a value. The reason is a sentence for the user.

#pragma once

#include <string>
#include <utility>
#include <variant>

namespace tilewright {

struct Trouble {
  std::string reason;  // lower case, no full stop: "cannot read `x.py`: permission denied"
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}            // NOLINT: conversion is the point
  Result(Trouble trouble) : value_(std::move(trouble)) {}  // NOLINT

  bool ok() const { return std::holds_alternative<T>(value_); }
  explicit operator bool() const { return ok(); }
  T& operator*() { return std::get<T>(value_); }
  const T& operator*() const { return std::get<T>(value_); }
  T* operator->() { return &std::get<T>(value_); }
  const T* operator->() const { return &std::get<T>(value_); }
  const std::string& reason() const { return std::get<Trouble>(value_).reason; }

 private:
  std::variant<T, Trouble> value_;
};

}  // namespace tilewright
