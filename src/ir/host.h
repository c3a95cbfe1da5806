// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The host part of a file: everything outside of kernels that has to do with cuTile. The rest of the host is opaque and stays
// as it is, byte for byte; so a site is a place in the text, with what it means.
//
// Sites are numbered by syntax node, as ops are, and stand in the order of the text.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rare_list.h"
#include "ir/program.h"
#include "source/span.h"

namespace tilewright::ir {

enum class SiteKind : uint8_t {
  Launch,       // a Call of `ct.launch`; launches[detail] says more
  KernelValue,  // a Name that reads a kernel of this file as a value
  MakeKernel,   // a Call `ct.kernel(k._pyfunc, …)`, `ct.kernel(f, …)` or `ct.kernel(…)(k._pyfunc)` outside of decorators
  Search,       // a read of `exhaustive_search`, mostly as a callee
  Timeout,      // a WithItem `ct.compiler_timeout(…)`
  Cdiv,         // `ct.cdiv`
  Dtype,        // `ct.float16`; name is cuTile's
  DtypeClass,   // `ct.DType`
  KernelClass,  // `ct.kernel` as a type: in an annotation, in isinstance
  Error,        // an exception class; name is cuTile's
  ByTarget,     // the callee `ct.ByTarget`
  Refused,      // anything else of cuTile; the reader has reported it
};

struct Site {
  SiteKind kind = SiteKind::Refused;
  OriginId node;
  source::Span span;
  RareString name;      // Dtype, Error: cuTile's word
  uint32_t detail = 0;  // Launch: its number in HostSites::launches; KernelValue: the kernel's in HostSites::functions
  uint32_t flow = 0;    // what may meet at run time has the same number; 0 is no kernel of this file
};

inline constexpr uint32_t every_flow = ~uint32_t{0};  // may meet every kernel

// What is known of the stream that a kernel is launched on.
enum class StreamKind : uint8_t {
  Current,        // the current stream of the current device
  CurrentOf,      // the current stream of a device; `device` is the expression
  DefaultHandle,  // the integer 0
  Handle,         // an integer
  Object,         // a stream of torch's
};

struct Launch {
  OriginId grid;
  OriginId kernel;
  OriginId arguments;
  OriginId stream;  // for `s.cuda_stream`, the stream `s`
  OriginId device;
  StreamKind stream_kind = StreamKind::Object;
  OriginId stream_binding;  // the statement `stream = torch.cuda.current_stream()`, if that is why it is current
  OriginId kernel_name;     // the KernelValue's Name, if the kernel is given by its name
};

// A function that runs on the device: a kernel, or one that kernels call.
struct DeviceFunction {
  std::string name;
  OriginId node;      // the FunctionDef
  source::Span span;  // with decorators
  FunctionKind kind = FunctionKind::Kernel;
  RareList<uint32_t> mentions;          // device functions of this file that it reads, by number
  bool host_reads = false;              // helpers: the host reads it too
  bool reached = true;                  // helpers: a kernel of this file calls it
  uint32_t flow = 0;                    // kernels
  uint32_t binding = 0;                 // two definitions under one `if … else …` share it
  RareList<OriginId> other_decorators;  // kernels: those that are not cuTile's
};

// A name that goes when nothing reads it any more.
enum class RemovableKind : uint8_t {
  CutileImport,  // an Alias that binds cuda.tile, a part of it, or a name from it
  Import,        // any other Alias; goes only if something did read it
  CutileObject,  // a statement such as `ConstInt = ct.Constant[int]`
  Stream,        // a statement `stream = torch.cuda.current_stream()`; goes only if something did read it
};

struct Removable {
  RemovableKind kind = RemovableKind::Import;
  OriginId node;
  std::vector<source::Span> reads;
};

// A module-level name that device functions of this file read, and that is neither a function of this file nor of cuTile.
struct ModuleGlobal {
  std::string name;
  std::vector<OriginId> definitions;  // Names that are stored, Aliases, ClassDefs …
  std::vector<source::Span> reads;    // by the host and by device functions
};

struct HostSites {
  std::vector<Site> sites;
  std::vector<Launch> launches;
  std::vector<DeviceFunction> functions;  // in the order of the text
  std::vector<Removable> removables;
  std::vector<ModuleGlobal> globals;  // by name
  std::vector<source::Span> hiding;   // imports of cuTile that hide builtins which converted kernels need
};

}  // namespace tilewright::ir
