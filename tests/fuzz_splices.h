// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Edits that keep Python whole: an expression takes the place of another one, a statement that of another one or stands beside
// it, within one program or between two. Where edits of bytes are mostly refused by the parser, most of these reach what is
// behind it.

#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tilewright::fuzz {

class Splices {
 public:
  // Programs with errors and those that are too large to be tried often take no part.
  explicit Splices(const std::vector<std::string>& corpus);

  bool empty() const { return programs_.empty(); }
  // One of the programs with one to four splices.
  std::string next(std::mt19937_64& random) const;

 private:
  struct Piece {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  struct Program {
    std::string text;
    std::vector<Piece> expressions;
    std::vector<Piece> statements;
  };

  static Program program_of(const std::string& text);
  static void splice(Program& program, const Program& donor, std::mt19937_64& random);

  std::vector<Program> programs_;
};

}  // namespace tilewright::fuzz
