# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What the operations are fed with, as bytes: the same on every machine.

An input is known by its kind and its dtype. Floats of less precision are rounded from the same float64 numbers, to nearest even, by
arithmetic of this file: libraries do not agree on numbers that a format does not hold. Random numbers come from Python's
generator, which is the same in all of its versions.
"""

import functools
import hashlib
import itertools
import math
import random
import struct

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("float16", "bfloat16", "float32", "float64")
BYTE_FLOATS = ("float8_e4m3fn", "float8_e5m2")
ALL = ("bool_", *INTEGERS, *FLOATS, *BYTE_FLOATS)

COUNT = 1024  # elements of a tile of numbers
EDGES = 32  # of a dtype: all pairs of them are a tile
SHAPES = {
    "numbers": (COUNT,), "left": (COUNT,), "right": (COUNT,), "shifted": (COUNT,), "counts": (COUNT,), "exponents": (COUNT,),
    "rows": (16, 64), "factors": (16, 64), "drawn_rows": (16, 64), "long_rows": (16, 64), "near_ties": (COUNT,), "short": (20,), "grid": (4, 5), "cube": (2, 4, 8),
    "indices": (32,), "row_indices": (32,), "column_indices": (32,), "mask": (32,),
    "exact_left": (16, 32), "exact_right": (32, 16), "special_left": (16, 32), "special_right": (32, 16),
    "drawn_left": (16, 32), "drawn_right": (32, 16), "bytes": (64,), "long_bounds": (2,),
}  # fmt: skip

FORMATS = {  # bits, bits of the exponent, of the mantissa
    "float8_e4m3fn": (8, 4, 3), "float8_e5m2": (8, 5, 2), "float16": (16, 5, 10), "bfloat16": (16, 8, 7),
    "float32": (32, 8, 23), "float64": (64, 11, 52),
}  # fmt: skip


def bits_of(dtype):
    return 8 if dtype == "bool_" else FORMATS[dtype][0] if dtype in FORMATS else int(dtype.strip("uint"))


def limits(dtype):
    """The smallest and the largest integer of a dtype."""
    width = bits_of(dtype)
    return (0, 2**width - 1) if dtype.startswith("u") else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)


def torch_dtype(dtype):
    import torch

    return getattr(torch, dtype.rstrip("_"))


@functools.cache
def extremes(dtype):
    """The largest number, the smallest normal one, the smallest of all, what follows 1 (all positive)."""
    _, exponent, mantissa = FORMATS[dtype]
    bias = 2 ** (exponent - 1) - 1
    normal = 2.0 ** (1 - bias)
    largest = 448.0 if dtype == "float8_e4m3fn" else (2.0 - 2.0**-mantissa) * 2.0**bias
    return largest, normal, normal * 2.0**-mantissa, 1 + 2.0**-mantissa


def bits_of_number(dtype, value):
    """The bits of the number of a format that is nearest to a float64, ties to even. Beyond its largest: infinity, or NaN where there is none."""
    width, exponent, mantissa = FORMATS[dtype]
    sign = (math.copysign(1.0, value) < 0) << (width - 1)
    infinity = (2**exponent - 1) << mantissa
    beyond = 2 ** (width - 1) - 1 if dtype == "float8_e4m3fn" else infinity
    if math.isnan(value):
        return beyond if beyond != infinity else infinity | 1 << (mantissa - 1)
    if math.isinf(value):
        return sign | beyond
    lowest = 2 - 2 ** (exponent - 1)  # the exponent of the smallest normal number
    place = max(math.frexp(value)[1] - 1, lowest) if value else lowest
    steps = round(math.ldexp(abs(value), mantissa - place))  # Python rounds halves to even; exact, since it scales by a power of two
    magnitude = ((place - lowest) << mantissa) + steps
    return sign | (magnitude if magnitude < beyond else beyond)


def _encoded(dtype, values):
    """Bytes of a list of Python's numbers; integers wrap."""
    if dtype == "bool_":
        return bytes(bool(value) for value in values)
    size = bits_of(dtype) // 8
    if dtype in FORMATS:
        return b"".join(bits_of_number(dtype, float(value)).to_bytes(size, "little") for value in values)
    return b"".join((int(value) % 2 ** (8 * size)).to_bytes(size, "little") for value in values)


def _edges(dtype):
    """Exactly EDGES numbers."""
    if dtype == "bool_":
        return [n % 2 for n in range(EDGES)]
    inf = float("inf")
    if dtype in FORMATS:
        largest, normal, smallest, next_to_one = extremes(dtype)
        found = [0.0, smallest, normal - smallest, normal, 0.1, 0.5, 1.0, next_to_one, 1.5, 2.5, 3.0, 7.0, 100.0, largest, inf]
        return [sign * value for value in found for sign in (1, -1)] + [float("nan"), 65504.0]
    low, high = limits(dtype)
    found = [0, 1, 2, 3, 5, 7, 10, 100, high, high - 1, high - 2, high // 2, high // 2 + 1, high // 3, low, low + 1, low + 2]
    if low < 0:
        found += [-1, -2, -3, -5, -7, -10, -100, low // 2, low // 3]
    return (found + _drawn_bits(dtype, EDGES))[:EDGES]


def _drawn_bits(dtype, count):
    source = random.Random(f"bits {dtype}")
    low, high = limits(dtype)
    return [source.randint(low, high) for _ in range(count)]


def _positive(dtype, count, seed):
    """Sums of these lose no digits, so that ulp tell how good a sum is."""
    return [abs(value) + 0.125 for value in _drawn(dtype, count, seed)]


def _drawn(dtype, count, seed, scale=1.0):
    source = random.Random(f"{seed} {dtype}")
    return [source.gauss(0, scale) for _ in range(count)]


def _whole(dtype, count, seed, low=-4, high=4):
    source = random.Random(f"{seed} {dtype}")
    low = 0 if dtype.startswith(("u", "b")) else low
    return [source.randint(low, high) for _ in range(count)]


def _borders():
    """Numbers at which conversions to integers and to smaller floats change."""
    for power in (1, 2, 3, 7, 8, 10, 11, 15, 16, 24, 31, 32, 52, 53, 63, 64):
        for away in (-1, -0.5, 0, 0.5, 1):
            yield from (2.0**power + away, -(2.0**power) - away)
    for value in (447.0, 448.0, 449.0, 463.9, 464.0, 465.0, 57344.0, 61440.0, 65504.0, 65519.0, 65520.0, 3.4e38, 1e39, 1e308):
        yield from (value, -value)
    for power in (-6, -7, -8, -9, -10, -14, -15, -16, -17, -18, -24, -25, -26, -126, -127, -133, -134, -149, -150):
        for factor in (1.0, 1.5, 0.75, 1.25):
            yield from (factor * 2.0**power, -factor * 2.0**power)
    for mantissa in (3, 7, 8, 10, 11):  # halves between two numbers of a smaller float
        for step in (1, 3, 1.001, 0.999):
            yield from (1 + step * 2.0 ** -(mantissa + 1), -1 - step * 2.0 ** -(mantissa + 1))


def _numbers(dtype):
    """COUNT numbers as bytes: edges, borders, numbers of everyday size, arbitrary bits."""
    if dtype == "bool_":
        return _encoded(dtype, _whole(dtype, COUNT, "numbers", 0, 1))
    size = bits_of(dtype) // 8
    source = random.Random(f"numbers {dtype}")
    if dtype in FORMATS:
        told = _encoded(dtype, [*_edges(dtype), *_borders(), *_drawn(dtype, 200, "small"), *_drawn(dtype, 100, "large", 30)])
    else:
        low, high = limits(dtype)
        sides = [value for power in range(1, bits_of(dtype)) for value in (2**power - 1, 2**power, 2**power + 1)]
        sides += [-value for value in sides]
        told = _encoded(dtype, [*_edges(dtype), *(value for value in sides if low <= value <= high)])
    return (told + bytes(source.getrandbits(8) for _ in range(COUNT * size)))[: COUNT * size]


def _rows(dtype):
    """16 rows of 64 whose sums are the same in any order."""
    rows = [_whole(dtype, 64, f"row {n}") for n in range(16)]
    rows[1], rows[2] = [1] * 64, [0] * 64
    if dtype == "bool_":
        rows[3] = [0] * 40 + [1] * 24
        return sum(rows, [])
    rows[9] = [5 if n in (3, 40) else 1 for n in range(64)]
    rows[10] = [1 if n in (17, 41) else 4 for n in range(64)]
    if dtype not in FORMATS:
        low, high = limits(dtype)
        rows[4], rows[5], rows[6] = [high] * 64, [low] * 64, [low, high] * 32
        rows[7], rows[8] = _drawn_bits(dtype, 64), [low if n == 63 else 0 for n in range(64)]
        return sum(rows, [])
    nan, inf = float("nan"), float("inf")
    largest, normal, smallest, _ = extremes(dtype)
    one = lambda value, place, others=1.0: [value if n == place else others for n in range(64)]
    rows[3], rows[4] = [-0.0] * 64, [0.0, -0.0] * 32
    rows[5], rows[6], rows[7], rows[8] = one(nan, 5), [nan] * 64, one(inf, 30), one(inf, 3, -inf)
    rows[11], rows[12], rows[13] = [smallest * (n % 3) for n in range(64)], one(nan, 0), one(nan, 63)
    rows[14] = one(largest, 20, -0.0)
    if dtype in ("float16", "bfloat16"):
        rows[15] = one(2.0 ** (FORMATS[dtype][2] + 1), 0, 2.0)
    return sum(rows, [])


def _long_rows(dtype):
    """16 rows whose sums need more digits than the dtype has: beside their first number a 1 is lost."""
    return [2.0 ** (FORMATS[dtype][2] + 1) if n % 64 == 0 else 1.0 if n % 64 <= 3 + 4 * (n // 64) else 0.0 for n in range(16 * 64)]


def _near_ties(dtype):
    """Numbers beside those that are half way between two of a float8, and nearer to it than a float16 or a float32 can tell."""
    if dtype in FORMATS:
        middles = [sign * 2.0**power * (1 + step * 2.0**-3) for power in (-3, 0, 5) for step in (1, 3, 5, 7) for sign in (1, -1)]
        middles += [sign * 2.0**power * (1 + step * 2.0**-4) for power in (-3, 0, 5) for step in (1, 3, 5, 7, 9, 11, 13, 15) for sign in (1, -1)]
        found = [middle * (1 + away) for middle in middles for away in (-(2.0**-40), -(2.0**-20), -(2.0**-12), 2.0**-12, 2.0**-20, 2.0**-40)]
    else:
        low, high = limits(dtype)
        middles = [2**power + step * 2 ** (power - 3) for power in range(4, min(bits_of(dtype), 20)) for step in (1, 3, 5, 7)]
        found = [sign * (middle + away) for middle in middles for away in (-5, -3, -1, 0, 1, 3, 5) for sign in (1, -1)]
        found = [value for value in found if low <= value <= high]
    return (found + [1] * COUNT)[:COUNT]


def _factors(dtype):
    """16 rows of 64 whose products are the same in any order."""
    if dtype not in FORMATS:
        return _whole(dtype, 16 * 64, "factors", -7, 7)
    source = random.Random(f"factors {dtype}")
    rows = [[source.choice((1, 1, 1, -1, 1.0)) for _ in range(64)] for _ in range(16)]
    for number, special in enumerate((0.0, -0.0, float("nan"), float("inf"), 3.0, extremes(dtype)[2], extremes(dtype)[0])):
        rows[number][number * 7] = special
    return sum(rows, [])


def _special(dtype, shape, left):
    values = _whole(dtype, shape[0] * shape[1], f"special {left}", -2, 2)
    if not left:
        return [1 if n % shape[1] % 2 else value for n, value in enumerate(values)]
    inf, nan = float("inf"), float("nan")
    largest, normal, smallest, _ = extremes(dtype)
    for row, first in enumerate((inf, nan, smallest, -smallest, normal - smallest, -0.0, largest)):
        values[row * shape[1] : (row + 1) * shape[1]] = [first] + [0.0] * (shape[1] - 1)
    values[7 * shape[1] : 8 * shape[1]] = [inf, -inf] + [0.0] * (shape[1] - 2)
    return values


_INDICES = (0, 19, 20, 21, -1, -2, 1, 2, 3, 4, 5, 6, 7, 8, 127, -128, 9, 10, 11, 12, 13, 2**31 - 1, -(2**31), 32767, -19, -20, -21,
            14, 15, 16, 17, 100)  # fmt: skip
_COUNTS = (0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, -1, -2, -8, -32, -64, -128, 5, 6, 10, 20, 30, 40, 50, 60, 100)


@functools.cache
def data(kind, dtype):
    """The bytes of an input, of the shape SHAPES[kind]."""
    shape = SHAPES[kind]
    size = functools.reduce(int.__mul__, shape)
    if kind == "numbers":
        return _numbers(dtype)
    if kind in ("left", "right"):
        pairs = itertools.product(_edges(dtype), repeat=2)
        return _encoded(dtype, [pair[kind == "right"] for pair in pairs])
    if kind in ("shifted", "counts"):
        pairs = itertools.product(_edges(dtype), _COUNTS)
        values = [pair[kind == "counts"] for pair in pairs]
        low, high = limits(dtype)
        return _encoded(dtype, [value if low <= value <= high else 4 for value in values] if kind == "counts" else values)
    if kind == "exponents":
        return _encoded(dtype, [(0, 1, 2, 3, -1, -2, 5, 10)[n % 8] for n in range(size)])
    if kind in ("indices", "row_indices", "column_indices"):
        wanted = {"indices": _INDICES, "row_indices": [n % 7 - 1 for n in range(32)], "column_indices": [n % 9 - 2 for n in range(32)]}
        low, high = limits(dtype)
        return _encoded(dtype, [value if low <= value <= high else 19 for value in wanted[kind]])
    if kind == "long_bounds":
        return struct.pack("<qq", 2**32 + 5, 2**32 + 8)
    if kind == "bytes":
        return bytes(range(1, 65))
    made = {
        "rows": _rows, "factors": _factors, "long_rows": _long_rows, "near_ties": _near_ties,
        "drawn_rows": lambda dtype: _positive(dtype, size, kind), "drawn_left": lambda dtype: _positive(dtype, size, kind),
        "drawn_right": lambda dtype: _positive(dtype, size, kind),
        "special_left": lambda dtype: _special(dtype, shape, True), "special_right": lambda dtype: _special(dtype, shape, False),
        "mask": lambda dtype: [n % 3 for n in range(size)],
        "short": lambda dtype: [n + 1 for n in range(size)], "grid": lambda dtype: [n + 1 for n in range(size)],
        "cube": lambda dtype: [n + 1 for n in range(size)],
        "exact_left": lambda dtype: _whole(dtype, size, kind), "exact_right": lambda dtype: _whole(dtype, size, kind),
    }[kind](dtype)  # fmt: skip
    return _encoded(dtype, made)


def fingerprint(given):
    """Of the inputs of an operation: results of other inputs are not compared."""
    return hashlib.sha256(b"".join(data(kind, dtype) for kind, dtype in given)).hexdigest()[:8]


def tensor(kind, dtype, device):
    import torch

    found = torch.frombuffer(bytearray(data(kind, dtype)), dtype=torch.uint8).view(torch_dtype(dtype))
    return found.reshape(SHAPES[kind]).to(device)


def values(bits, dtype):
    """Bytes as a list of Python's numbers."""
    import torch

    tensor = torch.frombuffer(bytearray(bits), dtype=torch.uint8).view(torch_dtype(dtype))
    return (tensor.to(torch.float64) if dtype in FORMATS else tensor).tolist()
