// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// One thread's state while it runs programs of a grid, and how the families of ops get at their operands. Part of interp/run.h.
//
// Everything about a value is static in a closed program, so types are worked out once (Plan) and a tile only points at its own.
// No function is ever entered while it is running, so one slot a value is enough for all of them.

#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "interp/messages.h"
#include "interp/origin.h"
#include "interp/races.h"
#include "interp/regions.h"
#include "interp/run.h"
#include "ir/operands.h"

namespace tilewright::interp {

// The operands of a memory op, by their names.
struct Access {
  ir::ValueId array = {};
  std::span<const ir::ValueId> index = {};
  std::span<const ir::ValueId> extent = {};
  ir::ValueId value = {};
  ir::ValueId padding = {};
  ir::ValueId mask = {};
  ir::ValueId expected = {};
  ir::ValueId desired = {};
};

// Programs of a grid are numbered, the first axis fastest.
inline Grid index_of(int64_t number, const Grid& grid) {
  return {number % grid[0], number / grid[0] % grid[1], number / grid[0] / grid[1]};
}
inline int64_t number_of(const Grid& index, const Grid& grid) { return index[0] + grid[0] * (index[1] + grid[1] * index[2]); }

inline Kept kept_in(Numbers numbers, ir::Scalar dtype) {
  return numbers == Numbers::Algebra && ir::class_of(dtype) >= ir::ScalarClass::Float ? Kept::Real : Kept::Bits;
}

// What is worked out once for all programs of a launch.
struct Plan {
  const ir::Program& program;
  ir::FunctionId kernel;
  std::vector<TileType> types;       // by TypeId; of tiles
  std::vector<Access> accesses;      // by OpId; of ops on memory
  std::vector<uint32_t> roots;       // by ValueId: the parameter that a pointer is made of (regions.h)
  std::array<TileType, 18> scalars;  // by ir::Scalar: a scalar of that dtype

  Plan(const ir::Program& program, ir::FunctionId kernel, Numbers numbers);

  const TileType& scalar(ir::Scalar dtype) const { return scalars[static_cast<size_t>(dtype)]; }
  const ir::Type& type_of(ir::ValueId value) const { return program.types[program.values[value].type]; }
  // The tile type of a value; only of values that are tiles.
  const TileType& tile_type(ir::ValueId value) const { return types[program.values[value].type.index]; }
  // Of pointers int64, as which they are calculated with.
  ir::Scalar dtype(ir::DtypeId id) const;
  Kept kept(ir::Scalar dtype) const { return scalar(dtype).kept; }
  ir::Scalar pointee(ir::ValueId pointer) const;
  Extents window_extents(ir::ValueId window) const;
};

// Where control goes after an op. Stop ends the program: something went wrong.
enum class Flow : uint8_t { Next, Break, Continue, Return, Yield, Stop };

class Machine {
 public:
  // `cancelled` ends the program at the next turn of a loop.
  // `races` remembers what all programs touch; none if nobody asks.
  Machine(const Plan& plan, const std::vector<Argument>& arguments, const Grid& grid, const Options& options,
          const std::atomic<bool>& cancelled, Races* races);

  // Runs one program of the grid; false if it went wrong, and then `diagnostics` says how.
  bool run(const Grid& index);
  const diag::Diagnostics& diagnostics() const { return diagnostics_; }
  const std::vector<Traced>& traced() const { return traced_; }
  std::vector<Traced> take_traced() { return std::exchange(traced_, {}); }

  const Plan& plan() const { return plan_; }
  const ir::Program& program() const { return plan_.program; }
  const ir::Op& op(ir::OpId id) const { return plan_.program.ops[id]; }
  const ir::Op& current() const { return *current_; }  // the op that runs
  const Grid& index() const { return index_; }
  const Grid& grid() const { return grid_; }
  bool follows_undefined() const { return options_.numbers != Numbers::Ieee; }
  // Of the number system `algebra`, else nullptr.
  const Field* field() const { return options_.field; }
  bool looks_for_races() const { return races_; }
  // An element of `array`, the operand of an op, is touched. `lane` counts the elements of a tile of these extents.
  void touch(const ir::Op& op, ir::ValueId array, const std::byte* address, Touch touch, int64_t lane,
             std::span<const int64_t> extents);
  // Whether `width` bytes at an address are memory that the pointer or window may reach; if not, the program stops: it `does`
  // something there ("a lane reads").
  bool holds(const ir::Op& op, ir::ValueId pointer, int64_t address, int64_t width, int64_t lane,
             std::span<const int64_t> extents, std::string_view does);
  // Runs a helper; what it returns, empty if the program stops.
  std::vector<Value> apply(ir::FunctionId function, std::span<const Value> arguments);
  // A scalar, or a constant as one of that dtype.
  Tile element_of(const Value& value, ir::Scalar dtype);
  bool stopped() const { return !diagnostics_.empty() || cancelled_.load(std::memory_order_relaxed); }

  // A new tile of the type of a value, with anything in it.
  Tile make(const TileType& type);
  Tile make(ir::ValueId result) { return make(plan_.tile_type(result)); }
  // The type of that shape with another dtype; `shape` is one of the plan's.
  const TileType& type_of(ir::Scalar dtype, const TileType& shape);
  Buffer bytes(size_t count) { return pool_.take(count); }
  // A mark per element, none of them set.
  Buffer no_marks(int64_t count);

  Value& slot(ir::ValueId value) { return values_[value.index]; }
  void set(ir::ValueId value, Value content) { values_[value.index] = std::move(content); }
  const Array& array(ir::ValueId value) const { return std::get<Array>(values_[value.index]); }
  // A number as an element of that type, as `cast` makes it.
  void write(const sym::Value& value, const TileType& type, std::byte* out) const;
  // A tile; a constant as a scalar of that dtype (by way of float32 if it is a float of Python's).
  Tile tile(ir::ValueId value, ir::Scalar dtype);
  // A tile that is one already.
  const Tile& tile(ir::ValueId value) const { return std::get<Tile>(values_[value.index]); }
  // A scalar integer or bool, or a constant.
  int64_t integer(ir::ValueId value);
  bool truth(ir::ValueId value);
  // Whether a scalar has a meaning; if not, the program stops: it `does` something ("decides a branch").
  bool is_defined(const ir::Op& op, ir::ValueId value, std::string_view does);
  // The mark of elements that lose their meaning in `op`.
  Mark mark(const ir::Op& op, Reason reason) { return origins_.mark(op, reason); }
  // Stops the program: an element with that mark `does` something ("is stored").
  void fail_undefined(const ir::Op& op, Mark mark, std::string_view does, std::optional<int64_t> lane = {},
                      std::span<const int64_t> extents = {});
  void set_integer(ir::ValueId result, int64_t value);
  // The author's name of a value, for a diagnostic.
  std::string name_of(ir::ValueId value) const;

  template <class... Args>
  void fail(const ir::Op& op, const diag::Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    fail(op, std::nullopt, {}, message, args...);
  }
  // `lane` counts the elements of a tile of these extents.
  template <class... Args>
  void fail(const ir::Op& op, std::optional<int64_t> lane, std::span<const int64_t> extents,
            const diag::Message<Args...>& message, const std::type_identity_t<Args>&... args) {
    if (diagnostics_.empty()) stop(diag::report(diag::Severity::Error, op.span, message, args...), lane, extents);
  }

 private:
  void stop(diag::Diagnostic diagnostic, std::optional<int64_t> lane, std::span<const int64_t> extents);
  Flow block(ir::BlockId id);
  void trace(const ir::Op& op, const Access& access);
  void trace(ir::ValueId value, std::string name, bool is_stored);
  Flow step(ir::OpId id);
  Flow branch(const ir::Op& op);
  Flow count(const ir::Op& op);
  Flow repeat(const ir::Op& op);
  Flow choose(const ir::Op& op);
  Flow connect(const ir::Op& op);
  Flow call(const ir::Op& op);
  void pass(const ir::Op& op);
  void set_constant(ir::ValueId value);
  // The result of an op on constants, which was calculated when the program was made for its launch.
  void set_constant(const ir::Op& op);
  // The number that a constant is; where nothing says it, the program stops.
  const sym::Value* constant(ir::ValueId value);

  // Loose numbers of Python's go by way of float32, those that have a dtype or get one from a variable do not.
  enum class Strictness : uint8_t { Loose, Strict };
  Tile scalar_of(const sym::Value& value, ir::Scalar dtype, Strictness strictness);
  // A value as one of that type: a constant gets a dtype where a variable or a result has one.
  Value as(const ir::Type& type, const Value& content);

  const Plan& plan_;
  const std::vector<Argument>& arguments_;
  const Grid& grid_;
  const Options& options_;
  const std::atomic<bool>& cancelled_;
  Races* races_;
  Regions regions_;
  Grid index_ = {};
  const ir::Op* current_ = nullptr;
  Pool pool_;  // before whatever has buffers of it
  std::map<std::pair<const TileType*, ir::Scalar>, TileType> types_;
  std::vector<Value> values_;
  std::vector<Value> vars_;
  Origins origins_;
  std::vector<Value> passed_;  // what the last `yield` or `return` gave
  diag::Diagnostics diagnostics_;
  std::vector<Traced> traced_;
};

// Converts a number of Python's to an element of that dtype, as `cast` does.
void write_constant(const sym::Value& value, ir::Scalar dtype, std::byte* out);

// The operand with as many elements as the result, or one (math.cc).
Tile spread(Machine& machine, Tile tile, const TileType& to);
// Gives `out` the marks of an operand that is spread as it is.
void take_marks(Machine& machine, const Tile& from, Tile& out);

// The families. Each runs one op and sets its results.
void elementwise(Machine& machine, const ir::Op& op);  // math.cc
void where(Machine& machine, const ir::Op& op);
void cast(Machine& machine, const ir::Op& op);  // convert.cc
void bitcast(Machine& machine, const ir::Op& op);
void iota(Machine& machine, const ir::Op& op);  // shape.cc
void full(Machine& machine, const ir::Op& op);
void reshape(Machine& machine, const ir::Op& op);  // also expand_dims
void permute(Machine& machine, const ir::Op& op);
void broadcast(Machine& machine, const ir::Op& op);
void cat(Machine& machine, const ir::Op& op);
void extract(Machine& machine, const ir::Op& op);
void reduce(Machine& machine, const ir::Op& op);  // reduce.cc
void scan(Machine& machine, const ir::Op& op);
void dot(Machine& machine, const ir::Op& op);                              // dot.cc
void load_tile(Machine& machine, const ir::Op& op, const Access& access);  // memory.cc
void store_tile(Machine& machine, const ir::Op& op, const Access& access);
void gather(Machine& machine, const ir::Op& op, const Access& access);  // gather.cc
void scatter(Machine& machine, const ir::Op& op, const Access& access);
void atomic_rmw(Machine& machine, const ir::Op& op, const Access& access);  // atomic.cc
void atomic_cas(Machine& machine, const ir::Op& op, const Access& access);
void array_property(Machine& machine, const ir::Op& op, const Access& access);  // launch.cc: array_dim, array_stride, num_tiles
void list_length(Machine& machine, const ir::Op& op);
void array_slice(Machine& machine, const ir::Op& op);
void list_item(Machine& machine, const ir::Op& op);
void grid_property(Machine& machine, const ir::Op& op);   // program_id, num_programs
void add_to_pointer(Machine& machine, const ir::Op& op);  // pointers.cc
void make_window(Machine& machine, const ir::Op& op);     // windows.cc
void move_window(Machine& machine, const ir::Op& op);
void window_property(Machine& machine, const ir::Op& op);
void join(Machine& machine, const ir::Op& op);  // arrange.cc
void split(Machine& machine, const ir::Op& op);
void flip(Machine& machine, const ir::Op& op);
void take(Machine& machine, const ir::Op& op);
void reduce_by(Machine& machine, const ir::Op& op);  // combine.cc
void scan_by(Machine& machine, const ir::Op& op);
void map_by(Machine& machine, const ir::Op& op);
void sort(Machine& machine, const ir::Op& op);  // order.cc: sort, top_k
void histogram(Machine& machine, const ir::Op& op);
void multiply_add(Machine& machine, const ir::Op& op);  // math.cc
// Fills a tile with what stands for elements outside of an array (memory.cc).
void fill_padding(const Machine& machine, const TileType& type, ir::Padding padding, std::byte* out);

// A tile's elements in the dtype of `type`, which has as many (convert.cc).
Tile converted(Machine& machine, const Tile& tile, const TileType& type, ir::Rounding rounding);
// A tile's elements repeated to larger extents, by numpy's rule; the tile itself if it has them already. The dtypes are the same
// (shape.cc).
Tile broadcast_to(Machine& machine, const Tile& tile, const TileType& type);

}  // namespace tilewright::interp
