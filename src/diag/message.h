// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// A sentence with typed holes. The compiler counts the holes against the arguments, so a message can't be filled wrongly.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tilewright::diag {

void unmatched_placeholders();  // never defined: calling it in a constant expression is the error

template <class... Args>
struct Message {
  std::string_view code;  // "TW101"; its page is docs/codes/TW101.md
  std::string_view text;

  consteval Message(const char* message_code, const char* literal) : code(message_code), text(literal) {
    size_t holes = 0;
    for (size_t i = 0; i + 1 < text.size(); ++i) holes += text[i] == '{' && text[i + 1] == '}';
    if (holes != sizeof...(Args)) unmatched_placeholders();
  }
};

inline std::string show(int64_t value) { return std::to_string(value); }
inline std::string show(std::string_view value) { return std::string(value); }

template <class... Args>
std::string fill(const Message<Args...>& message, const std::type_identity_t<Args>&... args) {
  std::string out;
  std::string_view rest = message.text;
  [[maybe_unused]] const auto next = [&](const std::string& value) {
    const auto hole = rest.find("{}");
    out.append(rest.substr(0, hole)).append(value);
    rest.remove_prefix(hole + 2);
  };
  (next(show(args)), ...);
  return out.append(rest);
}

}  // namespace tilewright::diag
