// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// One function of the tile program as Python statements. What decides is decided before (webs, squeeze, demand) or at the op
// itself; an expression is built when its user is, so that what the author nested stays nested.
//
// The methods are spread over files by family, as the ops are: values and names here, then types.cc, elementwise.cc, memory.cc,
// shapes.cc, products.cc, control.cc, body.cc, calls.cc.

#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "back/triton/author.h"
#include "back/triton/demand.h"
#include "back/triton/hazards.h"
#include "back/triton/locals.h"
#include "back/triton/print.h"
#include "back/triton/python.h"
#include "back/triton/squeeze.h"
#include "back/triton/uses.h"
#include "back/triton/zeros.h"
#include "base/rare_list.h"
#include "base/short_list.h"
#include "base/stretch.h"

namespace tilewright::back::triton {

// What one parameter of a printed function carries. Parts: in how many parts products take their depth; of no parameter of the
// author's.
enum class Carries : uint8_t { Author, Extent, Stride, Table, Length, Dtype, Parts };

struct Slot {
  Carries what = Carries::Author;
  uint32_t param = 0;  // of ir::Function::params
  uint32_t axis = 0;   // Extent, Stride
  std::string name;
  bool constant = false;
};

// Whether a function has its launch say in how many parts products take their depth.
inline bool takes_parts(const std::vector<Slot>& slots) {
  return std::any_of(slots.begin(), slots.end(), [](const Slot& slot) { return slot.what == Carries::Parts; });
}

// Some of a kernel's array parameters, in no order.
class ArrayParameters {
 public:
  bool contains(uint32_t parameter) const { return std::find(items_.begin(), items_.end(), parameter) != items_.end(); }
  void insert(uint32_t parameter) {
    if (!contains(parameter)) items_.push_back(parameter);
  }
  void insert(const ArrayParameters& others) {
    for (const uint32_t other : others.items_) insert(other);
  }

 private:
  RareList<uint32_t> items_;
};

// Kernel arguments that a launch has to refuse.
struct Guards {
  ArrayParameters floats;           // must be a float
  ArrayParameters not_float64;      // must not be a double
  ArrayParameters not_bool;         // must not be a bool
  ArrayParameters not_float8_e5m2;  // must not be a float8_e5m2
};

struct TileSize {
  ir::DtypeId dtype;
  std::vector<sym::ExprId> shape;
  friend bool operator==(const TileSize&, const TileSize&) = default;
};

// A product inside of a loop: what a pipeline stage holds, and what shared memory holds beside it. In the kernel's terms.
struct Stage {
  std::vector<TileSize> loaded;
  std::vector<TileSize> resident;
  std::vector<TileSize> computed;  // left operands that the loop calculates: only those of float32 go through shared memory
};

struct Product {
  ir::TypeId accumulator;
  sym::ExprId depth;
};

struct Resources {
  std::vector<ir::TypeId> tiles;  // of values
  std::vector<Product> products;
  std::vector<Stage> stages;
};

// What callers of a function have to know of it.
struct Callee {
  bool ok = true;
  std::string name;
  std::vector<Slot> slots;
  Guards guards;
  Resources resources;
  bool asserts = false;  // it, or a helper that it calls, has static assertions
};

struct Lowered : Callee {
  std::string text;
  std::set<ModuleName> constants;
  std::set<ir::FunctionId> helpers;
  std::set<std::string> support;
  std::set<PrintedImport> imports;
  std::set<sym::ExprId> asserted;  // of Function::assumes, what the text itself asks for; the rest is the launch's to ask
};

// An array as the code at hand knows it. Extents and strides that nobody asks for are none().
struct View {
  PyId pointer;
  std::string label;  // the array's name, for names made of it
  std::vector<PyId> extents;
  std::vector<PyId> strides;
};

// An operand of an elementwise op. Weak: a constant that adapts to what it meets.
struct Operand {
  PyId py;
  ir::DtypeId dtype;  // none() if weak
  bool weak = false;
  ir::LooseKind loose = ir::LooseKind::Int;
  std::optional<double> number;  // of a weak one, if known
};

// A compile-time question about dtypes, `X.dtype == ct.float32`, by the key of its atom.
struct DtypeTest {
  ir::DtypeId a;
  ir::DtypeId b;
};
using DtypeTests = std::map<std::string, DtypeTest>;
DtypeTests dtype_tests(const ir::Program& program);

// What is decided of values, variables and ops. Functions share no ids, so that one table of each kind serves all of a program.
struct Decisions {
  explicit Decisions(const ir::Program& program)
      : value_names(program.values.size()),
        var_names(program.vars.size()),
        live(program.ops.size()),
        inlined(program.ops.size()),
        built(program.ops.size()) {}

  std::vector<LocalId> value_names;  // as printed; none() of a value that has no name
  std::vector<LocalId> var_names;
  std::vector<bool> live;
  std::vector<bool> inlined;
  std::vector<PyId> built;  // what is printed inside of its user
};

struct Settings {
  const Names& names;
  const Options& options;
  const Author& author;
  const DtypeTests& dtype_tests;
  const Hazards& hazards;
};

// What is known of the whole program before its functions are printed.
struct Facts {
  const Uses& uses;
  const Squeezed& squeezed;
  const Demand& demand;
  SignsOfZero& signs_of_zero;
};

class Lowering {
 public:
  Lowering(ir::Program& program, ir::FunctionId function, const Facts& facts, Decisions& decisions,
           const std::map<ir::FunctionId, Callee>& callees, const Settings& settings, diag::Diagnostics& diagnostics);
  Lowered run();

 private:
  // --- values (lower.cc), and what is decided of them first (plan.cc)
  const ir::Type& type(ir::ValueId value) const { return program_.types[program_.values[value].type]; }
  const ir::Op& op(ir::OpId id) const { return program_.ops[id]; }
  // The dtype in which an op calculates: the one it names, else that of its result.
  ir::DtypeId calculated_in(const ir::Op& op) const { return op.attrs.dtype ? op.attrs.dtype : type(op.results[0]).dtype; }
  bool is_const(ir::ValueId value) const { return type(value).kind == ir::TypeKind::Const; }
  bool is_tile(ir::ValueId value) const { return type(value).kind == ir::TypeKind::Tile; }
  bool is_array(ir::ValueId value) const { return type(value).kind == ir::TypeKind::Array; }
  const ir::Op* definition(ir::ValueId value) const;
  bool in_while(ir::OpId id) const;
  void plan_names();
  void copy_assigned_numbers();
  std::set<ir::VarId> assigned_in_regions(ir::BlockId block) const;
  void plan_renamings();
  void plan_scopes();
  void plan_liveness();
  void plan_forms();
  void plan_barriers();
  bool inlines(ir::OpId id) const;
  // Whether a call stands as a statement for its static assertions: its result is unused, or a constant that is spelled out.
  bool only_asserts(const ir::Op& op) const;
  bool is_stable(ir::ValueId value) const;
  bool reaches(ir::OpId from, ir::OpId to) const;
  PyId value(ir::ValueId value);
  PyId build(ir::OpId id);
  PyId constant(sym::ExprId expr);
  PyId literal(const sym::Value& literal, source::Span span);
  PyId symbol(const ir::Op& op);
  bool is_taken(std::string_view name) const;
  LocalId fresh_local(std::string_view base);
  std::string_view fresh(std::string_view base) { return locals_[fresh_local(base)]; }
  bool has_name(ir::ValueId value) const { return value_names_[value.index].valid(); }
  std::string_view name(ir::ValueId value) const { return locals_[value_names_[value.index]]; }
  std::string_view name(ir::VarId var) const { return locals_[var_names_[var.index]]; }
  LocalId name_or(ir::ValueId value, std::string_view base);  // that it has, else a fresh one, which it has from then on
  PyId atom(LocalId local);                                   // that the text reads
  // The shape as printed: without the units of a squeezed tile.
  std::vector<sym::ExprId> shape(ir::ValueId value) const;
  PyId extent(sym::ExprId expr);
  bool pythonic(ir::ValueId value) const;

  // --- types (types.cc)
  PyId dtype(ir::DtypeId id, source::Span where, const ShortList<ir::ValueId>& alike = {});
  std::optional<PyId> try_dtype(ir::DtypeId id, const ShortList<ir::ValueId>& alike);
  std::string sources_of(ir::DtypeId id) const;
  PyId cast_like(PyId py, ir::DtypeId to, source::Span where, const ShortList<ir::ValueId>& alike);
  ir::DtypeId physical(ir::DtypeId id);  // as Triton stores it: tf32 is a float32
  // When a float32 of this dtype is a tf32: a compile-time condition, True for always; none() for never.
  sym::ExprId tf32_when(ir::DtypeId id);
  ir::DtypeId assuming_floats(ir::DtypeId id);
  ir::DtypeId assuming_numbers(ir::DtypeId id);
  std::optional<bool> answer(const DtypeTest& test);
  sym::ExprId folded(sym::ExprId expr);  // with the questions about dtypes that have an answer
  const DtypeTest* test_of(sym::ExprId expr) const;
  PyId cast(PyId py, bool method, ir::DtypeId to, source::Span where);
  bool method_on(ir::ValueId value) const { return !pythonic(value); }
  bool may_be_narrow(ir::DtypeId id) const;  // a float of 16 bits, for all that is known
  ir::DtypeId plain(ir::DtypeId id);         // float64 excluded
  void guard_float(ir::DtypeId id);
  void guard_not_float64(ir::DtypeId id);
  void guard_where_plain(ir::DtypeId id);  // if it would be another one with float64
  void guard_not_bool(ir::DtypeId id);
  void guard_not_float8_e5m2(ir::DtypeId id);
  ir::DtypeId f32() { return program_.types.known(ir::Scalar::F32); }

  // --- elementwise (elementwise.cc)
  Operand operand(ir::ValueId value, bool peel);
  bool of_array(ir::DtypeId dtype) const;
  std::optional<ir::DtypeId> triton_dtype(const Operand& a, const Operand& b);
  bool agrees(const Operand& a, const Operand& b, ir::DtypeId wanted);
  std::pair<Operand, Operand> operands(const ir::Op& op);
  std::pair<Operand, Operand> agreeing_operands(const ir::Op& op);
  PyId strict(const Operand& operand, ir::DtypeId dtype, source::Span where);
  PyId negative_zero();
  PyId with_sign(const Operand& operand, ir::DtypeId dtype, source::Span where);
  void keep_signs(Operand& a, Operand& b, ir::DtypeId dtype, source::Span where);
  PyId held(const Operand& constant, ir::DtypeId dtype, source::Span where);
  void check_float_options(const ir::Op& op);
  PyId infix(const ir::Op& op, std::string_view word);
  PyId compare(const ir::Op& op, std::string_view word);
  PyId divide(const ir::Op& op);
  PyId floor_divide(const ir::Op& op);
  PyId minmax(const ir::Op& op);
  PyId power(const ir::Op& op);
  PyId shift(const ir::Op& op, std::string_view word);
  PyId where(const ir::Op& op);
  PyId unary(const ir::Op& op, std::string_view function);
  PyId unary_of(const ir::Op& op, PyId argument, std::string_view function);
  PyId widened(ir::ValueId value, ir::DtypeId dtype, source::Span where);
  PyId narrowed(PyId py, ir::DtypeId dtype, source::Span where, const ShortList<ir::ValueId>& alike);
  PyId negate(const ir::Op& op);
  PyId logical_not(const ir::Op& op);
  PyId convert(const ir::Op& op);
  PyId rounded_to_tf32(PyId py, ir::DtypeId from, ir::DtypeId to, source::Span where);
  PyId const_op(const ir::Op& op);
  // The ceiling of the quotient of two integers that Python calculates, for all signs; the usual form if the divisor is positive.
  PyId const_ceiling(PyId dividend, PyId divisor, bool is_positive);

  // --- memory (memory.cc)
  // Offsets that several accesses share: of a tile, in 64 bits of a scalar, of an index that is calculated in place.
  enum class SharedKind : uint8_t { Offset, Wide, Element };
  struct Shared {
    LocalId name;
    SharedKind kind = SharedKind::Offset;
    ir::ValueId index;
    ir::ValueId extent;  // of a loaded tile; else none()
    sym::ExprId size;
  };
  // What an access has of it on one axis.
  struct SharedAt {
    ir::OpId op;
    uint32_t axis = 0;
    uint32_t shared = 0;  // of shared_
    auto place() const { return std::pair(op, axis); }
  };
  using SharedPlaces = std::vector<SharedAt>;  // by op and axis
  const Shared* shared_at(const SharedPlaces& places, ir::OpId id, uint32_t axis) const;
  PyId shared_definition(const Shared& shared);
  void plan_addresses();
  const View& view(ir::ValueId array);
  PyId load_tile(ir::OpId id, const std::vector<sym::ExprId>& printed);
  PyId store_tile(ir::OpId id);
  PyId gather(ir::OpId id);
  PyId scatter(ir::OpId id);
  PyId atomic(ir::OpId id);
  struct Address {
    PyId pointer;
    PyId mask;           // none() if always true
    bool block = false;  // a block of pointers
    bool fixed = true;   // the mask follows from extents alone, which may be compile-time ones
  };
  Address tile_address(ir::OpId id, const std::vector<sym::ExprId>& printed);
  Address element_address(ir::OpId id, std::optional<ir::ValueId> mask);
  PyId index64(ir::ValueId index);
  PyId fill(const ir::Op& op, ir::DtypeId element);
  void define_array(ir::OpId id, std::vector<StmtId>& out);
  void plan_array_variables();
  void set_array(ir::VarId var, ir::ValueId array, std::vector<StmtId>& out);
  ir::ValueId original(ir::ValueId value) const;
  ir::ValueId strides_of(ir::ValueId array) const;
  ir::ValueId source_of(ir::ValueId value) const;
  bool is_loaded(ir::ValueId value, int depth = 2) const;
  bool may_be_reshaped(ir::ValueId value) const;
  bool is_float8(ir::DtypeId dtype);  // or may be
  PyId any_bit(ir::ValueId value);

  // --- shapes (shapes.cc)
  PyId shape_tuple(const std::vector<PyId>& extents) { return python_.tuple(extents); }
  PyId full(const ir::Op& op);
  PyId iota(const ir::Op& op);
  PyId reshape(const ir::Op& op);
  PyId expand_dims(const ir::Op& op);
  PyId permute(const ir::Op& op);
  PyId broadcast(const ir::Op& op);
  PyId cat(const ir::Op& op);
  PyId extract(const ir::Op& op);
  PyId reshaped(PyId py, const std::vector<sym::ExprId>& from, const std::vector<sym::ExprId>& to, const ir::Op& op);

  // --- reductions and products (products.cc)
  ir::ValueId uncounted(ir::ValueId value) const;
  PyId accumulable(PyId py, ir::DtypeId dtype);
  bool is_reduced(ir::ValueId value) const;
  PyId reduce(const ir::Op& op);
  PyId scan(const ir::Op& op);
  PyId dot(const ir::Op& op);
  bool factor_may_be(const ir::Op& dot, ir::Scalar scalar) const;
  bool is_thin(const ir::Op& dot) const;
  PyId thin_dot(const ir::Op& op);
  void plan_parts();
  PyId precision(ir::DtypeId operand);
  PyId float8_depth(const ir::Op& op, const std::vector<PyId>& operands);

  // --- the body's text (body.cc)
  void print_statements(std::span<const StmtId> made);
  void print_ahead(std::vector<StmtId>& made);
  void insert_statement(StmtId id);
  std::string body_text();

  // --- control (control.cc)
  std::vector<StmtId> block(ir::BlockId id);
  PyId assigned(ir::ValueId value);
  void statements(ir::OpId id, std::vector<StmtId>& out);
  void assign(std::span<const LocalId> targets, PyId py, const ir::Op& op, std::vector<StmtId>& out);
  void branch(const ir::Op& op, std::vector<StmtId>& out);
  PyId static_assertion(PyId condition, const ir::Op& unsupported);
  void loop(const ir::Op& op, std::vector<StmtId>& out);
  void choose(const ir::Op& op, std::vector<StmtId>& out);
  PyId truth(PyId py, ir::ValueId value);
  PyId region_value(ir::BlockId region);
  bool region_inlines(ir::BlockId region) const;
  PyId ternary(const ir::Op& op);
  PyId both(const ir::Op& op, std::string_view word);
  bool outlived(std::span<const ir::OpId> ops) const;
  void trivia_of(ir::OriginId statement, source::Span span, std::vector<StmtId>& made, const std::vector<StmtId>& before,
                 uint32_t& blank_lines, bool stale);

  // --- calls and the signature (calls.cc)
  PyId call(const ir::Op& op);
  void plan_parameters();
  std::string signature();
  std::string definition_text();
  std::string support(std::string_view name);  // that the text calls it, and by which name
  void plan_resources();
  void assert_constants();
  std::vector<sym::ExprId> numbers_of_constants() const;

  // --- reports
  void refuse(source::Span span, diag::Diagnostic report);
  void note(diag::Diagnostic report);

  ir::Program& program_;
  ir::FunctionId function_;
  const Uses& uses_;
  const std::vector<ir::OpId>& ops_;  // of the function
  const Squeezed& squeezed_;
  const Demand& demand_;
  SignsOfZero& signs_of_zero_;
  const std::map<ir::FunctionId, Callee>& callees_;
  const Settings& settings_;
  diag::Diagnostics& diagnostics_;
  Python python_;
  Lowered out_;

  Locals locals_;
  std::map<std::string, int, std::less<>> last_suffix_;  // by name that was not free
  std::vector<LocalId>& value_names_;
  std::vector<LocalId>& var_names_;
  std::vector<bool>& live_;
  std::vector<bool>& inline_;
  std::vector<PyId>& built_;
  std::vector<ir::OpId> built_ops_;  // that have an expression in `built_`
  struct Body {
    std::string text = {};        // of the statements that are printed
    bool has_code = false;        // a statement is among them
    size_t behind_docstring = 0;  // where the text goes on
    size_t kept_expressions = 0;  // when statements were printed last
  };
  Body body_;
  std::set<uint32_t> calculated_;          // array parameters whose elements are calculated with
  std::vector<ir::OpId> sets_;             // every Set
  std::set<ir::VarId> given_;              // variables that may hold what a parameter was given
  OfLocals<ShortList<uint32_t>> writers_;  // the orders of ops that assign it
  std::vector<uint32_t> written_before_;   // by order: how many names are assigned before
  OfLocals<PyId> atoms_;                   // of those that were read before
  std::map<ir::ValueId, View> views_;
  std::map<ir::VarId, View> var_views_;
  std::map<uint32_t, size_t> slot_of_;        // by parameter: its own slot
  std::map<sym::ExprId, LocalId> constants_;  // constants at hand, by value

  std::vector<Shared> shared_;
  std::vector<std::pair<ir::OpId, uint32_t>> shared_before_;  // which of them is defined before which op, by op
  SharedPlaces offsets_;
  SharedPlaces elements_;        // indices that are calculated in place
  OfLocals<uint8_t> mentioned_;  // whether the text reads it
  std::vector<std::string> signature_comments_;
  std::set<std::string_view> noted_;
  std::optional<PyId> parts_;     // in how many parts products take their depth, if the launch decides it
  std::set<ir::OpId> barriers_;   // ops that are printed behind a barrier
  SetOf<ir::OriginId> told_;      // statements whose comments are printed
  SetOf<ir::OriginId> branches_;  // compound statements whose inner comments are
};

}  // namespace tilewright::back::triton
