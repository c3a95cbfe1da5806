// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Tile programs in Python, read into the tile program.
//
// An abstract interpreter over the syntax tree: it runs each kernel once, on symbols. What a dialect decides at compile time
// (constants, dtypes, padding modes, tuples, functions) is decided here and disappears; what is left are ops. The rules are
// those of the dialect's own compiler, with two freedoms that one file needs and one launch does not: element dtypes are open,
// and constants that come from the launch are symbols. Where a program is an error for every dtype and every constant it is
// reported; where it is one only for some, the launch that has them is refused by the GPU's compiler as it was before.
//
// What depends on the order of things in the IR (see ir/program.h):
//  - `set` with attrs.spelling Parameter gives a parameter's value to a variable of the same name (the author reassigns it);
//    Target does so for the induction variable of a `for`. Neither was written as a statement.
//  - `for` says in attrs.spelling how its range was written: Stop, StartStop or StartStopStep.
//  - min/max carry the spelling Builtin for Python's `min`, operators Operator, `[:, None]` Newaxis, methods Method.
//  - The condition of `if a and b` with a constant `a` is an `and_then` whose operand is a Const.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "diag/diagnostic.h"
#include "ir/program.h"
#include "source/span.h"
#include "sym/expr.h"
#include "syntax/tree.h"

namespace tilewright::front {

// `from .utils import f` in the file `from` asks for {level 1, module "utils"}; `from . import utils` for the same if the
// package has such a module. The tree must outlive the read.
struct ImportRequest {
  source::FileId from;
  uint32_t level = 0;
  std::string module;
};
using ImportResolver = std::function<const syntax::Tree*(const ImportRequest&)>;

// What Python has under a name while the module runs: a number, a text, a tuple of such, a thing of a library, a function, or
// anything else, nothing included.
struct LibraryName {
  std::string dotted;  // cuda.tile, cuda.tile.float16, cuda.tile.PaddingMode.ZERO, torch.float16
};
struct LiveFunction {
  std::string name;     // where it was defined
  uint32_t line = 0;    // of the file that is read, from 1: where its definition begins, decorators included; 0: of another file
  uint32_t number = 0;  // for those who ask for its variables
};
struct Live {
  std::variant<std::monostate, sym::Value, std::string, std::vector<Live>, LibraryName, LiveFunction> content = {};
};

// A program that is running, whose text is read.
struct LiveNames {
  // What a name of a file's module is; nullopt if that module is not there to be asked.
  std::function<std::optional<Live>(source::FileId file, std::string_view name)> global = {};
  // What a variable of the functions around a function is, the kernel being number 0; nullopt if it reads none of that name.
  std::function<std::optional<Live>(uint32_t function, std::string_view name)> enclosing = {};
  std::map<uint32_t, syntax::NodeId> functions = {};  // of the file that is read, by the line where they begin
  syntax::NodeId kernel = {};                         // of these the only one to be read, whatever makes it a kernel
};

struct Options {
  // What the host passes for a kernel's parameter, where that is known: settles unannotated scalars.
  std::map<std::pair<std::string, std::string>, ir::Scalar> scalar_hints = {};  // (kernel, parameter)
  // Functions without a decorator that the host makes kernels of: `k = ct.kernel(f)`.
  std::set<syntax::NodeId> made_kernels = {};
  // Texts that the launch passes, by the names of a kernel's parameters.
  std::map<std::string, std::string> texts = {};
  // What device code reads is what it is there, whatever the text says.
  std::optional<LiveNames> live = {};
};

enum class KernelStatus : uint8_t {
  Read,     // in the program
  Refused,  // a diagnostic says why
  Kept,     // the author wrote `# tilewright: keep`
};

// A scalar parameter was read as this dtype, because the author said so or because its use allows nothing else.
struct ScalarAssumption {
  uint32_t parameter = 0;
  ir::Scalar scalar = ir::Scalar::I32;
};

struct Kernel {
  std::string name;
  syntax::NodeId node;  // the FunctionDef
  source::Span span;    // with its decorators
  KernelStatus status = KernelStatus::Refused;
  ir::FunctionId function;  // if Read
  std::vector<ScalarAssumption> scalars = {};
  // Equalities of constants without which cuTile refuses the launch (`TILE_D == HEAD_DIM` where tiles of both are added).
  std::vector<sym::ExprId> assumes = {};
};

struct Helper {
  std::string name;
  source::FileId file;
  syntax::NodeId node;
  std::vector<ir::FunctionId> instances;
};

// A module-level name that device code reads as a number or dtype (a Symbol op).
struct Constant {
  source::FileId file;              // of the function that reads it
  std::string name;                 // as it is called there
  std::optional<sym::Value> value;  // if it is simple enough
  std::optional<ir::Scalar> dtype;  // if it is a dtype
  source::Span definition;          // the statement that binds it, possibly in another file
};

struct ModuleInfo {
  // name → what it stands for: ct → cuda.tile, RMd → cuda.tile.RoundingMode
  std::map<std::string, std::string> library_names;
  std::map<std::string, std::string> annotations;  // alias → its text: ConstInt → ct.Constant[int]
  std::vector<Constant> constants;
  std::vector<Helper> helpers;
  std::vector<std::string> read_by_devices;  // module-level names of the file that device code reads, sorted
};

struct ReadResult {
  ir::Program program;
  std::vector<Kernel> kernels;  // in source order
  ModuleInfo module;
  diag::Diagnostics diagnostics;  // a note is about a branch that no launch can take and compile
};

struct Dialect;
ReadResult read(const Dialect& dialect, const syntax::Tree& tree, const ImportResolver& resolver, const Options& options);

}  // namespace tilewright::front
