// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything of Triton that device code can call by name: signature, handler, op.

#include "front/triton/builtins.h"

namespace tilewright::front::triton {

namespace {

using ir::OpKind;
using enum BuiltinSet;

constexpr std::string_view load_signature =
    "pointer, mask=, other=, boundary_check=, padding_option=, cache_modifier=, eviction_policy=, volatile=";
constexpr std::string_view store_signature = "pointer, value, mask=, boundary_check=, cache_modifier=, eviction_policy=";
constexpr std::string_view atomic_signature = "pointer, val, mask=, sem=, scope=";
constexpr std::string_view extreme_signature = "input, axis=, return_indices=, return_indices_tie_break_left=, keep_dims=";
constexpr std::string_view one = "x";
constexpr std::string_view two = "x, y";

constexpr uint32_t of(ir::Reduction reduction) { return static_cast<uint32_t>(reduction); }
constexpr uint32_t of(ir::Atomic atomic) { return static_cast<uint32_t>(atomic); }
constexpr uint32_t of(ir::Rounding rounding) { return static_cast<uint32_t>(rounding); }
constexpr uint32_t of(RandomKind kind) { return static_cast<uint32_t>(kind); }
constexpr uint32_t of(ir::LooseKind kind) { return static_cast<uint32_t>(kind); }

constexpr Builtin builtins[] = {
    // grid
    {Library, "program_id", "axis", &read_program_id, OpKind::ProgramId},
    {Library, "num_programs", "axis", &read_program_id, OpKind::NumPrograms},
    {Library, "debug_barrier", "", &read_barrier},
    {Library, "assume", "cond", &read_assume},
    {Library, "device_assert", "cond, msg=, mask=", &read_device_assert},
    {Library, "multiple_of", "input, values", &read_hint},
    {Library, "max_contiguous", "input, values", &read_hint},
    {Library, "max_constancy", "input, values", &read_hint},
    {Library, "range", "arg1, arg2=, step=", &read_range_value},
    {Library, "static_range", "arg1, arg2=, step=", &read_range_value},
    {Library, "condition", "condition, disable_licm=", &read_identity},
    {Library, "next_power_of_2", "n", &read_next_power_of_2},
    // memory
    {Library, "load", load_signature, &read_load},
    {Library, "store", store_signature, &read_store},
    {Library, "atomic_cas", "pointer, cmp, val, sem=, scope=", &read_atomic_cas},
    {Library, "atomic_xchg", atomic_signature, &read_atomic, OpKind::PtrAtomicRmw, of(ir::Atomic::Exchange)},
    {Library, "atomic_add", atomic_signature, &read_atomic, OpKind::PtrAtomicRmw, of(ir::Atomic::Add)},
    {Library, "atomic_max", atomic_signature, &read_atomic, OpKind::PtrAtomicRmw, of(ir::Atomic::Max)},
    {Library, "atomic_min", atomic_signature, &read_atomic, OpKind::PtrAtomicRmw, of(ir::Atomic::Min)},
    {Library, "atomic_and", atomic_signature, &read_atomic, OpKind::PtrAtomicRmw, of(ir::Atomic::And)},
    {Library, "atomic_or", atomic_signature, &read_atomic, OpKind::PtrAtomicRmw, of(ir::Atomic::Or)},
    {Library, "atomic_xor", atomic_signature, &read_atomic, OpKind::PtrAtomicRmw, of(ir::Atomic::Xor)},
    {Library, "pointer_type", "element_ty, address_space=, const=", &read_pointer_type},
    {Library, "make_block_ptr", "base, shape, strides, offsets, block_shape, order", &read_make_block_ptr},
    {Library, "advance", "base, offsets", &read_advance},
    {Library, "make_tensor_descriptor", "base, shape, strides, block_shape, padding_option=", &read_make_descriptor},
    {Library, "_experimental_make_tensor_descriptor", "base, shape, strides, block_shape", &read_make_descriptor},
    {Library, "load_tensor_descriptor", "desc, offsets, cache_modifier=, eviction_policy=", &read_descriptor_load},
    {Library, "store_tensor_descriptor", "desc, offsets, value", &read_descriptor_store},
    {ViewMethod, "load", "desc, offsets, cache_modifier=, eviction_policy=", &read_descriptor_load},
    {ViewMethod, "store", "desc, offsets, value", &read_descriptor_store},
    {ViewMethod, "gather", "desc, x_offsets, y_offset", &read_descriptor_gather},
    {ViewMethod, "scatter", "desc, value, x_offsets, y_offset", &read_descriptor_scatter},
    {ViewMethod, "atomic_add", "desc, offsets, value", &read_descriptor_atomic, OpKind::WindowAtomic, of(ir::Atomic::Add)},
    {ViewMethod, "atomic_min", "desc, offsets, value", &read_descriptor_atomic, OpKind::WindowAtomic, of(ir::Atomic::Min)},
    {ViewMethod, "atomic_max", "desc, offsets, value", &read_descriptor_atomic, OpKind::WindowAtomic, of(ir::Atomic::Max)},
    {ViewMethod, "atomic_and", "desc, offsets, value", &read_descriptor_atomic, OpKind::WindowAtomic, of(ir::Atomic::And)},
    {ViewMethod, "atomic_or", "desc, offsets, value", &read_descriptor_atomic, OpKind::WindowAtomic, of(ir::Atomic::Or)},
    {ViewMethod, "atomic_xor", "desc, offsets, value", &read_descriptor_atomic, OpKind::WindowAtomic, of(ir::Atomic::Xor)},
    // random numbers
    {Library, "randint", "seed, offset, n_rounds=", &read_random, OpKind::Mark, of(RandomKind::Bits)},
    {Library, "randint4x", "seed, offset, n_rounds=", &read_random, OpKind::Mark, of(RandomKind::FourBits)},
    {Library, "rand", "seed, offset, n_rounds=", &read_random, OpKind::Mark, of(RandomKind::Uniform)},
    {Library, "rand4x", "seed, offsets, n_rounds=", &read_random, OpKind::Mark, of(RandomKind::FourUniform)},
    {Library, "randn", "seed, offset, n_rounds=", &read_random, OpKind::Mark, of(RandomKind::Normal)},
    {Library, "randn4x", "seed, offset, n_rounds=", &read_random, OpKind::Mark, of(RandomKind::FourNormal)},
    // creation and conversion
    {Library, "arange", "start, end", &read_arange},
    {Library, "full", "shape, value, dtype", &read_full, OpKind::Full, 1},
    {Library, "zeros", "shape, dtype", &read_full, OpKind::Full, 0},
    {Library, "zeros_like", "input", &read_zeros_like},
    {Library, "cast", "input, dtype, fp_downcast_rounding=, bitcast=", &read_cast},
    {TileMethod, "to", "input, dtype, fp_downcast_rounding=, bitcast=", &read_cast},
    // shape
    {Library, "reshape", "input, *shape, can_reorder=", &read_reshape},
    {Library, "view", "input, *shape", &read_reshape},
    {Library, "ravel", "x, can_reorder=", &read_ravel},
    {Library, "item", "x", &read_item},
    {Library, "trans", "input, *dims", &read_permute},
    {Library, "permute", "input, *dims", &read_permute},
    {Library, "expand_dims", "input, axis", &read_expand_dims},
    {Library, "broadcast_to", "input, *shape", &read_broadcast_to},
    {Library, "broadcast", "input, other", &read_broadcast},
    {Library, "join", "a, b", &read_join},
    {Library, "split", "a", &read_split},
    {Library, "interleave", "a, b", &read_interleave},
    {Library, "flip", "x, dim=", &read_flip},
    {Library, "gather", "src, index, axis", &read_take},
    // arithmetic
    {Library, "add", "x, y, sanitize_overflow=", &read_arithmetic_function, OpKind::Add},
    {Library, "sub", "x, y, sanitize_overflow=", &read_arithmetic_function, OpKind::Sub},
    {Library, "mul", "x, y, sanitize_overflow=", &read_arithmetic_function, OpKind::Mul},
    {Library, "minimum", "x, y, propagate_nan=", &read_min_max, OpKind::Min},
    {Library, "maximum", "x, y, propagate_nan=", &read_min_max, OpKind::Max},
    {Library, "clamp", "x, min, max, propagate_nan=", &read_clamp},
    {Library, "where", "condition, x, y", &read_where},
    {Library, "cdiv", "x, div", &read_cdiv},
    {Library, "fdiv", "x, y, ieee_rounding=", &read_float_division, OpKind::TrueDiv, of(ir::Rounding::Default)},
    {Library, "div_rn", two, &read_float_division, OpKind::TrueDiv, of(ir::Rounding::Nearest)},
    {Library, "fma", "x, y, z", &read_fma},
    {Library, "umulhi", two, &read_mul_high},
    {Library, "sigmoid", one, &read_sigmoid},
    {Library, "softmax", "x, dim=, keep_dims=, ieee_rounding=", &read_softmax},
    {Library, "swizzle2d", "i, j, size_i, size_j, size_g", &read_swizzle2d},
    {Library, "abs", one, &read_any_unary, OpKind::Abs},
    {Library, "exp", one, &read_unary_function, OpKind::Exp},
    {Library, "exp2", one, &read_unary_function, OpKind::Exp2},
    {Library, "log", one, &read_unary_function, OpKind::Log},
    {Library, "log2", one, &read_unary_function, OpKind::Log2},
    {Library, "sin", one, &read_unary_function, OpKind::Sin},
    {Library, "cos", one, &read_unary_function, OpKind::Cos},
    {Library, "sqrt", one, &read_unary_function, OpKind::Sqrt},
    {Library, "sqrt_rn", one, &read_unary_function, OpKind::Sqrt, of(ir::Rounding::Nearest)},
    {Library, "rsqrt", one, &read_unary_function, OpKind::Rsqrt},
    {Library, "erf", one, &read_unary_function, OpKind::Erf},
    {Library, "floor", one, &read_unary_function, OpKind::Floor},
    {Library, "ceil", one, &read_unary_function, OpKind::Ceil},
    // reductions, scans, products
    {Library, "sum", "input, axis=, keep_dims=, dtype=", &read_sum},
    {Library, "max", extreme_signature, &read_extreme, OpKind::Reduce, of(ir::Reduction::Max)},
    {Library, "min", extreme_signature, &read_extreme, OpKind::Reduce, of(ir::Reduction::Min)},
    {Library, "argmax", "input, axis, tie_break_left=, keep_dims=", &read_argument_of_extreme, OpKind::Reduce,
     of(ir::Reduction::ArgMax)},
    {Library, "argmin", "input, axis, tie_break_left=, keep_dims=", &read_argument_of_extreme, OpKind::Reduce,
     of(ir::Reduction::ArgMin)},
    {Library, "xor_sum", "input, axis=, keep_dims=", &read_bit_reduction, OpKind::Reduce, of(ir::Reduction::Xor)},
    {Library, "reduce_or", "input, axis, keep_dims=", &read_bit_reduction, OpKind::Reduce, of(ir::Reduction::Or)},
    {Library, "cumsum", "input, axis=, reverse=, dtype=", &read_cumulative, OpKind::Scan, of(ir::Reduction::Sum)},
    {Library, "cumprod", "input, axis=, reverse=", &read_cumulative, OpKind::Scan, of(ir::Reduction::Prod)},
    {Library, "reduce", "input, axis, combine_fn, keep_dims=", &read_reduce_by},
    {Library, "associative_scan", "input, axis, combine_fn, reverse=", &read_scan_by},
    {Library, "map_elementwise", "scalar_fn, *args, pack=", &read_map_by},
    {Library, "sort", "x, dim=, descending=", &read_sort, OpKind::Sort},
    {Library, "topk", "x, k, dim=", &read_sort, OpKind::TopK},
    {Library, "histogram", "input, num_bins, mask=", &read_histogram},
    {Library, "dot", "input, other, acc=, input_precision=, allow_tf32=, max_num_imprecise_acc=, out_dtype=", &read_dot},
    // compile time
    {Library, "static_print", "*values", &read_nothing},
    {Python, "print", "*values", &read_nothing},
    {Python, "range", "arg1, arg2=, step=", &read_range_value},
    {Python, "len", one, &read_len},
    {Python, "min", two, &read_min_max, OpKind::Min},
    {Python, "max", two, &read_min_max, OpKind::Max},
    {Python, "int", one, &read_python_number, OpKind::Cast, of(ir::LooseKind::Int)},
    {Python, "float", one, &read_python_number, OpKind::Cast, of(ir::LooseKind::Float)},
    {Python, "bool", one, &read_python_number, OpKind::Cast, of(ir::LooseKind::Bool)},
    // questions about dtypes
    {ArrayMethod, "is_ptr", "dtype", &read_dtype_question},
    {ArrayMethod, "is_block", "dtype", &read_dtype_question},
    {ArrayMethod, "is_floating", "dtype", &read_dtype_question},
    {ArrayMethod, "is_int", "dtype", &read_dtype_question},
    {ArrayMethod, "is_int_signed", "dtype", &read_dtype_question},
    {ArrayMethod, "is_int_unsigned", "dtype", &read_dtype_question},
    {ArrayMethod, "is_bool", "dtype", &read_dtype_question},
    {ArrayMethod, "is_int1", "dtype", &read_dtype_question},
    {ArrayMethod, "is_int8", "dtype", &read_dtype_question},
    {ArrayMethod, "is_int16", "dtype", &read_dtype_question},
    {ArrayMethod, "is_int32", "dtype", &read_dtype_question},
    {ArrayMethod, "is_int64", "dtype", &read_dtype_question},
    {ArrayMethod, "is_uint8", "dtype", &read_dtype_question},
    {ArrayMethod, "is_uint32", "dtype", &read_dtype_question},
    {ArrayMethod, "is_fp8", "dtype", &read_dtype_question},
    {ArrayMethod, "is_fp8e4nv", "dtype", &read_dtype_question},
    {ArrayMethod, "is_fp8e5", "dtype", &read_dtype_question},
    {ArrayMethod, "is_fp16", "dtype", &read_dtype_question},
    {ArrayMethod, "is_bf16", "dtype", &read_dtype_question},
    {ArrayMethod, "is_fp32", "dtype", &read_dtype_question},
    {ArrayMethod, "is_fp64", "dtype", &read_dtype_question},
};

// Functions of float32 and float64 that lie in libdevice.
constexpr Builtin libdevice[] = {
    {Library, "exp", one, &read_unary_function, OpKind::Exp},
    {Library, "exp2", one, &read_unary_function, OpKind::Exp2},
    {Library, "expm1", one, &read_unary_function, OpKind::Expm1},
    {Library, "log", one, &read_unary_function, OpKind::Log},
    {Library, "log2", one, &read_unary_function, OpKind::Log2},
    {Library, "log1p", one, &read_unary_function, OpKind::Log1p},
    {Library, "sin", one, &read_unary_function, OpKind::Sin},
    {Library, "cos", one, &read_unary_function, OpKind::Cos},
    {Library, "tan", one, &read_unary_function, OpKind::Tan},
    {Library, "asin", one, &read_unary_function, OpKind::Asin},
    {Library, "acos", one, &read_unary_function, OpKind::Acos},
    {Library, "atan", one, &read_unary_function, OpKind::Atan},
    {Library, "sinh", one, &read_unary_function, OpKind::Sinh},
    {Library, "cosh", one, &read_unary_function, OpKind::Cosh},
    {Library, "tanh", one, &read_unary_function, OpKind::Tanh},
    {Library, "erf", one, &read_unary_function, OpKind::Erf},
    {Library, "sqrt", one, &read_unary_function, OpKind::Sqrt, of(ir::Rounding::Nearest)},
    {Library, "sqrt_rn", one, &read_unary_function, OpKind::Sqrt, of(ir::Rounding::Nearest)},
    {Library, "rsqrt", one, &read_unary_function, OpKind::Rsqrt},
    {Library, "rint", one, &read_unary_function, OpKind::Rint},
    {Library, "nearbyint", one, &read_unary_function, OpKind::Rint},
    {Library, "trunc", one, &read_unary_function, OpKind::Trunc},
    {Library, "floor", one, &read_unary_function, OpKind::Floor},
    {Library, "ceil", one, &read_unary_function, OpKind::Ceil},
    {Library, "isnan", one, &read_unary_function, OpKind::IsNan},
    {Library, "isinf", one, &read_unary_function, OpKind::IsInf},
    {Library, "abs", one, &read_any_unary, OpKind::Abs},
    {Library, "fabs", one, &read_unary_function, OpKind::Abs},
    {Library, "fast_expf", one, &read_unary_function, OpKind::Exp, of(ir::Rounding::Approx)},
    {Library, "fast_logf", one, &read_unary_function, OpKind::Log},
    {Library, "pow", two, &read_float_function, OpKind::Pow},
    {Library, "atan2", two, &read_float_function, OpKind::Atan2},
    {Library, "fmod", two, &read_float_function, OpKind::TruncMod},
    {Library, "fast_powf", two, &read_float_function, OpKind::Pow},
    {Library, "div_rn", two, &read_float_division, OpKind::TrueDiv, of(ir::Rounding::Nearest)},
    {Library, "fast_dividef", two, &read_float_division, OpKind::TrueDiv, of(ir::Rounding::Approx)},
    {Library, "fma", "x, y, z", &read_fma},
};

struct Unread {
  std::string_view name;
  std::string_view reason;
};

constexpr Unread unread[] = {
    {"cat", "the order of its elements is not specified; use `tl.join`"},
    {"dot_scaled", "products of block-scaled factors are not known here"},
    {"inline_asm_elementwise", "what the assembler code does is not known here"},
    {"device_print", "a program that prints is not the same without it"},
    {"bitonic_merge", "use `tl.sort`"},
    {"philox", "use `tl.rand` or `tl.randint`"},
    {"philox_impl", "use `tl.rand` or `tl.randint`"},
    {"pair_uniform_to_normal", "use `tl.rand` or `tl.randint`"},
    {"uint_to_uniform_float", "use `tl.rand` or `tl.randint`"},
    {"squeeze", "write the shape out: `tl.reshape`"},
    {"unsqueeze", "use `tl.expand_dims`"},
    {"float8e4b15", "this dtype is not known here"},
    {"float8e4b8", "this dtype is not known here"},
    {"float8e5b16", "this dtype is not known here"},
};

template <size_t n>
const Builtin* find(const Builtin (&table)[n], BuiltinSet set, std::string_view name) {
  for (const Builtin& builtin : table) {
    if (builtin.set == set && builtin.name == name) return &builtin;
  }
  return nullptr;
}

}  // namespace

const Builtin* find_builtin(BuiltinSet set, std::string_view name) { return find(builtins, set, name); }
const Builtin* find_libdevice(std::string_view name) { return find(libdevice, Library, name); }

std::optional<std::string_view> unread_reason(std::string_view name) {
  for (const Unread& row : unread) {
    if (row.name == name) return row.reason;
  }
  return std::nullopt;
}

std::optional<std::string> as_string(Reader& reader, const Call& call, std::string_view name) {
  if (!call.given(name)) return std::string();
  const Val& val = call.value(name);
  if (val.is(ValKind::String)) return val.text;
  if (val.is(ValKind::Parameter) || val.is(ValKind::Conditional))
    error(reader, call.at(name), messages::depends_on_launch, "`" + std::string(name) + "`");
  else
    error(reader, call.at(name), messages::wrong_kind, "`" + std::string(name) + "`", "a string", describe(reader, val));
  return std::nullopt;
}

std::optional<bool> as_flag(Reader& reader, const Call& call, std::string_view name, bool fallback) {
  if (!call.given(name)) return fallback;
  const Val val = materialise(reader, call.at(name), call.value(name));
  if (const auto known = truth(reader, val)) return known;
  if (val.is(ValKind::Ir) && is_const(reader, val.value))
    error(reader, call.at(name), messages::depends_on_launch, "`" + std::string(name) + "`");
  else
    error(reader, call.at(name), messages::not_constant, "`" + std::string(name) + "`", "a constant bool");
  return std::nullopt;
}

std::vector<Val> items_of(const Val& val) {
  if (val.is(ValKind::Tuple)) return *val.items;
  return {val};
}

std::optional<std::vector<uint32_t>> as_axes(Reader& reader, NodeId node, const Val& val, uint32_t rank) {
  std::vector<uint32_t> axes;
  for (const Val& item : items_of(val)) {
    const auto axis = as_axis(reader, node, item, rank);
    if (!axis) return std::nullopt;
    axes.push_back(*axis);
  }
  return axes;
}

}  // namespace tilewright::front::triton
