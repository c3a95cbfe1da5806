# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What is known of why results differ, and what the points that documentation leaves open come to, in words."""

import re

_FLUSHED = "Triton compiles this operation so that denormals count as zeros."
_EXPONENTIAL = "It is made of Triton's `exp`, which is the hardware's 2**x of the argument times log2(e): the error grows with the argument."
_KEPT = "Triton has no such operation that flushes, so denormals are kept."
_ORDINARY = "The conversion has no approximation as rough as this: what overflows on the way in cuTile does not here."
_BFLOAT16 = "An integer of 16 bits is not rounded to bfloat16 before the sum: Triton's compiler keeps its float32."

_CONVERSION = {  # (group or nothing, name) of what matches → why
    (None, r"x // y|floor|ceil"): _FLUSHED,
    (None, r"x % y"): "Triton's remainder is x - trunc(x / y) * y in float32: it is wrong where the quotient needs more than 24 bits, and denormals count as zeros.",
    (None, r"abs"): "cuTile's compiler takes an unsigned integer with its highest bit set for a negative one; the conversion does as documented.",
    ("Promotions", r"x \+ .*"): _BFLOAT16,
    (None, r"exp2|rsqrt|sin"): _FLUSHED,
    (None, r"tan"): "It is the quotient of Triton's `sin`, which takes denormals for zeros, and `cos`.",
    (None, r"exp"): "Triton's `exp` is the hardware's 2**x of the argument times log2(e): the error grows with the argument.",
    (None, r"sinh|cosh|tanh"): _EXPONENTIAL,
    (None, r".*, flush to zero"): _KEPT,
    (None, r"truediv APPROX.*"): _ORDINARY,
    (None, r"sqrt APPROX"): "Triton's approximation takes denormals for zeros.",
    (None, r"to bfloat16(, RN)?"): "Triton's conversion of float8_e5m2 to bfloat16 has no infinity and no NaN.",
    (None, r"arg(max|min) of all axes"): "Triton 3.6 reorders what is reshaped to a vector and reduced, though the places are reduced with it.",
    (None, r"(POS|NEG)_INF"): "Triton rounds an infinite padding to the largest number of the dtype; the launch refuses it.",
}

_INTERPRETER = {
    (None, r"x \* y \+ x"): "cuTile's compiler makes one fused multiply-add of it, which rounds once; the interpreter rounds each operation.",
    (None, r"abs"): _CONVERSION[None, r"abs"],
    (None, r"not x|to bool_"): "cuTile asks whether a bit of a float8 is set: -0.0 counts as true. The interpreter compares with zero.",
    (None, r"truediv APPROX.*"): "The interpreter divides exactly; the hardware's approximation overflows on the way.",
    (None, r"to float8_e5m2.*"): "cuTile rounds an integer of 16 bits to float16 first; the interpreter rounds once.",
    (None, r"(POS|NEG)_INF"): "The interpreter rounded an infinite padding to the largest number of the dtype.",
}


def why(one, side):
    """A sentence on why a conversion (`strict`) or the interpreter (`interpreted`) differs, or nothing."""
    table = _CONVERSION if side == "strict" else _INTERPRETER
    operation = one.operation
    for (group, name), text in table.items():
        if group in (None, operation.group) and re.fullmatch(name, operation.name):
            return text
    return ""


# By the question that an operation asks.
ANSWERS = {
    "orders that are 3-cycles": "Axis `d` of the tile is axis `order[d]` of the array, also where that permutation is not its own inverse.",
    "a tile outside": "A tile wholly outside is the padding.",
    "a tile at a negative index": "cuTile gives the padding. A conversion tests upper bounds alone, as for the indices that documentation speaks of: it reads outside of the array.",
    "a tile outside, undetermined": "Zeros here; elsewhere, left-over bits of shared memory were seen. Nothing may be relied on.",
    "a tile outside, stored": "Nothing is written. The interpreter reports it.",
    "a tile at the edge, stored": "What is inside is written, and nothing else.",
    "`range` with int64 bounds above 2**31": "The loop counts in int64, as does its variable: the widest dtype of the bounds and int32.",
    "functions that do not commute": "Scans keep the order of the elements. Reductions do not: rows of 64 are combined in fours of neighbours first, then halves with "
    "halves, so that the first and the last survive as such, but what is composed of all is composed in another order. A reduction's function must commute.",
    "atomics outside": "Nothing is written. The old value is zero, and for `atomic_cas` the value that was expected.",
    "the order of packed bytes": "The lowest byte comes first.",
    "slices": "Outside of a slice is the padding, though the array goes on.",
}

GENERAL = (
    "What the tables above answer:",
    "",
    "* Floats on the way: float16 and bfloat16 functions are those of float32, rounded once (half an ulp, see *Accuracy*).",
    "* Sums: of float16 and bfloat16 in more digits than the dtype has, but not to the end: 2048 and 63 ones were 2110 in float16, where the nearest number is 2112.",
    "* The smallest integer: its absolute value and its negative are itself. `abs` of an unsigned integer takes the highest bit for a sign.",
    "* Shifts by all bits or more: 0, or all sign bits to the right; by a negative number the same. Conversions and the interpreter agree.",
    "* Division by zero: see *Undefined, and what was seen*.",
    "* float8 in arithmetic, comparisons and functions: the front end takes some, the compiler refuses all; so with floats' padding of integers.",
)
