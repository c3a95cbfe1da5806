// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "front/cutile/builtins.h"
#include "front/cutile/dialect.h"

#include <algorithm>
#include <array>
#include <span>

namespace tilewright::front::cutile {

namespace {

using ir::OpKind;
using enum BuiltinSet;

constexpr std::string_view load_signature =
    "array, /, index, shape, *, order=, padding_mode=, check_bounds=, latency=, allow_tma=, memory_order=, memory_scope=";
constexpr std::string_view store_signature =
    "array, /, index, tile, *, order=, check_bounds=, latency=, allow_tma=, memory_order=, memory_scope=";
constexpr std::string_view rounded = "x, y, /, *, rounding_mode=, flush_to_zero=";
constexpr std::string_view min_max = "x, y, /, *, flush_to_zero=, propagate_nan=";
constexpr std::string_view two = "x, y, /";
constexpr std::string_view one = "x, /";
constexpr std::string_view rmw_signature = "array, indices, update, /, *, check_bounds=, memory_order=, memory_scope=";
constexpr std::string_view view_atomic = "view, index, update, /";
constexpr std::string_view sum_signature = "x, /, axis=, *, keepdims=, rounding_mode=, flush_to_zero=";
constexpr std::string_view max_signature = "x, /, axis=, *, keepdims=, flush_to_zero=, propagate_nan=";
constexpr std::string_view argmax_signature = "x, /, axis=, *, keepdims=, propagate_nan=";
constexpr std::string_view scan_signature = "x, /, axis=, *, reverse=, rounding_mode=, flush_to_zero=";

constexpr uint32_t of(ir::Reduction reduction) { return static_cast<uint32_t>(reduction); }
constexpr uint32_t of(ir::Atomic atomic) { return static_cast<uint32_t>(atomic); }

constexpr Builtin builtins[] = {
    // grid
    {Library, "bid", "axis", &read_bid, OpKind::ProgramId},
    {Library, "num_blocks", "axis", &read_bid, OpKind::NumPrograms},
    // memory
    {Library, "load", load_signature, &read_load},
    {Library, "store", store_signature, &read_store},
    {Library, "num_tiles", "array, /, axis, shape, order=", &read_num_tiles},
    {Library, "gather", "array, indices, /, *, mask=, padding_value=, check_bounds=, latency=", &read_gather},
    {Library, "scatter", "array, indices, value, /, *, mask=, check_bounds=, latency=", &read_scatter},
    {Library, "atomic_cas",
     "array, indices, expected, desired, /, *, check_bounds=, memory_order=, memory_scope=", &read_atomic_cas},
    {Library, "atomic_xchg", rmw_signature, &read_atomic_rmw, OpKind::AtomicRmw, of(ir::Atomic::Exchange)},
    {Library, "atomic_add", rmw_signature, &read_atomic_rmw, OpKind::AtomicRmw, of(ir::Atomic::Add)},
    {Library, "atomic_max", rmw_signature, &read_atomic_rmw, OpKind::AtomicRmw, of(ir::Atomic::Max)},
    {Library, "atomic_min", rmw_signature, &read_atomic_rmw, OpKind::AtomicRmw, of(ir::Atomic::Min)},
    {Library, "atomic_and", rmw_signature, &read_atomic_rmw, OpKind::AtomicRmw, of(ir::Atomic::And)},
    {Library, "atomic_or", rmw_signature, &read_atomic_rmw, OpKind::AtomicRmw, of(ir::Atomic::Or)},
    {Library, "atomic_xor", rmw_signature, &read_atomic_rmw, OpKind::AtomicRmw, of(ir::Atomic::Xor)},
    {Library, "Slice", "start, length, /", &read_index_slice},
    {Library, "load_advanced_indexing", "array, indices, /, *, padding_mode=, latency=, allow_tma=", &read_load_advanced},
    {Library, "store_advanced_indexing", "array, indices, tile, /, *, latency=, allow_tma=", &read_store_advanced},
    {ArrayMethod, "tiled_view", "array, /, tile_shape, *, padding_mode=, traversal_steps=", &read_tiled_view},
    {ViewMethod, "load", "view, /, index, *, check_bounds=, latency=, allow_tma=", &read_view_load},
    {ViewMethod, "store", "view, /, index, tile, *, check_bounds=, latency=, allow_tma=", &read_view_store},
    {ViewMethod, "num_tiles", "view, /, axis", &read_view_num_tiles},
    {ViewMethod, "atomic_store_add", view_atomic, &read_view_atomic, OpKind::AtomicRmw, of(ir::Atomic::Add)},
    {ViewMethod, "atomic_store_max", view_atomic, &read_view_atomic, OpKind::AtomicRmw, of(ir::Atomic::Max)},
    {ViewMethod, "atomic_store_min", view_atomic, &read_view_atomic, OpKind::AtomicRmw, of(ir::Atomic::Min)},
    {ViewMethod, "atomic_store_and", view_atomic, &read_view_atomic, OpKind::AtomicRmw, of(ir::Atomic::And)},
    {ViewMethod, "atomic_store_or", view_atomic, &read_view_atomic, OpKind::AtomicRmw, of(ir::Atomic::Or)},
    {ViewMethod, "atomic_store_xor", view_atomic, &read_view_atomic, OpKind::AtomicRmw, of(ir::Atomic::Xor)},
    {ArrayMethod, "slice", "array, /, axis, start, stop", &read_slice_method},
    // creation
    {Library, "arange", "size, /, *, dtype, start=, step=", &read_arange},
    {Library, "full", "shape, fill_value, dtype", &read_full},
    {Library, "zeros", "shape, dtype", &read_zeros_ones, OpKind::Full, 0},
    {Library, "ones", "shape, dtype", &read_zeros_ones, OpKind::Full, 1},
    // products
    {Library, "mma", "x, y, /, acc, *, use_fast_acc=", &read_mma},
    {Library, "matmul", two, &read_matmul},
    // shape and dtype
    {Library, "reshape", "x, /, shape", &read_reshape},
    {Library, "permute", "x, /, axes", &read_permute},
    {Library, "transpose", "x, /, axis0=, axis1=", &read_transpose},
    {Library, "expand_dims", "x, /, axis", &read_expand_dims},
    {Library, "broadcast_to", "x, /, shape", &read_broadcast_to},
    {Library, "cat", "tiles, /, axis", &read_cat},
    {Library, "extract", "x, /, index, shape", &read_extract},
    {Library, "astype", "x, dtype, /, *, rounding_mode=", &read_astype},
    {Library, "bitcast", "x, /, dtype", &read_bitcast},
    {Library, "where", "cond, x, y, /", &read_where},
    {Library, "ensure_constant", one, &read_ensure_constant},
    {TileMethod, "reshape", "x, /, shape", &read_reshape},
    {TileMethod, "permute", "x, /, axes", &read_permute},
    {TileMethod, "transpose", "x, /, axis0=, axis1=", &read_transpose},
    {TileMethod, "extract", "x, /, index, shape", &read_extract},
    {TileMethod, "astype", "x, /, dtype, *, rounding_mode=", &read_astype},
    {TileMethod, "item", one, &read_item},
    // reductions
    {Library, "sum", sum_signature, &read_reduce, OpKind::Reduce, of(ir::Reduction::Sum)},
    {Library, "prod", sum_signature, &read_reduce, OpKind::Reduce, of(ir::Reduction::Prod)},
    {Library, "max", max_signature, &read_reduce, OpKind::Reduce, of(ir::Reduction::Max)},
    {Library, "min", max_signature, &read_reduce, OpKind::Reduce, of(ir::Reduction::Min)},
    {Library, "argmax", argmax_signature, &read_reduce, OpKind::Reduce, of(ir::Reduction::ArgMax)},
    {Library, "argmin", argmax_signature, &read_reduce, OpKind::Reduce, of(ir::Reduction::ArgMin)},
    {Library, "cumsum", scan_signature, &read_scan, OpKind::Scan, of(ir::Reduction::Sum)},
    {Library, "cumprod", scan_signature, &read_scan, OpKind::Scan, of(ir::Reduction::Prod)},
    // arithmetic
    {Library, "add", rounded, &read_binary_function, OpKind::Add},
    {Library, "sub", rounded, &read_binary_function, OpKind::Sub},
    {Library, "mul", rounded, &read_binary_function, OpKind::Mul},
    {Library, "truediv", rounded, &read_binary_function, OpKind::TrueDiv},
    {Library, "floordiv", two, &read_binary_function, OpKind::FloorDiv},
    {Library, "mod", two, &read_binary_function, OpKind::FloorMod},
    {Library, "cdiv", two, &read_binary_function, OpKind::CeilDiv},
    {Library, "pow", two, &read_binary_function, OpKind::Pow},
    {Library, "atan2", "x1, x2, /", &read_binary_function, OpKind::Atan2},
    {Library, "minimum", min_max, &read_binary_function, OpKind::Min},
    {Library, "maximum", min_max, &read_binary_function, OpKind::Max},
    {Library, "bitwise_and", two, &read_binary_function, OpKind::BitAnd},
    {Library, "bitwise_or", two, &read_binary_function, OpKind::BitOr},
    {Library, "bitwise_xor", two, &read_binary_function, OpKind::BitXor},
    {Library, "bitwise_lshift", two, &read_binary_function, OpKind::Shl},
    {Library, "bitwise_rshift", two, &read_binary_function, OpKind::Shr},
    {Library, "divmod", two, &read_divmod},
    {Library, "equal", two, &read_compare_function, OpKind::CmpEq},
    {Library, "not_equal", two, &read_compare_function, OpKind::CmpNe},
    {Library, "less", two, &read_compare_function, OpKind::CmpLt},
    {Library, "less_equal", two, &read_compare_function, OpKind::CmpLe},
    {Library, "greater", two, &read_compare_function, OpKind::CmpGt},
    {Library, "greater_equal", two, &read_compare_function, OpKind::CmpGe},
    // one operand
    {Library, "exp", "x, /, *, rounding_mode=", &read_unary_function, OpKind::Exp},
    {Library, "exp2", "x, /, *, flush_to_zero=", &read_unary_function, OpKind::Exp2},
    {Library, "log", one, &read_unary_function, OpKind::Log},
    {Library, "log2", one, &read_unary_function, OpKind::Log2},
    {Library, "sqrt", "x, /, *, rounding_mode=, flush_to_zero=", &read_unary_function, OpKind::Sqrt},
    {Library, "rsqrt", "x, /, *, flush_to_zero=", &read_unary_function, OpKind::Rsqrt},
    {Library, "sin", one, &read_unary_function, OpKind::Sin},
    {Library, "cos", one, &read_unary_function, OpKind::Cos},
    {Library, "tan", one, &read_unary_function, OpKind::Tan},
    {Library, "sinh", one, &read_unary_function, OpKind::Sinh},
    {Library, "cosh", one, &read_unary_function, OpKind::Cosh},
    {Library, "tanh", "x, /, *, rounding_mode=", &read_unary_function, OpKind::Tanh},
    {Library, "floor", one, &read_unary_function, OpKind::Floor},
    {Library, "ceil", one, &read_unary_function, OpKind::Ceil},
    {Library, "abs", one, &read_unary_function, OpKind::Abs},
    {Library, "negative", one, &read_unary_function, OpKind::Neg},
    {Library, "bitwise_not", one, &read_unary_function, OpKind::BitNot},
    {Library, "isnan", one, &read_unary_function, OpKind::IsNan},
    // Python's own
    {Python, "range", "start, stop=, step=, /", &read_range_value},
    {Python, "len", "x, /", &read_len},
    {Python, "min", two, &read_min_max_builtin, OpKind::Min},
    {Python, "max", two, &read_min_max_builtin, OpKind::Max},
    {Python, "abs", one, &read_unary_function, OpKind::Abs},
    {Python, "divmod", two, &read_divmod},
    {Python, "int", one, &read_constant_function, OpKind::Cast, static_cast<uint32_t>(ir::LooseKind::Int)},
    {Python, "float", one, &read_constant_function, OpKind::Cast, static_cast<uint32_t>(ir::LooseKind::Float)},
    {Python, "bool", one, &read_constant_function, OpKind::Cast, static_cast<uint32_t>(ir::LooseKind::Bool)},
    {Python, "tuple", "x, /", &read_tuple},
};

// The builtins in the order of their names within each set.
constexpr auto by_name = [] {
  std::array<const Builtin*, std::size(builtins)> out = {};
  for (size_t i = 0; i < out.size(); ++i) out[i] = &builtins[i];
  std::sort(out.begin(), out.end(),
            [](const Builtin* a, const Builtin* b) { return a->set != b->set ? a->set < b->set : a->name < b->name; });
  return out;
}();

struct Unconverted {
  std::string_view name;
  std::string_view reason;
};

constexpr Unconverted unconverted[] = {
    {"mma_scaled", "block-scaled products have no equivalent that is the same on every GPU"},
    {"insert", "Triton has no such operation; build the tile with `ct.where`"},
    {"pack_to_bytes", "use `ct.bitcast` where the width stays the same"},
    {"unpack_from_bytes", "use `ct.bitcast` where the width stays the same"},
    {"astile", "build the tile with `ct.full` and `ct.where`"},
    {"reduce", "use `ct.sum`, `ct.max`, `ct.min` or `ct.prod`"},
    {"scan", "use `ct.cumsum` or `ct.cumprod`"},
    {"print", "remove it before converting"},
    {"printf", "remove it before converting"},
    {"assert_", "remove it before converting"},
    {"assume_divisible_by", "remove it: Triton finds divisibility itself"},
    {"static_eval", "calculate it at module level or pass it as a `ct.Constant`"},
    {"static_assert", "check it on the host"},
    {"static_iter", "write the iterations out, or loop over a range"},
    {"grid_dependency_control_wait", "Triton has no such operation"},
    {"grid_dependency_control_launch_dependents", "Triton has no such operation"},
    {"float8_e5m3fnu", "Triton has no such dtype"},
};

// What cuTile takes of Python's own modules, and we do not.
constexpr Unconverted unconverted_python[] = {
    {"builtins.print", "remove it before converting"},
    {"operator.add", "write `x + y`"},
    {"operator.sub", "write `x - y`"},
    {"operator.mul", "write `x * y`"},
    {"operator.truediv", "write `x / y`"},
    {"operator.floordiv", "write `x // y`"},
    {"operator.mod", "write `x % y`"},
    {"operator.pow", "write `x ** y`"},
    {"operator.matmul", "write `x @ y`"},
    {"operator.and_", "write `x & y`"},
    {"operator.or_", "write `x | y`"},
    {"operator.xor", "write `x ^ y`"},
    {"operator.lshift", "write `x << y`"},
    {"operator.rshift", "write `x >> y`"},
    {"operator.eq", "write `x == y`"},
    {"operator.ne", "write `x != y`"},
    {"operator.lt", "write `x < y`"},
    {"operator.le", "write `x <= y`"},
    {"operator.gt", "write `x > y`"},
    {"operator.ge", "write `x >= y`"},
    {"operator.is_", "write `x is y`"},
    {"operator.is_not", "write `x is not y`"},
    {"operator.neg", "write `-x`"},
    {"operator.pos", "write `+x`"},
    {"operator.invert", "write `~x`"},
    {"operator.not_", "write `not x`"},
    {"operator.getitem", "write `x[i]`"},
};

constexpr std::string_view host_names[] = {
    "kernel",
    "function",
    "launch",
    "tune",
    "compilation",
    "compiler_timeout",
    "ByTarget",
    "DType",
    "TileError",
    "TileSyntaxError",
    "TileTypeError",
    "TileValueError",
    "TileRecursionError",
    "TileStaticEvalError",
    "TileStaticAssertionError",
    "TileUnsupportedFeatureError",
    "TileInternalError",
    "TileCompilerExecutionError",
    "TileCompilerTimeoutError",
    "ArrayAnnotation",
    "ConstantAnnotation",
    "ListAnnotation",
    "ScalarAnnotation",
    "Tile",
    "TiledView",
    "Scalar",
    "Shape",
    "Order",
    "jax",
    "get_compute_capability",
    "dev_features_enabled",
    "TensorSpec",
    "ByteOrder",
    "RawArrayMemory",
    "IndexSlice",
};

// Methods of arrays and tiles that cuTile has and we do not convert.
constexpr Unconverted unconverted_methods[] = {
    {"get_raw_memory", "use `ct.gather` and `ct.scatter`"},
    {"insert", "Triton has no such operation; build the tile with `ct.where`"},
};

std::optional<std::string_view> reason_in(std::span<const Unconverted> table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Unconverted& row) { return row.name == name; });
  return found == table.end() ? std::nullopt : std::optional(found->reason);
}

size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

const Builtin* find_builtin(BuiltinSet set, std::string_view name) {
  const auto found = std::lower_bound(by_name.begin(), by_name.end(), name, [&](const Builtin* builtin, std::string_view wanted) {
    return builtin->set != set ? builtin->set < set : builtin->name < wanted;
  });
  return found != by_name.end() && (*found)->set == set && (*found)->name == name ? *found : nullptr;
}

std::optional<std::string_view> unconverted_reason(std::string_view dotted) {
  constexpr std::string_view cutile = "cuda.tile.";
  if (dotted.starts_with(cutile)) return reason_in(unconverted, dotted.substr(cutile.size()));
  return reason_in(unconverted_python, dotted);
}

std::optional<std::string_view> unconverted_method(std::string_view name) { return reason_in(unconverted_methods, name); }

bool is_host_name(std::string_view name) {
  return std::find(std::begin(host_names), std::end(host_names), name) != std::end(host_names);
}

std::string_view closest_builtin(std::string_view name) {
  std::string_view best;
  size_t least = 3;  // two slips of the finger
  if (name.size() > 40) return best;
  for (const Builtin& builtin : builtins) {
    if (builtin.set != Library) continue;
    if (const size_t d = distance(name, builtin.name); d < least && d < name.size()) {
      least = d;
      best = builtin.name;
    }
  }
  return best;
}

}  // namespace tilewright::front::cutile
