// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The tile program: kernels and helpers as structured code. Dialect-neutral and explicit: no stage asks which dialect an op
// came from, the ops say it.
//
// Results are values that carry the author's name. Only a name that is assigned more than once, or that a loop carries, is a
// variable, with explicit reads and writes (Get, Set); there are no phis. Each op knows the expression and the statement it
// came from. Ids index vectors, so a copy of a Program is a snapshot.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/blocks.h"
#include "base/ids.h"
#include "base/one_list.h"
#include "base/rare.h"
#include "base/rare_list.h"
#include "base/rare_string.h"
#include "base/short_list.h"
#include "ir/types.h"
#include "source/span.h"
#include "sym/expr.h"

namespace tilewright::ir {

enum class Family : uint8_t { Value, Control, Launch, Memory, Math, Shape, Reduce };
enum class Effect : uint8_t { Pure, Reads, Writes, Structure, Jump, Call };

enum class OpKind : uint8_t {
#define OP(name, text, family, effect, operands, meaning) name,
#include "ir/ops.def"
#undef OP
};

struct OpInfo {
  std::string_view text;
  Family family;
  Effect effect;
  std::string_view operands;
  std::string_view meaning;
};
const OpInfo& info(OpKind kind);
std::optional<OpKind> op_named(std::string_view text);

struct OpTag;
using OpId = Id<OpTag>;
struct ValueTag;
using ValueId = Id<ValueTag>;
struct BlockTag;
using BlockId = Id<BlockTag>;
struct VarTag;
using VarId = Id<VarTag>;
struct FunctionTag;
using FunctionId = Id<FunctionTag>;

// A syntax node, by number. The IR does not look into the tree; front writes these numbers, back reads comments by them.
struct OriginTag;
using OriginId = Id<OriginTag>;

enum class Padding : uint8_t { Undetermined, Zero, NegZero, Nan, PosInf, NegInf };
enum class Rounding : uint8_t { Default, Nearest, Zero, MinusInf, PlusInf, Full, Approx };  // Default: the op's own
enum class Flush : uint8_t { Keep, ToZero };                                                // denormals
enum class NanRule : uint8_t { Ignore, Propagate };
enum class Reduction : uint8_t { Sum, Prod, Max, Min, ArgMax, ArgMin, Xor, Or };
enum class Atomic : uint8_t { Exchange, Add, Max, Min, And, Or, Xor };
enum class MemoryOrder : uint8_t { Weak, Relaxed, Acquire, Release, AcqRel };
enum class MemoryScope : uint8_t { None, Block, Device, Sys };

// Which bounds of an element index are tested. Front says Both unless check_bounds is False; rules strengthen with a proof.
enum class Bounds : uint8_t { Both, UpperOnly, Never };

// How the author wrote what can be written in several ways; ignored by meaning and equality.
enum class Spelling : uint8_t {
  Usual,
  // expressions
  Operator,
  Function,
  Method,
  Builtin,  // Python's: `min(a, b)`
  Newaxis,
  Transpose,
  Item,
  Full,
  Zeros,
  Ones,
  Library,  // one of the ops that a function of the library comes to
  BlockPointer,
  // conversions
  Constructor,
  Bool,
  // Set
  Parameter,  // gives a parameter's value to a variable of the same name, since the author assigns it again
  Target,     // gives the number of an iteration to the loop's own variable
  Augmented,  // `x += 1`
  // For: its range
  Stop,
  StartStop,
  StartStopStep,
  // If: one of several made of one
  Split,
};

// What the factors of a dot of float32 are rounded to, or split into, before they are multiplied.
enum class Precision : uint8_t { Full, Tf32, Tf32x3, Bf16x3, Bf16x6 };

// What few ops have to say.
struct RareAttrs {
  // The constant condition under which bounds are tested (`check_bounds=TILE != N`); none() means always as `bounds` says.
  ValueId bounds_if = {};
  FunctionId function = {};
  RareList<uint32_t> axes = {};   // reduced axes (normalised, ascending), permutation, inserted axes
  RareList<uint32_t> order = {};  // tile axis d is array axis order[d]; empty is the identity
  Bounds bounds = Bounds::Both;
  Reduction reduction = Reduction::Sum;
  Atomic atomic = Atomic::Add;
  MemoryOrder order_of_memory = MemoryOrder::Weak;
  MemoryScope scope = MemoryScope::None;
  OneList<VarId> vars = {};  // Set: the variables where it writes several
  RareString name = {};      // Symbol
  RareString text = {};      // Unsupported: why
  // Hints keep what the author wrote, as values, since they may be constants of the kernel.
  ValueId latency = {};
  ValueId allow_tma = {};
  RareString hint = {};      // ".cg evict_last volatile", "num_stages=3": as the author wrote it
  DtypeId accumulator = {};  // in which a reduction combines; none(): as docs/ir.md says
  Precision precision = Precision::Full;
};

// Everything an op may say besides its operands. Only the fields named in ops.def for its kind are meaningful.
struct Attrs {
  DtypeId dtype = {};
  VarId var = {};  // Get: the variable that it reads; Set: the one that it writes, none() if several (`written_vars`)
  Rounding rounding = Rounding::Default;
  Flush flush = Flush::Keep;
  NanRule nan = NanRule::Ignore;
  Padding padding = Padding::Undetermined;
  bool has_padding : 1 = false;
  bool has_mask : 1 = false;
  bool keep_dims : 1 = false;
  bool all_axes : 1 = false;  // the author gave no axis
  bool reverse : 1 = false;
  bool implicit : 1 = false;  // inserted by front: the author wrote no conversion here
  bool asserted : 1 = false;  // If, Unsupported: a static assertion, whose condition has to hold
  Spelling spelling = Spelling::Usual;
  uint8_t axis = 0;  // below most_axes
  uint8_t rank = 0;  // number of indices of a memory op
  Rare<RareAttrs> rare = {};
};

// Programs have many ops, and most of the memory that a conversion takes is theirs: what few of them say is kept apart.
struct Op {
  OpKind kind = OpKind::Mark;
  source::Span span = {};   // the expression that the author wrote (for statements, the statement)
  OriginId statement = {};  // the statement it belongs to
  OriginId node = {};       // the syntax node of `span`
  ShortList<ValueId> operands = {};
  OneList<ValueId> results = {};
  RareList<BlockId> regions = {};
  Attrs attrs = {};
};

// The variables that a Set writes, one for each operand; empty of any other op.
std::span<const VarId> written_vars(const Op& op);
std::span<VarId> written_vars(Op& op);
// Says which variables a Set writes.
void write_to(Attrs& attrs, std::span<const VarId> vars);

struct Value {
  TypeId type = {};
  OpId definition = {};  // none() for parameters and induction variables
  RareString name = {};  // the author's, or empty
};

struct Block {
  std::vector<ValueId> arguments = {};
  std::vector<OpId> ops = {};
};

struct Var {
  std::string name = {};
};

enum class ParamKind : uint8_t {
  Array,
  ArrayList,
  Scalar,    // a run-time number
  Constant,  // a compile-time number (kernels), or any Const argument (helpers)
  Dtype,     // a dtype passed as an argument
  Erased,    // helpers only: a padding mode, rounding mode, function, None, string …; nothing is passed
  Tile,      // helpers only
  Pointer,   // the address of an array's first element
  Window,    // a window whose array and extents the launch gives
  Unused,    // a kernel parameter that the body never reads
};

struct Param {
  RareString name = {};
  ParamKind kind = ParamKind::Scalar;
  ValueId value = {};  // none() if Erased or Unused
  source::Span span = {};
  OriginId node = {};        // the syntax Arg
  bool index_int64 = false;  // ct.IndexedWithInt64, ct.ScalarInt64
  bool may_be_none = false;  // the body asks whether it is None
  bool any_width = false;    // an int that int32 does not hold is passed as an int64
};

// Compiler hints of @ct.kernel, as source text where they are not literals.
struct Hint {
  std::string name = {};  // "occupancy", "num_ctas", "opt_level", "num_worker_warps"
  std::string text = {};
};

enum class FunctionKind : uint8_t { Kernel, Helper };

struct Function {
  std::string name = {};  // the author's
  FunctionKind kind = FunctionKind::Kernel;
  source::Span span = {};  // the def with its decorators
  OriginId node = {};      // the syntax FunctionDef (in the file of `span`)
  std::vector<Param> params = {};
  ShortList<TypeId> results = {};  // helpers; empty if it returns nothing
  BlockId body = {};
  Rare<std::vector<Hint>> hints = {};
  // Kernels: conditions that proofs rely on (analysis/facts.h), over constants and numbers of the launch by their names, extents
  // of arrays (`X.shape[1]`) and `grid[0]`. A launch where one is false is refused.
  RareList<sym::ExprId> assumes = {};
  // Helpers: which instance of the function this is, 0 for the first. Instances differ in the types they were called with.
  uint32_t instance = 0;
};

using Functions = Store<FunctionId, Function, Blocks<Function>>;

// One source file's kernels and helpers. All functions share the stores, so an id is unique in the program.
struct Program {
  sym::Arena arena;
  Types types{arena};
  Store<OpId, Op, Blocks<Op>> ops;
  Store<ValueId, Value> values;
  Store<BlockId, Block, Blocks<Block>> blocks;
  Store<VarId, Var, Blocks<Var>> vars;
  Functions functions;  // callees before callers

  Program() = default;
  Program(const Program& other);
  Program(Program&& other) noexcept;
  Program& operator=(Program other) noexcept;
};

// The number or bool of a Literal, which its type says; nullopt of any other op.
std::optional<sym::Value> literal_of(const Program& program, const Op& op);

// Appends an op to a block; results get `types` in order, unnamed.
OpId append(Program& program, BlockId block, Op op, const ShortList<TypeId>& results);

}  // namespace tilewright::ir
