// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// One file through the compiler: text in; diagnostics, kernels and text out. Nothing here reads or writes a file (batch.h does)
// and nothing is kept between two files, so that they can go through in parallel and in any order.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "driver/options.h"
#include "source/file.h"

namespace tilewright::driver {

// Of a kernel and of a file. Partly: some kernels or launches stay cuTile. Unchanged: no kernels there.
enum class Status : uint8_t { Converted, Partly, Refused, Unchanged };

struct Kernel {
  std::string name;
  Status status = Status::Refused;
  uint32_t line = 0;
};

struct Conversion {
  source::Files files;  // the file itself and the modules of its package that it imports helpers from
  source::FileId main;
  Status status = Status::Refused;
  std::string text;  // the whole converted file; the input's bytes if unchanged, nothing if refused
  std::vector<Kernel> kernels;
  diag::Diagnostics diagnostics;  // sorted
};

Conversion convert(std::string path, std::string text, const Options& options);

// What a stage sees, for people who work on the compiler or ask what it understood.
enum class Stage : uint8_t { Tree, Ir };
enum class Format : uint8_t { Text, Json };

struct DumpOptions {
  Stage stage = Stage::Tree;
  std::optional<std::string> launch = {};  // Ir: JSON (driver/launch_spec.h); the kernel as this launch sees it
  Format format = Format::Text;            // Json: the launch's ops as rows (ir/rows.h)
};

struct Dump {
  source::Files files;
  std::string text;
  diag::Diagnostics diagnostics;
  std::string trouble;  // with the launch: it is no JSON, or of another kernel
};

Dump dump(std::string path, std::string text, const DumpOptions& options);

}  // namespace tilewright::driver
