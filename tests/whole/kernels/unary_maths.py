# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The elementary functions, with and without their options."""

import cuda.tile as ct
import torch


@ct.kernel
def maths(x, out, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0, 0), ct.exp(t).reshape((1, N)))
    ct.store(out, (1, 0), ct.exp2(t).reshape((1, N)))
    ct.store(out, (2, 0), ct.log(t).reshape((1, N)))
    ct.store(out, (3, 0), ct.log2(t).reshape((1, N)))
    ct.store(out, (4, 0), ct.sqrt(t).reshape((1, N)))
    ct.store(out, (5, 0), ct.rsqrt(t).reshape((1, N)))
    ct.store(out, (6, 0), ct.sin(t).reshape((1, N)))
    ct.store(out, (7, 0), ct.cos(t).reshape((1, N)))
    ct.store(out, (8, 0), ct.tanh(t).reshape((1, N)))
    ct.store(out, (9, 0), ct.floor(t).reshape((1, N)))
    ct.store(out, (10, 0), ct.ceil(-t).reshape((1, N)))
    ct.store(out, (11, 0), abs(ct.negative(t)).reshape((1, N)))
    ct.store(out, (12, 0), ct.pow(t, 1.5).reshape((1, N)))


@ct.kernel
def options(x, out, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,)).astype(ct.float32)
    ct.store(out, (0, 0), ct.exp(t, rounding_mode=ct.RoundingMode.APPROX).reshape((1, N)))
    ct.store(out, (1, 0), ct.exp2(t, flush_to_zero=True).reshape((1, N)))
    ct.store(out, (2, 0), ct.truediv(1.0, t, rounding_mode=ct.RoundingMode.APPROX, flush_to_zero=True).reshape((1, N)))
    ct.store(out, (3, 0), ct.sqrt(t, rounding_mode=ct.RoundingMode.APPROX).reshape((1, N)))
    ct.store(out, (4, 0), ct.mul(t, t, flush_to_zero=True).reshape((1, N)))


def cases():
    stream = torch.cuda.current_stream()
    for dtype in (torch.float32, torch.float16):
        x, out = (torch.rand(16) * 3 + 0.1).to(dtype), torch.zeros(13, 16, dtype=dtype)
        ct.launch(stream, (1,), maths, (x, out, 16))
        d = x.double()
        expected = [d.exp(), torch.exp2(d), d.log(), d.log2(), d.sqrt(), d.rsqrt(), d.sin(), d.cos(), d.tanh(), d.floor(),
                    (-d).ceil(), d, d**1.5]  # fmt: skip
        for row, (actual, wanted) in enumerate(zip(out, expected)):
            yield f"{row} {dtype}", actual, wanted
    x, out = torch.rand(16) * 3 + 0.1, torch.zeros(5, 16)
    ct.launch(stream, (1,), options, (x, out, 16))
    d = x.double()
    yield "options", out, torch.stack([d.exp(), torch.exp2(d), 1 / d, d.sqrt(), d * d])
