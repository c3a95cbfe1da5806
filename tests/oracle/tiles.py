# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Tiles that calculate: torch data with a cuTile dtype, cuTile's promotion and conversions, and the elementwise functions.

Scalars are tiles of rank 0.  Compile-time constants are Python numbers and adapt to the tile that they meet.
"""

import functools
import operator

import cuda.tile as ct
import torch

TORCH = {
    "bool_": torch.bool, "uint8": torch.uint8, "uint16": torch.int64, "uint32": torch.int64, "int8": torch.int8,
    "int16": torch.int16, "int32": torch.int32, "int64": torch.int64, "float16": torch.float16, "bfloat16": torch.bfloat16,
    "float32": torch.float32, "float64": torch.float64, "tfloat32": torch.float32, "float8_e4m3fn": torch.float8_e4m3fn,
    "float8_e5m2": torch.float8_e5m2,
}  # fmt: skip
_UNSIGNED = {"uint8": 8, "uint16": 16, "uint32": 32}
_SIGNED = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
_FLOATS = {"float16": 1, "bfloat16": 1, "float32": 2, "float64": 3}
_WIDE = {"float16", "bfloat16"}  # calculated in float32, rounded once


class Mistake(Exception):
    """The kernel does what cuTile refuses or leaves undefined."""


def from_torch(dtype):
    name = str(dtype).removeprefix("torch.")
    return getattr(ct, "bool_" if name == "bool" else name)


def category(name):
    return 0 if name == "bool_" else 1 if name in _UNSIGNED or name in _SIGNED else 2 if name in _FLOATS else 3


def promote(a, b):
    a, b = a.name, b.name
    if a == b:
        return getattr(ct, a)
    ranks = category(a), category(b)
    if 3 in ranks:
        raise Mistake(f"no common dtype of {a} and {b}")
    if ranks[0] != ranks[1]:
        return getattr(ct, a if ranks[0] > ranks[1] else b)
    if ranks[0] == 2:
        if _FLOATS[a] == _FLOATS[b]:
            raise Mistake(f"no common dtype of {a} and {b}")
        return getattr(ct, max(a, b, key=_FLOATS.get))
    if (a in _SIGNED) != (b in _SIGNED):
        raise Mistake(f"no common dtype of {a} and {b}")
    return getattr(ct, max(a, b, key=(_SIGNED | _UNSIGNED).get))


def _own_dtype(number):
    if isinstance(number, bool):
        return ct.bool_
    if isinstance(number, int):
        return ct.int32 if -(2**31) <= number < 2**31 else ct.int64
    return ct.float32


def _common(x, y):
    """The dtype in which two operands meet; a Python number adapts where its category allows."""
    if isinstance(x, Tile) and isinstance(y, Tile):
        return promote(x.dtype, y.dtype)
    if not isinstance(x, Tile):
        x, y = y, x
    own = _own_dtype(y)
    return x.dtype if category(own.name) <= category(x.dtype.name) else own


def convert(data, source, target):
    """Explicit conversion of torch data between cuTile dtypes."""
    name = target.name
    if source.name == name:
        return data
    if name == "bool_":
        return data != 0
    is_float = category(source.name) >= 2
    if name in _FLOATS:
        return data.to(TORCH[name])
    if name == "tfloat32":
        data = data.to(torch.float32)
        bits = data.view(torch.int32)
        rounded = (bits + 0xFFF + (bits >> 13 & 1)) & ~0x1FFF  # ties to even, as cvt.rn.tf32.f32
        return torch.where(data.isnan(), torch.nan, rounded.view(torch.float32))
    if name.startswith("float8"):
        limit = torch.finfo(TORCH[name]).max
        return data.to(torch.float32).clamp(-limit, limit).to(TORCH[name])
    low, high = _limits(name)
    if is_float:  # truncates and saturates, NaN is 0
        data = torch.nan_to_num(data.to(torch.float64), nan=0.0, posinf=2.0**63, neginf=-(2.0**63)).trunc()
        top = data >= high
        return torch.where(top, torch.tensor(high), data.clamp(low, high).to(torch.int64)).to(TORCH[name])
    return _wrap(data.to(torch.int64), name)


def _limits(name):
    if name in _UNSIGNED:
        return 0, 2 ** _UNSIGNED[name] - 1
    return -(2 ** (_SIGNED[name] - 1)), 2 ** (_SIGNED[name] - 1) - 1


def _wrap(data, name):
    if name in ("uint16", "uint32"):
        return data & _limits(name)[1]
    return data.to(TORCH[name])


def _number(value, dtype):
    """A Python number as torch data; floats go by way of float32."""
    if isinstance(value, float):
        return convert(torch.tensor(value, dtype=torch.float32), ct.float32, dtype)
    if isinstance(value, bool):
        return convert(torch.tensor(value), ct.bool_, dtype)
    if dtype.name in _FLOATS or dtype.name == "tfloat32":
        return torch.tensor(value, dtype=torch.float64).to(TORCH[dtype.name])
    if dtype.name == "bool_":
        return torch.tensor(value != 0)
    if dtype.name.startswith("float8"):
        return torch.tensor(float(value)).to(TORCH[dtype.name])
    width = (_SIGNED | _UNSIGNED)[dtype.name]
    value &= 2**width - 1
    if dtype.name in _SIGNED and value >= 2 ** (width - 1):
        value -= 2**width
    return torch.tensor(value, dtype=TORCH[dtype.name])


class Tile:
    def __init__(self, data, dtype):
        self.data, self.dtype = data, dtype

    shape = property(lambda self: tuple(self.data.shape))
    ndim = property(lambda self: self.data.dim())

    def astype(self, dtype, *, rounding_mode=None):
        dtype = to_dtype(dtype)
        return Tile(convert(self.data, self.dtype, dtype), dtype)

    def reshape(self, shape):
        return Tile(self.data.reshape(shape), self.dtype)

    def permute(self, axes):
        return Tile(self.data.permute(axes), self.dtype)

    def transpose(self, axis0=None, axis1=None):
        if axis0 is None:
            axis0, axis1 = 0, 1
        return Tile(self.data.transpose(axis0, axis1), self.dtype)

    def extract(self, index, shape):
        index, shape = as_tuple(index), as_tuple(shape)
        data = self.data
        for axis, (i, extent) in enumerate(zip(index, shape)):
            data = data.narrow(axis, int(i) * extent, extent)
        return Tile(data, self.dtype)

    def item(self):
        return Tile(self.data.reshape(()), self.dtype)

    def __getitem__(self, key):
        return Tile(self.data[key], self.dtype)

    def __index__(self):
        if self.ndim:
            raise Mistake("a tile is not a scalar")
        return int(self.data)

    __int__ = __index__

    def __bool__(self):
        if self.ndim:
            raise Mistake("a tile is not a condition")
        return bool(self.data)

    __hash__ = None


def scalar(value, dtype=None):
    return Tile(torch.tensor(value, dtype=TORCH[(dtype or ct.int32).name]), dtype or ct.int32)


def as_tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def to_dtype(value):
    return from_torch(value) if isinstance(value, torch.dtype) else value


def to_tile(value, dtype=None):
    if isinstance(value, Tile):
        return value if dtype is None else value.astype(dtype)
    dtype = dtype or _own_dtype(value)
    return Tile(_number(value, dtype), dtype)


def implicit(value, dtype):
    """The conversion of stores and paddings: widening only."""
    if isinstance(value, Tile) and promote(value.dtype, dtype).name != dtype.name:
        raise Mistake(f"cannot implicitly cast {value.dtype.name} to {dtype.name}")
    if not isinstance(value, Tile) and category(_own_dtype(value).name) > category(dtype.name):
        raise Mistake(f"cannot implicitly cast {value} to {dtype.name}")
    return to_tile(value, dtype).data


# Elementwise


def calculate(function, dtype, *data):
    if dtype.name in _WIDE:
        return function(*(x.to(torch.float32) for x in data)).to(TORCH[dtype.name])
    if dtype.name in ("uint16", "uint32"):
        return _wrap(function(*data), dtype.name)
    return function(*data)


def _binary(on_tiles, on_numbers, dtype_of=_common, result=None):
    def apply(x, y, /, **options):
        if not isinstance(x, Tile) and not isinstance(y, Tile):
            return on_numbers(x, y)
        if isinstance(x, (str, type(None))) or isinstance(y, (str, type(None), tuple)):
            return NotImplemented
        dtype = dtype_of(x, y)
        if result is None and dtype.name == "bool_":
            raise Mistake("no arithmetic on two bools")
        data = calculate(functools.partial(on_tiles, **options_of(options)), dtype if result is None else ct.float64,
                          to_tile(x, dtype).data, to_tile(y, dtype).data)  # fmt: skip
        return Tile(data, result or dtype)

    return apply


def options_of(options):
    return {"propagate": True} if options.get("propagate_nan") else {}


def _float_of(x, y):
    dtype = _common(x, y)
    return dtype if category(dtype.name) >= 2 else ct.float32


def _floor_divide(x, y):
    if x.dtype.is_floating_point:
        return torch.floor(x / y)
    return torch.div(x, torch.where(y == 0, 1, y), rounding_mode="floor") - (y == 0).to(x.dtype)


def _ceil_divide(x, y):
    return -_floor_divide(-x, y)


def _modulo(x, y):
    if x.dtype.is_floating_point:
        return torch.remainder(x, y)
    return torch.where(y == 0, 0, torch.remainder(x, torch.where(y == 0, 1, y)))


def _minimum(x, y, propagate=False):
    return (torch.minimum if propagate or not x.dtype.is_floating_point else torch.fmin)(x, y)


def _maximum(x, y, propagate=False):
    return (torch.maximum if propagate or not x.dtype.is_floating_point else torch.fmax)(x, y)


def _shift_left(x, y):
    width = x.element_size() * 8
    return torch.where((y < 0) | (y >= width), 0, torch.bitwise_left_shift(x, y.clamp(0, width - 1)))


def _shift_right(x, y):
    width = x.element_size() * 8
    far = (y < 0) | (y >= width)
    shifted = torch.bitwise_right_shift(x, torch.where(far, width - 1, y))
    return shifted if x.dtype.is_signed else torch.where(far, 0, shifted)


def _same(x, y):
    dtype = _common(x, y)
    if category(dtype.name) >= 2 or (isinstance(x, Tile) and isinstance(y, Tile) and x.dtype.name != y.dtype.name):
        raise Mistake("bit operations want integers of one dtype")
    return dtype


def _bitwise(on_tiles, on_numbers):
    def apply(x, y, /):
        if not isinstance(x, Tile) and not isinstance(y, Tile):
            return on_numbers(x, y)
        dtype = _same(x, y)
        return Tile(on_tiles(to_tile(x, dtype).data, to_tile(y, dtype).data), dtype)

    return apply


add = _binary(torch.add, operator.add)
sub = _binary(torch.sub, operator.sub)
mul = _binary(torch.mul, operator.mul)
truediv = _binary(torch.div, operator.truediv, _float_of)
_whole_quotient = _binary(_floor_divide, operator.floordiv)
mod = _binary(_modulo, operator.mod)
cdiv = _binary(_ceil_divide, lambda x, y: -(-x // y))


def floordiv(x, y, /, **options):
    quotient = _whole_quotient(x, y, **options)
    if isinstance(quotient, Tile) and quotient.dtype.name in _WIDE:  # rounded before it is floored
        quotient = truediv(x, y, **options)
        return Tile(calculate(torch.floor, quotient.dtype, quotient.data), quotient.dtype)
    return quotient


power = _binary(torch.pow, operator.pow, _float_of)
minimum = _binary(_minimum, min)
maximum = _binary(_maximum, max)
lshift = _binary(_shift_left, operator.lshift)
rshift = _binary(_shift_right, operator.rshift)
bit_and = _bitwise(torch.bitwise_and, operator.and_)
bit_or = _bitwise(torch.bitwise_or, operator.or_)
bit_xor = _bitwise(torch.bitwise_xor, operator.xor)
COMPARISONS = {
    name: _binary(getattr(torch, name), getattr(operator, name), result=ct.bool_)
    for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


def unary(on_tiles, on_numbers, floats=True):
    def apply(x, /, **_):
        if not isinstance(x, Tile):
            return on_numbers(x)
        if floats and category(x.dtype.name) < 2:
            x = x.astype(ct.float32)
        return Tile(calculate(on_tiles, x.dtype, x.data), x.dtype)

    return apply


def negative(x, /):
    if not isinstance(x, Tile):
        return -x
    if x.dtype.name == "bool_":
        x = x.astype(ct.int32)
    return Tile(calculate(torch.neg, x.dtype, x.data), x.dtype)


def bitwise_not(x, /):
    return Tile(torch.logical_not(x.data) if x.dtype.name == "bool_" else torch.bitwise_not(x.data), x.dtype)


def where(condition, x, y, /):
    dtype = _common(x, y) if isinstance(x, Tile) or isinstance(y, Tile) else promote(_own_dtype(x), _own_dtype(y))
    return Tile(torch.where(to_tile(condition, ct.bool_).data, to_tile(x, dtype).data, to_tile(y, dtype).data), dtype)


def _reflected(function):
    return lambda self, other: function(other, self)


for _name, _function in dict(
    add=add, sub=sub, mul=mul, truediv=truediv, floordiv=floordiv, mod=mod, pow=power, lshift=lshift, rshift=rshift,
    xor=bit_xor, **{"and": bit_and, "or": bit_or},
).items():  # fmt: skip
    setattr(Tile, f"__{_name}__", lambda self, other, _function=_function: _function(self, other))
    setattr(Tile, f"__r{_name}__", _reflected(_function))
for _name, _function in COMPARISONS.items():
    setattr(Tile, f"__{_name}__", lambda self, other, _function=_function: _function(self, other))
Tile.__neg__ = negative
Tile.__invert__ = bitwise_not
Tile.__abs__ = lambda self: Tile(self.data.abs(), self.dtype)
