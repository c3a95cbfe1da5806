# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Which elements of an operation's result neither dialect defines: division by zero, counts of shifts, numbers that an integer cannot hold."""

import re

import numpy as np
from numerics.inputs import FORMATS, INTEGERS, bits_of, data, limits, values


def _divisions(operation):
    left, right = (np.array(values(data(*given), given[1]), object) for given in operation.inputs)
    low, _ = limits(operation.dtype)
    return (right == 0) | ((left == low) & (right == -1)) if low else right == 0


def _shifts(operation):
    counts = np.array(values(data(*operation.inputs[1]), operation.dtype), object)
    return (counts < 0) | (counts >= bits_of(operation.dtype))


def _conversions(operation):
    """A float is defined as an integer if it is one of the dtype once its fraction is cut off."""
    given = np.array(values(data(*operation.inputs[0]), operation.dtype), np.float64)
    low, high = limits(operation.result)
    return ~((given > low - 1.0) & (given < high + 1.0) if bits_of(operation.result) < 64 else (given >= float(low)) & (given < float(high)))


def undefined(operation):
    """For each element whether its result is undefined, or None where all are defined."""
    if operation.group == "Arithmetic" and operation.dtype in INTEGERS and operation.name in ("x // y", "x % y", "cdiv"):
        return _divisions(operation)
    if operation.name in ("x << y", "x >> y"):
        return _shifts(operation)
    if operation.group == "Conversions" and operation.dtype in FORMATS and re.fullmatch(r"to u?int\d+", operation.name):
        return _conversions(operation)
    return None
