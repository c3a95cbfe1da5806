// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of a reading, and what the families of builtins are written with.
//
// A kernel is read as often as it teaches something: that a parameter is an array, its rank, that a scalar is an integer. What is
// learned stays in Reader::knowledge, the ops of the attempt are thrown away (ir::Mark), and the last reading, which learns
// nothing new, is the one that counts. Two readings are usual.
//
// An error is reported once and its value is Poison, which nothing complains about again.

#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/rare.h"
#include "base/rare_list.h"
#include "front/common/locals.h"
#include "front/common/messages.h"
#include "front/common/module.h"
#include "front/common/read.h"
#include "front/common/value.h"
#include "ir/compact.h"
#include "ir/program.h"

namespace tilewright::front {

using syntax::NodeId;
using syntax::NodeKind;

struct Dialect;

// What the text of a function says of a parameter (foresight.cc).
struct Foreseen {
  bool number = false;
  bool array = false;
  bool ranks_differ = false;
  uint32_t rank = ir::unknown_rank;
  bool integer = false;
};

// What is known of a parameter of the kernel that is being read.
struct Knowledge {
  enum class Kind : uint8_t { Unknown, Array, ArrayList, Scalar, Constant, Pointer, Window };
  // What is passed for a Constant whose annotation does not say it.
  enum class Passes : uint8_t { Number, String, Dtype };
  Kind kind = Kind::Unknown;
  bool guessed = false;  // only `.dtype` was read: an array unless arithmetic says otherwise
  uint32_t rank = ir::unknown_rank;
  bool ranks_differ = false;  // between launches (ranks.cc)
  std::optional<ir::Scalar> scalar = {};
  bool index_int64 = false;
  Passes passes = Passes::Number;
  std::optional<ir::LooseKind> loose = {};  // Constant: of a number, as far as it is known
  bool is_number = false;                   // Scalar: no pointer, as its uses say
  bool may_be_none = false;
  // Foreseen, so that uses have to confirm it; of an unknown kind, that nothing but its annotation says what it is.
  bool kind_foreseen = false;
  bool rank_foreseen = false;

  bool operator==(const Knowledge&) const = default;
};

// The value of a parameter of the kernel in this attempt; none until its first use.
struct ParameterValue {
  ir::ValueId value = {};
  size_t ops_before = 0;  // how many ops the program had when it was made
};

// Why a name cannot be read where it is read.
enum class Unusable : uint8_t {
  Unbound,          // never assigned before, on any path
  Sometimes,        // not assigned on every path
  DifferentTypes,   // of another type on another path
  DifferentValues,  // not a number, and another one on another path
  AfterLoop,        // assigned only inside a loop that may not run
};

struct Binding {
  enum class Kind : uint8_t { Unusable, Value, Variable, Conditional };
  Kind kind = Kind::Unusable;
  Unusable why = Unusable::Unbound;
  Val value = {};              // Value
  ir::TypeId type = {};        // Variable: of what it holds now
  bool may_be_loose = false;   // Variable: in some launches a loose constant (select_types in control.h)
  std::string detail = {};     // DifferentTypes: the types, in words
  sym::ExprId condition = {};  // Conditional
  std::shared_ptr<const std::pair<Binding, Binding>> branches = {};
  NodeId origin = {};                  // Conditional: the `if` that made it so
  std::vector<uint32_t> headers = {};  // the loops at whose start the name had this value already
};

struct Environment {
  bool reachable = true;
  std::vector<Binding> bindings = {};  // by slot
};

// A `for` or `while` around the place that is being read.
struct Loop {
  enum class Kind : uint8_t { For, While };
  Kind kind = Kind::For;
  uint32_t serial = 0;
  std::vector<Environment> breaks = {};
  std::vector<Environment> continues = {};
  std::map<uint32_t, NodeId> read_at_header = {};  // slots whose value at the loop's start was read, and where
};

struct Returned {
  Val value = none_val();
  sym::ExprId condition = {};  // the constant conditions under which it is reached; none(): always
  source::Span span = {};
  ir::OpId op = {};  // the `return`, in this block
  ir::BlockId block = {};
};

// Constant conditions that hold at a place, or whose opposite does.
using Assumptions = std::vector<std::pair<sym::ExprId, bool>>;

// What the reading of a region adds to its function, beside what read_region undoes.
struct Progress {
  std::vector<ir::VarId> vars = {};  // by slot
  std::vector<Loop> loops = {};
  std::vector<Returned> returns = {};
  NodeId statement = {};
  std::set<ir::ValueId> loose = {};                 // values that are a loose constant in some launches
  std::map<ir::ValueId, Assumptions> implied = {};  // constant conditions that hold where the value is true
  std::vector<std::pair<syntax::NodeList, size_t>> blocks =
      {};  // the statement lists around this place, and how far they are read
  uint32_t loop_serial = 0;
  uint32_t depth = 0;  // nesting of expressions and blocks, against hostile input
};

// The body of a loop whose iterations are read one after the other.
struct Unrolled {
  syntax::NodeList body = {};
  std::function<void()> after = {};  // reads the iterations that follow, and what follows the loop in its block
  bool is_read = false;              // all of that
};

// A function that is being read.
struct Frame : Progress {
  Module* module = nullptr;
  const syntax::Tree* tree = nullptr;
  NodeId node = {};
  ir::Function* made = nullptr;  // joins the program when its body is read: callees stand before callers
  bool is_kernel = false;
  std::optional<uint32_t> running =
      {};  // its number in a program that is running, if it may read variables of functions around it
  std::vector<Local> locals = {};
  std::vector<std::string_view> slot_names = {};
  Environment environment = {};
  Assumptions assumptions = {};
  ir::BlockId block = {};
  std::vector<Unrolled*> unrolled = {};  // around this place
  bool rest_is_read = false;             // of the block, by the statement that was read last
  std::set<uint32_t> integers = {};      // parameters that uses have shown to be integers; of a kernel, if any is awaited
  std::map<ir::VarId, ir::ValueId> sole_values = {};       // of variables, where that is asked; none() of one with several
  std::map<ir::ValueId, uint32_t> kernel_parameters = {};  // values that are a parameter of the kernel, in whatever function
};

// A statement that is read twice, with all that follows it in its block, once for each side of a constant condition: what it
// leaves behind differs too much to be one variable. In a loop whose iterations are read one after the other, all that follows it
// there and behind the loop.
struct Split {
  const syntax::Tree* tree = nullptr;
  NodeId statement = {};
  sym::ExprId condition = {};  // none(): that of the `if` that the statement is, in each iteration its own
};

// An array parameter of the kernel used with a rank.
struct RankUse {
  uint32_t parameter = 0;
  uint32_t rank = 0;
  Assumptions conditions = {};  // of all functions around the place
};

// Parameters of the kernel whose uses say of which kind they are, and of which rank.
struct Confirmed {
  std::set<uint32_t> kinds = {};
  std::set<uint32_t> ranks = {};

  bool empty() const { return kinds.empty() && ranks.empty(); }
  void add(const Confirmed& other) {
    kinds.insert(other.kinds.begin(), other.kinds.end());
    ranks.insert(other.ranks.begin(), other.ranks.end());
  }
};

struct Instance {
  ir::FunctionId function = {};
  Val result = {};  // with Ir values that stand for the results, in order
  const Module* module = nullptr;
  NodeId node = {};
  RareList<sym::ExprId> assumes = {};         // Kernel::assumes of every kernel that calls it
  Rare<std::vector<RankUse>> rank_uses = {};  // with the conditions inside of the function
  Rare<Confirmed> confirmed = {};
  RareList<uint32_t> integers = {};  // Frame::integers
};

struct Reader {
  const Dialect& dialect;
  ir::Program& program;
  const ImportResolver& resolver;
  const Options& options;
  Modules modules;

  diag::Diagnostics* sink = nullptr;
  uint32_t errors = 0;  // in the current sink
  Frame* frame = nullptr;
  std::vector<Frame*> stack = {};

  Kernel* kernel = nullptr;
  std::vector<Knowledge> knowledge = {};
  std::vector<ParameterValue> parameter_values = {};
  std::vector<Split> splits = {};
  std::vector<RankUse> rank_uses = {};  // of this attempt, where the type of the array does not say the rank
  Confirmed confirmed = {};             // by this attempt
  std::set<uint32_t> integers = {};     // parameters that this attempt has shown to be integers
  std::vector<uint32_t> awaited = {};   // parameters that are taken for integers, which uses have to confirm
  std::set<uint32_t> handed_on = {};    // parameters that were passed or copied before anything was known of them
  bool learned = false;                 // something that an earlier op of this attempt should have known

  std::map<std::pair<const Module*, NodeId>, std::vector<Foreseen>> foreseen = {};  // by function
  std::map<std::string, Instance> instances = {};
  std::map<std::pair<const Module*, NodeId>, uint32_t> instance_counts = {};
  std::map<std::pair<source::FileId, std::string>, Constant> constants = {};
  std::set<std::string, std::less<>> read_names = {};

  const syntax::Tree& tree() const { return *frame->tree; }
  ir::Types& types() { return program.types; }
  sym::Arena& arena() { return program.arena; }
};

// Diagnostics -----------------------------------------------------------------------------------------------------------------

// The place of a node in the function that is being read.
source::Span span_of(const Reader& reader, NodeId node);
void add_error(Reader& reader, diag::Diagnostic diagnostic);

template <class... Args>
Val error(Reader& reader, NodeId node, const diag::Message<Args...>& message, const std::type_identity_t<Args>&... args) {
  add_error(reader, diag::report(diag::Severity::Error, span_of(reader, node), message, args...));
  return {};
}

// The same with advice.
template <class... Args>
Val error_with(Reader& reader, NodeId node, std::string note, const diag::Message<Args...>& message,
               const std::type_identity_t<Args>&... args) {
  diag::Diagnostic diagnostic = diag::report(diag::Severity::Error, span_of(reader, node), message, args...);
  diagnostic.notes.push_back(std::move(note));
  add_error(reader, std::move(diagnostic));
  return {};
}

// Emitting --------------------------------------------------------------------------------------------------------------------

void forget(Reader& reader, const ir::Mark& since);  // drops everything made since
void forget_parameters(Reader& reader);              // parameters of the kernel whose value was dropped

ir::ValueId emit(Reader& reader, NodeId node, ir::OpKind kind, ShortList<ir::ValueId> operands, ir::TypeId result,
                 ir::Attrs attrs = {});
ir::OpId emit_op(Reader& reader, NodeId node, ir::OpKind kind, ShortList<ir::ValueId> operands,
                 const ShortList<ir::TypeId>& results, ir::Attrs attrs = {}, RareList<ir::BlockId> regions = {});
void emit_mark(Reader& reader, NodeId node);
ir::BlockId new_block(Reader& reader);

ir::ValueId literal(Reader& reader, NodeId node, const sym::Value& value);
ir::ValueId integer(Reader& reader, NodeId node, int64_t value);

// Types -----------------------------------------------------------------------------------------------------------------------

const ir::Type& type_of(const Reader& reader, ir::ValueId value);
inline ir::TypeId type_id(const Reader& reader, ir::ValueId value) { return reader.program.values[value].type; }
bool is_const(const Reader& reader, ir::ValueId value);
bool is_scalar(const Reader& reader, ir::ValueId value);  // shape ()
// Shape of a tile or number; a Const has shape ().
std::vector<sym::ExprId> shape_of(const Reader& reader, ir::ValueId value);
// Its dtype if nothing adapts it: a loose int is int32.
ir::DtypeId own_dtype(Reader& reader, ir::ValueId value);
ir::DtypeId own_dtype(Reader& reader, ir::TypeId type);
ir::TypeId scalar_type(Reader& reader, ir::Scalar scalar);
ir::TypeId int32_type(Reader& reader);
ir::TypeId dim_type(Reader& reader, ir::ValueId array);  // of its extents: int32, int64 if annotated so
ir::TypeId bool_type(Reader& reader, std::vector<sym::ExprId> shape = {});
std::optional<ir::ScalarClass> class_of(Reader& reader, ir::ValueId value);
// "a tile of float32 with shape (TILE, 1)", "the array `X`", "a tuple": for messages.
std::string describe(Reader& reader, const Val& val);
std::string describe(Reader& reader, ir::TypeId type);
std::string shape_text(const Reader& reader, const std::vector<sym::ExprId>& shape);
std::string dtype_text(const Reader& reader, ir::DtypeId dtype);

// What a value can be used as. Each reports and returns nullopt if it cannot; `what` names the role: "the index". --------------

std::optional<ir::ValueId> as_number(Reader& reader, NodeId node, const Val& val, std::string_view what);
// The same, a constant made a scalar of the program: for ops that take tiles only.
std::optional<ir::ValueId> as_tile(Reader& reader, NodeId node, const Val& val, std::string_view what);
std::optional<ir::ValueId> as_scalar(Reader& reader, NodeId node, const Val& val, std::string_view what);
std::optional<ir::ValueId> as_signed_scalar(Reader& reader, NodeId node, const Val& val, std::string_view what);
std::optional<ir::ValueId> as_integer(Reader& reader, NodeId node, const Val& val, std::string_view what);
std::optional<ir::ValueId> as_array(Reader& reader, NodeId node, const Val& val, std::string_view what);
// The list of arrays that a bare parameter is, used as one; nullopt without a report if it is something else.
std::optional<ir::ValueId> as_array_list(Reader& reader, NodeId node, const Val& val);
std::optional<ir::DtypeId> as_dtype(Reader& reader, NodeId node, const Val& val, std::string_view what);
// A use of a kernel's constant says of which kind it is.
void learn_constant(Reader& reader, sym::ExprId value, ir::LooseKind loose);
// A constant integer, known or symbolic: the Const value.
std::optional<ir::ValueId> as_const_int(Reader& reader, NodeId node, const Val& val, std::string_view what);
std::optional<int64_t> as_known_int(Reader& reader, NodeId node, const Val& val, std::string_view what);
std::optional<bool> as_known_bool(Reader& reader, NodeId node, const Val& val, std::string_view what);
std::optional<uint32_t> as_enum(Reader& reader, NodeId node, const Val& val, Enumeration enumeration, std::string_view what);
// A normalised axis for a rank.
std::optional<uint32_t> as_axis(Reader& reader, NodeId node, const Val& val, uint32_t rank);

enum class IntForm : uint8_t { Refused, Allowed };  // `shape=8` for (8,)
struct Extents {
  std::vector<ir::ValueId> values = {};  // Consts
  std::vector<sym::ExprId> shape = {};
};
// One extent of a tile: a constant integer, a power of two as far as it is known.
std::optional<ir::ValueId> as_extent(Reader& reader, NodeId node, const Val& val);
std::optional<Extents> as_shape(Reader& reader, NodeId node, const Val& val, IntForm form);
// The extents of a tile, as constants.
Extents extents_of(Reader& reader, NodeId node, ir::ValueId tile);
ir::ValueId tile_dim(Reader& reader, NodeId node, ir::ValueId tile, uint32_t axis);

// Numbers and dtypes that have no op yet get one; Parameters that are known by now too.
Val materialise(Reader& reader, NodeId node, Val val);
std::optional<ir::ValueId> dtype_value(Reader& reader, NodeId node, const Val& val);  // a DtypeConst

// The parameter of the kernel whose elements a dtype is about, if it is one.
std::optional<uint32_t> element_parameter(const Reader& reader, ir::DtypeId dtype);
// Whether an array or a tile may have so many axes; tells the user if not.
bool has_few_axes(Reader& reader, NodeId node, size_t axes);
// Says that the parameter is an array, a list, a number …, and gives its value.
std::optional<ir::ValueId> settle_parameter(Reader& reader, NodeId node, uint32_t index, Knowledge::Kind kind);
// The parameter of the kernel that a value is, in whatever function.
std::optional<uint32_t> kernel_parameter(const Reader& reader, const Val& val);
// A use teaches what a parameter is.
bool learn_rank(Reader& reader, NodeId node, ir::ValueId array, uint32_t rank);
// The rank is what the array says, or else it learns it from the index.
bool check_rank(Reader& reader, NodeId node, ir::ValueId array, std::string_view what, size_t count);
// The refusal of something that needs a rank which no use has said so far. `what`: "the shape of an array …".
Val rank_unsaid(Reader& reader, NodeId node, ir::ValueId array, std::string_view what);
// What a function that was read from reader.rank_uses[first] on uses, for another call of it.
std::vector<RankUse> rank_uses_since(const Reader& reader, size_t first);
bool repeat_rank_uses(Reader& reader, NodeId node, const std::vector<RankUse>& uses);
// An index, a bound of a range: an integer, if it is a scalar parameter whose dtype is open.
void learn_integer(Reader& reader, ir::ValueId number);

// Arithmetic ------------------------------------------------------------------------------------------------------------------

std::optional<std::vector<sym::ExprId>> broadcast(Reader& reader, NodeId node, const std::vector<sym::ExprId>& a,
                                                  const std::vector<sym::ExprId>& b);
// Whether two extents are equal; those of which it is not known are assumed to be (Kernel::assumes).
bool same_extent(Reader& reader, sym::ExprId a, sym::ExprId b);
// A condition without which cuTile refuses the launch.
void assume_of_launch(Reader& reader, sym::ExprId condition);
// Inserts an implicit cast where the dtypes differ. Consts are left alone.
ir::ValueId implicit_cast(Reader& reader, NodeId node, ir::ValueId value, ir::DtypeId dtype);
ir::ValueId explicit_cast(Reader& reader, NodeId node, ir::ValueId value, ir::DtypeId dtype, ir::Attrs attrs = {});
ir::ValueId to_bool(Reader& reader, NodeId node, ir::ValueId value);
Val logical_not(Reader& reader, NodeId node, const Val& operand);
// The constant truth of a value, in the current branch: nullopt if it is decided by the launch or at run time.
std::optional<bool> truth(Reader& reader, const Val& val);
// Of a constant condition under the assumptions in force, or under others.
std::optional<bool> truth(Reader& reader, sym::ExprId condition);
std::optional<bool> truth(Reader& reader, sym::ExprId condition, const Assumptions& assumptions);

// A condition as a constant bool; none() if it is not constant.
sym::ExprId constant_condition(Reader& reader, const Val& val);

// Syntax ----------------------------------------------------------------------------------------------------------------------

Val read_expression(Reader& reader, NodeId node);
void read_statements(Reader& reader, syntax::NodeList body);
// Asks for a Split before the statement from which `origin` and this place can both be seen; false if that is not possible.
bool ask_for_split(Reader& reader, NodeId origin, sym::ExprId condition);
// The rest of a block, twice. False if the condition is not to be had as a value.
bool read_split(Reader& reader, const Split& split, syntax::NodeList rest);
// A constant of the program with this value.
std::optional<ir::ValueId> constant_value(Reader& reader, NodeId node, sym::ExprId value);
void read_if(Reader& reader, NodeId node);
void read_while(Reader& reader, NodeId node);
Val read_ternary(Reader& reader, NodeId node);
Val read_bool_op(Reader& reader, NodeId node);
Val read_compare(Reader& reader, NodeId node);
Val read_chained_comparison(Reader& reader, NodeId node);
Val read_call(Reader& reader, NodeId node);
// Whether the name, or one of the names, has a value of the program now.
bool assign(Reader& reader, NodeId node, NodeId target, const Val& value);
Val read_name(Reader& reader, NodeId node, std::string_view name);
// The value of a local name where it is read.
Val read_binding(Reader& reader, NodeId node, uint32_t slot, const Binding& binding);
Val read_conditional(Reader& reader, NodeId node, uint32_t slot, const Binding& binding);
// One result of two returns; `condition` is the constant condition of the first, or none(). nullopt: they differ.
std::optional<Val> merge_results(Reader& reader, const Val& a, const Val& b, sym::ExprId condition);
Val apply_operator(Reader& reader, NodeId node, syntax::Operator op, const Val& left, const Val& right);
Environment merge(Reader& reader, Environment a, const Environment& b);
// After a block that has ended: names that hold a tuple or an array of it, made since there were so many values, hold it no
// longer.
void leave_block(Reader& reader, Environment& environment, size_t values);
// Slots of names that the statements assign.
std::set<uint32_t> assigned_slots(Frame& frame, syntax::NodeList body);
// Of a name that depends on the path.
uint32_t slot_of(Frame& frame, std::string_view name);
Binding set_variable(Reader& reader, NodeId node, uint32_t slot, ir::ValueId value, ir::Spelling spelling);

struct Argument {
  std::string_view name = {};  // empty: positional
  Val value = {};
  NodeId node = {};
};
Val call_function(Reader& reader, NodeId node, const Val& callee, std::vector<Argument> arguments);
// The instance of a helper for these arguments, read if there is none yet; none after an error.
const Instance* instance_of(Reader& reader, NodeId node, const Val& function, const std::vector<Argument>& given,
                            std::vector<Val>& arguments);

// What the text of a function says of its parameters, in their order.
const std::vector<Foreseen>& foreseen(Reader& reader, Module& module, NodeId function);
// Takes it for known of a kernel's parameters; false if it says nothing.
bool foresee_parameters(Reader& reader, Module& module, NodeId kernel);
// Whether uses have said the same of all of them.
bool is_confirmed(const Reader& reader);
void confirm_array(Reader& reader, ir::ValueId array);
void confirm_rank(Reader& reader, ir::ValueId array);
// Whether it is of interest which parameters of the function that is being read are integers.
bool awaits_integers(const Reader& reader);
// That the parameters of this function which a number is calculated from are integers.
void confirm_integer(Reader& reader, ir::ValueId number);
void confirm_number(Reader& reader, ir::DtypeId dtype);
// The Args of a function, in the order of its parameters; `*args` and `**kwargs` are not among them.
std::vector<NodeId> parameters_of(const syntax::Tree& tree, NodeId function);
void read_kernel(Reader& reader, Module& module, Kernel& kernel);
// Finds the local names of frame.node, of which none is bound yet.
void enter_locals(const Reader& reader, Frame& frame);
// Gives a parameter its value at the start of a function.
void bind_parameter(Reader& reader, NodeId node, std::string_view name, const Val& val);
// The results of a function from its `return`s: gives Function::results and what a call of it is; nullopt after an error.
std::optional<Val> finish_returns(Reader& reader, Frame& frame);
// Records that device code reads a module-level name, and gives a number or dtype its name.
Val read_global(Reader& reader, NodeId node, Module& module, std::string_view name, Val val);
// Of the functions that were read since: single assignments become named values, unused literals and reads disappear.
void tidy(ir::Program& program, const ir::Mark& since);

}  // namespace tilewright::front
