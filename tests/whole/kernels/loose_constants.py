# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A literal adapts to the tile; a scalar argument does not."""

import cuda.tile as ct
import torch

THIRD = 1.0 / 3.0


@ct.kernel
def literals(x, out, N: ct.Constant[int], C: ct.Constant[float]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0, 0), (t * 3.0 + THIRD).reshape((1, N)))
    ct.store(out, (1, 0), (t * C - 1).reshape((1, N)))
    ct.store(out, (2, 0), (2 - t).reshape((1, N)))
    ct.store(out, (3, 0), (1.0 / t).reshape((1, N)))


@ct.kernel
def arguments(x, out, s: float, n: int, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0, 0), (t * s).reshape((1, N)))
    ct.store(out, (1, 0), (t * s + n).reshape((1, N)))


@ct.kernel
def integers(x, out, halves, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0,), t * 3 - 7)
    ct.store(halves, (0,), t * 0.5 + 1)


def cases():
    stream = torch.cuda.current_stream()
    for dtype in (torch.float16, torch.float32):
        x, out = torch.randn(8).to(dtype), torch.zeros(4, 8, dtype=dtype)
        ct.launch(stream, (1,), literals, (x, out, 8, 0.3))
        third, c = torch.tensor(1.0 / 3.0).to(dtype), torch.tensor(0.3).to(dtype)
        yield f"literals {dtype}", out, torch.stack([x * 3 + third, x * c - 1, 2 - x, 1 / x])
    x, out = torch.randn(8).half(), torch.zeros(2, 8)
    ct.launch(stream, (1,), arguments, (x, out, 0.3, 5, 8))
    yield "arguments", out, torch.stack([x.float() * 0.3, x.float() * 0.3 + 5]), 1e-6
    x, out, halves = torch.arange(-4, 4, dtype=torch.int32), torch.zeros(8, dtype=torch.int32), torch.zeros(8)
    ct.launch(stream, (1,), integers, (x, out, halves, 8))
    yield "integers", out, x * 3 - 7
    yield "halves", halves, x * 0.5 + 1
