# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The arrays of a launch as global memory, the views of it, and what loads, stores and atomics do there.

Addresses are those of the process.  What no array of the launch holds must not be touched.  Lanes that nothing fills (undetermined
padding, masked lanes without a value) hold what the memory is told, zero or NaN; integers then have all bits set.  So does, beside
NaN, a padded tile of which the array has no element: cuTile's documentation gives it no meaning.
"""

import ctypes
from dataclasses import dataclass

import numpy as np

from oracle.tile_ir_eval.formats import Unknown, constant, from_bits, to_bits


class Outside(IndexError):
    """An access beyond the arrays of the launch."""


class Memory:
    def __init__(self, leftover=0.0):
        self.leftover = leftover
        self.is_guessed = False  # a lane was left to what nothing determines
        self._spans = []  # (address, array of bytes); whatever owns them must stay alive

    def add(self, address, size):
        if size:
            self._spans.append((address, np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))))

    def _span(self, low, high):
        for address, data in self._spans:
            if address <= low and high <= address + data.size:
                return address, data
        return None

    def _elements(self, addresses, width):
        """(which of the addresses, the array that holds them, their places in it), one array after the other."""
        left = np.arange(addresses.size)
        whole = self._span(int(addresses.min()), int(addresses.max()) + width) if addresses.size else None
        spans = [whole] if whole else self._spans if addresses.size else []
        for address, data in spans:
            inside = (addresses[left] >= address) & (addresses[left] + width <= address + data.size)
            chosen, left = left[inside], left[~inside]
            if chosen.size:
                places, beside = np.divmod(addresses[chosen] - address, width)
                if beside.any():
                    raise Outside("an element that is not aligned")
                yield chosen, data[: data.size // width * width].view(f"u{width}"), places
        if left.size:
            raise Outside(f"{left.size} of {addresses.size} elements lie in no array of the launch")

    def load(self, addresses, mask, filler, format):
        """A tile of the shape of the addresses; where the mask is false, the filler (None: what nothing determines)."""
        shape, mask = addresses.shape, np.broadcast_to(mask, addresses.shape).reshape(-1)
        result = np.empty(mask.size, format.held)
        self.is_guessed |= filler is None and not mask.all()
        result[:] = self.undetermined(format) if filler is None else np.broadcast_to(filler, shape).reshape(-1)
        wanted = np.flatnonzero(mask)
        for chosen, data, places in self._elements(addresses.reshape(-1)[wanted], format.bytes):
            result[wanted[chosen]] = from_bits(data[places], format)
        return result.reshape(shape)

    def load_tile(self, addresses, mask, filler, format):
        """Of a view."""
        is_outside = not mask.any()
        self.is_guessed |= is_outside
        return self.load(addresses, mask, None if is_outside and self.leftover != 0 else filler, format)

    def store(self, addresses, mask, values, format):
        wanted = np.flatnonzero(np.broadcast_to(mask, addresses.shape))
        bits = to_bits(np.broadcast_to(values, addresses.shape).reshape(-1)[wanted], format)
        for chosen, data, places in self._elements(addresses.reshape(-1)[wanted], format.bytes):
            data[places] = bits[chosen]

    def update(self, addresses, mask, values, format, change):
        """One lane after the other: the new value is change(old, value).  The old ones."""
        shape, mask = addresses.shape, np.broadcast_to(mask, addresses.shape).reshape(-1)
        old = np.full(mask.size, self.undetermined(format), format.held)
        values = [np.broadcast_to(value, shape).reshape(-1) for value in values]
        for lane in np.flatnonzero(mask):
            address = addresses.reshape(-1)[lane : lane + 1]
            old[lane] = self.load(address, True, None, format)[0]
            new = change(old[lane : lane + 1], *(value[lane : lane + 1] for value in values))
            self.store(address, True, np.asarray(new, format.held), format)
        return old.reshape(shape)

    def undetermined(self, format):
        return np.array(self.leftover if format.is_float or self.leftover == 0 else -1).astype(format.held)


@dataclass(frozen=True)
class Tensor:
    """A tensor view: extents and strides are numbers of elements."""

    address: int
    shape: tuple
    strides: tuple


_PADDING = {"zero": "0x0", "neg_zero": "-0.0", "nan": "nan", "pos_inf": "inf", "neg_inf": "-inf"}


def padding(name, format):
    """The filler of a partition; None if it is undetermined."""
    if not name:
        return None
    if name not in _PADDING or not format.is_float and name != "zero":
        raise Unknown(f"padding_value = {name} of {format.name}")
    return constant(_PADDING[name], format)


def extents_of_tiles(tensor, view):
    """How many tiles there are along each axis of the tile."""
    return tuple(-(-tensor.shape[axis] // extent) for axis, extent in zip(view.axes, view.tile))


def addresses_of_tile(tensor, view, index, format):
    """(addresses, mask) of the elements of one tile; the mask says which of them the tensor has."""
    addresses, mask = np.array(tensor.address, np.int64), np.array(True)
    for number, (extent, axis, place) in enumerate(zip(view.tile, view.axes, index)):
        along = [1] * len(view.tile)
        along[number] = extent
        places = (np.int64(place) * extent + np.arange(extent, dtype=np.int64)).reshape(along)
        addresses = addresses + places * (tensor.strides[axis] * format.bytes)
        mask = mask & (places >= 0) & (places < tensor.shape[axis])
    return np.broadcast_to(addresses, view.tile), np.broadcast_to(mask, view.tile)
