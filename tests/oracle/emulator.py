# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""cuTile kernels run by Python itself, one program of the grid after another, on torch's CPU arithmetic.

A kernel is a Python function, so it can simply be called if the functions of cuda.tile calculate.  install() gives them bodies:
tiles (oracle.tiles) over arrays that are views of torch storages.  The real package keeps its dtypes, enumerations and
decorators.  This knows nothing of Tilewright: what it calculates is a second opinion on what a converted kernel must calculate,
for the original host code as it stands.

Not modelled: a constant stays loose where a loop would make it strict; products and sums are not fused; rounding modes and
flushing to zero are ignored; undetermined padding is
zero; every function is as exact as torch's.
"""

import functools
import itertools
import math

import cuda.tile as ct
import torch

from oracle.tiles import (
    COMPARISONS,
    TORCH,
    Mistake,
    Tile,
    add,
    as_tuple,
    bit_and,
    bit_or,
    bit_xor,
    bitwise_not,
    calculate,
    category,
    cdiv,
    convert,
    floordiv,
    from_torch,
    implicit,
    lshift,
    maximum,
    minimum,
    mod,
    mul,
    negative,
    options_of,
    power,
    promote,
    rshift,
    scalar,
    sub,
    to_dtype,
    to_tile,
    truediv,
    unary,
    where,
)  # fmt: skip


class Array:
    """A view of memory: extents and strides in elements over a torch storage."""

    def __init__(self, storage, offset, extents, strides, dtype):
        self.storage, self.offset, self.extents, self.steps, self.dtype = storage, offset, extents, strides, dtype

    @staticmethod
    def of(tensor):
        dtype = from_torch(tensor.dtype)
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

    def tiled_view(self, tile_shape, *, padding_mode=ct.PaddingMode.UNDETERMINED, traversal_steps=None):
        return TiledView(self, as_tuple(tile_shape), padding_mode)

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


# Memory

_PADDING = {
    "ZERO": 0.0,
    "NEG_ZERO": -0.0,
    "NAN": math.nan,
    "POS_INF": math.inf,
    "NEG_INF": -math.inf,
    "UNDETERMINED": 0.0,
}


def _padding(mode, dtype):
    value = _PADDING[mode.name]
    return torch.tensor(value if category(dtype.name) >= 2 else int(value)).to(TORCH[dtype.name])


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
    array, index, shape = array.permuted(order), as_tuple(index), as_tuple(shape)
    _check_extents(shape)
    scalar_load = shape == ()
    place, inside = array.address(list(_tile_indices(index, shape or (1,) * array.ndim)), check_bounds)
    data = array.read(place, inside, _padding(padding_mode, array.dtype))
    return Tile(data.reshape(()) if scalar_load else data, array.dtype)


def store(array, /, index, tile, *, order="C", check_bounds=True, **_):
    array, index = array.permuted(order), as_tuple(index)
    data = implicit(tile, array.dtype)
    if data.dim() == 0:
        data = data.reshape((1,) * array.ndim)
    place, inside = array.address(list(_tile_indices(index, data.shape)), check_bounds)
    array.write(place, inside, data)


def _element_access(array, indices, mask, check_bounds):
    tensors = [to_tile(index, None if isinstance(index, Tile) else ct.int64).data for index in as_tuple(indices)]
    if len(tensors) != array.ndim:
        raise Mistake(f"index size {len(tensors)} does not match the array rank {array.ndim}")
    place, inside = array.address(tensors, check_bounds)
    return place, inside if mask is None else inside & to_tile(mask).data


def gather(array, indices, /, *, mask=None, padding_value=0, check_bounds=True, **_):
    place, lanes = _element_access(array, indices, mask, check_bounds)
    return Tile(array.read(place, lanes, implicit(padding_value, array.dtype)), array.dtype)


def scatter(array, indices, value, /, *, mask=None, check_bounds=True, **_):
    place, lanes = _element_access(array, indices, mask, check_bounds)
    array.write(place, lanes, implicit(value, array.dtype))


def atomic_add(array, indices, update, /, *, check_bounds=True, **_):
    place, lanes = _element_access(array, indices, None, check_bounds)
    old = array.read(place, lanes, torch.zeros((), dtype=array.storage.dtype))
    _add_in_place(array, place, lanes, implicit(update, array.dtype))
    return Tile(old, array.dtype)


def _element_atomic(change):
    """Of one element: change(old, *operands) → new.  Programs run one after the other here, so each is undivided."""

    def apply(array, indices, /, *operands, check_bounds=True, **_):
        place, lanes = _element_access(array, indices, None, check_bounds)
        old = array.read(place, lanes, torch.zeros((), dtype=array.storage.dtype))
        operands = [implicit(operand, array.dtype) for operand in operands]
        if not lanes.all():
            return Tile(operands[0] if len(operands) > 1 else old, array.dtype)
        array.write(place, lanes, change(old, *operands))
        return Tile(old, array.dtype)

    return apply


def _add_in_place(array, place, lanes, data):
    array.storage.index_add_(0, place[lanes].reshape(-1), data.expand(place.shape)[lanes].reshape(-1))


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


class TiledView:
    def __init__(self, array, tile_shape, padding_mode):
        self.array, self.tile_shape, self.padding_mode, self.dtype = array, tile_shape, padding_mode, array.dtype

    def load(self, index, **_):
        return load(self.array, index, self.tile_shape, padding_mode=self.padding_mode)

    def store(self, index, tile, **_):
        store(self.array, index, broadcast_to(tile, self.tile_shape))

    def num_tiles(self, axis):
        return num_tiles(self.array, axis, self.tile_shape)

    def atomic_store_add(self, index, update, /):
        place, lanes = self.array.address(list(_tile_indices(as_tuple(index), self.tile_shape)))
        _add_in_place(self.array, place, lanes, implicit(update, self.dtype))


def num_tiles(array, /, axis, shape, order="C"):
    return scalar(-(-array.permuted(order).extents[axis] // (as_tuple(shape) or (1,) * array.ndim)[axis]))


# Creation and shape


def arange(size, /, *, dtype, start=0, step=1):
    steps = Tile(torch.arange(size, dtype=torch.int32), ct.int32).astype(to_dtype(dtype))
    return steps if (start, step) == (0, 1) else steps * to_tile(step, dtype) + to_tile(start, dtype)


def full(shape, fill_value, dtype):
    shape, dtype = as_tuple(shape), to_dtype(dtype)
    _check_extents(shape)
    return Tile(to_tile(fill_value, dtype).data.expand(shape).clone(), dtype)


def _reduced_axes(axis, rank):
    return tuple(range(rank)) if axis is None else tuple(sorted(a % rank for a in as_tuple(axis)))


def _reduce(on_data):
    def apply(x, /, axis=None, *, keepdims=False, **options):
        if not isinstance(x, Tile):
            return x
        if x.dtype.name == "bool_":
            x = x.astype(ct.int32)
        function = functools.partial(on_data, **options_of(options))
        for a in reversed(_reduced_axes(axis, x.ndim)):
            x = Tile(calculate(lambda data, a=a: function(data, a), x.dtype, x.data), x.dtype)
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


def _place(extreme):
    """The first place of the extreme; NaN is behind all numbers, or before them."""

    def apply(x, /, axis=None, *, keepdims=False, propagate_nan=False):
        data = x.data if axis is not None else x.data.reshape(-1)
        along = axis if axis is not None else 0
        found = data == extreme(data, along).unsqueeze(along)
        if propagate_nan:
            found = torch.where(data.isnan().any(along, keepdim=True), data.isnan(), found)
        place = found.int().argmax(along, keepdim=keepdims).to(torch.int32)
        return Tile(place.reshape((1,) * x.ndim) if axis is None and keepdims else place, ct.int32)

    return apply


def _scan(function):
    def apply(x, /, axis=0, *, reverse=False, **_):
        turn = (lambda data: data.flip(axis)) if reverse else (lambda data: data)
        return Tile(calculate(lambda data: turn(function(turn(data), axis)), x.dtype, x.data).to(x.data.dtype), x.dtype)

    return apply


def mma(x, y, /, acc, **_):
    if acc.dtype.name == "int32":
        product = torch.matmul(x.data.to(torch.int64), y.data.to(torch.int64)) + acc.data
        return Tile(product.to(torch.int32), acc.dtype)
    if x.dtype.name != y.dtype.name:
        raise Mistake("operands of mma differ in dtype")
    wide = torch.float64 if acc.dtype.name == "float64" else torch.float32
    return Tile(
        (torch.matmul(x.data.to(wide), y.data.to(wide)) + acc.data.to(wide)).to(TORCH[acc.dtype.name]), acc.dtype
    )


def matmul(x, y, /):
    dtype = promote(x.dtype, y.dtype)
    acc = {"float8_e4m3fn": "float16", "float8_e5m2": "float16", "bfloat16": "float32"}.get(dtype.name, dtype.name)
    wide = torch.float64 if acc == "float64" else torch.float32
    product = torch.matmul(x.data.to(wide), y.data.to(wide))
    return Tile(convert(product.to(TORCH[acc]), getattr(ct, acc), dtype), dtype)


Tile.__matmul__ = matmul


def broadcast_to(x, /, shape):
    return Tile(to_tile(x).data.expand(shape), to_tile(x).dtype)


def static_assert(condition, message=None, /):
    if not condition:
        raise Mistake(message or "static_assert")


_program = {"index": (0, 0, 0), "grid": (1, 1, 1)}


def _functions():
    wide = lambda function: lambda x, y: function(x, y)  # noqa: E731
    return dict(
        bid=lambda axis: scalar(_program["index"][axis]),
        num_blocks=lambda axis: scalar(_program["grid"][axis]),
        load=load, store=store, gather=gather, scatter=scatter, atomic_add=atomic_add,
        atomic_xchg=_element_atomic(lambda old, new: new), atomic_max=_element_atomic(torch.maximum),
        atomic_cas=_element_atomic(lambda old, expected, new: torch.where(old == expected, new, old)), num_tiles=num_tiles, Slice=Slice,
        load_advanced_indexing=load_advanced_indexing, arange=arange, full=full,
        zeros=lambda shape, dtype: full(shape, 0, dtype), ones=lambda shape, dtype: full(shape, 1, dtype),
        astype=lambda x, dtype, /, **_: to_tile(x).astype(dtype), bitcast=lambda x, dtype, /: Tile(to_tile(x).data.view(TORCH[dtype.name]), dtype),
        reshape=lambda x, /, shape: to_tile(x).reshape(shape), permute=lambda x, /, axes: x.permute(axes),
        transpose=lambda x, /, axis0=None, axis1=None: x.transpose(axis0, axis1),
        expand_dims=lambda x, /, axis: Tile(x.data.unsqueeze(axis), x.dtype), broadcast_to=broadcast_to,
        cat=lambda tiles, /, axis: Tile(torch.cat([t.data for t in tiles], axis), tiles[0].dtype),
        extract=lambda x, /, index, shape: x.extract(index, shape), where=where, mma=mma, matmul=matmul,
        sum=_reduce(lambda data, axis: data.sum(axis, dtype=data.dtype)), prod=_reduce(lambda data, axis: data.prod(axis)),
        max=_reduce(_extreme(torch.amax, -math.inf)), min=_reduce(_extreme(torch.amin, math.inf)),
        argmax=_place(_extreme(torch.amax, -math.inf)), argmin=_place(_extreme(torch.amin, math.inf)),
        cumsum=_scan(torch.cumsum), cumprod=_scan(torch.cumprod),
        add=add, sub=sub, mul=mul, truediv=truediv, floordiv=floordiv, mod=mod, cdiv=cdiv, pow=power,
        minimum=minimum, maximum=maximum, bitwise_and=bit_and, bitwise_or=bit_or, bitwise_xor=bit_xor,
        bitwise_lshift=lshift, bitwise_rshift=rshift, bitwise_not=bitwise_not, negative=negative,
        equal=wide(COMPARISONS["eq"]), not_equal=wide(COMPARISONS["ne"]), less=wide(COMPARISONS["lt"]),
        less_equal=wide(COMPARISONS["le"]), greater=wide(COMPARISONS["gt"]), greater_equal=wide(COMPARISONS["ge"]),
        exp=unary(torch.exp, math.exp), exp2=unary(torch.exp2, lambda x: 2.0**x), log=unary(torch.log, math.log),
        log2=unary(torch.log2, math.log2), sqrt=unary(torch.sqrt, math.sqrt), rsqrt=unary(torch.rsqrt, lambda x: x**-0.5),
        sin=unary(torch.sin, math.sin), cos=unary(torch.cos, math.cos), tan=unary(torch.tan, math.tan),
        sinh=unary(torch.sinh, math.sinh), cosh=unary(torch.cosh, math.cosh), tanh=unary(torch.tanh, math.tanh),
        floor=unary(torch.floor, math.floor, floats=False), ceil=unary(torch.ceil, math.ceil, floats=False),
        abs=unary(torch.abs, abs, floats=False), isnan=lambda x, /: Tile(x.data.isnan(), ct.bool_), static_assert=static_assert,
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
    import cuda.tile.tune

    for name, function in _functions().items():
        setattr(ct, name, function)
    ct.launch = launch
    cuda.tile.tune.exhaustive_search = search
