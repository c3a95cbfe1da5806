# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""cuTile kernels run by Python itself, one program of the grid after another, on torch's CPU arithmetic.

A kernel is a Python function, so it can simply be called if the functions of cuda.tile calculate.  install() gives them bodies:
tiles are torch tensors with a cuTile dtype, scalars are tiles of rank 0, compile-time constants are Python numbers.  The real
package keeps its dtypes, enumerations and decorators.  This knows nothing of Tilewright: what it calculates is a second opinion
on what a converted kernel must calculate, for the original host code as it stands.

Not modelled: a constant stays loose where a loop would make it strict; products and sums are not fused; undetermined padding is
zero; every function is as exact as torch's.
"""

import functools
import importlib.util
import itertools
import math
import operator

import torch

import cuda.tile as ct

_TORCH = {
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


def _from_torch(dtype):
    name = str(dtype).removeprefix("torch.")
    return getattr(ct, "bool_" if name == "bool" else name)


def _category(name):
    return 0 if name == "bool_" else 1 if name in _UNSIGNED or name in _SIGNED else 2 if name in _FLOATS else 3


def promote(a, b):
    a, b = a.name, b.name
    if a == b:
        return getattr(ct, a)
    ranks = _category(a), _category(b)
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
    return x.dtype if _category(own.name) <= _category(x.dtype.name) else own


def _convert(data, source, target):
    """Explicit conversion of torch data between cuTile dtypes."""
    name = target.name
    if source.name == name:
        return data
    if name == "bool_":
        return data != 0
    is_float = _category(source.name) >= 2
    if name in _FLOATS:
        return data.to(_TORCH[name])
    if name == "tfloat32":
        bits = data.to(torch.float32).view(torch.int32)
        return ((bits + 0x1000) & ~0x1FFF).view(torch.float32)
    if name.startswith("float8"):
        limit = torch.finfo(_TORCH[name]).max
        return data.to(torch.float32).clamp(-limit, limit).to(_TORCH[name])
    low, high = _limits(name)
    if is_float:  # truncates and saturates, NaN is 0
        data = torch.nan_to_num(data.to(torch.float64), nan=0.0, posinf=2.0**63, neginf=-(2.0**63)).trunc()
        top = data >= high
        return torch.where(top, torch.tensor(high), data.clamp(low, high).to(torch.int64)).to(_TORCH[name])
    return _wrap(data.to(torch.int64), name)


def _limits(name):
    if name in _UNSIGNED:
        return 0, 2 ** _UNSIGNED[name] - 1
    return -(2 ** (_SIGNED[name] - 1)), 2 ** (_SIGNED[name] - 1) - 1


def _wrap(data, name):
    if name in ("uint16", "uint32"):
        return data & _limits(name)[1]
    return data.to(_TORCH[name])


def _number(value, dtype):
    """A Python number as torch data; floats go by way of float32."""
    if isinstance(value, float):
        return _convert(torch.tensor(value, dtype=torch.float32), ct.float32, dtype)
    if isinstance(value, bool):
        return _convert(torch.tensor(value), ct.bool_, dtype)
    if dtype.name in _FLOATS or dtype.name == "tfloat32":
        return torch.tensor(value, dtype=torch.float64).to(_TORCH[dtype.name])
    if dtype.name == "bool_":
        return torch.tensor(value != 0)
    if dtype.name.startswith("float8"):
        return torch.tensor(float(value)).to(_TORCH[dtype.name])
    width = (_SIGNED | _UNSIGNED)[dtype.name]
    value &= 2**width - 1
    if dtype.name in _SIGNED and value >= 2 ** (width - 1):
        value -= 2**width
    return torch.tensor(value, dtype=_TORCH[dtype.name])


class Tile:
    def __init__(self, data, dtype):
        self.data, self.dtype = data, dtype

    shape = property(lambda self: tuple(self.data.shape))
    ndim = property(lambda self: self.data.dim())

    def astype(self, dtype, *, rounding_mode=None):
        dtype = _dtype(dtype)
        return Tile(_convert(self.data, self.dtype, dtype), dtype)

    def reshape(self, shape):
        return Tile(self.data.reshape(shape), self.dtype)

    def permute(self, axes):
        return Tile(self.data.permute(axes), self.dtype)

    def transpose(self, axis0=None, axis1=None):
        if axis0 is None:
            axis0, axis1 = 0, 1
        return Tile(self.data.transpose(axis0, axis1), self.dtype)

    def extract(self, index, shape):
        index, shape = _tuple(index), _tuple(shape)
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


class Array:
    """A view of memory: extents and strides in elements over a torch storage."""

    def __init__(self, storage, offset, extents, strides, dtype):
        self.storage, self.offset, self.extents, self.steps, self.dtype = storage, offset, extents, strides, dtype

    @staticmethod
    def of(tensor):
        dtype = _from_torch(tensor.dtype)
        elements = tensor.untyped_storage().nbytes() // tensor.element_size()
        storage = torch.as_strided(tensor.detach(), (elements,), (1,), 0)
        return Array(storage, tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride()), dtype)

    ndim = property(lambda self: len(self.extents))
    shape = property(lambda self: tuple(scalar(extent) for extent in self.extents))
    strides = property(lambda self: tuple(scalar(step) for step in self.steps))

    def slice(self, axis, start, stop):
        start, stop = int(start), int(stop)
        extents = list(self.extents)
        extents[axis] = stop - start
        return Array(self.storage, self.offset + start * self.steps[axis], tuple(extents), self.steps, self.dtype)

    def permuted(self, order):
        if order == "C":
            return self
        order = tuple(reversed(range(self.ndim))) if order == "F" else tuple(axis % self.ndim for axis in order)
        pick = lambda values: tuple(values[axis] for axis in order)  # noqa: E731
        return Array(self.storage, self.offset, pick(self.extents), pick(self.steps), self.dtype)

    def address(self, indices, check_bounds=True):
        """Element indices (integer tensors that broadcast) → (places in the storage, which lanes are inside)."""
        indices = torch.broadcast_tensors(*indices) if indices else []
        shape = indices[0].shape if indices else ()
        place = torch.full(shape, self.offset, dtype=torch.int64)
        inside = torch.ones(shape, dtype=torch.bool)
        for index, extent, step in zip(indices, self.extents, self.steps):
            place = place + index.to(torch.int64) * step
            if check_bounds:
                inside = inside & (index >= 0) & (index < extent)
        return place, inside

    def read(self, place, lanes, padding):
        if (lanes & ((place < 0) | (place >= self.storage.numel()))).any():
            raise Mistake("reads outside of the array's memory")
        if self.storage.numel() == 0:
            return padding.expand(place.shape).clone()
        return torch.where(lanes, self.storage[torch.where(lanes, place, 0)], padding)

    def write(self, place, lanes, data):
        data = data.expand(lanes.shape) if data.dim() <= lanes.dim() else data
        place, data = place[lanes], data[lanes]
        if ((place < 0) | (place >= self.storage.numel())).any():
            raise Mistake("writes outside of the array's memory")
        self.storage[place] = data


def scalar(value, dtype=None):
    return Tile(torch.tensor(value, dtype=_TORCH[(dtype or ct.int32).name]), dtype or ct.int32)


def _tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _dtype(value):
    return _from_torch(value) if isinstance(value, torch.dtype) else value


def _tile(value, dtype=None):
    if isinstance(value, Tile):
        return value if dtype is None else value.astype(dtype)
    dtype = dtype or _own_dtype(value)
    return Tile(_number(value, dtype), dtype)


def _implicit(value, dtype):
    """The conversion of stores and paddings: widening only."""
    if isinstance(value, Tile) and promote(value.dtype, dtype).name != dtype.name:
        raise Mistake(f"cannot implicitly cast {value.dtype.name} to {dtype.name}")
    if not isinstance(value, Tile) and _category(_own_dtype(value).name) > _category(dtype.name):
        raise Mistake(f"cannot implicitly cast {value} to {dtype.name}")
    return _tile(value, dtype).data


# Elementwise


def _calculate(function, dtype, *data):
    if dtype.name in _WIDE:
        return function(*(x.to(torch.float32) for x in data)).to(_TORCH[dtype.name])
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
        data = _calculate(functools.partial(on_tiles, **_options(options)), dtype if result is None else ct.float64,
                          _tile(x, dtype).data, _tile(y, dtype).data)  # fmt: skip
        return Tile(data, result or dtype)

    return apply


def _options(options):
    return {"propagate": True} if options.get("propagate_nan") else {}


def _float_of(x, y):
    dtype = _common(x, y)
    return dtype if _category(dtype.name) >= 2 else ct.float32


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
    return torch.bitwise_right_shift(x, torch.where((y < 0) | (y >= width), width - 1, y))


def _same(x, y):
    dtype = _common(x, y)
    if _category(dtype.name) >= 2 or (isinstance(x, Tile) and isinstance(y, Tile) and x.dtype.name != y.dtype.name):
        raise Mistake("bit operations want integers of one dtype")
    return dtype


def _bitwise(on_tiles, on_numbers):
    def apply(x, y, /):
        if not isinstance(x, Tile) and not isinstance(y, Tile):
            return on_numbers(x, y)
        dtype = _same(x, y)
        return Tile(on_tiles(_tile(x, dtype).data, _tile(y, dtype).data), dtype)

    return apply


add = _binary(torch.add, operator.add)
sub = _binary(torch.sub, operator.sub)
mul = _binary(torch.mul, operator.mul)
truediv = _binary(torch.div, operator.truediv, _float_of)
floordiv = _binary(_floor_divide, operator.floordiv)
mod = _binary(_modulo, operator.mod)
cdiv = _binary(_ceil_divide, lambda x, y: -(-x // y))
power = _binary(torch.pow, operator.pow, _float_of)
minimum = _binary(_minimum, min)
maximum = _binary(_maximum, max)
lshift = _binary(_shift_left, operator.lshift)
rshift = _binary(_shift_right, operator.rshift)
bit_and = _bitwise(torch.bitwise_and, operator.and_)
bit_or = _bitwise(torch.bitwise_or, operator.or_)
bit_xor = _bitwise(torch.bitwise_xor, operator.xor)
_COMPARISONS = {
    name: _binary(getattr(torch, name), getattr(operator, name), result=ct.bool_) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


def _unary(on_tiles, on_numbers, floats=True):
    def apply(x, /, **_):
        if not isinstance(x, Tile):
            return on_numbers(x)
        if floats and _category(x.dtype.name) < 2:
            x = x.astype(ct.float32)
        return Tile(_calculate(on_tiles, x.dtype, x.data), x.dtype)

    return apply


def negative(x, /):
    if not isinstance(x, Tile):
        return -x
    if x.dtype.name == "bool_":
        x = x.astype(ct.int32)
    return Tile(_calculate(torch.neg, x.dtype, x.data), x.dtype)


def bitwise_not(x, /):
    return Tile(torch.logical_not(x.data) if x.dtype.name == "bool_" else torch.bitwise_not(x.data), x.dtype)


def where(condition, x, y, /):
    dtype = _common(x, y) if isinstance(x, Tile) or isinstance(y, Tile) else promote(_own_dtype(x), _own_dtype(y))
    return Tile(torch.where(_tile(condition, ct.bool_).data, _tile(x, dtype).data, _tile(y, dtype).data), dtype)


def _reflected(function):
    return lambda self, other: function(other, self)


for _name, _function in dict(
    add=add, sub=sub, mul=mul, truediv=truediv, floordiv=floordiv, mod=mod, pow=power, lshift=lshift, rshift=rshift,
    xor=bit_xor, **{"and": bit_and, "or": bit_or},
).items():  # fmt: skip
    setattr(Tile, f"__{_name}__", lambda self, other, _function=_function: _function(self, other))
    setattr(Tile, f"__r{_name}__", _reflected(_function))
for _name, _function in _COMPARISONS.items():
    setattr(Tile, f"__{_name}__", lambda self, other, _function=_function: _function(self, other))
Tile.__neg__ = negative
Tile.__invert__ = bitwise_not
Tile.__abs__ = lambda self: Tile(self.data.abs(), self.dtype)
Tile.__matmul__ = lambda self, other: matmul(self, other)


# Memory

_PADDING = {"ZERO": 0.0, "NEG_ZERO": -0.0, "NAN": math.nan, "POS_INF": math.inf, "NEG_INF": -math.inf, "UNDETERMINED": 0.0}


def _padding(mode, dtype):
    value = _PADDING[mode.name]
    return torch.tensor(value if _category(dtype.name) >= 2 else int(value)).to(_TORCH[dtype.name])


def _tile_indices(index, shape):
    """Tile index and extents → an index tensor per axis, each along its own axis."""
    for axis, (i, extent) in enumerate(zip(index, shape)):
        steps = torch.arange(extent) + int(i) * extent
        yield steps.reshape([-1 if a == axis else 1 for a in range(len(shape))])


def _check_extents(shape):
    for extent in shape:
        if not isinstance(extent, int) or extent <= 0 or extent & (extent - 1):
            raise Mistake(f"{extent} is not a power of two")


def load(array, /, index, shape, *, order="C", padding_mode=ct.PaddingMode.UNDETERMINED, check_bounds=True, **_):
    array, index, shape = array.permuted(order), _tuple(index), _tuple(shape)
    _check_extents(shape)
    scalar_load = shape == ()
    place, inside = array.address(list(_tile_indices(index, shape or (1,) * array.ndim)), check_bounds)
    data = array.read(place, inside, _padding(padding_mode, array.dtype))
    return Tile(data.reshape(()) if scalar_load else data, array.dtype)


def store(array, /, index, tile, *, order="C", check_bounds=True, **_):
    array, index = array.permuted(order), _tuple(index)
    data = _implicit(tile, array.dtype)
    if data.dim() == 0:
        data = data.reshape((1,) * array.ndim)
    place, inside = array.address(list(_tile_indices(index, data.shape)), check_bounds)
    array.write(place, inside, data)


def _element_access(array, indices, mask, check_bounds):
    tensors = [_tile(index, None if isinstance(index, Tile) else ct.int64).data for index in _tuple(indices)]
    if len(tensors) != array.ndim:
        raise Mistake(f"index size {len(tensors)} does not match the array rank {array.ndim}")
    place, inside = array.address(tensors, check_bounds)
    return place, inside if mask is None else inside & _tile(mask).data


def gather(array, indices, /, *, mask=None, padding_value=0, check_bounds=True, **_):
    place, lanes = _element_access(array, indices, mask, check_bounds)
    return Tile(array.read(place, lanes, _implicit(padding_value, array.dtype)), array.dtype)


def scatter(array, indices, value, /, *, mask=None, check_bounds=True, **_):
    place, lanes = _element_access(array, indices, mask, check_bounds)
    array.write(place, lanes, _implicit(value, array.dtype))


def atomic_add(array, indices, update, /, *, check_bounds=True, **_):
    place, lanes = _element_access(array, indices, None, check_bounds)
    old = array.read(place, lanes, torch.zeros((), dtype=array.storage.dtype))
    data = _implicit(update, array.dtype).expand(place.shape)
    array.storage.index_add_(0, place[lanes].reshape(-1), data[lanes].reshape(-1))
    return Tile(old, array.dtype)


def load_advanced_indexing(array, indices, /, *, padding_mode=ct.PaddingMode.UNDETERMINED, **_):
    steps = []
    for axis, index in enumerate(indices):
        data = index.data if isinstance(index, Tile) else torch.arange(index.length) + int(index.start)
        steps.append(data.reshape([-1 if a == axis else 1 for a in range(len(indices))]))
    place, inside = array.address(steps)
    return Tile(array.read(place, inside, _padding(padding_mode, array.dtype)), array.dtype)


class Slice:
    def __init__(self, start, length, /):
        self.start, self.length = start, length


def num_tiles(array, /, axis, shape, order="C"):
    return scalar(-(-array.permuted(order).extents[axis] // (_tuple(shape) or (1,) * array.ndim)[axis]))


# Creation and shape


def arange(size, /, *, dtype, start=0, step=1):
    steps = Tile(torch.arange(size, dtype=torch.int32), ct.int32).astype(_dtype(dtype))
    return steps if (start, step) == (0, 1) else steps * _tile(step, dtype) + _tile(start, dtype)


def full(shape, fill_value, dtype):
    shape, dtype = _tuple(shape), _dtype(dtype)
    _check_extents(shape)
    return Tile(_tile(fill_value, dtype).data.expand(shape).clone(), dtype)


def _reduced_axes(axis, rank):
    return tuple(range(rank)) if axis is None else tuple(sorted(a % rank for a in _tuple(axis)))


def _reduce(on_data):
    def apply(x, /, axis=None, *, keepdims=False, **options):
        if not isinstance(x, Tile):
            return x
        if x.dtype.name == "bool_":
            x = x.astype(ct.int32)
        function = functools.partial(on_data, **_options(options))
        for a in reversed(_reduced_axes(axis, x.ndim)):
            x = Tile(_calculate(lambda data, a=a: function(data, a), x.dtype, x.data), x.dtype)
            x = x if not keepdims else Tile(x.data.unsqueeze(a), x.dtype)
        return x

    return apply


def _extreme(function, empty):
    def apply(data, axis, propagate=False):
        if data.dtype.is_floating_point and not propagate:
            nan = data.isnan()
            result = function(torch.where(nan, empty, data), axis)
            return torch.where(nan.all(axis), math.nan, result)
        return function(data, axis)

    return apply


def _scan(function):
    def apply(x, /, axis=0, *, reverse=False, **_):
        turn = (lambda data: data.flip(axis)) if reverse else (lambda data: data)
        return Tile(_calculate(lambda data: turn(function(turn(data), axis)), x.dtype, x.data), x.dtype)

    return apply


def mma(x, y, /, acc, **_):
    if acc.dtype.name == "int32":
        product = torch.matmul(x.data.to(torch.int64), y.data.to(torch.int64)) + acc.data
        return Tile(product.to(torch.int32), acc.dtype)
    if x.dtype.name != y.dtype.name:
        raise Mistake("operands of mma differ in dtype")
    wide = torch.float64 if acc.dtype.name == "float64" else torch.float32
    return Tile((torch.matmul(x.data.to(wide), y.data.to(wide)) + acc.data.to(wide)).to(_TORCH[acc.dtype.name]), acc.dtype)


def matmul(x, y, /):
    dtype = promote(x.dtype, y.dtype)
    acc = {"float8_e4m3fn": "float16", "float8_e5m2": "float16", "bfloat16": "float32"}.get(dtype.name, dtype.name)
    product = torch.matmul(x.data.to(torch.float32), y.data.to(torch.float32))
    return Tile(_convert(product.to(_TORCH[acc]), getattr(ct, acc), dtype), dtype)


def broadcast_to(x, /, shape):
    return Tile(_tile(x).data.expand(shape), _tile(x).dtype)


def static_assert(condition, message=None, /):
    if not condition:
        raise Mistake(message or "static_assert")


_program = {"index": (0, 0, 0), "grid": (1, 1, 1)}


def _functions():
    wide = lambda function: lambda x, y: function(x, y)  # noqa: E731
    return dict(
        bid=lambda axis: scalar(_program["index"][axis]),
        num_blocks=lambda axis: scalar(_program["grid"][axis]),
        load=load, store=store, gather=gather, scatter=scatter, atomic_add=atomic_add, num_tiles=num_tiles, Slice=Slice,
        load_advanced_indexing=load_advanced_indexing, arange=arange, full=full,
        zeros=lambda shape, dtype: full(shape, 0, dtype), ones=lambda shape, dtype: full(shape, 1, dtype),
        astype=lambda x, dtype, /, **_: _tile(x).astype(dtype), bitcast=lambda x, dtype, /: Tile(_tile(x).data.view(_TORCH[dtype.name]), dtype),
        reshape=lambda x, /, shape: _tile(x).reshape(shape), permute=lambda x, /, axes: x.permute(axes),
        transpose=lambda x, /, axis0=None, axis1=None: x.transpose(axis0, axis1),
        expand_dims=lambda x, /, axis: Tile(x.data.unsqueeze(axis), x.dtype), broadcast_to=broadcast_to,
        cat=lambda tiles, /, axis: Tile(torch.cat([t.data for t in tiles], axis), tiles[0].dtype),
        extract=lambda x, /, index, shape: x.extract(index, shape), where=where, mma=mma, matmul=matmul,
        sum=_reduce(lambda data, axis: data.sum(axis, dtype=data.dtype)), prod=_reduce(lambda data, axis: data.prod(axis)),
        max=_reduce(_extreme(torch.amax, -math.inf)), min=_reduce(_extreme(torch.amin, math.inf)),
        argmax=lambda x, /, axis=None, **_: Tile(x.data.argmax(axis).to(torch.int32), ct.int32),
        argmin=lambda x, /, axis=None, **_: Tile(x.data.argmin(axis).to(torch.int32), ct.int32),
        cumsum=_scan(torch.cumsum), cumprod=_scan(torch.cumprod),
        add=add, sub=sub, mul=mul, truediv=truediv, floordiv=floordiv, mod=mod, cdiv=cdiv, pow=power,
        minimum=minimum, maximum=maximum, bitwise_and=bit_and, bitwise_or=bit_or, bitwise_xor=bit_xor,
        bitwise_lshift=lshift, bitwise_rshift=rshift, bitwise_not=bitwise_not, negative=negative,
        equal=wide(_COMPARISONS["eq"]), not_equal=wide(_COMPARISONS["ne"]), less=wide(_COMPARISONS["lt"]),
        less_equal=wide(_COMPARISONS["le"]), greater=wide(_COMPARISONS["gt"]), greater_equal=wide(_COMPARISONS["ge"]),
        exp=_unary(torch.exp, math.exp), exp2=_unary(torch.exp2, lambda x: 2.0**x), log=_unary(torch.log, math.log),
        log2=_unary(torch.log2, math.log2), sqrt=_unary(torch.sqrt, math.sqrt), rsqrt=_unary(torch.rsqrt, lambda x: x**-0.5),
        sin=_unary(torch.sin, math.sin), cos=_unary(torch.cos, math.cos), tan=_unary(torch.tan, math.tan),
        sinh=_unary(torch.sinh, math.sinh), cosh=_unary(torch.cosh, math.cosh), tanh=_unary(torch.tanh, math.tanh),
        floor=_unary(torch.floor, math.floor, floats=False), ceil=_unary(torch.ceil, math.ceil, floats=False),
        abs=_unary(torch.abs, abs, floats=False), isnan=lambda x, /: Tile(x.data.isnan(), ct.bool_), static_assert=static_assert,
    )  # fmt: skip


# Launches


def _argument(value, constant):
    if isinstance(value, torch.Tensor):
        return Array.of(value)
    if isinstance(value, list):
        return [Array.of(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_argument(item, constant) for item in value)
    if constant:
        return value
    return scalar(value, ct.bool_ if isinstance(value, bool) else ct.float32 if isinstance(value, float) else ct.int32)


def launch(stream, grid, kernel, arguments, /, **_):
    from oracle.recorder import _is_constant

    annotations = kernel._annotated_function.parameter_annotations
    grid = (*grid, 1, 1, 1)[:3]
    with torch._C.DisableTorchFunction(), torch.no_grad():
        for index in itertools.product(*(range(extent) for extent in reversed(grid))):
            _program.update(index=tuple(reversed(index)), grid=grid)
            kernel._pyfunc(*(_argument(value, _is_constant(a)) for value, a in zip(arguments, annotations)))


def search(search_space, stream, grid_fn, kernel, args_fn, hints_fn=None, **_):
    """Every configuration gives the same numbers: the first will do."""
    from cuda.tile.tune import Measurement, TuningResult

    first = Measurement(config=next(iter(search_space)), mean_us=1.0, num_samples=1, error_margin_us=0.0)
    return TuningResult(best=first, successes=(first,), failures=())


def kernel_globals():
    """The builtins that cuTile gives another meaning, as names for a kernel module's namespace."""
    return dict(min=minimum_of, max=maximum_of)


def minimum_of(*args, **kwargs):
    return minimum(*args) if len(args) == 2 and any(isinstance(a, Tile) for a in args) else min(*args, **kwargs)


def maximum_of(*args, **kwargs):
    return maximum(*args) if len(args) == 2 and any(isinstance(a, Tile) for a in args) else max(*args, **kwargs)


def install():
    """Give cuda.tile's device functions bodies, for the life of the process."""
    assert importlib.util.find_spec("cuda.tile")
    import cuda.tile.tune

    for name, function in _functions().items():
        setattr(ct, name, function)
    ct.launch = launch
    cuda.tile.tune.exhaustive_search = search
