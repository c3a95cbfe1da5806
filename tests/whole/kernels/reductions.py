# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Sums, products and extrema over one axis, several and all; axes kept or not; the dtype stays."""

import cuda.tile as ct
import torch


@ct.kernel
def reduce_float(x, rows, columns, everything, kept, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    ct.store(rows, (0, 0), ct.sum(t, axis=1).reshape((1, M)))
    ct.store(rows, (1, 0), ct.max(t, 1).reshape((1, M)))
    ct.store(rows, (2, 0), ct.min(t, -1).reshape((1, M)))
    ct.store(rows, (3, 0), ct.prod(t, axis=1).reshape((1, M)))
    ct.store(columns, (0,), ct.sum(t, axis=0))
    ct.store(everything, (0,), ct.sum(t).reshape((1,)))
    ct.store(everything, (1,), ct.max(t, axis=(0, 1)).reshape((1,)))
    ct.store(kept, (0, 0), t - ct.max(t, axis=1, keepdims=True) + ct.sum(t, keepdims=True))


@ct.kernel
def reduce_integers(x, out, flags, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0,), ct.sum(t).reshape((1,)))
    ct.store(out, (1,), ct.max(t).reshape((1,)))
    ct.store(out, (2,), ct.min(t).reshape((1,)))
    ct.store(flags, (0,), ct.sum(t > 3).reshape((1,)))


@ct.kernel
def reduce_middle(x, out, N: ct.Constant[int]):
    t = ct.load(x, (0, 0, 0), (N, N, N))
    ct.store(out, (0, 0), ct.sum(t, axis=1))
    # waits
    ct.store(out, (1, 0), ct.sum(t, axis=(0, 2), keepdims=True).reshape((1, N)))


def cases():
    stream = torch.cuda.current_stream()
    for dtype in (torch.float32, torch.float16):
        x = (torch.rand(4, 8) + 0.5).to(dtype)
        rows, columns = torch.zeros(4, 4, dtype=dtype), torch.zeros(8, dtype=dtype)
        everything, kept = torch.zeros(2, dtype=dtype), torch.zeros(4, 8, dtype=dtype)
        ct.launch(stream, (1,), reduce_float, (x, rows, columns, everything, kept, 4, 8))
        d = x.double()
        yield f"rows {dtype}", rows, torch.stack([d.sum(1), d.amax(1), d.amin(1), d.prod(1)])
        yield f"columns {dtype}", columns, d.sum(0)
        yield f"everything {dtype}", everything, torch.stack([d.sum(), d.amax()])
        yield f"kept {dtype}", kept, d - d.amax(1, keepdim=True) + d.sum()
    x = torch.tensor([3, -8, 100, 5, 3, 4, 2, 1], dtype=torch.int32)
    out, flags = torch.zeros(3, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    ct.launch(stream, (1,), reduce_integers, (x, out, flags, 8))
    yield "integers", out, torch.tensor([110, 100, -8])
    yield "bools count", flags, torch.tensor([3])
    x, out = torch.randn(4, 4, 4), torch.zeros(8, 4)
    ct.launch(stream, (1,), reduce_middle, (x, out, 4))
    expected = torch.zeros(8, 4)
    expected[:4], expected[1] = x.sum(1), x.sum((0, 2))
    yield "middle", out[:1], expected[:1]
