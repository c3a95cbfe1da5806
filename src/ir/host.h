// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The host part of a file: everything outside of kernels that has to do with cuTile. The rest of the host is opaque and stays
// as it is, byte for byte; so a site is a place in the text, with what it means.
//
// Sites are numbered by syntax node, as ops are. They are in the order of the text.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"
#include "source/span.h"

namespace tilewright::ir {

enum class SiteKind : uint8_t {
  Import,       // an Alias: binds cuda.tile, a part of it, or a name from it
  Launch,       // a Call of `launch`
  KernelValue,  // a Name that reads a kernel of this file
  MakeKernel,   // a Call `ct.kernel(k._pyfunc, …)` or `ct.kernel(f, …)` outside of decorators
  Search,       // the callee `exhaustive_search`, or another read of it
  Timeout,      // a WithItem `ct.compiler_timeout(…)`
  Cdiv,         // `ct.cdiv`
  Dtype,        // `ct.float16`; name is cuTile's
  DtypeClass,   // `ct.DType`
  KernelClass,  // `ct.kernel` as a type: annotation, isinstance
  Error,        // an exception class; name is cuTile's
  ByTarget,     // the callee `ct.ByTarget`
  DeviceOnly,   // a statement whose names only device code reads: `ConstInt = ct.Constant[int]`
  Refused,      // anything else of cuTile; the reader has reported it
};

struct Site {
  SiteKind kind = SiteKind::Refused;
  OriginId node;
  source::Span span;
  std::string name;      // KernelValue, MakeKernel, Launch of a name: the kernel; Dtype, Error: cuTile's word
  uint32_t flow = 0;     // kernels, launches and searches that may meet at run time have the same number
};

// A function that runs on the device: a kernel, or one that kernels call.
struct DeviceFunction {
  std::string name;
  OriginId node;                        // the FunctionDef
  source::Span span;                    // with decorators
  FunctionKind kind = FunctionKind::Kernel;
  std::vector<uint32_t> calls;          // device functions of this file that it mentions, by number
  bool host_reads = false;              // helpers: the host mentions it too
  uint32_t flow = 0;                    // kernels
};

struct HostSites {
  std::vector<Site> sites;
  std::vector<DeviceFunction> functions;  // in the order of the text
};

}  // namespace tilewright::ir
