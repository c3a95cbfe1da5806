# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""How far elementary functions are from the exact value, in ulp of the dtype, by the C library's extended precision."""

import numpy as np
from numerics.inputs import FORMATS, data, values

_EXACT = {
    "exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh,
    "cosh": np.cosh, "tanh": np.tanh, "rsqrt": lambda x: 1 / np.sqrt(x), "sqrt": np.sqrt, "pow": np.power, "atan2": np.arctan2,
    "pow of an int32": np.power, "truediv FULL": np.divide, "truediv APPROX": np.divide, "sqrt APPROX": np.sqrt, "exp APPROX": np.exp,
    "tanh APPROX": np.tanh, "x / y": np.divide,
}  # fmt: skip


def is_known(operation):
    return operation.name in _EXACT and operation.dtype in FORMATS and operation.result == operation.dtype


def errors(one):
    """{side: (the largest error in ulp, the arguments where)} of numbers whose exact value is a normal number of the dtype."""
    operation = one.operation
    _, exponent, mantissa = FORMATS[operation.dtype]
    arguments = [np.array(values(data(*given), given[1]), np.longdouble) for given in operation.inputs]
    with np.errstate(all="ignore"):
        exact = _EXACT[operation.name](*arguments)
        places = np.frexp(exact)[1] - 1
        highest = 2 ** (exponent - 1) - 1
        counts = np.isfinite(exact) & (exact != 0) & (places >= 1 - highest) & (places < highest)
        unit = np.ldexp(np.longdouble(1), places - mantissa)
        found = {}
        for side, bits in one.results.items():
            got = np.array(values(bits, operation.result), np.longdouble)
            error = np.where(counts, np.abs(got - exact) / unit, 0)
            error = np.where(counts & ~np.isfinite(got), np.inf, error)
            worst = int(error.argmax())
            found[side] = float(error[worst]), [float(argument[worst]) for argument in arguments]
    return found
