# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Matrix products, and reductions and scans with a region that combines two elements.

The order in which elements are combined is open.  Here a reduction combines neighbours, in pairs, and a product sums in float64,
rounding once to the accumulator.  Sums and products of 16-bit floats are made in float32 and rounded at the end, as measured.
"""

import numpy as np

from oracle.tile_ir_eval.formats import FORMATS, Unknown, constant, rounded
from oracle.tile_ir_eval.syntax import split

_WIDENED = {"addf": np.add, "mulf": np.multiply}


def _combination(line, block):
    """(function of two lists of arrays → list of arrays, formats that it works in)"""
    formats = [type.format for type in line.result_types()]
    (region,) = line.regions
    names = [operation.name for operation in region.operations]
    if len(formats) == 1 and formats[0].name in ("f16", "bf16") and names[:-1] in (["addf"], ["mulf"]):
        function = _WIDENED[names[0]]
        return (lambda frame, x, y: [function(x[0], y[0])]), [FORMATS["f32"]]
    run = block(region)

    def combine(frame, x, y):
        for name, value in zip(region.arguments, (value for pair in zip(x, y) for value in pair)):
            frame.values[name] = value
        return run(frame).values

    return combine, formats


def _decoded(line, block):
    combine, inner = _combination(line, block)
    identities = split(line.take(r"identities=\[([^\]]*)\]"))
    outer = [type.format for type in line.result_types()]
    if len(identities) != len(outer):
        raise Unknown(f"{line.name} with {len(identities)} identities for {len(outer)} tiles")
    identities = [constant(text.split(" : ")[0], format) for text, format in zip(identities, outer)]
    axis = int(line.take(r"dim ?= ?(\d+)"))

    def prepared(tiles):
        """The axis first, in the formats to work in."""
        return [np.moveaxis(tile, axis, 0).astype(format.held) for tile, format in zip(tiles, inner)]

    def finished(tiles):
        return [rounded(np.asarray(t, np.float64), o) if o is not i else t for t, i, o in zip(tiles, inner, outer)]

    return axis, identities, combine, prepared, finished


def reduce(line, block):
    _, identities, combine, prepared, finished = _decoded(line, block)

    def run(frame, *tiles):
        tiles = prepared(tiles)
        while len(tiles[0]) > 1:
            if len(tiles[0]) % 2:
                ends = [np.full((1, *tile.shape[1:]), identity, tile.dtype) for tile, identity in zip(tiles, identities)]
                tiles = [np.concatenate(pair) for pair in zip(tiles, ends)]
            tiles = combine(frame, [tile[0::2] for tile in tiles], [tile[1::2] for tile in tiles])
        return finished([tile[0] for tile in tiles])

    return run


def scan(line, block):
    axis, _, combine, prepared, finished = _decoded(line, block)
    reverse = line.take(r"reverse=(\w+)") == "true"

    def run(frame, *tiles):
        tiles = [tile[::-1] if reverse else tile for tile in prepared(tiles)]
        prefixes = [[tile[0] for tile in tiles]]
        for place in range(1, len(tiles[0])):
            prefixes.append(combine(frame, prefixes[-1], [tile[place] for tile in tiles]))
        tiles = [np.stack(parts) for parts in zip(*prefixes)]
        return [np.moveaxis(tile[::-1] if reverse else tile, 0, axis) for tile in finished(tiles)]

    return run


def product_of_floats(line):
    format = line.operand_types()[2].format

    def multiply(x, y, sum):
        return rounded(np.matmul(*(np.asarray(tile, np.float64) for tile in (x, y))) + np.asarray(sum, np.float64), format)

    return multiply


def product_of_integers(line):
    signs = line.take(r"((?:un)?signed\s+(?:un)?signed)").split()

    def multiply(x, y, sum):
        x, y = (tile.view(np.uint8) if sign == "unsigned" else tile for tile, sign in zip((x, y), signs))
        exact = np.matmul(x.astype(np.float64), y.astype(np.float64)).astype(np.int64)  # below 2^53
        return (exact + sum).astype(np.int32)

    return multiply
