# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations: a decoder for each takes the line and gives a function of arrays.

Floats of 16 bits are calculated as float32 and rounded once; add, multiply, divide, square root and fma are exact before they are
rounded.  Functions are calculated in float64, whatever accuracy is asked for.  A division by zero and a shift by more than the
width give one of the values that hardware gives, which nothing may rely on.
"""

import ctypes
import ctypes.util
import math
from fractions import Fraction

import numpy as np

from oracle.tile_ir_eval.formats import FORMATS, Unknown, constant, from_bits, rounded, to_bits

ELEMENTWISE = {}  # name → decoder


def operation(*names):
    def register(decoder):
        ELEMENTWISE.update(dict.fromkeys(names, decoder))
        return decoder

    return register


# Floats


def _flushed(values):
    """Denormals of float32 become zeros of their sign."""
    return np.where(np.abs(values) < np.float32(2.0**-126), np.copysign(np.float32(0), values), values)


def _fma_64(a, b, c):
    fma = ctypes.CDLL(ctypes.util.find_library("m")).fma
    fma.restype, fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
    return np.vectorize(fma, otypes=[np.float64])(a, b, c)


_NEAREST = {  # of float64
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "fma": lambda a, b, c: a * b + c,
    "sqrt": np.sqrt,
}
_REST = {  # what the exact result has beyond the float64 q
    "add": lambda q, a, b: a + b - q,
    "sub": lambda q, a, b: a - b - q,
    "mul": lambda q, a, b: a * b - q,
    "div": lambda q, a, b: a / b - q,
    "fma": lambda q, a, b, c: a * b + c - q,
    "sqrt": lambda q, a: a - q * q,
}


def _to_odd(nearest, rest):
    """A float64 rounded to odd instead of to nearest: rounding it again, to fewer bits, then rounds the exact result."""
    toward = np.where(rest > 0, np.inf, -np.inf)
    even = (np.asarray(nearest, np.float64).view(np.int64) & 1) == 0
    return np.where((rest != 0) & even & np.isfinite(nearest), np.nextafter(nearest, toward), nearest)


def _rest_of_sum(x, y, sum):
    """x + y = sum + rest, exactly (Knuth)."""
    virtual = sum - x
    return (x - (sum - virtual)) + (y - virtual)


def _sign_of_rest(kind, nearest, *arrays):
    def sign(q, *numbers):
        if not all(map(math.isfinite, (q, *numbers))):
            return 0.0
        rest = _REST[kind](Fraction(q), *map(Fraction, numbers))
        return float((rest > 0) - (rest < 0))

    return np.vectorize(sign, otypes=[np.float64])(nearest, *arrays)


def _exact(kind, format, mode):
    """One of _NEAREST, rounded to the format once."""
    if format.name == "f64":
        if mode != "nearest_even":
            raise Unknown(f"rounding<{mode}> of f64")
        return _fma_64 if kind == "fma" else _NEAREST[kind]
    native = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "sqrt": np.sqrt}.get(kind)
    if format.name == "f32" and mode == "nearest_even" and native:
        return native

    def calculate(*arrays):
        arrays = [np.asarray(array, np.float64) for array in arrays]
        result = _NEAREST[kind](*arrays)
        if mode != "nearest_even":
            result = _to_odd(result, _sign_of_rest(kind, result, *arrays))
        elif kind == "fma":
            product = arrays[0] * arrays[1]
            result = _to_odd(result, np.nan_to_num(_rest_of_sum(product, arrays[2], result), posinf=0, neginf=0))
        # 53 bits are enough to round one sum, product, quotient or root of at most 24 bits twice
        return rounded(result, format, mode)

    return calculate


def _float_operation(line, calculate):
    flush = line.flag("flush_to_zero")
    if not flush:
        return calculate
    return lambda *arrays: _flushed(calculate(*map(_flushed, arrays)))


@operation("addf", "subf", "mulf", "divf", "fma", "sqrt")
def _(line):
    (format,) = {type.format for type in line.result_types()}
    mode = line.take(r"rounding<(\w+)>", "nearest_even")
    if mode in ("approx", "full") and line.name in ("divf", "sqrt"):
        mode = "nearest_even"
    return _float_operation(line, _exact(line.name.removesuffix("f"), format, mode))


_FUNCTIONS = {
    "exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh,
    "cosh": np.cosh, "tanh": np.tanh, "rsqrt": lambda x: 1.0 / np.sqrt(x), "fpowf": np.power, "fpowi": np.power, "atan2": np.arctan2,
    "floor": np.floor, "ceil": np.ceil,
}  # fmt: skip


@operation(*_FUNCTIONS)
def _(line):
    format, function = line.result_types()[0].format, _FUNCTIONS[line.name]
    if line.name in ("exp", "tanh"):
        line.take(r"rounding<(?:approx|full)>")

    def calculate(*arrays):
        result = function(*(np.asarray(array, np.float64) for array in arrays))
        return rounded(np.asarray(rounded(result, FORMATS["f32"]), np.float64) if format.precision < 24 else result, format)

    return _float_operation(line, calculate)


@operation("remf")
def _(line):
    format = line.result_types()[0].format
    return lambda x, y: rounded(np.fmod(np.asarray(x, np.float64), np.asarray(y, np.float64)), format)


@operation("negf", "absf")
def _(line):
    return np.negative if line.name == "negf" else np.abs


@operation("maxf", "minf")
def _(line):
    larger, propagates = line.name == "maxf", line.flag("propagate_nan")

    def choose(x, y):
        signs = np.signbit(x) != np.signbit(y)
        first = np.where((x == y) & signs, np.signbit(y) == larger, x > y if larger else x < y)
        result = np.where(first, x, y)
        result = np.where(np.isnan(x), x if propagates else y, result)
        return np.where(np.isnan(y), y if propagates else x, result).astype(x.dtype)

    return _float_operation(line, choose)


_COMPARISONS = {
    "equal": np.equal, "not_equal": np.not_equal, "less_than": np.less, "less_than_or_equal": np.less_equal,
    "greater_than": np.greater, "greater_than_or_equal": np.greater_equal,
}  # fmt: skip


def _comparison(line):
    return _COMPARISONS[line.take(r"(?<![\w%])(?:less_than|greater_than)(?:_or_equal)?\b|(?<![\w%])(?:not_)?equal\b")]


@operation("cmpf")
def _(line):
    compare, unordered = _comparison(line), line.flag("unordered")
    if not unordered and not line.flag("ordered"):
        raise Unknown("cmpf that does not say what NaN gives")
    return lambda x, y: np.where(np.isnan(x) | np.isnan(y), unordered, compare(x, y))


# Integers


def _is_unsigned(line):
    unsigned = line.flag("unsigned")
    if not unsigned and not line.flag("signed"):
        raise Unknown(f"{line.name} without a sign")
    return unsigned


def _as_unsigned(values):
    return values if values.dtype == np.bool_ else values.view(f"u{values.itemsize}")


def _integers(line, function, unsigned=False):
    """A function of integers whose result has their type."""
    held = line.result_types()[0].format.held
    if held is np.bool_:
        raise Unknown(f"{line.name} of i1")

    def calculate(*arrays):
        arrays = [np.asarray(array) for array in arrays]
        return function(*map(_as_unsigned, arrays) if unsigned else arrays).astype(held)

    return calculate


@operation("addi", "subi", "muli", "negi", "absi")
def _(line):
    line.take(r"overflow<[\w, ]+>")
    functions = {"addi": np.add, "subi": np.subtract, "muli": np.multiply, "negi": np.negative, "absi": np.abs}
    return _integers(line, functions[line.name])


@operation("maxi", "mini")
def _(line):
    return _integers(line, np.maximum if line.name == "maxi" else np.minimum, _is_unsigned(line))


def _quotient(x, y):
    """To minus infinity; by zero: -1."""
    return np.where(y == 0, x.dtype.type(0) - x.dtype.type(1), np.floor_divide(x, np.where(y == 0, 1, y).astype(x.dtype)))


def _remainder(x, y):
    """With the sign of x; by zero: 0."""
    return np.where(y == 0, 0, np.fmod(x, np.where(y == 0, 1, y).astype(x.dtype)))


@operation("divi")
def _(line):
    unsigned = _is_unsigned(line)
    mode = line.take(r"rounding<(\w+)>", "zero")
    if mode not in ("zero", "negative_inf", "positive_inf"):
        raise Unknown(f"rounding<{mode}> of divi")

    def divide(x, y):
        down = _quotient(x, y)
        up = (_remainder(x, y) != 0) & (y != 0)
        if mode == "zero":
            up &= (x < 0) != (y < 0)
        return down + up.astype(x.dtype) if mode != "negative_inf" else down

    return _integers(line, divide, unsigned)


@operation("remi")
def _(line):
    return _integers(line, _remainder, _is_unsigned(line))


@operation("shli", "shri")
def _(line):
    if line.name == "shli":
        line.take(r"overflow<[\w, ]+>")
    unsigned = line.name == "shri" and _is_unsigned(line)
    width = 8 * line.result_types()[0].format.bytes

    def shift(x, count):
        far = (count < 0) | (count >= width) if count.dtype.kind == "i" else count >= width
        near = np.where(far, 0, count).astype(x.dtype)
        if line.name == "shli":
            return np.where(far, 0, np.left_shift(x, near))
        return np.where(far, np.where(x < 0, -1, 0) if x.dtype.kind == "i" else 0, np.right_shift(x, near))

    return _integers(line, shift, unsigned)


@operation("andi", "ori", "xori")
def _(line):
    return {"andi": np.bitwise_and, "ori": np.bitwise_or, "xori": np.bitwise_xor}[line.name]


@operation("cmpi")
def _(line):
    compare, unsigned = _comparison(line), _is_unsigned(line)
    return lambda x, y: compare(*map(_as_unsigned, map(np.asarray, (x, y)))) if unsigned else compare(x, y)


# Conversions


@operation("exti")
def _(line):
    unsigned, held = _is_unsigned(line), line.result_types()[0].format.held

    def extend(x):
        if x.dtype == np.bool_:
            return x.astype(held) * held(1 if unsigned else -1)
        return (_as_unsigned(np.asarray(x)) if unsigned else x).astype(held)

    return extend


@operation("trunci")
def _(line):
    line.take(r"overflow<[\w, ]+>")
    held = line.result_types()[0].format.held
    return lambda x: (x & 1) != 0 if held is np.bool_ else x.astype(held)


@operation("itof")
def _(line):
    unsigned, format = _is_unsigned(line), line.result_types()[0].format
    mode = line.take(r"rounding<(\w+)>", "nearest_even")

    def convert(x):
        x = _as_unsigned(np.asarray(x)) if unsigned else np.asarray(x)
        if format.name in ("f32", "f64") and mode == "nearest_even":
            return x.astype(format.held)
        if x.itemsize == 8 and np.any(np.abs(x.astype(np.float64)) > 2.0**53):
            raise Unknown(f"itof of an integer of more than 53 bits to {format.name}")
        return rounded(x.astype(np.float64), format, mode)

    return convert


@operation("ftoi")
def _(line):
    unsigned, format = _is_unsigned(line), line.result_types()[0].format
    line.take(r"rounding<(?:nearest_int_to_zero|zero)>")
    if format.name == "i1":
        return lambda x: x != 0
    width = 8 * format.bytes
    low, high = (0, 2**width - 1) if unsigned else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)

    def convert(x):
        """To zero, saturating; NaN is 0."""
        whole = np.trunc(np.nan_to_num(np.asarray(x, np.float64), nan=0.0, posinf=2.0**65, neginf=-(2.0**65)))
        inside = np.where((whole > low) & (whole < high), whole, 0)
        result = inside.astype(np.uint64 if unsigned else np.int64)
        result = np.where(whole >= high, np.array(high, result.dtype), np.where(whole <= low, np.array(low, result.dtype), result))
        return result.astype(f"u{format.bytes}" if unsigned else format.held).view(format.held)

    return convert


@operation("ftof")
def _(line):
    format, mode = line.result_types()[0].format, line.take(r"rounding<(\w+)>", "nearest_even")
    return lambda x: rounded(np.asarray(x, np.float64), format, mode)


@operation("bitcast")
def _(line):
    source, target = line.operand_types()[0].format, line.result_types()[0].format
    return lambda x: from_bits(to_bits(x, source), target)


@operation("int_to_ptr", "ptr_to_int", "ptr_to_ptr")
def _(line):
    return lambda x: x


@operation("offset")
def _(line):
    element = line.operand_types()[0].element
    size = FORMATS[element[len("ptr<") : -1]].bytes
    return lambda pointers, offsets: pointers + offsets.astype(np.int64) * size


@operation("select")
def _(line):
    return lambda condition, x, y: np.where(condition, x, y)


# Shapes


@operation("iota")
def _(line):
    type = line.result_types()[0]
    return lambda: np.arange(type.shape[0]).astype(type.format.held)


@operation("reshape")
def _(line):
    shape = line.result_types()[0].shape
    return lambda x: x.reshape(shape)


@operation("broadcast")
def _(line):
    shape = line.result_types()[0].shape
    return lambda x: np.broadcast_to(x, shape)


@operation("permute")
def _(line):
    axes = tuple(map(int, line.take(r"(?<=\s)\[([\d, ]+)\]").split(",")))
    return lambda x: np.transpose(x, axes)


@operation("cat")
def _(line):
    axis = int(line.take(r"dim ?= ?(\d+)"))
    return lambda x, y: np.concatenate((x, y), axis)


@operation("extract")
def _(line):
    shape = line.result_types()[0].shape

    def extract(tile, *places):
        corner = [int(place) * extent for place, extent in zip(places, shape)]
        slices = tuple(slice(start, start + extent) for start, extent in zip(corner, shape))
        if any(start < 0 or start + extent > whole for start, extent, whole in zip(corner, shape, tile.shape)):
            raise IndexError(f"extract of {slices} from a tile of {tile.shape}")
        return tile[slices]

    return extract


@operation("constant")
def _(line):
    type = line.result_types()[0]
    value = np.broadcast_to(constant(line.take(r"<\w+: ([^>\[\]]+)>"), type.format), type.shape)
    return lambda: value
