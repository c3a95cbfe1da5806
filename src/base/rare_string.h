// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tilewright {

// A string that is most often empty, in the eight bytes of a pointer.
class RareString {
 public:
  RareString() = default;
  RareString(std::string text) : string_(text.empty() ? nullptr : std::make_unique<std::string>(std::move(text))) {}
  RareString(const char* text) : RareString(std::string(text)) {}
  RareString(const RareString& other) : RareString(other.string()) {}
  RareString(RareString&&) noexcept = default;
  RareString& operator=(RareString other) noexcept {
    string_ = std::move(other.string_);
    return *this;
  }

  bool empty() const { return !string_; }
  const std::string& string() const {
    static const std::string nothing;
    return string_ ? *string_ : nothing;
  }
  operator const std::string&() const { return string(); }
  friend bool operator==(const RareString& a, std::string_view b) { return a.string() == b; }

 private:
  std::unique_ptr<std::string> string_;
};

}  // namespace tilewright
