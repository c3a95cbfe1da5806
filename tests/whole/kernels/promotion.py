# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Two tiles meet in the wider dtype of the higher category."""

import cuda.tile as ct
import torch


@ct.kernel
def meet(small, wide, half, single, flag, sums, mixed, counted, N: ct.Constant[int]):
    i8, i64 = ct.load(small, (0,), (N,)), ct.load(wide, (0,), (N,))
    f16, f32 = ct.load(half, (0,), (N,)), ct.load(single, (0,), (N,))
    b = ct.load(flag, (0,), (N,))
    ct.store(sums, (0,), i8 + i64)
    ct.store(mixed, (0, 0), (f16 * f32).reshape((1, N)))
    ct.store(mixed, (1, 0), (i64 * f32).reshape((1, N)))
    ct.store(mixed, (2, 0), (f16 + i8).reshape((1, N)))
    ct.store(mixed, (3, 0), (b * f32).reshape((1, N)))
    ct.store(counted, (0,), b + i8)


@ct.kernel
def meet_double(x, y, out, N: ct.Constant[int]):
    """Nothing is wider than a double, whatever dtype it meets."""
    ct.store(out, (0,), ct.load(x, (0,), (N,)).astype(ct.float64) / ct.load(y, (0,), (N,)))


@ct.kernel
def mask(x, y, out, N: ct.Constant[int]):
    """A bool changes no dtype: what is added has that of x, and is rounded or wraps around as such."""
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0,), t * (ct.load(y, (0,), (N,)) > 0) + t)


@ct.kernel
def extreme(x, y, out, N: ct.Constant[int]):
    t, u = ct.load(x, (0,), (N,)), ct.load(y, (0,), (N,))
    ct.store(out, (0,), ct.maximum(t, u) + ct.minimum(t, u))


def cases():
    small, wide = torch.arange(-4, 4, dtype=torch.int8), torch.arange(8) * 10**10
    half, single, flag = torch.randn(8).half(), torch.randn(8), torch.arange(8) % 3 == 0
    sums, mixed, counted = torch.zeros(8, dtype=torch.int64), torch.zeros(4, 8), torch.zeros(8, dtype=torch.int8)
    ct.launch(torch.cuda.current_stream(), (1,), meet, (small, wide, half, single, flag, sums, mixed, counted, 8))
    yield "integers", sums, small + wide
    yield "floats", mixed, torch.stack([half * single, wide * single, (half + small).float(), flag * single])
    yield "bool", counted, flag.to(torch.int8) + small
    for dtype in (torch.float16, torch.float32, torch.float64, torch.int32):
        y, out = torch.arange(3, 11).to(dtype), torch.zeros(8, dtype=torch.float64)
        ct.launch(torch.cuda.current_stream(), (1,), meet_double, (single, y, out, 8))
        yield f"a double and {dtype}", out, single.double() / y.double(), 1e-15
    x, y = torch.tensor([100, -3, 70, 0, 5, -128, 127, 9]), torch.tensor([1, 1, 1, 0, 0, 1, 1, -1])
    for dtype in (torch.float16, torch.float32, torch.float64, torch.int8, torch.int32):
        out = torch.zeros(8, dtype=torch.float64)
        ct.launch(torch.cuda.current_stream(), (1,), mask, (x.to(dtype), y, out, 8))
        yield f"masked {dtype}", out, (x.to(dtype) * (y > 0) + x.to(dtype)).double()
    x, y = torch.tensor([100, -3, 70, 0, 5, -128, 127, 9]), torch.tensor([100, 1, -70, 0, 3, -128, -1, -9])
    for dtype, other in (("float16", "float32"), ("float16", "int32"), ("int8", "int8"), ("int8", "int32"), ("float64", "float32")):
        x, y, out = x.to(getattr(torch, dtype)), y.to(getattr(torch, other)), torch.zeros(8, dtype=torch.float64)
        ct.launch(torch.cuda.current_stream(), (1,), extreme, (x, y, out, 8))
        yield f"extremes of {dtype} and {other}", out, (torch.maximum(x, y) + torch.minimum(x, y)).double()
