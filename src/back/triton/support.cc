// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Each runs in Triton's interpreter too, where a scalar may be a Python int and `//` then floors by itself: the integer functions
// look at the remainder that they got and not at how they got it.

#include "back/triton/support.h"

namespace tilewright::back::triton {
namespace {

constexpr SupportText texts[] = {
    {"floor_div", "", R"(@triton.jit
def floor_div(x, y):
    """x // y rounded down, as Python does; Triton rounds to zero."""
    q = x // y
    r = x - q * y
    return tl.where((r != 0) & ((r < 0) != (y < 0)), q - 1, q))"},
    {"floor_mod", "", R"(@triton.jit
def floor_mod(x, y):
    """x % y with the sign of y, as Python has it; Triton's has the sign of x."""
    r = x - x // y * y
    return tl.where((r != 0) & ((r < 0) != (y < 0)), r + y, r))"},
    {"float_floor_div", "", R"(@triton.jit
def float_floor_div(x, y):
    """x // y of floats: the quotient in their dtype, rounded down."""
    z = tl.add(x, y)
    q = tl.div_rn(tl.cast(x, z.dtype).to(tl.float32), tl.cast(y, z.dtype).to(tl.float32))
    return tl.floor(q.to(z.dtype).to(tl.float32)).to(z.dtype))"},
    {"float_floor_mod", "", R"(@triton.jit
def float_floor_mod(x, y):
    """x % y of floats, with the sign of y, as Python has it."""
    z = tl.add(x, y)
    x = tl.cast(x, z.dtype).to(tl.float32)
    y = tl.cast(y, z.dtype).to(tl.float32)
    r = tl.where(tl.abs(y) == float("inf"), x, x % y)
    r = tl.where((r == 0) | (tl.abs(x) == float("inf")), x * 0.0, r)  # a zero with the sign of x, or NaN
    return tl.where((r != 0) & ((r < 0) != (y < 0)), r + y, r).to(z.dtype))"},
    {"true_div", "", R"(@triton.jit
def true_div(x, y):
    """x / y, correctly rounded: of floats in their dtype, of integers in float32."""
    z = x + y
    if tl.constexpr(z.dtype.is_floating()):
        x = tl.cast(x, z.dtype)
        y = tl.cast(y, z.dtype)
    q = tl.div_rn(tl.cast(x, tl.float32), tl.cast(y, tl.float32))
    if tl.constexpr(z.dtype.is_floating()):
        q = q.to(z.dtype)
    return q)"},
    {"any_floor_div", "", R"(@triton.jit
def any_floor_div(x, y):
    """x // y rounded down, of integers or floats."""
    z = tl.add(x, y)
    if tl.constexpr(z.dtype.is_floating()):
        q = tl.div_rn(tl.cast(x, z.dtype).to(tl.float32), tl.cast(y, z.dtype).to(tl.float32))
        z = tl.floor(q.to(z.dtype).to(tl.float32)).to(z.dtype)
    else:
        q = x // y
        r = x - q * y
        z = tl.where((r != 0) & ((r < 0) != (y < 0)), q - 1, q)
    return z)"},
    {"any_floor_mod", "", R"(@triton.jit
def any_floor_mod(x, y):
    """x % y with the sign of y, of integers or floats."""
    z = tl.add(x, y)
    if tl.constexpr(z.dtype.is_floating()):
        x = tl.cast(x, z.dtype).to(tl.float32)
        y = tl.cast(y, z.dtype).to(tl.float32)
        r = tl.where(tl.abs(y) == float("inf"), x, x % y)
        r = tl.where((r == 0) | (tl.abs(x) == float("inf")), x * 0.0, r)  # a zero with the sign of x, or NaN
    else:
        r = x - x // y * y
    return tl.where((r != 0) & ((r < 0) != (y < 0)), r + y, r).to(z.dtype))"},
    {"widened", "", R"(@triton.jit
def widened(x):
    """16-bit floats as float32, to be added up; everything else as it is."""
    if tl.constexpr(x.dtype.is_floating()) and tl.constexpr(x.dtype.primitive_bitwidth) < 32:
        x = x.to(tl.float32)
    return x)"},
    {"ceil_div", "", R"(@triton.jit
def ceil_div(x, y):
    """x / y rounded up, for any signs."""
    q = x // y
    r = x - q * y
    return tl.where((r != 0) & ((r < 0) == (y < 0)), q + 1, q))"},
    {"saturated", "", R"(@triton.jit
def saturated(x, dtype: tl.constexpr, low: tl.constexpr, high: tl.constexpr):
    """A float at the nearest of the integers from low to high, as Triton has it for 32 bits alone; an integer's low bits."""
    if tl.constexpr(x.dtype.is_floating()):
        x = tl.minimum(tl.maximum(x.to(tl.int32), low), high)
    return x.to(dtype))"},
    {"shift_left", "", R"(@triton.jit
def shift_left(x, count, bits: tl.constexpr):
    """x << count, 0 where the count is out of range."""
    fits = (count >= 0) & (count < bits)
    return tl.where(fits, x << tl.where(fits, count, 0), 0))"},
    {"shift_right", "", R"(@triton.jit
def shift_right(x, count, bits: tl.constexpr):
    """x >> count, all sign bits where the count is out of range, zeros if x has no sign."""
    fits = (count >= 0) & (count < bits)
    return tl.where(fits, x >> tl.where(fits, count, 0), x >> (bits - 1) >> 1))"},
    {"any_shift_left", "", R"(@triton.jit
def any_shift_left(x, count):
    """x << count in the integers that both are, 0 where the count is out of range."""
    z = x + count
    bits: tl.constexpr = z.dtype.primitive_bitwidth
    fits = (count >= 0) & (count < bits)
    return tl.where(fits, x << tl.where(fits, count, 0).to(z.dtype), 0).to(z.dtype))"},
    {"any_shift_right", "", R"(@triton.jit
def any_shift_right(x, count):
    """x >> count in the integers that both are, all sign bits where the count is out of range, zeros if they have no sign."""
    z = x + count
    bits: tl.constexpr = z.dtype.primitive_bitwidth
    fits = (count >= 0) & (count < bits)
    return tl.where(fits, x >> tl.where(fits, count, 0).to(z.dtype), x >> (bits - 1) >> 1).to(z.dtype))"},
    {"negative", "", R"(@triton.jit
def negative(x):
    """-x of integers or floats; Triton before 3.8 calculates 0 - x, which loses the sign of zero."""
    if tl.constexpr(x.dtype.is_floating()):
        x = x * -1.0
    else:
        x = -x
    return x)"},
    {"byte_dot", "", R"(@triton.jit
def byte_dot(x, y):
    """x @ y of int8 or uint8, summed in int32. Triton's dot takes int8 alone: 128 less of a uint8, and the difference is added."""
    a = x
    b = y
    if tl.constexpr(x.dtype == tl.uint8):
        a = (x ^ 128).to(tl.int8, bitcast=True)
    if tl.constexpr(y.dtype == tl.uint8):
        b = (y ^ 128).to(tl.int8, bitcast=True)
    product = tl.dot(a, b, out_dtype=tl.int32)
    if tl.constexpr(x.dtype == tl.uint8):
        product += 128 * tl.sum(y.to(tl.int32), axis=-2, keep_dims=True)
    if tl.constexpr(y.dtype == tl.uint8):
        product += 128 * tl.sum(a.to(tl.int32), axis=-1, keep_dims=True)
    return product)"},
    {"in_order", "", R"(@triton.jit
def in_order(x, nan_first: tl.constexpr):
    """Integers in the order of x, 0.0 and -0.0 alike, NaN before or behind all: Triton's argmax has no place for it."""
    if tl.constexpr(x.dtype == tl.float64):
        bits = (x + 0.0).to(tl.int64, bitcast=True)
        bits = bits ^ ((bits >> 63) & 0x7FFFFFFFFFFFFFFF)
        x = tl.where(x == x, bits, -0x8000000000000000 if nan_first else 0x7FFFFFFFFFFFFFFF)
    elif tl.constexpr(x.dtype.is_floating()):
        x = x.to(tl.float32)
        bits = (x + 0.0).to(tl.int32, bitcast=True)
        bits = bits ^ ((bits >> 31) & 0x7FFFFFFF)
        x = tl.where(x == x, bits, -0x80000000 if nan_first else 0x7FFFFFFF)
    return x)"},
    {"argmax_of_all", "", R"(@triton.jit
def argmax_of_all(x):
    """The place of the largest of all elements, in one row: of what is reshaped to a vector, Triton 3.6 mixes up the places."""
    return tl.max(tl.argmax(tl.reshape(x, (1, x.numel)), axis=1), axis=0))"},
    {"argmin_of_all", "", R"(@triton.jit
def argmin_of_all(x):
    """The place of the smallest of all elements, in one row: of what is reshaped to a vector, Triton 3.6 mixes up the places."""
    return tl.max(tl.argmin(tl.reshape(x, (1, x.numel)), axis=1), axis=0))"},
    {"wide_float8", "", R"(@triton.jit
def wide_float8(x):
    """A float8 as the float32 that it is, every other dtype as it is: Triton converts a float8 to few dtypes, and not all its values."""
    if tl.constexpr(x.dtype.is_fp8()):
        x = x.to(tl.float32)
    return x)"},
    {"float8_source", "", R"(@triton.jit
def float8_source(x):
    """x in a dtype that Triton rounds to float8; cuTile takes an integer of 16 bits by way of float16."""
    if tl.constexpr(x.dtype.is_int() and x.dtype.primitive_bitwidth <= 16):
        x = x.to(tl.float16)
    else:
        x = x.to(tl.float32)
    return x)"},
    {"any_bit", "", R"(@triton.jit
def any_bit(x):
    """x != 0, and of a float8 whether a bit of it is set: -0.0 counts, as in cuTile."""
    if tl.constexpr(x.dtype.is_fp8()):
        x = x.to(tl.uint8, bitcast=True)
    return x != 0)"},
    {"multiply", "", R"(@triton.jit
def multiply(x, y):
    return x * y)"},
    {"tan", "", R"(@triton.jit
def tan(x):
    return tl.div_rn(tl.sin(x), tl.cos(x)))"},
    {"sinh", "", R"(@triton.jit
def sinh(x):
    # near 0 the difference of exponentials cancels
    y = x * x
    small = x + x * y * (0.16666667 + y * (0.008333334 + y * (0.00019841270 + y * 2.7557319e-06)))
    e = tl.exp(tl.abs(x) - 0.6931472)
    large = e - tl.div_rn(tl.full(e.shape, 0.25, tl.float32), e)
    return tl.where(y < 1.0, small, tl.where(x < 0, -large, large)))"},
    {"cosh", "", R"(@triton.jit
def cosh(x):
    e = tl.exp(tl.abs(x) - 0.6931472)
    return e + tl.div_rn(tl.full(e.shape, 0.25, tl.float32), e))"},
    {"tanh", "", R"(@triton.jit
def tanh(x):
    # near 0 the quotient cancels
    y = x * x
    small = x + x * y * (-0.33332780 + y * (0.13322114 + y * (-0.05268444 + y * 0.01573534)))
    large = 1.0 - 2.0 / (tl.exp(2.0 * tl.abs(x)) + 1.0)
    return tl.where(tl.abs(x) < 0.55, small, tl.where(x < 0, -large, large)))"},
    {"power", "", R"(@triton.jit
def power(x, y):
    """x ** y; calculated in float64, so that the result is right to the last bit or so."""
    y = tl.cast(y, tl.float64)
    base = tl.cast(x, tl.float64)
    r = tl.where(tl.abs(base) == 1.0, 1.0, tl.exp2(y * tl.log2(tl.abs(base))))
    whole = tl.floor(y)
    odd = (y == whole) & (tl.abs(y) < 9007199254740992.0) & (whole - 2.0 * tl.floor(whole * 0.5) != 0.0)
    r = tl.where(odd & (base.to(tl.int64, bitcast=True) < 0), r * -1.0, r)
    r = tl.where((base < 0) & (base > -float("inf")) & (y != whole), float("nan"), r)
    r = tl.where((y == 0.0) | (base == 1.0), 1.0, r)
    return r.to(tl.float32))"},
    {"cube", "", R"(@triton.jit
def cube(x):
    """x * x * x, rounded once where x has 16 bits."""
    y = x
    if tl.constexpr(x.dtype.primitive_bitwidth < 32):
        y = x.to(tl.float32)
    return (y * y * y).to(x.dtype))"},
    {"round_to_tf32", "", R"(@triton.jit
def round_to_tf32(x):
    """float32 to the nearest number that tf32 has, ties to even; every other dtype as it is."""
    if tl.constexpr(x.dtype == tl.float32):
        bits = x.to(tl.int32, bitcast=True)
        bits = (bits + 0xFFF + ((bits >> 13) & 1)) & -0x2000
        x = tl.where(x == x, bits.to(tl.float32, bitcast=True), float("nan"))
    return x)"},
    {"round_to_tf32_if", "round_to_tf32", R"(@triton.jit
def round_to_tf32_if(condition: tl.constexpr, x):
    if condition:
        x = round_to_tf32(x)
    return x)"},
    {"pipeline_stages", "", R"(def pipeline_stages(loaded, resident=(), computed=()):
    """How many stages of a software pipeline, three at most, fit into shared memory.

    A stage holds the tiles that one iteration loads; `resident` ones are there all the time, `computed` ones if they
    are wider than 16 bits. A tile is given as an array and a number of its elements.
    """
    array = loaded[0][0]
    if not array.is_cuda:
        return 1
    resident = [*resident, *((x, elements) for x, elements in computed if x.element_size() > 2)]
    stage, rest = (sum(x.element_size() * elements for x, elements in tiles) for tiles in (loaded, resident))
    properties = torch.cuda.get_device_properties(array.device)
    shared = getattr(properties, "shared_memory_per_block_optin", 65536)  # which torch for AMD does not say
    return max(1, min(3, (shared - rest) // stage)))"},
    {"dot_in_parts", "select_last", R"(@triton.jit
def dot_in_parts(
    x, y, acc, parts: tl.constexpr,
    input_precision: tl.constexpr = None,
    max_num_imprecise_acc: tl.constexpr = None,
    out_dtype: tl.constexpr = tl.float32,
):
    """tl.dot that takes its depth in so many parts: shared memory holds one part of x and y after the other."""
    depth: tl.constexpr = x.shape[1] // parts if x.shape[1] // parts > 16 else 16
    count: tl.constexpr = x.shape[1] // depth
    precision: tl.constexpr = "ieee" if input_precision is None else input_precision
    if count <= 1 or x.dtype.primitive_bitwidth < 16:
        most: tl.constexpr = x.shape[1] if max_num_imprecise_acc is None else max_num_imprecise_acc
        acc = tl.dot(
            x, y, acc,
            input_precision=precision, max_num_imprecise_acc=most, out_dtype=out_dtype,
        )
    else:
        if acc is None:
            acc = tl.zeros((x.shape[0], y.shape[1]), out_dtype)
        x = tl.permute(tl.reshape(x, (x.shape[0], count, depth)), (0, 2, 1))
        y = tl.permute(tl.reshape(y, (count, depth, y.shape[1])), (1, 2, 0))
        for part in range(count):
            acc = tl.dot(
                select_last(x, part), select_last(y, part), acc,
                input_precision=precision, out_dtype=out_dtype,
            )
    return acc)"},
    {"select_last", "", R"(@triton.jit
def select_last(x, index):
    """x[:, :, index] in registers: for each bit of the index, half of what is left."""
    for bit in tl.static_range(16):
        if x.shape[2] > 1:
            even, odd = tl.split(tl.reshape(x, (x.shape[0], x.shape[1], x.shape[2] // 2, 2)))
            x = tl.where((index >> bit) % 2 == 0, even, odd)
    return tl.reshape(x, (x.shape[0], x.shape[1])))"},
    {"launch_in_parts", "launch_failures", R"(def launch_in_parts(kernel, grid, *args, products, num_stages=3, **options):
    """Launches a kernel whose last parameter says in how many parts dot_in_parts takes the depth of products.

    In one, if it fits into shared memory; else without a pipeline, and then in more. What did not fit once is not
    tried again. `products` has their rows, columns and depths.
    """
    settings = list(dict.fromkeys([(num_stages, 1), (1, 1), (1, 2), (1, 4), (1, 8)]))
    arrays = ((x.dtype, x.device) for x in args if isinstance(x, torch.Tensor))
    key = (kernel, *products, num_stages, *options.items(), *arrays)
    for index in range(launch_failures.get(key, 0), len(settings)):
        stages, parts = settings[index]
        try:
            kernel[grid](*args, parts, num_stages=stages, **options)
            return
        except triton.OutOfResources as error:
            if error.name != "shared memory":
                raise
            if index + 1 == len(settings):
                shapes = " and ".join("x".join(map(str, shape)) for shape in dict.fromkeys(products))
                raise ValueError(
                    f"{kernel.__name__}: products of {shapes} need {error.required} bytes of shared memory, "
                    f"the GPU has {error.limit}"
                ) from error
            launch_failures[key] = index + 1)"},
    {"launch_failures", "", R"(# How many of the settings of launch_in_parts did not fit, by kernel, products, options and arrays.
launch_failures = {})"},
    {"atomic_cas_inside", "", R"(@triton.jit
def atomic_cas_inside(pointer, inside, expected, desired, sem: tl.constexpr, scope: tl.constexpr):
    """Compare and swap of one element, which counts as it was expected if it lies outside of the array."""
    old = expected
    if inside:
        old = tl.atomic_cas(pointer, expected, desired, sem=sem, scope=scope)
    return old)"},
    {"padded", "", R"(def padded(values, rank):
    """Extents or strides of an array whose rank differs between launches."""
    return (*values, *[1] * rank)[:rank])"},
    {"array_table", "", R"(def array_table(arrays, rank):
    """Address, extents and strides of each array, where a kernel can read them: a row an array."""
    if not arrays or any((x.ndim, x.dtype, x.device) != (rank, arrays[0].dtype, arrays[0].device) for x in arrays):
        raise TypeError(f"a list needs arrays of {rank} dimensions, all of one dtype and on one device")
    rows = [[x.data_ptr(), *x.shape, *x.stride()] for x in arrays]
    return torch.tensor(rows, dtype=torch.int64, device=arrays[0].device))"},
    {"triton_dtype", "", R"(def triton_dtype(x):
    """The dtype of an array as kernels name it."""
    other_names = {torch.float8_e4m3fn: "float8e4nv", torch.float8_e5m2: "float8e5", torch.bool: "int1"}
    return getattr(tl, other_names.get(x.dtype) or str(x.dtype).removeprefix("torch.")))"},
};

}  // namespace

std::span<const SupportText> support_texts() { return texts; }

const SupportText* support_named(std::string_view name) {
  for (const SupportText& text : texts) {
    if (text.name == name) return &text;
  }
  return nullptr;
}

}  // namespace tilewright::back::triton
