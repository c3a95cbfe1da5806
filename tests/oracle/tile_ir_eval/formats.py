# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What the elements of tiles are: how numpy holds them, how they are rounded, and what their bits are in memory.

Integers lie in numpy's signed ones, whatever an operation takes them for; f16, f32 and f64 in numpy's own; bf16, tf32 and the
floats of eight bits in float32, of which they are a part.  Pointers are addresses in int64.
"""

import functools
from dataclasses import dataclass

import numpy as np


class Unknown(NotImplementedError):
    """An operation, an attribute or a type whose meaning the evaluator does not have."""


@dataclass(frozen=True)
class Format:
    name: str
    held: type  # of numpy's arrays
    bytes: int  # in memory
    precision: int = 0  # bits of a float's significand, the leading one among them
    least: int = 0  # exponent of the smallest normal number
    largest: float = 0.0  # finite number
    saturates: bool = False  # what is larger becomes the largest number, and infinity too

    is_float = property(lambda self: self.precision > 0)


FORMATS = {
    format.name: format
    for format in (
        Format("i1", np.bool_, 1),
        Format("i8", np.int8, 1),
        Format("i16", np.int16, 2),
        Format("i32", np.int32, 4),
        Format("i64", np.int64, 8),
        Format("f16", np.float16, 2, 11, -14, 65504.0),
        Format("bf16", np.float32, 2, 8, -126, (2 - 2.0**-7) * 2.0**127),
        Format("tf32", np.float32, 4, 11, -126, (2 - 2.0**-10) * 2.0**127),
        Format("f32", np.float32, 4, 24, -126, (2 - 2.0**-23) * 2.0**127),
        Format("f64", np.float64, 8, 53, -1022, (2 - 2.0**-52) * 2.0**1023),
        Format("f8E4M3FN", np.float32, 1, 4, -6, 448.0, True),
        Format("f8E5M2", np.float32, 1, 3, -14, 57344.0, True),
    )
}
_POINTER = Format("ptr", np.int64, 8)


def format_of(element):
    """`f32`, `i64`, `ptr<f32>` → Format."""
    if element.startswith("ptr<"):
        return _POINTER
    if element not in FORMATS:
        raise Unknown(f"elements of type {element}")
    return FORMATS[element]


_WHOLE = {"nearest_even": np.rint, "zero": np.trunc, "negative_inf": np.floor, "positive_inf": np.ceil}
_NATIVE = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def rounded(values, format, mode="nearest_even"):
    """float64 values, rounded to a format once; overflow is infinity, or the largest number where the mode turns away from it."""
    if mode == "nearest_even" and format.name in _NATIVE:
        return values.astype(_NATIVE[format.name])
    if mode not in _WHOLE:
        raise Unknown(f"rounding<{mode}> of {format.name}")
    values = np.asarray(values, np.float64)
    exponents = np.maximum(np.frexp(values)[1] - 1, format.least)
    unit = np.ldexp(1.0, exponents - (format.precision - 1))
    result = np.where(np.isfinite(values), np.copysign(_WHOLE[mode](values / unit) * unit, values), values)
    too_large = np.abs(result) > format.largest
    kept = np.copysign(format.largest, result)
    if format.saturates:
        result = np.where(too_large, kept, result)
    else:
        towards_zero = {"zero": too_large, "negative_inf": result > 0, "positive_inf": result < 0}.get(mode, False)
        beyond = np.where(np.isinf(values) | ~np.asarray(towards_zero), np.copysign(np.inf, result), kept)
        result = np.where(too_large, beyond, result)
    return result.astype(format.held)


@functools.cache
def _numbers_of_8_bits(name):
    """The value of each of the 256 patterns."""
    mantissa, bias = (3, 7) if name == "f8E4M3FN" else (2, 15)
    patterns = np.arange(256)
    exponent, fraction = patterns >> mantissa & (0x7F >> mantissa), patterns & ((1 << mantissa) - 1)
    normal = (1 + fraction / 2**mantissa) * 2.0 ** (exponent - bias)
    values = np.where(exponent == 0, fraction / 2**mantissa * 2.0 ** (1 - bias), normal)
    if name == "f8E4M3FN":
        values = np.where(patterns & 0x7F == 0x7F, np.nan, values)
    else:
        values = np.where(exponent == 31, np.where(fraction == 0, np.inf, np.nan), values)
    return np.where(patterns & 0x80, -values, values).astype(np.float32)


def from_bits(bits, format):
    """What memory holds, as unsigned integers of the format's width → values."""
    if format.name == "i1":
        return bits != 0
    if format.name.startswith("f8"):
        return _numbers_of_8_bits(format.name)[bits]
    if format.name == "bf16":
        return (bits.astype(np.uint32) << 16).view(np.float32)
    return bits.view(format.held)


def to_bits(values, format):
    values = np.asarray(values)
    if format.name == "i1":
        return values.astype(np.uint8)
    if format.name == "bf16":
        bits = (np.asarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)
        return np.where(np.isnan(values) & (bits & 0x7F == 0), bits | 0x40, bits).astype(np.uint16)
    if format.name.startswith("f8"):
        half = _numbers_of_8_bits(format.name)[:128]
        order = np.argsort(half)  # NaN last
        place = np.searchsorted(half[order], np.abs(values))
        magnitude = np.where(np.isnan(values), 0x7F, order[np.minimum(place, 127)])
        return (magnitude | np.where(np.signbit(values), 0x80, 0)).astype(np.uint8)
    return values.view(f"u{format.bytes}")


def constant(text, format):
    """A number as Tile IR prints it: decimal, or the bits of a float in hexadecimal."""
    if text in ("true", "false"):
        return np.array(text == "true", format.held)
    if format.is_float and text.lower().startswith("0x"):
        width = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[format.bytes]
        return from_bits(np.array([int(text, 16)], width), format)[0]
    if format.is_float:
        return rounded(np.array(float(text)), format)
    value, width = int(text, 0), 8 * format.bytes
    value &= (1 << width) - 1
    return np.array(value - (1 << width) if value >> (width - 1) else value, format.held)
