// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Many files through the compiler: which ones, where to, in parallel, and what became of each. The loop over files is one of the
// three places where a bug of ours (InternalError) is caught: one bad file does not end a run over many.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "driver/session.h"

namespace tilewright::driver {

// The name of the input or output that is a standard stream.
inline constexpr std::string_view standard_stream = "-";

enum class Where : uint8_t {
  Beside,   // X_triton.py beside X.py; standard output for standard input
  InPlace,  // over the input
  To,       // a file, or a folder that mirrors those given
};

struct Destination {
  Where where = Where::Beside;
  std::string path;  // To
};

struct Job {
  std::string input;
  std::string output;
  enum class WhenUnchanged : uint8_t { Skip, Copy } when_unchanged = WhenUnchanged::Skip;  // a mirrored folder is complete
  std::string trouble;                                                                     // it cannot be read
};

// The files behind `inputs`, folders searched for *.py, sorted. The reason says why nothing of it can be done at all.
Result<std::vector<Job>> plan(const std::vector<std::string>& inputs, const Destination& destination);

enum class Write : uint8_t { Outputs, Nothing };
// Worst last.
enum class Fate : uint8_t { Fine, Refusal, Unreadable, Unwritable, Bug };

struct Outcome {
  Conversion conversion;
  Fate fate = Fate::Fine;
  std::string output;    // where the text went or would go; empty if nowhere
  bool differs = false;  // from what is there now
};

struct Batch {
  Options options;  // but for the style, which follows each file's own project
  Write write = Write::Outputs;
  unsigned workers = 1;
  std::function<void(Outcome&)> told;  // in the order of the jobs
  std::function<void(size_t)> waiting = {};
};

void run(const std::vector<Job>& jobs, const Batch& batch);

// A file's entry in the document of `--format json`; docs/convert.schema.json describes it.
Json report(const Outcome& outcome);
std::string_view word(Status status);

}  // namespace tilewright::driver
