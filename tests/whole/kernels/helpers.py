# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Helper functions: nested calls, several results, defaults, keywords, one helper at several types."""

import cuda.tile as ct
import torch

SHIFT = 0.5


def scale(x, factor=2.0, *, shift=SHIFT):
    """Scales and shifts."""
    return x * factor + shift


def both(x, y):
    return scale(x), scale(y, factor=3.0, shift=1.0)


def store_row(array, row, tile, N: ct.Constant[int]):
    ct.store(array, (row, 0), tile.reshape((1, N)))


@ct.kernel
def call_helpers(x, y, out, n: int, N: ct.Constant[int]):
    a, b = both(ct.load(x, (0,), (N,)), ct.load(y, (0,), (N,)))
    store_row(out, 0, a, N)
    store_row(out, 1, b, N)
    store_row(out, 2, scale(a, 4), N)
    store_row(out, 3, ct.full((N,), scale(n, 3, shift=1), ct.float32), N)


def by_number(a, n):
    if n > 2:
        return a, (a, a + 1)
    return a, (a + 2, a * 2)


def with_constants(a):
    return (a,), ((a + 1, None), 7)


def shape_of(array):
    return array.shape


@ct.kernel
def unpack_results(x, out, n: int):
    t = ct.load(x, (0,), (8,))
    u, (v, w) = by_number(t, n)
    ct.store(out, (0,), u + v * w)
    p, ((q, _), r) = with_constants(t)
    ct.store(out, (1,), p[0] + q * r)
    shape = shape_of(x)
    ct.store(out, (2,), t + shape[0])


def cases():
    x, y, out = torch.randn(8), torch.randn(8).half(), torch.zeros(4, 8)
    ct.launch(torch.cuda.current_stream(), (1,), call_helpers, (x, y, out, 5, 8))
    a, b = x * 2 + 0.5, (y * 3 + 1).float()
    yield "all", out, torch.stack([a, b, a * 4 + 0.5, torch.full((8,), 16.0)]), 1e-3
    x = torch.arange(8, dtype=torch.int32)
    for n, product in ((0, (x + 2) * x * 2), (3, x * (x + 1))):
        out = torch.zeros(24, dtype=torch.int32)
        ct.launch(torch.cuda.current_stream(), (1,), unpack_results, (x, out, n))
        yield f"tuples of tuples, {n}", out, torch.cat([x + product, x + (x + 1) * 7, x + 8])
